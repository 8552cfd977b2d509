"""Databases for tests: files of SQLite, and empty ones of PostgreSQL, where CARDTABLE_TEST_POSTGRES is the URL of a
server.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from cardtable.server.store.schema import NODES, TABLES
from tests.support.programs import require

POSTGRES = os.environ.get("CARDTABLE_TEST_POSTGRES", "")


@contextlib.contextmanager
def sqlite(file: Path) -> Iterator[sqlite3.Connection]:
    """A file of SQLite: what is written is committed, and the file closed, which `with` of a connection does not do."""
    with contextlib.closing(sqlite3.connect(file)) as base, base:
        yield base


def listens() -> str | tuple[str, int]:
    """Where that server listens: the path of a socket, or an address and a port."""
    url = sa.make_url(POSTGRES)
    host, port = str(url.query.get("host") or url.host or "/var/run/postgresql"), url.port or 5432
    return f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port)


def behind(database: str, port: int) -> str:
    """The URL of a database of that server, through a proxy at a port of this machine."""
    url = sa.make_url(database).set(host="127.0.0.1", port=port)
    return url.set(
        query={name: value for name, value in url.query.items() if name not in ("host", "port")}
    ).render_as_string(hide_password=False)


@contextlib.contextmanager
def empty_database() -> Iterator[str]:
    """The URL of an empty database, for the time of a test; the test is skipped where there is no PostgreSQL."""
    require("PostgreSQL")
    require("psycopg")
    name = f"test_{secrets.token_hex(6)}"
    engine = sa.create_engine(POSTGRES, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    try:
        yield sa.make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


def process_of(database: str, table: str) -> int:
    """The process that has a table."""
    engine = sa.create_engine(database, poolclass=sa.NullPool)
    query = sa.select(NODES.c.path).join(TABLES, NODES.c.id == TABLES.c.node).where(TABLES.c.id == table)
    with engine.connect() as connection:
        path = str(connection.execute(query).scalar_one())
    return int(Path(path).name.partition("-")[0])
