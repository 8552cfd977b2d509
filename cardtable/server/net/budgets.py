"""Budgets: limits for the server's processor time of messages, by address or for all questions together.

A message waits until its address can afford it. The cost is only known afterwards, so an estimate is reserved first
and corrected later.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from typing import Any, Protocol, TypeVar

from cardtable.server.net.guard import Remembered
from cardtable.server.net.networks import LOOPBACK
from cardtable.server.settings import Settings

T = TypeVar("T")
FIRST = 0.005  #: seconds that an address's first message is expected to cost
RECENT = 8  #: number of messages averaged for the estimate of the next one
BYTE = 1e-8  #: seconds that a byte of the answer counts for: it takes less, but much of the network
MOST = 0.1  #: seconds that one message counts for at most: what takes longer loads something for the first time
SPAN = 0.2  #: seconds; an address may use its share of so much time at once


class Metered(Awaitable[T]):
    """A coroutine whose own processor time is measured, without that of other tasks while it waits."""

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
            except BaseException as error:  # such as the task's cancellation
                step = partial(self._coroutine.throw, error)


class Payer(Protocol):
    """Pays for messages: a budget, or an account that only counts."""

    def correct(self, reserved: float, seconds: float) -> None:
        """Correct a message's reserved cost to the actual seconds."""


class Charge:
    """The processor time that is reserved for one message, in one budget or in several."""

    __slots__ = ("_more", "reserved")

    def __init__(self, *reserved: tuple[Payer, float]) -> None:
        """reserved: budgets, and the seconds reserved in each."""
        self.reserved = reserved
        self._more = 0.0

    def __add__(self, other: Charge) -> Charge:
        """Both together."""
        return Charge(*self.reserved, *other.reserved)

    def sent(self, many: int) -> None:
        """That number of bytes is sent to the client that asked."""
        self._more += many * BYTE

    def settle(self, seconds: float) -> None:
        """Charge the message this number of seconds, besides sending. Otherwise it costs the reserved time."""
        for budget, reserved in self.reserved:
            budget.correct(reserved, seconds + self._more)


class Budget:
    """What one address has used lately: a bucket that fills with its costs and drains at its share of the time."""

    __slots__ = ("_at", "_expected", "_share", "_used")

    def __init__(self, share: float, now: float) -> None:
        """share: of one processor."""
        self._share, self._at = share, now
        self._used = 0.0
        self._expected = FIRST

    def reserve(self, now: float) -> tuple[float, Charge]:
        """Reserve time for a message; return the seconds until it may be handled."""
        wait = self.wait(now)
        self._used += self._expected
        return wait, Charge((self, self._expected))

    def wait(self, now: float) -> float:
        """The seconds until a message may be handled."""
        return max(0.0, self.used(now) / self._share - SPAN)

    def used(self, now: float) -> float:
        """The seconds that were used lately."""
        self._used = max(0.0, self._used - (now - self._at) * self._share)
        self._at = now
        return self._used

    def forgive(self, now: float) -> None:
        """Forgive enough of the used time that a message may be handled now."""
        self._used = min(self.used(now), SPAN * self._share)

    def worked(self, seconds: float) -> None:
        """Charge time used outside messages."""
        self._used += seconds

    def correct(self, reserved: float, seconds: float) -> None:
        """Correct a message's reserved cost to the actual seconds."""
        seconds = min(seconds, MOST)
        self._used += seconds - reserved
        self._expected += (seconds - self._expected) / RECENT


class Budgets:
    """The budgets of a limited number of addresses."""

    MOST = 20_000

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._budgets: Remembered[str, Budget] = Remembered(self.MOST, lambda _, one: one.used(time.monotonic()))

    def of(self, address: str) -> Budget | None:
        """The budget of an address; None if it may use any amount of time."""
        if self._settings.loopback_is_free and address in LOOPBACK:
            return None
        return self._budgets.of(address, lambda: Budget(self._settings.message_share, time.monotonic()))
