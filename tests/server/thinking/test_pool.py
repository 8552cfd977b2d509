"""The pool of several server processes: one process in which bots think, reviews are judged and records are read."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import stat
import subprocess
import sys
import time
from asyncio import CancelledError
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from cardtable import CardtableError
from cardtable.bots import bot
from cardtable.client import Client, ServerError, TableClient
from cardtable.kernel import Switch
from cardtable.server.net.fair_queue import TooMany
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import SLACK, Advised, plain
from cardtable.server.thinking.pool_link import BEAT, CONNECTED_WITHIN, SILENCE, Away
from cardtable.server.thinking.protocol import LONGEST_REQUEST, NotReady
from tests.support.effort import cases
from tests.support.server.clients import new_table
from tests.support.server.pools import Near, RunningPool, Server, connects, played, pool, servers, warm, with_choice
from tests.support.server.served import served
from tests.support.server.virtual import VirtualLoop
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(plain(), reason="rules are not compiled, so bots do not search")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The pool compiles nothing."""
    warm("fan-tan")


@pytest.fixture(scope="module")
def shared() -> Iterator[RunningPool]:
    """A pool for tests that leave it as it is."""

    async def ready(settings: Settings) -> None:
        with servers(settings) as (a,):
            await a.ready(with_choice())

    with pool(review_iterations=200, work_waiting_each=2, hint_within=300.0) as running:
        asyncio.run(ready(running.settings))
        yield running


def children_of(running: RunningPool) -> list[int]:
    pid = running.process.pid
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    assert children
    return children


@contextlib.contextmanager
def still(running: RunningPool) -> Iterator[None]:
    """Records wait to be read."""
    children = children_of(running)
    for child in children:
        os.kill(child, signal.SIGSTOP)
    try:
        yield
    finally:
        for child in children:
            os.kill(child, signal.SIGCONT)


async def refused(doing: Awaitable[Any]) -> CardtableError:
    with pytest.raises(CardtableError) as error:
        await doing
    return error.value


# What is asked for


async def test_bots_and_hints_are_searched_in_the_pool(shared: RunningPool) -> None:
    view = with_choice()

    async def ask(a: Server) -> None:
        for level in ("search", "flat"):
            assert await a.bots.choose(view, level, "seed") in view.legal
        began = time.monotonic()
        found = await a.bots.hint(view, "seed", "here")
        assert found.move in view.legal
        assert set(found.values) <= set(view.legal)
        assert len(found.values) > 1, "nothing but a search gives values"
        assert found.until >= began
        assert a.bots.waiting == 0

    with servers(shared.settings) as (a,):
        await ask(a)


async def test_a_bot_takes_as_long_without_a_choice(shared: RunningPool) -> None:
    """At least; tests/server/test_delays.py has how long exactly."""
    several = with_choice()
    single = type(several)(several.game, "", several.seat, several.state, several.moves[:1], several.actors, (), ())

    with servers(shared.settings) as (a,):
        for view in (single, several):
            began = time.monotonic()
            found = await a.bots.think(view, "seed", shared.settings.think)
            assert found.until >= began + shared.settings.think
            await a.bots.choose(view, "search", "seed")
            assert time.monotonic() - began >= 2 * shared.settings.think + SLACK


async def test_levels_that_do_not_search_need_no_pool(tmp_path: Path) -> None:
    view = with_choice()

    with servers(Settings(pool=str(tmp_path / "none"), bot_least=0.0)) as (a,):
        assert await a.bots.choose(view, "medium", "seed") == bot("medium", "seed").choose(view)
        assert await a.bots.choose(view, "random", "seed") == bot("random", "seed").choose(view)


