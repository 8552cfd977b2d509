"""Whether any useful move is left (SP-Q13): yes, with the moves; no, proved; or unknown.

The search starts from the visible cards and never turns a hidden card: the first move that would turn one is useful
and ends the line. Positions that differ only in the order of their columns, or in the hidden cards, have the same
answer, so only one of them is searched. Where no card lies face down (SP-C2), none is turned up; uncovering a card, on
which another one lay that did not follow it downward, is as useful then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from cardtable.base.card_names import SUITS
from cardtable.base.cards import card_text, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.spider.state import COLUMNS
from cardtable.rules.zones import NOTHING

LASTING = 3  #: the least value of a gain that lasts: a card turned up or uncovered, a complete run
BUDGET = 6_000  #: positions searched before the answer is "not known"
Step = tuple[int, int, int]  #: from, how many cards, to
#: A column for the search: 1 if it has hidden cards (else 0), then its face-up cards in order, the end card last.
Column = bytes
Table = tuple[Column, ...]


@dataclass(frozen=True)
class UsefulLine:
    """With a line: useful moves, and why they are useful. Without: there are none if `proved`, else it is not known."""

    line: tuple[Step, ...]
    why: Message
    proved: bool
    searched: int  #: positions


def useful(s: Any, budget: int = BUDGET, least: int = 1) -> UsefulLine:
    """The shortest line of moves that does something useful, as SP-Q13 defines it, among at most `budget` positions.

    least: the value that it must have at least (`gain`); LASTING: something that no move takes back.
    """
    return _useful_on(table_of(s), budget, least, not s.rules.face_down)


@lru_cache(16)
def _useful_on(root: Table, budget: int, least: int, uncovering: bool) -> UsefulLine:
    first = root.count(b"\0"), sum(map(joints, root))
    known = {tuple(sorted(root))}
    # from which position, by which move, the position, its joints
    came: list[tuple[int, Step | None, Table, int]] = [(-1, None, root, first[1])]
    for at, (_, _, table, joined) in enumerate(came):
        if at == budget:
            return UsefulLine((), NOTHING, False, at)
        best: tuple[int, Message, Step] | None = None
        for step in steps(table):
            source, n, to = step
            remains, onto = table[source][:-n], table[to] + table[source][-n:]
            now = joined + joints(remains) + joints(onto) - joints(table[source]) - joints(table[to])
            worth, why = gain(table, step, remains, onto, now, first)
            if uncovering and not follows(onto[-n], remains):
                worth, why = 4, Message("frees {card}", card=Card(card_text(remains[-1])))
            if worth >= least:
                if best is None or worth > best[0]:
                    best = worth, why, step
                continue
            after = list(table)
            after[source], after[to] = remains, onto
            key = tuple(sorted(after))
            if key not in known:
                known.add(key)
                came.append((at, step, tuple(after), now))
        if best is not None:
            return UsefulLine((*line_to(came, at), best[2]), best[1], False, at + 1)
    return UsefulLine((), NOTHING, True, len(came))


def table_of(s: Any) -> Table:
    """The columns as the player sees them."""
    return tuple(
        bytes([int(s.down[c] > 0), *(int(card) for card in s.columns[c, s.down[c] : s.height[c]])])
        for c in range(COLUMNS)
    )


def steps(table: Table) -> Iterator[Step]:
    """The moves. Of the gaps only the first is a target, and whole columns do not move into it."""
    gap = table.index(b"\0") if b"\0" in table else -1
    ends: dict[int, list[int]] = {}  # rank below that of an end card -> columns
    for c, column in enumerate(table):
        if len(column) > 1:
            ends.setdefault(rank_of(column[-1]) - 1, []).append(c)
    for source, column in enumerate(table):
        for n in range(1, run(column) + 1):
            for to in ends.get(rank_of(column[-n]), ()):
                if to != source:
                    yield source, n, to
            if gap >= 0 and (n < len(column) - 1 or column[0]):
                yield source, n, gap


@lru_cache(1 << 16)
def run(column: Column) -> int:
    """How many cards at the end of a column move together (SP-06)."""
    n = min(1, len(column) - 1)
    while 0 < n < len(column) - 1 and rank_of(column[-n]) < 12 and column[-n - 1] == column[-n] + 1:
        n += 1
    return n


@lru_cache(1 << 16)
def joints(column: Column) -> int:
    """How many face-up cards of a column are on the next higher card of their suit."""
    return sum(1 for i in range(2, len(column)) if column[i - 1] == column[i] + 1 and rank_of(column[i]) < 12)


def follows(card: int, on: Column) -> bool:
    """Whether a card is one rank lower than the end card of a column, or the column has no card that lies face up."""
    return len(on) == 1 or rank_of(on[-1]) == rank_of(card) + 1


def covered(s: Any) -> int:
    """What gains that last reduce, besides complete runs: the cards face down; if none begins so (SP-C2), those covered
    by a card that does not follow them downward.
    """
    if s.rules.face_down:
        return int(s.down.sum())
    columns = (column[1:] for column in table_of(s))
    return sum(rank_of(on) != rank_of(card) + 1 for column in columns for on, card in pairwise(column))


def gain(
    table: Table, step: Step, remains: Column, onto: Column, joined: int, first: tuple[int, int]
) -> tuple[int, Message]:
    """The value of a move, compared with the gaps and joints of the first position (0: none), and the reason."""
    source, n, to = step
    card = onto[-n]
    if len(remains) == 1 and remains[0]:
        return 4, Message("turns up a card")
    if run(onto) == 13:
        return 3, Message("completes a run of {suit}", suit=SUITS[suit_of(card)])
    if len(remains) == 1 and len(table[to]) > 1 and table.count(b"\0") + 1 > first[0]:
        return 2, Message("empties a column")
    if joined > first[1]:
        return 1, Message("joins {card} to the {suit} above it", card=Card(card_text(card)), suit=SUITS[suit_of(card)])
    return 0, NOTHING


def line_to(came: list[tuple[int, Step | None, Table, int]], at: int) -> list[Step]:
    """The moves that lead from the first position to a reached one."""
    line: list[Step] = []
    while at >= 0:
        at, step, _, _ = came[at]
        if step is not None:
            line.append(step)
    return line[::-1]


def in_words(s: Any, line: Sequence[Step]) -> list[Message]:
    """The moves of a line in words, by the cards that are moved: `Q♥ onto K♥`."""
    table, words = list(table_of(s)), []
    for source, n, to in line:
        card, on = Card(card_text(table[source][-n])), table[to][1:]
        onto = Card(card_text(on[-1])) if on else None
        if onto is None:
            said = Message("{card} and {n} more into an empty column", card=card, n=n - 1)
            words.append(said if n > 1 else Message("{card} into an empty column", card=card))
        elif n > 1:
            words.append(Message("{card} and {n} more onto {onto}", card=card, n=n - 1, onto=onto))
        else:
            words.append(Message("{card} onto {onto}", card=card, onto=onto))
        table[to] += table[source][-n:]
        table[source] = table[source][:-n]
    return words
