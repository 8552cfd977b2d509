"""The live table on the network: HTTP, WebSocket and a database around `cardtable.table`.

Its API is described in docs/server.md.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

from cardtable.base import platform
from cardtable.server.net.listening import UNIX

HOST, PORT = "127.0.0.1", 8517
STOP_WITHIN = 8.0  #: seconds from the signal to the end of the process, at most
ANYWHERE = ("0.0.0.0", "::")  #: hosts that mean all addresses of this machine
log = logging.getLogger("cardtable.server")


def database_in(directory: Path) -> str:
    """The URL of the SQLite file in a directory, which is made if necessary; only this user may read it."""
    make_private(directory)
    return f"sqlite:///{directory / 'cardtable.db'}"


def make_private(directory: Path) -> None:
    """Make a directory if necessary; only this user may read it. Raises OSError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if platform.others_read(directory.stat()):
        directory.chmod(0o700)


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to an address of this machine. port: 0 takes any free one. Raises OSError."""
    family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    bound = socket.socket(family, kind)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
    except OSError:
        bound.close()
        raise
    return bound


def addresses(bound: socket.socket, prefix: str = "") -> list[str]:
    """The URLs of a site at a bound socket, below a path.

    If it listens on all addresses: first the one for other machines, then the one for this machine. A Unix socket has
    no URL: `unix:` and its path.
    """
    if platform.is_unix(bound):
        return [f"{UNIX}{bound.getsockname()}"]
    host, port = bound.getsockname()[:2]
    hosts = [host]
    if host in ANYWHERE:
        outside = _outside(bound.family)
        hosts = [*([outside] if outside else []), "::1" if bound.family == socket.AF_INET6 else "127.0.0.1"]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}{prefix}/" for name in hosts]


def _outside(family: int) -> str:
    """This machine's address in its network, "" if it has none. Nothing is sent."""
    somewhere = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # addresses reserved for documentation
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((somewhere, 9))
        found = str(probe.getsockname()[0])
        return "" if found.startswith(("127.", "fe80:")) or found == "::1" else found
    return ""


def serve(
    bound: socket.socket,
    database: str,
    answering: Callable[[], Any] = lambda: None,
    settings: Any = None,
    operator_token: str = "",
) -> None:
    """Serve at a bound socket until interrupted, then close it. database: a URL of SQLAlchemy; answering: called once
    it answers; operator_token: for the operator's API, which is off without one.

    Ctrl-C raises KeyboardInterrupt; SIGTERM and closing the terminal raise SystemExit(0); both after everything is
    saved and closed. Raises `cardtable.server.store.store.StoreError` if there is no such database, or if another
    process serves it and it is an SQLite file: each would act on half of what is asked.
    """
    from cardtable import __version__
    from cardtable.server import logs, serving
    from cardtable.server.app import build
    from cardtable.server.settings import Settings
    from cardtable.server.store.database import alone
    from cardtable.server.store.store import Store

    settings = settings or Settings()
    logs.set_up(settings)
    serving.raise_open_files(settings.most_connections)
    with contextlib.closing(bound), alone(database):
        store = Store(database)
        try:
            server = uvicorn_server(build(store, settings, operator_token), settings, answering)
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

    On SIGUSR1 only say that nothing is replaced; by default the signal would end the process.
    """

    def leave(*_: Any) -> None:
        raise SystemExit(0)

    def stay(*_: Any) -> None:
        log.warning("SIGUSR1 replaces the processes of a server that has several; restart the server instead")

    platform.at_restart(stay)
    signal.signal(signal.SIGTERM, leave)
    platform.at_hangup(lambda *_: signal.raise_signal(signal.SIGTERM))


def _steady() -> None:
    """Keep the event loop from being held up: by garbage collection while people play (the hall does it when they do
    not), or by other threads.
    """
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(0.001)


def is_cardtable(address: str) -> bool:
    """Whether a Cardtable answers at an address of this machine."""
    import json
    import urllib.error
    import urllib.request

    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy cannot reach this machine
    try:
        with direct.open(f"{address}api/games", timeout=2.0) as answer:
            return bool(json.load(answer)["games"])
    except urllib.error.HTTPError as error:
        error.close()
        return False
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return False


def uvicorn_server(app: Any, settings: Any = None, answering: Callable[[], Any] = lambda: None) -> Any:
    """The web server around an application. answering: called once it answers."""
    from cardtable.server.serving import server_of
    from cardtable.server.settings import Settings

    return server_of(app, settings or Settings(), answering)
