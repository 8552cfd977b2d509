"""Scheduled garbage collection, because it blocks the event loop. Python's automatic collection is off.

Young objects are collected whenever there are enough: that takes milliseconds. A full collection runs when there is
no play, and when the process has grown much since the last one.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable

from cardtable.base import platform

CALM = 5  #: checks in a row without a written entry, after which there is no play
WORTH, NEW = 5_000, 50_000  #: new objects that justify a full collection when there is no play; a young collection
GROWN = 1.5  #: times as much memory as after the last collection of all: the next is due, also while people play
SLIGHT = 1 << 26  #: bytes of growth that are never worth it


def memory() -> int:
    """Bytes that this process takes."""
    return platform.memory_of(os.getpid())


class Garbage:
    """Collects garbage when it is time to."""

    def __init__(self, memory: Callable[[], int] = memory) -> None:
        self._memory = memory
        self._least = 0  #: bytes after the last collection of all
        self._old = False  #: there may be garbage among objects that are no longer new

    def tidy(self, calm: int) -> None:
        """Collect garbage if it is time to. calm: the number of checks without an entry written."""
        new, taken = gc.get_count()[0], self._memory()
        self._least = min(self._least or taken, taken)
        if (calm >= CALM and (self._old or new > WORTH)) or taken > max(GROWN * self._least, self._least + SLIGHT):
            gc.collect()
            self._least, self._old = self._memory(), False
        elif new > NEW:
            gc.collect(0)
            self._old = True
