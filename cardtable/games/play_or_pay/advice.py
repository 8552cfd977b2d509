"""Advice in Play or Pay: the run that a lead begins, and who can continue it."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import SUIT, card_text, rank_of, suit_of
from cardtable.base.message import Card, Cards, Message
from cardtable.games.play_or_pay.state import PASS, State
from cardtable.rules.moves import Advice


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move, hand = steps[0], int(s.hands[seat])
    if move == PASS:
        needed = Card(card_text(int(s.need)))
        if hand >> int(s.need) & 1:
            return Advice(
                Message("pass", context="advice"), Message("you keep {card} back, which may be fined", card=needed)
            )
        return Advice(Message("pass", context="advice"), Message("you do not hold {card}", card=needed))
    card = Card(card_text(move))
    do = Message("lead {card}", card=card) if s.need < 0 else Message("lay {card}", card=card)
    return Advice(do, _follows(s, hand & ~(1 << move), move))


def _follows(s: State, rest: int, card: int) -> Message:
    """Why a card is laid: the seat is out, or holds what must follow, or the only card that may be laid."""
    if not rest:
        return Message("it is your last card, and you are out")
    run, one = [], _after(card)
    while rest >> one & 1:
        run.append(card_text(one))
        one = _after(one)
    if run:
        return Message("you hold {cards}, which must follow it", cards=Cards(" ".join(run)))
    if s.need >= 0:
        return Message("it is the card needed, and only you have it")
    n = (rest >> 13 * suit_of(card) & SUIT).bit_count()
    if n:
        return Message("you hold {n:one more card|@ more cards} of that suit", n=n)
    return Message("it is your only card of that suit")


def _after(card: int) -> int:
    """The next card of the suit, round the corner."""
    return card + 1 if rank_of(card) < 12 else card - 12
