"""The rule of thumb of a regular Play or Pay player (PP-S1 to PP-S3): which card to lead."""

from __future__ import annotations

from typing import Any

from cardtable.cards import SUIT, rank_of, suit_of
from cardtable.kernel import rule


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """Add the card needed if you hold it. A lead: from all but the last suit the higher of two neighbours (PP-S1).

    A suit so led ends with the seat's own card, so that it leads again. One suit is kept for last, and there, or if
    nothing else can be finished, the card after the biggest gap is led, so that the seat's own cards come before it is
    filled (PP-S2).
    """
    if s.need >= 0 or n == 1:
        return moves[0]  # the card needed stands before the pass
    mine = s.hands[seat]
    keep = kept_for_last(mine)
    best, top = moves[0], -1
    for i in range(n):
        card = moves[i]
        suit = suit_of(card)
        worth = gap_before(mine >> 13 * suit & SUIT, rank_of(card))
        if suit != keep:
            worth = 13 + rank_of(card) if worth == 0 else 0
        if worth >= top:
            best, top = card, worth
    return best


@rule
def gap_before(own: int, rank: int) -> int:
    """How many cards of others stand, round the corner, between a rank of the seat's own and its next one below; own:
    ranks held.
    """
    gap = 0
    while gap < 12 and not own >> (rank + 12 - gap) % 13 & 1:
        gap += 1
    return gap


@rule
def kept_for_last(mine: int) -> int:
    """The suit to lead last: one that the seat cannot finish itself, of these the longest; else the one with the widest
    gap.

    Who finishes a suit leads again, so one suit need not be finished (PP-S3). Of its cards those in the widest gap are
    never laid if the seat leads the card after it, so there the others shed least.
    """
    keep, top = -1, -1
    for suit in range(4):
        own = mine >> 13 * suit & SUIT
        length, widest, neighbours = 0, 0, 0
        for rank in range(13):
            if own >> rank & 1:
                gap = gap_before(own, rank)
                length += 1
                widest = max(widest, gap)
                if gap == 0:
                    neighbours = 1
        if length:
            worth = widest if neighbours else 100 + 13 * length - widest
            if worth > top:
                keep, top = suit, worth
    return keep
