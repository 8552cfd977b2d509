"""Requests made of many tiny parts: each part costs work, so their number and their pace are limited."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator

import httpx
import pytest

from cardtable.server.net import connections
from tests.support.server import costing
from tests.support.server.served import Served

TEXT, PING, PONG = 1, 9, 10


def told(answer: bytes) -> str:
    """The code of a refusal."""
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"])


def in_chunks(body: bytes, size: int, extension: bytes = b"") -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(part), extension, part) for part in [*parts, b""])


def posted(path: str, chunks: bytes, more: bytes = b"") -> bytes:
    return costing.head("POST", path, more=b"Transfer-Encoding: chunked\r\n" + more) + chunks


@pytest.mark.parametrize("size", [1 << 16, 4096, 512, 7])
def test_a_body_may_come_in_chunks(server: Served, size: int) -> None:
    """Of a usual size; a short body in any chunks."""
    setup = json.dumps({"game": "busca", "name": "Ann"}).encode() + b" " * (0 if size < 512 else 60_000)
    answer = costing.exchange(server, posted("/api/tables", in_chunks(setup, size)))
    assert costing.status(answer) == 201


def test_chunks_may_come_one_by_one(server: Served) -> None:
    """As from a program that writes line by line, with other requests after it on the same connection."""

    def lines() -> Iterator[bytes]:
        for part in ('{"game":', '"busca",', '"name":"Ann"}'):
            yield part.encode()

    with httpx.Client(base_url=server.url) as ann:
        for _ in range(3):
            answer = ann.post("/api/tables", content=lines())
            assert answer.request.headers["transfer-encoding"] == "chunked"
            assert answer.status_code == 201
            assert ann.get("/api/games").status_code == 200


@pytest.mark.parametrize("path", ["/api/verify", "/api/tables"])
def test_many_small_chunks_are_refused_at_once(server: Served, path: str, caplog: pytest.LogCaptureFixture) -> None:
    """Also after a long one, and chunks with long lines around them."""
    most = connections.CHUNKS + 65_000 // connections.CHUNK
    for chunks in (
        b"1\r\na\r\n" * 50_000,
        b"1\r\na\r\n" * (connections.CHUNKS + 1),
        in_chunks(b"a" * 65_000, 1 << 16)[:-5] + b"1\r\na\r\n" * (most + 9),
        in_chunks(b"a" * 60, 1, b";" + b"x" * 8000),
        b"a\r\n0123456789\r\n" * 20_000,
    ):
        answer = costing.exchange(server, posted(path, chunks))
        assert (costing.status(answer), told(answer)) == (411, "http/length")
        assert b"connection: close" in answer.lower()
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_a_body_in_chunks_that_is_too_long(server: Served) -> None:
    """As one with Content-Length is refused."""
    answer = costing.exchange(server, posted("/api/tables", in_chunks(b"a" * 200_000, 8192)))
    assert (costing.status(answer), told(answer)) == (413, "http/size")


@pytest.mark.parametrize(
    ("chunks", "more", "status"),
    [(b"zz\r\n", b"", 400), (b"1\r\naa\r\n", b"", 400), (b"2\r\n{}\r\n0\r\n" + b"a: b\r\n" * 20_000, b"", 431)],
)
def test_what_is_no_body_in_chunks(
    server: Served, chunks: bytes, more: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert costing.status(costing.exchange(server, posted("/api/tables", chunks, more))) == status
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_a_body_has_one_length(server: Served) -> None:
    """Of two, a proxy may believe the other one."""
    setup = b'{"game":"busca"}'
    sent = posted("/api/tables", in_chunks(setup, 16), b"Content-Length: %d\r\n" % len(setup))
    answer = costing.exchange(server, sent)
    assert (costing.status(answer), told(answer)) == (400, "http/length")


def test_the_handshake_of_a_socket_has_no_body(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    sent = costing.upgrade(server.token())[:-2] + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert costing.status(costing.exchange(server, sent)) == 400
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


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
    with socket.create_connection(("127.0.0.1", server.port), costing.PATIENCE) as line:
        line.sendall(costing.upgrade(server.token()))
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
)
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
