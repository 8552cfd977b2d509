"""The files of deploy/ for nginx and Caddy in front of several servers: which one they choose, and what they do when
one is gone.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.server import fronts
from tests.support.server.served import free_port

TABLES = [f"table-{n}" for n in range(31)]  #: no multiple of the number of servers, which are not taken in turn


class Named(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = str(self.server.server_port).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Several:
    """A proxy in front of several servers that say who they are."""

    def __init__(self, servers: list[ThreadingHTTPServer], url: str, certificate: Path) -> None:
        self.servers = servers
        self._client = httpx.Client(base_url=url, verify=fronts.trusting(certificate))

    def asked(self, path: str, person: str = "") -> int:
        """The port of the server that answers."""
        headers = {"Cookie": f"cardtable={person}"} if person else {}
        answer = self._client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return int(answer.text)

    def tables(self, person: str = "") -> dict[str, int]:
        """The server of each table, as a person is led there."""
        return {table: self.asked(f"/ws/{table}", person) for table in TABLES}

    def end(self, port: int) -> None:
        """A server is gone."""
        for server in self.servers:
            if server.server_port == port:
                server.shutdown()
                server.server_close()

    def close(self) -> None:
        self._client.close()
        for server in self.servers:
            server.shutdown()
            server.server_close()


@contextlib.contextmanager
def behind(front: Any, directory: Path) -> Iterator[Several]:
    """Three servers behind a proxy with its file of deploy/."""
    with contextlib.ExitStack() as stack:
        servers = [ThreadingHTTPServer(("127.0.0.1", 0), Named) for _ in range(3)]
        for server in servers:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        first, *more = [server.server_port for server in servers]
        certificate, key = fronts.certify(directory)
        port = free_port()
        stack.enter_context(front(directory, port, first, certificate, key, more=more))
        it = Several(servers, f"https://localhost:{port}", certificate)
        stack.callback(it.close)
        yield it


@pytest.fixture(params=[fronts.nginx, fronts.caddy], ids=["nginx", "caddy"])
def several(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Several]:
    with behind(request.param, tmp_path) as it:
        yield it


def test_everybody_at_a_table_is_led_to_one_server(several: Several) -> None:
    found = several.tables("ann")
    assert set(found.values()) == {server.server_port for server in several.servers}
    assert several.tables("ben") == several.tables() == found


def test_a_server_that_is_gone_is_left_out(several: Several) -> None:
    """Nobody notices, and only its own tables are led elsewhere."""
    before = several.tables()
    gone = before[TABLES[0]]
    several.end(gone)
    after = several.tables()
    assert gone not in after.values()
    assert {table for table in TABLES if before[table] != after[table]} == {
        table for table in TABLES if before[table] == gone
    }
    assert all(several.asked("/", f"person-{n}") != gone for n in range(10))


def test_a_person_asks_one_server(tmp_path: Path) -> None:
    """With nginx, limits of a person's requests are counted in one place."""
    with behind(fronts.nginx, tmp_path) as it:
        asked = {n: {it.asked(path, f"person-{n}") for path in ("/", "/api/me", "/t/x")} for n in range(20)}
        assert all(len(ports) == 1 for ports in asked.values())
        assert len(set.union(*asked.values())) == 3
