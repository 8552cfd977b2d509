"""What the examples that learn share: players as functions, and how well they play Fan Tan on duplicate deals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardtable import bots, envs
from cardtable.lab.intervals import mean_of
from cardtable.rules import contract

SEATS = 4
SCALE = np.log2(1 + np.arange(256, dtype=np.float32))  #: of a byte: 0 and 1 stay, and large numbers become small
REWARD = np.float32(0.1)  #: what a chip counts for a network

Choose = Callable[[envs.VectorTable], NDArray[np.int64]]  #: an allowed action for each table


def thumb(env: envs.VectorTable) -> NDArray[np.int64]:
    """The actions of medium bots."""
    views, player = env.obs.seen, bots.bot("medium")
    moves = [player.move(env.game, views[i].copy(), int(seat)) for i, seat in enumerate(env.obs.seat)]
    return np.array([contract.action_of(env.states[i], move) for i, move in enumerate(moves)], np.int64)


def measure(choose: Choose, opponents: str, deals: int) -> NDArray[np.float64]:
    """What a player wins in each of these deals, in chips, on average over the four seats that it takes in turn.

    The cards are the same for every player, seat and level of the opponents.
    """
    won = np.zeros((SEATS, deals))
    for seat in range(SEATS):
        env = envs.VectorTable("fan-tan", deals, seats=SEATS, seat=seat, opponents=opponents, seed="measure")
        env.reset()
        playing = np.ones(deals, np.bool_)  # the first deal of each table: later ones begin where an earlier one ended
        while playing.any():
            _, reward, over = env.step(choose(env))
            ends = playing & over
            won[seat, ends] = reward[ends, seat]
            playing &= ~over
    return np.asarray(won.mean(axis=0))


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The mean, and half the width of its 95% interval."""
    mean = mean_of(values)
    return mean.mean, mean.high - mean.mean


def compare(players: dict[str, Choose], opponents: str, deals: int) -> dict[str, tuple[float, float]]:
    """Print and return what each player wins a deal, and how much more the first wins than each other in the same
    deals.
    """
    won = {name: measure(choose, opponents, deals) for name, choose in players.items()}
    first, *others = players
    rows = {f"{name} among three {opponents}": interval(each) for name, each in won.items()}
    rows |= {f"{first} less {name} among three {opponents}": interval(won[first] - won[name]) for name in others}
    for name, (mean, half) in rows.items():
        print(f"{name}: {mean:+.2f} ± {half:.2f}")
    return rows
