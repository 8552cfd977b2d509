"""Features for machine learning: the fields of a state, and their encoding as bytes.

A game names the fields in its `features.py`, as `FEATURES`. They are read from a state redacted for a seat, so they
contain only what it may know. Rows by seat begin with that seat; the others follow clockwise. If `length` is a field,
only that number of values of a row counts, and the others are written as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SET, NUMBER, ONE, SEAT, SEATS, LIST, LAST, OCTETS, ME = range(9)


@dataclass(frozen=True)
class Feature:
    """A field of a state, and how it becomes bytes."""

    name: str
    kind: int
    width: int = 1  #: bytes for each value (0: one for each seat)
    low: int = 0  #: the value that becomes 0, or the first of `width` values
    by_seat: bool = True  #: a row of the field has a value for each seat
    own: bool = False  #: only the value of the seat itself is written
    length: str = ""  #: the field with the number of values of a row that count


def cards(name: str, width: int = 52, *, by_seat: bool = True, own: bool = False) -> Feature:
    """A set of cards, or a row of them: a byte for each card, 0 or 1. width: how many kinds of cards there are."""
    return Feature(name, SET, width, by_seat=by_seat, own=own)


def listed(name: str, length: str, width: int = 52) -> Feature:
    """A row of card numbers: how often each kind of card is there."""
    return Feature(name, LIST, width, by_seat=False, length=length)


def last_of(name: str, length: str, width: int = 52) -> Feature:
    """The last of a row of card numbers: a byte for each kind of card, 1 for that card."""
    return Feature(name, LAST, width, by_seat=False, length=length)


def number(name: str, low: int = 0, *, by_seat: bool = True, length: str = "") -> Feature:
    """A number, or a row of them: its distance from `low`, a byte (0 below, 255 from `low` + 255 on)."""
    return Feature(name, NUMBER, 1, low, by_seat, length=length)


def one_of(name: str, width: int, low: int = 0, *, by_seat: bool = True, length: str = "") -> Feature:
    """One of `width` values from `low` on: a byte for each, 1 for the value; all 0 if it is none of them."""
    return Feature(name, ONE, width, low, by_seat, length=length)


def seat(name: str, low: int = 0) -> Feature:
    """A seat, written as `low` plus its number: a byte for each seat, all 0 if it is none."""
    return Feature(name, SEAT, 0, low, False)


def seats(name: str) -> Feature:
    """A mask of seats: a byte for each seat, 0 or 1."""
    return Feature(name, SEATS, 0, 0, False)


def me() -> Feature:
    """The number of the seat itself: a byte for each seat, 1 for that one. It goes by the name of the field `seats`."""
    return Feature("seats", ME, 0, 0, False)


def octets(name: str, length: int) -> Feature:
    """A field as its bytes in memory, of which there are `length`."""
    return Feature(name, OCTETS, length, by_seat=False)


def everything(kind: np.dtype[Any]) -> Feature:
    """All information of a state that players may know, as its bytes: the features of a game without a list."""
    fields = kind.fields
    assert fields is not None
    return octets("seats", kind.itemsize - int(fields["seats"][1]))


#: columns of a program: a value's kind, its offset, its index in its row, the field with the number of values of the
#: row that count (-1: all), the `low` value, and the offset and size of the output
KIND, OFFSET, PLACE, LENGTH, LOW, AT, WIDTH = range(7)
Program = NDArray[np.int64]


def program(features: Sequence[Feature], kind: np.dtype[Any], players: int) -> tuple[Program, dict[str, slice]]:
    """The program that reads features from states of a record type for a number of players: for each viewer a line
    for each value, with the columns listed above; and the place of each feature among the bytes.

    Raises KeyError if the record has no such field.
    """
    lines = [[line for each in features for line in _lines(each, kind, players, viewer)] for viewer in range(players)]
    where: dict[str, slice] = {}
    at, of = 0, [len(_lines(each, kind, players, 0)) for each in features]
    for each, values in zip(features, of, strict=True):
        name = each.name if each.name not in where else f"{each.name} {each.kind}"
        where[name] = slice(at, at + values * (each.width or players))
        at = where[name].stop
    table = np.array(lines, np.int64)
    table[:, 1:, AT] = np.cumsum(table[:, :-1, WIDTH], axis=1)
    return table, where


def _lines(each: Feature, kind: np.dtype[Any], players: int, viewer: int) -> list[list[int]]:
    """The lines of a feature, without the places where they are written."""
    fields = kind.fields
    assert fields is not None
    of, offset = fields[each.name][:2]
    offset = offset if each.kind == OCTETS else offset // 8
    length = int(fields[each.length][1]) // 8 if each.length else -1
    shape = () if each.kind in (LIST, LAST, OCTETS) else of.shape
    inner = int(np.prod(shape[1:]))
    if not shape:
        rows = [0]
    elif each.own:
        rows = [viewer]
    else:
        rows = [(viewer + k) % players for k in range(players)] if each.by_seat else list(range(shape[0]))
    return [
        [each.kind, offset + row * inner + k, place, length, each.low, 0, each.width or players]
        for place, row in enumerate(rows)
        for k in range(inner)
    ]
