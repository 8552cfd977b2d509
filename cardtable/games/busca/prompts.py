"""Prompts of Busca."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import suit_of
from cardtable.base.message import Message
from cardtable.games.busca.rules import ASIDE, State
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if legal[0] >= ASIDE:
        return Prompt(
            Message(
                "Lay one of your {n} cards aside, face down. It goes to whoever takes the last trick.", n=len(legal)
            ),
            "BU-06",
        )
    if not s.laid:
        return Prompt(
            Message("Lead any card. The highest card of its suit takes the trick, with all its points."), "BU-12"
        )
    led = suit_of(s.trick[0])
    suit = card_names.SUITS[led]
    if suit_of(legal[0]) == led:
        return Prompt(Message("Follow suit: {suit} were led. The highest of them takes the trick.", suit=suit), "BU-13")
    return Prompt(Message("You hold no {suit}: play any card. It cannot take this trick.", suit=suit), "BU-13")
