"""The oracle: which worlds agree with everything a seat has seen, found the slow and sure way, for every game.

Deal again from where the story began, play it again move by move, and keep the deal if each move is legal and each
redacted view is equal. It uses nothing of a game but `legal`, `play` and `redact`, and is the judge of `resample`.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from cardtable.base.cards import cards_in, set_of
from cardtable.kernel import bits, prng
from cardtable.rules import contract
from cardtable.rules.worlds import Work


@dataclass
class Story:
    """A beginning, and what happened since; `views[seat][k]` is what a seat (-1: a spectator) could see after k
    acts.
    """

    begin: Any
    acts: list[tuple[int, int]]
    views: dict[int, list[bytes]]
    end: Any
    laid: list[int] = field(default_factory=list)


def seen(s: Any, seat: int) -> bytes:
    view = s.copy()
    contract.redact(view, seat)
    return bytes(view.tobytes())


def tell(begin: Any, acts: int, rng: Any, max_moves: int, opening: Sequence[int] = ()) -> Story:
    """Play from a state for at most this number of acts: the moves of the opening, then at random."""
    s = begin.copy()
    story = Story(begin.copy(), [], {seat: [seen(s, seat)] for seat in range(int(s.seats))}, s)
    moves = np.empty(max_moves + 1, np.int64)
    while (mask := int(contract.actors(s))) and len(story.acts) < acts:
        seat = bits.lowest(mask)
        legal = moves[: int(contract.legal(s, seat, moves))].tolist()
        move = opening[len(story.acts)] if len(story.acts) < len(opening) else legal[prng.below(rng, len(legal))]
        assert move in legal
        contract.play(s, seat, move)
        story.acts.append((seat, move))
        for p, views in story.views.items():
            views.append(seen(s, p))
    return story


def replays(story: Story, begin: Any, viewer: int, moves: Any) -> Any:
    """The state at the end if the story could have begun so, for all that the viewer saw; else None."""
    s = begin.copy()
    views = story.views[viewer]
    if seen(s, viewer) != views[0]:
        return None
    for k, (seat, move) in enumerate(story.acts):
        if not int(contract.actors(s)) >> seat & 1:
            return None
        if move not in moves[: int(contract.legal(s, seat, moves))].tolist():
            return None
        contract.play(s, seat, move)
        if seen(s, viewer) != views[k + 1]:
            return None
    return s


def redeals(s: Any, viewer: int) -> Iterator[Any]:
    """Every way in which the cards that the viewer does not see might lie: in the other hands, and in the stock in
    order.
    """
    others = [p for p in range(int(s.seats)) if p != viewer]
    stock = int(s.stock_size) - int(s.drawn)
    under = [int(card) for card in s.stock[int(s.drawn) : int(s.stock_size)]]
    unseen = sorted(under + [card for p in others for card in cards_in(int(s.hands[p]))])

    def spread(cards: list[int], seats: list[int]) -> Iterator[dict[int, int]]:
        if not seats:
            yield {}
            return
        p = seats[0]
        for hand in itertools.combinations(cards, bits.count(int(s.hands[p]))):
            for rest in spread([card for card in cards if card not in hand], seats[1:]):
                yield {p: set_of(hand), **rest}

    for hands in spread(unseen, others):
        rest = [card for card in unseen if not any(hand >> card & 1 for hand in hands.values())]
        for order in itertools.permutations(rest, stock):
            t = s.copy()
            for p, hand in hands.items():
                t.hands[p] = hand
            t.stock[int(s.drawn) : int(s.stock_size)] = order
            yield t


def possible(story: Story, begins: Iterable[Any], viewer: int, moves: Any) -> list[Any]:
    """The ends of all beginnings that agree with what the viewer saw."""
    ends = (replays(story, begin, viewer, moves) for begin in begins)
    return [end for end in ends if end is not None]


def worlds_for(view: Any, viewer: int, number: int, words: Any) -> Iterator[Any]:
    """So many worlds that `resample` draws for a viewer's view, each from the random words that the one before left in
    `words`.
    """
    work = Work.new()
    for _ in range(number):
        world = view.copy()
        world.rng[:] = words
        contract.resample(world, viewer, work)
        words[:] = world.rng
        yield world


#: The chance with which a test of random draws fails though all is right. It is a tenth of the one in a million that is
#: promised, since Wilson and Hilferty's deviates are normal but nearly.
CHANCE = 1e-7
LEAST = 5.0  #: how often each key is expected at least; keys that are expected less often count as one


def chi_square(samples: Counter[Hashable], weights: dict[Hashable, float]) -> float:
    """How far samples are from chances in proportion to weights, as a normal deviate (Wilson and Hilferty 1931)."""
    n, total = sum(samples.values()), sum(weights.values())
    cells: list[tuple[float, int]] = []  # how often expected, and found
    together, drawn = 0.0, 0
    for key, w in sorted(weights.items(), key=lambda item: item[1]):
        together, drawn = together + n * w / total, drawn + samples[key]
        if together >= LEAST:
            cells.append((together, drawn))
            together, drawn = 0.0, 0
    if together:  # none of them is expected so often
        cells.append((together, drawn))
    x = sum((actual - expected) ** 2 / expected for expected, actual in cells)
    if not (df := len(cells) - 1):
        return 0.0
    return (math.pow(x / df, 1 / 3) - (1 - 2 / (9 * df))) / math.sqrt(2 / (9 * df))


def enough(weights: Mapping[Any, float]) -> int:
    """How many draws tell whether they have these chances: ten for each key. A thousand at least, by which one of a few
    keys that is drawn a fifth too often is found.
    """
    return max(1000, 10 * len(weights))


def far(deviates: int) -> float:
    """The bound that one or more of a number of normal deviates exceed with probability CHANCE at most (Bonferroni)."""
    return statistics.NormalDist().inv_cdf(1 - CHANCE / deviates)


def check_deviates(deviates: list[float]) -> None:
    """No deviate of draws is far off, nor are they too good or too bad together."""
    limit = far(len(deviates) + 2)
    assert max(deviates) < limit, deviates
    assert abs(sum(deviates)) / len(deviates) ** 0.5 < limit, deviates


def placements(unseen: int, barred: Sequence[int], room: Sequence[int]) -> list[tuple[int, ...]]:
    """Every way to lay a set of cards into places with room and bars."""
    ways: list[tuple[int, ...]] = []

    def place(cards: list[int], hands: list[int]) -> None:
        if not cards:
            ways.append(tuple(hands))
            return
        for p in range(len(room)):
            if bits.count(hands[p]) < room[p] and not barred[p] >> cards[0] & 1:
                place(cards[1:], [hand | 1 << cards[0] if q == p else hand for q, hand in enumerate(hands)])

    place(cards_in(unseen), [0] * len(room))
    return ways


class Lots:
    """Random numbers that come out in every way, one after the other: instead of `prng` where rules run plainly."""

    FINE = 20  #: parts of the unit interval, each as one number

    def __init__(self) -> None:
        self.drawn: list[tuple[int, int]] = []  #: what came out, and of how many
        self.number = 0  #: how many of these were asked for

    def below(self, words: Any, n: int) -> int:
        if self.number == len(self.drawn):
            self.drawn.append((0, n))
        self.number += 1
        return self.drawn[self.number - 1][0]

    def unit(self, words: Any) -> float:
        return (self.below(words, self.FINE) + 0.5) / self.FINE

    def outcomes(self, draw: Callable[[], int]) -> dict[int, Fraction]:
        chances: defaultdict[int, Fraction] = defaultdict(Fraction)
        while True:
            self.number = 0
            chances[draw()] += Fraction(1, math.prod(n for _, n in self.drawn))
            while self.drawn and self.drawn[-1][0] + 1 == self.drawn[-1][1]:
                self.drawn.pop()
            if not self.drawn:
                return chances
            self.drawn[-1] = self.drawn[-1][0] + 1, self.drawn[-1][1]
