"""Supervisor of several processes that serve together at one address: it starts them, replaces any that end, and
replaces all one after another on SIGUSR1 (a rolling restart), so that a new version can be installed during play.

The processes accept connections from one listening socket, and share a pool in which their bots think. The supervisor
only starts them: their shared data is in the database (cardtable.server.cluster.cluster).
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from prometheus_client.multiprocess import mark_process_dead

from cardtable.base import platform
from cardtable.server import logs
from cardtable.server.member import DRAINED, READY, ServingPart
from cardtable.server.metrics import SHARED
from cardtable.server.one_process import STOP_WITHIN
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store, StoreError
from cardtable.server.thinking.pool_keeper import PoolKeeper

log = logging.getLogger("cardtable.server")
COMMAND = (sys.executable, "-m", "cardtable.server.member")
START_WITHIN = 120.0  #: seconds that a process may take until it answers
SHORT = 5.0  #: seconds; a process that ends sooner is started again only after a pause
PAUSES = (0.0, 0.5, 2.0, 5.0)  #: seconds before a process is started again, after repeated early ends


@dataclass(frozen=True)
class ServingPlan:
    """What several processes serve. database: the URL of a PostgreSQL database."""

    database: str
    settings: Settings
    operator_token: str
    processes: int


@dataclass
class Child:
    """A process; its place is its number among them, which a process that replaces it takes over."""

    place: int
    process: subprocess.Popen[bytes]
    began: float = field(default_factory=time.monotonic)
    ready: bool = False
    leaving: bool = False  #: it was asked to end

    def end(self) -> None:
        """Ask it to end."""
        self.leaving = True
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()


class Supervisor:
    """Starts processes, and keeps them running until it is interrupted."""

    def __init__(self, plan: ServingPlan, bound: socket.socket, answering: Callable[[], Any]) -> None:
        """bound: the socket at which all listen; answering: called once all of them answer."""
        self._plan = plan
        self._bound = bound
        self._answering = answering
        self._directory = Path(tempfile.mkdtemp(prefix="cardtable-"))
        self._news: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._children: list[Child] = []
        self._short = [0] * plan.processes  #: how many processes at each place have ended soon, one after another
        self._pools: list[PoolKeeper] = []  #: the last is the one for new processes
        self._replacing: list[Child] = []  #: processes that a rolling restart has still to replace
        self._answered = False
        self._ending: BaseException | None = None

    def run(self) -> None:
        """Serve until interrupted: Ctrl-C raises KeyboardInterrupt, SIGTERM SystemExit(0). Raises StoreError."""
        for number, how in ((signal.SIGTERM, SystemExit(0)), (signal.SIGINT, KeyboardInterrupt())):
            signal.signal(number, lambda *_, how=how: self.end(how))
        platform.at_restart(lambda *_: self.restart())
        platform.at_hangup(lambda *_: self.end(SystemExit(0)))
        self.serve()

    def serve(self) -> None:
        """Serve until `end`, and raise its error. Raises StoreError."""
        try:
            self._new_pool()
            for place in range(self._plan.processes):
                self._start(place)
            while self._ending is None:
                self._news.get()()
        finally:
            self._stop()
            self._bound.close()
            shutil.rmtree(self._directory, ignore_errors=True)
        raise self._ending

    def restart(self) -> None:
        """Ask for a rolling restart, from a signal or any thread."""
        self._news.put(self._restart)

    def end(self, how: BaseException) -> None:
        """End all processes, from a signal or any thread."""
        self._news.put(lambda: self._end(how))

    # Processes

    def _start(self, place: int) -> Child:
        """Start a process."""
        pool = str(self._pools[-1].path)
        settings = replace(self._plan.settings, sockets_in=str(self._directory), pool=pool)
        part = ServingPart(self._bound.fileno(), self._plan.database, settings, self._plan.operator_token)
        process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[self._bound.fileno()],
            env=os.environ | {SHARED: str(self._directory)},
        )
        child = Child(place, process)
        self._children.append(child)
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(msgspec.json.encode(part) + b"\n")
            process.stdin.flush()
        threading.Thread(target=self._watch, args=(child,), name=f"process {process.pid}", daemon=True).start()
        return child

    def _watch(self, child: Child) -> None:
        """In a thread: report when a process answers, and when it has ended."""
        assert child.process.stdout is not None
        if child.process.stdout.readline() == READY:
            self._news.put(lambda: self._is_ready(child))
        child.process.stdout.read()
        child.process.wait()
        for pipe in (child.process.stdin, child.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]
        self._news.put(lambda: self._has_ended(child))

    def _is_ready(self, child: Child) -> None:
        child.ready = True
        if not self._answered and all(one.ready for one in self._children):
            self._answered = True
            self._answering()
        self._replace_next()

    def _has_ended(self, child: Child) -> None:
        self._children.remove(child)
        mark_process_dead(child.process.pid, str(self._directory))  # type: ignore[no-untyped-call]
        if child in self._replacing:
            self._replacing.remove(child)
        if not self._replacing:
            self._end_old_pools()
        if child.leaving:
            self._replace_next()
            return
        if child.process.returncode == DRAINED:
            if not self._children:
                self._ending = SystemExit(0)
            return
        if not self._answered:
            self._ending = StoreError(f"a process that serves ended with code {child.process.returncode}")
            return
        soon = time.monotonic() - child.began < SHORT
        self._short[child.place] = self._short[child.place] + 1 if soon else 0
        pause = PAUSES[min(self._short[child.place], len(PAUSES) - 1)]
        log.error("process %d ended with code %d: another is started", child.process.pid, child.process.returncode)
        timer = threading.Timer(pause, lambda: self._news.put(lambda: self._start_again(child.place)))
        timer.daemon = True
        timer.start()

    def _start_again(self, place: int) -> None:
        if self._ending is not None:
            return
        if any(child.place == place and not child.leaving for child in self._children):
            self._replace_next()  # in a rolling restart, the one that was to replace it or to be replaced is there
        else:
            self._start(place)

    # A rolling restart

    def _new_pool(self) -> None:
        """Start a pool for the processes that are started from now on. Raises OSError."""
        path = self._directory / f"pool-{len(self._pools)}-{secrets.token_hex(2)}"
        self._pools.append(PoolKeeper(path, self._plan.settings))

    def _end_old_pools(self) -> None:
        """End the older pools, unused after a rolling restart."""
        for pool in self._pools[:-1]:
            pool.close()
        del self._pools[:-1]

    def _restart(self) -> None:
        """Replace the pool and then all processes, one after another."""
        try:
            self._new_pool()  # of the same version as the new processes
        except OSError as error:
            log.error("there is no rolling restart: %s", error)
            return
        busy = bool(self._replacing)
        self._replacing = [child for child in self._children if not child.leaving]
        logs.event("server.restarting", processes=len(self._replacing))
        if not busy:
            self._replace_next()

    def _replace_next(self) -> None:
        """If all processes answer, start one that replaces the next; once it answers, ask the old one to end."""
        if not self._replacing or not all(child.ready for child in self._children):
            return
        old = self._replacing[0]
        if old.leaving:
            return
        if sum(child.place == old.place and not child.leaving for child in self._children) > 1:
            old.end()
        else:
            self._start(old.place)

    # The end

    def _end(self, how: BaseException) -> None:
        self._ending = how

    def _stop(self) -> None:
        """End all processes, and wait for them."""
        for child in self._children:
            child.end()
        until = time.monotonic() + STOP_WITHIN + 2.0
        for child in self._children:
            try:
                child.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
        for pool in self._pools:
            pool.close()


def supervise(plan: ServingPlan, bound: socket.socket, answering: Callable[[], Any]) -> None:
    """Serve with several processes at a bound socket until interrupted, then close it. answering: called once all of
    them answer.

    Ctrl-C raises KeyboardInterrupt, SIGTERM and closing the terminal SystemExit(0), after everything is saved and
    closed. Raises StoreError.
    """
    logs.set_up(plan.settings)
    Store(plan.database).close()  # report its faults here, and run its steps once
    Supervisor(plan, bound, answering).run()
