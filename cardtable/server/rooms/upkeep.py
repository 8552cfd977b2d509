"""Background tasks of a server: receiving notices, closing quiet rooms, reloading, deleting expired data, and
measuring.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from functools import partial

from cardtable.rules import catalog
from cardtable.server.garbage import Garbage
from cardtable.server.net.load import load_of
from cardtable.server.rooms import moderation, notices, retention
from cardtable.server.rooms.hall import Hall
from cardtable.server.store.faults import StoreError

log = logging.getLogger("cardtable.server")
STORE_EVERY = 0.5  #: seconds between two looks whether the store can write
FILES_EVERY = 2.0  #: seconds between two counts of the open files
LAG_EVERY = 0.25  #: seconds between two measurements of the event loop's lag
REFRESH_EVERY = 10.0  #: seconds between two readings of the operator's decisions
TIDY_EVERY = 2.0  #: seconds between two checks whether to collect garbage


async def begin(hall: Hall) -> None:
    """Begin: compile missing games in the background, join the other processes, and do everything that is regular."""
    if hall.settings.compile_behind:
        hall.warming.start()
    await hall.cluster.open(hall.leases_lost, partial(notices.hear, hall))
    with contextlib.suppress(StoreError):  # it is tried again regularly
        await notices.refresh(hall)
    for game in await hall.cluster.games():  # people may come from another process at once
        if known := catalog.games().get(game):  # a process of another version may have others
            await asyncio.to_thread(hall.warming.load, known)
    hall.spawn(_sweep(hall))
    hall.spawn(_refresh(hall))
    hall.spawn(retention.delete_regularly(hall))
    hall.spawn(_watch_store(hall))
    hall.spawn(_watch_lag(hall))
    hall.spawn(_watch_files(hall))
    hall.spawn(_tidy(hall))


async def _sweep(hall: Hall) -> None:
    """Regularly close the rooms that have had no peers for a while."""
    while True:
        await asyncio.sleep(min(30.0, hall.settings.idle))
        for room in tuple(hall.rooms.values()):
            if not room.peers and time.monotonic() - room.quiet_since > hall.settings.idle:
                hall.forget(room)


async def _refresh(hall: Hall) -> None:
    """Regularly read the operator's decisions and linked devices, which another process may have changed."""
    while True:
        await asyncio.sleep(REFRESH_EVERY)
        try:
            await notices.refresh(hall)
            await hall.cluster.tell_load(partial(load_of, hall.waits, hall.costs))
        except StoreError as error:
            log.error("bans, mutes and linked devices are not up to date: %s", error)
            moderation.dismiss_banned(hall)


async def _watch_store(hall: Hall) -> None:
    while True:
        await asyncio.sleep(STORE_EVERY)
        hall.look_at_store()


async def _watch_lag(hall: Hall) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due_at = loop.time() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        hall.metrics.lag.observe(max(0.0, loop.time() - due_at))
        hall.metrics.thinking.set(hall.thinking.bots.waiting)
        hall.metrics.connections.set(len(hall.connections))
        for queue, (many, oldest) in hall.waits.now().items():
            hall.metrics.waiting.labels(queue).set(many)
            hall.metrics.oldest_wait.labels(queue).set(oldest)


async def _watch_files(hall: Hall) -> None:
    while True:
        await asyncio.to_thread(hall.metrics.count_files)
        await asyncio.to_thread(hall.metrics.count_memory, hall.thinking.workers.home)
        await hall.site.look_at_disk()
        hall.metrics.reports.set(hall.moderators.open_reports)
        hall.metrics.free.set(-1 if hall.site.free is None else hall.site.free)
        await asyncio.sleep(FILES_EVERY)


async def _tidy(hall: Hall) -> None:
    """Collect garbage when it is time to."""
    garbage, calm, written = Garbage(), 0, hall.logs.written
    while True:
        await asyncio.sleep(TIDY_EVERY)
        calm = calm + 1 if hall.logs.written == written else 0
        written = hall.logs.written
        if not gc.isenabled():
            garbage.tidy(calm)
