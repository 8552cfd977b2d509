"""This server process among others that share its database: its leases, notices between the processes, and
connections.

A process alone (`alone.Alone`, always with SQLite) has every table and no process to notify. A `Cluster` claims a
table's lease before its room opens (cardtable.server.cluster.leases), and hears notices of the others by PostgreSQL's
LISTEN and NOTIFY, on a separate connection. Notices may get lost; their content is in the database, and is read again
when the connection comes back, and regularly.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
import logging
import secrets
import socket
import time
import uuid
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from cardtable.base import platform
from cardtable.server import logs
from cardtable.server.cluster import handover, leases, shared_load
from cardtable.server.cluster.alone import Alone, Connected, Elsewhere, NotedPeer, ServerNode
from cardtable.server.cluster.shared_rates import SharedRates
from cardtable.server.net.guard import Rates
from cardtable.server.net.load import Load
from cardtable.server.net.networks import block_of, networks_of
from cardtable.server.net.passed_on import Greeting, Passed, Take
from cardtable.server.net.tasks import Tasks
from cardtable.server.settings import Settings
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import UNREACHABLE, StoreError
from cardtable.server.store.store import Store
from cardtable.server.store.writes import check_version

log = logging.getLogger("cardtable.server")
T = TypeVar("T")
CHANNEL = "cardtable"
BEATS = 4  #: number of times that a lease is extended in its duration
FLUSH = 0.3  #: seconds between updates of the list of connections
MARGIN = 0.5  #: seconds beyond the end of a lease before we believe our own clock that it has ended
FORGET = 600.0  #: seconds for which it is known when another process was seen to extend its leases
RECONNECT = 1.0  #: seconds before reconnecting for notices
LONGEST_NOTICE = 7000  #: bytes; PostgreSQL takes 8000
TOGETHER = 32  #: connections of other machines that wait to be accepted


class Cluster(Alone):
    """This process among others; `Alone` documents the methods."""

    shared = True
    new_epoch = 1

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._lease = settings.lease
        self.node = ServerNode(secrets.token_hex(8), machine(), "", "")
        self._elsewhere: Counter[str] = Counter()  #: connections to the others, by address, and when they were counted
        self._counted = -FLUSH
        self._untils: dict[str, tuple[int, float]] = {}  #: until when another's leases hold, and since when we know it
        self._epochs_checked = 0.0  #: when a lease was last extended in time, by the monotonic clock
        self._secret = ""  #: that all processes share
        self._rates: SharedRates | None = None
        self._receiver: handover.Receiver | None = None  #: of connections from this machine
        self._internal: asyncio.Server | None = None  #: of those from other machines
        self._peers: dict[NotedPeer, int] = {}
        self._next = 0
        self._there: dict[int, Connected] = {}  #: to be written
        self._ended: set[int] = set()  #: to be written
        self._tasks = Tasks()
        self._lost: Callable[[set[str]], None] = lambda _: None
        self._heard: Callable[[str, dict[str, Any]], None] = lambda *_: None

    async def open(self, lost: Callable[[set[str]], None], heard: Callable[[str, dict[str, Any]], None]) -> None:
        self._lost, self._heard = lost, heard
        self._secret = await in_database(self._store.secret, "nodes", lambda: secrets.token_hex(32))
        await self._extend()
        self._store.node = self.node.id
        for work in (self._beat(), self._listen(), self._flush_regularly()):
            self._tasks.begin(work)
        if self._rates:
            self._tasks.begin(self._rates.keep_shared())

    async def leave(self) -> None:
        await self._tasks.end()
        try:
            await self._run(partial(leases.leave, node=self.node.id))
        except StoreError as error:  # they end automatically
            log.warning("leases are not given back: %s", error)

    # Leases

    def columns(self) -> dict[str, Any]:
        return {"node": self.node.id, "epoch": self.new_epoch}

    async def claim(self, table: str) -> int:
        if not self._epochs_checked:
            raise StoreError("this process has not joined the others yet", UNREACHABLE)
        leased = await self._run(partial(leases.claim, table=table, node=self.node.id))
        if isinstance(leased, ServerNode):
            raise Elsewhere(table, leased)
        return leased

    async def release(self, table: str, epoch: int, to: str = "") -> None:
        try:
            await self._run(partial(leases.release, table=table, node=self.node.id, epoch=epoch, to=to))
        except StoreError as error:  # the target for clients that ask for the table
            log.warning("the lease of table %s is not given back: %s", logs.shortened(table), error)

    async def owner(self, name: str) -> ServerNode | None:
        row = await self._run(partial(leases.owner, name=name, node=self.node.id))
        if row is None:
            return None
        node, until = row
        if self._stands_still(node.id, until):
            await self.bury(node)
            return None
        return node

    def _stands_still(self, node: str, until: int) -> bool:
        """Whether a process has not extended its leases for so long that they have ended, independently of the
        database's clock, which may have been set back.
        """
        at = time.monotonic()
        if self._untils.get(node, (0, 0.0))[0] != until:
            self._untils = {one: known for one, known in self._untils.items() if at - known[1] < FORGET}
            self._untils[node] = until, at
        return at - self._untils[node][1] > self._lease + MARGIN

    async def bury(self, node: ServerNode) -> None:
        log.warning("process %s has ended without giving its tables back", node.id)
        await self._run(partial(leases.leave, node=node.id))

    async def _beat(self) -> None:
        """Keep extending our leases."""
        while True:
            await asyncio.sleep(self._lease / BEATS)
            with contextlib.suppress(StoreError):  # the store reports its own fault
                await self._extend()

    async def _extend(self) -> None:
        """Extend our leases. If they had ended, find out which ones others have claimed. Raises StoreError."""
        began = time.monotonic()
        there = await self._run(self._extended)
        ended = not there or began - self._epochs_checked > self._lease
        if ended and self._epochs_checked:
            mine = await self._run(partial(leases.leased, node=self.node.id))
            log.warning("the leases of this process had ended; it still has %d tables", len(mine))
            self._lost(set(mine))
        self._epochs_checked = began

    def _extended(self, connection: sa.Connection) -> bool:
        """As `leases.extend`, but only in a database of this version: nothing is ours in another. Raises StoreError."""
        check_version(connection)
        return leases.extend(connection, self.node, int(1000 * self._lease))

    # Connections that are passed on

    async def receive(self, take: Take) -> None:
        loop, address = asyncio.get_running_loop(), ""
        here = contextvars.copy_context()  # the receiver's thread has its own, without the values set by this one

        def taken(*come: Any) -> None:
            loop.call_soon_threadsafe(take, *come, context=here.copy())

        self._receiver = handover.Receiver(self._settings.sockets_in, taken)
        self._receiver.start()
        if internal := self._settings.internal:
            host, _, port = internal.rpartition(":")
            listening = socket.create_server((host.strip("[]"), int(port)), backlog=TOGETHER, reuse_port=True)
            address = f"{host}:{listening.getsockname()[1]}"
            self._internal = await handover.receive_bytes(listening, lambda: self._secret, take)
        self.node = ServerNode(self.node.id, self.node.machine, str(self._receiver.path), address)

    def receive_no_more(self) -> None:
        for receiver in (self._receiver, self._internal):
            if receiver:
                receiver.close()

    async def pass_on(
        self, node: ServerNode, line: asyncio.Transport, greeting: Greeting, ended: Callable[[Exception | None], None]
    ) -> Passed:
        return await handover.pass_on(node, self.node, self._secret, line, greeting, ended)

    # Notices

    def tell(self, kind: str, **what: Any) -> None:
        self._tasks.begin(self._tell(kind, what))

    async def _tell(self, kind: str, what: dict[str, Any]) -> None:
        text = json.dumps({"kind": kind, "from": self.node.id, "what": what})
        if len(text) > LONGEST_NOTICE:
            raise ValueError(f"a notice of {len(text)} bytes")
        try:
            await self._run(lambda c: c.execute(sa.select(sa.func.pg_notify(CHANNEL, text))))
        except StoreError as error:
            log.warning("the other processes are not told of %s: %s", kind, error)

    async def _listen(self) -> None:
        """Hear the notices of the others; whenever some may have been missed, hear "again"."""
        import psycopg

        from cardtable.server.store.postgres import Listening

        url = self._store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                async with await Listening.connect(url, autocommit=True, connect_timeout=5) as line:
                    await line.execute(f"LISTEN {CHANNEL}")
                    self._heard("again", {})
                    while True:
                        async for notice in line.notifies(timeout=self._lease):
                            self._hear(notice.payload)
                        await asyncio.wait_for(line.execute("SELECT 1"), 5.0)  # whether it is still there
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("notices of the other processes do not arrive: %s", str(error).split("\n")[0])
            await asyncio.sleep(RECONNECT)

    def _hear(self, text: str) -> None:
        try:
            notice = json.loads(text)
            kind, sender, what = notice["kind"], notice["from"], notice["what"]
            if sender != self.node.id:
                self._heard(kind, what)
        except Exception:  # a notice of another version: others must still be heard
            log.exception("a notice that cannot be read")

    # Connections

    def note(self, peer: NotedPeer, table: str | None) -> None:
        if table is None:
            number = self._peers.pop(peer, 0)
            if number and not self._there.pop(number, None):
                self._ended.add(number)
            elif number:
                self._ended.add(number)  # an older row of it may be there
            return
        number = self._peers.get(peer, 0)
        if not number:
            self._next += 1
            number = self._peers[peer] = self._next
        self._there[number] = Connected(number, table, peer.owner, peer.client[:64], peer.since)

    async def _flush_regularly(self) -> None:
        while True:
            await asyncio.sleep(FLUSH)
            if not self._there and not self._ended:
                continue
            there, ended = self._there, self._ended
            self._there, self._ended = {}, set()
            try:
                write = partial(leases.write_connections, node=self.node.id, there=[*there.values()], ended=ended)
                await self._run(write)
            except StoreError:
                self._there = there | self._there
                self._ended |= ended

    async def connected(self, *, table: str = "", owner: str = "") -> list[Connected]:
        return await self._run(partial(leases.connected, node=self.node.id, table=table, owner=owner))

    async def connections_of(self, block: str) -> int:
        """As in `Alone`; without the database, none are known."""
        if time.monotonic() - self._counted > FLUSH:
            self._counted = time.monotonic()
            with contextlib.suppress(StoreError):
                counts = await self._run(partial(leases.addresses, node=self.node.id))
                self._elsewhere = Counter()
                for address, number in counts.items():
                    there = block_of(address)
                    for one in (there, *(network for network, _ in networks_of(there))):
                        self._elsewhere[one] += number
        return self._elsewhere[block]

    async def open_tables(self) -> list[str]:
        return await self._run(leases.open_tables)

    async def games(self) -> list[str]:
        return await self._run(leases.games)

    async def lobby(self, since: int, most: int) -> list[str]:
        return await self._run(partial(leases.lobby, since=since, most=most))

    # Rates and loads

    def rates(self, settings: Settings) -> Rates:
        self._rates = SharedRates(settings, self._store)
        return self._rates

    async def tell_load(self, load: Callable[[], Load]) -> None:
        await self._run(partial(shared_load.publish, node=self.node.id, load=load()))

    async def loads(self) -> list[Load]:
        return await self._run(partial(shared_load.of_others, node=self.node.id))

    # Helpers

    async def _run(self, work: Callable[[sa.Connection], T]) -> T:
        """Do something in one transaction, in a thread. Raises StoreError."""
        return await in_database(self._store.run, work)


def cluster_of(store: Store, settings: Settings) -> Alone:
    """A cluster over PostgreSQL; other databases have one process."""
    url = store.engine.url
    if url.get_backend_name() == "postgresql" and url.get_driver_name() == "psycopg":
        return Cluster(store, settings)
    return Alone()


def machine() -> str:
    """The shared identity of this user's processes on this machine: they reach each other's sockets by path."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    try:
        name = boot.read_text().strip()
    except OSError:
        name = f"{uuid.getnode():x}"
    return f"{name}-{platform.user()}"
