"""Advice in Michigan and its kin: the chips that a card takes, and who leads after it."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import SUIT, card_text, cards_in, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.michigan.presentation import staked
from cardtable.games.michigan.state import (
    ACE_OF_DIAMONDS,
    BID,
    CONTINUE,
    EXCHANGE,
    FOLLOWING,
    KEEP,
    LEADING,
    PASS,
    SPIN,
    STAKE,
    State,
)
from cardtable.rules.moves import Advice, named

UNSEEN = Message("the cards are not dealt yet, so no money card is better than another")


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move, hand = steps[0], int(s.hands[seat])
    if move >= BID:
        return Advice(Message("bid {n}", context="Michigan advice", n=move - BID), _widow(s, hand))
    if move >= STAKE:
        return Advice(staked(s, move - STAKE), UNSEEN)
    if move in (EXCHANGE, KEEP):
        do = (
            Message("exchange your hand for the widow")
            if move == EXCHANGE
            else Message("keep your hand", context="advice")
        )
        return Advice(do, _widow(s, hand) if move == EXCHANGE else _kept(s, hand))
    if move == SPIN:
        ace = Card(card_text(ACE_OF_DIAMONDS))
        return Advice(
            Message("say Spin", context="advice"),
            Message("{card} stops the sequence, and you lead another suit", card=ace),
        )
    if move == CONTINUE:
        if hand >> ACE_OF_DIAMONDS & 1:
            ace = Card(card_text(ACE_OF_DIAMONDS))
            return Advice(Message("let the sequence continue"), Message("you keep {card} for later", card=ace))
        return Advice(Message("let the sequence continue"), Message("only the holder of the ace of diamonds may spin"))
    if move == PASS:
        return Advice(Message("pass", context="advice"), _passed(s, hand))
    card = Card(card_text(move))
    do = Message("add {card}", card=card) if s.phase == FOLLOWING else Message("lead {card}", card=card)
    return Advice(do, _laid(s, hand, move))


def _money(s: State) -> int:
    """The money cards, as a set."""
    return sum(1 << int(s.rules.money[i]) for i in range(s.rules.m))


def _widow(s: State, hand: int) -> Message:
    """Why the widow is wanted."""
    own = hand & _money(s)
    if not own:
        return Message("you hold no money card, and the widow may have one")
    return Message("the widow may be better, although you hold {cards}", cards=named(own))


def _kept(s: State, hand: int) -> Message:
    """Why the hand is kept."""
    if own := hand & _money(s):
        return Message("you hold {cards}, {n:a money card|money cards}", cards=named(own), n=own.bit_count())
    return Message("you know this hand, and nobody has seen the widow")


def _passed(s: State, hand: int) -> Message:
    """Why a seat passes: in the auction, in a sequence, or when it is to lead."""
    if s.phase == FOLLOWING:
        wanted = _after(int(s.cur))
        if hand >> wanted & 1:
            return Message("you keep {card} back, which may be fined", card=Card(card_text(wanted)))
        return Message("you do not hold {card}", card=Card(card_text(wanted)))
    if s.phase == LEADING:
        return Message("you hold no suit that may be led")
    return _kept(s, hand)


def _laid(s: State, hand: int, card: int) -> Message:
    """Why a card is laid: chips, the end of the hand, the next card, or the lead after it."""
    rest = hand & ~(1 << card)
    chips = sum(int(s.on[i]) for i in range(s.rules.m) if int(s.rules.money[i]) == card)
    if chips:
        return Message("it takes {n} {n:chip|chips}", n=chips)
    if not rest:
        return Message("it is your last card, and you are out")
    following = _after(card)
    if following < 0:
        return Message("nobody can add to an ace, and you lead again")
    if rest >> following & 1:
        run = following
        while _after(run) >= 0 and rest >> _after(run) & 1:
            run = _after(run)
        if run != following:
            return Message("you also hold the next cards, up to {card}", card=Card(card_text(run)))
        return Message("you also hold the next card, {card}", card=Card(card_text(following)))
    if int(s.played) >> following & 1:
        return Message("{card} has been played, so nobody can continue, and you lead", card=Card(card_text(following)))
    higher = [one for one in cards_in(rest & SUIT << 13 * suit_of(card)) if _above(one, card)]
    if money := [one for one in higher if _money(s) >> one & 1]:
        return Message("it leads towards your {card}, a money card", card=Card(card_text(money[0])))
    if higher:
        return Message("it leads towards your {card}", card=Card(card_text(min(higher, key=_place))))
    if s.phase == FOLLOWING:
        return Message("it is the next card of the sequence")
    return Message("it is your only card of that suit")


def _after(card: int) -> int:
    """The next higher card of the suit; -1 after the ace."""
    return -1 if rank_of(card) == 0 else card + 1 if rank_of(card) < 12 else card - 12


def _place(card: int) -> int:
    """A card's place in its suit, from 0 (the 2) to 12 (the ace)."""
    return (rank_of(card) - 1) % 13


def _above(card: int, other: int) -> bool:
    return _place(card) > _place(other)
