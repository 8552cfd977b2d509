"""A player of Spider that does not know the hidden cards."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np

from cardtable.games.spider import player_plans, player_playouts, solver_piles
from cardtable.games.spider.player_playouts import Choice, Chooser

PILES = 1 << 16
WIDTH, STEPS = 60, 25
NARROW_WIDTH, NARROW_STEPS = 8, 5


def room(
    width: int = WIDTH, steps: int = STEPS, narrow: int = NARROW_WIDTH, narrow_steps: int = NARROW_STEPS
) -> Chooser:
    """Room for choices."""
    piles = solver_piles.room(PILES, weights())
    wide = player_plans.room(width, steps, piles)
    small = player_plans.room(narrow, narrow_steps, piles)._replace(expected=wide.expected, unseen=wide.unseen)
    choice = Choice.new()
    choice.steps, choice.narrow_steps = steps, narrow_steps
    choice.candidates, choice.margin, choice.deals = 6, 6000, 1
    choice.to_deal, choice.stuck = 4000, 20000
    return Chooser(
        choice, wide, small, np.zeros(player_plans.ENDS, np.int64), np.zeros(player_plans.ENDS, np.int64),
        np.zeros(104, np.int64), np.zeros(10, np.int64),
    )  # fmt: skip


def weights() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The weights of a pile's cost, in thousandths; the order is that of `solver_piles`."""
    data = json.loads((files(__package__) / "player_weights.json").read_text("utf-8"))
    return np.array(list(data.values()), np.int64)
