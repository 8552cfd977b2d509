"""People with several devices: one identity, with a separate token for each further device.

A device is linked by a link that is valid for some minutes and once. Only hashes of tokens and links are stored. The
hash of the first device's token is the person's id, so that device needs no row: it gets one when it was seen after
another one was linked, or when it is signed out. The row of a device that was signed out stays, because it marks the
token as invalid.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.net.guard import hashed
from cardtable.server.store.database import in_database
from cardtable.server.store.schema import DEVICES, LINKS
from cardtable.server.store.store import Store
from cardtable.table.commands import Refusal

SHORT = 16  #: hexadecimal digits of a device's id, the beginning of its token's hash
DAY = 86_400_000  #: milliseconds
SIGNED_OUT = Refusal(
    "device/signed-out",
    Message("this device"),
    Message("it was signed out on another of your devices, or linked to another person"),
    Message("load the page again"),
)


@dataclass(frozen=True)
class DeviceLink:
    """A link that is still valid: the identity that it gives, and the person's name when they made it."""

    owner: str
    name: str


@dataclass(frozen=True)
class Device:
    """A device of a person. Times are milliseconds since 1970."""

    token: str  #: its hash
    linked: int  #: 0: the first device
    last_seen: int  #: the beginning of the day (UTC) when it was last used; 0: not known

    @property
    def id(self) -> str:
        """The id shown to the person."""
        return self.token[:SHORT]


