"""The logs of tables for rooms on the event loop: waiting until entries are on disk, and folding.

asyncio.wrap_future wakes the loop from the store's thread once for each entry, and the two threads then compete for the
interpreter. `Landing` is woken once for all entries of a transaction.

Replaying a match of thousands of moves takes a tenth of a second, more than one request may cost the server's own
process. So a log is folded in a thread, and a long one in a worker process, which sends the table back; that costs a
few milliseconds here. If no process is free in time, a thread does it, because play must go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

from cardtable.base.errors import CardtableError
from cardtable.server.net.waits import SAVING, Waits
from cardtable.server.store.database import in_database
from cardtable.server.store.store import Store
from cardtable.server.thinking.thinking import Thinking
from cardtable.table import Entry, LiveTable
from cardtable.table import events as ev

PART, PAUSE = 32, 0.0005  #: entries of a log between two pauses while it is folded, and seconds of each pause
LONG = 0.04  #: seconds of processor time from which a process folds a log
ENTRY, VIEWER, LETTER = 30e-6, 3e-6, 6e-6  #: seconds for an entry, for each of its viewers, for a letter of a start
PATIENCE = 4.0  #: seconds that a process has


class Landing:
    """The entries of a store that an event loop waits for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[Future[None], asyncio.Future[None]] = {}

    async def wait(self, writing: Future[None]) -> None:
        """Wait until an entry is on disk, and raise the errors of `Store.append`. A cancelled one is not written,
        unless its transaction has begun.
        """
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._store.listeners.append(self._written)
        if not writing.done():  # from here on, the loop is notified of all completions
            landed = self._waiting[writing] = self._loop.create_future()
            try:
                await landed
            except asyncio.CancelledError:
                writing.cancel()
                raise
            finally:
                del self._waiting[writing]
        writing.result()

    def close(self) -> None:
        """Stop listening to the store. There must be no waiters."""
        if self._loop is not None:
            self._store.listeners.remove(self._written)
            self._loop = None

    def _written(self) -> None:
        """A transaction has ended; in the store's thread."""
        if (loop := self._loop) is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        for writing, landed in self._waiting.items():
            if writing.done() and not landed.done():
                landed.set_result(None)


class TableLogs:
    """The logs of a store's tables."""

    def __init__(self, store: Store, thinking: Thinking, waits: Waits) -> None:
        """thinking: has the processes that fold long logs; waits: where it is counted what waits."""
        self._store, self._thinking, self._waits = store, thinking, waits
        self._landing = Landing(store)
        self.written = 0  #: entries that are on disk since the server started

    async def saved(self, write: Future[None]) -> None:
        """Wait until an entry is on disk. Raises the errors of `Store.append`."""
        await self._waits.through(SAVING, self._landing.wait(write))
        self.written += 1

    async def folded(self, table: str) -> LiveTable:
        """A table from its log, folded elsewhere than in the event loop. Raises StoreError, TableFault."""
        lines = await in_database(self._store.lines, table)
        if lines and cost(lines) > LONG:
            with contextlib.suppress(CardtableError, TimeoutError):  # a fault of the log is found again below
                async with asyncio.timeout(PATIENCE):
                    pickled = await self._thinking.workers.do(f"table {table}", "folded", lines)
                    folded = pickle.loads(pickled)  # of our own process
                    assert isinstance(folded, LiveTable)
                    return folded
        return await asyncio.to_thread(lambda: LiveTable.fold(in_parts(lines)))

    def close(self) -> None:
        """No waiters remain."""
        self._landing.close()


def cost(lines: Sequence[str]) -> float:
    """About how many seconds of processor time it takes to fold a log that is not empty."""
    created = ev.decode(lines[0]).event
    viewers, start = 1, ""
    if isinstance(created, ev.Created):
        viewers, start = (created.setup.seats or 0) + 1, created.setup.start
    return len(lines) * (ENTRY + VIEWER * viewers) + LETTER * len(start)


def in_parts(lines: Sequence[str]) -> Iterator[Entry]:
    """A log for folding in a thread, with short pauses: otherwise the thread holds the interpreter for 5 ms each time
    that the event loop needs it.
    """
    for number, line in enumerate(lines, 1):
        yield ev.decode(line)
        if number % PART == 0:
            time.sleep(PAUSE)
