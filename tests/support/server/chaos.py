"""A line that is as bad as lines can be: it loses messages, doubles them, changes their order, stalls, and dies without
a word.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import WebSocketException

Line = ServerConnection | ClientConnection


@dataclass
class Trouble:
    """How often what happens to a message, and how often it did."""

    drop: float = 0.06
    double: float = 0.06
    swap: float = 0.06  #: it comes after the next one
    stall: float = 0.03  #: everything waits for `pause`
    dead: float = 0.01  #: from here nothing comes through, and nobody is told
    cut: float = 0.01  #: the connection is broken off
    pause: tuple[float, float] = (0.1, 0.8)
    seen: dict[str, int] = field(default_factory=dict)

    def happens(self, rng: random.Random) -> str:
        """What happens to the next message; "" is nothing."""
        at = rng.random()
        for kind in ("drop", "double", "swap", "stall", "dead", "cut"):
            at -= getattr(self, kind)
            if at < 0:
                self.seen[kind] = self.seen.get(kind, 0) + 1
                return kind
        return ""


class BadLine:
    """A proxy for the socket of a server; `url` is where clients connect.

    Whole messages only: what is within them is TCP's.
    """

    def __init__(self, url: str, trouble: Trouble, seed: int = 1) -> None:
        self._to = url.replace("http", "ws") + "/ws"
        self._rng = random.Random(seed)
        self._server: Server | None = None
        self.trouble = trouble
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await serve(self._pass, "127.0.0.1", 0, compression=None, ping_interval=None, max_size=None)
        self.url = f"http://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close(close_connections=True)
        await self._server.wait_closed()

    async def _pass(self, near: ServerConnection) -> None:
        assert near.request
        headers = {"Cookie": near.request.headers.get("Cookie", "")}
        with contextlib.suppress(WebSocketException, OSError, TimeoutError):
            async with connect(
                self._to, additional_headers=headers, compression=None, ping_interval=None, max_size=None
            ) as far:
                ways = [asyncio.create_task(self._one_way(near, far)), asyncio.create_task(self._one_way(far, near))]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()
                    await asyncio.gather(*ways, return_exceptions=True)
                    for end in (near, far):  # nobody reads what still comes, so no farewell would be answered
                        end.transport.abort()

    async def _one_way(self, source: Line, target: Line) -> None:
        late: str | bytes | None = None
        dead = False
        async for message in source:
            if dead:
                continue
            what = self.trouble.happens(self._rng)
            if what == "cut":
                return
            if what == "dead":
                dead = True
                continue
            if what == "stall":
                await asyncio.sleep(self._rng.uniform(*self.trouble.pause))
            if what == "swap" and late is None:
                late = message
                continue
            if what != "drop":
                await target.send(message)
            if what == "double":
                await target.send(message)
            if late is not None:
                await target.send(late)
                late = None
