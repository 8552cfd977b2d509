"""Limits of connections: how many there may be, how long they may take, and how they end.

uvicorn closes a connection that is idle between two requests, and pings sockets. The rest is here: a client must send
its headers and its body in time, and read the answer; the number of connections is limited for each address, and in
total.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import socket
import threading
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cardtable.server.guard import LOOPBACK, block_of
from cardtable.server.settings import Settings

log = logging.getLogger("cardtable.server")
RESERVED = 128  #: open files that are not connections, such as the database, processes and modules
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
NO_SOCKET = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
LEAST_READ = 8192  #: bytes that a client must read within `slowest_send`
GOING_AWAY = 1001


def raise_open_files(most: int) -> None:
    """Raise this process's limit of open files to what `most` connections need, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + RESERVED if hard == resource.RLIM_INFINITY else min(most + RESERVED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room_for(most: int) -> int:
    """How many connections the limit of open files allows, at most `most`."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if soft == resource.RLIM_INFINITY else max(1, min(most, soft - RESERVED))


class Gate:
    """The open connections. If there are too many, the one that has been silent longest makes room for a new one."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._most = room_for(settings.most_connections)
        self._there: dict[asyncio.Transport, str] = {}
        self._by_address: Counter[str] = Counter()
        self._silent: OrderedDict[asyncio.Transport, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._there)

    @property
    def transports(self) -> list[asyncio.Transport]:
        """The connections."""
        return list(self._there)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Count a new connection; return False if there is no room for it."""
        peer = transport.get_extra_info("peername")
        address = block_of(str(peer[0])) if peer else ""
        if not self._free(address) and self._by_address[address] >= self._settings.connections_per_address:
            return False
        if len(self._there) >= self._most:
            if not self._silent:
                return False
            oldest = next(iter(self._silent))
            self.leave(oldest)
            oldest.abort()
        self._there[transport] = address
        self._by_address[address] += 1
        self._silent[transport] = None
        return True

    def _free(self, address: str) -> bool:
        """Whether an address may have any number of connections: this machine, or a proxy."""
        return address in self._settings.proxies or (self._settings.loopback_is_free and address in LOOPBACK)

    def spoke(self, transport: asyncio.Transport) -> None:
        """A connection has sent a whole request's headers."""
        self._silent.pop(transport, None)

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        self._silent.pop(transport, None)
        address = self._there.pop(transport, None)
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


class Reader:
    """Cuts the connection of a client that does not read what is written to it."""

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self._left = 0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Something is waiting to be read."""
        if self._timer is None:
            self._left = self._transport.get_write_buffer_size()
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._look)

    def end(self) -> None:
        """Everything was read, or the connection has ended."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        left = self._transport.get_write_buffer_size()
        if left and self._left - left < min(LEAST_READ, self._left):
            self._transport.abort()
        elif left:
            self.begin()


class _Timed(asyncio.Protocol):
    """A protocol whose client must read what is written to it in time."""

    def __init__(self, *args: Any, gate: Gate, settings: Settings, **more: Any) -> None:
        super().__init__(*args, **more)
        self._gate, self._settings = gate, settings
        self._reader: Reader | None = None

    def pause_writing(self) -> None:
        """The client reads more slowly than we write."""
        super().pause_writing()
        if self._reader:
            self._reader.begin()

    def resume_writing(self) -> None:
        """The client has read most of it."""
        super().resume_writing()
        if self._reader:
            self._reader.end()


