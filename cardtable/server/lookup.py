"""Finding a table by its id or code. A code is short enough to be read out, so the number of wrong ones that an address
may try is limited.
"""

from __future__ import annotations

from cardtable.message import Message
from cardtable.server.guard import Rates
from cardtable.server.hall import Hall
from cardtable.server.rooms import Room
from cardtable.server.workers import TooMany


class Lookup:
    """Finds tables for clients."""

    def __init__(self, hall: Hall, rates: Rates) -> None:
        self._hall = hall
        self._rates = rates

    async def find(self, name: str, address: str) -> Room | None:
        """The room of a table, by id or code, for a client at an address. Raises TooMany after too many wrong names,
        also for a right one; Busy, StoreError.
        """
        rate = self._hall.settings.guess_rate
        if wait := self._rates.wait("guess", address, rate):
            self._hall.refused("guess", address)
            why, can = Message("too many codes were wrong"), Message("try again in {n} s", n=int(wait) + 1)
            raise TooMany(Message("this table"), why, can)
        room = await self._hall.find(name) if name.isprintable() else None
        if room is None:
            self._rates.take("guess", address, rate)
        return room
