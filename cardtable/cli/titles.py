"""Games by their titles in the language of the terminal: `cardtable play Dubito` in Italian.

IDs and English titles open what they always open; a title of the language is looked up after them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import click

from cardtable.base.errors import UnknownGame, meant
from cardtable.base.languages import tr
from cardtable.base.message import Message
from cardtable.base.names import plain

NAMED = ("game", "games")  #: the parameters that name games
LONGEST = 60  #: most letters of a name that an error repeats


def teach(command: click.Command) -> None:
    """Let a command's parameters accept titles in the language of the terminal."""
    for param in command.params:
        if param.name in NAMED and param.callback is None:
            param.callback = _opened
    if isinstance(command, click.Group):
        for part in command.commands.values():
            teach(part)


def _opened(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    if not value:
        return value
    if isinstance(value, str):
        return english(value)
    return (english(" ".join(value)),) if param.name == "game" else tuple(map(english, value))


def english(text: str) -> str:
    """The English title for a title in the language of this process; any other text as it is.

    Raises UnknownGame if several games have this title in the language, or if it is nearly one.
    """
    from cardtable.rules import catalog

    titles = _titles()
    asked = plain(text)
    if asked in {plain(name) for name in catalog.games()} | {plain(title) for title in titles}:
        return text
    there: dict[str, list[str]] = {}
    for title, translated in titles.items():
        there.setdefault(plain(translated), []).append(title)
    candidates = there.get(asked, [])
    if len(candidates) == 1:
        return candidates[0]
    what = Message("game {text}", text=repr(text[:LONGEST]))
    if candidates:
        raise UnknownGame(what, Message("several games have this title"), meant(candidates, []))
    foreign = {key: each for key, each in there.items() if titles[each[0]] != each[0]}
    if near := difflib.get_close_matches(asked[:LONGEST], foreign, 1):
        raise UnknownGame(what, Message("there is no such game"), meant([titles[foreign[near[0]][0]]], []))
    return text


def _titles() -> Mapping[str, str]:
    """The English titles of all games and presets, each with the one in the language of this process."""
    from cardtable.rules import catalog

    return {name.title: tr(name.title) for game in catalog.games().values() for name in game.names}
