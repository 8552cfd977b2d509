"""Worlds of I Doubt It: the unseen cards dealt to hands and sets, uniformly over all ways consistent with the
viewer's mind.

First the cards go to the hands as they were when the pile was last empty; then each of these is split, at random, into
the sets that its seat has laid since and the cards it still holds. That is uniform over shuffles and hidden choices
alike, since a set may be any of the hand's cards.

Cards that can be in one hand only are put there. Cards that can be in a few hands are grouped; each is given one of its
hands independently, hand p with a probability proportional to a pull t(p). The rest can be anywhere and fill the
remaining room. Let hand p have room r(p) and get u(p) of the cards with few hands: then the number of ways to place the
rest is proportional to the product of r(p)! / (r(p) - u(p))!, and the first step has a probability proportional to the
product of t(p)^u(p). So accepting it with the quotient of the two, divided hand by hand by its maximum, makes every
world equally likely, for any pulls; pulls close to the room finally left make rejections rare.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.i_doubt_it.knowledge import imagine_mind
from cardtable.games.i_doubt_it.state import CARDS, PACKS, PUBLIC, SEATS, add_into, laid_by, take_from, whole
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds

ROUNDS = 12  #: iterations that find the pulls
LEAST_PULL = 0.25


@rule
def resample(s: Any, seat: int, work: worlds.Work) -> None:
    """Fill a state redacted for a seat (-1: a spectator) with a world."""
    if s.over:  # nothing is hidden
        return
    room = np.zeros(SEATS, np.int64)
    card = np.zeros(CARDS, np.int64)  # 2 x kind + copy
    where = np.zeros(CARDS, np.int64)  # mask of the hands it may be in
    home = np.zeros(CARDS, np.int64)  # the hand it is given to
    for p in range(s.seats):
        if p != seat:
            room[p] = s.counts[p] + laid_by(s, p)
    n = unseen_cards(s, seat, card, where)
    certain = settle_certain(s.seats, n, where, home, room)
    m = sort_by_hands(s.seats, n, where, home, card, room)
    place_few(s.rng, s.seats, certain, m, where, home, room)
    place_rest(s.rng, s.seats, m, n, home, room)
    hand_out(s, seat, n, card, home)
    for p in range(s.seats):
        if p != seat:
            imagine_mind(s, p)


@rule
def unseen_cards(s: Any, seat: int, card: Any, where: Any) -> int:
    """List the cards that a seat (-1: a spectator) did not hold when the pile was last empty, and where each may have
    been; return how many.
    """
    viewer = seat if seat >= 0 else PUBLIC
    n = 0
    for k in range(PACKS):
        unseen = whole(s, k)
        if seat >= 0:
            unseen &= ~s.may[viewer, seat, k]
        while unseen:
            kind = lowest(unseen)
            unseen &= unseen - 1
            card[n] = 2 * kind + k
            where[n] = 0
            for p in range(s.seats):
                where[n] |= (s.may[viewer, p, k] >> kind & 1) << p
            n += 1
    return n


@rule
def settle_certain(seats: int, n: int, where: Any, home: Any, room: Any) -> int:
    """Give cards with only one possible hand to that hand, repeatedly as hands fill up; mark the others -1; return
    the number of others.
    """
    home[:n] = -1
    given = 0
    again = True
    while again:
        again = False
        open_hands = 0
        for p in range(seats):
            if room[p]:
                open_hands |= 1 << p
        for i in range(n):
            if home[i] < 0:
                where[i] &= open_hands
                if count(where[i]) == 1:
                    home[i] = lowest(where[i])
                    room[home[i]] -= 1
                    given += 1
                    again = True
    return given


@rule
def sort_by_hands(seats: int, n: int, where: Any, home: Any, card: Any, room: Any) -> int:
    """Put the given cards first, then those with few possible hands, in groups; return the index of the first
    unrestricted card.
    """
    everywhere = 0
    for p in range(seats):
        if room[p]:
            everywhere |= 1 << p
    m = n
    for i in range(n):
        w, h, c = where[i], home[i], card[i]
        rank = order(w, h, everywhere)
        j = i
        while j and order(where[j - 1], home[j - 1], everywhere) > rank:
            where[j], home[j], card[j] = where[j - 1], home[j - 1], card[j - 1]
            j -= 1
        where[j], home[j], card[j] = w, h, c
        if h < 0 and w == everywhere:
            m -= 1
    return m


@rule
def order(where: int, home: int, everywhere: int) -> int:
    """The order of `sort_by_hands`."""
    if home >= 0:
        return 0
    return 1 << SEATS if where == everywhere else where


@rule
def place_few(rng: Any, seats: int, first: int, m: int, where: Any, home: Any, room: Any) -> None:
    """Give each card with few hands one of them, and subtract the room it fills."""
    if first == m:
        return
    pull = np.zeros(SEATS)
    find_pulls(seats, first, m, where, room, pull)
    share = np.zeros((SEATS, CARDS + 1))
    for p in range(seats):
        shares(room[p], pull[p], share[p])
    got = np.zeros(SEATS, np.int64)
    keep = -1.0
    while prng.unit(rng) >= keep:
        got[:] = 0
        for i in range(first, m):
            home[i] = drawn_to(rng, seats, where[i], pull)
            got[home[i]] += 1
        keep = 1.0
        for p in range(seats):
            keep *= share[p, got[p]]
    for p in range(seats):
        room[p] -= got[p]


@rule
def find_pulls(seats: int, first: int, m: int, where: Any, room: Any, pull: Any) -> None:
    """Find pulls near the average room left in each hand, by repeatedly distributing the cards in fractions."""
    for p in range(seats):
        pull[p] = max(float(room[p]), LEAST_PULL)
    gets = np.zeros(SEATS)
    for _ in range(ROUNDS):
        gets[:] = 0.0
        i = first
        while i < m:
            j = i
            while j < m and where[j] == where[i]:
                j += 1
            total = pulls(seats, where[i], pull)
            for p in range(seats):
                if where[i] >> p & 1:
                    gets[p] += (j - i) * pull[p] / total
            i = j
        for p in range(seats):
            pull[p] = max(0.5 * (pull[p] + room[p] - gets[p]), LEAST_PULL)


@rule
def pulls(seats: int, where: int, pull: Any) -> float:
    """The sum of the pulls of the hands in a mask."""
    total = 0.0
    for p in range(seats):
        if where >> p & 1:
            total += pull[p]
    return total


@rule
def drawn_to(rng: Any, seats: int, where: int, pull: Any) -> int:
    """A random hand of a mask, with chances proportional to the pulls."""
    x = prng.unit(rng) * pulls(seats, where, pull)
    pick = -1
    for p in range(seats):
        if where >> p & 1:
            pick = p
            x -= pull[p]
            if x < 0.0:
                break
    return pick


@rule
def shares(room: int, pull: float, share: Any) -> None:
    """share[u] = room! / (room - u)! / pull^u, divided by its maximum over u; 0 for u above room."""
    share[0] = top = 1.0
    for u in range(1, room + 1):
        share[u] = share[u - 1] * (room - u + 1) / pull
        top = max(top, share[u])
    for u in range(room + 1):
        share[u] /= top


@rule
def place_rest(rng: Any, seats: int, m: int, n: int, home: Any, room: Any) -> None:
    """Shuffle the cards that may be anywhere into the room left."""
    i = m
    for p in range(seats):
        for _ in range(room[p]):
            home[i] = p
            i += 1
    prng.shuffle(rng, home[m:n], n - m)


@rule
def hand_out(s: Any, seat: int, n: int, card: Any, home: Any) -> None:
    """Write the cards into the hands, then move the laid cards of other seats into their sets."""
    row = np.zeros(CARDS, np.int64)
    for p in range(s.seats):
        if p != seat:
            m = 0
            for i in range(n):
                if home[i] == p:
                    row[m] = card[i] // 2
                    m += 1
            prng.shuffle(s.rng, row, m)
            for i in range(m):
                add_into(s.hands[p], 1 << row[i], 0)
            lay_out(s, p, row)


@rule
def lay_out(s: Any, p: int, row: Any) -> None:
    """The sets that a seat has laid hold the first cards of a shuffled row."""
    j = 0
    for i in range(s.sets):
        if s.set_by[i] == p:
            for _ in range(s.set_size[i]):
                bit = 1 << row[j]
                add_into(s.set_cards[i], bit, 0)
                take_from(s.hands[p], bit, 0)
                j += 1
