"""The hall: all rooms of this server, opened from the log on request, closed when there are no connections."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from cardtable.base.message import Message
from cardtable.rules import catalog
from cardtable.server import logs
from cardtable.server.clock import now
from cardtable.server.cluster.alone import Alone, Elsewhere, ServerNode
from cardtable.server.metrics import Metrics
from cardtable.server.net.admission import Admission
from cardtable.server.net.connections import GOING_AWAY, RESTART
from cardtable.server.net.costs import Costs
from cardtable.server.net.fair_queue import Busy
from cardtable.server.net.tasks import Tasks
from cardtable.server.net.waits import Waits
from cardtable.server.people.devices import SIGNED_OUT, Devices
from cardtable.server.people.identities import Identities
from cardtable.server.people.moderators import Moderators
from cardtable.server.people.restrictions import Restrictions
from cardtable.server.people.site import Site
from cardtable.server.rooms import wire
from cardtable.server.rooms.broadcast import Caller, dismiss
from cardtable.server.rooms.room import Ports, Room
from cardtable.server.rooms.seated import Seated
from cardtable.server.rooms.table_logs import TableLogs
from cardtable.server.settings import Settings
from cardtable.server.store.codes import code_of, new_code, new_id
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import Fault
from cardtable.server.store.store import Overtaken, Store, StoreError
from cardtable.server.store.writes import Write, last_versions
from cardtable.server.thinking.thinking import Thinking
from cardtable.server.thinking.warming import Warming
from cardtable.table import Entry, LiveTable, Setup, decide, due, fair
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.commands import Refusal
from cardtable.table.live import LOBBY
from cardtable.table.person_names import checked_name

log = logging.getLogger("cardtable.server")
T = TypeVar("T")
OBTAIN = 5.0  #: seconds that another process has to give a table to us
LISTED = 50  #: most tables in the lobby


@dataclass(frozen=True)
class Glance:
    """The data of a table that is available without opening it: its rules and seats (`LiveTable.outline`)."""

    table: LiveTable
    code: str
    stage: str

    @classmethod
    def of(cls, room: Room) -> Glance:
        """A glance at a table that is open."""
        return cls(room.table, room.code, room.table.stage)


class Hall:
    """All rooms of a server."""

    def __init__(self, store: Store, settings: Settings, cluster: Alone | None = None) -> None:
        """cluster: this process among others; None: it is alone."""
        self.store = store
        self.settings = settings
        self.cluster = cluster or Alone()
        self.metrics = Metrics()
        self.waits = Waits(lambda queue, seconds: self.metrics.waits.labels(queue).observe(seconds))
        self.costs = Costs()
        self.admission = Admission(settings, self.waits, self.costs)
        self.warming = Warming()
        self.thinking = Thinking(settings, self.waits)
        self.logs = TableLogs(store, self.thinking, self.waits)
        self.rooms: dict[str, Room] = {}
        self.seated = Seated(store, settings, self.rooms)
        self.devices = Devices(store, self._dismiss_signed_out)
        self.devices.changed = lambda: self.cluster.tell("devices")
        self.identities: Identities  #: `app.build` sets it, as it limits guesses
        self.restrictions = Restrictions(store)
        self.restrictions.changed = lambda id: self.cluster.tell("restrictions", id=id)
        self.moderators = Moderators(store)
        self.site = Site(store, settings)
        self.site.changed = self._tell_site
        self.strange_proxies: set[str] = set()  #: addresses that pass requests on and are not in `proxies`
        self.draining: asyncio.Task[None] | None = None  #: until the last match is over (`drain`)
        self.stop: Callable[[], None] = lambda: None  #: ends the web server, which sets this
        self.sockets: set[Caller] = set()  #: all that are open
        self.connections: Sized = ()  #: those of the web server, which sets this
        self.deleting: set[str] = set()  #: people whose data is being deleted
        self.operator_token = ""  #: for the operator's API; "": it is off
        self.halting = False  #: the tables are handed over, and no other is opened
        self.fault: Fault | None = None  #: the public reason why nothing can be saved now
        self._ports = Ports(
            settings=settings,
            metrics=self.metrics,
            store=store,
            logs=self.logs,
            thinking=self.thinking,
            restrictions=self.restrictions,
            site=self.site,
            admission=self.admission,
            keeper=self,
        )
        self._codes: dict[str, str] = {}
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._closing: dict[str, asyncio.Task[Any]] = {}  #: tables whose last room has not ended yet
        self._rewriting: dict[str, asyncio.Task[Any]] = {}  #: tables whose log is being changed
        self._tasks = Tasks()

    async def halt(self) -> None:
        """Before the server stops: drop pending work of requests, hand all tables over to other processes, and end
        the connections.

        Players return to their tables there, so each room first finishes its writes.
        """
        await self.thinking.workers.close()
        if self.cluster.shared:
            self.halting = True
            for task in tuple(self._opening.values()):
                task.cancel()
            rooms = tuple(self.rooms.values())
            await asyncio.gather(*(room.close() for room in rooms), *self._closing.values(), return_exceptions=True)
            await asyncio.gather(*self._rewriting.values(), return_exceptions=True)
            await self.cluster.leave()
        for peer in tuple(self.sockets):
            peer.close(RESTART if self.cluster.shared else GOING_AWAY)

    async def close(self) -> None:
        """End every room; nothing is lost, as the log has everything."""
        for task in (*self._tasks, *self._opening.values()):
            task.cancel()
        await asyncio.gather(*(room.close() for room in self.rooms.values()), return_exceptions=True)
        await asyncio.gather(*self._rewriting.values(), return_exceptions=True)
        if not self.halting:
            await self.cluster.leave()
        self.logs.close()
        await self.thinking.close()
        await asyncio.to_thread(self.warming.close)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something in the background, until it ends or the hall closes."""
        return self._tasks.begin(work)

    def refused(self, why: str, address: str, **more: str) -> None:
        """Count and log a refusal to an address. more: what an operator needs to find its cause."""
        self.metrics.refused.labels(why).inc()
        logs.event("refused", why=why, address=address, **more)

    def disconnect(self, owner: str) -> None:
        """Close the sockets of a person whose data is being deleted."""
        for peer in tuple(self.sockets):
            if peer.owner == owner:
                peer.close(GOING_AWAY)

    # Tables

    async def create(self, setup: Setup, host: str, *, sit: bool = True, name: str = "") -> tuple[str, str]:
        """Make a table from a checked setup; return its id and code. The host sits down unless `sit` is false.

        Raises Busy, BadName, StoreError.
        """
        name = checked_name(name, Message("taking a seat")) if sit else ""
        await self.site.check_new()
        if not self._make_room():
            raise Busy(
                Message("a new table"), Message("there are too many tables here"), Message("try again in a while")
            )
        game = catalog.find(setup.game)
        await asyncio.to_thread(self.warming.load, game)
        table = LiveTable()
        entry = Entry(1, now(), ev.Created(new_id(), setup, host, fair.new_secret(), game.version, stepwise=True))
        table.apply(entry)
        for attempt in range(5):
            row = {
                "code": new_code(),
                "game": setup.game,
                "stage": LOBBY,
                "listed": setup.listed,
                "created": entry.at,
                "changed": entry.at,
            } | self.cluster.columns()
            try:
                await asyncio.wrap_future(self.store.append(Write(table.id, entry, row, new=True)))
                break
            except Overtaken:  # the code is taken
                if attempt == 4:
                    raise
        logs.event("table.made", table=logs.shortened(table.id), game=setup.game, listed=setup.listed)
        room = self._enter(table, str(row["code"]), self.cluster.new_epoch)
        if sit and "" in setup.bots:
            room.post(lambda: self._seat_host(room, host, name))
        if self.cluster.shared:
            room.post(lambda: self._let_go(room))
        return table.id, room.code

    async def _seat_host(self, room: Room, host: str, name: str) -> None:
        answer = decide(room.table, host, cm.Sit(seq=1, name=name))
        if answer is not None and not isinstance(answer, Refusal):
            await room.write(answer)
            await room.follow()

    def _let_go(self, room: Room) -> None:
        """Give the lease of a new table back: the first one who connects decides which process has it."""
        if not room.callers and self.rooms.get(room.table.id) is room:
            self.forget(room)

    def _in_memory(self, name: str) -> Room | None:
        """The room of a table that is open, by id or code."""
        return self.rooms.get(name) or self.rooms.get(self._codes.get(code_of(name), ""))

    def is_open(self, name: str) -> bool:
        """Whether a table is open here, by id or code."""
        return self._in_memory(name) is not None

    async def find(self, name: str) -> Room | None:
        """The room of a table, by id or code; opened from the log if it is not open. Raises StoreError, and Elsewhere
        if another process has it.
        """
        if room := self._in_memory(name):
            return room
        row = await in_database(self.store.find, name)
        return await self._open(str(row["id"]), str(row["code"])) if row else None

    async def elsewhere(self, name: str) -> ServerNode | None:
        """The other process that has a table, by id or code; None: it is here, or free, or there is none.

        It never raises: a fault of the database is reported by the table itself.
        """
        if self._in_memory(name) or not name.isprintable():
            return None
        with contextlib.suppress(StoreError):
            return await self.cluster.owner(name)
        return None

    async def obtain(self, name: str) -> Room | None:
        """The room of a table, as `find`; if another process has it, it is moved here. Raises StoreError, Busy."""
        return await self._moved_here(partial(self.find, name))

    async def _moved_here(self, get: Callable[[], Awaitable[T]]) -> T:
        """Get something for which a table must be here; another process that has it is asked for it.

        Raises StoreError, Busy.
        """
        until, asked = time.monotonic() + OBTAIN, 0.0
        while True:
            try:
                return await get()
            except Elsewhere as error:
                if time.monotonic() > until:
                    raise Busy(
                        Message("this table"),
                        Message("another process has it and does not answer"),
                        Message("try again in a moment"),
                    ) from None
                if time.monotonic() - asked > OBTAIN / 4:
                    asked = time.monotonic()
                    self.cluster.tell("wanted", table=error.table, by=self.cluster.node.id, of=error.node.id)
                await asyncio.sleep(OBTAIN / 100)

    async def give(self, table: str, to: str) -> None:
        """Close a table's room, and give the lease to another process that requests it."""
        while busy := self._opening.get(table) or self._rewriting.get(table):
            await asyncio.wait([busy])
        if room := self.rooms.get(table):
            self.forget(room, RESTART, to)
        elif table not in self._closing:
            await self.cluster.release(table, 0, to)

    def lose(self, room: Room) -> None:
        """Close a room whose lease another process has: its players continue there."""
        logs.event("table.lost", table=room.log_name)
        self.forget(room, RESTART)

    def leases_lost(self, held: set[str]) -> None:
        """Our leases had ended, and others may have claimed some of them."""
        if lost := [room for room in self.rooms.values() if room.table.id not in held]:
            self.spawn(self._lose_all(lost))

    async def _lose_all(self, rooms: Sequence[Room]) -> None:
        """Lose rooms, except any with newer data than the database, which is then an old copy: that data would be
        lost."""
        ids = {room.table.id for room in rooms}
        with contextlib.suppress(StoreError):
            stored = await in_database(self.store.run, partial(last_versions, tables=ids))
            for room in rooms:
                if room.table.version <= stored.get(room.table.id, 0):
                    self.lose(room)

    async def store_row(self, name: str) -> dict[str, Any] | None:
        """The row of a table, by id or code; None if there is none. Raises StoreError."""
        return await in_database(self.store.find, name) if name.isprintable() else None

    async def glance(self, name: str) -> Glance | None:
        """A glance at a table, by id or code; it is not opened for that. Raises StoreError, TableFault."""
        if room := self._in_memory(name):
            return Glance.of(room)
        row = await in_database(self.store.find, name)
        if row and (closing := self._closing.get(row["id"])):  # it may still be writing
            await asyncio.wait([closing])
            row = await in_database(self.store.find, name)
        if row is None:
            return None
        table = await in_database(lambda: LiveTable.outline(self.store.log(row["id"])))
        return Glance(table, str(row["code"]), str(row["stage"])) if table.version else None

    async def lobby(self) -> list[Glance]:
        """The listed tables where somebody waits for players, newest first. Raises StoreError."""
        since = int(now() - 1000 * self.settings.stale_lobby)
        if not self.cluster.shared:
            ids = await in_database(self.store.open_tables, since)
            return [Glance.of(room) for id in ids if (room := self.rooms.get(id)) and room.peers]
        ids = await self.cluster.lobby(since, LISTED)
        return [glance for id in ids if (glance := await self.glance(id))]

    async def _open(self, table: str, code: str) -> Room | None:
        """Open a room once, however many ask for it at the same time."""
        while rewriting := self._rewriting.get(table):
            await asyncio.wait([rewriting])
        if room := self.rooms.get(table):
            return room
        if self.halting:
            raise Busy(Message("this table"), Message("the server stops"), Message("try again in a moment"))
        if table not in self._opening:
            self._opening[table] = asyncio.create_task(self._opened(table, code))
            self._opening[table].add_done_callback(lambda _: self._opening.pop(table, None))
        return await asyncio.shield(self._opening[table])

    async def _opened(self, table: str, code: str) -> Room | None:
        self._make_room()  # even if there is none: people who return to a table are not refused
        while closing := self._closing.get(table):  # it may still be writing an entry that the log does not have yet
            await asyncio.wait([closing])
        epoch = await self.cluster.claim(table)
        folded = await self.logs.folded(table)
        return self._enter(folded, code, epoch) if folded.version else None

    def _enter(self, table: LiveTable, code: str, epoch: int = 0) -> Room:
        room = self.rooms[table.id] = Room(self._ports, table, code, epoch, self.fault)
        self._codes[code] = table.id
        self.metrics.tables.set(len(self.rooms))
        if due(table, now()):  # the server stopped between an event and its consequence
            room.post(room.follow)
        return room

    async def rewrite(self, table: str, work: Callable[[], T]) -> T:
        """Change or delete the stored log of a table while it cannot be opened; return the result of the work.

        Connected people are disconnected, and find the changed table when they return. Raises StoreError.
        """
        while busy := self._rewriting.get(table) or self._opening.get(table):
            await asyncio.wait([busy])
        if room := self.rooms.get(table):
            self.forget(room)
        rewriting = self._rewriting[table] = asyncio.create_task(self._rewritten(table, work))
        rewriting.add_done_callback(lambda _: self._rewriting.pop(table, None))
        return await asyncio.shield(rewriting)

    async def _rewritten(self, table: str, work: Callable[[], T]) -> T:
        while closing := self._closing.get(table):
            await asyncio.wait([closing])
        epoch = await self._moved_here(partial(self.cluster.claim, table))
        try:
            return await in_database(work)
        finally:
            await self.cluster.release(table, epoch)

    def _make_room(self) -> bool:
        """If there are as many tables in memory as may be, remove the one that has been without connections for the
        longest time; return False if there is none.
        """
        if len(self.rooms) < self.settings.most_tables:
            return True
        quiet = [room for room in self.rooms.values() if not room.peers]
        if quiet:
            self.forget(min(quiet, key=lambda room: room.quiet_since))
        return bool(quiet)

    def forget(self, room: Room, code: int = GOING_AWAY, to: str = "") -> None:
        """Remove a room; if somebody asks for its table again, it is opened from the log.

        code: with which its connections are closed; to: the process that gets the table's lease.
        """
        self.rooms.pop(room.table.id, None)
        self._codes.pop(room.code, None)
        self.metrics.tables.set(len(self.rooms))
        closing = self._closing[room.table.id] = self.spawn(self._put_away(room, code, to))
        closing.add_done_callback(lambda _: self._closed(room.table.id, closing))

    async def _put_away(self, room: Room, code: int, to: str) -> None:
        await room.close()
        await self.cluster.release(room.table.id, room.epoch, to)
        for peer in room.callers | room.peers:  # they may come back at once
            peer.close(code)

    def _closed(self, table: str, closing: asyncio.Task[Any]) -> None:
        if self._closing.get(table) is closing:  # a room can be forgotten twice
            del self._closing[table]

    def is_busy(self, table: str) -> bool:
        """Whether a table is open here, or something is done to it."""
        return any(table in tables for tables in (self.rooms, self._opening, self._closing, self._rewriting))

    def look_at_store(self) -> Fault | None:
        """If the store's fault has changed, notify all peers; if it has ended, resume everywhere. Return it."""
        fault = self.store.fault
        if fault == self.fault:
            return fault
        self.fault = fault
        self.metrics.store_fault(fault)
        if fault is None:
            log.warning("the database can be written again")
        else:
            log.error("play is held up: %s", fault.why)
        for room in tuple(self.rooms.values()):
            if fault is None:
                room.release()
            else:
                room.hold(fault)
        return fault

    def _dismiss_signed_out(self) -> None:
        """End the connections of all devices that were signed out."""
        for caller in tuple(self.sockets):
            if self.devices.is_out(caller.device):
                dismiss(caller, SIGNED_OUT)

    def _tell_site(self) -> None:
        """Send the site's settings to everybody at a table."""
        site = self.site.public
        self.metrics.draining.set(bool(site.restart))
        for peer in tuple(self.sockets):
            peer.send(wire.text(wire.Pong(0, now(), site)))
