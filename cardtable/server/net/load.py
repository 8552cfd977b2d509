"""What waits in a server process, and who uses its processor."""

from __future__ import annotations

import msgspec

from cardtable.server.clock import now
from cardtable.server.net.costs import Cost, Costs
from cardtable.server.net.waits import Waits

TOP = 20  #: number of reported addresses


class Waiting(msgspec.Struct, frozen=True):
    """The entries that wait in a queue."""

    queue: str  #: its name
    many: int  #: the number of entries that wait
    oldest: float  #: for how many seconds the oldest entry has waited


class Load(msgspec.Struct, frozen=True):
    """The load of a server."""

    at: int  #: when it was measured, milliseconds since 1970
    queues: list[Waiting]  #: every queue of this server
    addresses: list[Cost]  #: the busiest ones, the busiest first


def load_of(waits: Waits, costs: Costs) -> Load:
    """The load of this process."""
    queues = [Waiting(queue, many, round(oldest, 3)) for queue, (many, oldest) in waits.now().items()]
    return Load(now(), queues, costs.top(TOP))


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
