"""Finding a table by its id or code. A code is short enough to be read out, so the number of wrong ones that an address
may try is limited.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from cardtable.base.message import Message
from cardtable.server.net.fair_queue import TooMany, Turns
from cardtable.server.net.guard import Rates
from cardtable.server.net.guesses import Exhausted, Guesses
from cardtable.server.rooms.hall import Glance, Hall
from cardtable.server.rooms.room import Room

Table = TypeVar("Table", Room, Glance)
OPENED = 4  #: tables that are looked up in the database and opened at a time


class Lookup:
    """Finds tables for clients."""

    def __init__(self, hall: Hall, rates: Rates) -> None:
        self._hall = hall
        self.guesses = Guesses(hall.settings, rates)
        most = hall.settings.most_connections
        self._opening = Turns(OPENED, most, most)

    async def find(self, name: str, address: str, person: str) -> Room | None:
        """The room of a table, by id or code, for a person at an address. Raises TooMany after too many wrong names,
        also for a right one, unless they have a seat there; Busy, StoreError.
        """
        return await self._limited(self._hall.find, name, address, person)

    async def glance(self, name: str, address: str, person: str) -> Glance | None:
        """A glance at a table, as `find`; it is not opened for that."""
        return await self._limited(self._hall.glance, name, address, person)

    async def _limited(
        self, find: Callable[[str], Awaitable[Table | None]], name: str, address: str, person: str
    ) -> Table | None:
        async def look_up() -> Table | None:
            if self._hall.is_open(name):
                return await find(name)
            async with self._opening.turn(address):
                return await find(name) if name.isprintable() else None

        try:
            return await self.guesses.guess(address, look_up)
        except Exhausted as error:
            if await self._hall.seated.at(person, name, address):
                return await look_up()
            self._hall.refused("guess", address)
            why, can = Message("too many codes were wrong"), Message("try again in {n} s", n=int(error.seconds) + 1)
            refused = TooMany(Message("this table"), why, can)
            refused.seconds = error.seconds
            raise refused from None
