"""Answers that took long to work out, kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable


class Recent:
    """A cache of answers by request, up to a number of bytes; the least recently used one is dropped first."""

    def __init__(self, most: int) -> None:
        """most: bytes in all; an answer that is longer than a quarter of that is not kept."""
        self._most = most
        self._size = 0
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, asked: Hashable) -> bytes | None:
        """The answer, if it is kept."""
        if asked not in self._answers:
            return None
        self._answers.move_to_end(asked)
        return self._answers[asked]

    def put(self, asked: Hashable, answer: bytes) -> None:
        """Keep an answer."""
        self._size -= len(self._answers.pop(asked, b""))
        if 4 * len(answer) > self._most:
            return
        self._answers[asked] = answer
        self._size += len(answer)
        while self._size > self._most:
            self._size -= len(self._answers.popitem(last=False)[1])
