"""A server killed at random moments loses nothing that it acknowledged (bench/crash.py has the big run)."""

from __future__ import annotations

import asyncio
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import crash
import pytest

from tests.support.server.forked import fork, forking
from tests.support.waiting import eventually


class Forked(crash.Mortal):
    """A server whose process is a fork of one that has imported the server, which takes longer than all the play."""

    _fork: BaseProcess

    async def start(self) -> float:
        """Start; return the seconds until it listens."""
        began = time.perf_counter()
        self._fork = fork(crash.serve_at, self.port, self.database, self.settings)
        await eventually(self.listens, "the server does not start")
        return time.perf_counter() - began

    async def kill(self) -> None:
        """Kill it with SIGKILL, which leaves it no time to do anything."""
        self._fork.kill()
        self._fork.join()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("plainly")
def test_kill_minus_nine_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash, "Mortal", Forked)
    tables = 3
    # on a slow machine it is killed more often before this number of moves is made
    work = crash.run(tables=tables, kills=2, directory=tmp_path, every=(0.0, 0.1), most=10, least=2 * tables)
    with forking():
        outcome = asyncio.run(asyncio.wait_for(work, 300))
    assert outcome.kills >= 2
    assert outcome.acknowledged >= 2 * tables
    assert (outcome.lost, outcome.doubled, outcome.unfinished, outcome.disagreeing) == (0, 0, 0, 0), outcome
    assert outcome.connections > 2 * tables
