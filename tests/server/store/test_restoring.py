"""`cardtable admin restore`: a backup replaces the database, checked before anything is changed."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardtable.cli.commands.admin_server import admin
from cardtable.client import Client
from cardtable.server.store.database import alone
from cardtable.server.store.restoring import RestoreError, restore
from cardtable.server.store.schema import STEPS
from tests.server.store.test_backup import backup as make_backup
from tests.support.databases import empty_database, sqlite
from tests.support.programs import needs
from tests.support.server.served import Served, served


async def make(server: Served, *titles: str) -> list[str]:
    async with Client(server.url) as ann:
        return [str((await ann.make(title, name="Ann"))["id"]) for title in titles]


def tables(file: Path) -> int:
    with sqlite(file) as found:
        return int(found.execute("SELECT count(*) FROM tables").fetchone()[0])


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, Path]:
    """A database with two tables, and a backup from when it had one."""
    file = tmp_path / "data" / "cardtable.db"
    file.parent.mkdir()
    with served(file) as server:
        asyncio.run(make(server, "busca"))
        done = make_backup(str(file), tmp_path / "backups")
        asyncio.run(make(server, "busca"))
    return file, Path(done.stdout.strip())


def test_a_backup_takes_the_place_of_the_database(
    made: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there stays next to it, with the log in which the latest moves may be."""
    file, backup = made
    Path(f"{file}-wal").write_bytes(b"moves")
    monkeypatch.setenv("CARDTABLE_DATA", str(file.parent))
    done = CliRunner().invoke(admin, ["restore", str(backup)], input="y\n")
    assert (done.exit_code, "is restored into" in done.output) == (0, True), done.output
    (kept,) = file.parent.glob("before-*")
    assert {path.name for path in kept.iterdir()} == {file.name, f"{file.name}-wal"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with served(file) as server:
        assert len(server.store.latest_tables(9)) == 1
    assert not Path(f"{file}.new").exists()
    file.unlink()
    assert restore(backup, f"sqlite:///{file}") is None  # nothing was there


def test_nothing_is_replaced_unless_it_can_be(made: tuple[Path, Path], tmp_path: Path) -> None:
    file, backup = made
    url, before = f"sqlite:///{file}", file.read_bytes()
    damaged, newer, text = tmp_path / "damaged.db", tmp_path / "newer.db", tmp_path / "text.db"
    whole = bytearray(backup.read_bytes())
    whole[8192:12_288] = b"\xff" * 4096
    damaged.write_bytes(whole)
    newer.write_bytes(backup.read_bytes())
    with sqlite(newer) as found:
        found.execute(f"INSERT INTO schema_version VALUES ({len(STEPS) + 1})")
    text.write_text("a text" * 1000)
    for given, why in (
        (damaged, "it is damaged|it is not a backup"),
        (newer, "Install a newer Cardtable"),
        (text, "it is not a backup"),
        (tmp_path / "none.db", "there is no such file"),
        (tmp_path, "there is no such file"),
    ):
        with pytest.raises(RestoreError, match=why):
            restore(given, url)
    with pytest.raises(RestoreError, match="not in mysql"):
        restore(backup, "mysql://localhost/cards")
    with alone(url), pytest.raises(RestoreError, match=f"process {os.getpid()} serves it already.*Stop it first"):
        restore(backup, url)
    assert file.read_bytes() == before
    done = CliRunner().invoke(admin, ["restore", str(backup), "--database", url], input="n\n")
    assert (done.exit_code, tables(file)) == (1, 2)


def test_a_backup_of_before_is_brought_up_to_date(made: tuple[Path, Path]) -> None:
    """By the server, as any older database."""
    file, backup = made
    with sqlite(backup) as found:
        for name in ("site", "moderators", "acts", "reports"):
            found.execute(f"DROP TABLE {name}")
        found.execute(f"DELETE FROM schema_version WHERE step = {len(STEPS)}")
    restore(backup, f"sqlite:///{file}")
    with served(file) as server:
        assert len(server.store.latest_tables(9)) == 1


@needs("PostgreSQL")
def test_postgresql_is_restored_at_once_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not while a server uses it."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, reversed(programs)), os.environ["PATH"]]))
    with empty_database() as url:
        with served(tmp_path / "unused", database=url) as server:
            asyncio.run(make(server, "busca"))
            done = make_backup(url, tmp_path)
            assert done.returncode == 0, done.stderr
            asyncio.run(make(server, "busca"))
            file = Path(done.stdout.strip())
            with pytest.raises(RestoreError, match="uses the database"):
                restore(file, url)
        (tmp_path / "text").write_text("a text")
        with pytest.raises(RestoreError, match="pg_restore"):
            restore(tmp_path / "text", url)
        kept = restore(file, url)
        assert kept is not None
        assert kept.is_file()
        with served(tmp_path / "unused", database=url) as again:
            assert len(again.store.latest_tables(9)) == 1
