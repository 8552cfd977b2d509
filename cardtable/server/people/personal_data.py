"""The stored data about one person: exporting and deleting it.

A table or a finished match of other people stays when a person's data is deleted: there the person becomes anonymous,
with an unused id.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa

from cardtable.match.match import Record
from cardtable.server.people import moderators
from cardtable.server.store import decisions, shared_deals
from cardtable.server.store.schema import (
    DEVICES,
    EVENTS,
    MATCHES,
    PARTICIPANTS,
    PLAYERS,
    RESTRICTIONS,
    SAVED,
    SEATS,
    TABLES,
)
from cardtable.server.store.store import Store
from cardtable.server.store.writes import erase_table
from cardtable.table import Entry
from cardtable.table import events as ev

NAME = "Deleted player"  #: shown instead of a deleted person's name; cannot be chosen
GONE = "deleted-"  #: the prefix of a deleted person's id
PAGE = 50  #: matches that are read at a time


class Deleted(msgspec.Struct, frozen=True):
    """The results of a deletion. Tables and matches with other people stay."""

    tables: int = 0  #: the number of deleted tables
    matches: int = 0  #: the number of deleted matches
    kept_tables: int = 0  #: the number of tables that stay, without the name
    kept_matches: int = 0  #: the number of matches that stay, without the name


def tables_of(store: Store, owner: str) -> list[str]:
    """The ids of all tables that a person made, or where they ever took a seat. Raises StoreError."""
    query = sa.select(PARTICIPANTS.c.table_id).where(PARTICIPANTS.c.owner == owner).order_by(PARTICIPANTS.c.table_id)
    return store.column(query)


def alone_at(store: Store, table: str, owner: str) -> bool:
    """Whether no other person whose data is still kept took part in a table. Raises StoreError."""
    return store.run(lambda connection: _alone_at(connection, table, owner))


def _alone_at(connection: sa.Connection, table: str, owner: str) -> bool:
    others = sa.select(PARTICIPANTS.c.owner).where(
        PARTICIPANTS.c.table_id == table, PARTICIPANTS.c.owner != owner, ~PARTICIPANTS.c.owner.startswith(GONE)
    )
    return connection.execute(others.limit(1)).first() is None


# Deleting


def delete_from_table(store: Store, table: str, owner: str) -> bool:
    """Delete a person from a table: all of it if no other person took part, otherwise their id, name and chat.

    The table must not be open. Return whether all of it was deleted. Raises StoreError.
    """

    def delete(connection: sa.Connection) -> bool:
        if _alone_at(connection, table, owner):
            erase_table(connection, table)
            return True
        alias = _alias()
        seats: dict[int, str] = {}
        lines = sa.select(EVENTS.c.version, EVENTS.c.line).where(EVENTS.c.table_id == table)
        for version, line in connection.execute(lines.order_by(EVENTS.c.version)).all():
            entry = ev.decode(line)
            new = without(entry, owner, alias, seats)
            if new != entry:
                same = (EVENTS.c.table_id == table) & (EVENTS.c.version == version)
                connection.execute(sa.update(EVENTS).where(same).values(line=ev.encode(new).decode()))
        for kind in (SEATS, PARTICIPANTS):
            here = (kind.c.table_id == table) & (kind.c.owner == owner)
            connection.execute(sa.update(kind).where(here).values(owner=alias))
        return False

    return store.run(delete)


def without(entry: Entry, owner: str, alias: str, seats: dict[int, str]) -> Entry:
    """An entry of a log without a person: with another id, without their name and chat.

    seats: the owners of the seats, updated from entry to entry.
    """
    event: Any = entry.event
    if isinstance(event, ev.Sat):
        seats[event.seat] = event.owner
        if event.owner == owner:
            event = msgspec.structs.replace(event, owner=alias, name=NAME)
    elif isinstance(event, ev.Created) and event.host == owner:
        event = msgspec.structs.replace(event, host=alias)
    elif isinstance(event, ev.Renamed) and seats.get(event.seat) == owner:
        event = msgspec.structs.replace(event, name=NAME)
    elif isinstance(event, ev.Said) and seats.get(event.seat) == owner:
        event = msgspec.structs.replace(event, text="")
    elif isinstance(event, ev.Ticked):
        answers = [
            msgspec.structs.replace(command, owner=alias) if command.owner == owner else command
            for command in event.answers
        ]
        event = msgspec.structs.replace(event, answers=tuple(answers))
    who = alias if entry.owner == owner else entry.owner
    return msgspec.structs.replace(entry, event=event, owner=who)


def delete_from_matches(store: Store, owner: str) -> tuple[int, int]:
    """Delete a person from finished matches: whole matches if no other person played, otherwise their id and name.

    Return how many matches were deleted, and how many stay. Raises StoreError.
    """

    def delete(connection: sa.Connection) -> tuple[int, int]:
        mine = sa.select(PLAYERS.c.match_id).where(PLAYERS.c.owner == owner)
        person = (PLAYERS.c.owner != "") & (PLAYERS.c.owner != owner) & ~PLAYERS.c.owner.startswith(GONE)
        shared = sa.select(PLAYERS.c.match_id).where(PLAYERS.c.match_id.in_(mine), person)
        stay = set(connection.execute(shared).scalars())
        gone = set(connection.execute(mine).scalars()) - stay
        for match in gone:
            connection.execute(sa.delete(PLAYERS).where(PLAYERS.c.match_id == match))
            connection.execute(sa.delete(MATCHES).where(MATCHES.c.id == match))
        for match in stay:
            _unname(connection, match, owner)
        return len(gone), len(stay)

    return store.run(delete)


def _unname(connection: sa.Connection, match: int, owner: str) -> None:
    """Take a person's id and name out of a finished match and its record."""
    here = (PLAYERS.c.match_id == match) & (PLAYERS.c.owner == owner)
    seats = connection.execute(sa.select(PLAYERS.c.seat).where(here)).scalars().all()
    connection.execute(sa.update(PLAYERS).where(here).values(owner=_alias(), name=NAME))
    text = connection.execute(sa.select(MATCHES.c.record).where(MATCHES.c.id == match)).scalar_one()
    connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(record=unnamed(text, seats)))


