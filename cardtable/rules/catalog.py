"""Finds games by name. No rules are imported here.

Every package in `cardtable.games` lists its games as GAMES, and so does every installed package that has an entry point
in the group `cardtable.games`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from cardtable.base.errors import OptionError, UnknownGame, meant
from cardtable.base.message import Message
from cardtable.base.names import plain, slug
from cardtable.rules.game import Game, Name

LONGEST = 60  #: most letters of a name
SHORTEST = 3  #: minimum length of a word for suggestions
MOST = 4  #: most names that are suggested


@dataclass(frozen=True)
class Variant:
    """The target of a name: a game, one of its presets, and the title of its matches."""

    game: Game
    preset: str
    title: str

    @property
    def alias(self) -> str:
        """The title if it is not the preset's own, so that a record and a setup must keep it; else empty."""
        return "" if self.title == self.game.titles[self.preset] else self.title


@cache
def games() -> dict[str, Game]:
    """All games by name, in alphabetical order. Raises OptionError (`game/name`) if one name would open two."""
    entries: list[Game] = []
    for module in pkgutil.iter_modules(importlib.import_module("cardtable.games").__path__):
        if module.ispkg and module.name != "shared":
            entries += importlib.import_module(f"cardtable.games.{module.name}").GAMES
    for entry in sorted(set(entry_points(group="cardtable.games")), key=lambda entry: (entry.name, entry.value)):
        entries += _loaded(entry)
    _check_names(entries)
    return {game.name: game for game in sorted(entries, key=lambda game: game.name)}


def _loaded(entry: EntryPoint) -> list[Game]:
    """The games of another package. Raises OptionError (`game/package`)."""
    try:
        return list(entry.load().GAMES)
    except Exception as error:  # another package's module may raise anything
        raise OptionError(
            Message("the package {package}", package=entry.value),
            Message("its games cannot be imported: {error}", error=f"{type(error).__name__}: {error}"),
            Message("correct it, or uninstall it"),
            code="game/package",
        ) from error


def _check_names(entries: Iterable[Game]) -> None:
    """Raises OptionError if a name opens two games. A package that is found twice has its games once."""
    owners: dict[str, Game] = {}
    for game in entries:
        for text in (game.name, *(name.title for name in game.names)):
            other = owners.setdefault(plain(text), game)
            if (other.package, other.name) != (game.package, game.name):
                raise OptionError(
                    Message("game {name}", name=repr(text)),
                    Message("both {one} and {other} have a game of that name", one=other.package, other=game.package),
                    Message("uninstall one of these packages, or rename the game in it"),
                    code="game/name",
                )


@cache
def _names() -> dict[str, tuple[Game, Name]]:
    """Every name, in the plain form in which it is looked up."""
    return {plain(name.title): (game, name) for game in games().values() for name in game.names}


def variant(name: str | Game, preset: str | None = None) -> Variant:
    """Find the game and preset for a name; case, blanks and punctuation do not matter. Raises UnknownGame, OptionError
    (`options/preset`).

    An explicit preset takes precedence, and the title is then that preset's own, unless its source also uses the name.
    """
    game, called = (name, name.names[0]) if isinstance(name, Game) else _named(name)
    chosen = game.preset(str(preset)) if preset else called.presets[0]
    return Variant(
        game, chosen, called.title if chosen in called.presets and called is not game.names[0] else game.titles[chosen]
    )


def known_as(name: str, title: object) -> str:
    """The name that opens the game of a record or a setup: its title, or the name if it has no title.

    Raises UnknownGame, OptionError.
    """
    if title is None or title == "":
        return name
    game = find(name)
    if not isinstance(title, str) or plain(title) not in {plain(one.title) for one in game.names}:
        raise OptionError(
            Message("title {text}", text=repr(str(title)[:LONGEST])),
            Message("{title} has no such name", title=game.title),
            Message("leave it out, or choose one of its names"),
            code="options/title",
        )
    return title


def find(name: str) -> Game:
    """The game that a name opens. Raises UnknownGame, OptionError (`game/name`)."""
    return _named(name)[0]


def _named(name: str) -> tuple[Game, Name]:
    """The game of a name, and the name as the sources print it. Raises UnknownGame."""
    text = name if isinstance(name, str) else repr(name)
    asked = plain(text[: LONGEST + 1])
    if len(text) <= LONGEST and (known := _names().get(asked)):
        return known
    near = _like(text[:LONGEST]) or difflib.get_close_matches(asked, _names(), 1)
    close = [_names()[key][1].name for key in near]
    raise UnknownGame(
        Message("game {text}", text=repr(text[:LONGEST])), Message("there is no such game"), meant(close, list(games()))
    )


def _like(text: str) -> list[str]:
    """The names, normalised, in which each word of a text begins some word; the shortest first."""
    words = slug(text).split("-")
    if min(map(len, words)) < SHORTEST:
        return []
    alike = [
        key
        for key, (_, name) in _names().items()
        if all(any(part.startswith(word) for part in name.name.split("-")) for word in words)
    ]
    return sorted(alike, key=len)[:MOST]
