"""When a bot answers tells nothing about its cards: two samples of delays, with and without a choice, are compared
(Kolmogorov and Smirnov).
"""

from __future__ import annotations

import asyncio
import random
import time
from bisect import bisect_right

import pytest
from effort import cases

from cardtable import Match
from cardtable.server.bots import SLACK, Advised, Bots, SearchPool, plain
from cardtable.server.settings import Settings
from cardtable.view import View

QUICK = Settings(think=0.02, think_least=0.02, bot_pace=0.0, bot_least=0.0)
FAR = 1.95  #: a statistic that equal distributions exceed once in a thousand times


def views() -> tuple[View, View]:
    """A seat that has only one card to play, although the rules do not make its move, and one that has a choice."""
    found: dict[bool, View] = {}
    m = Match("oh-hell", 4, seed=3)
    while not m.over and len(found) < 2:
        view = m.view(m.actors[0])
        found.setdefault(len(view.legal) > 1, view)
        m.play(view.legal[-1])
    return found[False], found[True]


def apart(one: list[float], other: list[float]) -> float:
    """How far apart the distributions of two samples of the same size are, in units in which FAR is meant."""
    one, other = sorted(one), sorted(other)
    ranks = [bisect_right(one, at) - bisect_right(other, at) for at in one + other]
    return float(max(map(abs, ranks)) / len(one) * (len(one) / 2) ** 0.5)


async def delay(pool: Bots, view: View, level: str) -> float:
    """How long a bot takes."""
    began = time.monotonic()
    await pool.choose(view, level, "seed")
    return time.monotonic() - began


async def samples(pool: Bots, level: str, rounds: int, at_once: int) -> tuple[list[float], list[float]]:
    """Delays without and with a choice, as many of each; so many bots think at once, each of either kind by chance."""
    dice = random.Random(1)
    single, several = views()
    for view in (single, several):
        await delay(pool, view, level)  # compiled, and the trees are there
    found: tuple[list[float], list[float]] = [], []
    while min(map(len, found)) < rounds:
        kinds = [dice.randrange(2) for _ in range(at_once)]
        times = await asyncio.gather(*(delay(pool, (single, several)[kind], level) for kind in kinds))
        for kind, seconds in zip(kinds, times, strict=True):
            found[kind].append(seconds)
    return found[0][:rounds], found[1][:rounds]


@pytest.mark.skipif(plain(), reason="rules are not compiled, so bots do not search")
@pytest.mark.parametrize(("rounds", "at_once"), cases([(40, 1), (1000, 8)]))
def test_a_bots_time_tells_nothing_about_its_choice(rounds: int, at_once: int) -> None:
    """In one of three samples: other programs that take the processor may hold up a search for longer than SLACK."""
    found = []
    for _ in range(3):
        pool = SearchPool(QUICK)
        try:
            single, several = asyncio.run(samples(pool, "search", rounds, at_once))
        finally:
            pool.close()
        assert min(single) >= QUICK.think + SLACK
        found.append(apart(single, several))
        if found[-1] < FAR:
            return
    raise AssertionError(f"the times of bots with and without a choice differ: {found}")


def test_the_statistic_notices_what_was_told_before() -> None:
    """Two milliseconds without a choice, and some more with one."""
    dice = random.Random(2)
    assert apart([dice.gauss(0.002, 0.001) for _ in range(150)], [dice.gauss(0.02, 0.01) for _ in range(150)]) > FAR
    assert apart([dice.gauss(0.02, 0.01) for _ in range(150)], [dice.gauss(0.02, 0.01) for _ in range(150)]) < FAR


def test_a_bot_takes_the_time_that_it_takes_at_least() -> None:
    async def quick() -> None:
        pool = SearchPool(QUICK)
        single, several = views()
        for view in (single, several):
            for level in ("random", "simple", "search"):
                began = time.monotonic()
                await pool.choose(view, level, "seed", least=0.1)
                assert 0.1 <= time.monotonic() - began < 5.0
        pool.close()

    asyncio.run(quick())


def test_an_expert_has_more_time_than_a_hard_bot() -> None:
    asked: list[float] = []

    class Told(Bots):
        async def think(
            self, view: View, seed: str, most: float, *, flat: bool = False, asker: str | None = None
        ) -> Advised:
            asked.append(most)
            return Advised(view.legal[0], {}, time.monotonic())

    async def both() -> None:
        bots = Told(QUICK)
        for level in ("search", "expert"):
            await bots.choose(views()[1], level, "seed")

    asyncio.run(both())
    assert asked == [QUICK.think, pytest.approx(QUICK.think * QUICK.think_expert)]
    pool = SearchPool(Settings())
    try:
        assert pool.budget == pytest.approx(Settings().think * Settings().think_expert), "nobody else is waiting"
        assert pool.budget <= 1.0
    finally:
        pool.close()
