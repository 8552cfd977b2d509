"""The rule of thumb of a regular Fan Tan player (FT-S1, FT-S2)."""

from __future__ import annotations

from typing import Any

from cardtable.games.fan_tan.layout import SUIT, founding
from cardtable.games.fan_tan.state import Table
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def advise(s: Table, seat: int, moves: Any, n: int) -> int:
    """Lay the card that frees most of your own cards and least of the others'; hold back 7s and blocking cards.

    Each legal card is weighed by the cards that lie beyond it in its row, towards ace or king. Passing while able, drawing
    while able and stopping early are never chosen while a card may be laid.
    """
    best, top = moves[n - 1], -1000
    mine = s.hands[seat]
    founders = founding(s)
    for i in range(n):
        card = moves[i]
        if card >= 52:
            continue
        row = SUIT << card // 13 * 13
        founds = founders >> card & 1
        worth = -4 * founds
        if founds or card % 13 > rank_of_row(s, card):
            above = row & ~((2 << card) - 1)
            worth += opening(above, mine, 2 << card, down_from(above & mine))
        if founds or card % 13 < rank_of_row(s, card):
            below = row & ((1 << card) - 1)
            worth += opening(below, mine, (1 << card) >> 1, -(below & mine & -(below & mine)))
        if worth > top:
            best, top = card, worth
    return best


@rule
def opening(beyond: int, mine: int, following: int, before: int) -> int:
    """What it is worth to open a row towards the cards `beyond`, of which `following` is the next.

    One's own wait for it (FT-S2), the others' are held up by it (FT-S1); but the others' cards that must lie `before` the
    farthest of one's own are wanted on the table. The weights are those that win most among four players.
    """
    others = beyond & ~mine
    worth = 3 * count(beyond & mine) - count(others) + 3 * count(others & before)
    if following & beyond & mine:
        worth += 3  # it blocks again
    return worth


@rule
def down_from(cards: int) -> int:
    """The cards of a suit, and all that are lower than the highest of them."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 8


@rule
def rank_of_row(s: Table, card: int) -> int:
    """The rank that founds the rows."""
    return s.set_rank - 1