class Devices:
    """The linked devices, in memory, because every request asks for one; and the links in the database."""

    def __init__(self, store: Store, signed_out: Callable[[], object] = lambda: None) -> None:
        """signed_out: called when devices may have been signed out, here or by another process."""
        self._store = store
        self._signed_out = signed_out
        self._lock = asyncio.Lock()  #: held from before the database changes until the memory has changed
        self.changed: Callable[[], None] = lambda: None  #: called after a local change
        self._owners: dict[str, str] = {}  #: by the hash of a device's token; "": it was signed out
        self._several: set[str] = set()  #: people with more than their first device, now or earlier
        self._read: tuple[int, ...] = ()  #: what shows whether the rows have changed
        self._days: dict[str, int] = {}  #: when those devices were last seen here, as the beginning of a day
        self._unsaved: dict[str, str] = {}  #: the devices, with their people, whose last day is not saved yet

    def owner(self, token_hash: str) -> str:
        """The person of a device; a device that was never linked is a separate person, and a signed-out one has none
        ("").
        """
        return self._owners.get(token_hash, token_hash)

    def is_out(self, token_hash: str) -> bool:
        """Whether a device was signed out."""
        return self._owners.get(token_hash) == ""

    def saw(self, token_hash: str, owner: str) -> None:
        """A device has asked for something. `load` saves the day if the person has several."""
        if owner in self._several and self._days.get(token_hash, 0) <= now() - DAY:
            self._days[token_hash] = _today()
            self._unsaved[token_hash] = owner

    async def load(self) -> None:
        """Read them again if they have changed, and save when devices were last seen. Raises StoreError."""
        async with self._lock:
            out = sa.case((DEVICES.c.signed_out > 0, 1))
            count = sa.select(
                sa.func.count(),
                sa.func.coalesce(sa.func.max(DEVICES.c.at), 0),
                sa.func.count(out),
                sa.func.coalesce(sa.func.max(DEVICES.c.signed_out), 0),
            )
            read = tuple((await in_database(self._store.rows, count))[0])
            if read != self._read:
                every = sa.select(DEVICES.c.token, DEVICES.c.owner, DEVICES.c.signed_out)
                rows = await in_database(self._store.rows, every)
                self._owners = {row.token: "" if row.signed_out else row.owner for row in rows}
                self._several = {row.owner for row in rows}
                self._read = read
            if self._unsaved:
                await self._save()
        self._signed_out()

    async def _save(self) -> None:
        """Save when devices were last seen. Raises StoreError."""
        unsaved, self._unsaved = self._unsaved, {}

        def save(connection: sa.Connection) -> None:
            for token, owner in unsaved.items():
                if token == owner:
                    _add_first(connection, owner)
                earlier = (DEVICES.c.token == token) & (DEVICES.c.seen < self._days[token])
                connection.execute(sa.update(DEVICES).where(earlier).values(seen=self._days[token]))

        try:
            await in_database(self._store.run, save)
        except BaseException:
            self._unsaved = unsaved | self._unsaved
            raise

    async def listed(self, owner: str) -> list[Device]:
        """The devices of a person, the first one first, then in the order in which they were linked. Raises
        StoreError.
        """
        mine = sa.select(DEVICES).where(DEVICES.c.owner == owner).order_by(DEVICES.c.at, DEVICES.c.token)
        rows = await in_database(self._store.rows, mine)
        listed = [Device(row.token, row.at, row.seen) for row in rows if not row.signed_out]
        implicit = all(row.token != owner for row in rows)
        return [Device(owner, 0, self._days.get(owner, 0))] * implicit + listed

    async def sign_out(self, owner: str, by: str, which: str = "") -> list[str] | None:
        """Sign out devices of a person, and end their link, if any. Return the ids of the signed-out devices; None if
        the asking device has been signed out itself. Raises StoreError.

        by: the hash of the token of the asking device, which is never signed out; which: the id of one device;
        "": all others.
        """

        def end(connection: sa.Connection) -> list[str] | None:
            _add_first(connection, owner)
            mine = sa.select(DEVICES.c.token).where(DEVICES.c.owner == owner, DEVICES.c.signed_out == 0)
            there = list(connection.execute(mine.order_by(DEVICES.c.token).with_for_update()).scalars())
            if by not in there:
                return None
            ended = [token for token in there if token != by and which in ("", token[:SHORT])]
            if ended:
                connection.execute(sa.update(DEVICES).where(DEVICES.c.token.in_(ended)).values(signed_out=now()))
                connection.execute(sa.delete(LINKS).where(LINKS.c.owner == owner))
            return ended

        async with self._lock:
            ended = await in_database(self._store.run, end)
            self._owners |= dict.fromkeys(ended or (), "")
        self.changed()
        self._signed_out()
        return None if ended is None else [token[:SHORT] for token in ended]

    async def new_link(self, owner: str, name: str, seconds: float, by: str) -> str | None:
        """The secret of a new link, valid for some seconds; None if the asking device has been signed out. An older
        link of the person ends. Raises StoreError.

        by: the hash of the token of the asking device.
        """
        secret, until = secrets.token_urlsafe(32), now() + int(1000 * seconds)

        def make(connection: sa.Connection) -> bool:
            out = sa.select(DEVICES.c.signed_out).where(DEVICES.c.token == by, DEVICES.c.owner == owner)
            if connection.execute(out).scalar():
                return False  # by another process, and this one has not read it yet
            connection.execute(sa.delete(LINKS).where((LINKS.c.owner == owner) | (LINKS.c.until <= now())))
            row = {"token": hashed(secret), "owner": owner, "name": name, "until": until}
            connection.execute(sa.insert(LINKS).values(**row))
            return True

        return secret if await in_database(self._store.run, make) else None

    async def link(self, secret: str) -> DeviceLink | None:
        """A valid link by its secret; None if there is none. Raises StoreError."""
        query = sa.select(LINKS.c.owner, LINKS.c.name).where(_valid(secret))
        return next((DeviceLink(*row) for row in await in_database(self._store.rows, query)), None)

    async def take(self, secret: str, before: str, token: str) -> bool:
        """Use up a link, for a device that gets this token; false if it is not valid (any longer). Raises
        StoreError.

        before: the hash of the token that the device had. It is forgotten if it was linked, and signed out if it was
        the first of a person with other devices.
        """
        at = now()

        def use(connection: sa.Connection) -> str | None:
            owner = connection.execute(sa.select(LINKS.c.owner).where(_valid(secret))).scalar()
            if not connection.execute(sa.delete(LINKS).where(_valid(secret))).rowcount:  # of two, only one uses it up
                return None
            old = DEVICES.c.token == before
            connection.execute(sa.delete(DEVICES).where(old, DEVICES.c.owner != before))
            if connection.execute(sa.select(DEVICES.c.token).where(DEVICES.c.owner == before).limit(1)).first():
                _add_first(connection, before)
                connection.execute(sa.update(DEVICES).where(old).values(signed_out=at))
            row = {"token": hashed(token), "owner": owner, "at": at, "seen": _today(), "signed_out": 0}
            connection.execute(sa.insert(DEVICES).values(**row))
            return str(owner)

        async with self._lock:
            owner = await in_database(self._store.run, use)
            if owner is None:
                return False
            self._owners.pop(before, None)
            if before in self._several:
                self._owners[before] = ""
            self._owners[hashed(token)] = owner
            self._several.add(owner)
        self.changed()
        self._signed_out()
        return True

    async def forget(self, owner: str) -> None:
        """Delete all devices and links of a person. Raises StoreError."""

        def delete(connection: sa.Connection) -> list[str]:
            mine = list(connection.execute(sa.select(DEVICES.c.token).where(DEVICES.c.owner == owner)).scalars())
            connection.execute(sa.delete(DEVICES).where(DEVICES.c.owner == owner))
            connection.execute(sa.delete(LINKS).where(LINKS.c.owner == owner))
            return mine

        async with self._lock:
            for token in await in_database(self._store.run, delete):
                self._owners.pop(token, None)
                self._unsaved.pop(token, None)
            self._several.discard(owner)
        self.changed()


def _today() -> int:
    """The beginning of the day (UTC), in milliseconds since 1970."""
    return now() // DAY * DAY


def _add_first(connection: sa.Connection, owner: str) -> None:
    """Give a person's first device a row, if it has none."""
    row = sa.select(*(sa.literal(value) for value in (owner, owner, 0, 0, 0)))
    there = sa.exists().where(DEVICES.c.token == owner)
    columns = ["token", "owner", "at", "seen", "signed_out"]
    connection.execute(sa.insert(DEVICES).from_select(columns, row.where(~there)))


def _valid(secret: str) -> sa.ColumnElement[bool]:
    return sa.and_(LINKS.c.token == hashed(secret), LINKS.c.until > now())
