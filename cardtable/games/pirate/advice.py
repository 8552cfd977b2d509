"""Advice in Pirate: which card fits, and what it brings."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import card_text, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.pirate import state
from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, State
from cardtable.rules.moves import Advice


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move = steps[0]
    if move in (PLAY, CLAIM):
        top = int(state.top(s, seat if move == PLAY else 1 - seat))
        named, suit = Card(card_text(top)), suit_of(top)
        do = Message("play {card}", card=named) if move == PLAY else Message("claim {card}", card=named)
        if s.rising[suit] + s.falling[suit] == 12:
            return Advice(do, Message("it captures the ship of {suit}", suit=card_names.SUITS[suit]))
        return Advice(do, Message("it is the next card on your side of {suit}", suit=card_names.SUITS[suit]))
    own = int(state.top(s, seat))
    card = Card(card_text(own)) if own >= 0 else None
    fits = own >= 0 and int(state.need(s, seat, suit_of(own))) == rank_of(own)
    if move == DRAW_CARD:
        do = Message("draw a card", context="advice")
        if card is None:
            return Advice(do, Message("you have turned no card yet"))
        if fits:
            return Advice(do, Message("no card has to be played, and {card} stays in your waste", card=card))
        return Advice(do, Message("{card} does not fit your side", card=card))
    if card is None or fits:
        return Advice(Message("wait", context="advice"), Message("no card has to be played or drawn"))
    return Advice(Message("wait", context="advice"), Message("{card} does not fit your side", card=card))
