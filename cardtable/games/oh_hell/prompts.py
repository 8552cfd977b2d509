"""Prompts of Oh Hell!"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardtable.base import card_names
from cardtable.base.cards import SUIT, suit_of
from cardtable.base.message import Message, mark
from cardtable.games.oh_hell.rules import BID, State
from cardtable.games.oh_hell.scoring import points
from cardtable.games.oh_hell.trump import trump_of
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    if legal[0] >= BID:
        return _bid(s, viewer, legal)
    stand = Message("You bid {bid} and have {tricks}.", bid=int(s.bids[viewer]), tricks=int(s.tricks[viewer]))
    if not s.laid:
        return Prompt(Message("Lead any card. {stand}", stand=stand), "OH-10")
    led, trumps = suit_of(s.trick[0]), int(trump_of(s))
    suit = card_names.SUITS[led]
    if not s.rules.must_follow and len(legal) < int(s.hands[viewer]).bit_count():
        return _must(s, viewer, legal, stand)
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


def _must(s: State, viewer: int, legal: Sequence[int], stand: Message) -> Prompt:
    """Where one must beat the trick or trump (OH-C17, OH-C18), and not every card of the hand may be played."""
    led = suit_of(s.trick[0])
    suit = card_names.SUITS[led]
    if suit_of(legal[0]) != led:
        rule = "OH-C18" if s.rules.must_beat else "OH-C17"
        return Prompt(Message("You hold no {suit}: you must trump. {stand}", suit=suit, stand=stand), rule)
    if len(legal) < (int(s.hands[viewer]) >> 13 * led & SUIT).bit_count():
        return Prompt(Message("Follow suit, and beat the trick: you can. {stand}", stand=stand), "OH-C18")
    return Prompt(Message("Follow suit: {suit} were led. {stand}", suit=suit, stand=stand), "OH-11")


def _bid(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """A bid and its value; and the bids that the dealer might expect but may not make."""
    n = int(s.each)
    if s.rules.scoring_tens:
        ask = Message(
            "How many of the {n} {n:trick|tricks} will you take? Exact: 10 points each (10 for none). Otherwise you "
            "lose 10 for each one off.",
            n=n,
        )
    else:
        scoring = next(name for name in SCORES if getattr(s.rules, f"scoring_{name}"))
        worth = Message(SCORES[scoring], bonus=int(s.rules.bonus_points))
        ask = Message("How many of the {n} {n:trick|tricks} will you take? {worth}", n=n, worth=worth)
    refused = [BID + bid for bid in range(n + 1) if BID + bid not in legal]
    does = {}
    if BID in legal and not s.rules.zero_as_scored:
        does[BID] = Message("{n} points if you take none", n=int(points(s, 0, 0)))
    return Prompt(ask, "OH-08" if refused else "OH-14", does, refused)


#: what bids score under each scoring but the first
SCORES: Mapping[str, str] = {
    "bonus": mark("Exact: {bonus} points, and 1 for each trick. Otherwise nothing."),
    "tricks": mark("Each scores 1 point, and an exact bid {bonus} more."),
    "bonus_minus": mark("Exact: {bonus}, and 1 for each trick. Otherwise you lose 1 for each one off."),
    "wizard": mark("Exact: 20, and 10 for each trick. Otherwise you lose 10 for each one off."),
    "pocha": mark("Exact: 10, and 5 for each trick. Otherwise you lose 5 for each one off."),
    "squares": mark("Exact: 10 and the bid squared. Otherwise you lose the difference squared."),
}
