"""A connection that one server process passes on to another one, as both see it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from enum import Enum, auto

import msgspec

MOST_HOPS = 3  #: processes that pass a connection on before the last one gives up


class Greeting(msgspec.Struct, frozen=True):
    """The receiver's data about a connection: the client's address, the number of handovers, the head."""

    client: tuple[str, int]
    hops: int
    head: bytes


class Passed(Enum):
    """What became of an attempt to pass a connection on."""

    DONE = auto()
    GONE = auto()  #: the process no longer exists
    FAILED = auto()  #: it cannot be reached, or did not answer


#: takes over a connection that was passed on: its descriptor, or what relays it
Take = Callable[[socket.socket | asyncio.Transport, Greeting], None]
#: passes a connection on; the last argument is called when a relayed one has ended
PassOn = Callable[[asyncio.Transport, Greeting, Callable[[Exception | None], None]], Awaitable[Passed]]
