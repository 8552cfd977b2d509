"""Prompts of Oh Hell!"""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import suit_of
from cardtable.base.message import Message
from cardtable.games.oh_hell.rules import BID, State
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if legal[0] >= BID:
        return _bid(s, viewer, legal)
    stand = Message("You bid {bid} and have {tricks}.", bid=int(s.bids[viewer]), tricks=int(s.tricks[viewer]))
    if not s.laid:
        return Prompt(Message("Lead any card. {stand}", stand=stand), "OH-10")
    led, trumps = suit_of(s.trick[0]), suit_of(s.upcard)
    suit = card_names.SUITS[led]
    if suit_of(legal[0]) == led:
        return Prompt(Message("Follow suit: {suit} were led. {stand}", suit=suit, stand=stand), "OH-11")
    if trumps not in map(suit_of, legal):
        ask = Message("You hold no {suit}: play any card. It cannot win. {stand}", suit=suit, stand=stand)
    else:
        ask = Message(
            "You hold no {suit}: play any card, or trump with {trumps}. {stand}",
            suit=suit,
            trumps=card_names.SUITS[trumps],
            stand=stand,
        )
    return Prompt(ask, "OH-11")


def _bid(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """A bid and its value; and the bids that the dealer might expect but may not make."""
    n = int(s.each)
    ask = Message(
        "How many of the {n} {n:trick|tricks} will you take? Exact: 10 points each (10 for none). Otherwise you lose "
        "10 for each one off.",
        n=n,
    )
    refused = [BID + bid for bid in range(n + 1) if BID + bid not in legal]
    return Prompt(ask, "OH-08" if refused else "OH-14", refused=refused)
