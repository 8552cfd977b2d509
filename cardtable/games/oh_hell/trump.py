"""Trump in Oh Hell!, compiled: which suit it is, and the card that tells it."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import suit_of
from cardtable.games.shared.tricks import NO_TRUMP
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def trump_of(s: Any) -> int:
    """The trump suit of this deal, or NO_TRUMP."""
    if s.rules.trump_rotate:  # OH-C13: clubs, diamonds, hearts, spades, none
        return 3 - (s.deal_number - 1) % 5
    if s.rules.trump_spades:  # OH-C14
        return 0
    return suit_of(s.upcard) if s.upcard >= 0 else NO_TRUMP  # OH-06, OH-C15, OH-C16


@rule
def whole_pack(s: Any) -> bool:
    """Whether every card of the pack has been dealt, so that none is left to turn up (OH-C15, OH-C16)."""
    return bool(s.each * count(s.in_play) == 52)


@rule
def turned(s: Any) -> int:
    """The card that was turned up and is in no hand, as a set (OH-06)."""
    return 1 << s.upcard if s.upcard >= 0 and not whole_pack(s) else 0


@rule
def shown(s: Any) -> int:
    """The card that all have seen and that the dealer still holds, as a set (OH-C16)."""
    return 1 << s.upcard & ~s.played if s.upcard >= 0 and whole_pack(s) else 0
