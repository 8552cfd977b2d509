"""Policies: bots that are compiled."""

from __future__ import annotations

from typing import Any

from cardtable.kernel import rule
from cardtable.rules import contract

from .taste import CHOSEN


@rule
def thumb(s: Any, seat: int, moves: Any, n: int) -> int:
    """The heuristic, as Cardtable's own."""
    return contract.heuristic(s, seat, moves, n)


@rule
def tasteful(s: Any, seat: int, moves: Any, n: int) -> int:
    """The first or the last move, as `taste` says."""
    return int(moves[CHOSEN * (n - 1)])


@rule
def wrong(s: Any, seat: int, moves: Any, n: int) -> int:
    """No move at all."""
    return 1_000_000
