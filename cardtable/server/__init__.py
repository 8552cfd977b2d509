"""The live table on the network: HTTP, WebSocket and a database around `cardtable.table`. docs/server.md says how to talk to it."""

from __future__ import annotations

import contextlib
import gc
import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOST, PORT = "127.0.0.1", 8517
STOP_WITHIN = 8.0  #: seconds from the signal to the end, whatever goes on


def database_in(directory: Path) -> str:
    """The URL of the SQLite file in a directory, which is made if need be; nobody else may look into it."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = directory.stat().st_mode
    if mode & 0o077 and not mode & stat.S_ISVTX and directory.stat().st_uid == os.geteuid():  # with that bit it is shared on purpose, as /tmp is
        directory.chmod(0o700)
    return f"sqlite:///{directory / 'cardtable.db'}"


def serve(host: str, port: int, database: str, browser: bool = False, say: Callable[[str], Any] = str, settings: Any = None) -> None:
    """Serve until interrupted. port: 0 takes any that is free; database: a URL of SQLAlchemy; browser: open one; say: is told the address.

    Raises OSError if the port is taken, `cardtable.server.store.StoreError` if there is no such database.
    """
    import socket

    from cardtable.server import connections, logs
    from cardtable.server.app import build
    from cardtable.server.settings import Settings
    from cardtable.server.store import Store

    settings = settings or Settings()
    logs.set_up()
    connections.raise_open_files(settings.most_connections)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.closing(socket.socket(family, socket.SOCK_STREAM)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}/"
        store = Store(database)
        try:
            server = uvicorn_server(build(store, settings), settings)
            server.stop_within = STOP_WITHIN
            if browser:
                threading.Thread(target=open_browser, args=(server, address), daemon=True).start()
            say(address)
            _steady()
            server.run(sockets=[listening])
        finally:
            store.close()


def _steady() -> None:
    """Let nothing hold the event loop up: no search for garbage while people play (the hall does it when they do not), no long waits for the writer's thread."""
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(0.001)


def is_cardtable(address: str) -> bool:
    """Whether a Cardtable answers at an address."""
    import json
    import urllib.request

    try:
        with urllib.request.urlopen(f"{address}api/games", timeout=2.0) as answer:
            return bool(json.load(answer)["games"])
    except (OSError, ValueError, LookupError, TypeError):
        return False


def uvicorn_server(app: Any, settings: Any = None) -> Any:
    """The web server around an application."""
    from cardtable.server.connections import server_of
    from cardtable.server.settings import Settings

    return server_of(app, settings or Settings())


def open_browser(server: Any, address: str) -> None:
    """Open a browser as soon as the server answers."""
    import time
    import webbrowser

    while not server.started and not server.should_exit:
        time.sleep(0.02)
    if not server.should_exit:
        webbrowser.open(address)
