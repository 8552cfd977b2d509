"""Finding a table by its id or code. A code is short enough to be read out, so the number of wrong ones that an address
may try is limited.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from cardtable.message import Message
from cardtable.server.guard import Rates
from cardtable.server.hall import Glance, Hall
from cardtable.server.rooms import Room
from cardtable.server.workers import TooMany

Table = TypeVar("Table", Room, Glance)


class Lookup:
    """Finds tables for clients."""

    def __init__(self, hall: Hall, rates: Rates) -> None:
        self._hall = hall
        self._rates = rates

    async def find(self, name: str, address: str) -> Room | None:
        """The room of a table, by id or code, for a client at an address. Raises TooMany after too many wrong names,
        also for a right one; Busy, StoreError.
        """
        return await self._limited(self._hall.find, name, address)

    async def glance(self, name: str, address: str) -> Glance | None:
        """A glance at a table, as `find`; it is not opened for that."""
        return await self._limited(self._hall.glance, name, address)

    async def _limited(self, find: Callable[[str], Awaitable[Table | None]], name: str, address: str) -> Table | None:
        rate = self._hall.settings.guess_rate
        if wait := self._rates.wait("guess", address, rate):
            self._hall.refused("guess", address)
            why, can = Message("too many codes were wrong"), Message("try again in {n} s", n=int(wait) + 1)
            raise TooMany(Message("this table"), why, can)
        found = await find(name) if name.isprintable() else None
        if found is None:
            self._rates.take("guess", address, rate)
        return found
