"""Legality in Spider, compiled: which cards may be moved where, whether any move exists, and whether stock may be
dealt.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of
from cardtable.games.spider.state import COLUMNS, LONGEST, STOCK, end_card, gap_mask, gaps, lying, run_length
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest

HALF = 6  #: ranks in a word


@rule
def places(s: Any, high: int) -> int:
    """The columns whose end card takes a card of each rank (SP-05): ten bits, one per column, for each rank from ace
    to six (high 0) or seven to queen (high 1).

    SP-07: nothing goes on an ace; SP-08: a king goes on no card.
    """
    word = 0
    for c in range(COLUMNS):
        rank = rank_of(end_card(s, c)) - 1 - HALF * high if s.height[c] else -1
        if 0 <= rank < HALF:
            word |= 1 << COLUMNS * rank + c
    return word


@rule
def card_moves(s: Any, moves: Any) -> int:
    """Write all moves of cards, ascending; return how many.

    Nothing fits on its own column, which ends with the lowest card of the run.
    """
    low, high, empty = places(s, 0), places(s, 1), gap_mask(s)
    k = 0
    for c in range(COLUMNS):
        length = run_length(s, c)
        if length:
            rank = rank_of(end_card(s, c))
            for n in range(length):  # SP-06: any part of a run up to its end (SP-Q5)
                to = empty
                if rank < HALF:
                    to |= low >> COLUMNS * rank & 1023
                else:
                    to |= high >> COLUMNS * (rank - HALF) & 1023
                while to:
                    moves[k] = (c * LONGEST + n) * COLUMNS + lowest(to)
                    to &= to - 1
                    k += 1
                rank += 1
    return k


@rule
def stuck(s: Any) -> bool:
    """Whether nothing can be moved or dealt.

    While there is stock or a gap, something can: a gap takes any card, and without gaps stock is dealt.
    """
    if 10 * s.dealt < STOCK or gaps(s):
        return False
    low, high = places(s, 0), places(s, 1)
    for c in range(COLUMNS):
        rank = rank_of(end_card(s, c))
        for _ in range(run_length(s, c)):
            if (low >> COLUMNS * rank if rank < HALF else high >> COLUMNS * (rank - HALF)) & 1023:
                return False
            rank += 1
    return True


@rule
def may_deal(s: Any) -> bool:
    """Whether stock may be dealt: SP-11, SP-12, SP-Q7, SP-C1."""
    if 10 * s.dealt == STOCK:
        return False
    return gaps(s) == 0 or deals_over_gaps(s)


@rule
def deals_over_gaps(s: Any) -> bool:
    """Whether a gap does not forbid a deal: always (SP-C1), or with so few cards in the columns that they cannot fill
    all gaps (SP-Q7).
    """
    return lying(s) < s.rules.deal_when_short
