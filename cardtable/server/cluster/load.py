"""What waits and who uses the processor, in all processes: each writes its own figures into the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from cardtable.server.clock import now
from cardtable.server.net.costs import Cost
from cardtable.server.store.database import in_database, put
from cardtable.server.store.schema import SITE

if TYPE_CHECKING:
    from cardtable.server.rooms.hall import Hall

TOP = 20  #: addresses that are told
NAME = "load "  #: before a process's id
OLD = 60_000  #: milliseconds after which a process that tells nothing is gone


class Waiting(msgspec.Struct, frozen=True):
    """How much waits in a queue, and for how many seconds the oldest has waited."""

    queue: str
    many: int
    oldest: float


class Load(msgspec.Struct, frozen=True):
    """What waits, by queue, and the addresses that have used the most of the processor in the last minute."""

    at: int
    queues: list[Waiting]
    addresses: list[Cost]


def of(hall: Hall) -> Load:
    """The load of this process."""
    queues = [Waiting(queue, many, round(oldest, 3)) for queue, (many, oldest) in hall.waits.now().items()]
    return Load(now(), queues, hall.costs.top(TOP))


async def publish(hall: Hall) -> None:
    """Tell the other processes, if there are any. Raises StoreError."""
    if not hall.cluster.shared:
        return
    row = {"name": f"{NAME}{hall.cluster.node.id}", "value": msgspec.json.encode(of(hall)).decode()}

    def write(connection: sa.Connection) -> None:
        put(connection, SITE, row)
        for name, told in _told(connection).items():
            if now() - told.at > OLD:
                connection.execute(sa.delete(SITE).where(SITE.c.name == name))

    await in_database(hall.store.run, write)


async def of_all(hall: Hall) -> Load:
    """The load of all processes together. Raises StoreError."""
    found = [of(hall)]
    if hall.cluster.shared:
        told = await in_database(hall.store.run, _told)
        told.pop(f"{NAME}{hall.cluster.node.id}", None)
        found += [one for one in told.values() if found[0].at - one.at <= OLD]
    return together(found)


def together(loads: list[Load]) -> Load:
    """The loads of several processes as one."""
    queues: dict[str, Waiting] = {}
    addresses: dict[str, Cost] = {}
    for load in loads:
        for one in load.queues:
            so_far = queues.get(one.queue, Waiting(one.queue, 0, 0.0))
            queues[one.queue] = Waiting(one.queue, so_far.many + one.many, max(so_far.oldest, one.oldest))
        for cost in load.addresses:
            used = addresses.get(cost.address, Cost(cost.address, 0.0, 0))
            addresses[cost.address] = Cost(cost.address, used.share + cost.share, used.messages + cost.messages)
    top = sorted(addresses.values(), key=lambda one: (-one.share, one.address))[:TOP]
    return Load(max(one.at for one in loads), list(queues.values()), top)


def _told(connection: sa.Connection) -> dict[str, Load]:
    rows = connection.execute(sa.select(SITE).where(SITE.c.name.startswith(NAME)))
    return {row.name: msgspec.json.decode(row.value, type=Load) for row in rows}
