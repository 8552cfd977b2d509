"""A queue for one reader. An asyncio.Queue takes 3 KB, and a server has several for each table and connection."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    """A FIFO queue for one waiting task. Few items wait at a time."""

    __slots__ = ("_items", "_waiting")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._waiting: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Put an item in."""
        self._items.append(item)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def get_nowait(self) -> T:
        """Take the first item out. Raises IndexError if there is none."""
        return self._items.pop(0)

    async def get(self) -> T:
        """Take the first item out, as soon as there is one."""
        while not self._items:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        return self._items.pop(0)
