"""The points of Oh Hell!, compiled: what a bid and the tricks taken score under each of the seven scorings."""

from __future__ import annotations

from typing import Any

from cardtable.kernel import rule


@rule
def points(s: Any, bid: int, tricks: int) -> int:
    """The points for a bid: OH-14, OH-15, OH-Q9."""
    if bid != tricks:
        return missed(s, tricks, abs(tricks - bid))
    if bid or s.rules.zero_as_scored:
        return exact(s, bid)
    return 5 + s.each * s.rules.zero_five_and_cards  # OH-C8


@rule
def exact(s: Any, bid: int) -> int:
    """The points for taking exactly the number bid."""
    if s.rules.scoring_tens:
        return 10 * max(bid, 1)
    if s.rules.scoring_wizard:  # OH-C4
        return 20 + 10 * bid
    if s.rules.scoring_pocha:  # OH-C5
        return 10 + 5 * bid
    if s.rules.scoring_squares:  # OH-C6
        return 10 + bid * bid
    return s.rules.bonus_points + bid  # OH-C1, OH-C2, OH-C3, OH-C7


@rule
def missed(s: Any, tricks: int, off: int) -> int:
    """The points for a bid that is missed by `off` tricks."""
    if s.rules.scoring_tens or s.rules.scoring_wizard:  # OH-C4
        return -10 * off
    if s.rules.scoring_pocha:  # OH-C5
        return -5 * off
    if s.rules.scoring_squares:  # OH-C6
        return -off * off
    if s.rules.scoring_bonus_minus:  # OH-C3
        return -off
    return tricks * s.rules.scoring_tricks  # OH-C1, OH-C2
