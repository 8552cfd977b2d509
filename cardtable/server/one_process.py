"""One server process, from its start to its end."""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from cardtable.base import platform
from cardtable.server.settings import Settings

STOP_WITHIN = 8.0  #: seconds from the signal to the end of the process, at most
log = logging.getLogger("cardtable.server")


def serve(
    bound: socket.socket,
    database: str,
    answering: Callable[[], Any] = lambda: None,
    settings: Settings | None = None,
    operator_token: str = "",
) -> None:
    """Serve at a bound socket until interrupted, then close it. database: a URL of SQLAlchemy; answering: called once
    it answers; operator_token: for the operator's API, which is off without one.

    Ctrl-C raises KeyboardInterrupt; SIGTERM and closing the terminal raise SystemExit(0); both after everything is
    saved and closed. Raises `cardtable.server.store.store.StoreError` if there is no such database, or if it is an
    SQLite file that another process serves: each would see only half of the requests.
    """
    # here, because the supervisor of several processes needs none of them
    from cardtable import __version__
    from cardtable.server import logs
    from cardtable.server.app import build
    from cardtable.server.serving import raise_open_files, server_of
    from cardtable.server.store.database import alone
    from cardtable.server.store.store import Store

    settings = settings or Settings()
    logs.set_up(settings)
    raise_open_files(settings.most_connections)
    with contextlib.closing(bound), alone(database):
        store = Store(database)
        try:
            server = server_of(build(store, settings, operator_token), settings, answering)
            server.stop_within = STOP_WITHIN
            _steady()
            _end_in_order()
            logs.event("server.started", version=__version__, database=store.engine.dialect.name)
            server.run(sockets=[bound])
        finally:
            logs.event("server.stopped")
            store.close()


def _end_in_order() -> None:
    """On SIGTERM, and when the terminal is closed (not under nohup), end with exit code 0 once everything is closed.

    On SIGUSR1 only log that nothing is replaced; by default the signal would end the process.
    """

    def leave(*_: Any) -> None:
        raise SystemExit(0)

    def stay(*_: Any) -> None:
        log.warning("SIGUSR1 replaces the processes of a server that has several; restart the server instead")

    platform.at_restart(stay)
    signal.signal(signal.SIGTERM, leave)
    platform.at_hangup(lambda *_: signal.raise_signal(signal.SIGTERM))


def _steady() -> None:
    """Keep the event loop from being held up: by garbage collection while people play (`upkeep` does it when they do
    not), or by other threads.
    """
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(0.001)
