"""How the store's databases are opened: an SQLite file, or PostgreSQL by its URL."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from cardtable.base import platform
from cardtable.server.store.faults import REPLACED, StoreError

P = ParamSpec("P")
T = TypeVar("T")
BUSY = 5.0  #: seconds for which SQLite waits for a lock of another process
THREADS = ThreadPoolExecutor(8, thread_name_prefix="database")  #: in which it is read, apart from all other work
POOL = 5.0  #: seconds for which a thread waits until another one has given its connection back


async def in_database(work: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
    """Run some work that waits for the database, in separate threads, so that reading and other slow work do not
    delay each other.
    """
    done = partial(contextvars.copy_context().run, work, *given, **more)
    return await asyncio.get_running_loop().run_in_executor(THREADS, done)


def put(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or change the one that has its primary key. If several processes do so at once, all succeed, and
    the last one counts.
    """
    keys = {column.name for column in table.primary_key}
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    changed = {name: value for name, value in row.items() if name not in keys}
    connection.execute(insert(table).values(row).on_conflict_do_update(index_elements=sorted(keys), set_=changed))


def check_kind(url: str) -> None:
    """Raise StoreError unless a URL is of SQLite or PostgreSQL. `sa.exc.ArgumentError` if it is no URL."""
    kind = sa.make_url(url).get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise StoreError(f"tables are kept in SQLite or PostgreSQL, not in {kind}")


def name_of(url: str) -> str:
    """What to call a database: the file of SQLite, else the URL without the password."""
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        return url
    file = parsed.database if parsed.get_backend_name() == "sqlite" else None
    return file or parsed.render_as_string(hide_password=True)


def database_in(directory: Path) -> str:
    """The URL of the SQLite file in a directory, which is created if necessary; only this user may read it."""
    make_private(directory)
    return f"sqlite:///{directory / 'cardtable.db'}"


def make_private(directory: Path) -> None:
    """Create a directory if necessary; only this user may read it. Raises OSError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if platform.others_read(directory.stat()):
        directory.chmod(0o700)


def private_file(url: str) -> Path | None:
    """The file of an SQLite database, created if necessary. Only this user may read it, because it contains the hands
    of running matches.

    None for other databases. Raises OSError.
    """
    parsed = sa.make_url(url)
    name = parsed.database or ""
    if parsed.get_backend_name() != "sqlite" or name in ("", ":memory:") or name.startswith("file:"):
        return None
    if os.path.exists(f"{name}-wal") and not os.path.exists(name):
        raise FileNotFoundError(
            f"{name} is gone, and its log {name}-wal is there: put the file back, or move the log away"
        )
    with contextlib.suppress(FileExistsError):
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for part in (name, f"{name}-wal", f"{name}-shm", f"{name}-journal"):  # SQLite gives new ones the mode of the first
        with contextlib.suppress(FileNotFoundError):
            if stat.S_IMODE(os.stat(part).st_mode) & 0o077:
                os.chmod(part, 0o600)
    return Path(name)


@contextlib.contextmanager
def alone(url: str) -> Iterator[None]:
    """Within the context, no other process serves this database, if it is an SQLite file; others can be shared.

    Raises StoreError.
    """
    with contextlib.ExitStack() as held:
        parsed = sa.make_url(url) if url.startswith("sqlite") else None
        if parsed and parsed.database and parsed.database != ":memory:" and not parsed.database.startswith("file:"):
            try:
                held.enter_context(platform.alone(f"{os.path.realpath(parsed.database)}.server"))
            except BlockingIOError as error:
                raise StoreError(
                    f"{error.strerror} serves it already: stop that one, or serve another database"
                ) from None
            except OSError:  # the store reports an error of the place
                pass
        yield


class KeptFile:
    """An SQLite database's file, which must stay the same one: writes to one without a name would be lost."""

    def __init__(self, url: str) -> None:
        """Raises OSError. Other databases have no file, and are always the same one."""
        self._path = private_file(url)
        self._is = self._identity()

    @property
    def directory(self) -> str:
        """Where the file is; "" if there is none."""
        return str(self._path.resolve().parent) if self._path else ""

    def _identity(self) -> tuple[int, int] | None:
        """Which file the name refers to now; None if there is none."""
        with contextlib.suppress(OSError):
            if self._path is not None:
                status = os.stat(self._path)
                return status.st_dev, status.st_ino
        return None

    def check(self) -> None:
        """Raise StoreError if the file was removed or replaced."""
        if self._path is not None and self._identity() != self._is:
            raise StoreError(f"{self._path} was removed or replaced while this server was using it", REPLACED)


def _sqlite_settings(connection: Any, _: Any) -> None:
    """Write-ahead log, every commit on disk, writers wait for each other."""
    cursor = connection.cursor()
    busy = f"busy_timeout={int(1000 * BUSY)}"
    for line in (busy, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def open_engine(url: str, limited: bool = True) -> sa.Engine:
    """The engine for a database, which is not opened yet. limited: no statement in PostgreSQL may take long. Its errors
    go to the log, without the parameters, which have cards and secrets.

    Raises SQLAlchemyError, ImportError.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        engine = sa.create_engine(url, hide_parameters=True)
        sa.event.listen(engine, "connect", _sqlite_settings)
        return engine
    engine = sa.create_engine(url, pool_pre_ping=True, pool_timeout=POOL, hide_parameters=True)
    if engine.dialect.driver == "psycopg":
        from cardtable.server.store import postgres

        make = postgres.connect if limited else postgres.connect_patiently
        sa.event.listen(engine, "do_connect", lambda _, __, args, named: make(*args, **named))
    return engine
