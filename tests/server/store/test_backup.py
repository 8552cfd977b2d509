"""Backups made by deploy/backup.sh while people play; the tables continue in a server over the restored database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cardtable.client import Client, ServerError
from cardtable.client import TableClient as ClientTable
from tests.support.commands import ROOT
from tests.support.databases import empty_database
from tests.support.programs import needs
from tests.support.server.served import Served, served
from tests.support.waiting import eventually, run

SCRIPT = ROOT / "deploy" / "backup.sh"
PEOPLE = ("Ann", "Ben")


def program(name: str) -> str:
    found = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)
    assert found, f"PostgreSQL is here, but {name} is not"
    return found


def backup(database: str, directory: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), database, str(directory), *more], capture_output=True, text=True, timeout=300, check=False
    )


@contextlib.asynccontextmanager
async def seated(url: str, tokens: list[str], table: str) -> AsyncIterator[list[ClientTable]]:
    """People at their table, in the order of PEOPLE."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, token)) for token in tokens]
        tables = [await stack.enter_async_context(client.table(table)) for client in clients]
        for one in tables:
            await one.until(lambda one=one: bool(one.table))  # type: ignore[misc]
        yield tables


async def one_move(tables: list[ClientTable]) -> int:
    """The next move of the player to act, or on to the next deal; returns the number of moves made."""
    await eventually(lambda: any(one.legal or one.stage in ("between", "over") for one in tables))
    for one in tables:
        assert one.stage != "over", "the match is over, so nobody can play on"
        if one.legal or one.stage == "between":
            with contextlib.suppress(ServerError):  # the table has gone on
                await (one.move(one.legal[0]) if one.legal else one.command("ready"))
                return 1
    return 0


async def play_and_back_up(url: str, database: str, directory: Path) -> tuple[list[str], str, int, str]:
    """Two people play; in the middle a backup is made.

    Returns their tokens, their table, the version that was acknowledged when the backup began, and what it printed.
    """
    async with Client(url) as ann, Client(url) as ben:
        options = {"deals": "1000"}  # so that the match is not over before the backup is made, however long that takes
        made = await ann.make("crazy-eights", name=PEOPLE[0], seats=2, bots=["", ""], options=options)
        async with ann.table(made["id"]) as first, ben.table(made["id"]) as second:
            await second.sit(PEOPLE[1])
            tables = [first, second]
            await first.until(lambda: first.stage == "playing")
            moves = 0
            while moves < 5:
                moves += await one_move(tables)
            # another one, if it was made between two moves
            more = 0
            while not more:
                shutil.rmtree(directory, ignore_errors=True)
                version = first.version
                done = asyncio.create_task(asyncio.to_thread(backup, database, directory))
                while not done.done():
                    more += await one_move(tables)
                told = await done
                assert told.returncode == 0, told.stderr
            return [ann.token, ben.token], made["id"], version, told.stdout.strip()


async def play_on(url: str, tokens: list[str], table: str, version: int) -> None:
    """The same people continue at their table as it was in the backup, until the match is over."""
    async with seated(url, tokens, table) as tables:
        assert tables[0].version >= version
        names = [seat["name"] for seat in tables[0].table["seats"]]
        assert names == list(PEOPLE)
        before = tables[0].version
        moves = 0
        while moves < 5:
            moves += await one_move(tables)
        assert tables[0].version > before
        await tables[0].command("resign")
        await tables[0].until(lambda: tables[0].stage == "over")
        told = await tables[0].client.get("/api/matches")
        assert len(told["matches"]) == 1


def server(file: Path, database: str = "") -> contextlib.AbstractContextManager[Served]:
    """A server over a database; a table is still there when its people have been away."""
    return served(file, database=database, absence=60.0)


