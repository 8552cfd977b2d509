"""Waiting for entries to be on disk, in the event loop.

asyncio.wrap_future wakes the loop from the store's thread once for each entry, and the two threads then compete for the
interpreter. Here the loop is woken once for all entries of a transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future

from cardtable.server.store.store import Store


class Landing:
    """The entries of a store that an event loop waits for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[Future[None], asyncio.Future[None]] = {}

    async def wait(self, writing: Future[None]) -> None:
        """Wait until an entry is on disk, and raise what `Store.append` says. One whose waiter is cancelled is not
        written, unless its transaction has begun.
        """
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._store.listeners.append(self._written)
        if not writing.done():  # the loop is told of anything that is done from now on after this
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
        """Listen to the store no more. Nobody may wait any longer."""
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