async def test_while_games_are_compiled_nobody_asks_the_pool(
    shared: RunningPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = with_choice()
    monkeypatch.setattr(Switch, "plain", True)

    with servers(shared.settings) as (a,):
        assert (await a.bots.hint(view, "seed", "here")).values == {}
        assert isinstance(await refused(a.reviews.ask("o", "h", "", 1, 0)), NotReady)


async def test_a_pool_that_does_not_have_a_game_refuses_to_search_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's bots then play the heuristic."""
    view = with_choice()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    with pool() as running, servers(running.settings) as (a,):
        assert isinstance(await refused(a.bots.hint(view, "seed", "here")), NotReady)
        assert await a.bots.choose(view, "search", "seed") == bot("medium", "seed").choose(view)


async def test_records_are_read_and_refusals_keep_their_kind(shared: RunningPool) -> None:
    text = str(played().record())

    with servers(shared.settings) as (a,):
        told = msgspec.json.decode(await a.workers.do("ann", "framed", text, 1, 0, 0, 3, 20_000))
        assert (told["deal"], len(told["frames"])) == (1, 3)
        error = await refused(a.workers.do("ann", "kept", "x", "owner", 20_000))
        assert error.code.startswith("record/")
        assert (await refused(a.workers.do("ann", "kept", "x" * LONGEST_REQUEST, "o", 1))).code == "record/limit"


async def test_callers_have_one_queue_over_all_servers(shared: RunningPool) -> None:
    """One job is done at a time for each caller, and two may wait, wherever they were asked for."""
    text = str(played(seed=2).record())

    with servers(shared.settings, 2) as (a, b):
        job = "ann", "kept", text, "o", 20_000
        assert isinstance(await a.workers.do(*job), bytes)
        with still(shared):
            jobs = [asyncio.create_task(server.workers.do(*job)) for server in (a, b, a, b, a, b, a, b)]
            for answered in itertools.islice(asyncio.as_completed(jobs), 5):
                assert isinstance(await refused(answered), TooMany)
            left = [one for one in jobs if not one.done()]
        assert all(isinstance(one, bytes) for one in await asyncio.gather(*left))
        assert isinstance(await b.workers.do(*job), bytes), "and nothing is left in it"


@pytest.mark.exhaustive
async def test_a_review_begun_by_one_server_is_continued_by_another() -> None:
    text = str(played(deals=2).record())

    with (
        pool(review_iterations=50_000, review_think=1e6, review_wait=0.05) as running,
        servers(running.settings, 2) as (a, b),
    ):
        first = await a.reviews.ask("ann", "home", text, 1, 0)
        assert not first["complete"]
        until = time.monotonic() + 120.0
        while not (told := await b.reviews.ask("ann", "home", text, 1, 0))["decisions"]:
            assert time.monotonic() < until
        await a.reviews.ask("ann", "home", text, 1, 1)  # it interrupts the first
        while not (other := await b.reviews.ask("ann", "home", text, 1, 1))["complete"]:
            assert time.monotonic() < until
        again = await a.reviews.ask("ann", "home", text, 1, 0)
        assert len(told["decisions"]) <= len(again["decisions"]) < again["of"], "nobody judged it meanwhile"
        assert other["of"] == len(other["decisions"])
        for old, new in zip(told["decisions"], again["decisions"], strict=False):
            assert old | {"worst": new["worst"]} == new


# Fairness


def test_bots_of_all_servers_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of a server that asks for one alone has as little time as those of a server that asks for many."""
    view = with_choice()
    loop = VirtualLoop()

    async def run() -> None:
        async with Near(loop, monkeypatch, 2, think=0.8, answer_within=1.0) as (a, b):
            many = [asyncio.create_task(a.bots.think(view, f"{k}", 0.8)) for k in range(10)]
            await a.arrived()
            alone = asyncio.create_task(b.bots.think(view, "b", 0.8))
            await b.arrived()
            many += [asyncio.create_task(a.bots.think(view, f"{k}", 0.8)) for k in range(40)]
            ends = sorted([(await alone).until, *[(await one).until for one in many]])
            at = ends.index((await alone).until)
            assert ends[at] - ends[at - 1] < 0.1

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())


@pytest.mark.parametrize("how", ["cancelled", "the server is gone"])
def test_what_is_not_wanted_any_more_is_dropped(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the one that is being searched keeps its thread to its end; thirty of them take a minute. When a process has
    died, its connection ends.
    """
    view = with_choice()
    loop = VirtualLoop()

    async def run() -> None:
        async with Near(loop, monkeypatch, 2, think=2.0, think_least=2.0) as (a, b):
            many = [asyncio.create_task(a.bots.think(view, f"{k}", 2.0)) for k in range(30)]
            await a.arrived()
            if how == "cancelled":
                for one in many:
                    one.cancel()
            else:
                a.link.close()
            refused = {type(one) for one in await asyncio.gather(*many, return_exceptions=True)}
            assert refused == ({CancelledError} if how == "cancelled" else {Away})
            assert a.bots.waiting == 0
            await b.bots.think(view, "b", 2.0)
            assert loop.time() < 4.1

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())


