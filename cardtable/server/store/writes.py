"""Writes to the database and their statements: entries of logs, and the changes that belong to them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from cardtable.server.store.faults import MOVED, OLDER, SCHEMA, Fenced, StoreError
from cardtable.server.store.schema import (
    DECISIONS,
    EVENTS,
    MATCHES,
    PARTICIPANTS,
    PLAYERS,
    RESTRICTIONS,
    SEATS,
    STEPS,
    TABLES,
    VERSION,
)
from cardtable.table import Entry, events

LACKING = "the log in the database lacks the entry before this one"
#: as text, because it is part of many write transactions: SQLAlchemy takes 0.4 ms to build it
_HELD = sa.text("SELECT id, epoch FROM tables WHERE id = ANY(:tables) AND node = :node ORDER BY id FOR SHARE")
PROBE = "x" * 4096  #: the content of a probe: it needs as much room as an entry


@dataclass(frozen=True)
class FinishedPlayer:
    """A player of a finished match."""

    seat: int
    owner: str
    name: str
    score: int
    won: bool
    undone: int = 0  #: how often this player took something back
    hints: int = 0  #: how often this player asked what to play
    level: str = ""  #: of a bot


@dataclass(frozen=True)
class Finished:
    """A finished match for storage. number: of the match at its table; counts: in its players' statistics.

    title: the name under which it was opened, if that is not its preset's own. deal: the shared deal; house: its
    seats and house rules (`schema.MATCHES`).
    """

    table: str
    number: int
    game: str
    preset: str
    at: int
    deals: int
    resigned: int | None
    undone: int
    record: str
    players: tuple[FinishedPlayer, ...]
    counts: bool = True
    title: str = ""
    deal: str = ""
    house: str = ""


@dataclass
class Write:
    """An entry to append, and changes of the lists in the same transaction.

    row: columns of TABLES that change. seats: the owners of all seats, if they changed. finished: a match that has
    ended. epoch: of the table's lease, if this process shares its database; 0: no lease is needed. taken_back: the
    numbers of the match and of the deal that was over and resumes, because a move was taken back.
    """

    table: str
    entry: Entry
    row: dict[str, Any] = field(default_factory=dict)
    new: bool = False
    seats: Sequence[str] | None = None
    finished: Finished | None = None
    epoch: int = 0
    taken_back: tuple[int, int] | None = None
    done: Future[None] = field(default_factory=Future)


@dataclass
class Probe:
    """A write that changes nothing, to find out whether the store can write."""

    done: Future[None] = field(default_factory=Future)


def _addition() -> sa.Insert:
    """The statement that appends an entry to a log, but only after the entry before it, and only to a database of
    this version: nothing is acknowledged on top of a copy that lacks acknowledged entries.
    """
    table, version, line = (sa.bindparam(name, type_=EVENTS.c[name].type) for name in ("table_id", "version", "line"))
    before = EVENTS.alias("before")
    known = sa.exists().where(before.c.table_id == table, before.c.version == version - 1)
    ours = sa.select(sa.func.max(VERSION.c.step)).scalar_subquery() == len(STEPS)
    row = sa.select(table, version, line).where(ours, sa.or_(version == 1, known))
    return sa.insert(EVENTS).from_select(["table_id", "version", "line"], row)


ADD = _addition().execution_options(preserve_rowcount=True)
# Frequent statements are built once: rebuilding them creates garbage that must be collected.
NEWEST = sa.select(sa.func.max(VERSION.c.step))
CHANGE = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("of_table"))
NO_SEATS = sa.delete(SEATS).where(SEATS.c.table_id == sa.bindparam("of_table"))
NO_PARTICIPANT = sa.delete(PARTICIPANTS).where(
    PARTICIPANTS.c.table_id == sa.bindparam("of_table"), PARTICIPANTS.c.owner == sa.bindparam("of_owner")
)


def insert(connection: sa.Connection, group: Sequence[Write], node: str) -> None:
    """Append entries, and change what changes with them. node: this process's id. Raises StoreError."""
    if leased := {write.table: write.epoch for write in group if write.epoch and not write.new}:
        epochs = held(connection, leased, node)
        if lost := {table for table, epoch in leased.items() if epochs.get(table) != epoch}:
            check_version(connection)
            last = last_versions(connection, lost)
            if any(last.get(write.table, 0) < write.entry.version - 1 for write in group if write.table in lost):
                raise StoreError(LACKING, OLDER)  # and no other process can have this one's data
            raise Fenced(f"the leases of {len(lost)} tables are lost", MOVED)
    for write in group:
        if write.new:
            connection.execute(sa.insert(TABLES).values(id=write.table, **write.row))
    lines = [
        {"table_id": write.table, "version": write.entry.version, "line": events.encode(write.entry).decode()}
        for write in group
    ]
    if connection.execute(ADD, lines).rowcount != len(lines):
        check_version(connection)
        raise StoreError(LACKING, OLDER)
    for write in group:
        _take_part(connection, write.entry.event, write.table)
        if write.row and not write.new:
            connection.execute(CHANGE, {"of_table": write.table, **write.row})
        if write.seats is not None:
            connection.execute(NO_SEATS, {"of_table": write.table})
            if rows := [
                {"table_id": write.table, "seat": seat, "owner": owner}
                for seat, owner in enumerate(write.seats)
                if owner
            ]:
                connection.execute(sa.insert(SEATS), rows)
        if write.finished:
            keep(connection, write.finished)
        if write.taken_back:
            forget_deal(connection, write.table, *write.taken_back)


