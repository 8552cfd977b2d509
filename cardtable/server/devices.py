"""People with several devices: one identity, for which each further device has a token of its own.

A device is linked by a link that is valid for some minutes and once. Of tokens and links only hashes are kept.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from cardtable.server.clock import now
from cardtable.server.guard import hashed
from cardtable.server.schema import DEVICES, LINKS
from cardtable.server.store import Store


@dataclass(frozen=True)
class Link:
    """A link that is still valid: whose identity it gives, and the name they gave when they made it."""

    owner: str
    name: str


class Devices:
    """The linked devices, in memory, because every request asks for one; and the links in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()  #: held from before the database changes until the memory has changed
        self.changed: Callable[[], None] = lambda: None  #: called after a change that was made here
        self._owners: dict[str, str] = {}  #: by the hash of a device's token
        self._seen: tuple[int, int] = (0, 0)  #: how many devices there were, and when the last was linked

    def owner(self, token_hash: str) -> str:
        """The person of a device; a device that was never linked is a person of its own."""
        return self._owners.get(token_hash, token_hash)

    async def load(self) -> None:
        """Read them again if they have changed. Raises StoreError."""
        async with self._lock:
            count = sa.select(sa.func.count(), sa.func.coalesce(sa.func.max(DEVICES.c.at), 0)).select_from(DEVICES)
            seen = await asyncio.to_thread(self._store.run, lambda c: tuple(c.execute(count).one()))
            if seen != self._seen:
                every = sa.select(DEVICES.c.token, DEVICES.c.owner)
                rows = await asyncio.to_thread(self._store.run, lambda c: c.execute(every).all())
                self._owners = {row.token: row.owner for row in rows}
                self._seen = seen

    async def new_link(self, owner: str, name: str, seconds: float) -> str:
        """The secret of a new link, valid for so many seconds. An older one of the person ends. Raises StoreError."""
        secret, until = secrets.token_urlsafe(32), now() + int(1000 * seconds)

        def make(connection: sa.Connection) -> None:
            connection.execute(sa.delete(LINKS).where((LINKS.c.owner == owner) | (LINKS.c.until <= now())))
            row = {"token": hashed(secret), "owner": owner, "name": name, "until": until}
            connection.execute(sa.insert(LINKS).values(**row))

        await asyncio.to_thread(self._store.run, make)
        return secret

    async def link(self, secret: str) -> Link | None:
        """A valid link by its secret; None if there is none. Raises StoreError."""
        query = sa.select(LINKS.c.owner, LINKS.c.name).where(_valid(secret))
        row = await asyncio.to_thread(self._store.run, lambda c: c.execute(query).first())
        return Link(*row) if row else None

    async def take(self, secret: str, before: str) -> str | None:
        """Use up a link: the token of the new device; None if the link is not valid (any more). Raises StoreError.

        before: the hash of the token that the device had, which is forgotten if it was linked.
        """
        token, at = secrets.token_urlsafe(32), now()

        def use(connection: sa.Connection) -> str | None:
            owner = connection.execute(sa.select(LINKS.c.owner).where(_valid(secret))).scalar()
            if not connection.execute(sa.delete(LINKS).where(_valid(secret))).rowcount:  # of two, only one uses it up
                return None
            connection.execute(sa.delete(DEVICES).where(DEVICES.c.token == before))
            connection.execute(sa.insert(DEVICES).values(token=hashed(token), owner=owner, at=at))
            return str(owner)

        async with self._lock:
            owner = await asyncio.to_thread(self._store.run, use)
            if owner is None:
                return None
            self._owners.pop(before, None)
            self._owners[hashed(token)] = owner
        self.changed()
        return token

    async def forget(self, owner: str) -> None:
        """Delete all devices and links of a person. Raises StoreError."""

        def delete(connection: sa.Connection) -> None:
            connection.execute(sa.delete(DEVICES).where(DEVICES.c.owner == owner))
            connection.execute(sa.delete(LINKS).where(LINKS.c.owner == owner))

        async with self._lock:
            await asyncio.to_thread(self._store.run, delete)
            self._owners = {token: who for token, who in self._owners.items() if who != owner}
        self.changed()


def _valid(secret: str) -> sa.ColumnElement[bool]:
    return sa.and_(LINKS.c.token == hashed(secret), LINKS.c.until > now())
