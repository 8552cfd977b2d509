"""A room's inbox: jobs that one task does one after another, so that two things never happen at one table at the same
time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from cardtable.server.net.budgets import Charge, Metered

Job = Callable[[], Coroutine[Any, Any, object] | object]  #: a coroutine function without arguments, or a plain one


class Inbox:
    """Jobs in the order of their arrival."""

    __slots__ = ("_after", "_closed", "_failed", "_jobs", "_name", "_task", "at")

    def __init__(self, name: str, after: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        """name: of the task; after: called after each job that succeeds; failed: called with each job's exception."""
        self._name, self._after, self._failed = name, after, failed
        self._jobs: list[tuple[int, Job, Charge | None]] = []
        self._task: asyncio.Task[None] | None = None  #: while there are jobs
        self._closed = False
        #: when the current job arrived: a command that arrived in time counts as in time, however busy we are
        self.at = 0

    def __len__(self) -> int:
        return len(self._jobs)

    def post(self, job: Job, at: int, charge: Charge | None = None) -> None:
        """Put a job in. at: the time of its arrival; charge: who pays for the processor time that it takes."""
        self._jobs.append((at, job, charge))
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def _run(self) -> None:
        while self._jobs:
            self.at, job, charge = self._jobs.pop(0)
            if charge is None:
                await self._do(job)
                continue
            metered = Metered(self._do(job))
            try:
                await metered
            finally:
                charge.settle(metered.seconds)
            if self._jobs:
                await asyncio.sleep(0)  # many that have waited for one must not hold up everybody else
        self._task = None

    async def _do(self, job: Job) -> None:
        try:
            result = job()
            if asyncio.iscoroutine(result):
                await result
            self._after()
        except Exception as error:
            self._failed(error)

    def close(self) -> asyncio.Task[None] | None:
        """Take no more jobs, and cancel the current one; return its task, if there is one."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
        return self._task
