"""The rules of Cassino (CA), compiled.

A move packs the cards it involves, its kind and the value it declares (`state`). `keys` stores what plays prove about
hands: a builder holds a card of the declared rank, and with the owner's obligation keeps one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, RANK, SUIT, rank_of
from cardtable.games.cassino.legal import legal
from cardtable.games.cassino.policy import heuristic, slip
from cardtable.games.cassino.state import (
    ACES,
    BIG,
    BUILD,
    BUILDS,
    CARDS,
    DECLARED,
    HIGHEST,
    KIND,
    LITTLE,
    MOST_CARDS,
    MOST_SPADES,
    PAIR,
    PAIRS,
    RAISE,
    RAISES,
    TAKE,
    TEN_OF_DIAMONDS,
    TWO_OF_SPADES,
    VALUES,
    State,
    owned,
    played,
)
from cardtable.games.shared.captures import (
    LEFT,
    MOST_DEALS,
    after_turn,
    ahead,
    begin_deal,
    capture,
    give,
    in_hands,
    lay_down,
    restock,
    sweep,
)
from cardtable.games.shared.scores import score, show_scores
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.contract import TABLE, cite, clear_events, emit, emit_card, implement

#: a card of the worst table has 329 sets of sums, with or without a pair and a build: see tests/games/test_cassino.py
MAX_MOVES = 6144
SPREAD = 3  #: how many more loose cards than ranks the table may hold: only the first four can share a rank


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    begin_deal(s, cite("CA-04"))
    s.built = 0
    for v in range(11):
        s.sum_build[v] = s.sum_owner[v] = 0
    for r in range(13):
        s.pair_build[r] = s.pair_owner[r] = 0
    s.keys[0] = s.keys[1] = 0
    k = 0
    for _ in range(2):  # CA-04: two to the opponent, two to the table, two to the dealer, and again
        for place in range(3):
            for _ in range(2):
                card = 1 << cards[k]
                k += 1
                if place == 1:
                    s.board |= card
                else:
                    s.hands[s.turn if place == 0 else s.dealer] |= card
    s.counts[0] = s.counts[1] = 4
    s.stock_size = 52
    s.drawn = k
    for i in range(52):
        s.stock[i] = cards[i] if i >= k else 0


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    card = played(s, move)
    r = rank_of(card)
    kind, declared = move >> KIND & 15, move >> DECLARED
    others = move & CARDS & ~(1 << card)
    s.keys[seat] &= ~(1 << r)  # the fact may have been this very card
    if kind == TAKE:
        take(s, seat, card, others)
    else:
        lay_down(s, seat, card, cite("CA-14") if kind <= RAISE else cite("CA-06"))
        s.board &= ~others
        if kind == BUILD:
            add(s, seat, declared, others | 1 << card)
            emit(s, BUILDS, seat, TABLE, declared, cite("CA-15"))
        elif kind == PAIR:
            s.pair_build[r] |= others | 1 << card  # CA-Q7: all loose cards of the rank
            s.pair_owner[r] = seat
            s.built |= others | 1 << card
            s.keys[seat] |= 1 << r
            emit_card(s, PAIRS, seat, TABLE, card, cite("CA-16"))
        elif kind == RAISE:
            for v in range(HIGHEST):
                if s.sum_build[v] & others:
                    s.sum_build[v] = s.sum_owner[v] = 0
            add(s, seat, declared, others | 1 << card)
            emit(s, RAISES, seat, TABLE, declared, cite("CA-Q9"))
        else:
            s.board |= 1 << card
    if s.rules.build_obligation:  # CA-Q5: the owner of a build keeps its key
        s.keys[seat] |= owned(s, seat)
    s.turn = after_turn(s, seat)
    if in_hands(s) == 0:
        if s.drawn < s.stock_size:
            give(s, 4, 2)  # CA-08
        else:
            finish(s)


@rule
def add(s: State, seat: int, value: int, cards: int) -> None:
    """Add cards to the addition build of a value, or create it; the mover owns it and has proved to hold its key
    (CA-19, CA-21).
    """
    s.sum_build[value] |= cards
    s.sum_owner[value] = seat
    s.built |= cards
    s.keys[seat] |= 1 << (value - 1)


@rule
def take(s: State, seat: int, card: int, taken: int) -> None:
    """Capture (CA-09): remove the taken cards from the table; emptying it is always a sweep (CA-13, CA-24)."""
    r = rank_of(card)
    v = VALUES[r]
    lay_down(s, seat, card, cite("CA-09"))
    if s.sum_build[v] & taken:
        s.sum_build[v] = s.sum_owner[v] = 0
    if s.pair_build[r] & taken:
        s.pair_build[r] = s.pair_owner[r] = 0
    s.board &= ~taken
    s.built &= ~taken
    capture(s, seat, card, taken, cite("CA-12"))
    if s.board == 0 and s.built == 0 and s.rules.sweeps:  # CA-C1
        sweep(s, seat, card, cite("CA-13"))


@rule
def finish(s: State) -> None:
    """The cards left, builds too, go to the last capturer (CA-23); then the deal is scored."""
    rest = s.board | s.built
    if s.last >= 0 and rest:
        emit(s, LEFT, s.last, TABLE, count(rest), cite("CA-23"))
        s.piles[s.last] |= rest
        s.board = s.built = 0
        for v in range(11):
            s.sum_build[v] = s.sum_owner[v] = 0
        for r in range(13):
            s.pair_build[r] = s.pair_owner[r] = 0
    s.over = 1
    for p in range(2):
        settle(s, p)
    s.winner = ahead(s, s.gained)


@rule
def settle(s: State, p: int) -> None:
    """Score a seat's pile (CA-25)."""
    mine, theirs = s.piles[p], s.piles[1 - p]
    for i in range(s.sweeps):
        if s.sweeper[i] == p:
            score(s, p, 1, cite("CA-13"))
    aces = count(mine & RANK)
    if aces:
        emit(s, ACES, p, TABLE, aces, cite("CA-25"))
        score(s, p, aces, cite("CA-25"))
    if count(mine & SUIT) > count(theirs & SUIT):
        emit(s, MOST_SPADES, p, TABLE, count(mine & SUIT), cite("CA-25"))
        score(s, p, 1, cite("CA-25"))
    if mine >> LITTLE & 1:
        emit_card(s, TWO_OF_SPADES, p, TABLE, LITTLE, cite("CA-25"))
        score(s, p, 1, cite("CA-25"))
    if mine >> BIG & 1:
        emit_card(s, TEN_OF_DIAMONDS, p, TABLE, BIG, cite("CA-25"))
        score(s, p, 2, cite("CA-25"))
    if count(mine) > count(theirs):  # CA-Q11
        emit(s, MOST_CARDS, p, TABLE, count(mine), cite("CA-25"))
        score(s, p, 3, cite("CA-25"))


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    """Deal the unseen cards so that each seat that has shown a key holds one, without bias.

    First a card of each key rank is drawn for its holder, then the rest at random: a hand with j cards of a key rank
    occurs j times too often, so it is kept with probability 1 / j for each key.
    """
    unseen = ALL_52 & ~s.board & ~s.built & ~s.absent & ~s.piles[0] & ~s.piles[1] & ~s.hands[0] & ~s.hands[1]
    row = np.empty(worlds.MAX_CARDS, np.int64)
    while True:
        rest = unseen
        chance = 1
        for p in range(2):
            if p != seat:
                s.hands[p] = 0
                keys = s.keys[p]
                while keys:
                    card = one_of(s, rest & RANK << lowest(keys))
                    s.hands[p] |= 1 << card
                    rest &= ~(1 << card)
                    keys &= keys - 1
        worlds.spread(s.rng, rest, row)
        restock(s, seat, row)
        for p in range(2):
            if p != seat:
                keys = s.keys[p]
                while keys:
                    chance *= count(s.hands[p] & RANK << lowest(keys))
                    keys &= keys - 1
        if chance == 1 or prng.below(s.rng, chance) == 0:
            return


@rule
def one_of(s: State, cards: int) -> int:
    """A random card of a set (not empty)."""
    for _ in range(prng.below(s.rng, count(cards))):
        cards &= cards - 1
    return lowest(cards)


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    if not s.over or max(s.scores[0], s.scores[1]) < s.rules.target:
        return 0
    return 1 if s.scores[0] != s.scores[1] or s.deal_number >= MOST_DEALS else 0  # CA-Q10, CA-Q17


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = 48.0
    out[1], out[2] = -35.0, 35.0  # eleven points, and a sweep with every second card


implement(State, deal, legal, play, resample, standing, bounds, heuristic, slip)
