"""Advice in Crazy Eights: which suit is left on top, and what is kept."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import SUIT, card_text, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.crazy_eights.state import DRAW, NAME, NAMED_8, PASS, WILD, State
from cardtable.rules.moves import Advice

EIGHT = 7  #: its rank


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move = steps[0]
    if move >= NAME:
        suit = move - NAME
        return Advice(Message("name {suit}", context="advice", suit=card_names.SUITS[suit]), _held(s, seat, suit, -1))
    if move == PASS:
        return Advice(Message("pass", context="advice"), Message("you can lay nothing, and nothing is left to draw"))
    if move == DRAW:
        return Advice(Message("draw a card", context="advice"), _drawing(s, seat))
    if move >= NAMED_8:
        eight, suit = divmod(move - NAMED_8, 4)
        card = 13 * eight + EIGHT
        do = Message("lay {card} and name {suit}", card=Card(card_text(card)), suit=card_names.SUITS[suit])
        return Advice(do, _held(s, seat, suit, card))
    return Advice(Message("lay {card}", card=Card(card_text(move))), _laid(s, seat, move))


def _count(s: State, seat: int, cards: int) -> int:
    """How many cards of these kinds a seat holds."""
    low, high = int(s.hands[seat, 0]), int(s.hands[seat, 1])
    return (low & cards).bit_count() + 2 * (high & cards).bit_count()


def _held(s: State, seat: int, suit: int, laid: int) -> Message:
    """Why a suit is named: the cards of it that the seat keeps, eights aside."""
    n = _count(s, seat, SUIT << 13 * suit & ~WILD)
    if n:
        return Message("you hold {n} {n:card|cards} of that suit", n=n)
    left = int(s.counts[seat]) - (laid >= 0)
    return Message("you keep {n} {n:card|cards}", n=left)


def _drawing(s: State, seat: int) -> Message:
    """Why a card is drawn."""
    if s.free:
        return Message("then it is still your turn")
    if s.named:
        suit = int(s.named) - 1
        if not _count(s, seat, WILD | SUIT << 13 * suit):
            return Message("you hold no {suit} and no eight", suit=card_names.SUITS[suit])
        return Message("then it is still your turn")
    top = int(s.pile[s.pile_size - 1])
    fits = WILD | SUIT << 13 * suit_of(top) | sum(1 << 13 * suit + rank_of(top) for suit in range(4))
    if not _count(s, seat, fits):
        return Message("none of your cards matches {card}", card=Card(card_text(top)))
    return Message("then it is still your turn")


def _laid(s: State, seat: int, card: int) -> Message:
    """Why a card is laid: the seat is out, or keeps cards that match it."""
    if s.counts[seat] == 1:
        return Message("it is your last card, and you win the deal")
    if card >= 52:
        return Message("after it anything may be laid")
    if WILD >> card & 1:
        return Message("an eight fits anything")
    suited = _count(s, seat, SUIT << 13 * suit_of(card) & ~WILD) - 1
    if suited:
        return Message("you keep {n:one more card|@ more cards} of that suit", n=suited)
    if eights := _count(s, seat, WILD):
        return Message("it is your last card of that suit, and you keep {n:a wild card|@ wild cards}", n=eights)
    return Message("it is your only card of that suit")
