"""Draw worlds that a seat considers possible, uniformly from all deals of the hidden cards consistent with the facts.

With one pack each pool is spread over its batches by `worlds.fill`, which counts exactly. Cases too large to count, and
two packs, where a fact about a kind may concern several pools together, are drawn by random exchanges (Metropolis et
al. 1953): two cards of one pool change places, and a world that contradicts what was shown is 1024 times less likely
for each card too many or too few. After ROUNDS exchanges a card, the first world that contradicts nothing is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.crazy_eights.knowledge import add_has
from cardtable.games.crazy_eights.state import BATCHES, KINDS, POOLS, TOKENS, State, high_of, low_of, of
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds

ROUNDS = 40
STOCK = -1  #: the place of cards in the stock; batch b of seat p is the place p x BATCHES + b
ODDS = 1023  #: a mask of random bits; they are all 0 with the chance that one contradiction is accepted


@rule
def fill_world(s: State, seat: int, shown: bool, work: worlds.Work) -> None:
    """Put a world into a state redacted for a seat. shown: all hands lie open."""
    own = -1 if shown else (1 << seat if seat >= 0 else 0)  # a mask of seats
    done = 1
    for e in range(s.pools):
        if done:
            done = fill_pool(s, e, own, work) if s.rules.decks == 1 else 0
    if not done:
        exchange(s, own)
    for p in range(s.seats):
        if not own >> p & 1:
            settle_hand(s, p)
    for i in range(s.stock_size):
        if s.sure[i]:
            s.stock[i] = s.sure[i] - 1


@rule
def settle_hand(s: State, seat: int) -> None:
    """Set a hand: the cards received, minus those laid, plus its publicly known cards."""
    low, high = s.known[seat, 0], s.known[seat, 1]
    if s.rules.decks == 1 and s.gone[seat, 0] | s.gone[seat, 1] == 0:
        for b in range(s.batches[seat]):
            low |= s.has[seat, b, 0]
    else:
        for kind in range(KINDS):
            n = of(low, high, kind) - of(s.gone[seat, 0], s.gone[seat, 1], kind)
            for b in range(s.batches[seat]):
                n += of(s.has[seat, b, 0], s.has[seat, b, 1], kind)
            low, high = low_of(low, kind, n), high_of(high, kind, n)
    s.hands[seat, 0], s.hands[seat, 1] = low, high


@rule
def fill_pool(s: State, e: int, own: int, work: worlds.Work) -> int:
    """One pack: distribute the hidden cards of a pool over its batches and the stock; return 0 if there is too much to
    count.
    """
    unseen = s.tokens[e, 0]
    # Each place but the stock has at least one of the cards, so there are at most KINDS + 1 places.
    room = np.zeros(worlds.MAX_PLACES, np.int64)
    bars = np.zeros(worlds.MAX_PLACES, np.int64)
    place = np.zeros(worlds.MAX_PLACES, np.int64)
    k = 0
    unseen_held = 0
    gone = 0
    for p in range(s.seats):
        late = 0  # cards laid before any later batch came
        banned = 0
        first = k
        for b in range(s.batches[p] - 1, -1, -1):
            if s.origin[p, b] != e:
                continue
            late |= s.least[p, b, 0]
            banned |= s.most[p, b, 0]
            if own >> p & 1:
                unseen &= ~s.has[p, b, 0]
            elif s.room[p, b]:
                room[k] = s.room[p, b]
                bars[k] = banned | gone  # gone: laid by earlier seats
                place[k] = late
                unseen_held += room[k]
                k += 1
        for i in range(first):
            bars[i] |= late
        for i in range(first, k):
            bars[i] |= late & ~place[i]
        gone |= late
    room[k] = count(unseen) - unseen_held
    bars[k] = gone
    spread = np.zeros(worlds.MAX_PLACES, np.int64)
    if not worlds.nested(s.rng, unseen, spread, bars, room, k + 1):
        work.loose = 0
        if not worlds.classified(unseen, bars, room, k + 1, work):
            return 0
        worlds.fill(s.rng, unseen, spread, bars, room, k + 1, work)
    k = 0
    for p in range(s.seats):
        for b in range(s.batches[p] - 1, -1, -1):
            if s.origin[p, b] == e and s.room[p, b] and not own >> p & 1:
                s.has[p, b, 0] = spread[k]
                k += 1
    if e == s.pools - 1:
        row = np.empty(64, np.int64)
        m = worlds.spread(s.rng, spread[k], row)
        for i in range(s.stock_size):
            if not s.sure[i]:
                m -= 1
                s.stock[i] = row[m]
    return 1


# By exchanges


@rule
def exchange(s: State, own: int) -> None:
    """Draw a world by random exchanges."""
    first = np.zeros(POOLS + 1, np.int64)  # the first place of each pool in the following rows, and the end of the last
    place = np.zeros(TOKENS, np.int64)
    kind = np.full(TOKENS, -1)
    m = lay_places(s, own, first, place)
    unplaced = np.zeros((POOLS, KINDS), np.int64)  # cards of a pool that are not placed yet
    count_left(s, own, unplaced)
    seed_gone(s, own, first, place, kind, unplaced)
    seed_rest(s, first, kind, unplaced)
    for i in range(m):
        if place[i] != STOCK:
            add_has(s, place[i] // BATCHES, place[i] % BATCHES, kind[i], 1)
    wrong = 0
    for p in range(s.seats):
        wrong += contradicted(s, p)
    turns = 0
    while turns < ROUNDS or wrong:
        for _ in range(m):
            i = prng.below(s.rng, m)
            e = 0
            while first[e + 1] <= i:
                e += 1
            j = first[e] + prng.below(s.rng, first[e + 1] - first[e])
            if kind[i] != kind[j] and place[i] != place[j]:
                wrong += swap(s, place, kind, i, j)
        turns += 1
    row = np.empty(TOKENS, np.int64)
    n = 0
    for i in range(m):
        if place[i] == STOCK:
            row[n] = kind[i]
            n += 1
    prng.shuffle(s.rng, row, n)
    for i in range(s.stock_size):
        if not s.sure[i]:
            n -= 1
            s.stock[i] = row[n]


@rule
def lay_places(s: State, own: int, first: Any, place: Any) -> int:
    """The places of hidden cards, one for each card, in the order of their pools; return how many.

    Batches are emptied.
    """
    m = 0
    for e in range(s.pools):
        first[e] = m
        for p in range(s.seats):
            for b in range(s.batches[p]):
                if s.origin[p, b] == e and not own >> p & 1:
                    s.has[p, b, 0] = s.has[p, b, 1] = 0
                    for _ in range(s.room[p, b]):
                        place[m] = p * BATCHES + b
                        m += 1
    for i in range(s.stock_size):
        if not s.sure[i]:
            place[m] = STOCK
            m += 1
    first[s.pools] = m
    return m


@rule
def count_left(s: State, own: int, unplaced: Any) -> None:
    """Count the cards of each pool that the viewer has not seen."""
    for e in range(s.pools):
        for k in range(KINDS):
            unplaced[e, k] = of(s.tokens[e, 0], s.tokens[e, 1], k)
    for p in range(s.seats):
        if own >> p & 1:
            for b in range(s.batches[p]):
                for k in range(KINDS):
                    unplaced[s.origin[p, b], k] -= of(s.has[p, b, 0], s.has[p, b, 1], k)


@rule
def seed_gone(s: State, own: int, first: Any, place: Any, kind: Any, unplaced: Any) -> None:
    """Begin with the cards that are gone: put each in a batch that may have held it, as far as possible."""
    for p in range(s.seats):
        kinds = 0 if own >> p & 1 else s.gone[p, 0] | s.gone[p, 1]
        while kinds:
            k = lowest(kinds)
            kinds &= kinds - 1
            for number in range(1, of(s.gone[p, 0], s.gone[p, 1], k) + 1):
                last = latest(s, p, k, number)
                ways = 0
                pick = -1
                for e in range(s.pools):
                    if unplaced[e, k]:
                        for i in range(first[e], first[e + 1]):
                            mine = (
                                place[i] != STOCK
                                and place[i] // BATCHES == p
                                and place[i] % BATCHES <= last
                                and kind[i] < 0
                            )
                            if mine and (s.rules.decks == 2 or s.origin[p, last] == e):
                                ways += 1
                                if prng.below(s.rng, ways) == 0:
                                    pick = i
                if pick >= 0:
                    e = s.origin[p, place[pick] % BATCHES]
                    kind[pick] = k
                    unplaced[e, k] -= 1


@rule
def latest(s: State, seat: int, kind: int, number: int) -> int:
    """The newest batch that can have held the card of a kind that a seat laid as its `number`-th."""
    n = 0
    for b in range(s.batches[seat]):
        here = of(s.least[seat, b, 0], s.least[seat, b, 1], kind)
        n = n + here if s.rules.decks == 1 else max(n, here)
        if n >= number:
            return b
    return s.batches[seat] - 1


@rule
def seed_rest(s: State, first: Any, kind: Any, unplaced: Any) -> None:
    """Place all other cards at random."""
    row = np.empty(TOKENS, np.int64)
    for e in range(s.pools):
        n = 0
        for k in range(KINDS):
            for _ in range(unplaced[e, k]):
                row[n] = k
                n += 1
        prng.shuffle(s.rng, row, n)
        for i in range(first[e], first[e + 1]):
            if kind[i] < 0:
                n -= 1
                kind[i] = row[n]


@rule
def contradictions(s: State, seat: int, kind: int) -> int:
    """The number of cards of a kind by which a seat's batches contradict what it has shown."""
    came = 0
    wrong = 0
    for b in range(s.batches[seat]):
        if s.rules.decks == 1 and b and s.origin[seat, b] != s.origin[seat, b - 1]:
            came = 0
        came += of(s.has[seat, b, 0], s.has[seat, b, 1], kind)
        n = of(s.least[seat, b, 0], s.least[seat, b, 1], kind)
        if n > came:
            wrong += n - came
        n = of(s.most[seat, b, 0], s.most[seat, b, 1], kind)
        if n and came > n - 1:
            wrong += came - n + 1
    return wrong


