"""The heuristic, and the heuristic with human mistakes (the bots `medium` and `soft`).

The bot `soft` sometimes overlooks the heuristic's move, and makes the best of the moves that people confuse with it
(`contract.slip`). Each game defines these, which excludes silly moves of a random choice among all legal moves:
drawing while a plain card fits, dealing too early, or knocking instead of drawing. It is the second choice, never the
third, so that mistakes stay small.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import MoveCode, SeatNumber
from cardtable.kernel import prng, rule
from cardtable.rules import contract

SLIPS = 50  #: in how many of 100 choices the heuristic's move is overlooked (docs/notes/leagues.md)
DEEPEST = 1  #: moves that are overlooked one after another in one choice, at most


@rule
def advised(s: Any, seat: int, moves: Any, n: int, percent: int, deepest: int, rng: Any) -> int:
    """The heuristic's move; with a probability of `percent` the best move confused with it, and so on, up to
    `deepest` times.

    moves: the n legal ones, n > 1; they are reordered if a move is overlooked. rng: not used if percent is 0.
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
            return move  # the heuristic has no other
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
