"""Limits of connections: how many there may be, how long they may take, how much work they may cause, and how they end.

uvicorn closes a connection that is idle between two requests, and pings sockets. The rest is here: a client must send
its headers and its body in time, and read the answer; the number of connections is limited for each address, and in
total. What arrives is parsed a little at a time, and limits apply before the next piece: to the length of headers, to
frames on a socket, and to how often a few bytes are read. A body may come in chunks, but not in many small ones: each
costs as much as a whole body.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.net.guard import TRIAL, Bucket, refused
from cardtable.server.net.mailbox import Mailbox
from cardtable.server.net.networks import FOR_SEATS, LOOPBACK, OF_ONE, block_of, networks_of
from cardtable.server.net.passed_on import Greeting, Passed, PassOn
from cardtable.server.settings import Settings

log = logging.getLogger("cardtable.server")
RESERVED = 128  #: open files other than connections, such as the database, processes and modules
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
NO_SOCKET = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
LEAST_READ = 8192  #: bytes that a client must read within `slowest_send`
#: codes with which sockets are closed
GOING_AWAY, NOT_TEXT, POLICY, RESTART, LATER = 1001, 1007, 1008, 1012, 1013
AHEAD = 4  #: messages that are read from a socket before the first of them is taken
PIECE = 4096  #: bytes that are parsed before the limits are looked at again
LONGEST_HEAD = 16_384  #: bytes of a request's headers, and at most PIECE more
LINE = "cardtable.line"  #: in the scope of a WebSocket: its `Socket`
FRAMES = (600, 20.0)  #: on one socket: pings, pongs and parts of messages; messages have a separate rate
CRUMB = 512  #: bytes; a smaller part of a request counts as one
CRUMBS = (100, 4.0)  #: that are read at once from one connection
BREATH = 0.04  #: seconds after which the next one is read from a connection that sent more
CHUNKS, CHUNK = 500, 512  #: a body may have this number of chunks of any size, and another one for each number of bytes
MOST_CHUNKS = CHUNKS + 1024  #: of the longest body, 512 KiB
SMALL_CHUNKS = CardtableError(
    Message("this request"),
    Message("its body is sent in too many small chunks"),
    Message("send larger chunks, or its length in Content-Length"),
    code="http/length",
)
TWO_LENGTHS = CardtableError(
    Message("this request"),
    Message("it has both Content-Length and Transfer-Encoding"),
    Message("send one of them"),
    code="http/length",
)
LONG_HEAD = CardtableError(
    Message("this request"),
    Message("its headers are longer than {n} bytes", n=LONGEST_HEAD),
    Message("send less"),
    code="http/size",
)


def pieces(data: bytes) -> Iterator[bytes]:
    """Data in pieces that do not take long to parse."""
    return (data[at : at + PIECE] for at in range(0, len(data), PIECE))


def room_for(most: int) -> int:
    """How many connections the limit of open files allows, at most `most`."""
    return max(1, int(min(most, platform.open_files_limit() - RESERVED)))


def client_at(transport: asyncio.Transport) -> tuple[str, int] | None:
    """The address at the other end of a connection; a client of a Unix socket is on this machine."""
    line = transport.get_extra_info("socket")
    if line is not None and platform.is_unix(line):
        return LOOPBACK[0], 0
    peer = transport.get_extra_info("peername")
    return (str(peer[0]), int(peer[1])) if peer else None


class Gate:
    """The open connections. If there are too many, the one silent for longest is closed for a new one.

    If a larger network has too many, a few more are let in on trial: the first request must show that it comes from a
    person with a seat, to whom the connection then counts. The oldest on trial is closed for a new one.
    """

    def __init__(self, settings: Settings, refused: Callable[[str, str], None] = lambda why, address: None) -> None:
        """refused: called with the reason and the address of each connection that is refused or closed for lack of
        room.
        """
        self._settings, self._refused = settings, refused
        self._most = room_for(settings.most_connections)
        self._there: dict[asyncio.Transport, str] = {}
        self._by_address: Counter[str] = Counter()  #: and by larger networks, and by people who came on trial
        self._on_trial: dict[asyncio.Transport, str] = {}  #: the oldest first, with their addresses
        self._people: dict[asyncio.Transport, str] = {}  #: people with connections let in after a trial
        self._silent: OrderedDict[asyncio.Transport, None] = OrderedDict()
        self.greetings: dict[asyncio.Transport, Greeting] = {}  #: of connections that another process passed on

    def __len__(self) -> int:
        return len(self._there)

    @property
    def transports(self) -> list[asyncio.Transport]:
        """The connections."""
        return list(self._there)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Count a new connection; return False if there is no room for it."""
        greeting = self.greetings.get(transport)
        peer = greeting.client if greeting else client_at(transport)
        address = block_of(str(peer[0])) if peer else ""
        each, over = self._settings.connections_per_address, False
        for one, times in self._limits(address):
            if self._by_address[one] >= each * times:
                over = True
                if one == address or not self._has_reserve(one, each * times):
                    self._refused("connections", address)
                    return False
        if len(self._there) >= self._most:
            if not self._silent:
                self._refused("crowd", address)
                return False
            oldest = next(iter(self._silent))
            self._refused("silent", self._there[oldest])
            self.leave(oldest)
            oldest.abort()
        self._there[transport] = address
        self._by_address.update(one for one, _ in self._limits(address))
        self._silent[transport] = None
        if over:
            self._on_trial[transport] = address
        return True

    def _has_reserve(self, network: str, most: int) -> bool:
        """Whether there is room for another connection on trial from a network, perhaps by closing the oldest."""
        if self._by_address[network] < most + max(1, most // FOR_SEATS):
            return True
        mine = (one for one, address in self._on_trial.items() if network in dict(self._limits(address)))
        if oldest := next(mine, None):
            self._refused("connections", self._there[oldest])
            self.leave(oldest)
            oldest.abort()
        return oldest is not None

    def admit(self, transport: asyncio.Transport, person: str) -> bool:
        """Let a connection that came on trial stay if it belongs to a person with a seat ("": none); return whether
        it may stay.
        """
        if transport not in self._on_trial:
            return True
        if not person or self._by_address[person] >= OF_ONE:
            return False
        del self._on_trial[transport]
        self._people[transport] = person
        self._by_address[person] += 1
        return True

    def is_on_trial(self, transport: asyncio.Transport) -> bool:
        """Whether a connection is on trial."""
        return transport in self._on_trial

    def _limits(self, address: str) -> tuple[tuple[str, int], ...]:
        """The units for which a connection from an address counts, with their limits as multiples of one address's:
        the address, and its larger networks. This machine and proxies are unlimited.
        """
        if address in self._settings.proxies or (self._settings.loopback_is_free and address in LOOPBACK):
            return ()
        return (address, 1), *networks_of(address)

    def spoke(self, transport: asyncio.Transport) -> None:
        """A connection has sent a whole request's headers."""
        self._silent.pop(transport, None)

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        self._silent.pop(transport, None)
        self.greetings.pop(transport, None)
        self._on_trial.pop(transport, None)
        person = self._people.pop(transport, None)
        address = self._there.pop(transport, None)
        if address is not None:
            for one in [*(one for one, _ in self._limits(address)), *([person] if person else [])]:
                self._by_address[one] -= 1
                if not self._by_address[one]:
                    del self._by_address[one]


class ReadingDeadline:
    """Cuts the connection of a client that does not read its data."""

    __slots__ = ("_seconds", "_timer", "_transport", "_unread")

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self._unread = 0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Something is waiting to be read."""
        if self._timer is None:
            self._unread = self._transport.get_write_buffer_size()
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._look)

    def end(self) -> None:
        """Everything was read, or the connection has ended."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        unread = self._transport.get_write_buffer_size()
        if unread and self._unread - unread < min(LEAST_READ, self._unread):
            self._transport.abort()
        elif unread:
            self.begin()


class Crumbs:
    """Reads a connection less often if it keeps sending a few bytes at a time; the rest waits in the system."""

    __slots__ = ("_bucket", "_held", "_transport")

    def __init__(self, transport: asyncio.Transport, held: Callable[[], bool]) -> None:
        """held: whether the connection must not be read for another reason."""
        self._transport, self._held = transport, held
        self._bucket = Bucket(CRUMBS[0], time.monotonic())

    def count(self) -> None:
        """A few bytes were read."""
        if self._bucket.take(*CRUMBS, time.monotonic()) and not self._transport.is_closing():
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(BREATH, self._go_on)

    def _go_on(self) -> None:
        if not self._held() and not self._transport.is_closing():
            self._transport.resume_reading()


class _Timed(asyncio.Protocol):
    """A protocol whose client must read in time."""

    def __init__(self, *args: Any, gate: Gate, settings: Settings, **more: Any) -> None:
        super().__init__(*args, **more)
        self._gate, self._settings = gate, settings
        self._reader: ReadingDeadline | None = None

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


class Chunks:
    """A body in chunks, as far as it has arrived."""

    __slots__ = ("length", "number", "received")

    def __init__(self, received: int) -> None:
        """received: bytes of it that have arrived with the headers."""
        self.received = received  #: bytes, including the chunk-size lines
        self.length = self.number = 0  #: bytes without these; chunks that are complete

    @property
    def small(self) -> bool:
        """Whether it has too many chunks for its length, or lines around them that are too long."""
        around = self.received - self.length - PIECE  # a piece may not be parsed yet
        most = min(CHUNKS + self.length // CHUNK, MOST_CHUNKS)
        return self.number > most or around > LONGEST_HEAD + 16 * self.number


class Requests(h11.Connection):
    """A client's HTTP requests. Headers that are too long and bodies in many small chunks are refused."""

    refusal: tuple[int, CardtableError] | None = None  #: the status and the reason of the last refusal
    _chunks: Chunks | None = None  #: of the body that is arriving, if it comes in chunks

    def receive_data(self, data: bytes) -> None:
        """Take data that has arrived."""
        if self._chunks:
            self._chunks.received += len(data)
        super().receive_data(data)

    def next_event(self) -> Any:
        """The next event. Raises h11.RemoteProtocolError."""
        self.refusal = None
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == 431:
                self.refusal = 431, LONG_HEAD
            raise
        if isinstance(event, h11.Request):
            self._begin(event)
        elif isinstance(event, h11.EndOfMessage):
            self._chunks = None
        elif self._chunks:
            if isinstance(event, h11.Data):
                self._chunks.number += event.chunk_end  # chunk_start is not always set
                self._chunks.length += len(event.data)
            if self._chunks.small:
                self.refusal = 411, SMALL_CHUNKS
                raise h11.RemoteProtocolError("a body in many small chunks")
        return event

    def _begin(self, request: h11.Request) -> None:
        """The headers of a request have arrived. Raises h11.RemoteProtocolError."""
        names = {name for name, _ in request.headers}
        if {b"transfer-encoding", b"content-length"} <= names:  # servers that disagree on which counts can be misled
            self.refusal = 400, TWO_LENGTHS
            raise h11.RemoteProtocolError("two lengths of a body")
        self._chunks = Chunks(len(self.trailing_data[0])) if b"transfer-encoding" in names else None


class Http(_Timed, H11Protocol):
    """A connection over HTTP, or one that has not sent anything yet."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn = self._requests = Requests(h11.SERVER, LONGEST_HEAD)
        self._crumbs: Crumbs | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timed: Any = None  #: what the timer waits for: headers (h11.IDLE) or a body (h11.SEND_BODY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a connection in, if there is room."""
        line = cast(asyncio.Transport, transport)
        super().connection_made(line)
        self.client = self.client or client_at(line)
        if not self._gate.enter(line):
            line.abort()
            return
        if self._gate.is_on_trial(line):
            self.app_state = self.app_state | {TRIAL: partial(self._gate.admit, line)}
        self._reader = ReadingDeadline(line, self._settings.slowest_send)
        self._crumbs = Crumbs(line, lambda: self.flow.read_paused or line.get_protocol() is not self)
        # asyncio only does so if the listening socket was created with the protocol TCP
        with contextlib.suppress(OSError):
            line.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._mind()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._gate.leave(self.transport)
        self._wait_for(None)
        if self._reader:
            self._reader.end()
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """Nothing more comes here: drop what refers to this object, so that its memory is free at once. Garbage is not
        collected while people play.
        """
        self._reader = self._crumbs = None
        self.cycle = cast(Any, None)

    def data_received(self, data: bytes) -> None:
        """Data arrived: headers, a body, or parts of them."""
        before = self.conn.their_state
        for piece in pieces(data):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                break
            super().data_received(piece)
        if self._crumbs and len(data) < CRUMB and self.conn.their_state is before:
            self._crumbs.count()
        self._mind()

    def on_response_complete(self) -> None:
        """A request was answered: it was the only one of a connection that is still on trial."""
        if self._gate.is_on_trial(self.transport):
            self.transport.close()
            self._flush()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid or unsupported request, and close the connection."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()  # an answer is on its way already
        elif self._requests.refusal is None:
            super().send_400_response(msg)
        else:
            status, error = self._requests.refusal
            body = msgspec.json.encode(refused(error))
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            self.transport.write(self.conn.send(h11.Response(status_code=status, headers=headers)) or b"")
            self.transport.write(self.conn.send(h11.Data(data=body)) or b"")
            self.conn.send(h11.EndOfMessage())
            self._answer_no_more()
            self.transport.close()

    def _answer_no_more(self) -> None:
        """Mark a request known to the application as answered here."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _mind(self) -> None:
        """Set a timer for the client's remaining data."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._wait_for(None)
            if self.transport.get_protocol() is not self:  # it has become a WebSocket
                self._let_go()
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
            if self.cycle is None or self.cycle.response_complete:
                begun = bool(self.conn.trailing_data[0])  # part of the headers
            else:
                begun = not self.cycle.response_started  # its body is missing
            if begun:
                self._answer_no_more()
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

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.queue = cast(Any, Mailbox())
        self._head = b""  #: the request as the client sent it, until it is answered

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The gate has already let the connection in."""
        super().connection_made(transport)
        self.client = self.client or client_at(self.transport)
        self._gate.spoke(self.transport)
        self._reader = ReadingDeadline(self.transport, self._settings.slowest_send)
        self._crumbs = Crumbs(self.transport, lambda: self.read_paused)
        self._frames = Bucket(FRAMES[0], time.monotonic())

    def handle_connect(self, event: Any) -> None:
        """A request for a WebSocket arrived; who serves it finds this connection in the scope."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast(Any, self.scope)[LINE] = self
            if greeting := self._gate.greetings.get(self.transport):
                self.scope["client"] = greeting.client

    def tell(self, text: str) -> bool:
        """Send a text; return False if the client reads too slowly or has gone.

        Equivalent to `send`, but without waiting, and so without a task. Texts in immediate succession, such as the
        answer to a move and the table after it, are written together.
        """
        reads = self.writable.is_set() and not self.transport.is_closing()
        if not reads or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if not self.conn.writes:
            self.loop.call_soon(self._flush)
        self.conn.send_text(text.encode())
        return True

    def _flush(self) -> None:
        if frames := self.conn.data_to_send():
            self.transport.write(b"".join(frames))

    def data_received(self, data: bytes) -> None:
        """Data arrived; the first time it is the whole request, as HTTP has read it."""
        if not self.handshake_initiated:
            self._head = data
        for piece in pieces(data):
            if self.transport.is_closing():
                return
            super().data_received(piece)
        if len(data) < CRUMB:
            self._crumbs.count()
        if self.conn.state is State.OPEN and self._head:
            self._head = b""
            self.request.headers.clear()  # no longer needed, and websockets keeps its request
            self.response.headers.clear()
            self.scope["headers"] = []
        # not the method or headers of a WebSocket: uvicorn would wait
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(NO_SOCKET)
            self.transport.close()

    @property
    def hops(self) -> int:
        """How many processes have passed this connection on."""
        greeting = self._gate.greetings.get(self.transport)
        return greeting.hops if greeting else 0

    async def hand_over(self, pass_on: PassOn) -> Passed:
        """Pass this connection on to another process, before its request is answered. pass_on: does it."""
        greeting = Greeting(self.scope["client"] or ("", 0), self.hops + 1, self._head)
        self.read_paused = True  # what comes from now on is the other process's
        self.transport.pause_reading()
        passed = await pass_on(self.transport, greeting, self.connection_lost)
        if passed is Passed.DONE:
            self.handshake_complete = True  # by the other process
            if self.transport.get_protocol() is not self:  # relayed: uvicorn must not close it
                self.close_timer = self.loop.call_later(0.0, lambda: None)
        elif not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()
        return passed

    def handle_events(self) -> None:
        """Handle what arrived; a client that sends too many frames is dropped."""
        most, seconds = FRAMES
        flood = any(self._frames.take(most, seconds, time.monotonic()) for _ in self.conn.events)
        super().handle_events()
        if flood and not self.transport.is_closing():
            self._end(POLICY)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, unless it is a text that is no UTF-8. No more is read while several wait: uvicorn stops
        for each of them, which takes two calls of the system.
        """
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "bytes":
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        else:
            try:
                self.queue.put_nowait({"type": "websocket.receive", "text": data.decode()})
            except UnicodeDecodeError:
                return self._end(NOT_TEXT)
        if len(cast(Any, self.queue)) >= AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._gate.leave(self.transport)
        if self._reader:
            self._reader.end()
        super().connection_lost(exc)

    def _end(self, code: int) -> None:
        """Close the connection, with a code for the reason."""
        if self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN:
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def shutdown(self) -> None:
        """The server stops: send code 1001 (uvicorn would send 1012), and close."""
        if self.handshake_complete and not self.close_sent:
            self._end(GOING_AWAY)
        else:
            super().shutdown()
