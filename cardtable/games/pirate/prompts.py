"""Prompts of Pirate."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import RANKS, SUITS, card_text, suit_of
from cardtable.base.message import Card, Cards, Message
from cardtable.games.pirate import state
from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, State
from cardtable.rules.moves import Prompt

BUILDS, TURNS, OVER, CLAIMS = (
    Message("builds your side"),
    Message("turns your next card"),
    Message("turns your waste over, to begin again"),
    Message("lays it on your side"),
)


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    does = {DRAW_CARD: TURNS if s.turned[viewer] < s.held[viewer] else OVER}
    does |= {PLAY: _gain(s, viewer, BUILDS), CLAIM: _gain(s, 1 - viewer, CLAIMS)}
    does = {move: gain for move, gain in does.items() if move in legal}
    if CLAIM in legal or DRAW_CARD not in legal:
        return Prompt(_watching(s, viewer, CLAIM in legal), "PI-18", does)
    top = card_text(state.top(s, viewer)) if s.turned[viewer] else ""
    if PLAY in legal:
        ask = Message("{card} fits your side: play it, or draw the next card.", card=Card(top))
        return Prompt(ask, "PI-12", does)
    wanted = [(int(state.need(s, viewer, suit)), suit) for suit in range(state.SUITS)]
    cards = Cards(" ".join(RANKS[rank] + SUITS[suit] for rank, suit in wanted if rank >= 0))
    if top:
        ask = Message(
            "{card} does not fit: draw the next card. Your sides take {cards} next.", card=Card(top), cards=cards
        )
        return Prompt(ask, "PI-08", does, [PLAY])
    return Prompt(Message("Draw a card of your stock. Your sides take {cards} next.", cards=cards), "PI-08", does)


def _watching(s: State, viewer: int, claims: bool) -> Message:
    """The prompt for a seat with no card left to turn."""
    if claims:
        return Message(
            "{card} fits your side: claim it before it is played!", card=Card(card_text(state.top(s, 1 - viewer)))
        )
    return Message("You have no more cards to play. Watch, and claim a card that fits your side.")


def _gain(s: State, whose: int, other: Message) -> Message:
    """What laying the top card of a waste brings: a ship, if it is the only card that is missing."""
    if not s.turned[whose]:
        return other
    suit = suit_of(state.top(s, whose))
    if s.rising[suit] + s.falling[suit] == 12:
        return Message("captures the ship of {suit}", suit=card_names.SUITS[suit])
    return other
