"""The operator's decisions about people: bans from the server, mutes in the chat, kicks from a table.

They are rows in the database, kept in memory because every request is checked against them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
from collections.abc import Callable, Iterable, Sequence

import msgspec
import sqlalchemy as sa

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.net.networks import block_of
from cardtable.server.store.database import in_database
from cardtable.server.store.schema import RESTRICTIONS
from cardtable.server.store.store import Store
from cardtable.table.commands import Refusal

BAN, MUTE, KICK = "ban", "mute", "kick"
MINUTE = 60_000  #: milliseconds
HOUR, DAY = 60, 1440  #: minutes


class Restriction(msgspec.Struct, frozen=True):
    """A decision of the operator about a person (`owner`) or about a network. Times are milliseconds since 1970."""

    id: int
    kind: str
    owner: str
    network: str
    table: str  #: of a kick
    at: int
    until: int  #: 0: for good
    reason: str

    def holds(self, at: int) -> bool:
        """Whether it is in force at a time."""
        return not self.until or at < self.until

    @property
    def refusal(self) -> Refusal:
        """The message to the person: the decision, its duration and the reason."""
        time = span(self.until - now())
        for_good, for_now = {
            KICK: (
                Message("the operator has removed you from this table for good"),
                Message("the operator has removed you from this table for another {time}", time=time),
            ),
            MUTE: (
                Message("the operator does not let you use the chat any more"),
                Message("the operator does not let you use the chat for another {time}", time=time),
            ),
            BAN: (
                Message("the operator has banned you from this server for good"),
                Message("the operator has banned you from this server for another {time}", time=time),
            ),
        }[self.kind]
        return Refusal(CODES[self.kind], for_now if self.until else for_good, self.reason)

    @property
    def error(self) -> CardtableError:
        """The same as an error."""
        refusal = self.refusal
        return CardtableError(refusal.what, refusal.why, refusal.can, code=refusal.code)


CODES = {BAN: "person/banned", MUTE: "person/muted", KICK: "person/kicked"}


def span(milliseconds: int) -> Message:
    """A length of time in words, rounded up: whole minutes, hours or days."""
    minutes = max(1, math.ceil(milliseconds / MINUTE))
    if minutes >= 2 * DAY:
        return Message("{n} {n:day|days}", n=math.ceil(minutes / DAY))
    if minutes >= 2 * HOUR:
        return Message("{n} {n:hour|hours}", n=math.ceil(minutes / HOUR))
    return Message("{n} {n:minute|minutes}", n=minutes)


def network_of(text: str) -> str:
    """A network in CIDR notation. A single IPv6 address means its /64, which is one subscriber's. Raises ValueError."""
    text = text.strip()
    if "%" in text:
        raise ValueError("a network has no zone")
    return str(ipaddress.ip_network(text if "/" in text else block_of(str(ipaddress.ip_address(text))), strict=False))


class Restrictions:
    """All decisions that are in force, in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()  #: held from before the database changes until the memory has changed
        self.changed: Callable[[int], None] = lambda _: None  #: called with the id of one that was added or lifted here
        self._all: dict[int, Restriction] = {}
        self._of: dict[tuple[str, str, str], list[Restriction]] = {}  #: by kind, owner and table
        self._networks: dict[tuple[int, int], dict[int, list[Restriction]]] = {}  #: by IP version and length of prefix

    # Reading

    def ban_of(self, owner: str, address: str) -> Restriction | None:
        """The longest ban of a person, or of a network that an IP address is in; None if there is none."""
        return _longest([*self._of.get((BAN, owner, ""), ()), *self._bans_of(address)])

    def mute_of(self, owner: str) -> Restriction | None:
        """The longest mute of a person; None if there is none."""
        return _longest(self._of.get((MUTE, owner, ""), ()))

    def kick_of(self, owner: str, table: str) -> Restriction | None:
        """The longest kick of a person from a table; None if there is none."""
        return _longest(self._of.get((KICK, owner, table), ()))

    def all(self, owner: str = "") -> list[Restriction]:
        """Those in force, ordered by id. owner: only those about this person."""
        at = now()
        in_force = (one for one in self._all.values() if one.holds(at) and owner in ("", one.owner))
        return sorted(in_force, key=lambda one: one.id)

    def _bans_of(self, address: str) -> Iterable[Restriction]:
        if not self._networks:
            return
        try:
            host_address = ipaddress.ip_address(address)
        except ValueError:
            return
        host_address = getattr(host_address, "ipv4_mapped", None) or host_address
        for (version, length), networks in self._networks.items():
            if version == host_address.version:
                host = host_address.max_prefixlen - length
                yield from networks.get(int(host_address) >> host << host, ())

    # Changing

    async def load(self) -> None:
        """Read them again. Raises StoreError."""
        query = sa.select(RESTRICTIONS).where((RESTRICTIONS.c.until == 0) | (RESTRICTIONS.c.until > now()))
        async with self._lock:
            rows = await in_database(self._store.dicts, query)
            self._take(Restriction(table=row.pop("table_id"), **row) for row in rows)

    async def add(
        self, kind: str, *, owner: str = "", network: str = "", table: str = "", seconds: int = 0, reason: str
    ) -> Restriction:
        """Add one, in the database first. seconds: its duration; 0: for good. Raises StoreError."""
        at = now()
        until = at + 1000 * seconds if seconds else 0
        row = {"kind": kind, "owner": owner, "network": network, "table_id": table, "at": at, "until": until}
        adding = sa.insert(RESTRICTIONS).values(**row, reason=reason)
        async with self._lock:
            done = await in_database(self._store.run, lambda c: c.execute(adding).inserted_primary_key)
            added = Restriction(int(done[0]), kind, owner, network, table, at, until, reason)
            self._take([*self._all.values(), added])
        self.changed(added.id)
        return added

    async def lift(self, id: int) -> Restriction | None:
        """End one; None if there is none with this id. Raises StoreError."""
        lifting = sa.delete(RESTRICTIONS).where(RESTRICTIONS.c.id == id)
        async with self._lock:
            await in_database(self._store.change, lifting)
            lifted = self._all.get(id)
            self._take([one for one in self._all.values() if one is not lifted])
        self.changed(id)
        return lifted

    async def delete_expired(self) -> None:
        """Delete those no longer in force. Raises StoreError."""
        old = sa.delete(RESTRICTIONS).where(RESTRICTIONS.c.until > 0, RESTRICTIONS.c.until <= now())
        await in_database(self._store.change, old)
        await self.load()

    def _take(self, restrictions: Iterable[Restriction]) -> None:
        self._all = {one.id: one for one in restrictions}
        self._of, self._networks = {}, {}
        for one in self._all.values():
            if one.network:
                network = ipaddress.ip_network(one.network)
                same = self._networks.setdefault((network.version, network.prefixlen), {})
                same.setdefault(int(network.network_address), []).append(one)
            else:
                self._of.setdefault((one.kind, one.owner, one.table), []).append(one)


def _longest(restrictions: Sequence[Restriction]) -> Restriction | None:
    """The one in force that ends last."""
    if not restrictions:
        return None
    at = now()
    return max((one for one in restrictions if one.holds(at)), key=lambda one: one.until or math.inf, default=None)