def unnamed(record: str, seats: Any) -> str:
    """A record without the names of some seats."""
    keys = dict(Record.parse(record).keys)
    names = keys.get("players")
    if isinstance(names, list):
        keys["players"] = [NAME if seat in seats else name for seat, name in enumerate(names)]
    return str(Record(keys))


def _alias() -> str:
    """An id for a deleted person. It is not a hash of a token, so no device can have it."""
    return GONE + secrets.token_hex(16)


# Reading


def known(store: Store, owner: str, most: int = 5) -> tuple[list[str], int, int]:
    """A person's latest names, newest first, and the numbers of their tables and finished matches.

    Raises StoreError.
    """
    tables = sa.select(sa.func.count()).select_from(PARTICIPANTS).where(PARTICIPANTS.c.owner == owner)
    matches = sa.select(sa.func.count()).select_from(PLAYERS).where(PLAYERS.c.owner == owner)
    played = sa.select(PLAYERS.c.name).where(PLAYERS.c.owner == owner).order_by(PLAYERS.c.match_id.desc()).limit(100)
    seated = (
        sa.select(EVENTS.c.line)
        .join(PARTICIPANTS, PARTICIPANTS.c.table_id == EVENTS.c.table_id)
        .join(TABLES, TABLES.c.id == EVENTS.c.table_id)
        .where(PARTICIPANTS.c.owner == owner, EVENTS.c.line.like(f'%"kind":"sat"%"owner":"{owner}"%'))
        .order_by(TABLES.c.changed.desc())
        .limit(most)
    )

    def read(connection: sa.Connection) -> tuple[list[str], int, int]:
        sat = [ev.decode(line).event for (line,) in connection.execute(seated)]
        names = [event.name for event in sat if isinstance(event, ev.Sat) and event.owner == owner]
        names = [*names, *connection.execute(played).scalars()]
        latest = [*dict.fromkeys(filter(None, names))][:most]
        return latest, connection.execute(tables).scalar_one(), connection.execute(matches).scalar_one()

    return store.run(read)


