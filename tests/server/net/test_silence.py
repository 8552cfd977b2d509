"""Connections that say nothing disturb nobody who plays (bench/attacks.py has the big run)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import load
import pytest
from attacks import ADDRESSES, silence

from cardtable.server import serving
from tests.support.server import costing
from tests.support.server.faults import more_moves, playing
from tests.support.server.served import Served, served
from tests.support.waiting import until

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_silent_connections_disturb_no_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many as their addresses may have: they are closed, come again at once, and are closed again. Meanwhile
    nobody who plays loses a connection.
    """
    each, many = 8, 2 * ADDRESSES * 8
    monkeypatch.setattr("attacks.AGAIN", 0.0)
    settings: dict[str, Any] = {"loopback_is_free": False, "connections_per_address": each, "headers_within": 1.0}
    settings["socket_rate"] = (60_000, 20.0)  # the players themselves are faster than a person may be

    async def play(server: Served) -> dict[str, int]:
        async with playing(server) as players:
            moves = sum(len(player.noted) for player in players)

            def enough(told: dict[str, int]) -> bool:
                moved = sum(len(player.noted) for player in players) - moves
                return told["closed"] > 3 * many and moved > 10

            told = await asyncio.to_thread(silence, server.port, many, 300.0, enough)
            await more_moves(players, 1)
            assert [player.table.connections for player in players] == [1, 1]
        return told

    with served(tmp_path / "t.db", **settings) as server:
        told = asyncio.run(asyncio.wait_for(play(server), 300.0))
    assert told["closed"] > 3 * many
    assert told["opened"] >= told["closed"]


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


def test_silent_connections_cost_little(tmp_path: Path) -> None:
    """To open one and to close it again when its time is up costs the server less than to answer a small request."""
    many, meter = 100, costing.Meter()

    def cost(sent: bytes, **settings: Any) -> float:
        with served(tmp_path / "t.db", **settings) as server, contextlib.ExitStack() as lines:
            costing.exchange(server, costing.request("GET", "/healthz"))
            began, opened = meter.settled(), []
            for _ in range(many):
                opened.append(lines.enter_context(socket.create_connection(("127.0.0.1", server.port), 90)))
                opened[-1].sendall(sent)
            for line in opened:
                while line.recv(65536):
                    pass
            return meter.settled() - began

    silent = cost(b"", headers_within=0.3)
    assert silent < cost(costing.request("GET", "/healthz"))


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
        server.loop.call_soon_threadsafe(holding.wait, 90)
        with contextlib.ExitStack() as lines:
            for _ in range(many):
                lines.enter_context(socket.create_connection(("127.0.0.1", server.port), 90))
            server.loop.call_soon_threadsafe(look)
            holding.set()
            until(lambda: len(server.gate) >= many)
            assert max(steps) <= 2 * serving.TOGETHER


def test_an_idle_connection_is_closed(tmp_path: Path) -> None:
    """Also one that has sent a request before."""
    with (
        served(tmp_path / "t.db", keep_alive=1) as server,
        socket.create_connection(("127.0.0.1", server.port), 90) as line,
    ):
        for _ in range(2):
            line.sendall(GET)
            heard = b""
            while not heard.endswith(b'{"ok":true}'):
                assert (part := line.recv(65536))
                heard += part
        line.settimeout(90)
        assert line.recv(1) == b""


def test_a_socket_must_say_hello_in_time(tmp_path: Path) -> None:
    """And a handshake that is not complete is closed like any request (tests/server/net/test_connections.py)."""
    with (
        served(tmp_path / "t.db", first_message=0.3) as server,
        socket.create_connection(("127.0.0.1", server.port), 90) as line,
    ):
        line.sendall(costing.upgrade(server.token()))
        heard, closed = b"", b"\x88\x02\x03\xf0"  # with 1008
        while not heard.endswith(closed) and (part := line.recv(65536)):
            heard += part
        assert heard.startswith(b"HTTP/1.1 101")
        assert heard.endswith(closed)
