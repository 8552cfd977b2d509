"""Queues that are fair between callers: a caller with many requests waits longer, and delays no others."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Container
from typing import Generic, TypeVar

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.net.networks import widest

T = TypeVar("T")
TOO_MUCH = Message("too much waits to be done here"), Message("try again in a while")


class TooMany(CardtableError):
    """Too much of this caller's work is waiting here. `seconds`: how long to wait before the next try, if that is
    known.
    """

    code = "http/rate"
    seconds = 0.0


class Busy(CardtableError):
    """The server has too much to do."""

    code = "server/busy"


class Queue(Generic[T]):
    """Waiting items. Networks (`networks.widest`) take turns, and within each its callers, so many addresses get no
    more than one.
    """

    def __init__(self) -> None:
        self._networks: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()
        self._many: Counter[str] = Counter()  #: things of each network
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def of(self, caller: str) -> int:
        """How many things of a caller wait."""
        callers = self._networks.get(widest(caller))
        return len(callers.get(caller, ())) if callers else 0

    def beside(self, caller: str) -> int:
        """How many things of a caller's network wait."""
        return self._many[widest(caller)]

    def put(self, caller: str, thing: T) -> None:
        """Add a caller's item to the queue."""
        network = widest(caller)
        self._networks.setdefault(network, OrderedDict()).setdefault(caller, deque()).append(thing)
        self._count(network, 1)

    def take(self, callers: Container[str] = (), networks: Container[str] = ()) -> tuple[str, T] | None:
        """The next thing, with its caller, taken out: none of these callers', and of these networks' only if no other
        one waits.
        """
        for ours in (False, True):
            for network, those in self._networks.items():
                if (network in networks) is ours:
                    for caller, queue in those.items():
                        if caller not in callers:
                            thing = queue.popleft()
                            those.move_to_end(caller)
                            self._networks.move_to_end(network)
                            self._gone(network, caller)
                            return caller, thing
        return None

    def remove(self, caller: str, thing: T) -> None:
        """Take a thing out, if it still waits."""
        network = widest(caller)
        if self.of(caller) and thing in (queue := self._networks[network][caller]):
            queue.remove(thing)
            self._gone(network, caller)

    def _gone(self, network: str, caller: str) -> None:
        """A thing of a caller's was taken out."""
        self._count(network, -1)
        callers = self._networks[network]
        if not callers[caller]:
            del callers[caller]
        if not callers:
            del self._networks[network]

    def _count(self, network: str, more: int) -> None:
        self._length += more
        self._many[network] += more
        if not self._many[network]:
            del self._many[network]


class Turns:
    """Slots that are shared fairly: one at a time for each caller, with networks and their callers taking turns."""

    def __init__(self, slots: int, each: int, all_together: int) -> None:
        """each: how many requests of one caller may wait; all_together: how many of all callers, half of them of one
        network.
        """
        self._free, self._each, self._all = slots, each, all_together
        self._served: set[str] = set()
        self._networks: Counter[str] = Counter()  #: the number of slots of each network
        self._queue: Queue[asyncio.Future[None]] = Queue()

    @property
    def waiting(self) -> int:
        """How many requests are waiting."""
        return len(self._queue)

    @contextlib.asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait for the caller's turn and hold a slot. Raises TooMany or Busy at once if too many are waiting."""
        await self._wait(caller)
        try:
            yield
        finally:
            self._release(caller)

    async def _wait(self, caller: str) -> None:
        queue = self._queue
        if queue.of(caller) >= self._each or queue.beside(caller) >= max(self._each, self._all // 2):
            raise TooMany(
                Message("this request"), Message("too much of yours waits to be done"), Message("wait for the answers")
            )
        if self.waiting >= self._all:
            raise Busy(Message("this request"), *TOO_MUCH)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.put(caller, place)
        self._give()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled() or not place.done():
                queue.remove(caller, place)
            else:  # the slot was given to a caller that no longer needs it
                self._release(caller)
            raise

    def _release(self, caller: str) -> None:
        self._served.discard(caller)
        self._networks.subtract([widest(caller)])
        self._networks += Counter()  # forgets those without a slot
        self._free += 1
        self._give()

    def _give(self) -> None:
        """Give the free slots to callers that have none; the one whose last slot is longest ago comes first."""
        while self._free and (first := self._queue.take(self._served, self._networks)):
            caller, place = first
            if not place.done():
                self._served.add(caller)
                self._networks[widest(caller)] += 1
                self._free -= 1
                place.set_result(None)
