"""Connections that say nothing, too little, too late or rubbish; and how a server ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cardtable.server import logs
from cardtable.server.net.connections import Http, ReadingDeadline
from cardtable.server.net.networks import block_of
from tests.support.commands import ROOT, surroundings
from tests.support.server.served import Served, served
from tests.support.waiting import until

HEAD_WITHIN, BODY_WITHIN = 61.0, 62.0  #: seconds; the timers are told apart by these, and tests end them

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.server(headers_within=HEAD_WITHIN, body_within=BODY_WITHIN),
]
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A patient server with room for forty, of which one address may have twenty."""
    file = tmp_path_factory.mktemp("small") / "t.db"
    with served(
        file, headers_within=60.0, most_connections=40, connections_per_address=20, loopback_is_free=False
    ) as running:
        yield running


@contextlib.contextmanager
def lines(server: Served, many: int, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """So many connections from an address of this machine."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 120, (source, 0)))
            for _ in range(many)
        ]


def heard(line: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while chunk := line.recv(65536):
            found += chunk
    return found


def table_is_served(server: Served) -> None:
    """A page, a table and a socket at it are to be had."""
    with httpx.Client(base_url=server.url, timeout=120) as http:
        assert http.get("/").status_code == 200
        made = http.post("/api/tables", json={"game": "busca", "seats": 3, "bots": ["", "medium", "medium"]}).json()
        headers = {"Cookie": f"cardtable={http.cookies['cardtable']}"}
    with connect(server.ws, additional_headers=headers) as line:
        line.send(json.dumps({"type": "hello", "table": made["id"]}))
        assert json.loads(line.recv(120))["type"] == "table"


# Silence


def still_open(there: list[socket.socket]) -> int:
    return len(there) - len(select.select(there, [], [], 0)[0])


def test_silent_connections_of_one_address_keep_nobody_out(small: Served) -> None:
    with lines(small, 60, "127.0.0.2") as there:
        table_is_served(small)
        until(lambda: still_open(there) == 20)
    until(lambda: len(small.gate) == 0)


def test_silent_connections_of_many_addresses_make_room(small: Served) -> None:
    """All forty places are taken: who has been silent longest goes."""
    with contextlib.ExitStack() as stack:
        there = [line for number in range(2, 8) for line in stack.enter_context(lines(small, 19, f"127.0.0.{number}"))]
        table_is_served(small)
        until(lambda: 0 < still_open(there) <= 40)
        assert still_open(there[-19:]) == 19, "the first to come are the first to go"
    until(lambda: len(small.gate) == 0)


class Waits:
    """What a server waits for: the timers for headers and bodies, and the bytes that it has read."""

    def __init__(self, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self._loop, self.read = server.loop, 0
        self._begun: list[tuple[float, asyncio.TimerHandle, Callable[[], object]]] = []
        later, receive = server.loop.call_later, Http.data_received

        def begin(seconds: float, work: Callable[..., object], *given: Any, **more: Any) -> asyncio.TimerHandle:
            timer = later(seconds, work, *given, **more)
            if seconds in (HEAD_WITHIN, BODY_WITHIN):
                self._begun.append((seconds, timer, work))
            return timer

        def received(line: Http, data: bytes) -> None:
            receive(line, data)
            self.read += len(data)

        monkeypatch.setattr(server.loop, "call_later", begin)
        monkeypatch.setattr(Http, "data_received", received)

    @property
    def timers(self) -> list[tuple[float, asyncio.TimerHandle, Callable[[], object]]]:
        """Those that run: their seconds, they themselves, and what they do at their end."""
        return [one for one in self._begun if not one[1].cancelled()]

    def pass_by(self) -> None:
        ((_, timer, work),) = self.timers
        timer.cancel()
        self._loop.call_soon_threadsafe(work)


@pytest.fixture
def waits(server: Served, monkeypatch: pytest.MonkeyPatch) -> Waits:
    """What the server waits for from now on."""
    return Waits(server, monkeypatch)


@pytest.mark.parametrize(
    ("said", "seconds", "status"),
    [
        (b"", HEAD_WITHIN, b""),
        (b"GET /healthz HT", HEAD_WITHIN, b"408"),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ", HEAD_WITHIN, b"408"),
        (b"POST /api/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{", BODY_WITHIN, b"408"),
        (b"POST /api/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n", BODY_WITHIN, b"408"),
        (b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", HEAD_WITHIN, b"408"),
    ],
)
def test_what_does_not_come_in_time_ends_the_connection(
    server: Served, waits: Waits, said: bytes, seconds: float, status: bytes
) -> None:
    """Also if a letter comes now and then: the time is for all of it."""
    with lines(server, 1) as (line,):
        line.sendall(said)
        until(lambda: waits.read == len(said) and waits.timers)
        before = waits.timers
        assert [one[0] for one in before] == [seconds]
        for number in range(1, 4 if said else 1):
            line.sendall(b"x")
            until(lambda number=number: waits.read == len(said) + number)  # type: ignore[misc]
        assert waits.timers == before
        waits.pass_by()
        assert heard(line)[9:12] == status


def test_a_second_request_must_come_in_time_too(server: Served, waits: Waits) -> None:
    with lines(server, 1) as (line,):
        line.sendall(GET)
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET /hea")
        until(lambda: waits.read == len(GET) + 8)
        waits.pass_by()
        assert b"HTTP/1.1 408" in heard(line)


def test_of_ipv6_a_network_is_one_address() -> None:
    assert block_of("2001:db8:1:2::7") == block_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert block_of("2001:db8:1:3::7") != block_of("2001:db8:1:2::7")
    assert [block_of(name) for name in ("::1", "::ffff:10.1.2.3", "10.1.2.3", "")] == [
        "::1",
        "10.1.2.3",
        "10.1.2.3",
        "",
    ]
    assert len(block_of("x" * 5000)) == 64


class Line:
    """A transport whose other side takes so much between two looks."""

    def __init__(self, left: int, taken: int) -> None:
        self.left, self.taken, self.aborted = left, taken, False

    def get_write_buffer_size(self) -> int:
        """What waits; each look finds less."""
        self.left = max(0, self.left - self.taken)
        return self.left

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize(("taken", "aborted"), [(0, True), (100, True), (20_000, False)])
def test_who_does_not_read_is_cut_off(taken: int, aborted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def watch() -> bool:
        line: Any = Line(200_000, taken)
        looks: list[tuple[float, Callable[[], None]]] = []
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "call_later", lambda seconds, look: looks.append((seconds, look)))
        reader = ReadingDeadline(line, 7.0)
        reader.begin()
        while looks:
            seconds, look = looks.pop()
            assert seconds == 7.0
            look()
        monkeypatch.undo()
        assert line.aborted or not line.left
        return bool(line.aborted)

    assert asyncio.run(watch()) == aborted


# What is said


def test_small_answers_go_out_at_once(server: Served) -> None:
    """TCP_NODELAY: else an answer in two packets waits 40 ms for the first one's receipt."""
    with lines(server, 1) as (line,):
        line.sendall(GET)
        line.recv(65536)
        (mine,) = [there for there in server.gate.transports if there.get_extra_info("peername") == line.getsockname()]
        assert mine.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


ODD = [
    "http://[",
    "http://]",
    "[",
    "http://x:99999999",
    "http://x:y",
    "//",
    "null",
    "\x7f",
    "\xff\xfe",
    "a" * 3000,
    "http://" + "[" * 500,
    "%",
    "%zz",
    ";;==,,",
    '"',
    '"\\',
    "=" * 40,
    "cardtable=" + "A" * 43,
    "cardtable=\xff",
    "-1",
    "1" * 5000,
    "bytes=0-",
    "gzip;q=x",
    "::1",
    "0x7f.1",
    'W/"x"',
]
HEADERS = [
    "Origin",
    "Host",
    "Cookie",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "If-None-Match",
    "Accept-Encoding",
    "Content-Type",
    "Referer",
    "Expect",
    "Range",
    "Forwarded",
]
TARGETS = [
    "/",
    "/api/games",
    "/api/games/busca",
    "/api/tables/ABCDEF/qr.svg",
    "/api/matches?before=1",
    "/api/matches/1/frames?deal=1",
    "/static/main.js",
    "/ws",
    "/healthz",
    "/api/me",
    "/api/schema",
]


def test_odd_headers_are_no_fault_of_ours(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    made = httpx.post(f"{server.url}/api/tables", json={"game": "busca", "bots": ["", ""]}).json()["id"]
    dice = random.Random(1)
    asked = [
        ("POST", "/api/tables", "Origin", "http://["),
        ("GET", f"/api/tables/{made}/qr.svg", "Host", "["),
        ("GET", f"/api/tables/{made}/qr.svg", "Host", "a" * 3000),
    ]
    asked += [
        ("DELETE", "/ws", "Content-Type", "x"),
        *(("GET", "/ws", f"X-{n}: 1\r\n" * 130 + "X", "y") for n in range(2)),
    ]
    pairs = [(header, odd) for header in HEADERS for odd in (ODD if header in HEADERS[:4] else dice.sample(ODD, 4))]
    asked += [
        (dice.choice(["GET", "POST", "HEAD", "OPTIONS", "DELETE"]), dice.choice(TARGETS), header, odd)
        for header, odd in pairs
    ]
    for method, target, header, odd in asked:
        upgrade = (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            "AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        )
        with lines(server, 1) as (line,):
            host = "" if header == "Host" else "Host: localhost\r\n"
            tail = upgrade if target == "/ws" else "Connection: close\r\n"
            line.sendall(f"{method} {target} HTTP/1.1\r\n{host}{header}: {odd}\r\n{tail}\r\n".encode("latin-1"))
            status = line.recv(65536)[9:12]
            assert status.isdigit(), (method, target, header, odd)
            assert int(status) < 500 or status == b"501", (method, target, header, odd)
    assert [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.ERROR] == []


def test_bodies_that_were_a_fault_of_ours_are_refused(server: Served) -> None:
    nested = '{"x":' * 3000 + '"yes"' + "}" * 3000  # too deep for json.dumps on some Pythons
    bodies = [
        f'{{"game":"busca","options":{nested}}}',
        '{"game":"busca","options":{"seats":[[[1]]]}}',
        '{"game":"busca","options":{"x":' + "[" * 9000,
        '{"game":"busca","start":"x","seats":' + "9" * 30 + "}",
        '{"game":"busca","window":' + "9" * 30 + "}",
        '{"game":"busca","start":"x","options":{"x":-' + "9" * 30 + "}}",
    ]
    bodies += [
        '{"game":"busca","seats":' + "9" * 5000 + "}",
        '{"game":"busca","options":{"x":' + "9" * 5000 + "}}",
        '{"game":"\\ud800"}',
        '{"game":"busca","name":"\\ud800"}',
    ]
    for body in bodies:
        told = httpx.post(f"{server.url}/api/tables", content=body)
        assert told.status_code == 400, (told.status_code, body[:60])
        assert told.json()["error"]["code"] in ("message/syntax", "game/unknown", "options/unknown", "options/value"), (
            told.text
        )


def test_who_leaves_in_the_middle_leaves_no_line_in_the_log(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    with lines(server, 10) as all_of_them:
        for line in all_of_them:
            line.sendall(b"POST /api/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
        until(lambda: len(server.gate) >= 10)
    until(lambda: len(server.gate) == 0)
    until(lambda: not server.requests)
    assert caplog.records == []


# The end


def test_a_server_ends_with_nothing_left_open_although_a_client_does_not_read(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as one, lines(one, 1) as (line,):
        line.setblocking(False)  # as many requests as the two systems keep between us, and no answer is read
        with contextlib.suppress(BlockingIOError):
            while True:
                line.send(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        until(lambda: any(there.get_write_buffer_size() for there in one.gate.transports))
        (left,) = one.gate.transports
        one.stop()
        assert len(one.gate) == 0
        assert left.get_extra_info("socket").fileno() < 0


SCRIPT = """
import resource, sys, threading, time
from pathlib import Path
from cardtable.server import app, one_process, settings
from cardtable.server.net import listening
from cardtable.server.store.database import database_in
resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
one_process.STOP_WITHIN = 1.0
build = app.build
def stuck(store, *rest):
    made = build(store, *rest)
    find = store.find
    store.find = lambda name: time.sleep(600) if name == "stuck" else find(name)  # a thread that does not end
    return made
app.build = stuck
bound = listening.listen("127.0.0.1", 0)
def answering():
    print(listening.addresses(bound)[0], resource.getrlimit(resource.RLIMIT_NOFILE)[0], flush=True)
one_process.serve(bound, database_in(Path(sys.argv[1])), answering, settings.Settings(compile_behind=False))
"""


def test_a_signal_ends_the_server_whatever_its_threads_do(tmp_path: Path) -> None:
    """Sockets are told 1001, and the process ends; before that, rubbish fills no log, and there are as many open files
    as connections need.
    """
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "data")]
    process = subprocess.Popen(
        command, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        address, files = process.stdout.readline().split()
        assert int(files) > 256
        port = int(address.rstrip("/").rpartition(":")[2])
        until(lambda: answers(port))
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", port), 120) as line:
                line.sendall(b"rubbish\r\n\r\n")
                assert b"400" in heard(line)
        token = httpx.get(f"http://127.0.0.1:{port}/api/me").cookies["cardtable"]
        with (
            socket.create_connection(("127.0.0.1", port), 120) as line,
            connect(f"ws://127.0.0.1:{port}/ws", additional_headers={"Cookie": f"cardtable={token}"}) as table,
        ):
            line.sendall(b"GET /api/tables/stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
            table.send('{"type":"ping","n":1}')
            table.recv(120)
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                table.recv(120)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1001
            # far less than the thread takes
            process.wait(300)
        assert process.stderr
        log = process.stderr.read()
        assert log.count("Invalid HTTP request") == logs.FAULTS.each
        assert "the process ends without it" in log
        assert os.stat(tmp_path / "data" / "cardtable.db").st_mode & 0o777 == 0o600
    finally:
        process.kill()
        process.communicate()


def answers(port: int) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    return False
