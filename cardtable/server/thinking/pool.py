"""The pool: one process in which the bots of all server processes of a machine think, `python -m
cardtable.server.thinking.pool PATH`. It also judges their reviews, and owns their worker processes.

It listens at a Unix socket that only this user can use. The first line of its standard input has the settings, as JSON
(empty: the defaults). It ends when standard input is closed, so it never outlives the process that started it, and on
SIGTERM. Requests of a server process are dropped when its connection ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import stat
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.precompile import ready
from cardtable.rules import catalog
from cardtable.server import logs
from cardtable.server.net.fair_queue import TOO_MUCH, Busy
from cardtable.server.net.listening import remove_unused
from cardtable.server.net.waits import Waits
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import Advised, plain
from cardtable.server.thinking.protocol import (
    FAULT,
    KEY,
    LONGEST_REQUEST,
    MOST_HELD,
    MOST_WAITING,
    DoJob,
    Drop,
    JudgeDeal,
    PoolHello,
    PoolPing,
    Question,
    Reply,
    Request,
    Think,
    framed,
    hear,
    not_ready,
    refused,
)
from cardtable.server.thinking.thinking import Thinking
from cardtable.server.thinking.warming import Warming
from cardtable.views.observed import Past
from cardtable.views.view import View

log = logging.getLogger("cardtable.server")
STOP_WITHIN = 2.0  #: seconds from the signal to the end of the process, at most
GREETED_WITHIN = 5.0  #: seconds for a connection to send hello
SLOWEST_SEND = 10.0  #: seconds that a server process may take to read an answer before it is disconnected
MOST_CONNECTIONS = 256
LONGEST_SETTINGS = 1 << 16  #: bytes

OTHER = Busy(
    Message("this request"), Message("the server's processes have different versions"), Message("restart the server")
)


class Pool:
    """The shared state of the server processes."""

    def __init__(self, settings: Settings) -> None:
        self._thinking = Thinking(replace(settings, pool=""), Waits())
        self._warming = Warming()  # only loads games: the server processes compile them
        self._loaded: set[str] = set()
        self.connections: set[PoolConnection] = set()

    async def do(self, question: Question) -> Any:
        """The answer to a question. Raises CardtableError, ValueError (no state of that game)."""
        match question:
            case Think():
                return await self._think(question)
            case JudgeDeal(owner=owner, address=address, text=text, deal=deal, seat=seat):
                return await self._thinking.reviews.ask(owner, address, text, deal, seat)
            case DoJob(caller=caller, name=name, arguments=arguments):
                return await self._thinking.workers.do(caller, name, *arguments)

    async def _think(self, asked: Think) -> Advised:
        game = catalog.find(asked.game)
        if game.name not in self._loaded:
            if plain() or not ready(game):
                raise not_ready(Message("a bot's move"))
            await asyncio.to_thread(self._warming.load, game)
            self._loaded.add(game.name)
        state = game.rules.State.of_bytes(asked.state)
        past = Past.unpacked(game.rules.State, asked.seat, asked.past) if asked.past else None
        recall = (lambda: past) if past else None
        view = View(game, "", asked.seat, state, asked.moves, (asked.seat,), (), (), _recall=recall)
        return await self._thinking.bots.think(view, asked.seed, asked.most, flat=asked.flat, asker=asked.asker)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a server process until its connection ends."""
        connection = PoolConnection(self, reader, writer)
        if len(self.connections) >= MOST_CONNECTIONS:
            return connection.end()
        self.connections.add(connection)
        try:
            await connection.serve()
        except (EOFError, OSError, TimeoutError):
            pass
        except (ValueError, msgspec.MsgspecError) as error:
            log.error("the pool ends a connection: %s", error)
        finally:
            self.connections.discard(connection)
            connection.end()

    async def close(self) -> None:
        """Drop all requests and end all processes."""
        for connection in tuple(self.connections):
            connection.end()
        await self._thinking.close()


