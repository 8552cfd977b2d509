"""Advice in Oh Hell!: what a hand promises, and whether a card wins or loses its trick."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import SUIT, card_text, cards_in, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.oh_hell.rules import BID, State
from cardtable.games.oh_hell.trump import lowest_of, pack_of, trump_of, turned
from cardtable.games.shared.tricks import strength
from cardtable.rules.moves import Advice

HIGH = 10  #: the strength, the ace's being 12, from which cards usually win: the queen's, or in Spain the king's


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move, hand = steps[0], int(s.hands[seat])
    if move >= BID:
        return Advice(Message("bid {n}", context="Oh Hell! advice", n=move - BID), _promise(s, hand))
    card = Card(card_text(move))
    missing = int(s.bids[seat]) - int(s.tricks[seat])
    if not s.laid:
        return Advice(Message("lead {card}", card=card), _led(s, hand, move, missing))
    wins = _wins(s, move)
    do = Message("play {card}", card=card)
    if wins and s.laid + 1 == s.in_play.bit_count():
        if missing > 0:
            return Advice(do, Message("it wins the trick, and you need {n} more", n=missing))
        return Advice(do, Message("it wins the trick, which you do not need"))
    if wins:
        if missing > 0:
            return Advice(do, Message("it is winning so far, and you need {n} {n:trick|tricks}", n=missing))
        return Advice(do, Message("it is winning so far, but others are still to play"))
    rest = hand & ~(1 << move)
    if missing > 0 and rest:
        trump, low = int(trump_of(s)), int(lowest_of(s))
        best = max(cards_in(rest), key=lambda one: strength(one, low) + 13 * (suit_of(one) == trump))
        return Advice(do, Message("it cannot win this trick, and you keep {card}", card=Card(card_text(best))))
    if missing > 0:
        return Advice(do, Message("it is your last card, and cannot win this trick"))
    return Advice(do, Message("it cannot win this trick, and you need none"))


def _wins(s: State, card: int) -> bool:
    """Whether a card beats all of the trick so far."""
    led, trump, low = suit_of(int(s.trick[0])), int(trump_of(s)), int(lowest_of(s))

    def worth(one: int) -> int:
        suit = suit_of(one)
        return int(strength(one, low)) + 13 * (suit == led) + 26 * (suit == trump)

    return all(worth(card) > worth(int(s.trick[i])) for i in range(s.laid))


def _promise(s: State, hand: int) -> Message:
    """What a hand is worth in a bid: its trumps, and the high cards of the other suits."""
    trump = int(trump_of(s))
    trumps = (hand >> 13 * trump & SUIT).bit_count() if trump >= 0 else 0
    low = int(lowest_of(s))
    high = sum(1 for one in cards_in(hand) if suit_of(one) != trump and strength(one, low) >= HIGH)
    if trump < 0:
        return Message("there is no trump, and you hold {high:one high card|@ high cards}", high=high)
    if trumps and high:
        return Message(
            "you hold {trumps} {trumps:trump|trumps}, and {high:a high card|@ high cards} besides",
            trumps=trumps,
            high=high,
        )
    if trumps:
        return Message("you hold {trumps} {trumps:trump|trumps}, and no other high card", trumps=trumps)
    if high:
        return Message("you hold no trump, and {high:one high card|@ high cards}", high=high)
    return Message("you hold no trump and no high card")


def _led(s: State, hand: int, card: int, missing: int) -> Message:
    """Why a card is led: how many higher ones of its suit are out."""
    suit = suit_of(card)
    known, low = int(s.played) | hand | int(turned(s)) | ~int(pack_of(s)), int(lowest_of(s))
    others = [one for one in range(13 * suit, 13 * suit + 13) if not known >> one & 1]
    above = sum(strength(one, low) > strength(card, low) for one in others)
    out = Message("{n:one higher card|@ higher cards} of that suit may be out", n=above)
    if missing > 0:
        need = Message("you need {n} {n:trick|tricks}", n=missing)
        if above:
            return Message("{need}, and {out}", need=need, out=out)
        return Message("{need}, and no higher card of that suit is left", need=need)
    if above:
        return Message("you need no more tricks, and {out}", out=out)
    return Message("you need no more tricks, but no higher card of that suit is left")
