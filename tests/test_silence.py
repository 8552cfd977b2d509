"""Connections that say nothing disturb nobody who plays (bench/silence.py has the big run)."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import costing
import load
import pytest
import silence
from served import served

from cardtable.server import serving

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
UNDISTURBED = 5_000.0  #: milliseconds until a move is seen; a machine that runs other tests is slow


def told(tmp_path: Path, tables: int, silent: int, seconds: float) -> None:
    """Play beside silent connections: every move is answered, and no player loses a connection."""
    found = asyncio.run(silence.run(tables, silent, seconds, tmp_path, every=0.3))
    assert found["unanswered"] == found["lost"] == 0
    assert found["beside"]["moves"] > tables
    assert found["beside"]["seen_p99_ms"] < UNDISTURBED
    assert found["silence"]["opened"] >= silent
    assert found["silence"]["open"] <= min(silent, 2 * silence.ADDRESSES * 128)


def test_silent_connections_disturb_no_players(tmp_path: Path) -> None:
    told(tmp_path, 5, 400, 2.0)


@pytest.mark.parametrize("answer", ["done", "refused"])
def test_a_move_is_answered_though_the_next_deal_was_asked_for_before(answer: str) -> None:
    """Where the table's new state comes before the answer, the other seat is ready at once (`Loaded.play`)."""
    table, figures = load.Loaded(1), load.Figures()

    async def frames(*numbers: int) -> AsyncIterator[str]:
        for number in numbers:
            yield json.dumps({"type": answer, "seq": number})

    def heard(*numbers: int) -> bool:
        seat = load.Seat(frames(*numbers), table, 0)  # type: ignore[arg-type]
        table.mover, table.sent, seat.moving = seat, 0.0, 3
        asyncio.run(seat.read(figures))
        return table.mover is None

    assert heard(2, 3)
    assert not heard(2, 4)
    assert (figures.moves, figures.refused) == ((1, 0) if answer == "done" else (0, 4))


@pytest.mark.exhaustive
def test_thousands_of_silent_connections_disturb_no_players(tmp_path: Path) -> None:
    """More than the limit of an address: they are closed, come again, and are closed again."""
    told(tmp_path, 100, 5000, 12.0)


def test_silent_connections_cost_little(tmp_path: Path) -> None:
    """To open one and to close it again when its time is up."""
    many = 200
    with served(tmp_path / "t.db", headers_within=0.3) as server:
        costing.exchange(server, costing.request("GET", "/healthz"))
        meter = costing.Meter()
        began = meter.settled()
        lines = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(many)]
        for line in lines:
            assert line.recv(1) == b""
            line.close()
        assert meter.settled() - began < many * 0.002


def test_connections_that_come_together_are_accepted_a_few_at_a_time(tmp_path: Path) -> None:
    """Others are served in between; and none that waits is turned away."""
    many, steps, seen = 500, [0], [0]
    with served(tmp_path / "t.db") as server:

        def look() -> None:
            steps.append(len(server.gate) - seen[0])
            seen[0] = len(server.gate)
            if seen[0] < many:
                server.loop.call_soon(look)

        holding = threading.Event()
        server.loop.call_soon_threadsafe(holding.wait, 30)
        lines = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(many)]
        server.loop.call_soon_threadsafe(look)
        holding.set()
        ends = time.monotonic() + 20
        while len(server.gate) < many:
            assert time.monotonic() < ends
            time.sleep(0.01)
        assert max(steps) <= 2 * serving.TOGETHER
        for line in lines:
            line.close()


def test_an_idle_connection_is_closed(tmp_path: Path) -> None:
    """Also one that has sent a request before."""
    with (
        served(tmp_path / "t.db", keep_alive=1) as server,
        socket.create_connection(("127.0.0.1", server.port), 10) as line,
    ):
        for _ in range(2):
            line.sendall(GET)
            heard = b""
            while not heard.endswith(b'{"ok":true}'):
                assert (part := line.recv(65536))
                heard += part
        began = time.monotonic()
        assert line.recv(1) == b""
        assert 0.5 < time.monotonic() - began < 8.0


def test_a_socket_must_say_hello_in_time(tmp_path: Path) -> None:
    """And a handshake that is not complete is closed like any request (tests/test_connections.py)."""
    with (
        served(tmp_path / "t.db", first_message=0.3) as server,
        socket.create_connection(("127.0.0.1", server.port), 10) as line,
    ):
        line.sendall(costing.upgrade("A" * 43))
        heard, closed = b"", b"\x88\x02\x03\xf0"  # with 1008
        while not heard.endswith(closed) and (part := line.recv(65536)):
            heard += part
        assert heard.startswith(b"HTTP/1.1 101")
        assert heard.endswith(closed)
