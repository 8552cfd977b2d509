"""Requests made of many tiny parts: each part costs work, so their number and their pace are limited."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator

import costing
import pytest
from served import Served, served

from cardtable.server import connections
from cardtable.server.guard import new_token

TEXT, PING, PONG = 1, 9, 10


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("floods") / "t.db") as running:
        yield running


def told(answer: bytes) -> str:
    """The code of a refusal."""
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"])


@pytest.mark.parametrize("path", ["/api/verify", "/api/tables", "/nothing", "/healthz", "/static/main.js"])
@pytest.mark.parametrize("chunks", [b"1\r\na\r\n0\r\n\r\n", b"1\r\na\r\n" * 50_000, b"zz\r\n", b""])
def test_a_body_in_chunks_is_refused_at_once(server: Served, path: str, chunks: bytes) -> None:
    """Even 43,000 chunks of one byte, which come in one read."""
    answer = costing.exchange(server, costing.head("POST", path, more=b"Transfer-Encoding: chunked\r\n") + chunks)
    assert costing.status(answer) == 411
    assert told(answer) == "http/length"
    assert b"connection: close" in answer.lower()


def test_headers_that_are_too_long_are_refused(server: Served) -> None:
    few = costing.request("GET", "/healthz", more=b"X: y\r\n" * 2000)
    assert costing.status(costing.exchange(server, few)) == 200
    many = costing.request("GET", "/healthz", more=b"X: y\r\n" * 20_000)
    for sent in (many, many[:-2]):
        answer = costing.exchange(server, sent)
        assert (costing.status(answer), told(answer)) == (431, "http/size")


def test_a_body_of_a_byte_at_a_time_is_read_now_and_then(server: Served) -> None:
    """Every read costs as much as a whole body: the rest is left to the system to collect."""
    body = b"a" * 20_000
    reads = 0
    received = connections.Http.data_received

    def counted(self: connections.Http, data: bytes) -> None:
        nonlocal reads
        reads += 1
        received(self, data)

    connections.Http.data_received = counted  # type: ignore[method-assign]
    try:
        crumbs = (body[at : at + 1] for at in range(len(body)))
        began = time.monotonic()
        sent = [costing.head("POST", "/api/verify", length=len(body)), *crumbs]
        assert costing.status(costing.exchange(server, sent)) == 400
        took = time.monotonic() - began
    finally:
        connections.Http.data_received = received  # type: ignore[method-assign]
    most, seconds = connections.CRUMBS
    assert reads < most + took * most / seconds + took / connections.BREATH + 20


def on_socket(server: Served, sent: bytes, last: bytes = b"\0\0\0\0") -> bytes:
    """What comes back on a WebSocket, up to some bytes or until it is closed."""
    with socket.create_connection(("127.0.0.1", server.port), 10) as line:
        line.sendall(costing.upgrade(new_token()))
        assert line.recv(65536).startswith(b"HTTP/1.1 101")
        heard = bytearray()
        try:
            line.sendall(sent)
            while last not in heard and (part := line.recv(65536)):
                heard += part
        except ConnectionError:
            pass
    return bytes(heard)


@pytest.mark.parametrize(
    "frames",
    [
        costing.frame(b"", PING) * 2000,
        costing.frame(b"", PONG) * 2000,
        costing.frame(b"{", TEXT, fin=False) + costing.frame(b"", 0, fin=False) * 2000,
        costing.frame(b"{}", TEXT) * 2000,
    ],
)  # fmt: skip
def test_a_flood_of_frames_ends_the_socket(server: Served, frames: bytes) -> None:
    """Pings and parts of messages too."""
    heard = on_socket(server, frames)
    assert heard.count(b"\x8a\x00") <= connections.FRAMES[0] + connections.PIECE
    assert b"\x88\x02\x03\xf0" in heard, "closed with 1008"


def test_some_pings_and_parts_are_no_flood(server: Served) -> None:
    frames = costing.frame(b"", PING) * 20 + costing.frame(b'{"type":', TEXT, fin=False)
    frames += costing.frame(b'"ping","n":7}', 0)
    assert on_socket(server, frames, b'"pong","n":7').count(b"\x8a\x00") == 20


def test_a_text_that_is_none_ends_the_socket_without_a_traceback(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    assert b"\x88\x02\x03\xef" in on_socket(server, costing.frame(b"\xff\xfe", TEXT)), "closed with 1007"
    assert [entry for entry in caplog.records if entry.levelno >= logging.ERROR] == []
