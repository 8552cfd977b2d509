"""The log of requests: a line for each answer, and two for each socket, when it opens and when it closes."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardtable.server import logs
from cardtable.server.net.guard import address_of
from cardtable.server.settings import Settings

ACCEPTED = "cardtable.accepted"  #: in a scope: a list for what serves a socket after all layers have returned
Serve = Callable[[Receive, Send], Awaitable[None]]


class Logged:
    """A layer that logs requests, if the log has them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log how it was answered."""
        if scope["type"] == "lifespan" or not logs.REQUESTS.isEnabledFor(logging.INFO):
            await self._answered(scope, receive, send)
            return
        line = _Line(scope, send, address_of(HTTPConnection(scope), self._settings))
        try:
            await self._answered(scope, receive, line.send)
        finally:
            line.end()

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. A socket is served here once it is accepted: the layers in between would take several
        KB for each connection as long as it is open.
        """
        later: list[Serve] = []
        scope[ACCEPTED] = later
        await self._app(scope, receive, send)
        del scope[ACCEPTED]
        if later:
            await later.pop()(receive, send)


class _Line:
    """The log data of a request."""

    def __init__(self, scope: Scope, send: Send, address: str) -> None:
        self._scope, self._send, self._address = scope, send, address
        self._began = time.perf_counter()
        self._bytes = 0
        self._status = 500 if scope["type"] == "http" else 403
        self._open = False

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on."""
        kind = message["type"]
        if kind == "http.response.start":
            self._status = message["status"]
        elif kind == "http.response.body":
            self._bytes += len(message.get("body", b""))
        elif kind == "websocket.accept":
            self._status, self._open = 101, True
            logs.request("socket", path=self._path(), status=101, address=self._address)
        await self._send(message)

    def end(self) -> None:
        """The answer is complete, or the socket closed."""
        seconds = time.perf_counter() - self._began
        if self._open:
            logs.request("socket.closed", path=self._path(), seconds=round(seconds, 1), address=self._address)
        elif self._scope["type"] == "websocket":
            logs.request("socket", path=self._path(), status=self._status, address=self._address)
        else:
            milliseconds = round(1000 * seconds, 1)
            fields = {"status": self._status, "bytes": self._bytes, "ms": milliseconds, "address": self._address}
            logs.request("request", method=self._scope["method"][:10], path=self._path(), **fields)

    def _path(self) -> str:
        return logs.path_shown(self._scope["path"], known=self._status != 404)
