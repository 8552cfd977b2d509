"""The operator's decisions about the whole site: a notice, the chat, and the restart. Together with the free disk
space it determines whether new tables can be made.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa

from cardtable.base.message import Message
from cardtable.server.net.fair_queue import Busy
from cardtable.server.settings import Settings
from cardtable.server.store.database import in_database, put
from cardtable.server.store.schema import SITE
from cardtable.server.store.store import Store
from cardtable.table import LiveTable, Refusal
from cardtable.table import commands as cm
from cardtable.table.live import LOBBY, OVER

NOTICE, CHAT = "notice", "chat"  #: under which the database has them
TALK = (cm.Say, cm.React, cm.Rename)  #: what everybody at a table reads
BEGIN = (cm.Start, cm.GetReady)  #: with which another match begins
NO_CHAT = Refusal("person/muted", Message("the chat"), Message("the operator has switched it off for everybody"))
SOON = Message("the server restarts soon"), Message("wait for the restart, and try again")
FULL = Message("the disk is almost full"), Message("play on at the tables that are there; the operator can make room")


class SiteSeen(msgspec.Struct, frozen=True):
    """The state of the whole site, for everybody."""

    notice: str = ""  #: the operator's notice; empty: none
    chat: bool = True  #: people can use the chat
    restart: int = 0  #: when the server restarts at the latest, milliseconds since 1970; 0: no restart is planned
    tables: bool = True  #: new tables can be made


class Site:
    """Settings of the whole site."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self.public = SiteSeen()
        self.free: int | None = None  #: bytes where the database is; None: not known
        self.reserve = settings.disk_reserve  #: bytes that must be free there; of a small disk at most a tenth
        self.changed: Callable[[], None] = lambda: None  #: called when the public data has changed

    async def load(self) -> None:
        """Read the settings from the database. Raises StoreError."""
        query = sa.select(SITE).where(SITE.c.name.in_((NOTICE, CHAT)))
        rows = await in_database(self._store.rows, query)
        values = {row.name: row.value for row in rows}
        self._see(notice=values.get(NOTICE, ""), chat=CHAT not in values)

    async def say(self, notice: str) -> None:
        """Show everybody a notice; "": none. Raises StoreError."""
        await self._keep(NOTICE, notice)

    async def let_chat(self, on: bool) -> None:
        """Switch the chat of all tables on or off. Raises StoreError."""
        await self._keep(CHAT, "" if on else "off")

    async def _keep(self, name: str, value: str) -> None:
        def write(connection: sa.Connection) -> None:
            if value:
                put(connection, SITE, {"name": name, "value": value})
            else:
                connection.execute(sa.delete(SITE).where(SITE.c.name == name))

        await in_database(self._store.run, write)
        await self.load()

    def restarts(self, at: int) -> None:
        """The server restarts at this time at the latest; 0: it does not."""
        self._see(restart=at)

    async def look_at_disk(self) -> None:
        """Look how much is free where the database is, and decide whether there is room for new tables."""
        room = await asyncio.to_thread(room_at, self._settings.disk_watched or self._store.directory)
        if room:
            self.reserve = min(self._settings.disk_reserve, room[1] // 10)
        self.free = room[0] if room else None
        self._see(tables=self.free is None or self.free >= self.reserve)

    def _see(self, **now: Any) -> None:
        public = msgspec.structs.replace(self.public, **now)
        if public != self.public:
            self.public = public
            self.changed()

    async def check_room(self, what: Message) -> None:
        """Raise Busy if nothing new may be kept. Moves always are, as long as it is possible."""
        await self.look_at_disk()
        if not self.public.tables:
            raise Busy(what, *FULL)

    async def check_new(self) -> None:
        """Raise Busy if new tables are disabled."""
        what = Message("a new table")
        if self.public.restart:
            raise Busy(what, *SOON)
        await self.check_room(what)

    def barred(self, command: cm.Command, table: LiveTable) -> Refusal | None:
        """Why a command is refused to everybody now; None: it is not."""
        if not self.public.chat and isinstance(command, TALK):
            return NO_CHAT
        if self.public.restart and isinstance(command, BEGIN) and table.stage in (LOBBY, OVER):
            return Refusal("server/busy", Message("another match"), *SOON)
        return None


def room_at(place: str) -> tuple[int, int] | None:
    """How many bytes are free for this user where a file or directory is, and of how many; None: not known."""
    with contextlib.suppress(OSError):
        if hasattr(os, "statvfs"):
            disk = os.statvfs(place)
            return disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
        usage = shutil.disk_usage(place)
        return usage.free, usage.total
    return None
