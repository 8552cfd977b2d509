"""Deals that can be won, chosen by the game's solver in one of the processes for records, which can be ended.

A deal of the day is the first of numbers that follow from the day and the server's secret whose deal the solver wins
within a fixed number of positions. So all processes and machines over one database find the same one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from cardtable.errors import CardtableError
from cardtable.message import Message
from cardtable.server.turns import Busy
from cardtable.server.worker import TOO_BIG
from cardtable.server.workers import Jobs
from cardtable.table import Setup
from cardtable.winnable import Winnable, drawn

CALLER = "deals of the day"  #: for whom the deals of the day are looked for, among those who wait for the processes
KEPT = 16  #: deals of the day that are remembered


class WinnableDeals:
    """The deals of a server that can be won; each deal of the day is looked for once."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._days: OrderedDict[tuple[str, ...], asyncio.Task[Winnable]] = OrderedDict()

    async def any(self, caller: str, setup: Setup) -> Winnable:
        """A deal drawn by chance that can be won. Raises NotReady, NoSolver, OptionError, TooMany, Busy, WorkFault."""
        return await self._first(caller, setup, drawn())

    async def of_day(self, setup: Setup, numbers: Sequence[str]) -> Winnable:
        """The first of the numbers of a day whose deal can be won. Raises as `any`."""
        key = tuple(numbers)
        task = self._days.get(key)
        if task is None:
            task = self._days[key] = asyncio.create_task(self._first(CALLER, setup, numbers))
            if len(self._days) > KEPT:
                self._days.popitem(last=False)
        try:
            return await asyncio.shield(task)  # others may wait for it
        except BaseException:
            if task.done() and self._days.get(key) is task:
                del self._days[key]  # it is tried again when somebody asks again
            raise

    async def _first(self, caller: str, setup: Setup, numbers: Sequence[str]) -> Winnable:
        told = setup.game, setup.preset, setup.seats, setup.options, list(numbers)
        try:
            return msgspec.json.decode(await self._jobs.do(caller, "winnable", *told), type=Winnable)
        except CardtableError as error:
            if error.code != TOO_BIG.code:
                raise
            raise Busy(
                Message("a deal that can be won"),
                Message("too much waits to be done here"),
                Message("try again in a while"),
            ) from None
