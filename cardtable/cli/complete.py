"""Shell completion of games, presets, house rules and levels of bots, for every command that has them.

It imports no rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.errors import CardtableError

FEW = 12  #: numbers are offered one by one up to this limit

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cardtable.rules.game import Game


def teach(command: click.Command) -> None:
    """Add completion to a command's parameters, by their names."""
    for param in command.params:
        if param.name in COMPLETED:
            setattr(param, "shell_complete", COMPLETED[param.name])  # noqa: B010  (of this parameter, not of its class)


def prepare() -> None:
    """Make bash complete the text after `=`, which it treats as a separate word, and stop zsh adding a blank after
    it. Called by a shell's completion.
    """
    from click.shell_completion import BashComplete, ZshComplete, add_completion_class, split_arg_string

    class Bash(BashComplete):
        """Completion for bash."""

        source_template = BashComplete.source_template.replace(
            "COMPREPLY+=($value)", 'COMPREPLY+=("$value"); [[ $value == *= ]] && compopt -o nospace 2>/dev/null'
        )
        _before = ""  #: what bash has kept of the word

        def get_completion_args(self) -> tuple[list[str], str]:
            words = split_arg_string(os.environ["COMP_WORDS"])
            at = int(os.environ["COMP_CWORD"])
            words = [*words[: at + 1], *([""] if len(words) <= at else [])]
            whole = [words[0]]
            for before, word in zip(words, words[1:], strict=False):
                if word == "=" or before == "=":
                    whole[-1] += word
                else:
                    whole.append(word)
            if whole[-1] != words[-1]:
                self._before = whole[-1].rpartition("=")[0] + "="
            return whole[1:-1], whole[-1]

        def format_completion(self, item: CompletionItem) -> str:
            return f"{item.type},{item.value.removeprefix(self._before)}"

    class Zsh(ZshComplete):
        """Completion for zsh."""

        source_template = (
            ZshComplete.source_template.replace(
                "    local -a response\n", "    local -a unfinished\n    local -a response\n"
            )
            .replace(
                """            else
                completions_with_descriptions""",
                """            elif [[ "$key" == *= ]]; then
                unfinished+=("$key":"$descr")
            else
                completions_with_descriptions""",
            )
            .replace(
                """    if [ -n "$completions" ]; then""",
                """    if [ -n "$unfinished" ]; then
        _describe -V unsorted unfinished -U -S ''
    fi

    if [ -n "$completions" ]; then""",
            )
        )

    add_completion_class(Bash)
    add_completion_class(Zsh)


def _items(words: dict[str, str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    begun = incomplete.lower()
    return [CompletionItem(word, help=text) for word, text in words.items() if word.lower().startswith(begun)]


def _games(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from cardtable.rules import catalog

    entries = catalog.games().values()
    names = {game.name: game.summary for game in entries}
    if not any(name.startswith(incomplete.lower()) for name in names):
        names = {name.name: name.title for game in entries for name in game.names[1:]}
    return _items(names, incomplete)


def _of_game(words: Callable[[Game], dict[str, str]]) -> Callable[[click.Context, str], list[CompletionItem]]:
    """A completion for the game that is named earlier on the line; nothing if none is."""

    def complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from cardtable.rules import catalog

        named = ctx.params.get("game") or ctx.args  # click leaves it there while an option has no value yet
        try:
            return _items(words(catalog.find(named if isinstance(named, str) else " ".join(named))), incomplete)
        except CardtableError:
            return []

    return complete


def _presets(game: Game) -> dict[str, str]:
    return {preset: game.titles[preset] for preset in game.presets}


def _house_rules(game: Game) -> dict[str, str]:
    """`ante=`, or `settle=direct` where there are few values."""
    texts: dict[str, str] = {}
    for name, kind in game.options.kinds().items():
        values = kind.values or _few(str(kind.domain))
        texts |= {f"{name}={value}": kind.text for value in values} or {f"{name}=": f"{kind.text}: {kind.domain}"}
    return texts


def _few(domain: str) -> list[str]:
    """The numbers of a range such as `0 to 3`, unless there are many."""
    span = re.fullmatch(r"(\d+) to (\d+)", domain)
    numbers = range(int(span[1]), int(span[2]) + 1) if span else range(0)
    return [str(number) for number in numbers] if len(numbers) <= FEW else []


def _seats(game: Game) -> dict[str, str]:
    low, high = game.seats
    return {str(number): game.title for number in range(low, high + 1)}


def _seat(game: Game) -> dict[str, str]:
    return {"none": "watch"} | {str(number): game.title for number in range(game.seats[1])}


def _clauses(game: Game) -> dict[str, str]:
    """The IDs of the rules on a game's page, as they are written there."""
    return dict.fromkeys(re.findall(r"(?m)^\| ([A-Z]{2}-[A-Z]?\d+) \|", game.rulebook), game.title)


def _records(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The saved matches, and any other file."""
    from click.shell_completion import CompletionItem

    from cardtable.cli import saves

    files = {str(path): str(record.keys.get("game", "")) for path, record in saves.saved(None)}
    matching = [CompletionItem(path, help=game) for path, game in files.items() if path.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *matching]


def _levels(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from cardtable.bots import installed
    from cardtable.bots.levels import LEVELS, OFFERED, WORDS

    return _items(dict.fromkeys([*(WORDS[level] for level in OFFERED), *LEVELS, *installed()], "a bot"), incomplete)


#: completions of parameters, by name
COMPLETED: dict[str, Any] = {
    "game": _games,
    "games": _games,
    "preset": _of_game(_presets),
    "house": _of_game(_house_rules),
    "level": _levels,
    "levels": _levels,
    "bots": _levels,
    "seats": _of_game(_seats),
    "seat": _of_game(_seat),
    "clause": _of_game(_clauses),
    "resume": _records,
    "file": _records,
}
