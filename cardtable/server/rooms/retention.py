"""Deleting expired data, if the clock is plausible.

To a machine whose clock was wrong at start-up, everything would look old. So the database stores the time when the
clock was last plausible. A clock far from it, or at first from the newest entry, deletes nothing until it is set
right, or until the operator confirms it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial

import sqlalchemy as sa

from cardtable.server import logs
from cardtable.server.clock import now
from cardtable.server.rooms.hall import Hall
from cardtable.server.store.database import in_database, put
from cardtable.server.store.faults import StoreError
from cardtable.server.store.schema import MATCHES, REPORTS, SITE, TABLES

log = logging.getLogger("cardtable.server")
DAY = 86_400_000  #: milliseconds
FAR = 7 * DAY  #: a clock that is further from the last time that was believed is not believed
KEPT = 90 * DAY  #: a report that somebody has dealt with is deleted when it is older
CLOCK = "clock"  #: under which the database remembers the time, in milliseconds since 1970


def known_time(connection: sa.Connection) -> int:
    """When the clock was last believed, or else the time of the newest entry; 0 if there is none."""
    if believed := connection.execute(sa.select(SITE.c.value).where(SITE.c.name == CLOCK)).scalar():
        return int(believed)
    newest = (sa.func.max(TABLES.c.created), sa.func.max(TABLES.c.changed), sa.func.max(MATCHES.c.at))
    return max(connection.execute(sa.select(one)).scalar() or 0 for one in newest)


def believe(connection: sa.Connection, at: int) -> None:
    """Remember that it is this time."""
    put(connection, SITE, {"name": CLOCK, "value": str(at)})


def looked_at(connection: sa.Connection, at: int) -> int:
    """How far the clock is from the time that is known, in milliseconds; 0 if it is near, which is remembered."""
    known = known_time(connection)
    off = at - known if known else 0
    if abs(off) > FAR:
        return off
    believe(connection, at)
    return 0


async def check_clock(hall: Hall) -> bool:
    """Whether the clock can be believed; if not, it is reported. Raises StoreError."""
    at = now()
    off = await in_database(hall.store.run, partial(looked_at, at=at))
    hall.metrics.clock_off.set(abs(off) / 1000)
    if off:
        log.error(
            "nothing old is deleted: the clock said %s when the server started, and the database knows of %s. Set the "
            "clock and restart the server, or, if it is right, say so: cardtable admin check --clock-is-right",
            *(datetime.fromtimestamp(one / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC") for one in (at, at - off)),
        )
    return not off


async def trust_clock(hall: Hall) -> None:
    """Confirm the clock, for the operator. Raises StoreError."""
    await in_database(hall.store.run, partial(believe, at=now()))
    hall.metrics.clock_off.set(0.0)


async def delete_old(hall: Hall) -> int:
    """Delete tables, finished matches, bans, mutes and kicks that are older than they are kept; return how many tables.
    Raises StoreError.
    """
    if not await check_clock(hall):
        return 0
    s, store = hall.settings, hall.store
    unplayed, others, matches = (
        int(now() - days * DAY) if days else 0 for days in (s.keep_unplayed, s.keep_tables, s.keep_matches)
    )
    deleted = 0
    for table in await in_database(store.old_tables, unplayed, others):
        if not hall.is_busy(table) and not await hall.cluster.owner(table):
            await hall.rewrite(table, partial(store.delete_table, table))
            deleted += 1
    ended = await in_database(store.delete_matches, matches) if matches else 0
    if deleted or ended:
        logs.event("old.deleted", tables=deleted, matches=ended)
    await hall.restrictions.delete_expired()
    settled = sa.delete(REPORTS).where(REPORTS.c.done != "", REPORTS.c.at < now() - KEPT)
    await in_database(store.change, settled)
    return deleted


async def delete_regularly(hall: Hall) -> None:
    """Delete expired data regularly. The clock is also checked before it writes anything."""
    work: Callable[[Hall], Awaitable[object]] = check_clock
    while True:
        try:
            await work(hall)
        except StoreError as error:
            log.error("old tables are not deleted: %s", error)
        await asyncio.sleep(hall.settings.delete_every)
        work = delete_old
