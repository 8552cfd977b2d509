"""Advice in Thirty-One: what the hand counts, and can count."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import card_text, cards_in
from cardtable.base.message import Card, Message
from cardtable.games.thirty_one.prompts import counted
from cardtable.games.thirty_one.state import BLITZ, KNOCK, STOCK, UPCARD, State, strength
from cardtable.rules.moves import Advice


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move, hand = steps[0], int(s.hands[seat])
    if move == BLITZ:
        return Advice(Message("show your cards"), Message("they count 31, and the hand ends"))
    if move < STOCK:
        do = Message("discard {card}", card=Card(card_text(move)))
        return Advice(do, Message("the other three count {n}", n=counted(s, hand & ~(1 << move))))
    now = counted(s, hand)
    if move == KNOCK:
        return Advice(
            Message("knock", context="advice"),
            Message("your hand counts {n}, and the others have only one more turn", n=now),
        )
    top = int(s.pile[s.pile_count - 1]) if s.pile_count else -1
    kept = _best(s, hand | 1 << top) if top >= 0 else hand
    best, better = counted(s, kept), strength(s, kept) > strength(s, hand)
    if move == UPCARD:
        do = Message("take {card}", card=Card(card_text(top)))
        if better:
            return Advice(do, Message("with it your hand can count {n} instead of {now}", n=best, now=now))
        return Advice(do, Message("your hand counts {n}", n=now))
    do = Message("take a card of the stock", context="advice")
    if top >= 0 and not better:
        upcard = Card(card_text(top))
        return Advice(do, Message("your hand counts {n}, and {card} would not raise that", n=now, card=upcard))
    return Advice(do, Message("your hand counts {n} now", n=now))


def _best(s: State, four: int) -> int:
    """The three of four cards that count most."""
    return max((four & ~(1 << card) for card in cards_in(four)), key=lambda hand: int(strength(s, hand)))