# A pool that is gone


@pytest.mark.exhaustive
async def test_a_pool_that_dies_costs_only_the_search(capfd: pytest.CaptureFixture[str]) -> None:
    view, text = with_choice(), str(played().record())
    medium = bot("medium", "s").choose(view)

    with pool(think=5.0, hint=5.0, hint_within=300.0) as running, servers(running.settings) as (a,):
        await a.ready(view)
        jobs: list[Awaitable[Any]] = [
            a.bots.choose(view, "search", "s"),
            a.bots.hint(view, "s", "here"),
            a.workers.do("ann", "verified", text, 9999),
            a.reviews.ask("ann", "home", text, 1, 0),
        ]
        tasks = [asyncio.ensure_future(job) for job in jobs]
        while a.bots.waiting < 2:
            await asyncio.sleep(0)
        running.end()
        await asyncio.wait(tasks, timeout=90.0)
        assert tasks[0].result() == medium
        for task in tasks[1:]:
            error = task.exception()
            assert isinstance(error, Away)
            assert (error.code, error.can) == ("server/busy", "try again in a moment")
        assert await a.bots.choose(view, "search", "s") == medium
        assert isinstance(await refused(a.workers.do("ann", "verified", text, 9999)), Away)
        await asyncio.to_thread(running.start)
        await a.ready(view)
        assert len((await a.bots.hint(view, "s", "here")).values) > 1
        assert isinstance(await a.workers.do("ann", "kept", text, "o", 9999), bytes)


def test_a_pool_that_hangs_costs_only_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first bot waits until the connection is given up, and the others a little for a new one, once."""
    view = with_choice()
    medium = bot("medium", "s").choose(view)
    loop = VirtualLoop()

    async def run() -> None:
        async with (near := Near(loop, monkeypatch)) as (a,):

            async def taken(work: Awaitable[Any]) -> float:
                began = loop.time()
                assert await work in (medium, Advised(medium, {}, steps=(medium,)))
                return loop.time() - began

            await a.bots.think(view, "s", 0.02)
            near.hang()
            assert SILENCE <= await taken(a.bots.choose(view, "search", "s")) <= SILENCE + 2 * BEAT
            assert await taken(a.bots.hint(view, "s", "here")) <= CONNECTED_WITHIN, "a hint is the heuristic"
            for _ in range(5):
                assert await taken(a.bots.choose(view, "search", "s")) == 0.0, "and the next ones need not wait"
            near.go_on()
            async with asyncio.timeout(10.0):  # of the loop's own clock
                while True:
                    with contextlib.suppress(Away):
                        await a.bots.think(view, "s", 0.02)
                        return
                    await asyncio.sleep(0.1)

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())


async def to_a_choice(table: TableClient) -> None:
    """Play on to a turn with two legal moves at least, which a hint has to compare; the deals are not known."""
    while True:
        await table.until(lambda: bool(table.legal) or "ready" in table.table["may"])
        if not table.legal:
            await table.command("ready")
        elif len(table.legal) == 1:
            await table.move(table.legal[0])
        else:
            return


def test_a_match_goes_on_without_its_pool(tmp_path: Path) -> None:
    """Over HTTP and a socket, with two servers."""

    async def play(url: str, running: RunningPool) -> None:
        async with new_table(url, "fan-tan", seats=3, bots=["", "search", "search"]) as (table,):
            for step in range(5):
                await to_a_choice(table)
                if step == 2:
                    assert (await table.hint())["values"]
                    running.end()
                if step == 3:
                    with pytest.raises(ServerError, match="Try again in a moment"):
                        await asyncio.wait_for(table.hint(), 90.0)
                await table.move(table.legal[0])
            await to_a_choice(table)

    async def check(url: str, reachable: bool) -> None:
        text = str(played(seed=5).record())
        if not reachable:
            answer = await asyncio.to_thread(httpx.post, f"{url}/api/records", content=text)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server/busy")
            return
        async with Client(url) as ann:
            kept = (await ann.post("/api/records", text))["id"]
            told = await ann.get(f"/api/matches/{kept}/review?deal=1&seat=0")
            assert told["of"] >= len(told["decisions"])

    with (
        pool(review_iterations=100) as running,
        served(tmp_path / "a.db", pool=running.settings.pool, think=0.05) as a,
        served(tmp_path / "b.db", pool=running.settings.pool) as b,
    ):
        asyncio.run(check(b.url, True))
        asyncio.run(play(a.url, running))
        asyncio.run(check(b.url, False))


LIGHT = """
import asyncio, sys
from cardtable.server.app import build
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from cardtable import Match
hall = build(Store("sqlite://"), Settings(pool=sys.argv[1])).hall
async def think():
    m = Match("fan-tan", 4, seed=3)
    await hall.thinking.bots.choose(m.view(m.actors[0]), "search", "s")
    hall.thinking.bots.close()
