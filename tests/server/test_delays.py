"""When the server answers automatically, the time shows nothing about hidden cards. In virtual time, and with a jitter
that is always the same, what a spectator sees of a seat comes after exactly the same delay with and without a choice:
for bots, for those who stand in, for the clock, for sets that are made unseen, and for a pool with too much to do.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import JITTER, Bots, SearchPool
from cardtable.table import commands as cm
from cardtable.views.view import View
from tests.support.server.live import Driven
from tests.support.server.virtual import PART, Mark, Scene, Searching, Timed, VirtualLoop, timed

FOREVER = 1e9
HERE = Settings(absence=FOREVER)  # nobody who is not connected counts as having left
FEW = 8  #: moves of each kind, by all seats together


class Compared:
    """The delays of some of the moves that were seen, without and with a choice."""

    def __init__(self, counts: Callable[[Mark], bool], first: Callable[[Mark], bool] | None = None) -> None:
        """counts: which moves; first: those of the first kind, if not those of seats without a choice."""
        self._counts = counts
        self._first = first or (lambda mark: mark.single)

    def enough(self, seen: list[Timed]) -> bool:
        first = [self._first(one.mark) for one in seen if self._counts(one.mark)]
        return min(sum(first), len(first) - sum(first)) >= FEW

    def delays(self, seen: list[Timed]) -> list[dict[int, set[float]]]:
        """The delays of each kind, by seat: bots differ in their tempers, which everybody knows."""
        found: list[dict[int, set[float]]] = [defaultdict(set), defaultdict(set)]
        for one in seen:
            if self._counts(one.mark):
                found[not self._first(one.mark)][one.mark.seat].add(one.delay)
        return found

    def alike(self, seen: list[Timed]) -> bool:
        """Whether each seat has one delay, whatever its move was."""
        return all(
            len(first.get(seat, set()) | other.get(seat, set())) == 1
            for first, other in [self.delays(seen)]
            for seat in {*first, *other}
        )


# Bots


@pytest.mark.parametrize(
    ("game", "level"), [("fan-tan", "search"), ("fan-tan", "random"), ("crazy-eights", "medium"), ("oh-hell", "flat")]
)
def test_bots(game: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(lambda mark: mark.by == "bot")
    scene = Scene(lambda: Driven(game, seats=4, bots=(level,) * 4), HERE)
    assert compared.alike(timed(scene, compared.enough, tmp_path, monkeypatch))


def test_a_schedule_that_leaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in which bots without a choice are a tenth of a millisecond faster."""
    choose = Bots.choose

    async def leaking(pool: Bots, view: View, level: str, seed: str, *, least: float = 0.0, haste: float = 1.0) -> str:
        return await choose(pool, view, level, seed, least=least - 0.0001 * (len(view.legal) == 1), haste=haste)

    monkeypatch.setattr(Bots, "choose", leaking)
    compared = Compared(lambda mark: mark.by == "bot")
    scene = Scene(lambda: Driven("fan-tan", seats=4, bots=("medium",) * 4), HERE)
    assert not compared.alike(timed(scene, compared.enough, tmp_path, monkeypatch))


