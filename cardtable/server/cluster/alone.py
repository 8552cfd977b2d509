"""The rest of the server's interface to processes that share its database, for a single process: it has every table
and no process to notify. `cardtable.server.cluster.cluster` has the same for several processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.net.guard import Rates
from cardtable.server.net.load import Load
from cardtable.server.net.passed_on import Greeting, Passed, Take
from cardtable.server.settings import Settings


@dataclass(frozen=True)
class ServerNode:
    """A server process: its id, its machine, and where the others reach it.

    path: of a socket on its machine; address: `host:port` for other machines, or "".
    """

    id: str
    machine: str
    path: str
    address: str


@dataclass(frozen=True)
class Connected:
    """A connection of a node, as a row of `schema.CONNECTIONS`: its number there, its table ("": none yet), the person,
    their address, since when.
    """

    number: int
    table_id: str
    owner: str
    address: str
    since: int


class Elsewhere(CardtableError):
    """Another process has the lease of a table."""

    code = "table/elsewhere"

    def __init__(self, table: str, node: ServerNode) -> None:
        can = Message("connect to {path}, which leads there", path=f"/ws/{table}")
        super().__init__(Message("this table"), Message("another process of this server has it"), can)
        self.table, self.node = table, node


class NotedPeer(Protocol):
    """A connection, as it is written down for the other processes."""

    owner: str
    client: str
    since: int


class Alone:
    """The only process over its database: it has every table."""

    shared = False
    new_epoch = 0  #: of the lease of a new table
    node = ServerNode("", "", "", "")

    async def receive(self, take: Take) -> None:
        """From now on, take connections over that other processes pass on; to be called before `open`."""

    def receive_no_more(self) -> None:
        """Take over nothing more: the others see that this process is gone."""

    async def open(self, lost: Callable[[set[str]], None], heard: Callable[[str, dict[str, Any]], None]) -> None:
        """Join the others. lost: called with tables whose leases were lost; heard: with each notice of the others, and
        with the notice "again" after some may have been missed. Raises StoreError.
        """

    async def leave(self) -> None:
        """Give all leases back, and leave the others."""

    def columns(self) -> dict[str, Any]:
        """The columns of a new table's row for its owner: this process."""
        return {}

    async def claim(self, table: str) -> int:
        """Take the lease of a table; return its epoch. Raises Elsewhere, StoreError."""
        return 0

    async def release(self, table: str, epoch: int, to: str = "") -> None:
        """Give the lease of a table back, or to another process. It never raises: a lease that stays is harmless."""

    async def owner(self, name: str) -> ServerNode | None:
        """The other process that has a table, by id or code; None: it is here, or free, or there is no such table.

        Raises StoreError.
        """
        return None

    async def bury(self, node: ServerNode) -> None:
        """A process is known to have ended: its tables are free. Raises StoreError."""

    async def pass_on(
        self, node: ServerNode, line: asyncio.Transport, greeting: Greeting, ended: Callable[[Exception | None], None]
    ) -> Passed:
        """Pass a connection on to another process. ended: called when one that is relayed has ended."""
        return Passed.FAILED

    def tell(self, kind: str, **what: Any) -> None:
        """Send a notice to the other processes."""

    def note(self, peer: NotedPeer, table: str | None) -> None:
        """A connection is at a table ("": at none yet), or has ended (None)."""

    async def connected(self, *, table: str = "", owner: str = "") -> list[Connected]:
        """The connections to other processes, as in `leases.connected`. Raises StoreError."""
        return []

    async def connections_of(self, block: str) -> int:
        """How many connections to other processes an address or a larger network has, as of a moment ago."""
        return 0

    async def open_tables(self) -> list[str]:
        """The tables that are open in any process. Raises StoreError."""
        return []

    async def games(self) -> list[str]:
        """The games of the tables that are open in any process. Raises StoreError."""
        return []

    async def lobby(self, since: int, most: int) -> list[str]:
        """The listed tables where somebody waits, in any process (`leases.lobby`). Raises StoreError."""
        return []

    def rates(self, settings: Settings) -> Rates:
        """The rates by address, which hold over all processes."""
        return Rates(settings)

    async def tell_load(self, load: Callable[[], Load]) -> None:
        """Report the load of this process, from `load`, to the others. Raises StoreError."""

    async def loads(self) -> list[Load]:
        """The latest reported loads of the other processes. Raises StoreError."""
        return []