asyncio.run(think())
print(sorted(name for name in sys.modules if name.startswith(("cardtable.search", "cardtable.bots.searcher"))))
"""


@pytest.mark.exhaustive
def test_a_server_with_a_pool_loads_no_search(shared: RunningPool) -> None:
    found = subprocess.run(
        [sys.executable, "-c", LIGHT, shared.settings.pool], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout == "[]\n"


# The end of the process


@pytest.mark.parametrize("how", cases(["standard input", "SIGTERM"]))
async def test_the_pool_ends_and_takes_its_processes_with_it(how: str) -> None:
    view, text = with_choice(), str(played().record())

    with pool(think=8.0) as running, servers(running.settings) as (a,):
        assert await a.workers.do("ann", "kept", text, "o", 9999)
        children = children_of(running)
        thinking = asyncio.create_task(a.bots.choose(view, "search", "s"))
        while not a.bots.waiting:
            await asyncio.sleep(0)
        if how == "SIGTERM":
            running.process.terminate()
        else:
            assert running.process.stdin
            running.process.stdin.close()
        assert await asyncio.to_thread(running.process.wait, 90.0) == 0, "it ended on its own"
        until(lambda: not any(Path(f"/proc/{child}/cmdline").exists() for child in children))
        assert not running.path.exists()
        assert await thinking in view.legal


@pytest.mark.exhaustive
def test_the_socket_is_this_users_alone_and_a_second_pool_does_not_take_it() -> None:
    with pool() as running:
        assert stat.S_IMODE(running.path.stat().st_mode) == 0o600
        other = subprocess.run(
            [sys.executable, "-m", "cardtable.server.thinking.pool", str(running.path)],
            input=b"\n",
            capture_output=True,
            timeout=60,
        )
        assert other.returncode == 1
        assert b"Address already in use" in other.stderr
        assert b"Traceback" not in other.stderr
        assert connects(running.path)
        running.end()  # it leaves its socket behind
        assert running.path.exists()
        running.start()
        assert connects(running.path)


@pytest.mark.parametrize("first", cases([b"no settings\n", b'{"bot_threads": "many"}\n', b"{" * 100_000]))
def test_settings_that_cannot_be_read_are_refused(first: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cardtable.server.thinking.pool", str(tmp_path / "pool")]
    found = subprocess.run(command, input=first, capture_output=True, timeout=60)
    assert found.returncode == 1
    assert b"Traceback" not in found.stderr
    assert found.stderr.startswith(b"the pool at ")
