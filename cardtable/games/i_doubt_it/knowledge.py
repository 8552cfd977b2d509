"""A seat's mind: the possible places of unseen cards, and their update when the pile is taken (DB-Q10).

Each of the two cards of a kind is tracked separately: the hands it may have been in when the pile was last empty. While
the pile grows nothing changes, since a card that was in a hand is still there or in a set laid from it. When the pile
is taken,

* the cards that the viewer saw are in the taker's hand: those of the viewer's sets, those of a set turned up, and for
  the taker all of them;
* an unseen card that may have been in the hand of a seat with unseen sets in the pile may now also be the taker's.

A card seen may be either of the two of its kind; if both are possible, the other one may be wherever either of them
might have been.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.i_doubt_it.state import PACKS, PUBLIC, add_into, whole
from cardtable.kernel import rule


@rule
def first_mind(s: Any) -> None:
    """Set up every mind after the deal: all players know only their own cards."""
    for v in range(s.seats):
        know_own(s, v)
    for p in range(s.seats):
        for k in range(PACKS):
            s.may[PUBLIC, p, k] = whole(s, k)


@rule
def know_own(s: Any, v: int) -> None:
    """Set the mind of a seat that has seen only its own cards: the rest may be in any other hand."""
    for p in range(s.seats):
        for k in range(PACKS):
            s.may[v, p, k] = s.hands[v, k] if p == v else whole(s, k) & ~s.hands[v, k]


@rule
def see(mind: Any, seats: int, among: int, low: int, high: int, row: Any) -> None:
    """Move cards that a viewer has seen, from hands in the mask `among`, out of the viewer's rows of the mind into
    another row.
    """
    here = other = 0  # kinds whose first card may be here, or whose second may be
    for p in range(seats):
        if among >> p & 1:
            here |= mind[p, 0]
            other |= mind[p, 1]
    once = low & ~high
    either = once & here & other
    first = once & here | high
    second = once & ~here | high
    for p in range(seats):
        mind[p, 1] |= mind[p, 0] & either
        mind[p, 0] &= ~first
        mind[p, 1] &= ~second
    row[0] |= first
    row[1] |= second


@rule
def pile_taken(s: Any, taker: int, shown: int) -> None:
    """Update every mind when the pile goes to a hand, before the cards move; shown: 1 if all saw the last set."""
    taken = np.zeros(PACKS, np.int64)
    heap = np.zeros(PACKS, np.int64)
    last = s.sets - 1
    for v in range(PUBLIC + 1):
        if s.seats <= v < PUBLIC:
            continue
        taken[:] = 0
        heap[:] = 0
        unseen = 0  # mask of the seats with sets that the viewer has not seen
        for i in range(s.sets):
            by = s.set_by[i]
            if by == v or (i == last and shown):
                see(s.may[v], s.seats, 1 << by, s.set_cards[i, 0], s.set_cards[i, 1], taken)
            else:
                unseen |= 1 << by
                add_into(heap, s.set_cards[i, 0], s.set_cards[i, 1])
        if v == taker:
            see(s.may[v], s.seats, unseen, heap[0], heap[1], taken)
        else:
            for p in range(s.seats):
                if unseen >> p & 1:
                    for k in range(PACKS):
                        s.may[v, taker, k] |= s.may[v, p, k]
        for k in range(PACKS):
            s.may[v, taker, k] |= taken[k]


@rule
def held_before(s: Any, seat: int, row: Any) -> None:
    """The cards that a seat held when the pile was last empty: its hand, and its sets in the pile."""
    row[0], row[1] = s.hands[seat, 0], s.hands[seat, 1]
    for i in range(s.sets):
        if s.set_by[i] == seat:
            add_into(row, s.set_cards[i, 0], s.set_cards[i, 1])


@rule
def imagine_mind(s: Any, seat: int) -> None:
    """The mind of a seat in a world imagined by another seat: public knowledge and its own cards."""
    row = np.zeros(PACKS, np.int64)
    own = np.zeros(PACKS, np.int64)
    held_before(s, seat, own)
    for p in range(s.seats):
        for k in range(PACKS):
            s.may[seat, p, k] = s.may[PUBLIC, p, k]
    see(s.may[seat], s.seats, 1 << seat, own[0], own[1], row)
    for k in range(PACKS):
        s.may[seat, seat, k] = row[k]
