"""A pool in a separate process, and the server processes' side of it, without servers."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cardtable import CardtableError, Match, bot
from cardtable import precompile as warming
from cardtable.rules import catalog
from cardtable.server.settings import Settings
from cardtable.server.thinking import pool as pool_side
from cardtable.server.thinking import pool_link
from cardtable.server.thinking.bots import Advised
from cardtable.server.thinking.pool import Pool
from cardtable.server.thinking.pool_link import Away, PooledBots, PooledReviews, PooledWorkers, PoolLink
from cardtable.server.thinking.protocol import Think, start
from cardtable.views.view import View
from tests.support.server.virtual import Searching, VirtualLoop
from tests.support.waiting import eventually, until

QUICK: dict[str, Any] = {"bot_least": 0.0, "think": 0.02, "hint": 0.02, "bot_threads": 1}


class RunningPool:
    def __init__(self, path: Path, **settings: Any) -> None:
        self.path = path
        self.settings = Settings(**QUICK | {"pool": str(path)} | settings)
        self.start()

    def start(self) -> None:
        """Start it; returns when it answers."""
        self.process = start(self.path, self.settings)
        until(lambda: self.process.poll() is not None or connects(self.path))
        assert self.process.poll() is None

    def end(self) -> None:
        """Kill it, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait(10.0)
        assert self.process.stdin
        self.process.stdin.close()


class Server:
    def __init__(self, settings: Settings) -> None:
        self.link = PoolLink(settings)
        self.bots = PooledBots(self.link, settings)
        self.workers = PooledWorkers(self.link)
        self.reviews = PooledReviews(self.link)

    async def arrived(self) -> None:
        """Wait until the pool has read everything that was asked before."""
        with contextlib.suppress(CardtableError):
            await self.link.ask(Advised, Think, "no game", b"", 0, b"", (0,), "", 1.0, False, None)

    async def ready(self, view: View) -> None:
        """Wait until the pool searches: first it loads what is compiled, which takes seconds on a busy machine."""

        async def searched() -> bool:
            with contextlib.suppress(Away):
                return bool((await self.bots.think(view, "s", 0.01)).values)
            return False

        await eventually(searched)


@contextlib.contextmanager
def pool(**settings: Any) -> Iterator[RunningPool]:
    with tempfile.TemporaryDirectory(prefix="pool-") as directory:  # pytest's own may be too long for a socket
        running = RunningPool(Path(directory) / "pool", **settings)
        try:
            yield running
        finally:
            running.end()


@contextlib.contextmanager
def servers(settings: Settings, number: int = 1) -> Iterator[list[Server]]:
    found = [Server(settings) for _ in range(number)]
    try:
        yield found
    finally:
        for server in found:
            server.link.close()


class Near:
    """A pool in virtual time in this process, and servers that use it. It can stop reading, as a process that hangs."""

    def __init__(self, loop: VirtualLoop, patch: pytest.MonkeyPatch, number: int = 1, **settings: Any) -> None:
        """number: of servers."""
        Searching(loop, patch)
        patch.setattr(pool_side, "plain", lambda: False)
        patch.setattr(pool_link, "time", SimpleNamespace(monotonic=loop.time))
        self._number, self._settings = number, settings
        self._flows = asyncio.Event()
        self._flows.set()
        self._lines: list[asyncio.Transport] = []

    async def __aenter__(self) -> list[Server]:
        self._directory = tempfile.TemporaryDirectory(prefix="pool-")
        path = f"{self._directory.name}/pool"
        chosen = Settings(**QUICK | {"pool": path} | self._settings)
        self.pool = Pool(chosen)
        self.pool._loaded.add("fan-tan")
        self._listening = await asyncio.start_unix_server(self._serve, path)
        self._servers = [Server(chosen) for _ in range(self._number)]
        return self._servers

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.append(cast(asyncio.Transport, writer.transport))
        await self._flows.wait()
        await self.pool.serve(reader, writer)

    def hang(self) -> None:
        self._flows.clear()
        for line in self._lines:
            line.pause_reading()

    def go_on(self) -> None:
        self._flows.set()
        for line in self._lines:
            if not line.is_closing():
                line.resume_reading()

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            server.link.close()
        self._listening.close()
        await self.pool.close()
        self._directory.cleanup()


def connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def warm(game: str) -> None:
    """Compile a game's search, so that the pool finds it."""
    warming.warm(catalog.find(game))


def with_choice(game: str = "fan-tan", seats: int = 4, seed: int = 3) -> View:
    """The view of a seat that has a choice of several cards."""
    m = Match(game, seats, seed=seed)
    while len(m.view(m.actors[0]).legal) < 3:
        m.play(bot("medium", 1).choose(m.view(m.actors[0])))
    return m.view(m.actors[0])


def played(game: str = "fan-tan", seats: int = 4, seed: int = 9, **more: Any) -> Match:
    m, player = Match(game, seats, seed=seed, **more), bot("random", 1)
    while not m.over:
        m.play(player.choose(m.view(m.actors[0])))
    return m
