"""The pack of Oh Hell! and its trump, compiled: the cards and their order, the suit, and the card that decides it."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_40, ALL_52, RANK, suit_of
from cardtable.games.shared.tricks import NO_TRUMP, SPANISH
from cardtable.kernel import rule
from cardtable.kernel.bits import count

LOW = 1  #: the 2 is the lowest card of a suit, the ace the highest (OH-Q1)


@rule
def pack_of(s: Any) -> int:
    """The cards of the pack (OH-04, OH-C19)."""
    if s.rules.pack == 52:
        return ALL_52
    return ALL_40 & ~(RANK << 1) if s.seats == 3 else ALL_40


@rule
def lowest_of(s: Any) -> int:
    """The order of the cards in a suit: from the 2 to the ace (OH-Q1), or as in Spain (OH-C19)."""
    return LOW if s.rules.pack == 52 else SPANISH


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
    return bool(s.each * count(s.in_play) == count(pack_of(s)))


@rule
def turned(s: Any) -> int:
    """The card that was turned up and is in no hand, as a set (OH-06)."""
    return 1 << s.upcard if s.upcard >= 0 and not whole_pack(s) else 0


@rule
def shown(s: Any) -> int:
    """The card that all have seen and that the dealer still holds, as a set (OH-C16)."""
    return 1 << s.upcard & ~s.played if s.upcard >= 0 and whole_pack(s) else 0
