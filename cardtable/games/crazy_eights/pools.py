"""What all know about the hidden cards of Crazy Eights, and worlds drawn from it.

A **pool** is a set of hidden cards that nobody can tell apart by where they came from: the whole pack at the deal; and for each
reshuffle the discards that went into the new stock. A hand holds so many cards of each pool (`held`); the stock holds
cards of the newest one only. A forced draw or a pass proves that a hand `lacks` some kinds.

With two packs a card laid may be of either of two pools: then both become one, which forgets what kept them apart. So do the
oldest two when there are too many. With draw_willing=no a new draw forgets what older turns proved of the newest pool's cards.
A world is uniform over shuffles given what is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable import worlds
from cardtable.games.crazy_eights.state import CARDS, KIND, LABEL, POOLS, SEATS, State, playable
from cardtable.kernel import luck, rule
from cardtable.kernel.bits import lowest

TRIES = 64  #: random ways tried before bars of two packs are met by exchanges


@rule
def join(s: State, low: int, high: int) -> None:
    """Make pools low < high one, at the place of high."""
    for label in range(2):
        s.pool[high, label] |= s.pool[low, label]
    for p in range(s.seats):
        if s.held[p, low]:
            s.lacks[p, high] = s.lacks[p, high] & s.lacks[p, low] if s.held[p, high] else s.lacks[p, low]
            s.held[p, high] += s.held[p, low]
    for e in range(low, s.pools - 1):
        for label in range(2):
            s.pool[e, label] = s.pool[e + 1, label]
        for p in range(s.seats):
            s.held[p, e] = s.held[p, e + 1]
            s.lacks[p, e] = s.lacks[p, e + 1]
    s.pools -= 1
    e = s.pools
    s.pool[e, 0] = s.pool[e, 1] = 0
    for p in range(s.seats):
        s.held[p, e] = s.lacks[p, e] = 0


@rule
def open_pool(s: State) -> None:
    """A new stock has been made of discards: its cards are a new pool."""
    e = 0
    while e < s.pools - 1:  # a pool of which all cards have been seen is no more
        if s.pool[e, 0] | s.pool[e, 1]:
            e += 1
        else:
            join(s, e, e + 1)
    if s.pools == POOLS:
        join(s, 0, 1)
    e = s.pools
    s.pools += 1
    for i in range(s.stock_size):
        card = s.stock[i]
        s.pool[e, card >> LABEL] |= 1 << (card & KIND)


@rule
def give(s: State, seat: int, card: int) -> None:
    """A card of the newest pool comes into a hand."""
    s.hands[seat, card >> LABEL] |= 1 << (card & KIND)
    s.counts[seat] += 1
    s.held[seat, s.pools - 1] += 1


@rule
def leave(s: State, seat: int, kind: int) -> int:
    """A card of a kind leaves a hand, for all to see; return it with its label."""
    bit = 1 << kind
    e = -1
    k = 0
    while k < s.pools:
        if s.held[seat, k] and (s.pool[k, 0] | s.pool[k, 1]) & bit and not s.lacks[seat, k] & bit:
            if e >= 0:
                join(s, e, k)
                k -= 1
            e = k
        k += 1
    label = 0 if s.hands[seat, 0] & bit else 1
    if label and s.pool[e, 0] & bit:  # both are hidden here: of two that nobody can tell apart the one labelled 0 is seen first
        relabel(s, kind)
        label = 0
        s.hands[seat, 1] &= ~bit
    else:
        s.hands[seat, label] &= ~bit
    s.counts[seat] -= 1
    s.pool[e, label] &= ~bit
    s.held[seat, e] -= 1
    if s.held[seat, e] == 0:
        s.lacks[seat, e] = 0
    return kind | label << LABEL


@rule
def relabel(s: State, kind: int) -> None:
    """The hidden card of a kind that is labelled 0 becomes 1."""
    bit = 1 << kind
    for p in range(s.seats):
        if s.hands[p, 0] & bit:
            s.hands[p, 0] &= ~bit
            s.hands[p, 1] |= bit
            return
    for i in range(s.stock_size):
        if s.stock[i] == kind:
            s.stock[i] = kind | 1 << LABEL
            return


@rule
def prove(s: State, seat: int) -> None:
    """A seat had to draw or to pass: it holds nothing playable."""
    fits = playable(s)
    for e in range(s.pools):
        if s.held[seat, e]:
            s.lacks[seat, e] |= fits


@rule
def redact_hands(s: State, seat: int, shown: int) -> None:
    """Take out the stock, and the hands unless they are shown."""
    for i in range(s.stock_size):
        s.stock[i] = 0
    if not shown:
        for p in range(s.seats):
            if p != seat:
                s.hands[p, 0] = s.hands[p, 1] = 0


@rule
def fill_hands(s: State, seat: int, shown: int, work: worlds.Work) -> None:
    """Put a uniform world into a state redacted for seat."""
    n = s.seats
    known0 = known1 = 0
    for p in range(n):
        known0 |= s.hands[p, 0]
        known1 |= s.hands[p, 1]
    row = np.empty(CARDS, np.int64)
    room = np.zeros(SEATS + 1, np.int64)
    bars = np.zeros(SEATS + 1, np.int64)
    for e in range(s.pools):
        barred = 0
        total = 0
        for p in range(n):
            room[p] = 0 if shown or p == seat else s.held[p, e]
            bars[p] = s.lacks[p, e]
            total += room[p]
            if room[p]:
                barred |= bars[p]
        room[n] = s.stock_size if e == s.pools - 1 else 0
        if total + room[n] == 0:
            continue
        unseen = s.pool[e, 0] & ~known0
        if s.rules.decks == 1 and barred:
            fill_one_pack(s, unseen, room, bars, work)
            continue
        m = 0
        while unseen:
            row[m] = lowest(unseen)
            unseen &= unseen - 1
            m += 1
        unseen = s.pool[e, 1] & ~known1
        while unseen:
            row[m] = lowest(unseen) | 1 << LABEL
            unseen &= unseen - 1
            m += 1
        luck.shuffle(s.rng, row, m)
        if barred:
            meet(s, row, m, room, bars)
        i = 0
        for p in range(n):
            for _ in range(room[p]):
                s.hands[p, row[i] >> LABEL] |= 1 << (row[i] & KIND)
                i += 1
        for k in range(room[n]):
            s.stock[k] = row[i]
            i += 1


@rule
def fill_one_pack(s: State, unseen: int, room: Any, bars: Any, work: worlds.Work) -> None:
    """Spread one pack's cards of a pool over the places, none where it is barred: counted exactly."""
    n = s.seats
    places = np.zeros(SEATS + 1, np.int64)
    bars[n] = 0
    worlds.fill(s.rng, unseen, places, bars, room, n + 1, work)
    for p in range(n):
        s.hands[p, 0] |= places[p]
    if room[n]:
        row = np.empty(64, np.int64)
        for k in range(worlds.spread(s.rng, places[n], row)):
            s.stock[k] = row[k]


@rule
def meet(s: State, row: Any, m: int, room: Any, bars: Any) -> None:
    """Order two packs' cards so that no place holds what it is barred from: by rejection, exactly; if that is hopeless by random exchanges."""
    bar = np.zeros(CARDS, np.int64)
    i = 0
    for p in range(s.seats):
        for _ in range(room[p]):
            bar[i] = bars[p]
            i += 1
    for _ in range(TRIES):
        wrong = 0
        for j in range(i):
            wrong += bar[j] >> (row[j] & KIND) & 1
        if wrong == 0:
            return
        luck.shuffle(s.rng, row, m)
    steps = 0
    while steps < 40 * m or (wrong and steps < 4000 * m):
        j, k = luck.below(s.rng, m), luck.below(s.rng, m)
        a, b = row[j] & KIND, row[k] & KIND
        before = (bar[j] >> a & 1) + (bar[k] >> b & 1)
        after = (bar[j] >> b & 1) + (bar[k] >> a & 1)
        if after <= before:
            row[j], row[k] = row[k], row[j]
        wrong = 1
        if steps >= 40 * m - 1:
            wrong = 0
            for x in range(i):
                wrong += bar[x] >> (row[x] & KIND) & 1
        steps += 1
