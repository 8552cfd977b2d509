"""Restoring a backup (`deploy/backup.sh`) while no server runs."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.store.database import alone, check_kind
from cardtable.server.store.faults import StoreError, store_error
from cardtable.server.store.schema import STEPS

STOP = Message("stop it first: sudo systemctl stop cardtable.socket cardtable")
BESIDE = ("", "-wal", "-shm", "-journal")  #: SQLite's files, behind the name of the database


class RestoreError(CardtableError):
    """A backup cannot be restored; nothing has been changed."""

    code, exit_code = "operator/restore", 3


def restore(backup: Path, url: str) -> Path | None:
    """Replace a database with a backup; return the new place of the old one, None if there was none.

    Raises RestoreError.
    """
    what = Message("restoring {file}", file=str(backup))
    try:
        check_kind(url)
        if not backup.is_file():
            raise RestoreError(what, Message("there is no such file"))
        parsed = sa.make_url(url)
        if parsed.get_backend_name() == "postgresql":
            return _into_postgresql(what, backup, parsed)
        return _into_file(what, backup, url, Path(parsed.database or ""))
    except StoreError as error:
        raise RestoreError(what, str(error).splitlines()[0][:200]) from None
    except sa.exc.SQLAlchemyError as error:
        raise RestoreError(what, str(store_error(error))) from None
    except OSError as error:
        raise RestoreError(what, error.strerror or str(error)) from None


def _into_file(what: Message, backup: Path, url: str, file: Path) -> Path | None:
    _check_file(what, backup)
    try:
        with alone(url):
            owner = os.stat(file if file.exists() else file.parent)
            new = file.with_name(f"{file.name}.new")
            shutil.copyfile(backup, new)
            os.chmod(new, 0o600)
            if hasattr(os, "chown") and not platform.is_mine(owner):  # for root: the server must be able to use them
                for mine in (new, Path(f"{os.path.realpath(file)}.server")):
                    os.chown(mine, owner.st_uid, owner.st_gid)
            former = _aside(file)
            new.rename(file)
            return former
    except StoreError as error:
        raise RestoreError(what, str(error), STOP) from None


def _check_file(what: Message, backup: Path) -> None:
    """Raise RestoreError unless a file is a whole database that this Cardtable can read."""
    try:
        address = f"{backup.resolve().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            check = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            version = connection.execute("SELECT max(step) FROM schema_version").fetchone()[0] or 0
    except sqlite3.Error as error:
        raise RestoreError(what, Message("it is not a backup of Cardtable: {why}", why=str(error))) from None
    if check != "ok":
        raise RestoreError(what, Message("it is damaged: {what}", what=str(check)[:200]), Message("take another one"))
    if version > len(STEPS):
        why = Message("it is of version {n}, and this Cardtable knows up to {most}", n=version, most=len(STEPS))
        raise RestoreError(what, why, Message("install a newer Cardtable"))


def _aside(file: Path) -> Path | None:
    """Move a database away, including its side files, which may contain the latest moves."""
    if not any(Path(f"{file}{end}").exists() for end in BESIDE):
        return None
    former = file.with_name(f"before-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}")
    former.mkdir(mode=0o700)
    for end in BESIDE:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{file}{end}").rename(former / f"{file.name}{end}")
    return former


def _into_postgresql(what: Message, backup: Path, url: sa.URL) -> Path:
    engine = sa.create_engine(url)
    try:
        with engine.connect() as connection:
            others = sa.text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if connection.execute(others).scalar():
                raise RestoreError(what, Message("a server, or another program, uses the database"), STOP)
    finally:
        engine.dispose()
    target = url.set(drivername="postgresql").render_as_string(hide_password=False)
    former = backup.with_name(f"before-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}.dump")
    _run(what, "pg_restore", "--list", str(backup))  # it is a backup at all
    _run(what, "pg_dump", "--format=custom", "--no-owner", "--file", str(former), target)
    anew = ("--single-transaction", "--clean", "--if-exists", "--no-owner")
    _run(what, "pg_restore", *anew, "--dbname", target, str(backup))
    return former


def _run(what: Message, *words: str) -> None:
    """Run a program of PostgreSQL. Raises RestoreError."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        why = Message("{name} is not installed", name=words[0])
        raise RestoreError(what, why, Message("install PostgreSQL's programs (postgresql-client)")) from None
    if done.returncode:
        raise RestoreError(what, (done.stderr.strip().splitlines() or [words[0]])[0][:200])
