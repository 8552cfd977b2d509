"""Draining: no new tables and matches, and the process ends when the last match is over, or at some time."""

from __future__ import annotations

import asyncio

from cardtable.server import logs
from cardtable.server.clock import now
from cardtable.server.rooms.hall import Hall
from cardtable.table.live import BETWEEN, PLAYING, SHUFFLING

LOOK = 1.0  #: seconds between two looks whether the last match is over
UNDER_WAY = (PLAYING, BETWEEN, SHUFFLING)


def matches_under_way(hall: Hall) -> int:
    """The number of matches here with a connected person."""
    return sum(bool(room.peers) and room.table.stage in UNDER_WAY for room in hall.rooms.values())


def begin(hall: Hall, until: int) -> None:
    """Make this process end after its last match, or at a time (milliseconds since 1970). It may be called again for
    another time.
    """
    cancel(hall)
    hall.site.restarts(until)
    logs.event("server.draining", until=until, matches=matches_under_way(hall))
    hall.draining = hall.spawn(_drain(hall, until))


def cancel(hall: Hall) -> None:
    """Continue normally."""
    if hall.draining:
        hall.draining.cancel()
        hall.draining = None
    hall.site.restarts(0)


async def _drain(hall: Hall, until: int) -> None:
    while matches_under_way(hall) and now() < until:
        await asyncio.sleep(min(LOOK, max(0.0, (until - now()) / 1000)))
    hall.draining = None  # it has ended: it can no longer be cancelled
    hall.stop()
