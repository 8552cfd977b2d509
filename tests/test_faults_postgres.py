"""Faults of PostgreSQL and of the network to it, with players at the tables (tests/test_faults.py has SQLite's).

They run on a PostgreSQL of their own, because they stop it, where CARDTABLE_TEST_POSTGRES says that there is one.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from commands import ROOT
from faults import Proxy, through
from programs import needs
from served import Served

from cardtable.server import postgres, store
from cardtable.server.schema import STEPS
from cardtable.server.store import Store, StoreError

pytestmark = [
    pytest.mark.exhaustive,
    needs("PostgreSQL", "psycopg"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]
TOOL = str(ROOT / "tools" / "postgres.sh")
UNREACHABLE, SILENT = "the server cannot reach its database", "the database does not answer"


@dataclass
class Cluster:
    """A PostgreSQL server, and the database of one test."""

    directory: Path
    url: str
    name: str = ""

    def do(self, command: str) -> None:
        """Halt or resume it."""
        subprocess.run([TOOL, command, str(self.directory)], check=True, capture_output=True, timeout=120)

    def run(self, *statements: str) -> None:
        """Run statements as another program would, in autocommit mode."""
        self._run(self.database, statements)

    def run_outside(self, *statements: str) -> None:
        """The same on another database of it."""
        self._run(self.url, statements)

    @staticmethod
    def _run(url: str, statements: tuple[str, ...]) -> None:
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(sa.text(statement))
        engine.dispose()

    @property
    def database(self) -> str:
        """The URL of the test's database."""
        return sa.make_url(self.url).set(database=self.name).render_as_string(hide_password=False)

    def behind(self, proxy: Proxy) -> str:
        """The URL of the test's database through a proxy."""
        return f"postgresql+psycopg://cardtable@127.0.0.1:{proxy.port}/{quote(self.name)}"

    @property
    def socket(self) -> str:
        """Where it listens."""
        return str(self.directory / ".s.PGSQL.5432")


@pytest.fixture(scope="module")
def server_of_databases() -> Iterator[Cluster]:
    directory = Path(tempfile.mkdtemp(prefix="cardtable-"))  # pytest's own may not be entered by PostgreSQL's user
    told = subprocess.run([TOOL, "start", str(directory)], check=True, capture_output=True, text=True, timeout=300)
    try:
        yield Cluster(directory, told.stdout.split()[-1])
    finally:
        subprocess.run([TOOL, "stop", str(directory)], check=True, capture_output=True, timeout=120)


@pytest.fixture
def cluster(server_of_databases: Cluster, request: pytest.FixtureRequest) -> Cluster:
    """It, with an empty database for this test."""
    cluster = server_of_databases
    cluster.name = f"t{abs(hash(request.node.name)) % 10**12}"
    cluster.run_outside(f"DROP DATABASE IF EXISTS {cluster.name}", f"CREATE DATABASE {cluster.name}")
    return cluster


@pytest.fixture
def server(cluster: Cluster) -> Iterator[Served]:
    yield from serving(cluster.database)


@pytest.fixture
def proxy(cluster: Cluster) -> Iterator[Proxy]:
    proxy = Proxy(cluster.socket)
    yield proxy
    proxy.close()


@pytest.fixture
def far(cluster: Cluster, proxy: Proxy) -> Iterator[Served]:
    """A server whose database is behind the proxy."""
    yield from serving(cluster.behind(proxy))


def serving(database: str) -> Iterator[Served]:
    server = Served(Path("unused"), database=database)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def test_postgresql_stops_and_starts(cluster: Cluster, server: Served) -> None:
    through(
        server,
        cluster.database,
        lambda: cluster.do("halt"),
        lambda: cluster.do("resume"),
        "unreachable",
        UNREACHABLE,
    )


ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND pid != pg_backend_pid()"


def test_connections_are_ended_and_refused(cluster: Cluster, server: Served) -> None:
    through(
        server,
        cluster.database,
        lambda: cluster.run_outside(
            f"ALTER DATABASE {cluster.name} ALLOW_CONNECTIONS false", ENDED.format(name=cluster.name)
        ),
        lambda: cluster.run_outside(f"ALTER DATABASE {cluster.name} ALLOW_CONNECTIONS true"),
        "unreachable",
        UNREACHABLE,
    )


def test_the_network_is_cut(cluster: Cluster, proxy: Proxy, far: Served) -> None:
    through(far, cluster.database, proxy.cut, proxy.flow, "unreachable", UNREACHABLE)


def test_the_network_stalls_and_goes_on(cluster: Cluster, proxy: Proxy, far: Served) -> None:
    """What was on its way arrives after all, also a commit."""
    through(far, cluster.database, proxy.stall, proxy.flow, "silent", SILENT, refused=False)