class Http(_Timed, H11Protocol):
    """A connection over HTTP, or one that has not sent anything yet."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._timer: asyncio.TimerHandle | None = None
        self._timed: Any = None  #: what the timer waits for: headers (h11.IDLE) or a body (h11.SEND_BODY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a connection in, if there is room."""
        line = cast(asyncio.Transport, transport)
        super().connection_made(line)
        if not self._gate.enter(line):
            line.abort()
            return
        self._reader = Reader(line, self._settings.slowest_send)
        with contextlib.suppress(
            OSError
        ):  # asyncio only does so if the listening socket was made with the protocol TCP
            line.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._mind()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._gate.leave(self.transport)
        self._wait_for(None)
        if self._reader:
            self._reader.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Data arrived: headers, a body, or parts of them."""
        super().data_received(data)
        self._mind()

    def _mind(self) -> None:
        """Set a timer for what the client must still send."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it has become a WebSocket
            self._wait_for(None)
            return
        owed = self.conn.their_state
        if owed is not h11.IDLE:
            self._gate.spoke(self.transport)
        self._wait_for(owed if owed in (h11.IDLE, h11.SEND_BODY) else None)

    def _wait_for(self, owed: Any) -> None:
        if owed is self._timed:
            return
        if self._timer:
            self._timer.cancel()
        self._timer, self._timed = None, owed
        if owed is not None:
            seconds = self._settings.headers_within if owed is h11.IDLE else self._settings.body_within
            self._timer = self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        """Headers or a body did not arrive in time."""
        self._timer = None
        if not self.transport.is_closing():
            if self.conn.trailing_data[0] and (self.cycle is None or self.cycle.response_complete):
                self.transport.write(TOO_LATE)
            self.transport.close()
            self._flush()

    def timeout_keep_alive_handler(self) -> None:
        """The connection was idle for too long."""
        super().timeout_keep_alive_handler()
        self._flush()

    def _flush(self) -> None:
        """The client must read the rest in time, even while the connection is being closed."""
        if self._reader and self.transport.get_write_buffer_size():
            self._reader.begin()


class Socket(_Timed, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The gate has let the connection in already."""
        super().connection_made(transport)
        self._gate.spoke(self.transport)
        self._reader = Reader(self.transport, self._settings.slowest_send)

    def data_received(self, data: bytes) -> None:
        """Data arrived; the first time it is the whole request, as HTTP has read it."""
        super().data_received(data)
        if (
            not self.handshake_initiated and not self.transport.is_closing()
        ):  # not the method or headers of a WebSocket: uvicorn would wait
            self.transport.write(NO_SOCKET)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._gate.leave(self.transport)
        if self._reader:
            self._reader.end()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: send code 1001 (uvicorn would send 1012), and close."""
        if self.handshake_complete and not self.close_sent:
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": GOING_AWAY, "reason": ""})
            self.conn.send_close(GOING_AWAY)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        else:
            super().shutdown()


class Server(uvicorn.Server):
    """uvicorn's server, made certain to end: work that requests are waiting for is dropped first."""

    def __init__(
        self,
        config: uvicorn.Config,
        halt: Callable[[], Awaitable[None]] | None,
        gate: Gate,
        answering: Callable[[], Any],
    ) -> None:
        super().__init__(config)
        self._answering = answering
        self._halt = halt
        self.gate = gate
        self.stop_within = (
            0.0  #: seconds after which the whole process ends even if threads are still running; 0: never
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and call `answering`."""
        await super().startup(sockets)
        if self.started:
            self._answering()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        if self.stop_within:
            last = threading.Timer(self.stop_within, _give_up)
            last.daemon = True
            last.start()
        if self._halt:
            await self._halt()
        await super().shutdown(sockets)


def _give_up() -> None:
    """End the process although a thread does not end; everything acknowledged is on disk."""
    log.error("a thread does not end: the process ends without it")
    os._exit(1)


def server_of(app: Any, settings: Settings, answering: Callable[[], Any] = lambda: None) -> Server:
    """The web server around an application: small frames, no compression, a short keep-alive. answering: called once it
    answers.
    """
    gate = Gate(settings)
    hall = getattr(app, "hall", None)
    config = uvicorn.Config(
        app, http=cast(Any, partial(Http, gate=gate, settings=settings)),
        ws=cast(Any, partial(Socket, gate=gate, settings=settings)),
        ws_max_size=settings.longest_frame, ws_per_message_deflate=False, ws_ping_interval=20.0, ws_ping_timeout=20.0,
        timeout_keep_alive=settings.keep_alive, timeout_graceful_shutdown=3, backlog=2048, log_config=None,
        log_level="warning",
        access_log=False, server_header=False, lifespan="on", proxy_headers=False,  # see guard.address_of
    )  # fmt: skip
    return Server(config, hall.workers.close if hall else None, gate, answering)
