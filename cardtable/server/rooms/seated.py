"""People with a seat in an unfinished match: only needed when there is no room for others of the same network."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from cardtable.server.net.fair_queue import Busy, Turns
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import StoreError
from cardtable.server.store.store import Store
from cardtable.table.live import OVER

MOST = 20_000  #: people whose last table is remembered


class Seated:
    """Looks first at the table at which a person was last connected here, and then in the database, where each look
    waits for its turn.
    """

    def __init__(self, store: Store, settings: Settings, rooms: Mapping[str, Room]) -> None:
        """rooms: the open ones, by the ids of their tables."""
        self._store, self._rooms = store, rooms
        self._last: OrderedDict[str, str] = OrderedDict()  #: table by person
        most = settings.most_connections
        self._looking_up = Turns(1, most, most)

    def note(self, person: str, table: str) -> None:
        """A person is connected to a table."""
        self._last[person] = table
        self._last.move_to_end(person)
        if len(self._last) > MOST:
            self._last.popitem(last=False)

    def here(self, person: str) -> bool:
        """Whether a person has a seat at the table at which they were last connected, as far as that is in memory."""
        room = self._rooms.get(self._last.get(person, ""))
        return room is not None and room.table.stage != OVER and room.table.seat_of(person) is not None

    async def has(self, person: str, address: str) -> bool:
        """Whether a person who asks from an address has a seat."""
        return bool(person) and (self.here(person) or await self._look_up(address, self._store.tables_of, person, 1))

    async def at(self, person: str, name: str, address: str) -> bool:
        """Whether they have a seat at a table, by id or code, in a match that is over or not."""
        return bool(person) and name.isprintable() and await self._look_up(address, self._store.has_seat, person, name)

    async def _look_up(self, address: str, look: Callable[..., Any], *given: Any) -> bool:
        with contextlib.suppress(StoreError, Busy):
            async with self._looking_up.turn(address):
                return bool(await in_database(look, *given))
        return False
