"""Answers that took long to work out, kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable


class Recent:
    """Answers by what was asked, up to a number of bytes; the one that was not asked for longest goes first."""

    def __init__(self, most: int) -> None:
        """most: bytes in all; an answer that is longer than a quarter of that is not kept."""
        self._most = most
        self._size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, asked: Hashable) -> bytes | None:
        """The answer, if it is kept."""
        if asked not in self._kept:
            return None
        self._kept.move_to_end(asked)
        return self._kept[asked]

    def put(self, asked: Hashable, answer: bytes) -> None:
        """Keep an answer."""
        self._size -= len(self._kept.pop(asked, b""))
        if 4 * len(answer) > self._most:
            return
        self._kept[asked] = answer
        self._size += len(answer)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
