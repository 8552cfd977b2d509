"""Passing a connection on to the process that has its table, before the handshake of its WebSocket is answered.

On the same machine the process gets the connection itself (its file descriptor, over a Unix socket), and this process
is no longer involved. To a process on another machine, this one connects, authenticates with the secret that all
processes share, and then relays bytes in both directions without reading them.

Both ways begin with a `Greeting` and the request's head as the client sent it, and the receiver answers OK when it has
taken the connection over.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import os
import secrets
import socket
import struct
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec

from cardtable.base import platform
from cardtable.server.cluster.alone import ServerNode
from cardtable.server.net.passed_on import Greeting, Passed, Take
from cardtable.server.net.tasks import Tasks

log = logging.getLogger("cardtable.server")
PATIENCE = 2.0  #: seconds for each step of passing a connection on
LONGEST = 32_768  #: bytes of a greeting and a head
MOST_AT_ONCE = 64  #: unauthenticated connections from other machines
BUFFERED = 65_536  #: bytes relayed in one direction that the receiver has not read yet
OK = b"+"
NONCE, PROOF = 32, 32  #: bytes
_LENGTH = struct.Struct("!I")


def _packed(greeting: Greeting) -> bytes:
    body = msgspec.msgpack.encode(greeting)
    return _LENGTH.pack(len(body)) + body


def pass_descriptor(path: str, line: socket.socket, greeting: Greeting) -> Passed:
    """Pass a connection on to a process of this machine. It blocks, at most about PATIENCE."""
    with platform.local_socket() as to:
        to.settimeout(PATIENCE)
        try:
            to.connect(path)
        except ConnectionRefusedError:  # the file exists, but no process listens
            return Passed.GONE
        except OSError:
            return Passed.FAILED
        data = _packed(greeting)
        try:
            sent = socket.send_fds(to, [data], [line.fileno()])
            if sent < len(data):  # a process that has all of it may have taken it and hung up
                to.sendall(data[sent:])
            return Passed.DONE if to.recv(1) == OK else Passed.FAILED
        except OSError:
            return Passed.FAILED


class Receiver(threading.Thread):
    """Takes over connections that processes of this machine pass on."""

    def __init__(self, directory: str, take: Callable[[socket.socket, Greeting], object]) -> None:
        """directory: of its socket, for this user alone; "": a new one. take: called in this thread. Raises OSError."""
        super().__init__(name="handover", daemon=True)
        self._take = take
        self._own = Path(tempfile.mkdtemp(prefix="cardtable-")) if not directory else None
        self.path = (self._own or Path(directory)) / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._listening = platform.local_socket()
        self._listening.bind(str(self.path))
        self.path.chmod(0o600)
        self._listening.listen(1024)
        self._ended = False

    def run(self) -> None:
        """Take connections over, one after another, until `close`."""
        while not self._ended:
            try:
                come, _ = self._listening.accept()
            except OSError:
                return
            with come, contextlib.suppress(OSError, msgspec.DecodeError):
                come.settimeout(PATIENCE)
                self._one(come)

    def _one(self, come: socket.socket) -> None:
        """Take one over. Raises OSError, msgspec.DecodeError."""
        data, descriptors, _, _ = socket.recv_fds(come, LONGEST, 1)
        lines = [socket.socket(fileno=one) for one in descriptors]
        try:
            while data and len(data) < _LENGTH.size + (_LENGTH.unpack(data[:4])[0] if len(data) >= 4 else 0):
                more = come.recv(LONGEST)
                if not more or len(data) > LONGEST:
                    return
                data += more
            if not data or not lines:
                return
            greeting = msgspec.msgpack.decode(data[_LENGTH.size :], type=Greeting)
            if self._ended:
                return
            come.sendall(OK)
            self._take(lines.pop(), greeting)
        finally:
            for line in lines:
                line.close()

    def close(self) -> None:
        """Take over nothing more; the others see that this process is gone."""
        self._ended = True
        self.path.unlink(missing_ok=True)
        if self._own:
            self._own.rmdir()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


# From machine to machine


def _proof(secret: str, nonce: bytes, greeting: bytes) -> bytes:
    return hmac.new(secret.encode(), nonce + greeting, hashlib.sha256).digest()


class Relay(asyncio.Protocol):
    """One direction of a relayed connection: what comes is written to the other side, as fast as that one reads."""

    def __init__(self, line: asyncio.Transport, ended: Callable[[Exception | None], None] = lambda _: None) -> None:
        """line: where what comes is written; ended: called when our own side has ended."""
        self._to = line
        self._ended = ended
        self.own: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Our own side."""
        self.own = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Pass it on."""
        self._to.write(data)

    def pause_writing(self) -> None:
        """Our side reads too slowly, so the other one is not read."""
        with contextlib.suppress(RuntimeError):
            self._to.pause_reading()

    def resume_writing(self) -> None:
        """Our side reads again."""
        with contextlib.suppress(RuntimeError):
            self._to.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Our side has ended, so the other one ends after writing its remaining data."""
        self._to.close()
        self._ended(exc)


