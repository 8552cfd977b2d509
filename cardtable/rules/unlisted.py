"""Unlisted cards of a position, dealt at random consistently with the facts about each place."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from cardtable.base.cards import cards_in, set_of
from cardtable.base.errors import PositionError

ANY = 999  #: no limit
STEPS = 30_000  #: limit for the numbers of cards tried while ways are counted
SWAPS = 3000  #: so often two cards are exchanged where there are too many ways


class Held(NamedTuple):
    """A fact about a place: it holds `least` to `most` of some cards."""

    cards: int
    least: int
    most: int


def lacks(cards: int) -> Held:
    """A place holds none of these cards."""
    return Held(cards, 0, 0)


def holds(cards: int) -> Held:
    """A place holds all of these cards."""
    return Held(cards, cards.bit_count(), ANY)


def some_of(cards: int) -> Held:
    """A place holds one of these cards at least."""
    return Held(cards, 1, ANY)


def left_of(fact: Held, named: list[int]) -> Held:
    """The remaining fact about a place's other cards when these are in it."""
    n = sum(fact.cards >> card & 1 for card in named)
    return Held(fact.cards, fact.least - n, max(fact.most - n, 0))


def deal(
    rest: list[int], rooms: list[int], facts: list[list[Held]], shuffle: Callable[[list[int]], None]
) -> list[list[int]]:
    """Deal shuffled cards to places that have room for all of them, in a way that agrees with the facts."""
    dealt = [rest[sum(rooms[:p]) : sum(rooms[: p + 1])] for p in range(len(rooms))]
    if not any(map(wrong, dealt, facts)):
        return dealt
    seed = list(range(52))
    shuffle(seed)
    chance = random.Random(str(seed))
    sure, rest, facts = _settled(rest, facts)
    rooms = [room - len(cards) for room, cards in zip(rooms, sure, strict=True)]
    drawn = None
    if min(rooms) >= 0:
        try:
            drawn = _counted(rest, rooms, facts, chance)
        except _TooMany:
            drawn = _swapped(rest, rooms, facts, chance)
    if drawn is None:
        why = "no way was found to deal them so that they agree with all that is known of the hands"
        raise PositionError("the unlisted cards", why, "name more cards, or leave out some of what is known")
    return [cards + others for cards, others in zip(sure, drawn, strict=True)]


def wrong(cards: list[int], facts: list[Held]) -> int:
    """The number of cards by which a place contradicts its facts."""
    total = 0
    for mask, least, most in facts:
        n = sum(mask >> card & 1 for card in cards)
        total += max(least - n, 0) + max(n - most, 0)
    return total


def _settled(rest: list[int], facts: list[list[Held]]) -> tuple[list[list[int]], list[int], list[list[Held]]]:
    """The cards that can only lie in one place, the others, and the remaining facts."""
    sure: list[list[int]] = [[] for _ in facts]
    more = True
    while more:
        more = False
        for cards, row in zip(sure, facts, strict=True):
            for fact in row:
                named = [card for card in rest if fact.cards >> card & 1]
                if 0 < len(named) <= left_of(fact, cards).least:
                    cards += named
                    rest = [card for card in rest if card not in named]
                    more = True
    reduced = [
        [Held(fact.cards & set_of(rest), *left_of(fact, cards)[1:]) for fact in row]
        for cards, row in zip(sure, facts, strict=True)
    ]
    heeded = [
        [fact for fact in row if fact.least > 0 or fact.most < sum(fact.cards >> card & 1 for card in rest)]
        for row in reduced
    ]
    barred = [set_of(card for fact in row if fact.most == 0 for card in cards_in(fact.cards)) for row in heeded]
    return (
        sure,
        rest,
        [
            [lacks(cards)] * bool(cards) + [fact for fact in row if fact.most]
            for cards, row in zip(barred, heeded, strict=True)
        ],
    )


class _TooMany(Exception):
    """There are too many ways to be counted."""


