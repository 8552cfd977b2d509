"""A test of the web server's libraries before it listens: it answers a request and a few messages to itself.

`cardtable.server.net.connections` builds on parts of uvicorn, websockets and h11 that are not in their documented
interfaces. With a version that changed them the server would start, and no table would open. So the same connections
are tried first, over a pair of sockets of this process, within some milliseconds.
"""

from __future__ import annotations

import asyncio
import socket
from importlib import metadata
from typing import Any

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message

WITHIN = 10.0  #: seconds that the whole test may take; it takes a few milliseconds
#: versions that were tried last
TRIED = {"uvicorn": "0.54.0", "websockets": "17.4", "h11": "0.16.0"}
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def check() -> None:
    """Raises CardtableError with the versions if the libraries do not work together with this server."""
    try:
        asyncio.run(_exchange())
    except Exception as error:
        here = ", ".join(f"{name} {_version(name)}" for name in TRIED)
        raise CardtableError(
            Message("serving"),
            Message(
                "connections do not work with the installed {versions} ({error})",
                versions=here,
                error=f"{type(error).__name__}: {error}",
            ),
            Message(
                "install versions that were tried: {command}",
                command="pip install " + " ".join(f"{name}=={version}" for name, version in TRIED.items()),
            ),
            code="libraries",
        ) from error


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


async def _exchange() -> None:
    """One request, one socket, a message each way, and an end, as `cardtable.server.serving` sets connections up."""
    # imported here: with another version of a library, these imports may be what fails
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    from cardtable.server.net.connections import GOING_AWAY
    from cardtable.server.serving import server_of
    from cardtable.server.settings import Settings

    server = server_of(_answer, Settings())
    server.config.load()
    loop = asyncio.get_running_loop()
    faults: list[Exception] = []
    loop.set_exception_handler(lambda _, context: faults.append(context.get("exception", RuntimeError(context))))

    async def connected() -> socket.socket:
        ours, its = socket.socketpair()
        ours.setblocking(False)
        its.setblocking(False)
        make: Any = server.config.http_protocol_class
        protocol = make(config=server.config, server_state=server.server_state, app_state={})
        await loop.connect_accepted_socket(lambda: protocol, its)
        return ours

    try:
        async with asyncio.timeout(WITHIN):
            with await connected() as line:
                await loop.sock_sendall(line, REQUEST)
                head = await loop.sock_recv(line, 4096)
                if not head.startswith(b"HTTP/1.1 204"):
                    raise RuntimeError(f"a request was answered {head[:40]!r}")
            async with connect("ws://localhost/", sock=await connected(), compression=None, proxy=None) as client:
                for text in ("a", "b" * 6000):
                    await client.send(text)
                    if await client.recv() != text:
                        raise RuntimeError("another message came back")
                for transport in server.gate.transports:
                    transport.get_protocol().shutdown()  # type: ignore[attr-defined]
                try:
                    await client.recv()
                except ConnectionClosed as end:
                    if end.rcvd is None or end.rcvd.code != GOING_AWAY:
                        raise RuntimeError(f"the server ended the connection with {end.rcvd}") from None
    except Exception as error:
        raise faults[0] if faults else error from None
    finally:
        for transport in server.gate.transports:
            transport.abort()


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers every request with 204, and every message on a socket with the same message."""
    from cardtable.server.net.connections import LINE

    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        scope[LINE].tell(message["text"])
