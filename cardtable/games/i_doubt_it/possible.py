"""Worlds of I Doubt It: the unseen cards dealt to hands and sets, every way that the viewer's mind allows with equal chance.

First the cards go to the hands as they were when the pile was last empty; then each of these is split, at random, into the
sets that its seat has laid since and what it still holds. That is uniform over shuffles and hidden choices alike, for
a set may be any of the hand's cards.

Of the cards some may be in one hand only: they are put there. Some may be in a few hands: one after another each is given
a free place in one of them, by chance. The number of free places it had to choose from may depend on how the cards before it fell,
so the whole is kept with the probability (product of these numbers) : (product of the most they can be), which makes every
world equally likely, or else drawn again. The others may be anywhere and fill what is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.i_doubt_it.knowledge import imagine_mind
from cardtable.games.i_doubt_it.state import CARDS, PACKS, PUBLIC, SEATS, add_into, laid_by, take_from, whole
from cardtable.kernel import luck, rule
from cardtable.kernel.bits import count, lowest


@rule
def fill_world(s: Any, seat: int) -> None:
    """Fill a state redacted for a seat (-1: a spectator) with a world."""
    viewer = seat if seat >= 0 else PUBLIC
    room = np.zeros(SEATS, np.int64)
    card = np.zeros(CARDS, np.int64)  # 2 x kind + copy
    where = np.zeros(CARDS, np.int64)  # mask of the hands where it may be
    home = np.zeros(CARDS, np.int64)  # the hand that it is given to
    others = 0
    for p in range(s.seats):
        if p != seat:
            others |= 1 << p
            room[p] = s.counts[p] + laid_by(s, p)
    n = unseen_cards(s, viewer, seat, others, card, where)
    certain = settle_certain(s.seats, n, where, home, room)
    m = sort_by_places(n, certain, where, home, card, room, s.seats)
    most = np.zeros(CARDS, np.int64)
    most_places(s.seats, certain, m, where, room, most)
    free = np.zeros(SEATS, np.int64)
    while not place_few(s.rng, s.seats, certain, m, where, home, room, most, free):
        pass
    place_rest(s.rng, s.seats, m, n, home, free)
    hand_out(s, seat, n, card, home)
    for p in range(s.seats):
        if p != seat:
            imagine_mind(s, p)
    if seat >= 0:  # what everybody knows was kept
        return


@rule
def unseen_cards(s: Any, viewer: int, seat: int, others: int, card: Any, where: Any) -> int:
    """List the cards that the viewer does not see and where each may have been when the pile was last empty."""
    n = 0
    for k in range(PACKS):
        left = whole(s, k)
        if seat >= 0:
            left &= ~s.may[viewer, seat, k]
        while left:
            kind = lowest(left)
            left &= left - 1
            card[n] = 2 * kind + k
            where[n] = 0
            for p in range(s.seats):
                if others >> p & 1:
                    where[n] |= (s.may[viewer, p, k] >> kind & 1) << p
            n += 1
    return n


@rule
def settle_certain(seats: int, n: int, where: Any, home: Any, room: Any) -> int:
    """Give the cards that may be in one hand only to it, again and again as hands fill up; mark the others -1; return the number given."""
    for i in range(n):
        home[i] = -1
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
                    if room[home[i]] == 0:
                        open_hands &= ~where[i]
    return given


@rule
def sort_by_places(n: int, certain: int, where: Any, home: Any, card: Any, room: Any, seats: int) -> int:
    """Put the given cards first, then those with few places, narrowest first; return where the cards begin that may be anywhere."""
    everywhere = 0
    for p in range(seats):
        if room[p]:
            everywhere |= 1 << p
    m = n
    for i in range(n):  # insertion sort: few cards are out of order
        w, h, c = where[i], home[i], card[i]
        rank = rank_of(w, h, everywhere)
        j = i
        while j and rank_of(where[j - 1], home[j - 1], everywhere) > rank:
            where[j], home[j], card[j] = where[j - 1], home[j - 1], card[j - 1]
            j -= 1
        where[j], home[j], card[j] = w, h, c
        if h < 0 and w == everywhere:
            m -= 1
    return m


@rule
def rank_of(where: int, home: int, everywhere: int) -> int:
    """The order of `sort_by_places`: given cards, then by number of places and by places, last those that may be anywhere."""
    if home >= 0:
        return 0
    if where == everywhere:
        return 1 << 30
    return count(where) << SEATS | where


@rule
def most_places(seats: int, first: int, m: int, where: Any, room: Any, most: Any) -> None:
    """For each card with few places the most free places it can find: all that its hands have, less the cards before it that must be there."""
    for i in range(first, m):
        free = 0
        for p in range(seats):
            if where[i] >> p & 1:
                free += room[p]
        for j in range(first, i):
            if where[j] & ~where[i] == 0:
                free -= 1
        most[i] = free


@rule
def place_few(rng: Any, seats: int, first: int, m: int, where: Any, home: Any, room: Any, most: Any, free: Any) -> bool:
    """Give each card with few places one of them; False if it must be tried again. free: the room that is left."""
    for p in range(seats):
        free[p] = room[p]
    for i in range(first, m):
        found = 0
        for p in range(seats):
            if where[i] >> p & 1:
                found += free[p]
        if found == 0 or (found < most[i] and luck.below(rng, most[i]) >= found):
            return False
        at = luck.below(rng, found)
        for p in range(seats):
            if where[i] >> p & 1:
                if at < free[p]:
                    home[i] = p
                    free[p] -= 1
                    break
                at -= free[p]
    return True


@rule
def place_rest(rng: Any, seats: int, m: int, n: int, home: Any, free: Any) -> None:
    """Give the cards that may be anywhere what is left, by a shuffle."""
    i = m
    for p in range(seats):
        for _ in range(free[p]):
            home[i] = p
            i += 1
    rest = home[m:n]
    luck.shuffle(rng, rest, n - m)


@rule
def hand_out(s: Any, seat: int, n: int, card: Any, home: Any) -> None:
    """Write the cards into the hands, then move those of the sets that the others have laid into these sets."""
    row = np.zeros(CARDS, np.int64)
    for p in range(s.seats):
        if p != seat:
            m = 0
            for i in range(n):
                if home[i] == p:
                    row[m] = card[i] // 2
                    m += 1
            luck.shuffle(s.rng, row, m)
            s.hands[p, 0] = s.hands[p, 1] = 0
            for i in range(m):
                bit = 1 << row[i]
                add_into(s.hands[p], bit, 0)
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
