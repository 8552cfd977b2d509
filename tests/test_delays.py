"""When the server answers by itself tells nothing about hidden cards. In virtual time, as a spectator sees it, two
samples of delays, with and without a choice, are compared (Kolmogorov and Smirnov): for bots, for those who stand in,
for the clock, for sets that are made unseen, and for a pool with too much to do. Over the wire, in real time, for bots.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from effort import LONG, cases, many
from live import Driven
from served import Served, served
from test_bot_times import apart
from virtual import Mark, Marks, Scene, Searching, Spectator, Timed, VirtualLoop, follow, timed
from websockets.asyncio.client import connect

from cardtable.client import Client
from cardtable.server.bots import Bots, SearchPool
from cardtable.server.settings import Settings
from cardtable.table import commands as cm
from cardtable.view import View

FOREVER = 1e9
HERE = Settings(absence=FOREVER)  # nobody who is not connected counts as having left
GAMES = ("fan-tan", "crazy-eights", "oh-hell")
SOON = {("fan-tan", "search"), ("crazy-eights", "simple"), ("oh-hell", "search")}  #: pairs for `make test`
EQUAL, LEAKS = 1e-3, 1e-6  # probabilities of such samples, if their distributions are the same
#: moves of each sample. A leak of 10 ms shifts one of two uniform distributions of 50 ms (bots.JITTER) by a fifth: for
#: samples of 600 the statistic is 3.5 ± 0.5, and EQUAL is at 1.95, so it is noticed 999 times in 1000.
MANY = many(600, 1000)


def probability(one: list[float], other: list[float]) -> float:
    """The probability of two samples that are so far apart, if their distributions are the same (for large samples)."""
    n = min(len(one), len(other))
    x = apart(one[:n], other[:n])
    return min(1.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 100))) if x > 0.2 else 1.0


class Compared:
    """Two samples: the delays of some of the moves that were seen, without and with a choice."""

    def __init__(self, many: int, counts: Callable[[Mark], bool], first: Callable[[Mark], bool] | None = None) -> None:
        """counts: which moves; first: those of the first sample, if not those of seats without a choice."""
        self._many, self._counts = many, counts
        self._first = first or (lambda mark: mark.single)

    def samples(self, seen: list[Timed]) -> tuple[list[float], list[float]]:
        """The two samples, beyond the least delay of each seat: bots differ in their tempers, which everybody knows."""
        found: tuple[list[float], list[float]] = [], []
        counted = [one for one in seen if self._counts(one.mark)]
        least = {
            seat: min(one.delay for one in counted if one.mark.seat == seat) for seat in {o.mark.seat for o in counted}
        }
        for one in counted:
            found[not self._first(one.mark)].append(one.delay - least[one.mark.seat])
        return found[0][: self._many], found[1][: self._many]

    def enough(self, seen: list[Timed]) -> bool:
        """Whether both are as large as they should be; asked after every move, so it only counts."""
        if len(seen) < 2 * self._many:
            return False
        first = [self._first(one.mark) for one in seen if self._counts(one.mark)]
        return min(sum(first), len(first) - sum(first)) >= self._many

    def probability(self, seen: list[Timed]) -> float:
        """How probable they are, if the delays do not depend on the choice."""
        return probability(*self.samples(seen))


# Bots


@pytest.mark.parametrize(
    ("game", "level"),
    cases([(game, level) for game in GAMES for level in ("random", "simple", "flat", "search")], SOON.__contains__),
)
def test_bots(game: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(MANY, lambda mark: mark.by == "bot")
    scene = Scene(lambda: Driven(game, seats=4, bots=(level,) * 4), HERE)
    assert compared.probability(timed(scene, compared.enough, tmp_path, monkeypatch)) > EQUAL


def test_a_schedule_that_leaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in which bots without a choice are ten milliseconds faster."""
    choose = Bots.choose

    async def leaking(pool: Bots, view: View, level: str, seed: str, *, least: float = 0.0, haste: float = 1.0) -> str:
        return await choose(pool, view, level, seed, least=least - 0.01 * (len(view.legal) == 1), haste=haste)

    monkeypatch.setattr(Bots, "choose", leaking)
    compared = Compared(MANY, lambda mark: mark.by == "bot")
    scene = Scene(lambda: Driven("fan-tan", seats=4, bots=("simple",) * 4), HERE)
    assert compared.probability(timed(scene, compared.enough, tmp_path, monkeypatch)) < LEAKS