def _counted(
    rest: list[int], rooms: list[int], facts: list[list[Held]], chance: random.Random
) -> list[list[int]] | None:
    """One of all deals consistent with the facts, uniformly; None: there is none.

    Cards are of one kind if all facts treat them alike. Each place with facts takes a number of each kind, one place
    after another, and the others then take the rest, always in the same number of ways.
    """
    masks = list(dict.fromkeys(fact.cards for row in facts for fact in row))
    kinds: dict[tuple[int, ...], list[int]] = {}
    for card in rest:
        kinds.setdefault(tuple(mask >> card & 1 for mask in masks), []).append(card)
    signs = list(kinds)
    order = [p for p in range(len(rooms)) if facts[p]]
    about = {p: [[fact for fact in facts[p] if sign[masks.index(fact.cards)]] for sign in signs] for p in order}
    steps = 0

    def takes(p: int, there: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The numbers of each kind that a place may take."""
        most = [min([n, *(fact.most for fact in row)]) for n, row in zip(there, about[p], strict=True)]

        def taken(k: int, room: int) -> Iterator[tuple[int, ...]]:
            nonlocal steps
            steps += 1
            if steps > STEPS:
                raise _TooMany
            if k == len(signs):
                yield ()
                return
            for n in range(max(0, room - sum(most[k + 1 :])), min(most[k], room) + 1):
                for others in taken(k + 1, room - n):
                    yield (n, *others)

        def agrees(numbers: tuple[int, ...], fact: Held) -> bool:
            return fact.least <= sum(n for n, row in zip(numbers, about[p], strict=True) if fact in row) <= fact.most

        return [numbers for numbers in taken(0, rooms[p]) if all(agrees(numbers, fact) for fact in facts[p])]

    @functools.cache
    def choices(i: int, numbers: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """The possible cards of the place order[i], with the number of ways to deal all the remaining cards."""
        return [
            (prod(map(comb, numbers, taken)) * ways(i + 1, _minus(numbers, taken)), taken)
            for taken in takes(order[i], numbers)
        ]

    def ways(i: int, numbers: tuple[int, ...]) -> int:
        return 1 if i == len(order) else sum(number for number, _ in choices(i, numbers))

    remaining = tuple(map(len, kinds.values()))
    if not ways(0, remaining):
        return None
    dealt: list[list[int]] = [[] for _ in rooms]
    for i, p in enumerate(order):
        weights, taken_by = zip(*choices(i, remaining), strict=True)
        taken = taken_by[_place(weights, chance)]
        dealt[p] = [cards.pop() for cards, n in zip(kinds.values(), taken, strict=True) for _ in range(n)]
        remaining = _minus(remaining, taken)
    rest = [card for cards in kinds.values() for card in cards]
    chance.shuffle(rest)
    for p in range(len(rooms)):
        if p not in order:
            dealt[p], rest = rest[: rooms[p]], rest[rooms[p] :]
    return dealt


def _place(numbers: Sequence[int], chance: random.Random) -> int:
    """The place of one of some weights, drawn by them."""
    x = chance.randrange(sum(numbers))
    return next(i for i, total in enumerate(accumulate(numbers)) if x < total)


def _minus(numbers: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(numbers, taken, strict=True))


def _swapped(
    rest: list[int], rooms: list[int], facts: list[list[Held]], chance: random.Random
) -> list[list[int]] | None:
    """Deal, exchange cards between places until all facts hold, and continue exchanging; None: they never do.

    Once the facts hold, exchanges never contradict them, so the cards are mixed uniformly.
    """
    dealt = [rest[sum(rooms[:p]) : sum(rooms[: p + 1])] for p in range(len(rooms))]
    spots = [(p, i) for p, cards in enumerate(dealt) for i in range(len(cards))]
    off = list(map(wrong, dealt, facts))
    for _ in range(SWAPS):
        p, i = chance.choice([(p, i) for p, i in spots if off[p]] if any(off) else spots)
        q, j = chance.choice(spots)
        if p == q:
            continue
        dealt[p][i], dealt[q][j] = dealt[q][j], dealt[p][i]
        now, then = wrong(dealt[p], facts[p]), wrong(dealt[q], facts[q])
        worse = now + then - off[p] - off[q]
        if worse > 0 and (not any(off) or chance.random() > 0.01**worse):
            dealt[p][i], dealt[q][j] = dealt[q][j], dealt[p][i]
        else:
            off[p], off[q] = now, then
    return None if any(off) else dealt
