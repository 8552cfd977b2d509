"""What waits in the server's queues: how much, since when, and how long it has waited."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
#: commands and questions wait to be let in, hints and work on records until they are answered, and events at tables
#: until they are saved
COMMANDS, QUESTIONS, HINTS, RECORDS, SAVING = QUEUES = ("commands", "questions", "hints", "records", "saving")


class Waits:
    """What waits, by queue."""

    def __init__(
        self,
        waited: Callable[[str, float], None] = lambda queue, seconds: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """waited: called with the queue and the seconds when something has waited."""
        self._waited, self._clock = waited, clock
        self._since: dict[str, dict[int, float]] = {queue: {} for queue in QUEUES}
        self._numbers = itertools.count()

    @contextlib.contextmanager
    def of(self, queue: str) -> Iterator[None]:
        """Something waits in a queue, within the context."""
        since, number, began = self._since[queue], next(self._numbers), self._clock()
        since[number] = began
        try:
            yield
        finally:
            del since[number]
            self._waited(queue, self._clock() - began)

    async def through(self, queue: str, work: Awaitable[T]) -> T:
        """Do something for which others wait in a queue."""
        with self.of(queue):
            return await work

    def now(self) -> dict[str, tuple[int, float]]:
        """For each queue, how much waits and for how many seconds the oldest has waited."""
        at = self._clock()
        return {queue: (len(since), at - next(iter(since.values()), at)) for queue, since in self._since.items()}