@rule
def contradicted(s: State, seat: int) -> int:
    """The same for all kinds together."""
    wrong = 0
    for kind in range(KINDS):
        wrong += contradictions(s, seat, kind)
    return wrong


@rule
def around(s: State, x: int, y: int, a: int, c: int) -> int:
    """The contradictions that exchanging the kinds a and c between the places x and y can change."""
    wrong = 0
    if x != STOCK:
        wrong += contradictions(s, x // BATCHES, a) + contradictions(s, x // BATCHES, c)
    if y != STOCK and (x == STOCK or y // BATCHES != x // BATCHES):
        wrong += contradictions(s, y // BATCHES, a) + contradictions(s, y // BATCHES, c)
    return wrong


@rule
def put(s: State, place: int, out: int, into: int) -> None:
    """Replace a card of one kind at a place by one of another."""
    if place != STOCK:
        add_has(s, place // BATCHES, place % BATCHES, out, -1)
        add_has(s, place // BATCHES, place % BATCHES, into, 1)


@rule
def swap(s: State, place: Any, kind: Any, i: int, j: int) -> int:
    """Exchange two cards, or not, by the odds; return the change in the number of contradictions."""
    x, y, a, c = place[i], place[j], kind[i], kind[j]
    more = -around(s, x, y, a, c)
    put(s, x, a, c)
    put(s, y, c, a)
    more += around(s, x, y, a, c)
    for _ in range(more):
        if prng.next64(s.rng) & prng.U(ODDS):
            put(s, x, c, a)
            put(s, y, a, c)
            return 0
    kind[i], kind[j] = c, a
    return more
