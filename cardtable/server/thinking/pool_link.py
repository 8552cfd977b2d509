"""A server process's connection to the pool (`cardtable.server.thinking.pool`), and its services: the bots, the
worker processes, and the reviews, with the same interface as the local ones.

The connection is opened for the first request, and reopened after it was lost. Without it, a bot plays its game's
heuristic, and everything else is refused temporarily.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from typing import Any, TypeVar

import msgspec

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.net.fair_queue import Busy
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import Advised, Bots, plain
from cardtable.server.thinking.protocol import (
    KEY,
    LENGTH,
    LONGEST_REQUEST,
    MOST_HELD,
    MOST_WAITING,
    NO_NUMBER,
    DoJob,
    Drop,
    JudgeDeal,
    PoolHello,
    PoolPing,
    Question,
    Reply,
    Think,
    framed,
    not_ready,
    refusal,
    too_big,
)
from cardtable.server.thinking.review_answers import Reviews
from cardtable.server.thinking.workers import Jobs, stopping
from cardtable.views.view import View

T = TypeVar("T")
log = logging.getLogger("cardtable.server")
CONNECTED_WITHIN = 2.0  #: seconds, since the attempt began, for which a request waits for a connection
BEAT = 0.5  #: seconds between two looks whether the pool is there
SILENCE = 3.0  #: seconds without a word from the pool, while it owes one, after which the connection is given up
MARGIN = 1 << 16  #: bytes of an answer in addition to the result of a job


class Away(Busy):
    """The pool cannot be reached now."""


def away() -> Away:
    """The refusal of what needs the pool."""
    why = Message("the part of the server that does this does not answer now")
    return Away(Message("this request"), why, Message("try again in a moment"))


class PoolLine(asyncio.Protocol):
    """One connection to the pool, until it ends."""

    def __init__(self, longest: int) -> None:
        """longest: bytes of an answer."""
        self._longest = longest
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._held = 0  #: bytes of the requests that wait
        self._buffer = bytearray()
        self._heard = time.monotonic()
        self._beat: asyncio.TimerHandle | None = None
        self.greeted: asyncio.Future[Reply] = self._loop.create_future()  #: the answer to the first message
        self.open = True
        self.process = 0  #: the pool's; 0: it is not known

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """There is a connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.process = platform.process_behind(transport.get_extra_info("socket"))
        transport.write(framed(PoolHello(KEY)))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended: nothing more will be answered."""
        self.open = False
        if self._beat:
            self._beat.cancel()
        for future in (self.greeted, *self._waiting.values()):
            if not future.done():
                future.set_exception(away())
                future.exception()  # there may be no waiter

    def data_received(self, data: bytes) -> None:
        """Take all whole messages."""
        self._heard = time.monotonic()
        self._buffer += data
        begin = 0
        while len(self._buffer) - begin >= LENGTH.size:
            length = LENGTH.unpack_from(self._buffer, begin)[0]
            if length > self._longest:
                return self._fail(f"an answer of {length} bytes")
            if len(self._buffer) - begin - LENGTH.size < length:
                break
            begin += LENGTH.size
            message = bytes(self._buffer[begin : begin + length])
            begin += length
            try:
                self._take(msgspec.msgpack.decode(message, type=Reply))
            except msgspec.MsgspecError as error:
                return self._fail(str(error))
        del self._buffer[:begin]

    def _take(self, reply: Reply) -> None:
        future = self.greeted if reply.number == NO_NUMBER else self._waiting.get(reply.number)
        if future and not future.done():
            future.set_result(reply)
            if future is self.greeted:
                self._beat = self._loop.call_later(BEAT, self._look)

    def _look(self) -> None:
        """Give up the connection if the pool owes an answer and is silent."""
        assert self._transport
        now = time.monotonic()
        if not self._waiting:
            self._heard = now
        elif now - self._heard > SILENCE:
            return self._fail("it does not answer")
        else:
            self._transport.write(framed(PoolPing()))
        self._beat = self._loop.call_later(BEAT, self._look)

    def _fail(self, why: str) -> None:
        log.error("the connection to the pool is given up: %s", why)
        self.end()

    async def ask(self, question: Question) -> msgspec.Raw:
        """The result of a question. Cancelling this drops it. Raises CardtableError."""
        message = framed(question)
        if len(message) > LONGEST_REQUEST:
            raise too_big()
        if not self.open or len(self._waiting) >= MOST_WAITING or self._held + len(message) > MOST_HELD:
            raise away()
        assert self._transport
        self._transport.write(message)
        future: asyncio.Future[Reply] = self._loop.create_future()
        self._waiting[question.number] = future
        self._held += len(message)
        try:
            reply = await future
        except asyncio.CancelledError:
            if self.open:
                self._transport.write(framed(Drop(question.number)))
            raise
        finally:
            self._held -= len(message)
            del self._waiting[question.number]
        if reply.refused:
            raise refusal(reply.refused)
        return reply.result

    def end(self) -> None:
        """End the connection at once."""
        self.open = False
        if self._transport:
            self._transport.abort()


class PoolLink:
    """A server process's connection to the pool, reopened when it is lost."""

    def __init__(self, settings: Settings) -> None:
        self._path = settings.pool
        self._longest = settings.longest_answer + MARGIN
        self._numbers = itertools.count(1)
        self._line: PoolLine | None = None
        self._attempt: asyncio.Task[None] | None = None
        self._began = 0.0  #: when the attempt to connect began
        self._reachable = True  #: whether the last attempt succeeded
        self._closed = False

    async def ask(self, kind: type[T], question: type[Question], *arguments: Any) -> T:
        """Send a request, made from all its fields except the number, and return its answer. kind: the answer's type.

        Cancelling this drops the request. Raises CardtableError, Away.
        """
        if self._line is None or not self._line.open:
            await self._connect()
        assert self._line
        result = await self._line.ask(question(next(self._numbers), *arguments))
        return msgspec.msgpack.decode(result, type=kind)

    @property
    def process(self) -> int:
        """The pool's process; 0: it is not known."""
        return self._line.process if self._line else 0

    async def _connect(self) -> None:
        """Wait for a connection, but not long: an attempt to reach a pool that hangs continues, and every request
        checks whether it has succeeded. Raises Away.
        """
        if self._closed:
            raise stopping()
        if self._attempt is None or self._attempt.done():
            self._began = time.monotonic()
            self._attempt = asyncio.create_task(self._reach())
        remaining = self._began + CONNECTED_WITHIN - time.monotonic()
        await asyncio.wait({self._attempt}, timeout=max(0.0, remaining))
        if self._line is None or not self._line.open:
            raise away()

    async def _reach(self) -> None:
        """Connect to the pool, if it is there."""
        why = ""
        line = PoolLine(self._longest)
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: line, self._path)
            if refused := (await line.greeted).refused:
                why = str(refusal(refused))
            else:
                self._line = line
        except (OSError, Away) as error:
            why = str(error)
        finally:
            if self._line is not line:
                line.end()
        if self._reachable is bool(why):
            self._reachable = not why
            log.log(logging.ERROR if why else logging.WARNING, "the pool %s", f"is away: {why}" if why else "is back")

    def close(self) -> None:
        """End the connection."""
        self._closed = True
        if self._attempt:
            self._attempt.cancel()
        if self._line:
            self._line.end()