def held(connection: sa.Connection, tables: Collection[str], node: str) -> dict[str, int]:
    """Which of some tables a node has the lease of, with their epochs. No claim can change that before the transaction
    ends.
    """
    rows = connection.execute(_HELD, {"tables": list(tables), "node": node}).all()
    return {row.id: row.epoch for row in rows}


def last_versions(connection: sa.Connection, tables: Collection[str]) -> dict[str, int]:
    """The version of the last entry of each log; none for a table that is not there."""
    query = sa.select(EVENTS.c.table_id, sa.func.max(EVENTS.c.version)).where(EVENTS.c.table_id.in_(tables))
    return {row[0]: row[1] for row in connection.execute(query.group_by(EVENTS.c.table_id))}


def check_version(connection: sa.Connection) -> None:
    """Raise StoreError if the database is not, or no longer, of this Cardtable's version."""
    if (step := connection.execute(NEWEST).scalar()) != len(STEPS):
        raise StoreError(f"the database is of version {step}, and this Cardtable needs {len(STEPS)}", SCHEMA)


def probe(connection: sa.Connection) -> None:
    """Write an entry, and delete it again: this goes to disk like any other change."""
    check_version(connection)
    name = f"probe-{secrets.token_hex(8)}"
    connection.execute(sa.insert(EVENTS).values(table_id=name, version=0, line=PROBE))
    connection.execute(sa.delete(EVENTS).where(EVENTS.c.table_id == name))


def forget_deal(connection: sa.Connection, table: str, number: int, deal: int) -> None:
    """Delete what reviews found in a deal of a match: it is played differently now."""
    here = (DECISIONS.c.table_id == table) & (DECISIONS.c.number == number) & (DECISIONS.c.deal == deal)
    connection.execute(sa.delete(DECISIONS).where(here))


def erase_table(connection: sa.Connection, table: str) -> None:
    """Delete a table and its log, the kicks from it, and what reviews found in a match that has not ended there."""
    of_table = (EVENTS.c.table_id, SEATS.c.table_id, PARTICIPANTS.c.table_id, RESTRICTIONS.c.table_id, TABLES.c.id)
    for column in of_table:
        connection.execute(sa.delete(column.table).where(column == table))
    over = sa.exists().where(MATCHES.c.table_id == DECISIONS.c.table_id, MATCHES.c.number == DECISIONS.c.number)
    connection.execute(sa.delete(DECISIONS).where(DECISIONS.c.table_id == table, ~over))


def _take_part(connection: sa.Connection, event: events.Event, table: str) -> None:
    """Record a participant of a table, if an event adds one."""
    if isinstance(event, (events.Created, events.Sat)):
        row = {"table_id": table, "owner": event.host if isinstance(event, events.Created) else event.owner}
        connection.execute(NO_PARTICIPANT, {"of_table": table, "of_owner": row["owner"]})
        connection.execute(sa.insert(PARTICIPANTS), row)


def keep(connection: sa.Connection, match: Finished) -> int:
    """Keep a finished match; return its id."""
    columns = {
        column.name: getattr(match, column.name) for column in MATCHES.c if column.name not in ("id", "table_id")
    }
    done = connection.execute(sa.insert(MATCHES).values(table_id=match.table, **columns))
    number = int(done.inserted_primary_key[0])  # type: ignore[index]
    connection.execute(sa.insert(PLAYERS), [{"match_id": number} | vars(player) for player in match.players])
    return number