def exported(store: Store, owner: str, at: int) -> Iterator[str]:
    """Everything that the server keeps about a person, as the parts of a JSON text. Raises StoreError.

    at: the time (milliseconds since 1970).
    """
    yield f'{{"exported": {at}, "person": {json.dumps(owner)}'
    yield f', "statistics": {_json(store.statistics(owner))}'
    rules = sa.select(RESTRICTIONS).where(RESTRICTIONS.c.owner == owner).order_by(RESTRICTIONS.c.id)
    times = sa.select(DEVICES.c.at.label("linked"), DEVICES.c.seen, DEVICES.c.signed_out)
    devices = store.dicts(times.where(DEVICES.c.owner == owner).order_by(DEVICES.c.at))
    house = sa.select(*[column for column in SAVED.c if column.name != "owner"]).where(SAVED.c.owner == owner)
    saved = store.dicts(house.order_by(SAVED.c.name))
    yield f', "reviewed": {_json(decisions.exported(store, owner))}'
    yield f', "restrictions": {_json(store.dicts(rules))}, "devices": {_json(devices)}, "saved_rules": {_json(saved)}'
    yield f', "reports": {_json(moderators.exported(store, owner))}, "tables": ['
    for number, table in enumerate(tables_of(store, owner)):
        yield (", " if number else "") + _json(table_of(store, table, owner))
    yield '], "matches": ['
    before, first = 0, True
    while matches := store.matches_of(owner, before, PAGE):
        for match in matches:
            yield ("" if first else ", ") + _json(match_of(store, match, owner))
            before, first = match["id"], False
    yield "]}\n"


def _json(thing: Any) -> str:
    return json.dumps(thing, ensure_ascii=False, indent=1)


def match_of(store: Store, match: dict[str, Any], owner: str) -> dict[str, Any]:
    """A finished match with its record (None: its cards are kept back). Other people's ids are left out."""
    players = [
        {name: value for name, value in player.items() if name not in ("owner", "match_id")}
        | {"you": player["owner"] == owner}
        for player in match["players"]
    ]
    saved = None if shared_deals.sealed(match["deal"]) else store.record_of(owner, match["id"])
    return match | {"players": players, "record": saved and saved[0]}


def table_of(store: Store, table: str, owner: str) -> dict[str, Any]:
    """A person's part of the log of a table: seat and name, moves and chat, without others' or secret data."""
    rows = store.dicts(sa.select(TABLES).where(TABLES.c.id == table))
    seats: dict[int, str] = {}
    done = [own for entry in store.log(table) if (own := _own(entry, owner, seats))]
    return (rows[0] if rows else {"id": table}) | {"done": done}


def _own(entry: Entry, owner: str, seats: dict[int, str]) -> dict[str, Any] | None:
    """An entry of a log if it is about this person; seats as in `without`."""
    event: Any = entry.event
    own: dict[str, Any] | None = None
    if isinstance(event, ev.Created):
        setup = event.setup
        if setup.daily:  # its number reveals the cards of all players
            setup = msgspec.structs.replace(setup, number="")
        own = {"kind": "created", "setup": msgspec.to_builtins(setup)} if event.host == owner else None
    elif isinstance(event, ev.Ticked):
        seat = next((seat for seat, who in seats.items() if who == owner), None)
        acted = seat is not None and any(command.owner == owner for command in event.answers)
        own = {"kind": "ticked", "seat": seat, "move": event.moves[seat]} if acted and seat is not None else None
    else:
        if isinstance(event, ev.Sat):
            seats[event.seat] = event.owner
        if seats.get(getattr(event, "seat", -1)) == owner:
            own = {name: value for name, value in msgspec.to_builtins(event).items() if name != "owner"}
    return {"at": entry.at} | own if own else None
