"""The rule of thumb of a regular Fan Tan player (FT-S1, FT-S2)."""

from __future__ import annotations

from typing import Any

from cardtable.games.fan_tan.layout import SUIT, founding
from cardtable.games.fan_tan.state import State
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def advise(s: State, seat: int, moves: Any, n: int) -> int:
    """Lay the card that frees most of your own cards and least of the others'; hold back 7s and blocking cards.

    Each legal card is weighed by the cards that lie beyond it in its row, towards ace or king: your own wait for it (FT-S2),
    the others' are held up by it (FT-S1). Passing while able, drawing while able and stopping early are never chosen
    while a card may be laid.
    """
    best, top = moves[n - 1], -1e9
    mine = s.hands[seat]
    founders = founding(s)
    for i in range(n):
        card = moves[i]
        if card >= 52:
            continue
        row = SUIT << card // 13 * 13
        up = row & ~((2 << card) - 1)
        down = row & ((1 << card) - 1)
        beyond = up | down if founders >> card & 1 else (up if card % 13 > rank_of_row(s, card) else down)
        own = count(beyond & mine)
        worth = 3.0 * own - count(beyond & ~mine & ~s.layout)
        if founders >> card & 1:
            worth -= 4.0
        if beyond & mine and (mine >> (card + 1) & 1 and up & beyond or (card and mine >> (card - 1) & 1 and down & beyond)):
            worth += 3.0  # the next card is his own: it blocks again
        if worth > top:
            best, top = card, worth
    return best


@rule
def rank_of_row(s: State, card: int) -> int:
    """The rank that founds the rows."""
    return s.set_rank - 1
