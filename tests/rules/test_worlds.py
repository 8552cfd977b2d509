"""Uniform worlds: `worlds.fill` against enumeration, `resample` of every game against the oracle, and no world that
could not be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import ALL_52, set_of
from cardtable.base.errors import OptionError
from cardtable.kernel import bits, prng
from cardtable.rules import contract, worlds
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.worlds import Work
from tests.conftest import PLAIN
from tests.support.effort import cases
from tests.support.games import oracle

MOST = 30 if PLAIN else 600  #: worlds of a position; where there are more, it takes too many draws to tell


# worlds.fill


def problem(rng: np.random.RandomState, k: int) -> tuple[int, list[int], list[int]]:
    """A set of at most 6 cards, and k places with bars and room for just these."""
    while True:
        room = [int(x) for x in rng.randint(0, 4, k)]
        if 2 <= sum(room) <= 6:
            break
    cards = [int(card) for card in rng.choice(52, sum(room), replace=False)]
    barred = [set_of(card for card in cards if rng.random() < 0.3) | 1 << int(rng.randint(52)) for _ in range(k)]
    if rng.random() < 0.3:
        barred[k - 1] = barred[0]
    return set_of(cards), barred, room


def is_nested(unseen: int, barred: list[int], room: list[int]) -> bool:
    bars = sorted((barred[p] & unseen for p in range(len(room)) if room[p]), key=bits.count, reverse=True)
    return all(not small & ~large for large, small in zip(bars, bars[1:], strict=False))


def filled(kind: str, unseen: int, barred: list[int], room: list[int], samples: int) -> Counter[Hashable]:
    """What `fill` draws. kind "loose": the bars of one place are left to rejection, as if the table of ways were too
    large.
    """
    rng = prng.key_of("fill")
    work = Work.new()
    bars, rooms = np.array(barred, np.int64), np.array(room, np.int64)
    if kind == "loose":  # what `counted` does when it finds no room, done by hand: `fill` then takes the count as it is
        worlds.counted(unseen, bars, rooms, len(room), work)
        work.loose = 1 << next(p for p in range(len(room)) if room[p] and barred[p] & unseen)
        assert worlds.classified(unseen, bars, rooms, len(room), work)
        tabulate(work)
    drawn: Counter[Hashable] = Counter()
    hands = np.zeros(len(room), np.int64)
    for _ in range(samples):
        hands[:] = 0
        worlds.fill(rng, unseen, hands, bars, rooms, len(room), work)
        drawn[tuple(hands.tolist())] += 1
    return drawn


def tabulate(work: Any) -> None:
    """The table of ways, by its definition: ways[i, u] to place the cards i, i+1, ... when the classes have lost u."""
    m, size = int(work.m), int(work.states)
    for i in range(m, -1, -1):
        for u in range(size):
            used = [
                u // int(work.weight[c]) % (min(int(work.slots[c]), m) + 1) if c else 0
                for c in range(int(work.classes))
            ]
            used[0] = i - sum(used)
            total = 1.0 if i == m else 0.0
            for c in range(int(work.classes)):
                after = u + int(work.weight[c])
                if (
                    i < m
                    and 0 <= used[c] < int(work.slots[c])
                    and not int(work.signature[c]) >> int(work.cards[i]) & 1
                    and after < size
                ):
                    total += (int(work.slots[c]) - used[c]) * float(work.ways[(i + 1) * size + after])
            work.ways[i * size + u] = total if used[0] >= 0 else 0.0


@pytest.mark.parametrize("kind", cases(["nested", "counted", "loose"]))
def test_fill_draws_each_world_with_equal_chance(kind: str) -> None:
    """Seeded (3, and "fill"); other streams would fail with the chance `oracle.CHANCE`."""
    rng = np.random.RandomState(3)
    deviates: list[float] = []
    while len(deviates) < (4 if PLAIN else 15):
        unseen, barred, room = problem(rng, int(rng.randint(2, 6)))
        ways = oracle.placements(unseen, barred, room)
        if not 2 <= len(ways) <= MOST or is_nested(unseen, barred, room) != (kind == "nested"):
            continue
        chances: dict[Hashable, float] = dict.fromkeys(ways, 1.0)
        drawn = filled(kind, unseen, barred, room, oracle.enough(chances))
        assert set(drawn) <= set(ways)
        deviates.append(oracle.chi_square(drawn, chances))
    oracle.check_deviates(deviates)


def test_a_table_of_ways_that_would_be_too_large_is_done_without() -> None:
    """Seven places with different bars on all cards: some bars are met by rejection, and every world is possible."""
    cards = list(range(42))
    rng = np.random.RandomState(1)
    room = np.full(7, 6)
    home = {card: k % 7 for k, card in enumerate(cards)}
    barred = np.array([set_of(card for card in cards if home[card] != p and rng.random() < 0.25) for p in range(7)])
    work = Work.new()
    words = prng.key_of("large")
    for _ in range(3 if PLAIN else 200):
        hands = np.zeros(7, np.int64)
        worlds.fill(words, set_of(cards), hands, barred, room, 7, work)
        assert work.loose
        assert sum(hands.tolist()) == set_of(cards)
        assert all(
            bits.count(int(hand)) == 6 and not int(hand) & int(bars) for hand, bars in zip(hands, barred, strict=True)
        )


def test_facts_that_contradict_each_other_end_in_a_reason() -> None:
    """Wherever enumeration finds no world, the cards that are named have too little room; elsewhere none are named."""
    rng = np.random.RandomState(5)
    none = 0
    for number in range(40 if PLAIN else 300):
        unseen, barred, room = problem(rng, int(rng.randint(2, 6)))
        barred = [bars | set_of(c for c in range(52) if unseen >> c & 1 and rng.random() < 0.3) for bars in barred]
        if number % 10 == 0:
            room[0] += 1
        possible = sum(room) == bits.count(unseen) and bool(oracle.placements(unseen, barred, room))
        work, hands = Work.new(), np.zeros(len(room), np.int64)
        worlds.fill(prng.key_of("clash"), unseen, hands, np.array(barred), np.array(room), len(room), work)
        assert bool(worlds.clash(work)) == (not possible)
        if possible:
            continue
        none += 1
        assert bits.count(int(np.bitwise_or.reduce(hands))) == min(sum(room), bits.count(unseen))
        within = [p for p in range(len(room)) if int(work.full) >> p & 1]
        cards = [c for c in range(52) if int(work.excess) >> c & 1]
        assert sum(room[p] for p in within) != len(cards)
        if sum(room) == bits.count(unseen):
            assert all(barred[p] >> c & 1 or not room[p] for c in cards for p in range(len(room)) if p not in within)
    assert 50 * (0.2 if PLAIN else 1) < none < (35 if PLAIN else 250)


def test_the_reason_names_cards_places_and_room() -> None:
    work, hands = Work.new(), np.zeros(3, np.int64)
    barred = np.array([0, set_of([0, 13, 26]), set_of([0, 13, 26])])
    worlds.fill(prng.key_of("clash"), set_of([0, 13, 26, 39]), hands, barred, np.array([2, 1, 1]), 3, work)
    said = "the unseen cards AS AH AD can only lie in the places [0], which have room for 2"
    assert worlds.clash(work) == said
    with pytest.raises(OptionError, match="its facts contradict each other: the unseen cards AS AH AD") as caught:
        worlds.refuse_clash("my-game", work)
    assert caught.value.code == "game/facts"
    worlds.fill(prng.key_of("clash"), set_of([1, 2, 3, 4]), hands, barred, np.array([2, 1, 1]), 3, work)
    assert worlds.clash(work) == ""
    worlds.fill(prng.key_of("clash"), set_of([0, 13, 26, 39]), hands, barred, np.array([2, 1, 1]), 3, work)
    assert worlds.clash(work) == said, "its counts are kept meanwhile"


# resample against the oracle

HOUSES = {"strict": {}, "end": {"enforce": "penalise"}, "immediate": {"enforce": "penalise", "detect": "immediate"}}
GAMES = [
    ("fan-tan", "denexa", 3),
    ("fan-tan", "stops", 3),
    ("fan-tan", "british", 4),
    ("fan-tan", "ultimate", 3),
    ("five-or-nine", "five-or-nine", 3),
    ("domino-fan-tan", "domino-fan-tan", 2),
]


def late(name: str, preset: str, seats: int, house: dict[str, str], rng: np.random.RandomState) -> tuple[Game, Any]:
    """A position of few cards, about which nothing is known but the layout."""
    ruleset = Ruleset.parse(name, preset, seats, house)
    game, s = ruleset.game, ruleset.state()
    s.seed[:] = prng.key_of("late")
    contract.open_match(s)
    contract.next_deal(s, np.empty(112, np.int64))
    s.set_rank = 7 if name != "five-or-nine" else int(rng.choice([5, 9]))
    out: list[int] = []
    for suit in range(4):  # each row lacks some cards at its ends, or is not begun
        low, high = (int(x) for x in rng.randint(0, 3, 2))
        closed = suit == 0 and name != "five-or-nine" and rng.random() < 0.6
        ranks = [5, 6, 7] if closed else [*range(low), *range(13 - high, 13)]
        out += [13 * suit + rank for rank in ranks]
    stock = int(rng.randint(1, 4)) if seats == 2 else 0
    each = [len(out) // seats] * seats if seats > 2 else [(len(out) - stock) // 2] * 2
    out = [int(card) for card in rng.permutation(out)][: sum(each) + stock]
    if len(out) > 9 or min(each) < 2:
        return late(name, preset, seats, house, rng)
    s.hands[:] = s.counts[:] = 0
    for p in range(seats):
        s.hands[p] = set_of(out[sum(each[:p]) : sum(each[: p + 1])])
        s.counts[p] = each[p]
    s.stock_size, s.drawn = stock, 0
    s.stock[:] = 0
    s.stock[:stock] = out[sum(each) :]
    s.layout = s.origin = ALL_52 & ~set_of(out)
    s.turn = s.opener = int(rng.randint(seats))
    return game, s


def hidden(s: Any) -> Hashable:
    """What a world decides: the hands, and the stock from the top (and the order of the draws, where it is judged
    by).
    """
    first = 0 if s.rules.enforce_penalise else int(s.drawn)
    return tuple(s.hands.tolist()), tuple(s.stock[first : int(s.stock_size)].tolist())


@pytest.mark.parametrize("house", cases(HOUSES))
@pytest.mark.parametrize(("name", "preset", "seats"), cases(GAMES))
def test_resample_draws_what_the_oracle_finds(name: str, preset: str, seats: int, house: str) -> None:
    """Consistent, complete and uniform over shuffles, after some acts from a late position, for every seat.

    Seeded by the house's name; other streams would fail with the chance `oracle.CHANCE`.
    """
    rng = np.random.RandomState((len(name) + 31 * len(preset) + 7 * seats + 101 * len(house)) % 1000)
    words = prng.key_of(f"{name} {preset} {house}")
    deviates: list[float] = []
    while len(deviates) < (3 if PLAIN else 12):
        game, begin = late(name, preset, seats, HOUSES[house], rng)
        moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
        story = oracle.tell(begin, int(rng.randint(1, 9)), words, game.rules.MAX_MOVES)
        viewer = int(rng.randint(seats))
        ends = oracle.possible(story, oracle.redeals(begin, viewer), viewer, moves)
        weights: Counter[Hashable] = Counter(hidden(end) for end in ends)  # several shuffles may lead to one world
        assert hidden(story.end) in weights
        if story.end.over or not 2 <= len(weights) <= MOST:
            continue
        view = np.frombuffer(story.views[viewer][-1], begin.dtype).copy().view(np.recarray)[0]
        drawn: Counter[Hashable] = Counter()
        for world in oracle.worlds_for(view, viewer, oracle.enough(weights), prng.key_of("samples")):
            drawn[hidden(world)] += 1
        assert set(drawn) <= set(weights), (story.acts, viewer)
        assert oracle.seen(world, viewer) == story.views[viewer][-1]
        deviates.append(oracle.chi_square(drawn, {key: float(n) for key, n in weights.items()}))
    oracle.check_deviates(deviates)
