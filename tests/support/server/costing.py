"""What a request costs a server: the processor time of its threads, other than those in which bots think."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from tests.support.server.served import Served

CALM = 0.012  #: seconds without work after which a request counts as done: longer than a write to the disk takes
PATIENCE = 90.0
BOTS = "bot"  #: how the names of threads begin in which bots think: that is limited by the settings, not by requests


def clock(thread: threading.Thread) -> float:
    if thread.ident is None:  # it has not begun yet
        return 0.0
    with contextlib.suppress(OSError):
        return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return 0.0


class Meter:
    """The processor time of a server in this process: of all threads but the clients' and the bots'."""

    def __init__(self, clients: Iterable[threading.Thread] = (), busy: Callable[[], object] = lambda: False) -> None:
        """busy: whether the server waits for a separate process."""
        self._clients = {threading.main_thread(), threading.current_thread(), *clients}
        self._busy = busy

    def read(self) -> float:
        return sum(
            clock(thread)
            for thread in threading.enumerate()
            if thread not in self._clients and not thread.name.startswith(BOTS)
        )

    def settled(self) -> float:
        """Seconds so far, as soon as nothing more is done."""
        until, last, since = time.monotonic() + 1.0, self.read(), time.monotonic()
        waits = until + PATIENCE
        while (busy := time.monotonic() < waits and self._busy()) or time.monotonic() < min(until, since + CALM):
            time.sleep(0.001)
            now = self.read()
            if busy:
                until = time.monotonic() + 1.0
            if busy or now - last > 0.0003:
                last, since = now, time.monotonic()
        return self.read()

    @contextlib.contextmanager
    def measured(self) -> Iterator[list[float]]:
        """Append to a list how long the server works on what is done within."""
        found: list[float] = []
        began = self.settled()
        yield found
        found.append(self.settled() - began)


def exchange(server: Served, sent: bytes | Iterable[bytes], timeout: float = PATIENCE) -> bytes:
    """Send bytes on a new connection, and read until the server closes it."""
    heard = bytearray()
    with socket.create_connection(("127.0.0.1", server.port), timeout) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send() -> None:
            with contextlib.suppress(OSError):
                for part in [sent] if isinstance(sent, bytes) else sent:
                    line.sendall(part)

        sending = threading.Thread(target=send, name=BOTS)  # no work of the server's
        sending.start()
        with contextlib.suppress(OSError):
            while part := line.recv(1 << 18):
                heard += part
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        sending.join()
    return bytes(heard)


def head(method: str, path: str, token: str = "", more: bytes = b"", length: int | None = None) -> bytes:
    """The head of a request that asks the server to close the connection."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += [f"Cookie: cardtable={token}"] if token else []
    lines += [f"Content-Length: {length}"] if length is not None else []
    return "\r\n".join(lines).encode() + b"\r\n" + more + b"\r\n"


def request(method: str, path: str, body: bytes | None = None, token: str = "", more: bytes = b"") -> bytes:
    """A request that asks the server to close the connection."""
    return head(method, path, token, more, None if body is None else len(body)) + (body or b"")


def status(answer: bytes) -> int:
    """The status of an answer; 0: none."""
    return int(answer[9:12]) if answer[:5] == b"HTTP/" else 0


def frame(payload: bytes, opcode: int = 1, fin: bool = True) -> bytes:
    n, first = len(payload), opcode | (0x80 if fin else 0)
    if n < 126:
        size = struct.pack("!BB", first, 0x80 | n)
    else:
        size = struct.pack("!BBH", first, 0x80 | 126, n) if n < 1 << 16 else struct.pack("!BBQ", first, 0x80 | 127, n)
    return size + b"\0\0\0\0" + payload  # a mask of zeros


def upgrade(token: str) -> bytes:
    lines = [
        "GET /ws HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: cardtable={token}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"
