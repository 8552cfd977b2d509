"""Moderators, who may use the operator's tools, each with a separate token; the log of their actions and the
operator's; and reports by people.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

import msgspec
import sqlalchemy as sa
from starlette.requests import Request

from cardtable.server.clock import now
from cardtable.server.logs import operator
from cardtable.server.net.guard import hashed
from cardtable.server.store.database import in_database, put
from cardtable.server.store.faults import StoreError
from cardtable.server.store.schema import ACTS, MODERATORS, REPORTS
from cardtable.server.store.store import Store

log = logging.getLogger("cardtable.server")
OPERATOR = "operator"  #: holder of the server's own token
WHO = "cardtable.moderator"  #: the key of a request's scope with the caller
MOST = 500  #: rows in one answer
NAME, LINE = "name", "line"  #: what can be reported


class AdminAct(msgspec.Struct, frozen=True):
    """What the operator or a moderator did."""

    at: int  #: when, milliseconds since 1970
    who: str  #: `operator`, or the name of the moderator
    what: str  #: what was done, in English


class AbuseReport(msgspec.Struct, frozen=True):
    """A name or a line of the chat that somebody has reported."""

    id: int  #: for requests
    at: int  #: when it was reported, milliseconds since 1970
    table: str  #: the id of the table
    kind: str  #: `name` or `line` (of chat)
    text: str  #: the name or the line
    about: str  #: the beginning of the reported person's id
    by: str  #: the beginning of the reporting person's id
    done: str  #: the moderator who dealt with it; empty: nobody has


class Moderators:
    """Who may use the operator's tools besides the operator."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names: dict[str, str] = {}  #: by the hash of the token
        self.open_reports = 0

    async def load(self) -> None:
        """Read the moderators and the number of open reports. Raises StoreError."""
        rows = await in_database(self._store.rows, sa.select(MODERATORS))
        self._names = {row.token: row.name for row in rows}
        count = sa.select(sa.func.count()).where(REPORTS.c.done == "")
        (self.open_reports,) = await in_database(self._store.column, count)

    @property
    def names(self) -> list[str]:
        """All of them."""
        return sorted(self._names.values())

    def name_of(self, token: str) -> str:
        """The owner of this token; "": none."""
        return self._names.get(hashed(token), "")

    async def add(self, name: str) -> str:
        """Add somebody, or give them another token; return it, of which only a hash is kept. Raises StoreError."""
        token = secrets.token_urlsafe(32)

        def write(connection: sa.Connection) -> None:
            put(connection, MODERATORS, {"name": name, "token": hashed(token), "at": now()})

        await in_database(self._store.run, write)
        await self.load()
        return token

    async def remove(self, name: str) -> bool:
        """Remove a moderator; return whether they existed. Raises StoreError."""
        query = sa.delete(MODERATORS).where(MODERATORS.c.name == name)
        removed = await in_database(self._store.change, query)
        await self.load()
        return bool(removed)

    async def acts(self) -> list[AdminAct]:
        """The latest actions, newest first. Raises StoreError."""
        query = sa.select(ACTS.c.at, ACTS.c.who, ACTS.c.what).order_by(ACTS.c.id.desc()).limit(MOST)
        return [AdminAct(*row) for row in await in_database(self._store.rows, query)]

    async def report(self, row: dict[str, Any]) -> None:
        """Keep a report, once from each person. Raises StoreError."""
        same = [REPORTS.c[name] == row[name] for name in ("table_id", "owner", "about", "kind", "text")]

        def write(connection: sa.Connection) -> None:
            if connection.execute(sa.select(REPORTS.c.id).where(*same)).first() is None:
                connection.execute(sa.insert(REPORTS).values(at=now(), **row))

        await in_database(self._store.run, write)
        await self.load()

    async def reports(self, everything: bool, short: int) -> list[AbuseReport]:
        """Reports, newest first; handled ones only if `everything`. short: letters of a person's id. Raises
        StoreError.
        """
        query = sa.select(REPORTS).order_by(REPORTS.c.id.desc()).limit(MOST)
        query = query if everything else query.where(REPORTS.c.done == "")
        rows = await in_database(self._store.rows, query)
        return [
            AbuseReport(
                row.id, row.at, row.table_id, row.kind, row.text, row.about[:short], row.owner[:short], row.done
            )
            for row in rows
        ]

    async def settle(self, id: int, who: str) -> bool:
        """Mark a report as handled; return whether it exists. Raises StoreError."""
        query = sa.update(REPORTS).where(REPORTS.c.id == id).values(done=who)
        done = await in_database(self._store.change, query)
        await self.load()
        return bool(done)

    async def did(self, request: Request, what: str) -> None:
        """Log and store an action with the caller's name."""
        who = str(request.scope[WHO])
        operator.info("%s", what if who == OPERATOR else f"{what}, by {who}")
        query = sa.insert(ACTS).values(at=now(), who=who, what=what)
        try:
            await in_database(self._store.change, query)
        except StoreError as error:
            log.error("what %s did is not kept: %s", who, error)


def forget(store: Store, owner: str) -> None:
    """Delete a person's reports, and reports about them. Raises StoreError."""
    store.change(sa.delete(REPORTS).where((REPORTS.c.owner == owner) | (REPORTS.c.about == owner)))


def exported(store: Store, owner: str) -> list[dict[str, Any]]:
    """A person's reports. Raises StoreError."""
    query = sa.select(REPORTS.c.at, REPORTS.c.table_id, REPORTS.c.kind, REPORTS.c.text).where(REPORTS.c.owner == owner)
    return store.dicts(query)