class PooledBots(Bots):
    """Bots that think in the pool."""

    def __init__(self, link: PoolLink, settings: Settings) -> None:
        super().__init__(settings)
        self._link = link

    async def choose(self, view: View, level: str, seed: str, *, least: float = 0.0, haste: float = 1.0) -> str:
        """As `Bots.choose`; without the pool, the heuristic's move."""
        began = time.monotonic()
        try:
            return await super().choose(view, level, seed, least=least, haste=haste)
        except CardtableError:
            remaining = max(0.0, least - (time.monotonic() - began))
            return await super().choose(view, "medium", seed, least=remaining)

    async def think(
        self, view: View, seed: str, most: float, *, flat: bool = False, asker: str | None = None
    ) -> Advised:
        assert view.seat is not None
        past = b"" if flat or view.past is None else view.past.packed()
        asked = view.game.name, view.state.tobytes(), view.seat, past, view.moves, seed, most, flat, asker
        self.waiting += 1
        try:
            # hints wait for each other, and no game waits for them
            async with asyncio.timeout(most + 2 * self._settings.answer_within + SILENCE if asker is None else None):
                return await self._link.ask(Advised, Think, *asked)
        except TimeoutError:
            raise away() from None
        finally:
            self.waiting -= 1

    def close(self) -> None:
        super().close()
        self._link.close()


class PooledWorkers(Jobs):
    """The processes of the pool that read records."""

    def __init__(self, link: PoolLink) -> None:
        super().__init__()
        self._link = link

    @property
    def home(self) -> int:
        return self._link.process

    async def _do(self, caller: str, name: str, arguments: tuple[Any, ...]) -> bytes:
        return await self._link.ask(bytes, DoJob, caller, name, list(arguments))


class PooledReviews(Reviews):
    """The pool's reviews."""

    def __init__(self, link: PoolLink) -> None:
        self._link = link

    async def ask(self, owner: str, address: str, text: str, deal: int, seat: int) -> dict[str, Any]:
        if plain():
            raise not_ready(Message("a review"))
        return await self._link.ask(dict[str, Any], JudgeDeal, owner, address, text, deal, seat)

    async def close(self) -> None:
        """Nothing is judged in this process."""
