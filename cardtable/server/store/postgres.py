"""Connections to PostgreSQL that give up: a network that drops all packets must not block the writer.

The lock timeout is that of SQLite. PostgreSQL ends a statement after `STATEMENT`, and a transaction whose client has
vanished after `IDLE`, which releases its locks. We wait for an answer a little longer than that, for `ANSWER`, and
then drop the connection: TCP alone would wait for 15 minutes, or for ever behind a proxy that accepts data without
passing it on.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg

from cardtable.server.store.faults import SILENT

CONNECT = 5  #: seconds to open a connection
LOCK = 5.0  #: seconds for which a statement waits for a lock
STATEMENT = 8.0  #: seconds that a statement may take in PostgreSQL
IDLE = 10.0  #: seconds that a transaction may wait for its next statement
ANSWER = 10.0  #: seconds after which we give an operation up and drop its connection
SELDOM = 60.0  #: seconds after which a connection that waits is looked at even if nothing has come
KEEPALIVE = {"idle": 30, "interval": 10, "count": 3}  #: PostgreSQL drops a connection a minute after its client is lost

Connected = TypeVar("Connected", bound=psycopg.Connection[Any])


class Silent(psycopg.OperationalError):
    """PostgreSQL did not answer in time, so the connection was dropped."""

    fault = SILENT


class BoundedConnection(psycopg.Connection[Any]):
    """A connection on which no operation takes longer than `ANSWER`."""

    def __del__(self, *_: Any) -> None:
        """A pool that is renewed leaves connections that are in use to themselves, and they end here."""
        with contextlib.suppress(AttributeError):  # it was not opened
            self.pgconn.finish()

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Every operation is a generator that yields its wait conditions: psycopg drives it here."""
        return super().wait(self._within(gen), *args, **named)

    def _within(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        until = time.monotonic() + ANSWER
        try:
            waits_for = next(gen)
            while True:
                ready = yield waits_for  # falsy each time that a fraction of a second has passed without news
                if not ready and time.monotonic() > until:
                    self.pgconn.finish()
                    raise Silent(f"PostgreSQL did not answer within {ANSWER:g} s")
                waits_for = gen.send(ready)
        except StopIteration as end:
            return end.value


class Listening(psycopg.AsyncConnection[Any]):
    """A connection that waits for notices, and does nothing else meanwhile."""

    async def wait(self, gen: Any, interval: float = SELDOM, timeout: float | None = None) -> Any:
        """As psycopg's, which looks ten times a second whether there is anything else to do."""
        return await super().wait(gen, interval, timeout)


def connect_patiently(*args: Any, **named: Any) -> psycopg.Connection[Any]:
    """A connection for slow statements, still opened within `CONNECT`, unless the database's URL sets a limit. Raises
    psycopg.Error.
    """
    return _connected(psycopg.Connection, *args, **named)


def connect(*args: Any, **named: Any) -> BoundedConnection:
    """A connection with all limits. Raises psycopg.Error."""
    connection = _connected(BoundedConnection, *args, **named)
    limits = {
        "lock_timeout": f"{LOCK:g}s",
        "statement_timeout": f"{STATEMENT:g}s",
        "idle_in_transaction_session_timeout": f"{IDLE:g}s",
    } | {f"tcp_keepalives_{name}": str(value) for name, value in KEEPALIVE.items()}
    set_up = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in limits.items())
    try:
        connection.execute(f"SELECT {set_up}")
        connection.commit()
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(kind: type[Connected], *args: Any, **named: Any) -> Connected:
    try:
        return kind.connect(*args, **{"connect_timeout": CONNECT} | named)
    except psycopg.errors.ConnectionTimeout as error:
        raise Silent(str(error)) from error
