"""A bot's answer time shows nothing of its cards (tests/server/test_delays.py has whole tables): the end of its time
is fixed before it thinks. And the statistic that compares samples of delays in real time (Kolmogorov and Smirnov).
"""

from __future__ import annotations

import asyncio
import random
import time
from bisect import bisect_right
from types import SimpleNamespace
from typing import Any

import pytest

from cardtable import Match
from cardtable.server.settings import Settings
from cardtable.server.thinking import bots
from cardtable.server.thinking.bots import JITTER, SLACK, Advised, Bots, SearchPool
from cardtable.views.view import View
from tests.support.server.virtual import PART, Searching, VirtualLoop

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


@pytest.mark.parametrize("late", [-0.5, 0.0, 0.5], ids=["early", "in-time", "late"])
def test_the_end_of_a_bots_time_does_not_depend_on_its_search(late: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """However early or late a search ends, and if there is nothing to search, the bot's time ends when it was to end.
    late: seconds after the end at which the search is over.
    """
    clock = SimpleNamespace(now=100.0)
    asked: list[float] = []

    def search(state: Any, seat: int, key: int, *, seconds: float, flat: bool, past: Any) -> Any:
        asked.append(seconds)
        clock.now += seconds + late
        return SimpleNamespace(values=(), best=several.moves[0])

    monkeypatch.setattr(bots, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(SearchPool, "_thinker", lambda pool, game: search)
    single, several = views()
    pool = SearchPool(QUICK)
    try:
        assert pool._search(single, False, "seed", 102.0) == Advised(single.legal[0], {}, 102.0)
        assert clock.now == 100.0
        assert asked == []
        assert pool._search(several, False, "seed", 102.0) == Advised(several.legal[0], {}, 102.0)
        assert asked == [2.0]
        clock.now = 103.0
        assert pool._search(several, False, "seed", 102.0).until == 102.0
        assert asked == [2.0, 0.0], "another search has ended late: a first look"
    finally:
        pool.close()


def test_the_statistic_notices_what_was_told_before() -> None:
    """Two milliseconds without a choice, and some more with one.

    Seed 2; with another one, the second pair of samples, which are alike, would exceed 2.7 with a probability of 1e-6.
    """
    dice = random.Random(2)
    assert apart([dice.gauss(0.002, 0.001) for _ in range(150)], [dice.gauss(0.02, 0.01) for _ in range(150)]) > 2 * FAR
    assert apart([dice.gauss(0.02, 0.01) for _ in range(150)], [dice.gauss(0.02, 0.01) for _ in range(150)]) < 2.7


@pytest.mark.parametrize("level", ["random", "medium", "search"])
@pytest.mark.parametrize("choice", [False, True])
def test_a_bot_takes_the_time_that_it_takes_at_least(level: str, choice: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or that of its search, if that is longer."""
    loop = VirtualLoop()
    Searching(loop, monkeypatch)

    async def taken(least: float) -> float:
        pool = SearchPool(QUICK)
        began = loop.time()
        await pool.choose(views()[choice], level, "seed", least=least)
        pool.close()
        return loop.time() - began

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        assert runner.run(taken(0.1)) == pytest.approx(0.1 + PART * JITTER)
        thought = QUICK.think + SLACK + PART * JITTER if level == "search" else 0.0
        assert runner.run(taken(0.0)) == pytest.approx(thought)


async def test_an_expert_has_more_time_than_a_hard_bot() -> None:
    asked: list[float] = []

    class Told(Bots):
        async def think(
            self, view: View, seed: str, most: float, *, flat: bool = False, asker: str | None = None
        ) -> Advised:
            asked.append(most)
            return Advised(view.legal[0], {}, time.monotonic())

    bots = Told(QUICK)
    for level in ("search", "expert"):
        await bots.choose(views()[1], level, "seed")
    assert asked == [QUICK.think, pytest.approx(QUICK.think * QUICK.think_expert)]
    pool = SearchPool(Settings())
    try:
        assert pool.budget == pytest.approx(Settings().think * Settings().think_expert), "nobody else is waiting"
        assert pool.budget <= 1.0
    finally:
        pool.close()
