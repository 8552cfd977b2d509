"""Numeric notes of matches during play: deals, moves and ends, from which records are made."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from cardtable.search import playouts

MARGIN = 1.25  #: how much more room there is than the last block took
FEWEST = 1024  #: moves that there is room for, at least


class Notes:
    """The notes of a block of matches, in arrays of `playouts`: `rows` (deals), `log` (moves), `ends` (matches).

    Compiled players continue without notes when the arrays are full, and the block is played again with larger
    arrays; players called from Python reserve room before each move (`reach`).
    """

    def __init__(self, first: int, matches: int, deals: int, moves: int) -> None:
        """Room for the matches first, first + 1, ... and, initially, for this number of deals and moves."""
        self.first = first
        self.rows = np.zeros((max(matches, deals), playouts.COLUMNS))
        self.log = np.zeros((max(FEWEST, moves), playouts.LOGGED), np.uint64)
        self.ends = np.zeros((matches, playouts.ENDED), np.int64)
        self.fixed = False  #: there is never more room, and what has none is not noted
        self.deals = self.moves = self.matches = 0  #: that were played

    @classmethod
    def of(cls, rows: NDArray[np.float64]) -> Self:
        """Notes of deals alone, in these rows."""
        notes = cls(0, 0, 0, 0)
        notes.rows, notes.log, notes.fixed = rows, playouts.NO_LOG, True
        return notes

    def after(self, first: int, matches: int) -> Self:
        """New notes for a block, with as much room as this one took, and some more."""
        return type(self)(first, matches, int(MARGIN * self.deals), int(MARGIN * self.moves))

    def done(self, total: playouts.Totals) -> bool:
        """Record the amount played; return whether there was room for all of it, and otherwise enlarge the arrays."""
        self.deals, self.moves, self.matches = int(total.deals), int(total.moves), int(total.matches)
        whole = self.deals <= len(self.rows) and self.moves <= len(self.log)
        self.reach(self.deals, self.moves)
        return whole

    def reach(self, deals: int, moves: int) -> None:
        """Make room for this number of deals and moves, keeping the notes."""
        if self.fixed:
            return
        if deals > len(self.rows):
            self.rows = np.concatenate((self.rows, np.zeros((deals, playouts.COLUMNS))))
        if moves > len(self.log):
            self.log = np.concatenate((self.log, np.zeros((moves, playouts.LOGGED), np.uint64)))
