"""Encode the features of states as bytes (listed by `cardtable.rules.features`)."""

from __future__ import annotations

from typing import Any

from cardtable.kernel import rule
from cardtable.rules.features import (
    AT,
    KIND,
    LAST,
    LENGTH,
    LIST,
    LOW,
    ME,
    NUMBER,
    OCTETS,
    OFFSET,
    ONE,
    PLACE,
    SEAT,
    SET,
    WIDTH,
)


@rule
def mark_one(value: int, out: Any) -> None:
    """Write a 1 for one of len(out) values, and zeros for the others; only zeros if it is none of them."""
    for k in range(len(out)):
        out[k] = 0
    if 0 <= value < len(out):
        out[value] = 1


@rule
def write_list(words: Any, length: int, out: Any) -> None:
    """Write how often each kind of card is in a list."""
    mark_one(-1, out)
    for k in range(length):
        out[words[k]] += 1


@rule
def write_seats(value: int, viewer: int, out: Any) -> None:
    """Write a mask of seats, beginning with the viewer."""
    for k in range(len(out)):
        out[k] = value >> (viewer + k) % len(out) & 1


@rule
def write_octets(octets: Any, out: Any) -> None:
    """Copy bytes."""
    for k in range(len(out)):
        out[k] = octets[k]


@rule
def write_rare(kind: int, value: int, words: Any, length: int, viewer: int, octets: Any, out: Any) -> None:
    """Write a feature of a kind that most games do not have, or have once."""
    if kind == SEAT:
        mark_one((value - viewer) % len(out) if 0 <= value < len(out) else -1, out)
    elif kind == ME:
        mark_one(viewer, out)
    elif kind == LIST:
        write_list(words, length, out)
    elif kind == LAST:
        mark_one(words[length - 1] if length else -1, out)
    elif kind == OCTETS:
        write_octets(octets, out)
    else:
        write_seats(value, viewer, out)


@rule
def write_features(program: Any, words: Any, octets: Any, viewer: int, out: Any) -> None:
    """Write the features of a state redacted for the viewer. words, octets: its memory; program: the viewer's part of
    `features.program`.

    Each value is written into its own slice: without an offset in the index, a loop over it is vectorised.
    """
    for line in range(len(program)):
        kind, offset, low, at = program[line, KIND], program[line, OFFSET], program[line, LOW], program[line, AT]
        length = program[line, LENGTH]
        row = out[at : at + program[line, WIDTH]]
        if length >= 0:
            length = words[length]
            if kind != LIST and kind != LAST and program[line, PLACE] >= length:
                mark_one(-1, row)
                continue
        if kind == SET:
            value = words[offset]
            for card in range(len(row)):
                row[card] = value >> card & 1
        elif kind == NUMBER:
            row[0] = min(max(words[offset] - low, 0), 255)
        elif kind == ONE:
            mark_one(words[offset] - low, row)
        elif kind == OCTETS:
            write_rare(kind, 0, words, 0, viewer, octets[offset:], row)
        else:
            write_rare(kind, words[offset] - low, words[offset:], length, viewer, octets, row)