def test_every_bot_waits_a_random_part_of_the_jitter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here PART of it."""
    compared = Compared(lambda mark: mark.by == "bot")
    settings = Settings(absence=FOREVER, bot_pace=0.0, bot_least=2.0)
    scene = Scene(lambda: Driven("fan-tan", seats=4, bots=("medium",) * 4), settings)
    first, other = compared.delays(timed(scene, compared.enough, tmp_path, monkeypatch))
    assert {delay for kind in (first, other) for delays in kind.values() for delay in delays} == {2.0 + PART * JITTER}


# Those who stand in, and the clock


@pytest.mark.parametrize(("game", "level"), [("fan-tan", "search"), ("crazy-eights", "medium")])
def test_a_bot_that_stands_in(game: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Driven:
        t = Driven(game, "ab", seats=4, bots=("", "", "medium", "medium"), fill=level)
        assert t.ask("b", cm.Leave) is None
        assert t.ask("a", cm.Choose, about=1, choice="bot") is None
        assert t.table.places[1].stood_in
        return t

    compared = Compared(lambda mark: mark.by == "bot" and mark.seat == 1)
    scene = Scene(make, HERE, regulars="a")
    assert compared.alike(timed(scene, compared.enough, tmp_path, monkeypatch))


@pytest.mark.parametrize("game", ["fan-tan", "crazy-eights"])
def test_moves_for_whom_time_ran_out(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(lambda mark: mark.by == "clock")
    scene = Scene(lambda: Driven(game, "abcd", seats=4, clock="brisk"), HERE)
    seen = timed(scene, compared.enough, tmp_path, monkeypatch)
    assert compared.alike(seen)
    assert {round(one.delay, 1) for one in seen if one.mark.by == "clock"} == {15.0}


@pytest.mark.parametrize("game", ["fan-tan", "oh-hell"])
def test_forced_moves_come_a_beat_later(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody can see that they are forced; nothing else changes their time."""
    seen = timed(
        Scene(lambda: Driven(game, seats=4, bots=("medium",) * 4), HERE),
        lambda seen: sum(one.mark.by == "rules" for one in seen) >= FEW,
        tmp_path,
        monkeypatch,
    )
    assert {round(one.delay, 2) for one in seen if one.mark.by == "rules"} <= {0.4, 1.2}


# I Doubt It: sets made unseen, and answers given at once


def lays_one(mark: Mark) -> bool:
    """Whether a move lays a set of one card, by a seat that has more cards: all can count those."""
    return mark.move == "done" and mark.hidden == 1 and not mark.ruled


@pytest.mark.parametrize("level", ["medium", "search"])
def test_sets_to_which_no_card_could_be_added(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(lays_one)
    scene = Scene(lambda: Driven("i-doubt-it", seats=4, bots=(level,) * 4), HERE)
    seen = timed(scene, compared.enough, tmp_path, monkeypatch)
    assert compared.alike(seen)
    assert {one.mark.by for one in seen if lays_one(one.mark)} == {"bot"}, "all are told who made a move"


def test_sets_laid_for_whom_time_ran_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(lays_one)
    scene = Scene(lambda: Driven("i-doubt-it", "abcd", seats=4, clock="brisk"), HERE)
    assert compared.alike(timed(scene, compared.enough, tmp_path, monkeypatch))


def test_doubts_do_not_tell_how_hard_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five bots answer at once, with two threads to think in: how soon some have made up their minds does not tell how
    late the others answer.
    """

    def make() -> Driven:
        return Driven("i-doubt-it", seats=6, bots=("search",) * 6, options={"doubt_mode": "simultaneous"})

    compared = Compared(
        lambda mark: mark.move in ("accept", "doubt") and mark.hidden == 4, lambda mark: mark.worked < 2.5 * HERE.think
    )
    assert compared.alike(timed(Scene(make, HERE), compared.enough, tmp_path, monkeypatch))


# A pool with too much to do


def views() -> tuple[View, View]:
    t = Driven("fan-tan", "a", seats=4, bots=("", *["medium"] * 3))
    view = t.table.views[0]
    several = View(view.game, "", 0, view.state, (0, 1), (0,), (), ())
    return View(view.game, "", 0, view.state, (0,), (0,), (), ()), several


@pytest.mark.parametrize("at_once", [3, 16])
@pytest.mark.parametrize("others", [False, True])
def test_a_saturated_pool(at_once: int, others: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The delay of the last of many bots, with and without a choice; or (others) of one whose predecessors have one, or
    none.
    """
    found: list[set[float]] = [set(), set()]
    kinds = views()
    loop = VirtualLoop()
    Searching(loop, monkeypatch)

    async def delay(pool: Bots, view: View) -> float:
        began = loop.time()
        await pool.choose(view, "search", "seed", least=0.6)
        return round(loop.time() - began, 6)

    async def run() -> None:
        pool = SearchPool(HERE)
        for number in range(2 * FEW):
            choice = number % 2
            before = kinds[choice] if others else kinds[1]
            last = kinds[1] if others else kinds[choice]
            times = await asyncio.gather(*(delay(pool, view) for view in (*[before] * (at_once - 1), last)))
            found[choice].add(times[-1])
        pool.close()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())
    assert found[0] == found[1]
    assert len(found[0]) == 1
