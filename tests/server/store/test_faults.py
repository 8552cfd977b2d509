"""Faults of an SQLite database with players at the tables: nothing acknowledged is lost, people are told, and play
resumes automatically. tests/server/store/test_faults_postgres.py has those of PostgreSQL.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import shutil
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable.server import clock
from cardtable.server.rooms import room as rooms
from cardtable.server.store import database as databases
from cardtable.server.store.faults import READ_ONLY
from cardtable.server.store.schema import STEPS
from cardtable.server.store.store import Store, StoreError
from tests.support.databases import sqlite
from tests.support.server.clients import new_table
from tests.support.server.faults import Pragma, Proxy, through
from tests.support.server.served import Served, served

pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.server(fresh=True)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(place)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a file system, and not everywhere")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize(
    ("pragma", "usual", "broken", "kind", "why"),
    [
        ("max_page_count", str(1 << 30), "1", "full", "disk is full"),  # it takes no more pages than it has
        ("query_only", "OFF", "ON", "read-only", "the database is read-only"),
    ],
)
def test_nothing_can_be_written(
    server: Served, file: Path, pragma: str, usual: str, broken: str, kind: str, why: str
) -> None:
    setting = Pragma(server, pragma, usual)
    through(server, f"sqlite:///{file}", lambda: setting.be(broken), lambda: setting.be(usual), kind, why)


@pytest.mark.exhaustive
def test_full_disk_that_is_a_disk(disk: Path) -> None:
    """Another file takes all the room that the file system has."""
    more = disk / "more"

    def fill() -> None:
        with contextlib.suppress(OSError), more.open("wb", buffering=0) as other:
            while other.write(b"x" * 4096):
                pass

    with served(disk / "t.db") as server:
        through(server, f"sqlite:///{disk / 't.db'}", fill, more.unlink, "full", "disk is full")


LOCK = "BEGIN EXCLUSIVE", "ROLLBACK"


def through_another(server: Served, file: Path, begin: str, end: str, kind: str, why: str, **more: Any) -> None:
    """Another program's connection makes a fault, and ends it."""
    other = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    through(server, f"sqlite:///{file}", lambda: other.execute(begin), lambda: other.execute(end), kind, why, **more)
    other.close()


def test_locked_by_another_program(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(databases, "BUSY", 0.3)
    with served(file) as server:
        through_another(server, file, *LOCK, "locked", "another program keeps the database locked")


def test_an_answer_that_does_not_come_is_told_before_it_fails(server: Served, file: Path) -> None:
    """A lock is waited for; people need not wait as long to learn why nothing moves."""
    through_another(server, file, *LOCK, "silent", "the database does not answer", refused=False)


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (
            f"INSERT INTO schema_version VALUES ({len(STEPS) + 1})",
            f"DELETE FROM schema_version WHERE step = {len(STEPS) + 1}",
        ),
        ("ALTER TABLE events RENAME TO away", "ALTER TABLE away RENAME TO events"),
    ],
    ids=["a newer version", "tables are gone"],
)
def test_schema_of_another_version_while_running(server: Served, file: Path, begin: str, end: str) -> None:
    """Another program brings the database to it: this one does not write to what it does not know."""
    through_another(server, file, begin, end, "schema", "the database belongs to another version of Cardtable")


def test_removed_and_put_back(server: Served, file: Path) -> None:
    away = file.with_name("away.db")
    through(
        server,
        f"sqlite:///{file}",
        lambda: file.rename(away),
        lambda: away.rename(file),
        "replaced",
        "the database's file was removed or replaced",
    )


def of_version(file: Path, step: int) -> None:
    Store(f"sqlite:///{file}").close()
    with sqlite(file) as connection:
        if step > len(STEPS):
            connection.execute("INSERT INTO schema_version VALUES (?)", (step,))
        else:
            connection.execute("DELETE FROM schema_version WHERE step > ?", (step,))