def test_a_backup_of_sqlite_while_people_play(tmp_path: Path) -> None:
    with server(tmp_path / "cardtable.db") as first:
        tokens, table, version, made = run(
            play_and_back_up(first.url, str(tmp_path / "cardtable.db"), tmp_path / "backups")
        )
    assert [str(path) for path in (tmp_path / "backups").iterdir()] == [made]
    assert os.stat(made).st_mode & 0o777 == 0o600
    restored = tmp_path / "restored" / "cardtable.db"
    restored.parent.mkdir()
    shutil.copy(made, restored)
    with server(restored) as second:
        run(play_on(second.url, tokens, table, version))


@needs("PostgreSQL", "psycopg")
def test_a_backup_of_postgresql_while_people_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((os.environ["PATH"], str(Path(program("pg_dump")).parent))))
    with empty_database() as database, server(tmp_path / "none", database) as first:
        tokens, table, version, made = run(play_and_back_up(first.url, database, tmp_path / "backups"))
    assert os.stat(made).st_mode & 0o777 == 0o600
    with empty_database() as empty:
        url = "postgresql:" + empty.partition(":")[2]
        subprocess.run([program("pg_restore"), "--no-owner", f"--dbname={url}", made], check=True, capture_output=True)
        with server(tmp_path / "none", empty) as second:
            run(play_on(second.url, tokens, table, version))


def test_old_backups_are_deleted(tmp_path: Path) -> None:
    database, directory = tmp_path / "cardtable.db", tmp_path / "backups"
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE a (b)")
    directory.mkdir()
    old, new, other = (directory / name for name in ("cardtable-old.db", "cardtable-new.db", "notes.txt"))
    for path, days in ((old, 40), (new, 3), (other, 40)):
        path.touch()
        os.utime(path, (time.time() - days * 86_400,) * 2)
    done = backup(str(database), directory, "30")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in directory.iterdir()} == {new.name, other.name, Path(done.stdout.strip()).name}


def test_a_clock_that_is_far_ahead_deletes_no_backup(tmp_path: Path) -> None:
    """For it all of them are old. The same where no backup was made for long, when nothing else is there."""
    database, directory = tmp_path / "t.db", tmp_path / "backups"
    with contextlib.closing(sqlite3.connect(database)) as made:
        made.execute("CREATE TABLE t (n INTEGER)")
    directory.mkdir()
    for n in range(3):
        path = directory / f"cardtable-{n}.db"
        path.touch()
        os.utime(path, (time.time() - (800 + n) * 86_400,) * 2)
    done = backup(str(database), directory, "30")
    assert done.returncode == 0, done.stderr
    assert "is the clock right?" in done.stderr
    assert len(list(directory.iterdir())) == 4


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["{tmp}/none.db", "{tmp}/b"], "no backup of"),
        (["{tmp}/none.db"], "backup.sh DATABASE DIRECTORY"),
        (["{tmp}/text.db", "{tmp}/b"], "not a database"),
        (["{tmp}/text.db", "{tmp}/b", "many"], "DAYS is no number"),
    ],
)
def test_a_backup_that_cannot_be_made_is_none(words: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("a text" * 1000)
    done = subprocess.run([str(SCRIPT), *(word.format(tmp=tmp_path) for word in words)], capture_output=True, text=True)
    assert done.returncode != 0
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "none.db").exists()
    assert [path.name for path in tmp_path.glob("b/*")] == []


def test_the_script_can_be_told_to_a_shell(tmp_path: Path) -> None:
    """As docs/operating.md does it in a container, which does not have the file."""
    with contextlib.closing(sqlite3.connect(tmp_path / "t.db")) as made:
        made.execute("CREATE TABLE t (n INTEGER)")
    with SCRIPT.open("rb") as script:
        words = ["bash", "-s", str(tmp_path / "t.db"), str(tmp_path / "backups"), "30"]
        done = subprocess.run(words, stdin=script, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    with contextlib.closing(sqlite3.connect(done.stdout.strip())) as copy:
        assert copy.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]
