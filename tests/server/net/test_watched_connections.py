"""Connections and open files are among the server's figures, and a connection that is turned away leaves a trace."""

from __future__ import annotations

import logging
import socket
from contextlib import ExitStack

import httpx
import pytest

from cardtable.server import logs, metrics
from tests.server.net.test_connections import lines
from tests.support.server.served import Served
from tests.support.waiting import until

MOST, EACH = 12, 6

pytestmark = pytest.mark.server(
    fresh=True, loopback_is_free=False, most_connections=MOST, connections_per_address=EACH, headers_within=60.0
)


def test_open_connections_and_files_are_counted(server: Served) -> None:
    """Other tests' files may be closed meanwhile, so the figure is compared with what is open at that moment."""

    def counted() -> bool:
        return abs(server.figure("cardtable_open_files") - metrics.open_files()) <= 1  # the look itself opens one

    until(counted)
    assert server.figure("cardtable_connections") == 0
    with lines(server, 5):
        until(lambda: server.figure("cardtable_connections") == 5)
        until(counted)
        assert server.figure("cardtable_open_files") >= 10  # both ends of each are in this process
    until(lambda: server.figure("cardtable_connections") == 0)
    assert server.figure("cardtable_open_files_limit") >= server.figure("cardtable_open_files")


def test_where_files_cannot_be_counted_the_figure_is_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    assert metrics.open_files() > 0
    monkeypatch.setattr(metrics, "FILES", "/no/such/directory")
    assert metrics.open_files() == 0


def test_too_many_connections_of_one_address_are_counted(server: Served) -> None:
    with lines(server, EACH + 3):
        until(lambda: server.refused("connections") == 3)
    assert (server.refused("silent"), server.refused("crowd")) == (0, 0)


def written(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the server wrote about connections that it turned away."""
    return [entry for entry in caplog.records if entry.msg == "refused"]


def test_silent_connections_that_make_room_are_counted(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "cardtable.events"), ExitStack() as stack:
        for source in ("127.0.0.2", "127.0.0.3", "127.0.0.4"):
            stack.enter_context(lines(server, EACH, source))
        until(lambda: server.refused("silent") == EACH)
        # the server counts one first, and then writes it down
        until(lambda: len(written(caplog)) == EACH)
    told = [vars(entry)["fields"] for entry in written(caplog)]
    assert told == [{"why": "silent", "address": "127.0.0.2"}] * EACH  # the address of the one that was cut
    assert server.refused("connections") == 0


def test_connections_for_which_none_makes_room_are_counted(server: Served) -> None:
    with ExitStack() as stack:
        for source in ("127.0.0.2", "127.0.0.3"):
            for line in stack.enter_context(lines(server, EACH, source)):
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert line.recv(1)
        stack.enter_context(lines(server, 2, "127.0.0.4"))
        until(lambda: server.refused("crowd") == 2)


def test_a_flood_of_connections_does_not_fill_the_log(server: Served) -> None:
    shown: list[str] = []

    class Kept(logging.StreamHandler):  # type: ignore[type-arg]
        limiter = logs.Limiter()

        def emit(self, record: logging.LogRecord) -> None:
            if self.limiter.allows(record):
                shown.append(str(record.msg))

    logger, handler = logging.getLogger("cardtable.events"), Kept()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with lines(server, EACH):
            until(lambda: len(server.gate) == EACH)
            for _ in range(200):
                socket.create_connection(("127.0.0.1", server.port), 120).close()
            until(lambda: server.refused("connections") == 200)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
    assert shown.count("refused") == logs.LIMITS["cardtable.events"].each


def test_the_figures_are_on_the_page_for_prometheus(server: Served) -> None:
    text = httpx.get(server.url + "/metrics").text
    for name in ("cardtable_connections", "cardtable_open_files", "cardtable_open_files_limit"):
        assert f"# TYPE {name} gauge" in text
