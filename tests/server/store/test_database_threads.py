"""Reads of the database have separate threads: nothing else holds it up, and it holds up nothing else."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from cardtable.server.store import database
from cardtable.server.store.database import in_database
from tests.support.server.served import served
from tests.support.waiting import until


def test_what_takes_long_elsewhere_holds_up_no_reading(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as server:
        go_on, busy = threading.Event(), threading.Semaphore(0)

        def take_long() -> None:
            busy.release()
            go_on.wait(300)

        async def fill() -> None:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
            for _ in range(4):
                server.app.hall.spawn(asyncio.to_thread(take_long))

        asyncio.run_coroutine_threadsafe(fill(), server.loop).result(120)
        for _ in range(2):
            busy.acquire()
        try:
            assert httpx.get(f"{server.url}/api/matches", timeout=120).json() == {"matches": []}
        finally:
            go_on.set()


def test_a_slow_database_holds_up_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "THREADS", ThreadPoolExecutor(2))
    with served(tmp_path / "t.db") as server:
        server.token()  # from now on it knows the key of its identities
        go_on = threading.Event()
        assert httpx.get(f"{server.url}/api/site").status_code == 200  # the key of identities is read once

        async def fill() -> None:
            for _ in range(4):
                server.app.hall.spawn(in_database(go_on.wait, 300))

        asyncio.run_coroutine_threadsafe(fill(), server.loop).result(120)
        until(lambda: database.THREADS._work_queue.qsize() >= 2)
        try:
            assert httpx.get(f"{server.url}/api/games/busca/rules.html", timeout=120).status_code == 200
        finally:
            go_on.set()
