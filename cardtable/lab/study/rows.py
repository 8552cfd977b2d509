"""The rows of a study, one for each deal, and the measures that are taken from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.base.errors import OptionError, meant
from cardtable.base.message import Message, mark
from cardtable.search.playouts import ELDEST, LENGTH, MATCH, PASSES, PAYOFF, WINNER

Rows = NDArray[np.float64]  #: one deal in each row; the columns are those of `playouts`
Counts = NDArray[np.int64]

#: the measures of a deal and their meanings
MEASURES = {
    "eldest": mark("the payoff of the seat after the dealer"),
    "payoff": mark("the payoff of each seat"),
    "won": mark("the share of deals that each seat wins"),
    "length": mark("the moves of a deal"),
    "passes": mark("the passes of a deal"),
    "void": mark("the share of deals that nobody wins"),
    "spread": mark("the highest payoff of a deal less the lowest"),
}
BY_SEAT = ("payoff", "won")  #: measures with a figure for each seat: `payoff_0`, `payoff_1`, ...
USUAL = ("eldest", "payoff", "length", "passes")


def columns_of(measures: Sequence[str], seats: int) -> tuple[str, ...]:
    """The columns of some measures for a number of seats. Raises OptionError."""
    names: list[str] = []
    for measure in [measures] if isinstance(measures, str) else measures:
        name, line, seat = measure.partition("_")
        if measure in BY_SEAT:
            names += [f"{measure}_{p}" for p in range(seats)]
        elif measure in MEASURES or (name in BY_SEAT and line and seat.isdecimal() and int(seat) < seats):
            names.append(measure)
        else:
            raise OptionError(
                f"measure {measure[:40]!r}", "there is no such measure", meant([], list(MEASURES)), code="study/measure"
            )
    if not names:
        raise OptionError("a study", "it measures nothing", meant([], list(MEASURES)))
    return tuple(dict.fromkeys(names))


def seat_of(column: str) -> int:
    """The seat of a figure, or -1 if it is of the whole table."""
    _, line, seat = column.partition("_")
    return int(seat) if line else -1


def meaning(column: str) -> Message:
    """The meaning of a figure, in words."""
    name, line, seat = column.partition("_")
    words = {"payoff": mark("the payoff of seat {seat}"), "won": mark("the share of deals that seat {seat} wins")}
    return Message(words[name], seat=seat) if line else Message(MEASURES[name])


def values(rows: Rows, column: str, seats: int) -> NDArray[np.float64]:
    """The figure of each deal; 0 for a seat that the table does not have."""
    name, _, _ = column.partition("_")
    seat = seat_of(column)
    paid = rows[:, PAYOFF : PAYOFF + seats]
    numbers: NDArray[np.generic]
    match name:
        case "eldest":
            numbers = paid[np.arange(len(rows)), rows[:, ELDEST].astype(np.int64)]
        case "payoff":
            numbers = rows[:, PAYOFF + seat]
        case "won":
            numbers = rows[:, WINNER] == seat
        case "length":
            numbers = rows[:, LENGTH]
        case "passes":
            numbers = rows[:, PASSES]
        case "void":
            numbers = rows[:, WINNER] < 0
        case _:
            numbers = paid.max(axis=1) - paid.min(axis=1)
    return np.asarray(numbers, np.float64)


@dataclass
class Sums:
    """Sums over matches, as whole numbers, so that no order of adding changes a figure.

    For C cells and K figures. N is the number of deals of a match in a cell, Y the sum of a figure over them.
    """

    matches: Counts  #: (C,) matches with at least one deal
    deals: Counts  #: (C,)
    moves: Counts  #: (C,)
    squares: Counts  #: (K, C) sum over deals of the figure squared
    moments: Counts  #: (K, 2C, 2C) sum over matches of the products of (N of each cell, Y of each cell)
    totals: Counts  #: (K, C) sum over deals of the figure

    @classmethod
    def zero(cls, cells: int, columns: int) -> Sums:
        """Nothing played yet."""
        shapes = [(cells,)] * 3 + [(columns, cells), (columns, 2 * cells, 2 * cells), (columns, cells)]
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    def parts(self) -> list[Counts]:
        """The arrays, in order."""
        return [self.matches, self.deals, self.moves, self.squares, self.moments, self.totals]

    def add(self, other: Sums) -> None:
        """Add the sums of other matches."""
        for mine, its in zip(self.parts(), other.parts(), strict=True):
            mine += its

    def to_bytes(self) -> bytes:
        """The arrays as 64-bit little-endian numbers."""
        return b"".join(part.astype("<i8").tobytes() for part in self.parts())

    def read(self, data: bytes) -> Sums:
        """Sums of the same shape from their bytes. Raises ValueError if they have another length."""
        flat = np.frombuffer(data, "<i8").astype(np.int64)
        parts, at = list[Counts](), 0
        for part in self.parts():
            parts.append(flat[at : at + part.size].reshape(part.shape))
            at += part.size
        if at != len(flat):
            raise ValueError("sums of another study")
        return Sums(*parts)


def summed(rows: Sequence[Rows], seats: Sequence[int], columns: Sequence[str], first: int, matches: int) -> Sums:
    """The sums of a block: the rows of each cell, all of matches first, first + 1, ... first + matches - 1.

    Figures of deals are whole numbers, and so are all sums: they are exact on every machine. Integer products also
    avoid BLAS, whose threads would compete with those of the study.
    """
    sums = Sums.zero(len(rows), len(columns))
    both = np.zeros((len(columns), matches, 2 * len(rows)), np.int64)
    for c, (block, n) in enumerate(zip(rows, seats, strict=True)):
        places = block[:, MATCH].astype(np.int64) - first
        count = np.bincount(places, minlength=matches)
        sums.matches[c], sums.deals[c] = np.count_nonzero(count), len(block)
        sums.moves[c] = int(block[:, LENGTH].sum())
        for k, column in enumerate(columns):
            if seat_of(column) >= n:
                continue
            value = values(block, column, n)
            if not np.array_equal(value, np.rint(value)):
                raise ValueError(f"{column}: figures of deals are whole numbers")
            both[k, :, c] = count
            both[k, :, len(rows) + c] = np.bincount(places, value, minlength=matches).astype(np.int64)
            sums.totals[k, c], sums.squares[k, c] = int(value.sum()), int((value * value).sum())
    for k in range(len(columns)):
        sums.moments[k] = both[k].T @ both[k]
    return sums
