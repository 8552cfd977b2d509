"""Faults of PostgreSQL and of the network to it, with players at the tables (tests/server/store/test_faults.py has
SQLite's).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from cardtable.server.store import store
from cardtable.server.store.schema import STEPS
from cardtable.server.store.store import Store, StoreError
from tests.support.databases import POSTGRES, behind, empty_database, listens
from tests.support.programs import needs
from tests.support.server.faults import Proxy, through
from tests.support.server.outages import own_postgres
from tests.support.server.served import Served, served

pytestmark = [
    pytest.mark.exhaustive,
    needs("PostgreSQL", "psycopg"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]
UNREACHABLE, SILENT = "the server cannot reach its database", "the database does not answer"


@dataclass
class Database:
    url: str

    @property
    def name(self) -> str:
        return str(sa.make_url(self.url).database)

    def run(self, *statements: str) -> None:
        """Run statements as another program would, in autocommit mode."""
        run(self.url, *statements)

    def run_outside(self, *statements: str) -> None:
        run(POSTGRES, *statements)

    def behind(self, proxy: Proxy) -> str:
        """Its URL through a proxy."""
        return behind(self.url, proxy.port)


def run(url: str, *statements: str) -> None:
    """Run statements on a database, in autocommit mode."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    engine.dispose()


@pytest.fixture
def database() -> Iterator[Database]:
    with empty_database() as url:
        yield Database(url)


def serving(database: str) -> AbstractContextManager[Served]:
    return served(Path("unused"), database=database)


@pytest.fixture
def server(database: Database) -> Iterator[Served]:
    with serving(database.url) as running:
        yield running


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    proxy = Proxy(listens())
    yield proxy
    proxy.close()


@pytest.fixture
def far(database: Database, proxy: Proxy) -> Iterator[Served]:
    with serving(database.behind(proxy)) as running:
        yield running


def test_postgresql_stops_and_starts() -> None:
    """One of this test's own."""
    with own_postgres() as (database, halt, resume), serving(database) as server:
        through(server, database, halt, resume, "unreachable", UNREACHABLE)


ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND pid != pg_backend_pid()"


def test_connections_are_ended_and_refused(database: Database, server: Served) -> None:
    through(
        server,
        database.url,
        lambda: database.run_outside(
            f"ALTER DATABASE {database.name} ALLOW_CONNECTIONS false", ENDED.format(name=database.name)
        ),
        lambda: database.run_outside(f"ALTER DATABASE {database.name} ALLOW_CONNECTIONS true"),
        "unreachable",
        UNREACHABLE,
    )


def test_the_network_is_cut(database: Database, proxy: Proxy, far: Served) -> None:
    through(far, database.url, proxy.cut, proxy.flow, "unreachable", UNREACHABLE)


def test_the_network_stalls_and_goes_on(database: Database, proxy: Proxy, far: Served) -> None:
    """What was on its way arrives after all, also a commit."""
    through(far, database.url, proxy.stall, proxy.flow, "silent", SILENT, refused=False)


def test_the_network_stalls_for_longer_than_we_wait(database: Database, proxy: Proxy, far: Served) -> None:
    """With the usual limits: what hangs is given up, so a move is refused; the commit that was on its way arrives much
    later, while we connect again.
    """
    through(far, database.url, proxy.stall, proxy.flow, "silent", SILENT)


def test_the_network_stalls_and_is_cut(database: Database, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was on its way is lost; PostgreSQL ends the transactions that nobody will end."""
    monkeypatch.setattr("cardtable.server.store.postgres.ANSWER", 4.0)
    monkeypatch.setattr("cardtable.server.store.postgres.IDLE", 3.0)

    def end() -> None:
        proxy.cut()
        proxy.flow()

    with serving(database.behind(proxy)) as far:
        through(far, database.url, proxy.stall, end, "silent", SILENT)


@pytest.mark.parametrize("several", [False, True], ids=["one statement", "several statements"])
def test_a_commit_whose_answer_is_lost(
    database: Database, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, several: bool
) -> None:
    """The move is in the database, and nobody here knows: it is acknowledged when it is sent again, and not doubled."""
    monkeypatch.setattr("cardtable.server.store.postgres.ANSWER", 1.0)
    words = (b"moved", b"COMMIT") if several else (b"moved",)  # others commit, too
    if several:
        monkeypatch.setattr(store, "ordinary", lambda _: False)

    def end() -> None:
        proxy.cut()
        proxy.flow()

    with serving(database.behind(proxy)) as far:
        through(far, database.url, lambda: proxy.stall_after(*words), end, "silent", SILENT)
    assert "another process wrote version" in caplog.text


def test_locked(database: Database, server: Served) -> None:
    engine = sa.create_engine(database.url)
    with engine.connect() as other:
        through(
            server,
            database.url,
            lambda: other.execute(sa.text("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")),
            other.rollback,
            "locked",
            "another program keeps the database locked",
        )
    engine.dispose()


def test_read_only(database: Database, server: Served) -> None:
    """As after a failover to a standby: connections that were made meanwhile stay read-only when it is over."""

    def become(how: str) -> Callable[[], None]:
        return lambda: database.run_outside(f"ALTER DATABASE {database.name} {how}", ENDED.format(name=database.name))

    def be_writable_for_new_connections() -> None:
        database.run_outside(f"ALTER DATABASE {database.name} RESET default_transaction_read_only")

    through(
        server,
        database.url,
        become("SET default_transaction_read_only = on"),
        be_writable_for_new_connections,
        "read-only",
        "the database is read-only",
    )


def test_full_disk(database: Database, server: Served) -> None:
    """PostgreSQL says what it says on a full disk."""
    through(
        server,
        database.url,
        lambda: database.run(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$",
            "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()",
        ),
        lambda: database.run("DROP TRIGGER full_disk ON events"),
        "full",
        "the disk is full",
    )


@pytest.mark.parametrize("step", [0, 1, len(STEPS) + 1], ids=["empty", "older", "newer"])
def test_replaced_by_another_schema_and_put_back(database: Database, server: Served, step: int) -> None:
    other = database.name + "_other"
    database.run_outside(f"DROP DATABASE IF EXISTS {other}", f"CREATE DATABASE {other}")
    if step:
        url = sa.make_url(database.url).set(database=other).render_as_string(hide_password=False)
        Store(url).close()
        run(
            url,
            f"DELETE FROM schema_version WHERE step > {step}",
            f"INSERT INTO schema_version VALUES ({step}) ON CONFLICT DO NOTHING",
        )

    def swapped(to: str, back: str) -> Callable[[], None]:
        return lambda: database.run_outside(
            f"ALTER DATABASE {database.name} ALLOW_CONNECTIONS false",
            ENDED.format(name=database.name),
            f"ALTER DATABASE {database.name} RENAME TO {back}",
            f"ALTER DATABASE {to} RENAME TO {database.name}",
            f"ALTER DATABASE {database.name} ALLOW_CONNECTIONS true",
        )

    through(
        server,
        database.url,
        swapped(other, database.name + "_away"),
        swapped(database.name + "_away", other),
        "schema",
        "the database belongs to another version of Cardtable",
    )


def test_a_database_that_hangs_or_is_not_there_is_refused_at_the_start(database: Database, proxy: Proxy) -> None:
    proxy.stall()
    with pytest.raises(StoreError, match="timeout"):
        Store(database.behind(proxy))
    proxy.cut()
    with pytest.raises(StoreError, match="connection"):
        Store(database.behind(proxy))
    with pytest.raises(StoreError, match="does not exist"):
        Store(sa.make_url(database.url).set(database="nowhere").render_as_string(hide_password=False))
