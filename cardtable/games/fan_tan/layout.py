"""The layout of Fan Tan: which cards may be added to its rows, and which cards start a row."""

from __future__ import annotations

from cardtable.base.cards import RANK, SUIT
from cardtable.games.fan_tan.state import FanTanTable
from cardtable.kernel import rule


@rule
def founding(s: FanTanTable) -> int:
    """The cards that start a row: the four cards of the set rank, or, before it is set, of every rank that may open the
    deal (FT-21, FN-02, FN-03).
    """
    if s.set_rank:
        return RANK << (s.set_rank - 1)
    ranks = s.rules.start_ranks
    return ranks | ranks << 13 | ranks << 26 | ranks << 39


@rule
def playable(s: FanTanTable) -> int:
    """The cards that the rules allow next, whatever the hands (FT-21, FT-25, FT-26)."""
    founders = founding(s)
    if s.layout == 0:
        return founders
    rank = s.set_rank - 1
    above = RANK * (SUIT & ~((2 << rank) - 1))  # cards above the founding rank, which lie on the one below them
    below = RANK * ((1 << rank) - 1)
    up, down = (s.layout << 1) & above, (s.layout >> 1) & below
    return (founders | up | down) & ~s.layout
