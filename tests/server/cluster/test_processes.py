"""Several processes that serve together over PostgreSQL: people play on while one is killed or all are replaced.

tests/server/cluster/test_supervisor.py has which processes are started and ended, and when;
tests/operating/test_operating_processes.py has `cardtable serve --processes`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from cardtable.server import supervisor
from cardtable.server.metrics import SHARED
from cardtable.server.settings import Settings
from cardtable.server.supervisor import ServingPlan, Supervisor
from tests.support.commands import call
from tests.support.databases import empty_database, process_of
from tests.support.server.faults import Pair, at_table, judge, more_moves
from tests.support.server.forked import Member, forking
from tests.support.waiting import eventually, run

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class NoPool:
    """A pool that is never there: bots play by the heuristic."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path

    def close(self) -> None:
        """Nothing was started."""


class Together(Supervisor):
    """Several processes that serve together, and the thread that supervises them."""

    def __init__(self, database: str, processes: int) -> None:
        """database: its URL."""
        bound = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        self.all_answer = threading.Event()
        settings = Settings(bot_pace=0.01, bot_least=0.01, beat=0.01)
        super().__init__(ServingPlan(database, settings, "", processes), bound, self.all_answer.set)

    @property
    def pids(self) -> set[int]:
        """The processes that answer and were not told to end."""
        return {child.process.pid for child in list(self._children) if child.ready and not child.leaving}


@contextlib.contextmanager
def together(database: str, processes: int) -> Iterator[Together]:
    ends: list[BaseException] = []

    def serve() -> None:
        try:
            it.serve()
        except BaseException as error:
            ends.append(error)
            it.all_answer.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "PoolKeeper", NoPool)
        programs = SimpleNamespace(Popen=Member, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired)
        patch.setattr(supervisor, "subprocess", programs)
        it = Together(database, processes)
        with forking(**{SHARED: str(it._directory)}):
            thread = threading.Thread(target=serve)
            thread.start()
            try:
                assert it.all_answer.wait(120.0)
                assert ends == []
                yield it
            finally:
                it.end(SystemExit(0))
                thread.join(90.0)
    assert not thread.is_alive()
    assert [error.args for error in ends] == [(0,)]


async def figures(url: str) -> dict[str, float]:
    async with httpx.AsyncClient(base_url=url) as http:
        text = (await http.get("/metrics")).text
    told = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in told}


@pytest.mark.exhaustive
def test_a_process_that_is_killed_loses_nothing() -> None:
    """It is the one that has the table. Before, the figures are those of all processes."""

    async def test(servers: Together) -> tuple[str, Pair]:
        async with at_table(servers.url) as (table, players):
            await more_moves(players, 2)
            now = await figures(servers.url)
            assert (now["cardtable_sockets"], now["cardtable_tables"]) == (2.0, 1.0)
            victim = await asyncio.to_thread(process_of, database, table)
            assert victim in servers.pids
            os.kill(victim, signal.SIGKILL)
            await eventually(lambda: all(player.table.connections > 1 for player in players), "both connect again")
            await more_moves(players, 2)
            await eventually(lambda: len(servers.pids - {victim}) == 2, "another serves in its place")
        return table, players

    with empty_database() as database:
        with together(database, 2) as servers:
            table, players = run(test(servers))
        judge(database, table, players)


@pytest.mark.exhaustive
def test_a_rolling_restart_loses_nothing() -> None:
    """Nobody has to connect more than once again, because another process answers before the old one ends."""

    async def test(servers: Together) -> tuple[str, Pair]:
        async with at_table(servers.url) as (table, players):
            await more_moves(players, 2)
            before = servers.pids
            servers.restart()
            await eventually(
                lambda: len(servers.pids - before) == 1 and not before & {c.process.pid for c in servers._children},
                "it is replaced",
            )
            await more_moves(players, 2)
            assert all(player.table.connections <= 2 for player in players)
        return table, players

    with empty_database() as database:
        with together(database, 1) as servers:
            table, players = run(test(servers))
        judge(database, table, players)


def test_sqlite_has_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path))
    code, _, told = call(capsys, "serve", "--processes", "2", "--port", "0")
    assert code == 3
    assert "PostgreSQL" in told
