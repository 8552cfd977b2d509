"""Budgets: how much of the server's processor time the messages of one address may take.

A message waits until its address can afford it. What it costs is known afterwards, so an estimate is reserved first and
corrected later.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from typing import Any, TypeVar

from cardtable.server.guard import LOOPBACK
from cardtable.server.settings import Settings

T = TypeVar("T")
FIRST = 0.005  #: seconds that an address's first message is expected to cost
RECENT = 8  #: about so many messages make the estimate for the next one
BYTE = 1e-8  #: seconds that a byte of the answer counts for: it takes less, but much of the network
SPAN = 0.2  #: seconds; an address may use its share of so much time at once


class Metered(Awaitable[T]):
    """A coroutine whose own processor time is measured; that of other tasks, while it waits, is not."""

    __slots__ = ("_coroutine", "seconds")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self.seconds = 0.0  #: of processor time so far

    def __await__(self) -> Generator[Any, Any, T]:
        step: Callable[[], Any] = partial(self._coroutine.send, None)
        while True:
            began = time.thread_time()
            try:
                waits_for = step()
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            finally:
                self.seconds += time.thread_time() - began
            try:
                step = partial(self._coroutine.send, (yield waits_for))
            except BaseException as error:  # such as that the task is cancelled
                step = partial(self._coroutine.throw, error)


class Charge:
    """The processor time that is reserved for one message."""

    __slots__ = ("_budget", "_more", "_seconds")

    def __init__(self, budget: Budget, seconds: float) -> None:
        self._budget, self._seconds = budget, seconds
        self._more = 0.0

    def sent(self, many: int) -> None:
        """So many bytes are sent to whoever asked."""
        self._more += many * BYTE

    def settle(self, seconds: float) -> None:
        """The message has cost so many seconds, besides what was sent. One that is never settled costs what was
        reserved.
        """
        self._budget.correct(self._seconds, seconds + self._more)


class Budget:
    """What one address has used lately: a bucket that fills with its costs and drains at its share of the time."""

    __slots__ = ("_at", "_expected", "_share", "_used")

    def __init__(self, share: float, now: float) -> None:
        """share: of one processor."""
        self._share, self._at = share, now
        self._used = 0.0
        self._expected = FIRST

    def reserve(self, now: float) -> tuple[float, Charge]:
        """Reserve time for a message; return the seconds until it may be handled, too."""
        self._used = max(0.0, self._used - (now - self._at) * self._share)
        self._at = now
        wait = max(0.0, self._used / self._share - SPAN)
        self._used += self._expected
        return wait, Charge(self, self._expected)

    def correct(self, reserved: float, seconds: float) -> None:
        """A message for which so much was reserved has cost so many seconds."""
        self._used += seconds - reserved
        self._expected += (seconds - self._expected) / RECENT


class Budgets:
    """The budgets of all addresses; the one not seen for the longest time is forgotten first."""

    MOST = 20_000

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def of(self, address: str) -> Budget | None:
        """The budget of an address; None if it may use any amount of time."""
        if self._settings.loopback_is_free and address in LOOPBACK:
            return None
        found = self._budgets.get(address)
        if found is None:
            found = self._budgets[address] = Budget(self._settings.message_share, time.monotonic())
        self._budgets.move_to_end(address)
        if len(self._budgets) > self.MOST:
            self._budgets.popitem(last=False)
        return found
