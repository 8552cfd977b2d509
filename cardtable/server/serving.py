"""The web server around an application: uvicorn with a guaranteed shutdown, which also accepts connections handed
over by other processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from types import FrameType
from typing import Any, cast

import uvicorn

from cardtable.base import platform
from cardtable.server.cluster.alone import Alone
from cardtable.server.net.connections import RESERVED, Gate, Http, Socket
from cardtable.server.net.passed_on import Greeting
from cardtable.server.net.tasks import Tasks
from cardtable.server.settings import Settings

log = logging.getLogger("cardtable.server")
TOGETHER = 32  #: connections that are accepted one after another, before anything else is served
TICK = 1.0  #: seconds between two settings of the date in the headers of answers
END_WITHIN = 3  #: seconds that requests have to be answered when the server stops
READ_WITHIN = 2.0  #: seconds for clients to read their remaining data
WAITING = 2048  #: connections that may wait in the system to be accepted


def raise_open_files(most: int) -> None:
    """Raise this process's limit of open files to what `most` connections need, as far as the system allows."""
    platform.raise_open_files(most + RESERVED)


class WebServer(uvicorn.Server):
    """uvicorn's server with a guaranteed shutdown: pending work of requests is dropped first."""

    def __init__(
        self,
        config: uvicorn.Config,
        halt: Callable[[], Awaitable[None]] | None,
        gate: Gate,
        answering: Callable[[], Any],
        cluster: Alone,
    ) -> None:
        """halt: called first when the server stops."""
        super().__init__(config)
        self._cluster = cluster
        self._begun = asyncio.Event()  #: connections that are passed on can be taken
        self._taking = Tasks()
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answering = answering
        self._halt = halt
        self.gate = gate
        #: seconds after which the whole process ends even if threads are still running; 0: never
        self.stop_within = 0.0

    def end(self) -> None:
        """Stop serving soon; may be called in any thread."""
        self.should_exit = True
        if self._loop:
            self._loop.call_soon_threadsafe(self._ending.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop serving on a signal."""
        super().handle_exit(sig, frame)
        self.end()

    async def main_loop(self) -> None:
        """Serve until the end; uvicorn's own loop looks ten times a second whether it has come."""
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), TICK)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and call `answering`."""
        await self._cluster.receive(self.take)  # once known to the others, we receive connections from them
        await super().startup(sockets)
        self._begun.set()
        for listening in sockets or ():
            listening.listen(WAITING)  # asyncio accepts as many at once as its backlog, so it is given fewer
        if self.started:
            self._answering()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        if self.stop_within:
            last = threading.Timer(self.stop_within, _give_up)
            last.daemon = True
            last.start()
        for server in self.servers:
            server.close()
        self._cluster.receive_no_more()
        if self._halt:
            await self._halt()
        cut = asyncio.get_running_loop().call_later(READ_WITHIN, self._cut)
        await super().shutdown(sockets)
        cut.cancel()
        self._cut()
        await asyncio.sleep(0)  # connections that are cut end in the loop's next turn

    def _cut(self) -> None:
        """Cut the remaining connections: their clients do not read their data."""
        for transport in self.gate.transports:
            transport.abort()

    def take(self, line: socket.socket | asyncio.Transport, greeting: Greeting) -> None:
        """Serve a connection that another process has passed on."""
        self._taking.begin(self._taken(line, greeting))

    async def _taken(self, line: socket.socket | asyncio.Transport, greeting: Greeting) -> None:
        await self._begun.wait()
        make: Any = self.config.http_protocol_class
        protocol = make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        if isinstance(line, socket.socket):
            line.setblocking(False)
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, line)
            self.gate.greetings[transport] = greeting
        else:
            transport = line
            self.gate.greetings[line] = greeting
            line.set_protocol(protocol)
            protocol.connection_made(line)
        if transport.is_closing():
            self.gate.greetings.pop(transport, None)
        else:
            protocol.data_received(greeting.head)


def _give_up() -> None:
    """End the process although a thread does not end; everything acknowledged is on disk."""
    log.error("a thread does not end: the process ends without it")
    os._exit(1)


def server_of(app: Any, settings: Settings, answering: Callable[[], Any] = lambda: None) -> WebServer:
    """The web server around an application: small frames, no compression, a short keep-alive. answering: called once it
    answers.
    """
    hall = getattr(app, "hall", None)
    gate = Gate(settings, hall.refused) if hall else Gate(settings)
    if hall:
        hall.connections = gate
    config = uvicorn.Config(
        app,
        http=cast(Any, partial(Http, gate=gate, settings=settings)),
        ws=cast(Any, partial(Socket, gate=gate, settings=settings)),
        ws_max_size=settings.longest_frame,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=settings.keep_alive,
        timeout_graceful_shutdown=END_WITHIN,
        backlog=TOGETHER,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        proxy_headers=False,  # see guard.address_of
    )
    cluster = hall.cluster if hall else Alone()
    server = WebServer(config, hall.halt if hall else None, gate, answering, cluster)
    if hall:
        hall.stop = server.end
    return server
