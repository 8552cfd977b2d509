"""The rule of thumb of a regular Play or Pay player (PP-S1 to PP-S3): which card to lead."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import SUIT, rank_of, suit_of
from cardtable.kernel import rule


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """Add the card needed if you hold it; otherwise choose a lead.

    From all suits but the last, lead the higher of two neighbours (PP-S1): the suit then ends with the seat's own card,
    so that it leads again. One suit is kept for last. In that suit, or if no other can be finished, lead the card after
    the widest gap, so that the seat's own cards come before the gap is filled (PP-S2).
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
    """The number of other players' cards between a rank that the seat holds and its next lower rank, round the
    corner. own: the ranks held.
    """
    gap = 0
    while gap < 12 and not own >> (rank + 12 - gap) % 13 & 1:
        gap += 1
    return gap


@rule
def kept_for_last(mine: int) -> int:
    """The suit to lead last: of the suits that the seat cannot finish itself the longest, otherwise the one with the
    widest gap.

    The player who finishes a suit leads again, so one suit need not be finished (PP-S3). If the seat leads the card
    after the widest gap, the cards in that gap are never laid, so the others shed the fewest cards there.
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