# Those who stand in, and the clock


@pytest.mark.parametrize(
    ("game", "level"),
    cases(
        [
            (game, level)
            for game in GAMES
            for level in ("search", "simple")
            if LONG or game == GAMES[0] or level == "simple"
        ],
        {("fan-tan", "simple")},
    ),
)
def test_a_bot_that_stands_in(game: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Driven:
        t = Driven(game, "ab", seats=4, bots=("", "", "simple", "simple"), fill=level)
        assert t.ask("b", cm.Leave) is None
        assert t.ask("a", cm.Choose, about=1, choice="bot") is None
        assert t.table.places[1].stood_in
        return t

    compared = Compared(MANY, lambda mark: mark.by == "bot" and mark.seat == 1)
    scene = Scene(make, HERE, regulars="a")
    assert compared.probability(timed(scene, compared.enough, tmp_path, monkeypatch)) > EQUAL


@pytest.mark.parametrize("game", cases(GAMES))
def test_moves_for_whom_time_ran_out(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(MANY, lambda mark: mark.by == "clock")
    scene = Scene(lambda: Driven(game, "abcd", seats=4, clock="brisk"), HERE)
    seen = timed(scene, compared.enough, tmp_path, monkeypatch)
    assert compared.probability(seen) > EQUAL
    assert {round(one.delay, 1) for one in seen if one.mark.by == "clock"} == {15.0}


@pytest.mark.parametrize("game", cases(["fan-tan", "oh-hell"]))
def test_forced_moves_come_a_beat_later(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody can see that they are forced; nothing else changes their time."""
    seen = timed(
        Scene(lambda: Driven(game, seats=4, bots=("simple",) * 4), HERE),
        lambda seen: sum(one.mark.by == "rules" for one in seen) >= MANY, tmp_path, monkeypatch,
    )  # fmt: skip
    assert {round(one.delay, 2) for one in seen if one.mark.by == "rules"} <= {0.4, 1.2}


# I Doubt It: sets made unseen, and answers given at once


def lays_one(mark: Mark) -> bool:
    """Whether a move lays a set of one card, by a seat that has more cards: all can count those."""
    return mark.move == "done" and mark.hidden == 1 and not mark.ruled


@pytest.mark.parametrize(
    ("level", "many"), cases([("simple", 100), ("search", 100), ("simple", MANY), ("search", MANY)])
)
def test_sets_to_which_no_card_could_be_added(
    level: str, many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = Compared(many, lays_one)
    scene = Scene(lambda: Driven("i-doubt-it", seats=4, bots=(level,) * 4), HERE)
    seen = timed(scene, compared.enough, tmp_path, monkeypatch)
    assert compared.probability(seen) > EQUAL
    assert {one.mark.by for one in seen if lays_one(one.mark)} == {"bot"}, "all are told who made a move"


@pytest.mark.parametrize("many", cases([100, MANY]))
def test_sets_laid_for_whom_time_ran_out(many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared(many, lays_one)
    scene = Scene(lambda: Driven("i-doubt-it", "abcd", seats=4, clock="brisk"), HERE)
    assert compared.probability(timed(scene, compared.enough, tmp_path, monkeypatch)) > EQUAL


@pytest.mark.parametrize("many", cases([200, MANY]))
def test_doubts_do_not_tell_how_hard_they_were(many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five bots answer at once, with two threads to think in: how soon some have made up their minds does not tell how
    late the others answer.
    """

    def make() -> Driven:
        return Driven("i-doubt-it", seats=6, bots=("search",) * 6, options={"doubt_mode": "simultaneous"})

    compared = Compared(
        many,
        lambda mark: mark.move in ("accept", "doubt") and mark.hidden == 4,
        lambda mark: mark.worked < 2.5 * HERE.think,
    )
    assert compared.probability(timed(Scene(make, HERE), compared.enough, tmp_path, monkeypatch)) > EQUAL


# A pool with too much to do


def views() -> tuple[View, View]:
    """Without a choice, and with one."""
    t = Driven("fan-tan", "a", seats=4, bots=("", *["simple"] * 3))
    view = t.table.views[0]
    several = View(view.game, "", 0, view.state, (0, 1), (0,), (), ())
    return View(view.game, "", 0, view.state, (0,), (0,), (), ()), several


@pytest.mark.parametrize("at_once", [3, 16])
@pytest.mark.parametrize("others", [False, True])
def test_a_saturated_pool(at_once: int, others: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The delay of the last of many bots, with and without a choice; or (others) of one whose predecessors have one, or
    none.
    """
    found: tuple[list[float], list[float]] = [], []
    kinds = views()
    loop = VirtualLoop()
    Searching(loop, monkeypatch)

    async def delay(pool: Bots, view: View) -> float:
        began = loop.time()
        await pool.choose(view, "search", "seed", least=0.6)
        return loop.time() - began

    async def run() -> None:
        pool = SearchPool(HERE)
        for number in range(2 * MANY):
            choice = number % 2
            before = kinds[choice] if others else kinds[1]
            last = kinds[1] if others else kinds[choice]
            times = await asyncio.gather(*(delay(pool, view) for view in (*[before] * (at_once - 1), last)))
            found[choice].append(times[-1])
        pool.close()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())
    assert probability(*found) > EQUAL


# Over the wire


async def arrivals(server: Served, many: int) -> tuple[list[float], list[float]]:
    """The delays between messages as they arrive at a spectator's socket: bots' moves at tables where only bots play,
    ten at a time.
    """
    compared = Compared(many, lambda mark: mark.by == "bot")
    seen: list[Timed] = []

    async def watch(client: Client) -> None:
        while not compared.enough(seen):
            made = await client.make("fan-tan", sit=False, seats=4, bots=["simple"] * 4)
            marks: Marks = {}
            taken = 0
            follow(server.app.hall.rooms[made["id"]], marks, SimpleNamespace(worked=0.0))
            spectator = Spectator(asyncio.get_running_loop(), marks)
            url = server.url.replace("http", "ws") + "/ws"
            async with connect(url, additional_headers={"Cookie": f"cardtable={client.token}"}) as socket:
                await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
                while not compared.enough(seen) and '"stage":"between"' not in (text := str(await socket.recv())):
                    spectator.send(text)
                    new = spectator.seen[taken:]
                    seen.extend(new)
                    taken += len(new)

    async with Client(server.url) as client, asyncio.timeout(100.0):
        await asyncio.gather(*(watch(client) for _ in range(10)))
    return compared.samples(seen)


@pytest.mark.parametrize("many", cases([150, MANY]))
def test_over_the_wire(many: int, tmp_path: Path) -> None:
    """In real time, so in one of three samples: other programs hold up the server."""
    found = []
    limits = {"tables_rate": (10_000, 1.0), "connection_rate": (10_000, 1.0), "request_rate": (10_000, 1.0)}
    with served(tmp_path / "t.db", bot_pace=0.05, **limits) as server:
        for _ in range(3):
            found.append(probability(*asyncio.run(arrivals(server, many))))
            if found[-1] > EQUAL:
                return
    raise AssertionError(f"the times of bots with and without a choice differ: {found}")
