"""Which cards may be played to a trick of Oh Hell!, compiled, and what a card proves about the hand it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import SUIT, rank_of, suit_of
from cardtable.games.oh_hell.trump import LOW, lowest_of, pack_of, trump_of
from cardtable.games.shared.tricks import SPANISH, best, strength, suit_cards
from cardtable.kernel import rule

#: by the order and a card's rank, the cards of its suit that are higher
ABOVE = np.array(
    [
        [sum(1 << other for other in range(13) if strength(other, low) > strength(rank, low)) for rank in range(13)]
        for low in (LOW, SPANISH)
    ]
)


@rule
def playable(s: Any, seat: int) -> int:
    """The cards that a seat may play (OH-10, OH-11, OH-C17, OH-C18)."""
    hand = s.hands[seat]
    if s.laid == 0:
        return hand
    following = hand & suit_cards(s.trick[0])
    if s.rules.must_follow:
        return following if following else hand
    due = following & beating(s) if following else hand & trumping(s)
    return due if due else (following if following else hand)


@rule
def above(s: Any, card: int) -> int:
    """The cards of the pack that beat a card in its suit."""
    return ABOVE[int(s.rules.pack != 52), rank_of(card)] << 13 * suit_of(card) & pack_of(s)


@rule
def beating(s: Any) -> int:
    """The cards of the suit led of which one must be played first: winning ones, until the trick is trumped."""
    led = suit_cards(s.trick[0])
    if not s.rules.must_beat:
        return led
    high = s.trick[best(s, lowest_of(s), trump_of(s))]
    return above(s, high) if suit_of(high) == suit_of(s.trick[0]) else led


@rule
def trumping(s: Any) -> int:
    """The trumps of which a seat without the suit led must play one."""
    trump = trump_of(s)
    if trump < 0 or trump == suit_of(s.trick[0]):
        return 0
    high = s.trick[best(s, lowest_of(s), trump)]
    if s.rules.must_beat and suit_of(high) == trump:
        return above(s, high)
    return SUIT << 13 * trump & pack_of(s)


@rule
def learn(s: Any, seat: int, card: int) -> None:
    """Record what a card, before it is laid, proves of its hand where one must beat or trump."""
    if s.laid == 0 or s.rules.must_follow:
        return
    if suit_cards(card) == suit_cards(s.trick[0]):
        due = beating(s)
    else:
        due = trumping(s)
    if not due >> card & 1:
        s.lacks[seat] |= due
        if suit_of(card) != suit_of(s.trick[0]) and due == SUIT << 13 * max(trump_of(s), 0) & pack_of(s):
            s.voids[seat] |= 1 << trump_of(s)
