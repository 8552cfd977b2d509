"""Advice in Spider: what a move turns up, empties, joins or frees."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import card_text, suit_of
from cardtable.base.message import Card, Message
from cardtable.games.spider.outlook import useful
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, LONGEST, State
from cardtable.rules.moves import Advice

RUN = 13


def advice(s: State, seat: int, steps: Sequence[int]) -> Advice:
    """A move of a seat as advice, from a state redacted for it."""
    if steps[0] == DEAL:
        if useful(s).proved:
            return Advice(Message("deal 10 cards from the stock"), Message("no move does anything useful before it"))
        left = DEALS - int(s.dealt)
        return Advice(
            Message("deal 10 cards from the stock"),
            Message("each column gets one, and {n} {n:deal is|deals are} left after it", n=left - 1)
            if left > 1
            else Message("each column gets one, and the stock is used up then"),
        )
    source, n, to = steps[0] // (LONGEST * COLUMNS), steps[0] // COLUMNS % LONGEST + 1, steps[0] % COLUMNS
    return Advice(_put(s, source, n, to), _gain(s, source, n, to))


def _at(s: State, column: int, from_end: int) -> int:
    """A card of a column, the last one being 1 from its end; -1: there is none."""
    place = int(s.height[column]) - from_end
    return int(s.columns[column, place]) if place >= 0 else -1


def _put(s: State, source: int, n: int, to: int) -> Message:
    """What is moved, and where."""
    card, on = Card(card_text(_at(s, source, n))), _at(s, to, 1)
    if on >= 0:
        onto = Card(card_text(on))
        if n == 1:
            return Message("put {card} onto {onto}", card=card, onto=onto)
        return Message("put {card} and {n} more onto {onto}", card=card, n=n - 1, onto=onto)
    if n == 1:
        return Message("put {card} into an empty column", card=card)
    return Message("put {card} and {n} more into an empty column", card=card, n=n - 1)


def _gain(s: State, source: int, n: int, to: int) -> Message:
    """What a move brings."""
    height, down = int(s.height[source]), int(s.down[source])
    card, on = _at(s, source, n), _at(s, to, 1)
    if on == card + 1 and suit_of(on) == suit_of(card) and n + _run(s, to) == RUN:
        return Message("that completes a run, which leaves the table")
    if height - n == down and down:
        return Message("that turns up a card")
    if height == n and on >= 0:
        return Message("that empties a column")
    above = _at(s, source, n + 1) if height - n > down else -1
    joined = above == card + 1 and suit_of(above) == suit_of(card)
    if on >= 0 and suit_of(on) == suit_of(card) and not joined:
        suit = card_names.SUITS[suit_of(card)]
        return Message("both are {suit}, so they can move together later", suit=suit)
    if s.dealt == DEALS and useful(s).proved:
        return Message("no move does anything useful any more")
    if height > n:
        return Message("that frees {card}", card=Card(card_text(_at(s, source, n + 1))))
    return Message("its own column is then empty")


def _run(s: State, column: int) -> int:
    """How many cards at the end of a column are a run in one suit."""
    n, up = 1, int(s.height[column]) - int(s.down[column])
    while (
        n < up
        and _at(s, column, n + 1) == _at(s, column, n) + 1
        and suit_of(_at(s, column, n + 1)) == suit_of(_at(s, column, n))
    ):
        n += 1
    return n
