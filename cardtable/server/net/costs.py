"""Who uses the server's processor: the time that the messages and requests of each address have cost lately."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from cardtable.server.net.networks import widest

SPAN = 60.0  #: seconds that are looked back
MOST = 20_000  #: addresses that are counted individually; further ones count with their networks
OTHERS = ""  #: represents addresses of further networks


class Cost(msgspec.Struct, frozen=True):
    """What an address has used in the last minute."""

    address: str  #: an IPv6 address stands for its /64; empty: all addresses that are not counted separately
    share: float  #: of one processor, from 0; above 1: more than one processor
    messages: int  #: the number of messages and requests


class Account:
    """Counts for one address; it takes part in a charge as a budget does (`budgets.Charge`)."""

    __slots__ = ("_address", "_costs")

    def __init__(self, costs: Costs, address: str) -> None:
        self._costs, self._address = costs, address

    def correct(self, reserved: float, seconds: float) -> None:
        """Correct a message's cost to the actual seconds."""
        self._costs.add(self._address, seconds, 1)

    def worked(self, seconds: float) -> None:
        """Charge time used outside messages."""
        self._costs.add(self._address, seconds, 0)


class Costs:
    """What addresses have used in the last minute: all of this one, and the rest of the one before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._now: dict[str, tuple[float, int]] = {}
        self._before: dict[str, tuple[float, int]] = {}

    def of(self, address: str) -> Account:
        """The account of an address."""
        return Account(self, address)

    def add(self, address: str, seconds: float, messages: int) -> None:
        """An address has used so much."""
        self._turn()
        for name in (address, widest(address), OTHERS):
            if name in self._now or len(self._now) < MOST or name == OTHERS:
                used, many = self._now.get(name, (0.0, 0))
                self._now[name] = used + seconds, many + messages
                return

    def _turn(self) -> None:
        """Begin another minute if it is time to."""
        passed = self._clock() - self._began
        if passed >= SPAN:
            self._before = self._now if passed < 2 * SPAN else {}
            self._now, self._began = {}, self._began + passed // SPAN * SPAN

    def top(self, most: int) -> list[Cost]:
        """The heaviest users, in descending order."""
        self._turn()
        remaining = 1.0 - (self._clock() - self._began) / SPAN
        used = {
            name: (self._now.get(name, (0.0, 0)), self._before.get(name, (0.0, 0)))
            for name in {*self._now, *self._before}
        }
        costs = [
            Cost(name, round((new[0] + old[0] * remaining) / SPAN, 5), round(new[1] + old[1] * remaining))
            for name, (new, old) in used.items()
        ]
        return sorted(costs, key=lambda one: (-one.share, one.address))[:most]
