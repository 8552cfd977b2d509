"""Is there anything useful left to do? (SP-Q13), answered honestly: yes with the moves, proved no, or not known.

Looked at are the positions that moves lead to, from what the player sees and without turning a hidden card: the first
that turns one is useful and ends the line. A position that differs from another one only in the order of its columns, or
in which cards lie hidden under them, leads to the same answers, so it is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardtable.cards import SUIT_NAMES, card_text
from cardtable.games.spider.state import COLUMNS

BUDGET = 20_000  #: positions looked at before the answer is "not known"
Step = tuple[int, int, int]  #: from, how many cards, to
#: A column as it counts here: 1 if cards lie hidden below (else 0), then its cards that lie face up, from below to its end.
Column = bytes
Table = tuple[Column, ...]


@dataclass(frozen=True)
class Found:
    """What the search has come to. With a line: it is useful, and why. Without: there is none if `proved`, else nobody knows."""

    line: tuple[Step, ...]
    why: str
    proved: bool
    seen: int  #: positions looked at


def useful(s: Any, budget: int = BUDGET) -> Found:
    """The shortest line of moves that does something useful, as SP-Q13 defines it, among at most `budget` positions."""
    root = table_of(s)
    free, joined = root.count(b"\0"), sum(map(joints, root))
    known = {canonical(root)}
    came: list[tuple[int, Step | None, Table]] = [(-1, None, root)]  # the position before (its number), the move from it, the position
    at = 0
    while at < len(came):
        table = came[at][2]
        best: tuple[int, str, Step] | None = None
        for step in steps(table):
            after = moved(table, step)
            worth, why = gain(table, after, step, free, joined)
            if worth and (best is None or worth > best[0]):
                best = worth, why, step
            elif not worth and best is None:
                key = canonical(after)
                if key not in known:
                    known.add(key)
                    came.append((at, step, after))
        if best is not None:
            return Found((*line_to(came, at), best[2]), best[1], False, at + 1)
        at += 1
        if at == budget and at < len(came):
            return Found((), "", False, at)
    return Found((), "", True, at)


def table_of(s: Any) -> Table:
    """The columns as the player sees them."""
    return tuple(bytes([int(s.down[c] > 0), *(int(card) for card in s.columns[c, s.down[c] : s.height[c]])]) for c in range(COLUMNS))


def canonical(table: Table) -> Table:
    """One for all orders of the columns."""
    return tuple(sorted(table))


def steps(table: Table) -> Iterator[Step]:
    """The moves, those into a gap into the first one only."""
    gap = next((c for c, column in enumerate(table) if len(column) == 1 and not column[0]), -1)
    for source, column in enumerate(table):
        for n in range(1, run(column) + 1):
            card = column[-n]
            for to, other in enumerate(table):
                if to == gap or (to != source and len(other) > 1 and other[-1] % 13 == card % 13 + 1):
                    yield source, n, to


def run(column: Column) -> int:
    """How many cards at its end move together (SP-06)."""
    n = min(1, len(column) - 1)
    while 0 < n < len(column) - 1 and column[-n] % 13 < 12 and column[-n - 1] == column[-n] + 1:
        n += 1
    return n


def joints(column: Column) -> int:
    """How many of its face-up cards lie on the next higher card of their suit."""
    return sum(1 for i in range(2, len(column)) if column[i - 1] == column[i] + 1 and column[i] % 13 < 12)


def moved(table: Table, step: Step) -> Table:
    """The position after a move. A run that is complete stays, and a card that is turned up is not known."""
    source, n, to = step
    after = list(table)
    after[source] = table[source][:-n]
    after[to] = table[to] + table[source][-n:]
    return tuple(after)


def gain(before: Table, after: Table, step: Step, free: int, joined: int) -> tuple[int, str]:
    """What a position is worth against the first one, which had so many gaps and joints: 0 nothing, and why."""
    source, n, to = step
    card = after[to][-n]
    if len(after[source]) == 1 and after[source][0]:
        return 4, f"turns up a card in column {source + 1}"
    if run(after[to]) == 13:
        return 3, f"completes a run of {SUIT_NAMES[card // 13]}"
    if after.count(b"\0") > free:
        return 2, f"empties column {source + 1}"
    if sum(map(joints, after)) > joined:
        return 1, f"joins {card_text(card)} to the {SUIT_NAMES[card // 13]} above it"
    return 0, ""


def line_to(came: list[tuple[int, Step | None, Table]], at: int) -> list[Step]:
    """The moves from the first position to one that was reached."""
    line: list[Step] = []
    while at >= 0:
        at, step, _ = came[at]
        if step is not None:
            line.append(step)
    return line[::-1]
