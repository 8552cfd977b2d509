"""Worlds of Crazy Eights as sets of cards at places, to weight them by the others' choices.

With one pack no card has a twin, so a hand is a set. If players who can play must not draw, a draw is a fact about
single batches (`knowledge`), and worlds stay uniform. If a draw is a choice (CE-11), it is strong evidence: the seat
probably had no card that fitted. Then no fact separates a seat's batches, so a hand may be any cards of its pools, in
the known numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.crazy_eights.state import DRAW, NAMED_8, PASS, State, playable
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules.contract import IMPOSSIBLE, UNKNOWN
from cardtable.rules.worlds import spread

SURE = 4


@rule
def unseen(s: State, seat: int, sets: Any) -> int:
    """The other hands, then the stock; nothing with two packs, or where somebody has shown that they lack a card."""
    if s.rules.decks == 2 or not s.rules.draw_willing or s.over:
        return 0
    n = s.seats
    for p in range(n):
        for b in range(s.batches[p]):
            if s.most[p, b, 0]:
                return 0
        sets[p] = 0 if p == seat else s.hands[p, 0]
    sets[n] = 0
    for i in range(s.stock_size):
        sets[n] |= 1 << s.stock[i]
    return n + 1


@rule
def of_pool(s: State, e: int) -> int:
    """The cards whose last shuffle made pool e."""
    cards = s.tokens[e, 0]
    for later in range(e + 1, s.pools):
        cards &= ~s.tokens[later, 0]
    return cards


@rule
def held_of_pool(s: State, seat: int, e: int) -> int:
    """The number of hidden cards of a pool in a seat's hand."""
    n = 0
    for b in range(s.batches[seat]):
        if s.origin[seat, b] == e:
            n += s.room[seat, b] - count(s.least[seat, b, 0])
    return n


@rule
def may_hold(s: State, seat: int, place: int, cards: int) -> bool:
    """Keep a hand's known cards and its number of hidden cards of each pool; the stock keeps the cards that all saw
    put there, and has others of the newest pool only.
    """
    if place == s.seats:
        fixed = sure_cards(s)
        return cards & fixed == fixed and cards & ~fixed & ~s.tokens[s.pools - 1, 0] == 0
    known = s.known[place, 0]
    if known & ~cards:
        return False
    for e in range(s.pools):  # noqa: SIM110
        if count(cards & ~known & of_pool(s, e)) != held_of_pool(s, place, e):
            return False
    return True


@rule
def sure_cards(s: State) -> int:
    """The cards of the stock that all saw put there."""
    cards = 0
    for i in range(s.stock_size):
        if s.sure[i]:
            cards |= 1 << s.sure[i] - 1
    return cards


@rule
def put(s: State, place: int, cards: int) -> None:
    if place < s.seats:
        s.hands[place, 0] = cards
        for e in range(s.pools):
            sort_into_batches(s, place, e, cards & ~s.known[place, 0] & of_pool(s, e))
        return
    row = np.empty(64, np.int64)
    k = spread(s.rng, cards & ~sure_cards(s), row)
    for i in range(s.stock_size):
        if s.sure[i]:
            s.stock[i] = s.sure[i] - 1
        else:
            k -= 1
            s.stock[i] = row[k]


@rule
def sort_into_batches(s: State, seat: int, e: int, cards: int) -> None:
    """Assign a hand's cards of a pool, and the cards laid since, to batches: the laid cards first, in order, so that
    each arrives in time.
    """
    laid = 0  # cards laid that have got a batch
    c = 0
    for b in range(s.batches[seat]):
        if s.origin[seat, b] == e:
            s.has[seat, b, 0] = 0
            for _ in range(s.room[seat, b]):
                c = max(c, b)
                while c < s.batches[seat] and (s.origin[seat, c] != e or s.least[seat, c, 0] & ~laid == 0):
                    c += 1
                if c < s.batches[seat]:
                    card = lowest(s.least[seat, c, 0] & ~laid)
                    laid |= 1 << card
                elif cards:
                    card = lowest(cards)
                    cards &= cards - 1
                else:
                    return
                s.has[seat, b, 0] |= 1 << card


@rule
def held_before(s: State, who: int, move: int, cards: int, rng: Any) -> int:
    """Each hidden card is equally likely to be the one drawn. But players who can play seldom draw, so if just one
    fits, it is taken with probability (SURE - 1) / SURE, and `odds_before` corrects for that.
    """
    if move >= PASS:
        return cards
    if move != DRAW:
        return cards | 1 << (move if move < NAMED_8 else 7 + 13 * ((move - NAMED_8) // 4))
    if s.stock_size == 0:
        return UNKNOWN  # built from the pile only now
    known = s.sure[s.stock_size - 1]
    if known:
        return cards & ~(1 << known - 1)
    drawn = drawable(s, who, cards)
    if drawn == 0:
        return IMPOSSIBLE
    fits = drawn & playable(s)
    if fits and fits & fits - 1 == 0 and fits != drawn:
        drawn = fits if prng.below(rng, SURE) else drawn & ~fits
    for _ in range(prng.below(rng, count(drawn))):
        drawn &= drawn - 1
    return cards & ~(drawn & -drawn)


@rule
def odds_before(s: State, who: int, move: int, before: int, after: int) -> float:
    """Each hidden card is as likely to have been drawn; see `held_before` for how often it is."""
    if move != DRAW or s.sure[s.stock_size - 1]:
        return 0.0
    drawn = drawable(s, who, after)
    fits = drawn & playable(s)
    if fits == 0 or fits & fits - 1 or fits == drawn:
        return 0.0
    n = count(drawn)
    return np.log(SURE / (SURE - 1) / n) if fits & ~before else np.log(SURE * (n - 1) / n)


@rule
def drawable(s: State, who: int, cards: int) -> int:
    """Of a hand after a draw, the cards that may be the one drawn."""
    return cards & ~s.known[who, 0] & s.tokens[s.pools - 1, 0]
