"""Admission of requests and messages: moves first.

A message that arrives, or a request, waits here until the server has time for it. Addresses take turns, and so do
networks (`fair_queue.Queue`), so heavy traffic from many addresses does not delay others. Commands at tables are let
in a few at a time; everything else, from a `hello` to a page, is a question. Questions are let in one at a time, and
during play they get no more than their share of a processor, for all addresses together.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from cardtable.base.message import Message
from cardtable.server.net.budgets import Budget, Charge, Metered
from cardtable.server.net.costs import Costs
from cardtable.server.net.fair_queue import TOO_MUCH, Busy, Queue
from cardtable.server.net.waits import COMMANDS, QUESTIONS, Waits
from cardtable.server.settings import Settings

T = TypeVar("T")
AT_ONCE = 4  #: commands that are let in before the event loop has run all its tasks
MOST_EACH = 256  #: that may wait for one address: more than it may have connections
PLAYED = 1.0  #: seconds after a command for which questions give way


class Admission:
    """Lets commands and questions in, on the event loop."""

    def __init__(self, settings: Settings, waits: Waits | None = None, costs: Costs | None = None) -> None:
        """waits, costs: where it is counted what waits, and what requests cost."""
        self._waits, self._costs = waits or Waits(), costs or Costs()
        self._commands: Queue[asyncio.Future[None]] = Queue()
        self._questions: Queue[asyncio.Future[Charge]] = Queue()
        self._let_in = 0  #: commands since the loop's last turn
        self._played = -PLAYED  #: when the last command came
        self._budget = Budget(settings.question_share, time.monotonic())
        self._ticking = False
        self._later: asyncio.TimerHandle | None = None  #: time until the next question can be let in

    @property
    def waiting(self) -> tuple[int, int]:
        """How many commands and questions wait."""
        return len(self._commands), len(self._questions)

    async def command(self, address: str) -> None:
        """Wait until a command from an address may be handled. Raises Busy."""
        self._played = time.monotonic()
        if self._let_in < AT_ONCE and not self._commands:
            self._let_in += 1
            self._tick_soon()
        else:
            await self._waits.through(COMMANDS, self._wait(self._commands, address))

    async def question(self, address: str) -> Charge:
        """Wait until a question from an address may be answered; return what pays for it. Raises Busy."""
        return await self._waits.through(QUESTIONS, self._wait(self._questions, address))

    async def through(self, address: str, work: Coroutine[Any, Any, None]) -> None:
        """Answer a request from an address as a question once it is let in. Raises Busy."""
        try:
            charge = await self.question(address) + Charge((self._costs.of(address), 0.0))
        except BaseException:
            work.close()
            raise
        metered = Metered(work)
        try:
            await metered
        finally:
            charge.settle(metered.seconds)

    def worked(self, seconds: float) -> None:
        """Charge a question for the time of a worker thread, which is not measured otherwise."""
        self._budget.worked(seconds)

    async def _wait(self, queue: Queue[asyncio.Future[T]], address: str) -> T:
        if queue.of(address) >= MOST_EACH:
            raise Busy(Message("this request"), *TOO_MUCH)
        place: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queue.put(address, place)
        self._tick_soon()
        try:
            return await place
        except asyncio.CancelledError:
            queue.remove(address, place)
            raise

    def _tick_soon(self) -> None:
        if not self._ticking:
            self._ticking = True
            asyncio.get_running_loop().call_soon(self._tick)

    def _tick(self) -> None:
        """Run in each turn of the loop while there is something to let in."""
        self._ticking, self._let_in = False, 0
        while self._let_in < AT_ONCE and (first := self._commands.take()):
            if not first[1].done():
                first[1].set_result(None)
                self._let_in += 1
        wait = self._ask()
        if self._let_in or (self._questions and not wait):
            self._tick_soon()
        elif self._questions and self._later is None:
            wait = min(wait, PLAYED)  # then there may be no play any longer
            self._later = asyncio.get_running_loop().call_later(wait, self._resume)

    def _ask(self) -> float:
        """Let a question in, if there is time for it now; return the seconds to wait."""
        now = time.monotonic()
        wait = self._budget.wait(now)
        if wait and now - self._played >= PLAYED:  # no play
            self._budget.forgive(now)
            wait = 0.0
        if not wait and (first := self._questions.take()) and not first[1].done():
            first[1].set_result(self._budget.reserve(now)[1])
        return wait

    def _resume(self) -> None:
        self._later = None
        self._tick_soon()
