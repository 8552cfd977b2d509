"""Advice in Fan Tan, Five or Nine and Domino Fan-Tan: what a card opens, for the player and for the others."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import SUIT, card_text, rank_of, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.fan_tan.layout import must_give_up, playable
from cardtable.games.fan_tan.state import DONE, DRAW, PASS, FanTanTable
from cardtable.rules.moves import Advice, named

RANKS = 13


def advice(s: FanTanTable, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    move, hand = steps[0], int(s.hands[seat])
    if move in (PASS, DRAW):
        chip = bool(s.rules.pass_chip if move == PASS else s.rules.draw_chip)
        do = Message("pass", context="advice") if move == PASS else Message("draw a card", context="advice")
        able = hand & int(playable(s))
        if able and s.rules.passes:
            return Advice(do, Message("you keep {cards} back from the others", cards=named(able)))
        if able:
            return Advice(do, Message("you keep {cards} back, which may be fined", cards=named(able)))
        if must_give_up(s, seat):
            return Advice(do, Message("none of your cards fits, and you have no pass left"))
        if chip:
            return Advice(do, Message("none of your cards fits, and that costs 1 chip"))
        return Advice(do, Message("none of your cards fits"))
    if move == DONE:
        able = hand & int(playable(s))
        if able:
            return Advice(
                Message("say done", context="advice"),
                Message("you keep {cards} back from the others", cards=named(able)),
            )
        return Advice(Message("say done", context="advice"), Message("none of your other cards fits"))
    return Advice(Message("lay {card}", card=Card(card_text(move))), _opened(s, hand, move))


def _opened(s: FanTanTable, hand: int, card: int) -> Message:
    """What a card opens: it is the last, or cards of the seat follow, or nobody's do."""
    rest = hand & ~(1 << card)
    if not rest:
        return Message("it is your last card, and you are out")
    own, others = _beyond(s, card, rest)
    if own:
        return Message("you hold {cards}, which {n:waits|wait} for it", cards=named(own), n=own.bit_count())
    if not others:
        return Message("nobody can continue from it")
    if not hand & int(playable(s)) & ~(1 << card):
        return Message("it is your only card that fits")
    return Message("only {n:one card|@ cards} can still follow it", n=others.bit_count())


def _beyond(s: FanTanTable, card: int, rest: int) -> tuple[int, int]:
    """The cards that can follow a card in its row, once it is laid: the seat's own, and all others."""
    rank, first = rank_of(card), RANKS * suit_of(card)
    row = int(s.layout) >> first & SUIT
    up = range(rank + 1, RANKS) if not row >> rank + 1 & 1 else range(0)
    down = range(rank - 1, -1, -1) if rank == 0 or not row >> rank - 1 & 1 else range(0)
    beyond = sum(1 << first + one for one in (*up, *down) if not row >> one & 1) & ~int(s.strays)
    return beyond & rest, beyond & ~rest
