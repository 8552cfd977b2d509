"""Shell completion of games, presets, house rules and levels of bots, for every command that has them.

It imports no rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cardtable.errors import CardtableError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cardtable.game import Game


def teach(command: click.Command) -> None:
    """Add completion to a command's parameters, by their names."""
    for param in command.params:
        if param.name in COMPLETED:
            setattr(param, "shell_complete", COMPLETED[param.name])  # noqa: B010  (of this parameter, not of its class)


def _items(words: dict[str, str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word, help=told) for word, told in words.items() if word.startswith(incomplete.lower())]


def _games(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from cardtable import catalog

    found = catalog.games().values()
    names = {game.name: game.summary for game in found}
    if not any(name.startswith(incomplete.lower()) for name in names):
        names = {name.name: name.title for game in found for name in game.names[1:]}
    return _items(names, incomplete)


def _of_game(words: Callable[[Game], dict[str, str]]) -> Callable[[click.Context, str], list[CompletionItem]]:
    """A completion for the game that is named earlier on the line; nothing if none is."""

    def complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from cardtable import catalog

        named = ctx.params.get("game") or ctx.args  # click leaves it there while an option has no value yet
        try:
            return _items(words(catalog.find(named if isinstance(named, str) else " ".join(named))), incomplete)
        except CardtableError:
            return []

    return complete


def _presets(game: Game) -> dict[str, str]:
    return {preset: game.titles[preset] for preset in game.presets}


def _house_rules(game: Game) -> dict[str, str]:
    """`ante=`, or `settle=direct` where the values are words."""
    found: dict[str, str] = {}
    for name, kind in game.options.kinds().items():
        found |= {f"{name}={value}": kind.text for value in kind.values} or {f"{name}=": f"{kind.text}: {kind.domain}"}
    return found


def _levels(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from cardtable.bots.levels import LEVELS, WORDS

    return _items(dict.fromkeys([*WORDS.values(), *LEVELS], "a bot"), incomplete)


#: completions of parameters, by their names
COMPLETED: dict[str, Any] = {
    "game": _games, "games": _games, "preset": _of_game(_presets), "house": _of_game(_house_rules), "level": _levels,
    "levels": _levels, "bots": _levels,
}  # fmt: skip
