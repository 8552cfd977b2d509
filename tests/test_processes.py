"""`cardtable serve --processes N`: processes that are killed or replaced while people play."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from commands import ROOT, surroundings
from databases import empty_database
from faults import Heard, Player, eventually, judge
from served import free_port

from cardtable.client import Client

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore::RuntimeWarning")]
FEW = "CARDTABLE_SERVER_"
QUICK = {f"{FEW}BOT_PACE": "0.01", f"{FEW}BOT_LEAST": "0.01", f"{FEW}BEAT": "0.01"}


SLOW = 2.0  #: how much slower a machine may be on which other tests run


class Together:
    """Several processes that serve together."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    @property
    def children(self) -> list[int]:
        """The processes that serve."""
        return found(self.process.pid, "cardtable.server.process")


def found(parent: int, name: str) -> list[int]:
    """The processes that a process has started whose command has a name."""
    command = ["pgrep", "-P", str(parent), "-f", name]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return [int(line) for line in told.stdout.split()]


@contextlib.contextmanager
def together(database: str, data: Path, n: int) -> Iterator[Together]:
    """So many processes, for the time of a test."""
    port = free_port()
    command = [sys.executable, "-m", "cardtable", "serve", "--port", str(port), "--processes", str(n)]
    process = subprocess.Popen(
        [*command, "--database", database, "--no-browser"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env=surroundings(CARDTABLE_DATA=str(data), **QUICK),
    )
    assert process.stdout is not None
    try:
        assert b"Cardtable is at" in process.stdout.readline()
        yield Together(process, f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        assert process.wait(30) == 0
        process.stdout.close()


class Patient(Player):
    """A player who notes the longest time until a move was acknowledged."""

    longest = 0.0

    async def play(self) -> None:
        acts = self.table.move

        async def timed(move: str) -> None:
            began = time.monotonic()
            await acts(move)
            self.longest = max(self.longest, time.monotonic() - began)

        self.table.move = timed  # type: ignore[method-assign]
        await super().play()


@contextlib.asynccontextmanager
async def matches(url: str, n: int, level: str = "simple") -> Any:
    """So many tables, each with two people and a bot who play."""
    async with contextlib.AsyncExitStack() as stack:
        players: dict[str, tuple[Patient, Patient]] = {}
        for _ in range(n):
            ann = await stack.enter_async_context(Client(url))
            ben = await stack.enter_async_context(Client(url))
            made = await ann.make("busca", name="Ann", seats=3, bots=["", "", level])
            a = await stack.enter_async_context(Heard(ann, made["id"]))
            b = await stack.enter_async_context(Heard(ben, made["id"]))
            await a.until(partial(seated, a))
            await b.sit("Ben")
            players[made["id"]] = Patient(a), Patient(b)
        tasks = [asyncio.create_task(player.play()) for pair in players.values() for player in pair]
        try:
            yield players
            await asyncio.gather(*(player.stop() for pair in players.values() for player in pair))
            assert not any(task.done() and task.exception() for task in tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def seated(table: Heard) -> bool:
    """Whether the first person has their seat."""
    return table.seat == 0


def replaced(servers: Together, victim: int) -> bool:
    """Whether another process has taken the place of one that was killed."""
    children = servers.children
    return victim not in children and len(children) == 3


async def all_move(players: dict[str, tuple[Patient, Patient]], n: int = 2) -> None:
    """Wait until every player has made some moves more."""
    least = [(player, len(player.noted) + n) for pair in players.values() for player in pair]
    await eventually(lambda: all(len(player.noted) >= count for player, count in least), "all have moved")


def longest(players: dict[str, tuple[Patient, Patient]]) -> float:
    """Seconds until a move was acknowledged, at most."""
    return max(player.longest for pair in players.values() for player in pair)


def run(test: Any, seconds: float = 300.0) -> None:
    """Run a test that must not hang."""
    asyncio.run(asyncio.wait_for(test, seconds))


def test_a_rolling_restart_delays_no_move_for_long(tmp_path: Path) -> None:
    async def test(servers: Together) -> None:
        async with matches(servers.url, 6) as players:
            await all_move(players)
            before = servers.children
            servers.process.send_signal(signal.SIGUSR1)
            await eventually(
                lambda: len(servers.children) == 3 and not set(servers.children) & set(before), "all are new", 120.0
            )
            await all_move(players)
        assert longest(players) < 2.0 * SLOW, longest(players)

    with empty_database() as database, together(database, tmp_path, 3) as servers:
        run(test(servers))


def test_processes_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    rng = random.Random(1)

    async def test(servers: Together) -> dict[str, tuple[Patient, Patient]]:
        async with matches(servers.url, 4) as players:
            for _ in range(10):
                await all_move(players, 1)
                victim = rng.choice(servers.children)
                os.kill(victim, signal.SIGKILL)
                await eventually(partial(replaced, servers, victim), "another")
            await all_move(players)
            played: dict[str, tuple[Patient, Patient]] = players
        assert longest(played) < 5.0 * SLOW, longest(played)
        return played

    with empty_database() as database:
        with together(database, tmp_path, 3) as servers:
            players = asyncio.run(asyncio.wait_for(test(servers), 300.0))
        for table, pair in players.items():
            judge(database, table, pair)


def test_a_pool_that_is_killed_or_hangs_is_started_again(tmp_path: Path) -> None:
    """Bots play by rule of thumb meanwhile."""

    def pool(servers: Together) -> list[int]:
        return found(servers.process.pid, "cardtable.server.pool ")

    def another(before: int, servers: Together) -> bool:
        now = pool(servers)
        return len(now) == 1 and before not in now

    async def test(servers: Together) -> None:
        async with matches(servers.url, 2, "search") as players:
            await all_move(players, 1)
            for number in (signal.SIGKILL, signal.SIGSTOP):
                (before,) = pool(servers)
                os.kill(before, number)
                await all_move(players, 1)
                await eventually(partial(another, before, servers), "another", 90.0)
            await all_move(players, 1)

    with empty_database() as database, together(database, tmp_path, 2) as servers:
        run(test(servers))


def test_figures_are_of_all_processes(tmp_path: Path) -> None:
    async def test(servers: Together) -> None:
        async with matches(servers.url, 6) as players, httpx.AsyncClient(base_url=servers.url) as http:
            await all_move(players)

            async def figures() -> dict[str, float]:
                text = (await http.get("/metrics")).text
                told = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
                return {name: float(value) for name, value in told}

            now = await figures()
            assert now["cardtable_sockets"] == 12.0
            assert now["cardtable_tables"] == 6.0
            for _ in range(100):  # these are counted regularly
                if now["cardtable_open_files"] > now["cardtable_connections"] >= 12.0:
                    break
                await asyncio.sleep(0.1)
                now = await figures()
            assert now["cardtable_open_files"] > now["cardtable_connections"] >= 12.0

    with empty_database() as database, together(database, tmp_path, 2) as servers:
        run(test(servers))


def test_sqlite_has_one_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cardtable", "serve", "--processes", "2", "--port", "0"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env=surroundings(CARDTABLE_DATA=str(tmp_path)),
    )  # fmt: skip
    assert done.returncode == 3
    assert "PostgreSQL" in done.stderr
    assert "Traceback" not in done.stderr
