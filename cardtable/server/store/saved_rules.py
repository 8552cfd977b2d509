"""House rules that people save for themselves under names."""

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
    """House rules that a person keeps."""

    name: str  #: how you call them
    game: str  #: the name of the game, for requests
    title: str  #: of the game, for people
    preset: str  #: the preset of the game
    seats: int  #: the number of players
    options: dict[str, Any]  #: house rules that differ from the preset's


def listed(store: Store, owner: str) -> list[dict[str, Any]]:
    """A person's saved house rules, ordered by name. Raises StoreError."""
    query = sa.select(SAVED).where(SAVED.c.owner == owner).order_by(SAVED.c.name)
    return [row | {"options": json.loads(row["options"])} for row in store.dicts(query)]


def keep(store: Store, owner: str, rules: SavedRules, at: int) -> bool:
    """Save house rules, replacing those of the same name; return False if the person has too many. Raises StoreError.

    at: milliseconds since 1970.
    """
    row = msgspec.structs.asdict(rules) | {"owner": owner, "options": json.dumps(rules.options), "at": at}
    del row["game"]

    def write(connection: sa.Connection) -> bool:
        others = sa.select(sa.func.count()).where(SAVED.c.owner == owner, SAVED.c.name != rules.name)
        if connection.execute(others).scalar_one() >= MOST:
            return False
        put(connection, SAVED, row)
        return True

    return store.run(write)


def drop(store: Store, owner: str, name: str) -> bool:
    """Delete house rules; return whether there were any of that name. Raises StoreError."""
    return bool(store.change(sa.delete(SAVED).where(SAVED.c.owner == owner, SAVED.c.name == name)))


def forget(store: Store, owner: str) -> None:
    """Delete everything that a person keeps here. Raises StoreError."""
    store.change(sa.delete(SAVED).where(SAVED.c.owner == owner))
