"""House rules that people keep for themselves, under names of their own."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import sqlalchemy as sa

from cardtable.server.store.database import put
from cardtable.server.store.schema import SAVED
from cardtable.server.store.store import Store

MOST = 50  #: for one person


class SavedRules(msgspec.Struct, frozen=True):
    """House rules with their name; `game` is the name of the game that they are for."""

    name: str
    game: str
    title: str
    preset: str
    seats: int
    options: dict[str, Any]


def listed(store: Store, owner: str) -> list[dict[str, Any]]:
    """A person's house rules, in the order of their names. Raises StoreError."""
    query = sa.select(SAVED).where(SAVED.c.owner == owner).order_by(SAVED.c.name)
    rows = store.run(lambda c: [dict(row) for row in c.execute(query).mappings()])
    return [row | {"options": json.loads(row["options"])} for row in rows]


def keep(store: Store, owner: str, rules: SavedRules, at: int) -> bool:
    """Keep house rules, in place of those of the same name; return False if the person has too many. Raises StoreError.

    at: milliseconds since 1970.
    """
    row = {
        "owner": owner,
        "name": rules.name,
        "title": rules.title,
        "preset": rules.preset,
        "seats": rules.seats,
        "options": json.dumps(rules.options),
        "at": at,
    }

    def write(connection: sa.Connection) -> bool:
        others = sa.select(sa.func.count()).where(SAVED.c.owner == owner, SAVED.c.name != rules.name)
        if connection.execute(others).scalar_one() >= MOST:
            return False
        put(connection, SAVED, row)
        return True

    return bool(store.run(write))


def drop(store: Store, owner: str, name: str) -> bool:
    """Delete house rules; return whether there were any of that name. Raises StoreError."""
    here = (SAVED.c.owner == owner) & (SAVED.c.name == name)
    return bool(store.run(lambda c: c.execute(sa.delete(SAVED).where(here)).rowcount))


def forget(store: Store, owner: str) -> None:
    """Delete everything that a person keeps here. Raises StoreError."""
    store.run(lambda c: c.execute(sa.delete(SAVED).where(SAVED.c.owner == owner)))
