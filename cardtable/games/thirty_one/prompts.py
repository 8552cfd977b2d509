"""Prompts of Thirty-One."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import card_text
from cardtable.base.message import Card, Message, Seat
from cardtable.games.thirty_one.state import BLITZ, KNOCK, STOCK, UPCARD, State, count_of, threes
from cardtable.rules.moves import Prompt

UNSEEN, SEEN = Message("unseen; then discard one"), Message("then discard another card")


def counted(s: State, hand: int) -> int | str:
    """The count of a hand, for people."""
    return "30½" if threes(s, hand) else int(count_of(hand, s.rules.odd_card_best_suit))


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if legal[0] == BLITZ:
        return Prompt(Message("You hold 31: show it, and the hand ends."), "TO-10")
    if legal[0] < STOCK:
        return Prompt(Message("Discard one of your four cards. Cards of one suit count together, up to 31."), "TO-09")
    does = {STOCK: UNSEEN, UPCARD: SEEN, KNOCK: _knock(s)}
    refused = [] if KNOCK in legal else [KNOCK]
    takes = Card(card_text(s.pile[s.pile_count - 1])) if UPCARD in legal else None
    if s.knocker >= 0:
        knocker = Seat(int(s.knocker))
        ask = Message(
            "{seat} {seat:has|have} knocked: this is your last turn. Draw a card, and discard one.", seat=knocker
        )
        return Prompt(ask, "TO-12", {move: does[move] for move in legal if move in does}, refused)
    counts = counted(s, s.hands[viewer])
    if refused and takes:
        ask = Message(
            "Take {card} or a card of the stock, then discard one. Your hand counts {n}.", card=takes, n=counts
        )
    elif takes:
        ask = Message("Take {card} or a card of the stock, or knock if {n} is enough.", card=takes, n=counts)
    else:
        ask = Message("Take a card of the stock, or knock if {n} is enough.", n=counts)
    return Prompt(ask, "TO-09", {move: does[move] for move in legal if move in does}, refused)


def _knock(s: State) -> Message:
    """What knocking brings, and may cost."""
    n = int(s.rules.knock_loses)
    if s.rules.stake_banknote:
        return Message("the others have one more turn; if you are lowest, you fold {n} {n:corner|corners}", n=n)
    return Message("the others have one more turn; if you are lowest, you pay {n} {n:marker|markers}", n=n)
