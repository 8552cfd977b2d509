"""The store: logs of tables in a database, SQLite in a file or PostgreSQL by its URL.

Writes go through one thread that gathers all waiting entries into one transaction (a group commit): an entry is on disk
when its future is done. Reads are plain calls, to be made in threads. If the database has an error, a StoreError is
raised and the entry is not acknowledged. It may have been written anyway if the connection was lost during the commit;
it then takes precedence over the next entry with its version.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from typing import Any, TypeVar

import sqlalchemy as sa

from cardtable.server.store.appending import append, ordinary
from cardtable.server.store.database import KeptFile, check_kind, open_engine
from cardtable.server.store.faults import FULL, SILENT, Fault, Outdated, fault_of, store_error
from cardtable.server.store.faults import Fenced as Fenced
from cardtable.server.store.faults import Overtaken as Overtaken
from cardtable.server.store.faults import StoreError as StoreError
from cardtable.server.store.schema import (
    DECISIONS,
    EVENTS,
    MATCHES,
    NOT_OVER,
    PARTICIPANTS,
    PLAYERS,
    SEATS,
    SECRETS,
    TABLES,
    beginning_with,
    in_lobby,
    migrate,
    named,
)
from cardtable.server.store.writes import Finished as Finished
from cardtable.server.store.writes import FinishedPlayer as FinishedPlayer
from cardtable.server.store.writes import Probe, erase_table, insert, keep, probe
from cardtable.server.store.writes import Write as Write
from cardtable.table import Entry, events

log = logging.getLogger("cardtable.server")
T = TypeVar("T")
FRESH = 1.0  #: seconds for which a commit shows that the store can write
SPOILT = 10.0  #: seconds for which a failed entry shows that it cannot
STUCK = 2.0  #: seconds after which a transaction that has not ended is a fault
WATCH = 1.0  #: seconds without anything to write after which the writer looks whether it could
LAST_READS = 5.0  #: seconds that the store waits for reads when it is closed
GROUP = 256  #: most entries in one transaction
#: seconds between two commits while much is written: what comes meanwhile is committed together
GATHER = 0.01
MANY, LATELY = 32, 0.2  #: high load: this number of entries within this number of seconds
DELETED = 1000  #: most matches deleted in one transaction
EXTRAS = {"psycopg": "'.[postgres]' in Cardtable's folder"}  #: what to install for a driver of a database


class Store:
    """A database of tables. It must be closed: `close` writes waiting entries."""

    def __init__(self, url: str) -> None:
        """url: of SQLAlchemy, `sqlite:///file` or `postgresql+psycopg://...`. Raises StoreError."""
        try:
            check_kind(url)
            self._file = KeptFile(url)
            first = open_engine(url, limited=False)  # a step may take long
            try:
                migrate(first)
            finally:
                first.dispose()
            self.engine = open_engine(url)
        except ImportError as error:
            package = EXTRAS.get(error.name or "", f"'{error.name}'")
            raise StoreError(f"{error.name} is not installed: pip install {package}") from error
        except (sa.exc.SQLAlchemyError, RuntimeError, OSError) as error:
            raise store_error(error) from error
        self.node = ""  #: this process's id among the processes that share the database
        self._reads = 0  #: in other threads, at the moment
        self._read_ended = threading.Condition()
        #: the writer's own connections, while much is written, by whether each statement is a transaction
        self._lines: dict[bool, sa.Connection] = {}
        self._psycopg = self.engine.dialect.driver == "psycopg"
        self._written = -FRESH  #: when a commit last succeeded, by the monotonic clock
        #: when and why the last entry could not be written; None if it could
        self._failure: tuple[float, StoreError] | None = None
        self._fault: Fault | None = None  #: the state of the whole database at the last attempt to write
        self._busy_since: float | None = None  #: the start of the writer's current operation
        self._times: deque[float] = deque(maxlen=MANY)  #: when the latest entries came
        #: called by the writer's thread after each group of entries, when all their futures are done
        self.listeners: list[Callable[[], None]] = []
        self._waiting: queue.SimpleQueue[Write | Probe | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write waiting entries, wait for reads in other threads, and close the database."""
        self._waiting.put(None)
        self._thread.join()
        with self._read_ended:
            self._read_ended.wait_for(lambda: not self._reads, LAST_READS)
        self.engine.dispose()

    @property
    def directory(self) -> str:
        """Where an SQLite database's file is; "" for other databases."""
        return self._file.directory

    @property
    def fault(self) -> Fault | None:
        """The reason why nothing can be written now, as far as known without trying; None if all is well.

        The writer updates it automatically: during a fault, it tries to write every second.
        """
        if self._fault is None and (since := self._busy_since) is not None and time.monotonic() - since > STUCK:
            return SILENT
        return self._fault

    # Writing

    def append(self, write: Write) -> Future[None]:
        """Append an entry; the future is done when it is on disk. It fails with Overtaken or StoreError."""
        self._times.append(time.monotonic())
        self._waiting.put(write)
        return write.done

    def _write(self) -> None:
        """The writer's thread: take all waiting items and commit them together. No item can end it."""
        item = self._next()
        while item is not None:
            self._gather()
            group = [item]
            while len(group) < GROUP and not self._waiting.empty() and (item := self._waiting.get()) is not None:
                group.append(item)
            try:
                self._commit([one for one in group if _begins(one)])
                for listener in tuple(self.listeners):
                    listener()
            except Exception:
                log.exception("the store's writer continues after a fault")
            item = None if item is None else self._next()
        self._hang_up()

    def _gather(self) -> None:
        """While much is written, wait until some time has passed since the last commit. Each commit has a cost of its
        own, for the processor and for the disk.
        """
        at = time.monotonic()
        early = self._written + GATHER - at
        if early > 0 and len(self._times) == MANY and at - self._times[0] < LATELY:
            time.sleep(early)

    def _next(self) -> Write | Probe | None:
        """The next item to write; a probe if none comes while the database has a fault."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self._waiting.get(timeout=WATCH)
            self._hang_up()
            if self._fault is not None:
                return Probe()
            try:
                self._file.check()
            except StoreError as error:
                self._fault = error.fault

    def _commit(self, group: Sequence[Write | Probe]) -> None:
        """Commit all in one transaction. If that fails, all fail if the reason is the database; otherwise each is
        committed in its own transaction, so that one broken write does not harm the others.
        """
        if not group:
            return
        self._busy_since = time.monotonic()
        try:
            self._transact([one for one in group if isinstance(one, Write)])
        except Exception as error:
            fault = fault_of(error)
            if len(group) > 1 and (not fault.shared or fault is FULL):  # there may be room for a shorter one
                for one in group:
                    self._commit([one])
                return
            for one in group:
                self._fail(one, error)
            if fault.reopen:
                self.engine.dispose()
            return
        finally:
            self._busy_since = None
        self._written = time.monotonic()
        self._fault = None
        if any(isinstance(one, Write) for one in group):
            self._failure = None
        for one in group:
            with contextlib.suppress(InvalidStateError):
                one.done.set_result(None)

    def _fail(self, one: Write | Probe, error: Exception) -> None:
        """Report a failed write to its future."""
        failure = store_error(error)
        if not isinstance(failure, Outdated):
            if failure.fault.shared or isinstance(one, Probe):
                self._fault = failure.fault
            if isinstance(one, Write):
                self._failure = time.monotonic(), failure
            if not isinstance(error, (sa.exc.SQLAlchemyError, StoreError)):
                log.error("a write that cannot be done", exc_info=error)
        with contextlib.suppress(InvalidStateError):
            one.done.set_exception(failure)

    def _transact(self, group: list[Write]) -> None:
        self._file.check()
        try:
            if group and self._psycopg and all(map(ordinary, group)):
                if append(self._connected(alone=True), group, self.node):
                    return  # otherwise what follows finds out why not
            connection = self._connected()
            with connection.begin():
                if group:
                    insert(connection, group, self.node)
                else:
                    probe(connection)
        except BaseException:
            self._hang_up()
            raise
        self._file.check()  # what went to a file that is gone was not kept

    def _connected(self, alone: bool = False) -> sa.Connection:
        """The writer's own connection. It is kept while much is written, because one from the pool is tried out first,
        which costs as much as a third of a commit; and given back when little is, because it may get lost.

        alone: one where each statement is a transaction.
        """
        if time.monotonic() - self._written > FRESH:
            self._hang_up()
        if alone not in self._lines:
            engine = self.engine.execution_options(isolation_level="AUTOCOMMIT") if alone else self.engine
            self._lines[alone] = engine.connect()
        return self._lines[alone]

    def _hang_up(self) -> None:
        """Give the writer's connections back."""
        lines, self._lines = self._lines, {}
        for line in lines.values():
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                line.close()

    def keep(self, match: Finished) -> int:
        """Keep a match that was played elsewhere; return its id. Raises StoreError."""
        return self.run(lambda connection: keep(connection, match))

    # Deleting

    def old_tables(self, unplayed: int, others: int, most: int = 1000) -> list[str]:
        """The ids of tables that have not changed since a time (milliseconds since 1970), oldest first.

        unplayed: this time for tables whose match has not begun, or never will; others: for all.
        """
        waits = TABLES.c.stage.in_(("lobby", "closed"))
        query = (
            sa.select(TABLES.c.id)
            .where((waits & (TABLES.c.changed < unplayed)) | (TABLES.c.changed < others))
            .order_by(TABLES.c.changed)
            .limit(most)
        )
        return self.column(query)

    def delete_table(self, table: str) -> None:
        """Delete a table and its log; its finished matches stay. It must not be open. Raises StoreError."""
        self.run(lambda connection: erase_table(connection, table))

    def delete_matches(self, before: int) -> int:
        """Delete finished matches that ended before a time (milliseconds since 1970), and what reviews found in them;
        return how many.

        Raises StoreError.
        """
        old = sa.select(MATCHES.c.id).where(MATCHES.c.at < before).limit(DELETED)

        def delete(connection: sa.Connection) -> int:
            ids = connection.execute(old).scalars().all()
            connection.execute(sa.delete(PLAYERS).where(PLAYERS.c.match_id.in_(ids)))
            here = (MATCHES.c.table_id == DECISIONS.c.table_id) & (MATCHES.c.number == DECISIONS.c.number)
            connection.execute(sa.delete(DECISIONS).where(sa.exists().where(MATCHES.c.id.in_(ids), here)))
            return connection.execute(sa.delete(MATCHES).where(MATCHES.c.id.in_(ids))).rowcount

        deleted = 0
        while some := self.run(delete):
            deleted += some
        return deleted

    # Reading

    def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Do some work in one transaction, in the caller's thread, and return its result. Raises StoreError."""
        self._file.check()  # a new connection would be to another file
        with self._read_ended:
            self._reads += 1
        pool = self.engine.pool
        try:
            with self.engine.begin() as connection:
                return work(connection)
        except sa.exc.SQLAlchemyError as error:
            raise store_error(error) from error
        finally:
            # The writer has closed all connections meanwhile, except this one: it went back to a pool that is gone.
            if pool is not self.engine.pool:
                pool.dispose()
            with self._read_ended:
                self._reads -= 1
                self._read_ended.notify_all()

    def rows(self, query: sa.Select[*tuple[Any, ...]]) -> Sequence[sa.Row[*tuple[Any, ...]]]:
        """The rows of a query. Raises StoreError."""
        return self.run(lambda connection: connection.execute(query).all())

    def dicts(self, query: sa.Select[*tuple[Any, ...]]) -> list[dict[str, Any]]:
        """The rows of a query as dicts by column name. Raises StoreError."""
        return self.run(lambda connection: [dict(row) for row in connection.execute(query).mappings()])

    def column(self, query: sa.Select[*tuple[Any, ...]]) -> list[Any]:
        """The values of a query that asks for one column. Raises StoreError."""
        return [row[0] for row in self.rows(query)]

    def change(self, statement: sa.Update | sa.Delete | sa.Insert) -> int:
        """Do a statement; return how many rows it has changed. Raises StoreError."""
        return self.run(lambda connection: connection.execute(statement).rowcount)

    def secret(self, name: str, new: Callable[[], str]) -> str:
        """A secret shared by all processes; `new` creates it the first time. Raises StoreError."""
        known = sa.select(SECRETS.c.value).where(SECRETS.c.name == name)

        def read(connection: sa.Connection) -> str:
            if connection.execute(known).scalar() is None:
                with connection.begin_nested() as part:
                    try:
                        connection.execute(sa.insert(SECRETS).values(name=name, value=new()))
                    except sa.exc.IntegrityError:  # another process was faster
                        part.rollback()
            return str(connection.execute(known).scalar_one())

        return self.run(read)

    def lines(self, table: str) -> list[str]:
        """The log of a table as it is stored; empty if there is none. Raises StoreError."""
        query = sa.select(EVENTS.c.line).where(EVENTS.c.table_id == table).order_by(EVENTS.c.version)
        return self.column(query)

    def log(self, table: str) -> list[Entry]:
        """The log of a table; empty if there is none. Raises StoreError."""
        return list(map(events.decode, self.lines(table)))

    def find(self, name: str) -> dict[str, Any] | None:
        """The row of a table, by id or code."""
        return next(iter(self.dicts(sa.select(TABLES).where(named(name)))), None)

    def has_seat(self, owner: str, name: str) -> bool:
        """Whether a person has a seat at a table, by id or code."""
        query = sa.select(SEATS.c.seat).join(TABLES, SEATS.c.table_id == TABLES.c.id)
        return bool(self.rows(query.where(SEATS.c.owner == owner, named(name)).limit(1)))

    def open_tables(self, since: int = 0, most: int = 50) -> list[str]:
        """The ids of the tables in the lobby (`schema.in_lobby`)."""
        return self.column(in_lobby(since, most))

    def tables_of(self, owner: str, most: int = 50) -> list[str]:
        """The ids of the tables where a person has a seat in a match that is not over, latest first."""
        query = sa.select(TABLES.c.id).join(SEATS, SEATS.c.table_id == TABLES.c.id)
        query = query.where(SEATS.c.owner == owner, NOT_OVER).order_by(TABLES.c.changed.desc()).limit(most)
        return self.column(query)

    def latest_tables(self, most: int, named: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Tables, latest change first: columns of TABLES, and `owners` by seat.

        most: this many of all; named: also those with these ids.
        """

        def read(connection: sa.Connection) -> list[dict[str, Any]]:
            tables: dict[str, dict[str, Any]] = {}
            latest = sa.select(TABLES).order_by(TABLES.c.changed.desc()).limit(most)
            parts = [latest] if most else []
            for k in range(0, len(named), GROUP):  # the number of parameters of a statement is limited
                parts.append(sa.select(TABLES).where(TABLES.c.id.in_(named[k : k + GROUP])))
            for query in parts:
                for row in connection.execute(query).mappings():
                    tables[row["id"]] = dict(row) | {"owners": {}}
            ids = list(tables)
            for k in range(0, len(ids), GROUP):
                seats = sa.select(SEATS).where(SEATS.c.table_id.in_(ids[k : k + GROUP])).order_by(SEATS.c.seat)
                for row in connection.execute(seats).mappings():
                    tables[row["table_id"]]["owners"][row["seat"]] = row["owner"]
            return sorted(tables.values(), key=lambda row: -row["changed"])

        return self.run(read)

    def owners(self, beginning: str, most: int = 10) -> list[str]:
        """The people who took part in a table or a finished match and whose ids begin like this."""

        columns = PARTICIPANTS.c.owner, PLAYERS.c.owner
        queries = (sa.select(column).where(beginning_with(column, beginning)).distinct() for column in columns)
        return sorted({owner for query in queries for owner in self.column(query.limit(most))})

    def matches_of(self, owner: str, before: int = 0, most: int = 50, only: int = 0) -> list[dict[str, Any]]:
        """A person's finished matches, latest first: columns of MATCHES without the record, and `players`.

        before: only those with a smaller id; only: only the match with this id.
        """
        columns = [column for column in MATCHES.c if column.name != "record"]
        query = sa.select(*columns).where(MATCHES.c.id.in_(sa.select(PLAYERS.c.match_id).where(_is(owner))))
        query = query.where(MATCHES.c.id < before) if before else query
        query = query.where(MATCHES.c.id == only) if only else query

        def read(connection: sa.Connection) -> list[dict[str, Any]]:
            matches = {
                row["id"]: dict(row) | {"players": []}
                for row in connection.execute(query.order_by(MATCHES.c.id.desc()).limit(most)).mappings()
            }
            who = sa.select(PLAYERS).where(PLAYERS.c.match_id.in_(matches)).order_by(PLAYERS.c.match_id, PLAYERS.c.seat)
            for row in connection.execute(who).mappings():
                matches[row["match_id"]]["players"].append(dict(row))
            return list(matches.values())

        return self.run(read)

    def record_of(self, owner: str, match: int) -> tuple[str, str] | None:
        """The record of a match in which a person played, and the deal that it was (`shared_deals.deal_of`)."""
        query = (
            sa.select(MATCHES.c.record, MATCHES.c.deal)
            .join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id)
            .where(MATCHES.c.id == match, _is(owner))
        )
        return next(((row.record, row.deal) for row in self.rows(query)), None)

    def statistics(self, owner: str) -> list[dict[str, Any]]:
        """The number of a person's matches that count, with wins, deals and total score, by game, preset and title.

        Among the wins, `clean` are those without help, `undone` those in which they took something back, `hinted` those
        with hints.
        """

        def wins(*such: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
            return sa.func.sum(sa.case((sa.and_(PLAYERS.c.won, *such), 1), else_=0))

        took, asked = PLAYERS.c.undone > 0, PLAYERS.c.hints > 0
        kind = (MATCHES.c.game, MATCHES.c.preset, MATCHES.c.title)
        query = sa.select(
            *kind,
            sa.func.count().label("matches"),
            wins().label("won"),
            wins(~took, ~asked).label("clean"),
            wins(took).label("undone"),
            wins(asked).label("hinted"),
            sa.func.sum(MATCHES.c.deals).label("deals"),
            sa.func.sum(PLAYERS.c.score).label("score"),
        )
        query = query.join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id).where(_is(owner), MATCHES.c.counts)
        return [
            {name: value if name in ("game", "preset", "title") else int(value) for name, value in row.items()}
            for row in self.dicts(query.group_by(*kind).order_by(*kind))
        ]

    def check(self) -> Future[None]:
        """Check that the store can write: the future is done if something was written lately or can be written now,
        else it fails with StoreError.
        """
        probe = Probe()
        try:
            self._file.check()
            if not self._thread.is_alive():
                raise StoreError("the writer has ended")
            # on a full disk there may be room for a probe but not for an entry
            if self._failure and time.monotonic() - self._failure[0] < SPOILT:
                error = self._failure[1]
                raise StoreError(str(error), self._fault or error.fault)  # the reason may be another one by now
        except StoreError as error:
            probe.done.set_exception(error)
            return probe.done
        if time.monotonic() - self._written < FRESH:
            probe.done.set_result(None)
        else:
            self._waiting.put(probe)
        return probe.done


def _begins(one: Write | Probe) -> bool:
    """Whether somebody still waits for a write; from now on it cannot be cancelled."""
    try:
        return one.done.set_running_or_notify_cancel()
    except (InvalidStateError, RuntimeError):  # it is done already
        log.exception("a write came twice")
        return False


def _is(owner: str) -> sa.ColumnElement[bool]:
    """The condition that a player is this person. Bots have an empty owner, which never matches."""
    return sa.and_(PLAYERS.c.owner == owner, PLAYERS.c.owner != "")
