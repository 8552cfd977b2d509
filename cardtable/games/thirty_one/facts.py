"""Worlds of Thirty-One: hands and a stock consistent with everything that a seat has seen, each with its exact
probability.

Known cards stay in place. Hidden cards are dealt **age by age**: to each hand its known number; the rest of the
youngest age are the stock. Each such deal has the same number of shuffles.

The absence of a blitz is also a fact (TO-10): between two turns, no hand was one. So each other hand is traced
**backwards** through its turns; each card it drew from the stock is chosen at random among its hidden cards from that
stock. Their number is public, so every world has the same number of pasts, all equally likely. If a hand on the way is
a blitz, the world is dealt again. This rejects whole worlds, and is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.shared.stock import hands_and_stock, put_from
from cardtable.games.thirty_one.state import (
    FROM_PILE,
    FROM_STOCK,
    NO_CARD,
    STOCK,
    UPCARD,
    State,
    is_blitz,
    may_knock_with,
    pack_of,
)
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules.contract import IMPOSSIBLE, UNKNOWN
from cardtable.rules.worlds import spread


@rule
def of_age(s: State, age: int) -> int:
    """The cards whose last new stock was number `age` (0: those of none)."""
    cards = s.restocked[age] if age else pack_of(s)
    for later in range(age + 1, s.stocks + 1):
        cards &= ~s.restocked[later]
    return cards


@rule
def age_of(s: State, card: int) -> int:
    """The number of the last new stock that a card was in; 0 none."""
    for age in range(s.stocks, 0, -1):
        if s.restocked[age] >> card & 1:
            return age
    return 0


@rule
def redraw(s: State, seat: int) -> None:
    """Give a redacted state hands and a stock: any that this seat (-1: a spectator) cannot rule out, with the right
    probabilities.
    """
    unseen = pack_of(s)
    for i in range(s.pile_count):
        unseen &= ~(1 << s.pile[i])
    for p in range(s.seats):
        unseen &= ~(s.hands[p] if p == seat or s.over or s.showing else s.known[p])
    if s.over or s.showing:
        spread(s.rng, unseen, s.stock)
        return
    row = np.empty(52, np.int64)
    while True:
        for p in range(s.seats):
            if p != seat:
                s.hands[p] = s.known[p]
        for age in range(s.stocks + 1):
            n = spread(s.rng, unseen & of_age(s, age), row)
            k = 0
            for p in range(s.seats):
                if p != seat:
                    for _ in range(s.hidden[p, age]):
                        s.hands[p] |= 1 << row[k]
                        k += 1
            if age == s.stocks:
                for i in range(n - k):
                    s.stock[i] = row[k + i]
        good = True
        for p in range(s.seats):
            if p != seat and good and s.in_play >> p & 1:
                good = (p != s.knocker or may_knock_with(s, s.hands[p])) and past(s, p)
        if good:
            return


@rule
def past(s: State, p: int) -> bool:
    """Trace a hand backwards from its present cards; False if it would have been a blitz between two turns."""
    hand = s.hands[p]
    secret = hand & ~s.known[p]
    if p == s.turn and s.drawn == FROM_PILE:
        hand &= ~(1 << s.taken)
    elif p == s.turn and s.drawn == FROM_STOCK:
        card = drawn_from(s, secret, s.stocks, s.rng)
        hand &= ~(1 << card)
        secret &= ~(1 << card)
    if is_blitz(hand):
        return False
    for k in range(s.turn_count - 1, -1, -1):
        turn = s.turns[k]
        if turn & 15 == p:
            taken, card = turn >> 4 & 63, turn >> 10 & 63
            hand |= 1 << card
            if not turn >> 16 & 1:
                secret |= 1 << card
            if taken == NO_CARD:
                taken = drawn_from(s, secret, turn >> 17, s.rng)
                secret &= ~(1 << taken)
            hand &= ~(1 << taken)
            if is_blitz(hand):
                return False
    return True


@rule
def drawn_from(s: State, secret: int, age: int, rng: Any) -> int:
    """One of the hidden cards that may have come from the stock number `age`."""
    if age:
        secret &= s.restocked[age]
    for _ in range(prng.below(rng, count(secret))):
        secret &= secret - 1
    return lowest(secret)


@rule
def unseen(s: State, seat: int, sets: Any) -> int:
    """The other hands, then the stock; nothing where all hands are shown."""
    return 0 if s.showing or s.over else hands_and_stock(s, seat, 0, s.stock_count, sets)


@rule
def may_hold(s: State, seat: int, place: int, cards: int) -> bool:
    """A hand keeps its known cards, and as many hidden ones of each age."""
    if place == s.seats:
        return True
    if place == s.knocker and not may_knock_with(s, cards):
        return False
    if s.known[place] & ~cards or (is_blitz(cards) and not (s.drawn and s.turn == place)):
        return False
    for age in range(s.stocks + 1):  # noqa: SIM110
        if count(cards & ~s.known[place] & of_age(s, age)) != s.hidden[place, age]:
            return False
    return True


@rule
def put(s: State, place: int, cards: int) -> None:
    put_from(s, place, cards, 0)


@rule
def held_before(s: State, who: int, move: int, cards: int, rng: Any) -> int:
    """Of the hidden cards that a card drawn from the stock may be, each is as likely; no hand between two turns was a
    blitz.
    """
    if move < STOCK:
        return cards | 1 << move
    if move == UPCARD:
        cards &= ~(1 << s.pile[s.pile_count - 1])
    elif move == STOCK:
        if s.stock_count == 0:
            return UNKNOWN  # built from the pile only now
        secret = cards & ~s.known[who]
        if s.stocks and secret & s.restocked[s.stocks] == 0:
            return IMPOSSIBLE
        cards &= ~(1 << drawn_from(s, secret, s.stocks, rng))
    elif not may_knock_with(s, cards):
        return IMPOSSIBLE
    return IMPOSSIBLE if is_blitz(cards) else cards