def test_the_network_stalls_for_longer_than_we_wait(cluster: Cluster, proxy: Proxy, far: Served) -> None:
    """With the usual limits: what hangs is given up, so a move is refused; the commit that was on its way arrives much
    later, while we connect anew.
    """
    through(far, cluster.database, proxy.stall, proxy.flow, "silent", SILENT)


def test_the_network_stalls_and_is_cut(cluster: Cluster, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was on its way is lost; PostgreSQL ends the transactions that nobody will end."""
    monkeypatch.setattr(postgres, "ANSWER", 4.0)
    monkeypatch.setattr(postgres, "IDLE", 3.0)

    def end() -> None:
        proxy.cut()
        proxy.flow()

    for far in serving(cluster.behind(proxy)):
        through(far, cluster.database, proxy.stall, end, "silent", SILENT)


@pytest.mark.parametrize("several", [False, True], ids=["one statement", "several statements"])
def test_a_commit_whose_answer_is_lost(
    cluster: Cluster, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, several: bool
) -> None:
    """The move is in the database, and nobody here knows: it is acknowledged when it is sent again, and not doubled."""
    monkeypatch.setattr(postgres, "ANSWER", 1.0)
    words = (b"moved", b"COMMIT") if several else (b"moved",)  # others commit, too
    if several:
        monkeypatch.setattr(store, "ordinary", lambda _: False)

    def end() -> None:
        proxy.cut()
        proxy.flow()

    for far in serving(cluster.behind(proxy)):
        through(far, cluster.database, lambda: proxy.stall_after(*words), end, "silent", SILENT)
    assert "another process wrote version" in caplog.text


def test_locked(cluster: Cluster, server: Served) -> None:
    engine = sa.create_engine(cluster.database)
    with engine.connect() as other:
        through(
            server,
            cluster.database,
            lambda: other.execute(sa.text("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")),
            other.rollback,
            "locked",
            "another program keeps the database locked",
        )
    engine.dispose()


def test_read_only(cluster: Cluster, server: Served) -> None:
    """As after a failover to a standby: connections that were made meanwhile stay read-only when it is over."""

    def become(how: str) -> Callable[[], None]:
        return lambda: cluster.run_outside(f"ALTER DATABASE {cluster.name} {how}", ENDED.format(name=cluster.name))

    def be_writable_for_new_connections() -> None:
        cluster.run_outside(f"ALTER DATABASE {cluster.name} RESET default_transaction_read_only")

    through(
        server,
        cluster.database,
        become("SET default_transaction_read_only = on"),
        be_writable_for_new_connections,
        "read-only",
        "the database is read-only",
    )


def test_full_disk(cluster: Cluster, server: Served) -> None:
    """PostgreSQL says what it says on a full disk."""
    through(
        server,
        cluster.database,
        lambda: cluster.run(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$",
            "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()",
        ),
        lambda: cluster.run("DROP TRIGGER full_disk ON events"),
        "full",
        "the disk is full",
    )


@pytest.mark.parametrize("step", [0, 1, len(STEPS) + 1], ids=["empty", "older", "newer"])
def test_replaced_by_another_schema_and_put_back(cluster: Cluster, server: Served, step: int) -> None:
    other = cluster.name + "_other"
    cluster.run_outside(f"DROP DATABASE IF EXISTS {other}", f"CREATE DATABASE {other}")
    if step:
        url = sa.make_url(cluster.database).set(database=other).render_as_string(hide_password=False)
        Store(url).close()
        cluster._run(
            url,
            (
                f"DELETE FROM schema_version WHERE step > {step}",
                f"INSERT INTO schema_version VALUES ({step}) ON CONFLICT DO NOTHING",
            ),
        )

    def swapped(to: str, back: str) -> Callable[[], None]:
        return lambda: cluster.run_outside(
            f"ALTER DATABASE {cluster.name} ALLOW_CONNECTIONS false",
            ENDED.format(name=cluster.name),
            f"ALTER DATABASE {cluster.name} RENAME TO {back}",
            f"ALTER DATABASE {to} RENAME TO {cluster.name}",
            f"ALTER DATABASE {cluster.name} ALLOW_CONNECTIONS true",
        )

    through(
        server,
        cluster.database,
        swapped(other, cluster.name + "_away"),
        swapped(cluster.name + "_away", other),
        "schema",
        "the database belongs to another version of Cardtable",
    )


def test_a_database_that_hangs_or_is_not_there_is_refused_at_the_start(cluster: Cluster, proxy: Proxy) -> None:
    proxy.stall()
    with pytest.raises(StoreError, match="timeout"):
        Store(cluster.behind(proxy))
    proxy.cut()
    with pytest.raises(StoreError, match="connection"):
        Store(cluster.behind(proxy))
    with pytest.raises(StoreError, match="does not exist"):
        Store(sa.make_url(cluster.url).set(database="nowhere").render_as_string())
