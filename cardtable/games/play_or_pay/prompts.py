"""Prompts of Play or Pay."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.cards import card_text
from cardtable.base.message import Card, Message, mark
from cardtable.games.play_or_pay.state import PASS, State
from cardtable.rules.moves import Prompt

CHIP = Message("1 chip to the pot")


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if s.need < 0:
        if s.layout:
            return Prompt(
                Message("Lead any card of another suit. Its next higher cards must follow it, one by one."), "PP-10"
            )
        return Prompt(Message("Lead any card. The next higher cards of its suit must follow it, one by one."), "PP-03")
    card = Card(card_text(s.need))
    pays = bool(s.rules.pass_chip)
    does = {PASS: CHIP} if pays and PASS in legal else {}
    if int(s.need) not in legal:
        words = mark("You do not hold {card}: pass, and pay 1 chip.") if pays else mark("You do not hold {card}: pass.")
        return Prompt(Message(words, card=card), "PP-06", does)
    if PASS in legal:
        return Prompt(
            Message("Lay {card}. Passing while you hold it is fined when it is found out.", card=card), "PP-04", does
        )
    if s.run:
        return Prompt(Message("Your run continues: lay {card}, too.", card=card), "PP-07")
    return Prompt(Message("You hold the card needed: lay {card}.", card=card), "PP-04")
