"""A real server on the loopback, in a thread of this process, over a database in a file."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.server.app import PAGES, build, site
from cardtable.server.serving import server_of
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store, Write
from cardtable.server.thinking.reviews import Judge
from cardtable.table import Entry
from cardtable.table.events import Created
from tests.support.commands import ROOT, surroundings
from tests.support.waiting import until

# Nobody waits for a bot; a hint waits for its search, and work on a record for its end, however busy the machine is.
QUICK: dict[str, Any] = {
    "bot_pace": 0.0,
    "bot_least": 0.0,
    "beat": 0.0,
    "absence": 0.3,
    "compile_behind": False,
    "hint_within": 300.0,
    "work_seconds": 300.0,
}
OPERATOR = "operator's-token-for-tests"


def pages() -> set[str]:
    return {site().page("", *loads) for loads in PAGES.values()}


class Served:
    def __init__(self, file: Path, database: str = "", listening: socket.socket | None = None, **settings: Any) -> None:
        """file: of an SQLite database, unless the URL of another is given; listening: the socket at which it serves."""
        self.settings = Settings(**QUICK | settings)
        self.store = Store(database or f"sqlite:///{file}")
        self.app = build(self.store, self.settings, OPERATOR)
        self.listening = listening or socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = server_of(self.app, self.settings)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        np.seterr(over="ignore")  # each thread has its own: plain integers wrap in silence, as compiled ones do
        with asyncio.Runner() as runner:
            self.loop = runner.get_loop()
            runner.run(self._server.serve(sockets=[self.listening]))

    def token(self) -> str:
        identities = self.app.hall.identities
        asyncio.run_coroutine_threadsafe(identities.load(), self.loop).result(120)
        return identities.new()

    def ping_nobody(self) -> None:
        """Let no connection end because a busy machine answers no ping in time."""
        self._server.config.ws_ping_interval = None

    @property
    def reviews(self) -> Judge:
        found = self.app.hall.thinking.reviews
        assert isinstance(found, Judge)
        return found

    @property
    def gate(self) -> Any:
        return self._server.gate

    def settle(self, table: str) -> None:
        """Wait until everything that was asked of a table is done: its maker sits down after the answer."""

        async def wait() -> None:
            while (room := self.app.hall.rooms.get(table)) and (task := room._inbox._task):
                await asyncio.wait([task])

        asyncio.run_coroutine_threadsafe(wait(), self.loop).result(120)

    @property
    def ws(self) -> str:
        return self.url.replace("http", "ws") + "/ws"

    def figure(self, name: str) -> float:
        """One of the server's figures; 0 if it is not there."""
        lines = [line for line in self.app.hall.metrics.text().decode().splitlines() if line.startswith(f"{name} ")]
        return float(lines[0].rpartition(" ")[2]) if lines else 0.0

    def refused(self, why: str) -> float:
        """How many requests and sockets were refused for a reason."""
        return self.figure(f'cardtable_refused_total{{why="{why}"}}')

    @property
    def requests(self) -> int:
        return len(self._server.server_state.tasks)

    def halt(self, halt: Any) -> None:
        self._server._halt = halt

    def start(self) -> None:
        """Serve; returns when it answers."""
        self._thread.start()
        until(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started, "the server does not start: its log says why"

    def stop(self) -> None:
        if self.listening.fileno() < 0:
            return
        self._server.end()
        self._thread.join(90.0)
        self.listening.close()
        self.store.close()


@contextlib.contextmanager
def served(file: Path, **settings: Any) -> Iterator[Served]:
    """A server for the time of a test. settings: those of the server, and what else `Served` takes."""
    server = Served(file, **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def keep(store: Store, log: Sequence[Entry], code: str = "ABCDEF", at: int = 1) -> None:
    """Write a log into a database, so that a room can be opened on its table."""
    first = log[0].event
    assert isinstance(first, Created)
    row = {"code": code, "game": first.setup.game, "stage": "playing", "listed": False, "created": at, "changed": at}
    for entry in log:
        new = entry.version == 1
        store.append(Write(first.table, entry, row if new else {}, new=new)).result(20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def start(port: int, database: Path, **more: str) -> subprocess.Popen[bytes]:
    """A server in a separate process, by plain rules so that it compiles none in the background; returns when it
    answers.
    """
    command = [
        sys.executable,
        "-m",
        "cardtable",
        "serve",
        "--port",
        str(port),
        "--database",
        f"sqlite:///{database}",
        "--no-browser",
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings(**more)
    )

    def answers() -> bool:
        assert process.poll() is None
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1):
            return True
        return False

    until(answers)
    return process
