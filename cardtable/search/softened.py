"""The heuristic, and the heuristic with mistakes that people make (the bots `medium` and `soft`).

Somebody who plays softly overlooks, now and then, the move that the heuristic names, and takes the best of those that
people take for it (`contract.slip`). Which these are is for each game to say, so nothing silly comes of it: nobody
draws while a plain card fits, deals too early, or knocks in place of drawing, as a choice by chance among all legal
moves would. It is the second choice, never the third, so that a mistake stays a small one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import MoveCode, SeatNumber
from cardtable.kernel import prng, rule
from cardtable.rules import contract

SLIPS = 50  #: in how many of 100 choices the heuristic's move is overlooked (docs/benchmarks.md)
DEEPEST = 1  #: moves that are overlooked one after another in one choice, at most


@rule
def advised(s: Any, seat: int, moves: Any, n: int, percent: int, deepest: int, rng: Any) -> int:
    """The move that the heuristic names; in `percent` of 100 cases the best that is taken for it, and so on, up to
    `deepest` times.

    moves: the n legal ones, n > 1; they are put into another order if something is overlooked. rng: the chance for it;
    none is used if percent is 0.
    """
    move = contract.heuristic(s, seat, moves, n)
    while deepest > 0 and percent and prng.below(rng, 100) < percent:
        n = mistakable(s, seat, move, moves, n)
        other = move
        if n == 1:
            other = moves[0]
        elif n:
            other = contract.heuristic(s, seat, moves, n)
        if not is_one(moves, n, other):
            return move  # the heuristic knows no other
        move = other
        deepest -= 1
    return move


def choice(
    s: contract.State, seat: SeatNumber, moves: NDArray[np.int64], n: int, percent: int, rng: prng.Words
) -> MoveCode:
    """The same, up to `DEEPEST` times, for plain Python: the heuristic, which is compiled anyway, is called and not
    compiled into it once more.
    """
    return int(getattr(advised, "py_func", advised)(s, seat, moves, n, percent, DEEPEST, rng))


@rule
def mistakable(s: Any, seat: int, meant: int, moves: Any, n: int) -> int:
    """Put the moves that are taken for `meant` before all others, in their order; return how many they are."""
    k = 0
    for i in range(n):
        if moves[i] != meant and contract.slip(s, seat, meant, moves[i]):
            moves[k], moves[i] = moves[i], moves[k]
            k += 1
    return k


@rule
def is_one(moves: Any, n: int, move: int) -> bool:
    """Whether a move is one of the first n."""
    listed = False
    for i in range(n):
        listed = listed or moves[i] == move
    return listed
