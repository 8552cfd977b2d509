"""Worlds of Domino Fan-Tan where offences are fined: the cards dealt to the other seat, those it drew and when, and
the stock.

A seat that may withhold cards proves nothing by drawing, so a world must contain the time when the other seat received
each card. The places are **classes** in time: class 0 holds the cards dealt to it, classes 1 to k its draws in order,
and class k + 1 the rest of the stock. The knowledge about a card is an interval of classes, except for one kind of
fact:

* cards that the seat laid were received before that;
* cards it was found to hold were received before, and cards it was found to lack after (FT-35 to FT-38, found out at
  once);
* an offence by which no founding card was withheld shows that it held at least one of several cards: worlds that
  contradict this are rejected (`retell`).

All orders of the pack are equally likely, and the classes are filled from the last to the first. Cards with the same
earliest time form a **group**; `u` is the number of cards placed of each group in mixed radix, and `ways[c, u]` the
number of ways to fill the classes c to 1 then.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, SUIT, suit_of
from cardtable.games.fan_tan.layout import founding, playable
from cardtable.games.fan_tan.offences import retell
from cardtable.games.fan_tan.state import STOCK, FanTanTable
from cardtable.kernel import Ints, prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds

CLASSES = STOCK + 2
COUNTED_HERE = -1  #: value of `places` of a Work with a count of this module
CHOOSE = np.array([[float(math.comb(n, m)) for m in range(STOCK + 1)] for n in range(53)])  #: m cards of n


@rule
def redraw(s: FanTanTable, seat: int, work: worlds.Work) -> None:
    """Give a redacted state a hand for the other seat, its draws and a stock, with equal chance for each that this seat
    cannot rule out. A spectator has two hands to fill, whose draws are between each other: for it there is no world.
    """
    work.clashed = 0 if seat >= 0 else worlds.NOT_FOR_SPECTATORS
    if work.clashed:
        return
    other = 1 - seat
    unseen = ALL_52 & ~s.absent & ~s.layout & ~s.hands[seat]
    group = np.zeros(CLASSES, np.int64)  # of a class: the cards that cannot come before it
    reach = np.zeros(CLASSES, np.int64)  # of a class: the cards that may come in it or later
    k = intervals(s, seat, unseen, group, reach)
    r = s.stock_size - s.drawn
    recount(k, r, group, reach, work)
    stock: Any = s.stock
    under = stock[s.drawn :]
    order = np.zeros(CLASSES, np.int64)
    while True:
        undrawn = deal_back(s.rng, k, r, work, under, order)
        s.hands[other] = unseen & ~undrawn
        c = 0
        for i in range(s.drawn):
            if s.drew[i] & 15 == other:
                c += 1
                s.stock[i] = order[c]
        if s.one_of[other] and not s.one_of[other] & s.hands[other]:
            continue
        if not s.rules.detect_immediate or retell(s, 0):
            return


@rule
def intervals(s: FanTanTable, seat: int, unseen: int, group: Ints, reach: Ints) -> int:
    """Go through the history and fill `group` and `reach`; return k, the number of cards that the other seat drew."""
    other = 1 - seat
    cards = unseen | s.laid_by[other]
    lacked = np.zeros(CLASSES, np.int64)  # [b]: lacked after b draws
    held = np.zeros(CLASSES, np.int64)  # [b]: held after b draws
    some = np.zeros(CLASSES, np.int64)  # of each draw by which nothing was named: held one of these
    when = np.zeros(CLASSES, np.int64)
    m = b = drawn = 0
    layout = s.layout
    s.layout = s.origin
    for k in range(s.laid_count + 1):
        fits = playable(s)
        while drawn < s.drawn and s.drew[drawn] >> 4 == k:
            theirs = 1 if s.drew[drawn] & 15 == other else 0
            if s.rules.detect_immediate:
                learn(s, theirs, fits, s.found[drawn], b, lacked, held)
                if theirs and s.found[drawn] == 1:
                    some[m] = fits & ~founding(s) & cards
                    when[m] = b
                    m += 1
            b += theirs
            drawn += 1
        if k < s.laid_count:
            s.layout |= 1 << s.laid[k]
            held[b] |= 1 << s.laid[k] & s.laid_by[other]
    s.layout = layout
    lacked[b] |= s.lacks[other]
    held[b] |= s.shows[other]
    for i in range(m):
        possible = some[i]
        for c in range(when[i], b + 1):
            possible &= ~lacked[c]
        if count(possible) == 1:
            held[when[i]] |= possible
    rest = cards
    for c in range(b + 1, 0, -1):
        group[c] = rest & lacked[c - 1]
        rest &= ~group[c]
    group[0] = rest
    reach[0] = cards
    for c in range(1, b + 2):
        reach[c] = reach[c - 1] & ~held[c - 1]
    return b


@rule
def learn(s: FanTanTable, theirs: int, fits: int, outcome: int, b: int, lacked: Ints, held: Ints) -> None:
    """Apply the facts found out at once (`finding`) about a draw made after the other seat had drawn b cards. theirs:
    1 if that seat made it.
    """
    founders = fits & founding(s)
    if outcome == 0:
        if theirs:
            lacked[b] |= fits
        return
    named = 0
    for suit in range(4):
        if outcome >> 1 + suit & 1:
            named |= founders & SUIT << 13 * suit
    if theirs:
        held[b] |= named
        if not s.rules.fine_when_forced:
            lacked[b] |= founders & ~named
        elif named:  # FT-38: they were all that the seat could play
            lacked[b] |= fits & ~named
    while named:
        founder = lowest(named)
        named &= named - 1
        suit = suit_of(founder)
        for side in range(2):
            bits = outcome >> 5 + 5 * (2 * suit + side)
            far = bits & 15
            step = 2 * side - 1
            if theirs:
                card = founder + step
                while s.rules.fine_beyond_run and suit_of(card) == suit and card >= 0 and card != founder + far * step:
                    held[b] |= 1 << card
                    card += step
                if s.rules.fine_beyond_run and far:
                    lacked[b] |= 1 << card
            elif far and bits >> 4 & 1:
                held[b] |= 1 << founder + far * step
            elif far:  # nobody was paid for it: it was in the stock
                lacked[b] |= 1 << founder + far * step


@rule
def recount(k: int, r: int, group: Ints, reach: Ints, work: Any) -> None:
    """Count the ways, unless `work` already holds the count for these cards.

    The cards of `work` are then `group`, `reach` and the groups that are counted, which are fewer where the table would
    be too large; its ways are the layers of the classes 0 to k, and the chances of `u` after the stock is filled.
    """
    same = work.places == COUNTED_HERE and work.classes == k and work.m == r
    for c in range(k + 2):
        same = same and work.cards[c] == group[c] and work.cards[CLASSES + c] == reach[c]
    if same:
        return
    work.places, work.classes, work.m = COUNTED_HERE, k, r
    for c in range(k + 2):
        work.cards[c] = work.cards[2 * CLASSES + c] = group[c]
        work.cards[CLASSES + c] = reach[c]
    counted: Any = work.cards[2 * CLASSES :]
    weight = np.ones(CLASSES + 1, np.int64)
    while weigh(k, counted, weight) > worlds.LIMIT:
        merge(k, counted)
    work.ways[0] = 1.0
    start = 0
    for c in range(1, k + 1):
        for u in range(weight[c + 1]):
            work.ways[start + weight[c] + u] = ways_on(c, u, k, r, start, weight, work)
        start += weight[c]
    for u in range(weight[k + 1]):
        work.ways[start + weight[k + 1] + u] = ways_of_stock(u, k, r, weight, work) * work.ways[start + u]


@rule
def weigh(k: int, group: Ints, weight: Ints) -> int:
    """Set weight[c] to what one card of group c adds to `u`; return the size of the table of ways."""
    entries = weight[1] = 1
    for c in range(1, k + 1):
        weight[c + 1] = weight[c] * (count(group[c]) + 1)
        entries += weight[c + 1]
    return entries + weight[k + 1]


@rule
def merge(k: int, group: Ints) -> None:
    """Join a group with the one before it, where this weakens the constraints least; worlds in which a card then comes
    too early are rejected.
    """
    last, best, to = 0, 0, 0
    for c in range(1, k + 1):
        if group[c]:
            if best == 0 or c - last < best - to:
                best, to = c, last
            last = c
    group[to] |= group[best]
    group[best] = 0


@rule
def in_group(u: int, g: int, weight: Ints) -> int:
    """How many cards of group g are placed."""
    return u % weight[g + 1] // weight[g]


@rule
def ways_on(c: int, u: int, k: int, r: int, start: int, weight: Ints, work: worlds.Work) -> float:
    """In how many ways the classes c to 1 can be filled after `u` is placed. start: where the layer c - 1 begins."""
    total = 0.0
    for g in range(c + 1):
        total += ways_by(g, c, u, k, r, start, weight, work)
    return total


@rule
def ways_by(g: int, c: int, u: int, k: int, r: int, start: int, weight: Ints, work: worlds.Work) -> float:
    """The same, when class c takes a card of group g."""
    offered = count(work.cards[2 * CLASSES + g] & work.cards[CLASSES + c])
    if g:
        offered -= in_group(u, g, weight)
        u += weight[g]
    else:
        offered -= free(c, u, k, r, weight, work)
    if offered <= 0 or u // weight[c] != count(work.cards[2 * CLASSES + c]):  # class c was the last for its group
        return 0.0
    return offered * work.ways[start + u % weight[c]]


@rule
def free(c: int, u: int, k: int, r: int, weight: Ints, work: worlds.Work) -> int:
    """How many cards of group 0 are placed before class c is filled."""
    placed = r + k - c
    for g in range(1, k + 2):
        placed -= in_group(u, g, weight) if g <= c else count(work.cards[2 * CLASSES + g])
    return placed


@rule
def ways_of_stock(u: int, k: int, r: int, weight: Ints, work: worlds.Work) -> float:
    """The number of possible stocks that take the cards `u` and all of the last group."""
    rest = r - count(work.cards[2 * CLASSES + k + 1])
    ways = 1.0
    for g in range(k, -1, -1):
        n = in_group(u, g, weight) if g else rest
        rest -= n
        if n < 0:
            return 0.0
        ways *= CHOOSE[count(work.cards[2 * CLASSES + g] & work.cards[CLASSES + k + 1]), n]
    return ways


@rule
def deal_back(rng: Any, k: int, r: int, work: Any, under: Any, order: Ints) -> int:
    """Draw the stock into `under`, and the other seat's draws into order[1..k]; return the cards in the stock."""
    counted: Any = work.cards[2 * CLASSES :]
    reach: Any = work.cards[CLASSES:]
    weight = np.ones(CLASSES + 1, np.int64)
    weigh(k, counted, weight)
    start = 0
    for c in range(1, k + 1):
        start += weight[c]
    chances: Any = work.ways[start + weight[k + 1] :]
    total = 0.0
    for u in range(weight[k + 1]):
        total += chances[u]
    x = prng.unit(rng) * total
    u = 0
    for v in range(weight[k + 1]):
        if chances[v] > 0.0:
            u = v
            x -= chances[v]
            if x < 0.0:
                break
    row = np.empty(worlds.MAX_CARDS, np.int64)
    undrawn = counted[k + 1]
    rest = r - count(undrawn)
    for g in range(k, -1, -1):
        n = in_group(u, g, weight) if g else rest
        rest -= n
        worlds.spread(rng, counted[g] & reach[k + 1], row)
        for i in range(n):
            undrawn |= 1 << row[i]
    m = worlds.spread(rng, undrawn, row)
    for i in range(m):
        under[i] = row[i]
    taken = undrawn
    for c in range(k, 0, -1):
        start -= weight[c]
        x = prng.unit(rng) * ways_on(c, u, k, r, start, weight, work)
        pick = 0
        for g in range(c + 1):
            ways = ways_by(g, c, u, k, r, start, weight, work)
            if ways > 0.0:
                pick = g
                x -= ways
                if x < 0.0:
                    break
        m = worlds.spread(rng, counted[pick] & reach[c] & ~taken, row)
        order[c] = row[0]
        taken |= 1 << row[0]
        u = (u + weight[pick] if pick else u) % weight[c]
    return undrawn
