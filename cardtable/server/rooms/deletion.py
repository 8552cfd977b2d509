"""Deleting everything that the server keeps about a person, while it runs: they leave their tables first."""

from __future__ import annotations

from functools import partial

from cardtable.base.message import Message
from cardtable.server.net.fair_queue import Busy
from cardtable.server.people import moderators, personal_data
from cardtable.server.people.personal_data import Deleted
from cardtable.server.rooms import moderation
from cardtable.server.rooms.hall import Hall
from cardtable.server.store import decisions, saved_rules
from cardtable.server.store.database import in_database
from cardtable.table.live import TableFault

MOST = 100_000  #: limit for tables, in case the person keeps making new ones


async def delete_person(hall: Hall, owner: str) -> Deleted:
    """Delete a person's data. If it fails in between, it can be done again. Raises StoreError, Busy."""
    if owner in hall.deleting:
        raise Busy(Message("this request"), Message("it is being done already"), Message("wait a moment"))
    hall.cluster.tell("deleting", owner=owner, on=True)
    hall.deleting.add(owner)  # until it is done they get no connection, so that they do not return to a seat
    try:
        hall.disconnect(owner)
        deleted = partly = 0
        while (tables := await in_database(personal_data.tables_of, hall.store, owner)) and deleted + partly < MOST:
            for table in tables:
                whole = await delete_from_table(hall, table, owner)
                deleted, partly = deleted + whole, partly + (not whole)
        await hall.devices.forget(owner)
        await in_database(saved_rules.forget, hall.store, owner)
        await in_database(moderators.forget, hall.store, owner)
        matches, kept_matches = await in_database(personal_data.delete_from_matches, hall.store, owner)
        await in_database(decisions.forget, hall.store, owner)  # nothing comes after: it needs a seat of theirs
    finally:
        hall.deleting.discard(owner)
        hall.cluster.tell("deleting", owner=owner, on=False)
    return Deleted(deleted, matches, partly, kept_matches)


async def delete_from_table(hall: Hall, table: str, owner: str) -> bool:
    """Delete a person from a table that they leave first; return whether all of it was deleted.

    Raises StoreError, Busy.
    """
    if not await in_database(personal_data.alone_at, hall.store, table, owner):
        await leave(hall, table, owner)
    return await hall.rewrite(table, partial(personal_data.delete_from_table, hall.store, table, owner))


async def leave(hall: Hall, table: str, owner: str) -> None:
    """Remove a person from a table, so that the others can play on. Raises StoreError, Busy."""
    try:
        room = await hall.obtain(table)
    except TableFault:  # no play is possible there
        return
    if room is not None:
        await moderation.at_table(room, lambda: moderation.remove(room, owner))
