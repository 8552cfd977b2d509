"""Prompts of Michigan and its kin."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import card_text
from cardtable.base.message import Card, Either, Message, Seat
from cardtable.games.michigan.order import after, low_diamond
from cardtable.games.michigan.stakes import to_spread
from cardtable.games.michigan.state import (
    AUCTION,
    CONTINUE,
    EXCHANGE,
    FOLLOWING,
    KEEP,
    PASS,
    SPIN,
    SPINNING,
    STAKING,
    WIDOW,
    State,
)
from cardtable.rules.moves import Prompt

RUNS_ON, STOPS = Message("the sequence continues"), Message("stops it, and you lead another suit")
OUT = Message("you are out of the auction")


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if s.phase == STAKING:
        n = int(to_spread(s, viewer))
        ask = Message(
            "Put {n} {n:chip|chips} on the money cards. Whoever plays the same card wins the chips on it.", n=n
        )
        return Prompt(ask, "MI-51")
    if s.phase == WIDOW:
        return _widow(s, viewer)
    if s.phase == AUCTION:
        return _auction(s)
    if s.phase == SPINNING:
        if SPIN not in legal:
            return Prompt(Message("Let the sequence go on."), "MI-Q12")
        ask = Message("Spin? The ace of diamonds stops the sequence, and you lead another suit.")
        return Prompt(ask, "MI-54", {CONTINUE: RUNS_ON, SPIN: STOPS})
    chips = {int(s.rules.money[i]): int(s.on[i]) for i in range(s.rules.m) if s.on[i]}
    does = {card: Message("takes {n} {n:chip|chips}", n=n) for card, n in chips.items() if card in legal}
    return _next(s, legal, does) if s.phase == FOLLOWING else _lead(s, legal, does)


def _widow(s: State, viewer: int) -> Prompt:
    """Whether the dealer exchanges the hand for the widow."""
    does = {EXCHANGE: Message("your hand is out of play, and you play the widow, unseen so far")}
    if s.rules.auction_english:
        does[KEEP] = Message("the others bid for it, and you get the highest bid")
        ask = Message("Exchange your hand for the widow, or keep it and sell this right to the highest bidder?")
    else:
        ask = Message("Exchange your hand for the widow, or keep it?")
    return Prompt(ask, "MI-13", does)


def _auction(s: State) -> Prompt:
    """A bid for the widow."""
    if not s.high:
        ask = Message("Bid chips for the right to exchange your hand for the unseen widow, or pass.")
    else:
        ask = Message(
            "{seat} {seat:has|have} bid {n} for the widow. Bid more to exchange your hand for it, or pass.",
            seat=Seat(int(s.high_seat)),
            n=int(s.high),
        )
    return Prompt(ask, "MI-14", {PASS: OUT})


def _next(s: State, legal: Sequence[int], does: dict[int, Message]) -> Prompt:
    """The next card of the sequence."""
    wanted = Card(card_text(after(int(s.cur))))
    if legal[0] >= PASS:
        return Prompt(Message("You do not hold {card}, the next card: pass.", card=wanted), "MI-20")
    if PASS in legal:
        ask = Message("Add {card}, the next card. Withholding it is fined when it is found out.", card=wanted)
        return Prompt(ask, "MI-20", does)
    return Prompt(Message("Add {card}, the next card of the sequence.", card=wanted), "MI-20", does)


def _lead(s: State, legal: Sequence[int], does: dict[int, Message]) -> Prompt:
    """A lead after the deal or a stop."""
    barred = [suit for suit in range(4) if s.barred >> suit & 1]
    if (first := int(low_diamond(s))) >= 0:
        return Prompt(Message("Lead {card}: you hold the lowest diamond.", card=Card(card_text(first))), "MI-C3", does)
    if legal[0] >= PASS:
        return Prompt(Message("You hold no suit that may be led: the lead passes on."), "MI-24")
    if s.passes == s.seats:
        return Prompt(Message("Nobody could begin another suit: lead the lowest of all your cards."), "MI-25", does)
    if not barred:
        ask = Message("Choose a suit and lead its lowest card. Whoever holds the next higher card adds it.")
        return Prompt(ask, "MI-18", does)
    if s.rules.next_suit_other_color:
        may = [card_names.SUITS[suit] for suit in range(4) if suit not in barred]
        return Prompt(
            Message("Lead your lowest {suits}: after a stop the colour must change.", suits=Either(may)), "MI-41", does
        )
    suits = Either([card_names.SUITS[suit] for suit in barred])
    return Prompt(Message("Lead the lowest card of a suit other than {suits}.", suits=suits), "MI-23", does)
