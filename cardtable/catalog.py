"""Finds the games: every package in `cardtable.games` lists its own as GAMES. No rules are imported here."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

from cardtable.errors import UnknownGame
from cardtable.game import Game


@cache
def games() -> dict[str, Game]:
    """All games by name, in alphabetical order."""
    found: list[Game] = []
    for module in pkgutil.iter_modules(importlib.import_module("cardtable.games").__path__):
        if module.ispkg:
            found += importlib.import_module(f"cardtable.games.{module.name}").GAMES
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def find(name: str) -> Game:
    """The game of a name or an alias; case, blanks and underscores do not matter. Raises UnknownGame."""
    plain = "-".join(name.lower().replace("_", " ").replace("-", " ").replace("!", "").split())
    if plain in games():
        return games()[plain]
    names = {alias: game for game in games().values() for alias in (game.name, *game.aliases)}
    if plain in names:
        return names[plain]
    close = difflib.get_close_matches(plain, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(games())}"
    raise UnknownGame(f"game {name[:60]!r}", "there is no such game", hint)
