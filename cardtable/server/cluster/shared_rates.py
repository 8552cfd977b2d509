"""Rates by address over all processes that share a database.

Each process counts separately, without waiting for the others. Once an address has used more than an eighth of a rate
in one process, its use is added up in the database, at most `EVERY` seconds later, and its remaining rate in this
process follows from the sum. So with n processes an address gets at most n eighths above the rate, plus its use
within that time, and only floods cost the database anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from cardtable.server.cluster.leases import NOW
from cardtable.server.net.guard import Bucket, Rates
from cardtable.server.settings import Settings
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import StoreError
from cardtable.server.store.schema import RATES
from cardtable.server.store.store import Store

log = logging.getLogger("cardtable.server")
EVERY = 0.05  #: seconds between two additions
UNSHARED = 1 / 8  #: the part of a rate that a process gives without telling the others
FORGOTTEN = 2 * 86_400_000  #: milliseconds after which an address's row is deleted: every rate is full again
TIDY = 3600.0  #: seconds between deletions of such rows
LOOK = 60.0  #: seconds without a flood after which low use is forgotten


class SharedRates(Rates):
    """Rates over all processes."""

    def __init__(self, settings: Settings, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(settings, clock)
        self._store = store
        self._taken: Counter[tuple[str, str]] = Counter()  #: since the last addition
        self._news = asyncio.Event()

    def _changed(self, key: tuple[str, str], bucket: Bucket, taken: int) -> None:
        """Returned tokens also count if the others know of them by now."""
        self._taken[key] += taken
        most = self._rates[key[0]][0]
        if taken > 0 and most - bucket.tokens > most * UNSHARED:
            self._news.set()

    async def keep_shared(self) -> None:
        """Periodically flush rate counters to the database, until cancelled."""
        tidied = time.monotonic()
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK)
            await asyncio.sleep(EVERY)
            self._news.clear()
            try:
                await self._share()
                if time.monotonic() - tidied > TIDY:
                    tidied = time.monotonic()
                    await in_database(self._store.run, tidy)
            except StoreError as error:  # each process has its own count meanwhile
                log.warning("rates are not shared: %s", error)

    async def _share(self) -> None:
        """Add the use by addresses above their unshared part. Raises StoreError."""
        taken: dict[str, dict[str, int]] = {}
        for kind, address in list(self._taken):
            bucket, most = self._buckets.get((kind, address)), self._rates[kind][0]
            if bucket is None or most - bucket.tokens > most * UNSHARED:
                taken.setdefault(kind, {})[address] = self._taken.pop((kind, address))
            elif self._is_full(kind, address):
                del self._taken[kind, address]
        for kind, addresses in taken.items():
            rate = self._rates[kind]
            adding = partial(add, kind=kind, taken=addresses, rate=rate)
            levels = await in_database(self._store.run, adding)
            for address, level in levels.items():
                if bucket := self._buckets.get((kind, address)):
                    bucket.tokens = min(bucket.tokens, rate[0] - level - self._taken[kind, address])

    def _is_full(self, kind: str, address: str) -> bool:
        """Whether all that an address has taken is refilled."""
        most, seconds = self._rates[kind]
        bucket = self._buckets[kind, address]
        bucket.wait(most, seconds, self._clock())
        return bucket.tokens >= most


def tidy(connection: sa.Connection) -> None:
    """Delete expired rows."""
    connection.execute(sa.delete(RATES).where(RATES.c.at < NOW - FORGOTTEN))


def add(connection: sa.Connection, kind: str, taken: Mapping[str, int], rate: tuple[float, float]) -> dict[str, float]:
    """Add what some addresses have taken of a kind; return how much of it each has used, which leaks with time."""
    most, seconds = rate
    adding = insert(RATES).values(
        [{"kind": kind, "address": address[:64], "level": float(n), "at": NOW} for address, n in sorted(taken.items())]
    )
    passed = sa.func.greatest(0, adding.excluded.at - RATES.c.at)  # the database's clock may have been set back
    used = RATES.c.level - passed * (most / seconds / 1000)
    level = sa.func.greatest(0.0, sa.func.greatest(0.0, used) + adding.excluded.level)
    changing = adding.on_conflict_do_update(
        index_elements=[RATES.c.kind, RATES.c.address], set_={"level": level, "at": adding.excluded.at}
    )
    return {row.address: row.level for row in connection.execute(changing.returning(RATES.c.address, RATES.c.level))}