class Exchange(asyncio.Protocol):
    """A connection between two processes, until bytes are relayed over it: what comes is read in parts of known length.

    asyncio's streams would close the connection when they are given up.
    """

    def __init__(self, met: Callable[[Exchange], object] = lambda _: None) -> None:
        """met: called on connection."""
        self._met = met
        self._come = bytearray()
        self._waits: asyncio.Future[None] | None = None
        self._ended = False
        self.line: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        self.line = cast(asyncio.Transport, transport)
        self._met(self)

    def data_received(self, data: bytes) -> None:
        """Something came."""
        self._come += data
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waits and not self._waits.done():
            self._waits.set_result(None)

    async def read(self, n: int) -> bytes:
        """The next n bytes. Raises EOFError."""
        while len(self._come) < n:
            if self._ended:
                raise EOFError("it ended too early")
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
        part = bytes(self._come[:n])
        del self._come[:n]
        return part

    def rest(self) -> bytes:
        """What has come besides."""
        return bytes(self._come)


async def pass_bytes(
    address: str, secret: str, line: asyncio.Transport, greeting: Greeting, ended: Callable[[Exception | None], None]
) -> Passed:
    """Connect to a process of another machine, and relay a connection from now on. ended: called when it has ended."""
    host, _, port = address.rpartition(":")
    far: asyncio.Transport | None = None
    try:
        async with asyncio.timeout(PATIENCE):
            far, exchange = await asyncio.get_running_loop().create_connection(Exchange, host.strip("[]"), int(port))
            nonce = await exchange.read(NONCE)
            body = msgspec.msgpack.encode(greeting)
            far.write(_proof(secret, nonce, body) + _LENGTH.pack(len(body)) + body)
            if await exchange.read(1) != OK:
                raise EOFError("it is no process of ours")
    except (OSError, TimeoutError, EOFError, ValueError, asyncio.CancelledError) as error:
        if far is not None:
            far.abort()
        if isinstance(error, asyncio.CancelledError):
            raise
        return Passed.FAILED
    outward, inward = Relay(far, ended), Relay(line)
    for one, protocol in ((line, outward), (far, inward)):
        one.set_write_buffer_limits(BUFFERED)
        one.set_protocol(protocol)
        protocol.connection_made(one)
    if early := exchange.rest():
        line.write(early)
    line.resume_reading()
    return Passed.DONE


async def receive_bytes(listening: socket.socket, secret: Callable[[], str], take: Take) -> asyncio.Server:
    """Serve processes of other machines that pass connections on. secret: returns the one that all share."""
    coming = Tasks()

    def met(exchange: Exchange) -> None:
        if len(coming) >= MOST_AT_ONCE:
            exchange.line.abort()
            return
        coming.begin(_met(exchange, secret(), take))

    return await asyncio.get_running_loop().create_server(lambda: Exchange(met), sock=listening)


async def _met(exchange: Exchange, secret: str, take: Take) -> None:
    """Take a connection over from another process, if it knows the secret."""
    try:
        async with asyncio.timeout(PATIENCE):
            greeting = await _greeted(exchange, secret)
    except (OSError, TimeoutError, EOFError, ValueError, msgspec.DecodeError) as error:
        log.warning("a connection to the internal port was refused: %s", error or type(error).__name__)
        exchange.line.abort()
        return
    take(exchange.line, greeting)
    exchange.line.write(OK)


async def _greeted(exchange: Exchange, secret: str) -> Greeting:
    """Another process's greeting. Raises ValueError if it does not know the secret; EOFError, msgspec.DecodeError."""
    nonce = secrets.token_bytes(NONCE)
    exchange.line.write(nonce)
    proof = await exchange.read(PROOF)
    (length,) = _LENGTH.unpack(await exchange.read(_LENGTH.size))
    if length > LONGEST:
        raise ValueError("it is too long")
    body = await exchange.read(length)
    if not secret or not hmac.compare_digest(proof, _proof(secret, nonce, body)):
        raise ValueError("it does not know the secret")
    return msgspec.msgpack.decode(body, type=Greeting)


async def pass_on(
    node: ServerNode,
    ours: ServerNode,
    secret: str,
    line: asyncio.Transport,
    greeting: Greeting,
    ended: Callable[[Exception | None], None],
) -> Passed:
    """Pass a connection on to another process, in the way that is possible.

    ended: called when a relayed connection has ended; with a descriptor that is passed on it is not called.
    """
    if node.path and node.machine == ours.machine:
        connection = line.get_extra_info("socket")
        done = await asyncio.to_thread(pass_descriptor, node.path, connection, greeting)
        if done is not Passed.FAILED or not node.address:
            return done
    if node.address:
        return await pass_bytes(node.address, secret, line, greeting, ended)
    return Passed.FAILED
