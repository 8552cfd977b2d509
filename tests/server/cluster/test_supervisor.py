"""Which processes are started and ended, and when, with small programs instead of servers and of the pool
(tests/server/cluster/test_processes.py has real ones).
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardtable.server import supervisor
from cardtable.server.settings import Settings
from cardtable.server.store.store import StoreError
from cardtable.server.supervisor import Child, ServingPlan, Supervisor
from cardtable.server.thinking import pool_keeper, protocol
from cardtable.server.thinking.pool_keeper import PoolKeeper
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="several processes need Unix sockets")
SERVES = ("sh", "-c", "read told; echo ready; exec cat > /dev/null")  #: ends with its standard input, or when told to
FAILS = ("sh", "-c", "read told; exit 3")


class Noted(Supervisor):
    def __init__(self, processes: int, patch: pytest.MonkeyPatch) -> None:
        self.noted: list[tuple[str, int]] = []  #: what happened to the process at which place
        self.clock = 0.0
        self.pauses: list[float] = []
        self.ended: list[BaseException] = []
        self.at: dict[
            tuple[str, int], Callable[[], None]
        ] = {}  #: what is done when something happens for the first time
        note, end, pauses = self.note, Child.end, self.pauses

        class Pool:
            def __init__(self, path: Path, settings: Settings) -> None:
                self.path = path
                note("pool", int(path.name.split("-")[1]))

            def close(self) -> None:
                note("pool ends", int(self.path.name.split("-")[1]))

        class Timer(threading.Thread):
            """What is to be done after a pause is done at once."""

            def __init__(self, pause: float, work: Callable[[], None]) -> None:
                super().__init__(target=work)
                pauses.append(pause)

        def ends(child: Child) -> None:
            note("end", child.place)
            end(child)

        patch.setattr(supervisor, "COMMAND", SERVES)
        patch.setattr(supervisor, "PoolKeeper", Pool)
        patch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: self.clock))
        patch.setattr(supervisor, "threading", SimpleNamespace(Thread=threading.Thread, Timer=Timer))
        patch.setattr(Child, "end", ends)
        self.bound = socket.create_server(("127.0.0.1", 0))
        plan = ServingPlan("postgresql://none", Settings(), "", processes)
        super().__init__(plan, self.bound, lambda: note("all", processes))

    def note(self, step: str, place: int) -> None:
        self.noted.append((step, place))
        self.at.pop((step, place), lambda: None)()

    def settle(self) -> None:
        """Wait until all that has been told until now is done."""
        done = threading.Event()
        self._news.put(done.set)
        assert done.wait(90.0)

    def _start(self, place: int) -> Child:
        child = super()._start(place)
        child.began = self.clock
        self.note("start", place)
        return child

    def _is_ready(self, child: Child) -> None:
        self.note("ready", child.place)
        super()._is_ready(child)

    def _has_ended(self, child: Child) -> None:
        self.note("ended", child.place)
        super()._has_ended(child)

    def serve(self) -> None:
        try:
            super().serve()
        except BaseException as error:
            self.ended.append(error)
        for thread in threading.enumerate():
            if thread.name.startswith("process "):
                thread.join(90.0)

    @property
    def pids(self) -> list[int]:
        found = sorted((child for child in list(self._children) if child.ready), key=lambda child: child.place)
        return [child.process.pid for child in found]


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Iterator[Noted]:
    """Two processes, both ready; what was noted until then is forgotten."""
    it = Noted(2, monkeypatch)
    thread = threading.Thread(target=it.serve)
    thread.start()
    try:
        until(lambda: ("all", 2) in it.noted, "both answer")
        it.noted.clear()
        yield it
    finally:
        it.end(SystemExit(0))
        thread.join(90.0)
    assert not thread.is_alive()
    assert [error.args for error in it.ended] == [(0,)]
    assert it.bound.fileno() < 0
    assert not it._directory.exists()


def test_a_rolling_restart_ends_a_process_once_another_answers_in_its_place(two: Noted) -> None:
    """One place after the other, and with a new pool; the old one ends last."""
    before = two.pids
    two.restart()
    until(lambda: ("pool ends", 0) in two.noted, "all are replaced")
    one_place = ["start", "ready", "end", "ended"]
    assert two.noted == [("pool", 1), *((step, place) for place in (0, 1) for step in one_place), ("pool ends", 0)]
    assert not set(before) & set(two.pids)
    assert len(two.pids) == 2


def test_a_process_that_ends_by_itself_is_replaced(two: Noted) -> None:
    """At once if it had lived, and the more often it ends soon, the later."""
    for lived in (0.0, 0.0, 1.0, 0.0, 0.0, supervisor.SHORT, 0.0):
        two.noted.clear()
        victim = two.pids[1]
        two.clock += lived
        os.kill(victim, signal.SIGKILL)
        until(lambda: ("ready", 1) in two.noted and len(two.pids) == 2, "another answers")
        assert two.noted == [("ended", 1), ("start", 1), ("ready", 1)]
        assert victim not in two.pids
    assert two.pauses == [0.5, 2.0, 5.0, 5.0, 5.0, 0.0, 0.5]


@pytest.mark.parametrize("victim", ["old", "new"])
@pytest.mark.parametrize(
    "when", [("pool", 1), ("start", 0), ("ended", 0), ("start", 1)], ids=lambda step: "-".join(map(str, step))
)
def test_a_process_that_dies_during_a_rolling_restart(two: Noted, when: tuple[str, int], victim: str) -> None:
    """Whichever it is, in the end each place has one new process, and the old pool is gone."""
    before = two.pids
    struck: list[int] = []

    def strike() -> None:
        left = [child for child in two._children if (child.process.pid in before) == (victim == "old")]
        if left:  # nothing is new yet where the first step is the pool's
            struck.append(left[-1].process.pid)
            left[-1].process.kill()

    def replaced() -> bool:
        """One that had answered before it was struck counts until its end is noticed."""
        return ("pool ends", 0) in two.noted and len(two.pids) == 2 and not {*struck} & {*two.pids}

    two.at[when] = strike
    two.restart()
    until(replaced, "all are replaced")
    two.settle()
    assert [child.place for child in sorted(two._children, key=lambda child: child.place)] == [0, 1]
    assert not set(before) & {child.process.pid for child in two._children}


def test_a_server_that_cannot_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    it = Noted(2, monkeypatch)
    monkeypatch.setattr(supervisor, "COMMAND", FAILS)
    it.serve()
    (error,) = it.ended
    assert isinstance(error, StoreError)
    assert "ended with code 3" in str(error)
    assert ("pool ends", 0) in it.noted


def test_signals_restart_and_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert threading.current_thread() is threading.main_thread(), "signals are for the main thread"
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)
    usual = [signal.getsignal(number) for number in numbers]
    try:
        for number, kind in ((signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)):
            it = Noted(1, monkeypatch)

            def ask(it: Noted = it, number: int = number) -> None:
                until(lambda: ("all", 1) in it.noted, "it answers")
                os.kill(os.getpid(), signal.SIGUSR1)
                until(lambda: ("pool ends", 0) in it.noted, "it is replaced")
                os.kill(os.getpid(), number)

            asking = threading.Thread(target=ask)
            asking.start()
            it.run()
            asking.join()
            assert [type(error) for error in it.ended] == [kind]
    finally:
        for number, handle in zip(numbers, usual, strict=True):
            signal.signal(number, handle)


# The pool


class Kept:
    """A keeper whose pools answer as they are told, and how many were started."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.answers = True
        self.asked = 0
        self.started: list[subprocess.Popen[bytes]] = []
        patch.setattr(pool_keeper, "EVERY", 0.005)
        patch.setattr(pool_keeper, "START_WITHIN", 0.0)
        patch.setattr(PoolKeeper, "_answers", lambda _: self._answer())
        patch.setattr(protocol, "start", self._start)
        self.keeper = PoolKeeper(Path("none"), Settings())

    def _answer(self) -> bool:
        self.asked += 1
        return self.answers

    def _start(self, path: Path, settings: Settings) -> subprocess.Popen[bytes]:
        self.started.append(subprocess.Popen(("cat",), stdin=subprocess.PIPE))
        return self.started[-1]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A keeper with a pool."""
    it = Kept(monkeypatch)
    yield it
    it.keeper.close()
    assert all(process.poll() is not None for process in it.started)


def test_a_pool_that_is_killed_is_started_again(kept: Kept) -> None:
    kept.started[0].kill()
    until(lambda: len(kept.started) == 2, "another is started")
    before = kept.asked
    until(lambda: kept.asked > before + 5, "it is looked at")
    assert len(kept.started) == 2
    assert kept.started[1].poll() is None


def test_a_pool_that_does_not_answer_is_started_again(kept: Kept) -> None:
    before = kept.asked
    until(lambda: kept.asked > before, "it is looked at")
    kept.answers = False
    until(lambda: len(kept.started) == 2, "another is started")
    kept.answers = True
    assert kept.started[0].poll() is not None
    assert kept.started[1].poll() is None


@pytest.mark.parametrize("said", [b"word", b"", None], ids=["answers", "ends", "hangs"])
def test_a_pool_is_asked_for_an_answer(said: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_keeper, "ANSWER", 90.0 if said else 0.05)
    keeper: Any = SimpleNamespace(path=tmp_path / "pool")
    assert not PoolKeeper._answers(keeper), "nobody is there"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(keeper.path))
        listening.listen()

        def answer() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(4096)  # what a line that closes has not read resets it, and the answer with it
                if said:
                    line.sendall(said)
                while said is None and line.recv(4096):
                    pass

        answering = threading.Thread(target=answer)
        answering.start()
        assert PoolKeeper._answers(keeper) is bool(said)
        answering.join()