@pytest.mark.parametrize("step", [1, len(STEPS), len(STEPS) + 1], ids=["older", "same", "newer"])
def test_replaced_by_another_database_and_put_back(server: Served, file: Path, step: int) -> None:
    """Of an older version, of the same one, and of a newer one. The other is left as it was."""
    other, away = file.with_name("other.db"), file.with_name("away.db")
    of_version(other, step)
    as_it_was = other.read_bytes()

    def replace() -> None:
        file.rename(away)
        shutil.copy(other, file)

    def put_back() -> None:
        assert file.read_bytes() == as_it_was
        away.replace(file)

    through(server, f"sqlite:///{file}", replace, put_back, "replaced", "the database's file was removed or replaced")


def test_nobody_loses_time_by_a_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn has 15 s. The fault lasts for a minute, by the server's clock, and nobody's turn is over after it."""
    late = [0]
    true = clock.now
    monkeypatch.setattr(rooms, "now", lambda: true() + late[0])

    async def play(server: Served, only: Pragma) -> None:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", ""], clock="brisk", people=2) as (a, b):
            await b.sit("Ben")
            await a.until(lambda: a.stage == "playing")
            only.be("ON")
            saying = asyncio.create_task(b.command("say", text="hello?"))
            await a.until(lambda: a.held)
            late[0] = 60_000
            only.be("OFF")
            await a.until(lambda: not a.held)
            await saying
            await a.command("say", text="on")
            by = [happening["by"] for happening in a.log if happening["kind"] == "moved"]
            assert "clock" not in by
            late[0] += 20_000  # as long as this is over after a usual turn
            await b.command("say", text="really")
            await a.until(lambda: any(h["kind"] == "moved" and h["by"] == "clock" for h in a.log))

    with served(file) as server:
        asyncio.run(asyncio.wait_for(play(server, Pragma(server, "query_only", "OFF")), 300))


async def test_what_is_due_waits_until_play_goes_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's command may be saved before everybody was told that play continues: no time runs out by that."""
    late = [0]
    true = clock.now
    monkeypatch.setattr(rooms, "now", lambda: true() + late[0])

    with served(file) as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", ""], clock="brisk", people=2) as (a, b):
            await b.sit("Ben")
            await a.until(lambda: a.stage == "playing")
            room = server.app.hall.rooms[a.name]
            server.loop.call_soon_threadsafe(room.hold, READ_ONLY)
            await a.until(lambda: a.held)
            late[0] = 60_000
            await b.command("say", text="hello?")
            server.loop.call_soon_threadsafe(room.release)
            await a.until(lambda: not a.held)
            await b.command("say", text="on")
            assert not [happening for happening in a.log if happening.get("by") == "clock"]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda file: of_version(file, len(STEPS) + 1), "use a newer one"),
        (lambda file: file.write_bytes(b"x" * 8192), "not a database"),
        (lambda file: file.with_name(f"{file.name}-wal").touch(), "put the file back"),
        (lambda file: file.mkdir(), "unable to open"),
    ],
    ids=["newer", "no database", "gone", "a directory"],
)
def test_a_database_that_cannot_be_opened_is_refused_at_the_start(file: Path, made: object, told: str) -> None:
    made(file)  # type: ignore[operator]
    with pytest.raises(StoreError, match=told):
        Store(f"sqlite:///{file}")


def test_a_proxy_leaves_nothing_open(tmp_path: Path) -> None:
    """Pytest blames whichever test runs when a socket is found that nobody closed."""
    before = threading.enumerate()
    with socket.create_server(("127.0.0.1", 0)) as target:
        proxy = Proxy(int(target.getsockname()[1]))
        with socket.create_connection(("127.0.0.1", proxy.port), 30) as line, target.accept()[0] as there:
            there.sendall(b"x")
            assert line.recv(1) == b"x"
            proxy.close()
            assert line.recv(1) == b""
    nowhere = Proxy(str(tmp_path / "none"))
    with socket.create_connection(("127.0.0.1", nowhere.port), 30) as line:
        assert line.recv(1) == b""
    nowhere.close()
    assert [thread for thread in threading.enumerate() if thread not in before] == []
    del proxy, nowhere
    gc.collect()
