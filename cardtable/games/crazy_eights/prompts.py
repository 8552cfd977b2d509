"""Prompts of Crazy Eights."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import card_text
from cardtable.base.message import Card, Message
from cardtable.games.crazy_eights.state import DRAW, PASS, State
from cardtable.rules.moves import Prompt

STAYS = Message("then it is still your turn")


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if s.naming:
        return Prompt(Message("An eight was turned up. Name the suit that must follow it."), "CE-Q1")
    able, draws = legal[0] < DRAW, DRAW in legal
    return Prompt(
        _able(s, draws) if able else _stopped(s, draws),
        "CE-09" if s.named else "CE-07" if able else "CE-11",
        {DRAW: STAYS} if draws else {},
        [DRAW] if able and not draws and s.stock_size else [PASS] if draws and not able else [],
    )


def _able(s: State, draws: bool) -> Message:
    """The prompt for a seat with a playable card. draws: it may also draw."""
    if s.free:
        return Message("Anything goes: lay any card.")
    if s.named:
        suit = card_names.SUITS[s.named - 1]
        if draws:
            return Message("{suit} were named: lay one of them, or an eight and name a suit, or draw.", suit=suit)
        return Message("{suit} were named: lay one of them, or an eight and name a suit.", suit=suit)
    card = Card(card_text(s.pile[s.pile_size - 1]))
    if draws:
        return Message("Lay a card of the suit or rank of {card}, or an eight and name a suit, or draw.", card=card)
    return Message("Lay a card of the suit or rank of {card}, or an eight and name a suit.", card=card)


def _stopped(s: State, draws: bool) -> Message:
    """The prompt for a seat without a playable card."""
    if not draws:
        return Message("You can lay nothing, and there is nothing left to draw: pass.")
    if s.named:
        return Message(
            "You hold none of the {suit} that were named, and no eight: draw until you do.",
            suit=card_names.SUITS[s.named - 1],
        )
    return Message(
        "None of your cards matches {card}: draw until one does.", card=Card(card_text(s.pile[s.pile_size - 1]))
    )
