"""The levels offered to people in a game: only levels that were significantly better than the one below in a league.

A game's package keeps the results in `ladder.json`: a list of rungs, each a level against the next lower one under a
preset. `python bench/ladder.py GAME --write` measures them again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cardtable.bots.levels import OFFERED

if TYPE_CHECKING:
    from cardtable.rules.game import Game

FILE = "ladder.json"  #: in the package of a game
UNMEASURED = OFFERED[:-1]  #: in a game without such a file: all except the one that takes ten times as long


@cache
def measured(package: str) -> dict[tuple[str, str, str], bool]:
    """By game, preset and upper level: whether that level is clearly better than the one below. Empty if the package
    has no file.
    """
    file = files(package) / FILE
    if not file.is_file():
        return {}
    rungs = json.loads(file.read_text("utf-8"))
    return {(each["game"], each["rules"], each["upper"]): each["clear"] for each in rungs}


def offered(game: Game, preset: str) -> tuple[str, ...]:
    """The levels that people may choose from, the weakest first; none in a game for one. Above a level that is not
    better than the one below, none is offered: nothing was compared with the level that is.
    """
    if game.best[1] == 1:
        return ()
    better = measured(game.package)
    if not better:
        return UNMEASURED
    levels = [OFFERED[0]]
    for level in OFFERED[1:]:
        if not better.get((game.name, preset, level), False):
            break
        levels.append(level)
    return tuple(levels)
