"""What stands in for POSIX elsewhere, tried by CARDTABLE_PORTABLE=1: locks, the compiled cache, keys, the terminal, one
server process and its limits.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import select
import signal
import subprocess
import sys
import textwrap
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

import pytest

from cardtable.base import platform
from cardtable.cli.terminal import keys
from cardtable.server import metrics
from cardtable.server.net.connections import room_for
from cardtable.server.thinking import pool
from cardtable.table import commands as cm
from cardtable.table.archive import record_of
from tests.cli.test_play import QUICK
from tests.conftest import compiled
from tests.kernel.processes import RULES, TOTAL, output
from tests.support.commands import ROOT, run
from tests.support.server.live import Driven
from tests.support.server.served import free_port, start
from tests.support.terminal import Terminal

ON: Any = {"CARDTABLE_PORTABLE": "1"}


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is on a system that is not POSIX."""
    monkeypatch.setattr(platform, "POSIX", False)


def python(code: str, *words: str, given: int = subprocess.DEVNULL, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env=os.environ | ON | more,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# Locks and the compiled cache

HOLD = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from cardtable.base import platform
    locks = platform.Locks(Path(sys.argv[1]))
    print("begun", flush=True)
    with locks.hold(sys.argv[2]):
        print("mine", flush=True)
        sys.stdin.read()
    """
)


@pytest.mark.parametrize("way", ["1", ""])
def test_a_lock_waits_for_who_has_it_and_goes_with_its_process(tmp_path: Path, way: str) -> None:
    first = python(HOLD, str(tmp_path), "a", given=subprocess.PIPE, CARDTABLE_PORTABLE=way)
    assert first.stdout is not None
    assert [first.stdout.readline(), first.stdout.readline()] == ["begun\n", "mine\n"]
    assert output(python(HOLD, str(tmp_path), "b", CARDTABLE_PORTABLE=way)) == "begun\nmine\n", "another name is free"
    second = python(HOLD, str(tmp_path), "a", CARDTABLE_PORTABLE=way)
    assert second.stdout is not None
    assert second.stdout.readline() == "begun\n"
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(0.5)
    first.kill()
    assert output(second) == "mine\n"
    first.communicate()
    assert (tmp_path / "locks").exists() == (not way)


def test_a_lock_within_another_lets_the_outer_one_be(tmp_path: Path, elsewhere: None) -> None:
    locks = platform.Locks(tmp_path)
    with locks.hold("outer"):
        with locks.hold("inner"):
            pass
        waiting = python(HOLD, str(tmp_path), "outer")
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "begun\n"
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.5)
    assert output(waiting) == "mine\n"


def test_locks_need_a_directory_that_can_be_written_to(tmp_path: Path, elsewhere: None) -> None:
    (tmp_path / "held").write_text("")
    with pytest.raises(OSError, match="held"):
        platform.Locks(tmp_path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The surroundings of processes two of which have compiled the same rules at once."""
    place = tmp_path_factory.mktemp("kept")
    (place / "rows.py").write_text(RULES, "utf-8")
    kept: Any = {"CARDTABLE_CACHE": str(place / "cache"), "CARDTABLE_NUMBA": "", "PYTHONPATH": f"{ROOT}:{place}"}
    running = [python(TOTAL, "5", **kept) for _ in range(2)]
    found = [output(process).split() for process in running]
    assert {total for total, _ in found} == {"30"}
    assert sum(int(made) for _, made in found) == 3, "none of them compiles what the other has compiled"
    return dict(kept)


@compiled
@pytest.mark.exhaustive
def test_rules_are_compiled_once_and_kept(kept: dict[str, Any]) -> None:
    assert output(python(TOTAL, "5", **kept)).split() == ["30", "0"]
    cache = Path(kept["CARDTABLE_CACHE"])
    assert list(cache.glob("*/held/*.lock"))
    assert not list(cache.glob("*/locks"))


# Directories and users


def test_directories_are_the_systems_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    here = platform.cache_directory(), platform.data_directory()
    monkeypatch.setattr(platform, "POSIX", False)
    assert here == (platform.cache_directory(), platform.data_directory())
    assert here == (tmp_path / "XDG_CACHE_HOME" / "cardtable", tmp_path / "XDG_DATA_HOME" / "cardtable")


def test_who_may_write_is_asked_of_posix_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    about = tmp_path.stat()
    assert (platform.is_mine(about), platform.only_i_write(about), platform.others_read(about)) == (True, False, True)
    monkeypatch.setattr(platform, "POSIX", False)
    assert (platform.is_mine(about), platform.only_i_write(about), platform.others_read(about)) == (True, True, False)
    monkeypatch.setenv("USERNAME", "Ann \\ Other")
    assert platform.user() == "Ann---Other"


# The terminal


class Console(ModuleType):
    """Windows' console, as the module `msvcrt` of that system gives it."""

    def __init__(self, typed: str, looks: int) -> None:
        """typed: the keys, the first of them after some looks."""
        super().__init__("msvcrt")
        self.typed, self.looks = list(typed), looks

    def kbhit(self) -> bool:
        """Whether a key waits."""
        self.looks -= 1
        return bool(self.typed) and self.looks < 0

    def getwch(self) -> str:
        """The next key."""
        return self.typed.pop(0)


@pytest.fixture
def nothing() -> Iterator[TextIO]:
    """An input without anything in it."""
    with open(os.devnull) as stream:
        yield stream


@pytest.mark.parametrize(("typed", "key"), [("p", "p"), ("ä", "ä"), ("", ""), ("\xe0H", "\xe0"), ("\x00;", "\x00")])
def test_a_key_comes_from_the_console(
    typed: str,
    key: str,
    elsewhere: None,
    nothing: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    console = Console(typed, 2)
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setattr("sys.stdin", nothing)
    assert keys.key_within(120.0 if typed else 0.0, "key> ") == key
    assert console.typed == []
    assert capsys.readouterr().out == "key> \n"


@pytest.mark.parametrize(("typed", "error"), [("\x03", KeyboardInterrupt), ("\x04", EOFError), ("\x1a", EOFError)])
def test_the_console_interrupts_and_ends(
    typed: str, error: type[BaseException], elsewhere: None, nothing: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", Console(typed, 0))
    monkeypatch.setattr("sys.stdin", nothing)
    with pytest.raises(error):
        keys.key_within(5.0, "")


#: The command line over such a console, whose keys are those of this terminal.
OVER_A_CONSOLE = textwrap.dedent(
    """
    import asyncio, os, select, subprocess, sys, termios, tty, types  # they ask for msvcrt to know the system
    tty.setcbreak(0)
    sys.modules["msvcrt"] = types.SimpleNamespace(
        kbhit=lambda: bool(select.select([0], [], [], 0)[0]), getwch=lambda: os.read(0, 1).decode())
    from cardtable.cli import main
    main()
    """
)


def test_a_game_whose_clock_runs_is_played_by_keys(tmp_path: Path) -> None:
    python_ = ("-c", OVER_A_CONSOLE)
    table = Terminal("play", "pirate", *QUICK, "--speed", "2", python=python_, CARDTABLE_DATA=str(tmp_path), **ON)
    table.until("any other key stops the clock > ")
    table.type("%")
    table.until("your move (Enter: wait)>")
    table.type("q\n")
    table.until("The match is saved.")
    assert table.close() == 0


def test_a_match_is_played_saved_and_resumed(tmp_path: Path) -> None:
    surroundings = ON | {"CARDTABLE_DATA": str(tmp_path / "data")}
    first = Terminal("play", "fan-tan", *QUICK, **surroundings)
    first.until("your move>")
    first.type("1\n")
    first.until("your move>")
    interrupt(first, signal.SIGTERM)
    first.until("--resume")
    first.close()
    (saved,) = (tmp_path / "data").glob("*.toml")
    again = Terminal("play", "--resume", str(saved), **surroundings)
    assert "seed 7" in again.until("your move>")
    interrupt(again)
    again.until("Stopped.")
    assert again.close() == 130


def interrupt(table: Terminal, number: signal.Signals = signal.SIGINT) -> None:
    """A signal (Ctrl-C), and once more if nothing happens: without `platform.hearing`'s clock, Python does not see one
    that comes just before it begins to wait for keys.
    """
    for _ in range(12):
        table.process.send_signal(number)
        if select.select([table.master], [], [], 10.0)[0]:
            return


def test_moves_come_from_a_pipe(tmp_path: Path) -> None:
    words = ("play", "fan-tan", "--seats", "3", "--set", "deals=1", *QUICK, "--speed", "50")
    posix = run(*words, given="1\n" * 60, CARDTABLE_DATA=str(tmp_path))
    assert run(*words, given="1\n" * 60, CARDTABLE_DATA=str(tmp_path), **ON).stdout == posix.stdout


# Signals and limits


def test_a_signal_is_heard_in_an_event_loop(elsewhere: None) -> None:
    before = signal.getsignal(signal.SIGTERM)

    async def heard() -> str:
        found: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        platform.hear(asyncio.get_running_loop(), signal.SIGTERM, found.set_result, "heard")
        os.kill(os.getpid(), signal.SIGTERM)
        return await asyncio.wait_for(found, 60)

    try:
        assert asyncio.run(heard()) == "heard"
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_process_ends_itself_in_time_or_not_at_all() -> None:
    code = (
        "import sys, time; from cardtable.base import platform; platform.end_after(0.3); {}; "
        "time.sleep(float(sys.argv[1]))"
    )
    late = python(code.format("pass"), "600")
    late.communicate(timeout=300)
    assert late.returncode == 1
    assert output(python(code.format("platform.end_after(0)"), "1")) == ""
    again = python(code.format("platform.end_after(500); platform.end_after(0.1)"), "600")
    again.communicate(timeout=300)
    assert again.returncode == 1


def test_what_has_no_limit_is_unlimited(elsewhere: None) -> None:
    platform.raise_open_files(10)
    platform.limit_memory(1)
    platform.limit_memory(None)
    platform.give_way(5)
    assert platform.open_files_limit() == math.inf
    assert room_for(1234) == 1234
    figures = metrics.Metrics()
    figures.count_files()
    assert "cardtable_open_files_limit +Inf" in figures.text().decode()
    before = platform.seconds_of_children()
    assert platform.seconds_of_children() >= before


# The server


def test_one_process_serves_reads_records_and_ends_in_order(tmp_path: Path) -> None:
    t = Driven("busca", "a", seats=3, bots=("", "medium", "medium"))
    assert t.ask("a", cm.Resign) is None
    port = free_port()
    process = start(port, tmp_path / "tables.db", **ON)
    try:
        address = f"http://127.0.0.1:{port}/api/verify"
        question = urllib.request.Request(
            address, str(record_of(t.table)).encode(), {"Origin": f"http://127.0.0.1:{port}"}
        )
        with urllib.request.urlopen(question, timeout=60) as answer:
            assert json.load(answer)["ok"], "a separate process read the record within its limits"
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
    assert (tmp_path / "tables.db").exists()
    assert not (tmp_path / "tables.db-wal").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--processes", "2", "--database", "postgresql+psycopg:///cards"),
        ("--database", "postgresql+psycopg:///cards"),
        ("--processes", "2"),
    ],
)
def test_what_needs_unix_sockets_is_refused(words: tuple[str, ...]) -> None:
    done = run("serve", *words, code=3, **ON)
    assert "this system has no Unix sockets" in " ".join(done.stderr.split())
    assert "one process and SQLite" in " ".join(done.stderr.split())


def test_a_socket_between_processes_is_refused(elsewhere: None, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no Unix sockets"):
        pool.listen(tmp_path / "pool")
