"""Waiting for another thread, process or server: the only place where tests let real time pass.

What is waited for comes after milliseconds. The limit is met only by what never comes: no machine is too slow for it,
however busy it is.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")

LIMIT = 300.0  #: seconds
LOOK = 0.005  #: seconds between two looks


def until(true: Callable[[], T], what: str = "what is waited for does not come") -> T:
    """Wait for something that another thread or process does; what it is then."""
    ends = time.monotonic() + LIMIT
    while not (value := true()):
        assert time.monotonic() < ends, what
        time.sleep(LOOK)
    return value


async def eventually(true: Callable[[], Any | Awaitable[Any]], what: str = "what is waited for does not come") -> Any:
    """The same while this thread's event loop continues. The condition may be awaitable."""
    try:
        async with asyncio.timeout(LIMIT):
            while True:
                value = true()
                if inspect.isawaitable(value):
                    value = await value
                if value:
                    return value
                await asyncio.sleep(LOOK)
    except TimeoutError:
        raise AssertionError(what) from None


def run(work: Awaitable[T]) -> T:
    """Do it in a separate loop; it must end."""

    async def bounded() -> T:
        return await asyncio.wait_for(work, LIMIT)

    return asyncio.run(bounded())
