"""Load reports between the processes that share a database."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from cardtable.server.clock import now
from cardtable.server.net.load import Load
from cardtable.server.store.database import put
from cardtable.server.store.schema import SITE

NAME = "load "  #: before a process's id
OLD = 60_000  #: milliseconds after which a silent process counts as gone


def publish(connection: sa.Connection, node: str, load: Load) -> None:
    """Report the load of this process, and delete those of ended processes."""
    put(connection, SITE, {"name": f"{NAME}{node}", "value": msgspec.json.encode(load).decode()})
    for name, other in _loads(connection).items():
        if now() - other.at > OLD:
            connection.execute(sa.delete(SITE).where(SITE.c.name == name))


def of_others(connection: sa.Connection, node: str) -> list[Load]:
    """The latest reported loads of all other processes."""
    loads = _loads(connection)
    loads.pop(f"{NAME}{node}", None)
    return [one for one in loads.values() if now() - one.at <= OLD]


def _loads(connection: sa.Connection) -> dict[str, Load]:
    rows = connection.execute(sa.select(SITE).where(SITE.c.name.startswith(NAME)))
    return {row.name: msgspec.json.decode(row.value, type=Load) for row in rows}
