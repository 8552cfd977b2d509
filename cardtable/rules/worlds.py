"""Uniform worlds: the places of all unseen cards, drawn uniformly from the places that the facts allow.

A **place** is hidden from the viewer: another hand, the stock, a dead hand. It has **room** for a number of cards and
**bars** some (its holder passed while they could be played). There are two exact ways of drawing:

* The bars are *nested*: each set contains the next, as when the cards barred to the last seat that passed include
* those
  barred to the seats that passed before. Then the tightest place is filled first, the next from the remaining cards,
  and so on: the number of ways to fill the others does not depend on the first.
* Otherwise the barred cards are *counted*: places that bar the same ones form a class, and `ways[i, u]` is the number
  of ways to give slots to the cards i, i+1, ... when class c has already lost digit c of u. Each barred card is given
  to a class according to its share of the ways; the rest is a shuffle. If the table of ways would be too large, the
bars of some places are left out of the count and satisfied by rejection, which is also exact.

If facts contradict each other, there is no such world: `fill` then lays the cards down without regard to the bars,
and records the cards with too little room for `clash` and `refuse_clash`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import card_text
from cardtable.base.errors import OptionError
from cardtable.kernel import Ints, Record, field, prng, rule
from cardtable.kernel.bits import count, lowest

MAX_PLACES = 64
MAX_CARDS = 64
LIMIT = 1 << 15  #: entries in the table of ways
NOT_FOR_SPECTATORS = 2  #: `clashed` where a game can draw worlds for a seat only


class Work(Record):
    """The counts of `fill`, kept between calls, so that the worlds of a position are counted only once."""

    unseen: int = field()
    places: int = field()
    barred: Ints = field("i8", MAX_PLACES)
    room: Ints = field("i8", MAX_PLACES)
    classes: int = field()
    signature: Ints = field("i8", MAX_PLACES)  #: of a class: the counted cards that it bars
    kind: Ints = field("i8", MAX_PLACES)  #: of a place: its class
    slots: Ints = field("i8", MAX_PLACES)  #: of a class: its room
    weight: Ints = field("i8", MAX_PLACES)  #: of a class: what one lost slot adds to u
    loose: int = field()  #: mask of the places whose bars are met by rejection
    m: int = field()  #: the number of counted cards
    cards: Ints = field("i8", MAX_CARDS)  #: the counted cards
    states: int = field()  #: the number of values that u can have
    ways: NDArray[np.float64] = field("f8", LIMIT)
    excess: int = field()  #: cards that have too little room, if there is no world; 0: there is one
    full: int = field()  #: mask of the places in which alone these cards may lie
    clashed: int = field()  #: 1: there was no world at the last call; `excess` stays with its counts. 2: see above


@rule
def fill(rng: Any, unseen: int, hands: Ints, barred: Ints, room: Ints, places: int, work: Work) -> None:
    """Spread `unseen` over the places: room[p] more cards into hands[p], none of barred[p]. The rooms add up to all of
    `unseen`.

    All ways are equally likely. If there is none, `clash` gives the reason, and the bars are ignored.
    """
    if nested(rng, unseen, hands, barred, room, places):
        work.clashed = 0
        return
    counted(unseen, barred, room, places, work)
    work.clashed = 1 if work.excess else 0
    if work.clashed:
        anyhow(rng, unseen, hands, room, places)
        return
    while True:
        done = draw(rng, unseen, work)
        good = True
        row = np.empty(MAX_CARDS, np.int64)
        held = np.zeros(places, np.int64)
        for c in range(work.classes):
            spread(rng, done[c], row)
            j = 0
            for p in range(places):
                if room[p] and work.kind[p] == c:
                    for _ in range(room[p]):
                        held[p] |= 1 << row[j]
                        j += 1
                    if held[p] & barred[p]:
                        good = False
        if good:
            for p in range(places):
                hands[p] |= held[p]
            return


@rule
def nested(rng: Any, unseen: int, hands: Ints, barred: Ints, room: Ints, places: int) -> bool:
    """Fill the places if their bars are nested and there is a way; otherwise change nothing and return False."""
    order = np.empty(MAX_PLACES, np.int64)
    n = 0
    for p in range(places):  # tightest first
        if room[p]:
            bars = barred[p] & unseen
            i = n
            while i and count(barred[order[i - 1]] & unseen) < count(bars):
                order[i] = order[i - 1]
                i -= 1
            order[i] = p
            n += 1
    for i in range(n - 1):
        if barred[order[i + 1]] & unseen & ~barred[order[i]]:
            return False
    taken = 0
    for i in range(n):
        taken += room[order[i]]
        if count(unseen & ~barred[order[i]]) < taken:
            return False
    if count(unseen) != taken:
        return False
    row = np.empty(MAX_CARDS, np.int64)
    for i in range(n):
        p = order[i]
        if i == n - 1:  # the last place takes the rest
            hands[p] |= unseen
            return True
        allowed = unseen & ~barred[p]
        m = 0
        while allowed:
            row[m] = lowest(allowed)
            allowed &= allowed - 1
            m += 1
        for k in range(room[p]):
            j = k + prng.below(rng, m - k)
            card = row[j]
            row[j] = row[k]
            hands[p] |= 1 << card
            unseen &= ~(1 << card)
    return True


@rule
def counted(unseen: int, barred: Ints, room: Ints, places: int, work: Work) -> None:
    """Count the ways, unless `work` has the counts for these arguments already."""
    same = work.unseen == unseen and work.places == places
    for p in range(places):
        same = same and work.barred[p] == barred[p] and work.room[p] == room[p]
    if same:
        return
    work.unseen = unseen
    work.places = places
    for p in range(places):
        work.barred[p] = barred[p]
        work.room[p] = room[p]
    find_excess(unseen, barred, room, places, work)
    work.loose = 0
    while not classified(unseen, barred, room, places, work):
        least = -1
        for p in range(places):  # the place that bars least is left to rejection
            if room[p] and not work.loose >> p & 1 and barred[p] & unseen:
                if least < 0 or count(barred[p] & unseen) < count(barred[least] & unseen):
                    least = p
        work.loose |= 1 << least
    m, states, classes = work.m, work.states, work.classes
    for u in range(states):
        work.ways[m * states + u] = 1.0
    for i in range(m - 1, -1, -1):
        for u in range(states):
            used = 0
            total = 0.0
            for c in range(classes - 1, -1, -1):
                top = min(work.slots[c], m) + 1
                here = u // work.weight[c] % top if c else i - used
                used += here
                open_to = not work.signature[c] >> work.cards[i] & 1
                if 0 <= here < work.slots[c] and open_to and (c == 0 or here < top - 1):
                    total += (work.slots[c] - here) * work.ways[(i + 1) * states + u + work.weight[c]]
            work.ways[i * states + u] = total if used == i else 0.0


@rule
def find_excess(unseen: int, barred: Ints, room: Ints, places: int, work: Work) -> None:
    """Give each card room, moving others on where that helps (augmenting paths, Kuhn 1955). Where a card finds none,
    the places that it could reach are full of cards that may lie nowhere else (Hall 1935): note both.
    """
    work.excess = work.full = 0
    total = 0
    for p in range(places):
        total += room[p]
        work.full |= 1 << p
    if total != count(unseen):
        work.excess = unseen
        return
    held = np.zeros(MAX_PLACES, np.int64)
    source = np.empty(MAX_PLACES, np.int64)  # the place from which a card would move here; -1: it is the new one
    moved = np.empty(MAX_PLACES, np.int64)  # that card
    queue = np.empty(MAX_PLACES, np.int64)
    rest = unseen
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        reached = head = tail = 0
        for p in range(places):
            if room[p] and not barred[p] >> card & 1:
                reached |= 1 << p
                source[p], moved[p] = -1, card
                queue[tail] = p
                tail += 1
        end = -1
        while head < tail and end < 0:
            p = queue[head]
            head += 1
            if count(held[p]) < room[p]:
                end = p
            for q in range(places):
                free = held[p] & ~barred[q]
                if room[q] and free and not reached >> q & 1:
                    reached |= 1 << q
                    source[q], moved[q] = p, lowest(free)
                    queue[tail] = q
                    tail += 1
        if end < 0:
            work.excess, work.full = 1 << card, reached
            for p in range(places):
                if reached >> p & 1:
                    work.excess |= held[p]
            return
        while end >= 0:
            p = source[end]
            held[end] |= 1 << moved[end]
            if p >= 0:
                held[p] &= ~(1 << moved[end])
            end = p


@rule
def anyhow(rng: Any, unseen: int, hands: Ints, room: Ints, places: int) -> None:
    """Fill the places without regard to what they bar, as far as there are cards."""
    row = np.empty(MAX_CARDS, np.int64)
    n, k = spread(rng, unseen, row), 0
    for p in range(places):
        for _ in range(room[p]):
            if k < n:
                hands[p] |= 1 << row[k]
                k += 1


def clash(work: Work) -> str:
    """Why there was no world at the last call of `fill` or `resample`; "" if there was one."""
    if not work.clashed:
        return ""
    if work.clashed == NOT_FOR_SPECTATORS:
        return "worlds are drawn for a seat only"
    within = [p for p in range(int(work.places)) if int(work.full) >> p & 1]
    cards = " ".join(card_text(card) for card in range(64) if int(work.excess) >> card & 1)
    return (
        f"the unseen cards {cards} can only lie in the places {within}, which have room for "
        f"{sum(int(work.room[p]) for p in within)}"
    )


def refuse_clash(game: str, work: Work) -> None:
    """Raises OptionError if no world agreed with the facts of a game (`game/facts`), or if they were asked for a
    spectator, and the game draws them for a seat only (`game/spectator`).
    """
    if work.clashed == NOT_FOR_SPECTATORS:
        raise OptionError(
            "a spectator's worlds",
            f"{game} with these rules draws them for a seat only",
            "ask for the worlds of a seat",
            code="game/spectator",
        )
    if why := clash(work):
        raise OptionError(
            f"game {game}",
            f"its facts contradict each other: {why}",
            "correct what its resample takes for known",
            code="game/facts",
        )


@rule
def classified(unseen: int, barred: Ints, room: Ints, places: int, work: Work) -> bool:
    """Sort the places into classes and the barred cards into a row; False if the table of ways would be too large."""
    tight = 0
    for p in range(places):
        if room[p] and not work.loose >> p & 1:
            tight |= barred[p] & unseen
    work.classes = 0
    for p in range(places):
        if room[p]:
            bars = 0 if work.loose >> p & 1 else barred[p] & tight
            c = 0
            while c < work.classes and work.signature[c] != bars:
                c += 1
            if c == work.classes:
                work.signature[c] = bars
                work.slots[c] = 0
                work.classes += 1
            work.kind[p] = c
            work.slots[c] += room[p]
    work.m = 0
    while tight:
        work.cards[work.m] = lowest(tight)
        tight &= tight - 1
        work.m += 1
    work.states = 1
    work.weight[0] = 0  # class 0 takes the rest
    for c in range(1, work.classes):
        work.weight[c] = work.states
        work.states *= min(work.slots[c], work.m) + 1
        if work.states * (work.m + 1) > LIMIT:
            return False
    return True


@rule
def draw(rng: Any, unseen: int, work: Work) -> Any:
    """Draw, for each class, the set of cards that its places hold together."""
    held = np.zeros(MAX_PLACES, np.int64)
    given = np.zeros(MAX_PLACES, np.int64)
    u = 0
    for i in range(work.m):
        card = work.cards[i]
        unseen &= ~(1 << card)
        x = prng.unit(rng) * work.ways[i * work.states + u]
        pick = -1
        for c in range(work.classes):
            if given[c] < work.slots[c] and not work.signature[c] >> card & 1:
                here = (work.slots[c] - given[c]) * work.ways[(i + 1) * work.states + u + work.weight[c]]
                if here > 0.0:
                    pick = c
                    x -= here
                    if x < 0.0:
                        break
        given[pick] += 1
        held[pick] |= 1 << card
        u += work.weight[pick]
    row = np.empty(MAX_CARDS, np.int64)
    spread(rng, unseen, row)
    k = 0
    for c in range(work.classes):
        for _ in range(work.slots[c] - given[c]):
            held[c] |= 1 << row[k]
            k += 1
    return held


@rule
def spread(rng: Any, cards: int, row: Any) -> int:
    """Write a set of cards into row in random order; return how many."""
    n = 0
    while cards:
        row[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    prng.shuffle(rng, row, n)
    return n
