"""Queues that are fair between callers: a caller with many requests waits longer, and holds up nobody else."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator

from cardtable.errors import CardtableError
from cardtable.message import Message


class TooMany(CardtableError):
    """Too much of this caller's work is waiting here."""

    code = "http/rate"


class Busy(CardtableError):
    """The server has too much to do."""

    code = "server/busy"


class Turns:
    """Slots that are shared fairly: one at a time for each caller, with callers taking turns."""

    def __init__(self, slots: int, each: int, all_together: int) -> None:
        """each: how many requests of one caller may wait; all_together: how many of all callers."""
        self._free, self._each, self._all = slots, each, all_together
        self._served: set[str] = set()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many requests are waiting."""
        return sum(len(queue) for queue in self._queues.values())

    @contextlib.asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait for the caller's turn and hold a slot. Raises TooMany or Busy at once if too many are waiting."""
        await self._wait(caller)
        try:
            yield
        finally:
            self._release(caller)

    async def _wait(self, caller: str) -> None:
        queue = self._queues.get(caller, ())
        if len(queue) >= self._each:
            raise TooMany(
                Message("this request"), Message("too much of yours waits to be done"), Message("wait for the answers")
            )
        if self.waiting >= self._all:
            raise Busy(
                Message("this request"), Message("too much waits to be done here"), Message("try again in a while")
            )
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(place)
        self._give()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled() or not place.done():
                self._leave(caller, place)
            else:  # the slot was given to a caller that no longer wants it
                self._release(caller)
            raise

    def _leave(self, caller: str, place: asyncio.Future[None]) -> None:
        queue = self._queues.get(caller)
        if queue and place in queue:
            queue.remove(place)
            if not queue:
                del self._queues[caller]

    def _release(self, caller: str) -> None:
        self._served.discard(caller)
        self._free += 1
        self._give()

    def _give(self) -> None:
        """Give the free slots to callers that have none; the one whose last slot is longest ago comes first."""
        for caller in tuple(self._queues):
            if not self._free:
                return
            if caller in self._served:
                continue
            place = self._queues[caller].popleft()
            if self._queues[caller]:
                self._queues.move_to_end(caller)
            else:
                del self._queues[caller]
            if not place.done():
                self._served.add(caller)
                self._free -= 1
                place.set_result(None)
