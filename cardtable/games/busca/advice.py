"""Advice in Busca: who takes the trick, and which points change hands."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import card_text, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.busca.rules import ASIDE, State
from cardtable.rules.moves import Advice

LOW = 3  #: rank of the lowest card of a suit, the 4; the 3 is the highest
WORTH = {0: Message("a point")} | dict.fromkeys((1, 2, 10, 11, 12), Message("a third of a point"))


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    card = steps[0] % ASIDE
    named, worth = Card(card_text(card)), WORTH.get(rank_of(card))
    if steps[0] >= ASIDE:
        do = Message("lay {card} aside", context="advice", card=named)
        if worth:
            return Advice(do, Message("you are rid of it unless you take the last trick"))
        return Advice(do, Message("it counts nothing for the winner of the last trick"))
    if not s.laid:
        return Advice(Message("lead {card}", card=named), _led(s, card))
    do, led = Message("play {card}", card=named), suit_of(int(s.trick[0]))
    if suit_of(card) != led:
        if worth:
            return Advice(do, Message("it cannot win, and you are rid of {worth}", worth=worth))
        return Advice(do, Message("it cannot win this trick"))
    cards = [int(s.trick[i]) for i in range(s.laid)]
    best = max((one for one in cards if suit_of(one) == led), key=_strength)
    if _strength(card) < _strength(best):
        return Advice(do, Message("it stays below {best}, so you do not take this trick", best=Card(card_text(best))))
    if s.laid + 1 == int(s.in_play).bit_count():
        if any(rank_of(one) in WORTH for one in [*cards, card]):
            return Advice(do, Message("you take the trick, and are rid of a high card"))
        return Advice(do, Message("you take the trick, but no point lies in it"))
    return Advice(do, Message("it is the highest card so far, but others are still to play"))


def _strength(card: int) -> int:
    """A card's place in its suit, from the 4 up to the 3."""
    return (rank_of(card) - LOW) % 13


def _led(s: State, card: int) -> Message:
    """Why a card is led: how many cards can beat it."""
    own = int(s.hands[s.turn])
    above = [
        one
        for one in range(13 * suit_of(card), 13 * suit_of(card) + 13)
        if rank_of(one) not in (7, 8, 9) and _strength(one) > _strength(card) and not (own | int(s.played)) >> one & 1
    ]
    suit = card_names.SUITS[suit_of(card)]
    if above:
        return Message(
            "{n:one higher card|@ higher cards} of {suit} may still take the trick from you", n=len(above), suit=suit
        )
    return Message("no higher {suit} are left, so you take the trick", suit=suit)
