"""The layout of Fan Tan: which cards may be added to its rows, which cards start a row, and who may pass."""

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
def opening_card(s: FanTanTable) -> int:
    """The only card that may open the deal, as a set; 0: any founding card may, or a card is laid (FT-C1)."""
    return 1 << s.rules.open_card - 1 if s.layout == 0 and s.rules.open_card else 0


@rule
def playable(s: FanTanTable) -> int:
    """The cards that the rules allow next, whatever the hands (FT-21, FT-25, FT-26, FT-C1)."""
    founders = founding(s)
    if s.layout == 0:
        first = opening_card(s)
        return first if first else founders
    rank = s.set_rank - 1
    above = RANK * (SUIT & ~((2 << rank) - 1))  # cards above the founding rank, which lie on the one below them
    below = RANK * ((1 << rank) - 1)
    up, down = (s.layout << 1) & above, (s.layout >> 1) & below
    return (founders | up | down) & ~s.layout


@rule
def may_pass(s: FanTanTable, seat: int) -> bool:
    """Whether a seat whose cards fit may pass: FT-32, FT-Q14, FT-C1 to FT-C3."""
    if s.rules.passes > 0:
        return bool(s.passed[seat] < s.rules.passes and not opening_card(s))
    return bool((s.rules.enforce_penalise or s.rules.passes < 0) and s.passes < s.seats and not opening_card(s))


@rule
def must_give_up(s: FanTanTable, seat: int) -> bool:
    """Whether a seat that can lay no card has lost, because it has no pass left (FT-C2)."""
    return bool(s.rules.passes > 0 and s.passed[seat] >= s.rules.passes)


@rule
def run_on(s: FanTanTable) -> None:
    """Let the rows run on past the cards of players who have lost (FT-C2)."""
    reached = playable(s) & s.strays
    while reached:
        s.layout |= reached
        s.strays &= ~reached
        reached = playable(s) & s.strays