class PoolConnection:
    """The pool's side of a connection."""

    def __init__(self, pool: Pool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._pool, self._reader, self._writer = pool, reader, writer
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._held = 0  #: bytes of the requests that wait

    async def serve(self) -> None:
        """Answer requests. Raises EOFError, OSError, TimeoutError, ValueError, msgspec.MsgspecError."""
        async with asyncio.timeout(GREETED_WITHIN):
            hello, _ = await self._next()
        if not isinstance(hello, PoolHello):
            raise ValueError("a message before the first")
        if hello.key != KEY:
            return await self._send(Reply(refused=refused(OTHER)))
        await self._send(Reply())
        while True:
            request, size = await self._next()
            match request:
                case PoolHello():
                    raise ValueError("a second first message")
                case PoolPing():
                    await self._send(Reply())
                case Drop(number=number):
                    if task := self._tasks.get(number):
                        task.cancel()
                case _:
                    await self._begin(request, size)

    async def _next(self) -> tuple[Request, int]:
        message = await hear(self._reader, LONGEST_REQUEST)
        return msgspec.msgpack.decode(message, type=Request), len(message)

    async def _begin(self, question: Question, size: int) -> None:
        if question.number in self._tasks:
            raise ValueError("two requests with one number")
        if len(self._tasks) >= MOST_WAITING or self._held + size > MOST_HELD:
            return await self._send(Reply(question.number, refused=refused(Busy(Message("this request"), *TOO_MUCH))))
        self._held += size
        task = self._tasks[question.number] = asyncio.create_task(self._answer(question))
        task.add_done_callback(lambda _: self._done(question.number, size))

    def _done(self, number: int, size: int) -> None:
        self._held -= size
        del self._tasks[number]

    async def _answer(self, question: Question) -> None:
        reply = await self._answered(question)
        with contextlib.suppress(OSError, TimeoutError):  # the connection has ended, which `serve` notices
            await self._send(reply)

    async def _answered(self, question: Question) -> Reply:
        try:
            result = await self._pool.do(question)
            return Reply(question.number, msgspec.Raw(msgspec.msgpack.encode(result)))
        except CardtableError as error:
            return Reply(question.number, refused=refused(error))
        except Exception:
            log.exception("the pool failed to answer")
            return Reply(question.number, refused=refused(FAULT))

    async def _send(self, reply: Reply) -> None:
        """Raises OSError, TimeoutError."""
        self._writer.write(framed(reply))
        try:
            async with asyncio.timeout(SLOWEST_SEND):
                await self._writer.drain()
        except TimeoutError:
            self.end()
            raise

    def end(self) -> None:
        """End the connection, and drop its requests."""
        for task in self._tasks.values():
            task.cancel()
        self._writer.transport.abort()


def listen(path: Path) -> socket.socket:
    """A socket bound to a path, which only this user can use. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    listening = platform.local_socket()
    before = os.umask(0o177)
    try:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISSOCK(path.lstat().st_mode):
                remove_unused(str(path))  # one that is used stays, so that it cannot be bound
        listening.bind(str(path))
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(before)
    return listening


async def run(listening: socket.socket, settings: Settings) -> NoReturn:
    """Serve until standard input is closed or SIGTERM arrives; then end the process."""
    loop, stop, path = asyncio.get_running_loop(), asyncio.Event(), Path(listening.getsockname())
    platform.hear(loop, signal.SIGTERM, stop.set)
    threading.Thread(target=_await_end, args=(loop, stop), name="end", daemon=True).start()
    pool = Pool(settings)
    gc.freeze()
    server = await asyncio.start_unix_server(pool.serve, sock=listening)
    await stop.wait()
    last = threading.Timer(STOP_WITHIN, os._exit, (1,))
    last.daemon = True
    last.start()
    server.close()
    await pool.close()
    path.unlink(missing_ok=True)
    os._exit(0)  # do not wait for a bot that still thinks or a game that is being loaded


def _await_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Wait until standard input is closed at its other end."""
    while os.read(0, 1 << 12):
        pass
    loop.call_soon_threadsafe(stop.set)


def given() -> Settings:
    """The settings in the first line of standard input. Raises msgspec.MsgspecError."""
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST_SETTINGS:
        read = os.read(0, 1)  # a buffer would swallow what comes after
        if not read:
            break
        line += read
    return msgspec.json.decode(line, type=Settings) if line.strip() else Settings()


def main() -> None:
    """Serve at the path that is named on the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the process that started this one
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cardtable.server.thinking.pool PATH")
    path = Path(sys.argv[1])
    try:
        settings = given()
        logs.set_up(settings)
        listening = listen(path)
    except (OSError, msgspec.MsgspecError) as error:
        sys.exit(f"the pool at {path}: {error}")
    sys.setswitchinterval(0.001)  # so that bots do not hold up the loop, as in a server
    asyncio.run(run(listening, settings))


if __name__ == "__main__":
    main()
