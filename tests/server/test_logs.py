"""The server's log: what is in it, what never is, and how much a stranger can write into it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cardtable.client import Client
from cardtable.server import logs
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store, Write
from cardtable.table import Entry, Setup
from cardtable.table import events as ev
from cardtable.table.live import TableFault
from tests.support.commands import ROOT, surroundings
from tests.support.server.live import Driven
from tests.support.server.served import Served, served
from tests.support.waiting import until

pytestmark = pytest.mark.server(fresh=True, proxies=frozenset({"127.0.0.1"}))


class Log:
    """A log that a test reads, and the clock of its limits."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.now = 0.0
        self.stream = io.StringIO()
        self.handler = logs.Handler(self.stream, lambda: self.now)
        self.handler.setFormatter(formatter)

    @property
    def lines(self) -> list[str]:
        """The lines so far."""
        return self.stream.getvalue().splitlines()

    @property
    def told(self) -> list[dict[str, Any]]:
        """The lines so far, if they are JSON."""
        return [json.loads(line) for line in self.lines]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.told if line.get("event") == event]


@pytest.fixture(params=[logs.Json])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    """The log of this process, with everything, as JSON or as a test asks for."""
    found = Log(request.param())
    before = {logger: logger.level for logger in (logs.EVENTS, logs.REQUESTS)}
    logging.getLogger().addHandler(found.handler)
    for logger in before:
        logger.setLevel(logging.INFO)
    yield found
    logging.getLogger().removeHandler(found.handler)
    for logger, level in before.items():
        logger.setLevel(level)


def test_requests(log: Log, server: Served) -> None:
    httpx.get(f"{server.url}/api/games?seats=7", headers={"X-Forwarded-For": "198.51.100.7"})
    httpx.post(f"{server.url}/api/tables", content="{", headers={"X-Forwarded-For": "2001:db8::7"})
    httpx.get(f"{server.url}/static/vendor/preact.mjs")
    httpx.get(f"{server.url}/wp-login.php/0123456789")
    httpx.get(f"{server.url}/", headers={"Host": "evil.example"})
    until(lambda: len(log.of("request")) == 5)
    games, tables, static, none, misled = log.of("request")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", games.pop("time"))
    assert games.pop("ms") > 0
    assert games.pop("bytes") > 1000
    assert games == {
        "level": "info",
        "logger": "cardtable.requests",
        "event": "request",
        "method": "GET",
        "path": "/api/games",
        "status": 200,
        "address": "198.51.100.7",
    }
    assert (tables["method"], tables["status"], tables["address"]) == ("POST", 400, "2001:db8::/64")
    assert (static["path"], static["status"]) == ("/static/vendor/preact.mjs", 200)
    assert (none["path"], none["status"]) == ("/wp*/01*", 404)
    assert misled["status"] == 403
    assert log.of("refused")[-1]["why"] == "host"


def test_a_match_and_its_sockets(log: Log, server: Served) -> None:
    """A reader of the log can follow a table, but cannot open it."""
    secrets: list[str] = []

    async def play() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben:
            made = await ann.make("fan-tan", name="Ann Example", seats=2, bots=["", ""], listed=False)
            secrets.extend((ann.token, ben.token, made["id"], made["code"], "Ann Example", "Ben Example"))
            await ben.get(made["path"])
            await ben.get(f"/api/tables/{made['code'].lower()}")
            await ben.get(f"/api/tables/{made['id']}/qr.svg")
            async with ann.table(made["id"]) as first, ben.table(made["code"]) as second:
                await second.sit("Ben Example")
                await first.until(lambda: first.stage == "playing")
                await first.command("say", text="quite private")
                await first.command("resign")
                await first.until(lambda: first.stage == "over")

    asyncio.run(asyncio.wait_for(play(), 60))
    until(lambda: len(log.of("socket.closed")) == 2)
    (made,) = log.of("table.made")
    assert (made["table"], made["game"], made["listed"]) == (f"{secrets[2][:6]}*", "fan-tan", False)
    (begun,) = log.of("match.begun")
    (ended,) = log.of("match.ended")
    assert begun["table"] == ended["table"] == made["table"]
    assert (ended["game"], ended["match"]) == ("fan-tan", 1)
    places = {f"/ws/{secrets[2][:6]}*", f"/ws/{secrets[3][:2]}*"}
    assert {one["path"] for one in log.of("socket")} == places
    assert [one["status"] for one in log.of("socket")] == [101, 101]
    assert all(one["seconds"] >= 0 for one in log.of("socket.closed"))
    paths = [one["path"] for one in log.of("request")]
    assert {
        f"/t/{made['table']}",
        f"/api/tables/{secrets[3][:2].lower()}*",
        f"/api/tables/{made['table']}/qr.svg",
    } <= set(paths)
    for secret in (*secrets, "quite private", "cookie"):
        assert secret.lower() not in log.stream.getvalue().lower()


@pytest.mark.parametrize(
    ("path", "known", "shown"),
    [
        ("/t/ABCDEFGH", True, "/t/AB*"),
        ("/t/ABCDEFGH/", True, "/t/AB*/"),
        ("//api//tables//ABCDEFGH", False, "//api//tables//AB*"),
        ("/cards/t/0123456789abcdefghij_-", True, "/cards/t/012345*"),
        ("/api/tables/AB-CD-EF-GH/qr.svg", True, "/api/tables/AB*/qr.svg"),
        ("/T/ABCDEFGH", False, "/T/AB*"),
        ("/ABCDEFGH", False, "/AB*"),
        ("/api/games/original-fan-tan", True, "/api/games/original-fan-tan"),
        ("/a\nb \u202e", False, "/a%0Ab%20%E2%80%AE"),
        ("/" + "a/" * 3000, False, "/" + "a/" * 99 + "a"),
    ],
)
def test_a_path_does_not_open_a_table(path: str, known: bool, shown: str) -> None:
    assert logs.path_shown(path, known) == shown


def test_refusals(log: Log, tmp_path: Path) -> None:
    few: Any = {"request_rate": (2, 600.0), "guess_rate": (1, 600.0), "loopback_is_free": False}
    with served(tmp_path / "few.db", **few) as server:
        for _ in range(3):
            httpx.get(f"{server.url}/api/me")
        httpx.get(f"{server.url}/t/x", headers={"Host": "evil.example"})
        httpx.post(f"{server.url}/api/tables", json={}, headers={"Origin": "http://evil.example"})
    assert [(one["why"], one["address"]) for one in log.of("refused")] == [
        ("request", "127.0.0.1"),
        ("host", "127.0.0.1"),
        ("origin", "127.0.0.1"),
    ]


def test_a_changed_host_can_be_told_from_the_refusal_and_the_log(log: Log, server: Served) -> None:
    """A proxy that passes its own name on as Host makes the server's own page look like another site's."""
    headers = {"Origin": "https://cards.example", "Host": server.url.removeprefix("http://")}
    told = httpx.post(f"{server.url}/api/tables", json={}, headers=headers).text
    assert all(word in told for word in (*headers.values(), "proxy", "Host", "origins")), told
    with pytest.raises(InvalidStatus):
        connect(f"{server.url.replace('http', 'ws')}/ws", additional_headers={"Origin": "https://cards.example"})
    httpx.get(f"{server.url}/t/x", headers={"Host": "evil.example"})
    *both, host = log.of("refused")
    assert [(one["why"], one["origin"], one["host"]) for one in both] == [("origin", *headers.values())] * 2
    assert (host["why"], host["host"]) == ("host", "evil.example")


@pytest.mark.parametrize("log", [logs.Plain], indirect=True)
def test_lines_as_text(log: Log, server: Served) -> None:
    logging.getLogger("cardtable.server").error("one\n2026-01-01T00:00:00.000Z INFO forged: %s", "\x1b[31m")
    logs.event("told", word="two words", quoted='"', empty="", number=3)
    httpx.get(f"{server.url}/api/games/fan%0Atan%1b")
    until(lambda: len(log.lines) >= 3)
    error, told, request = log.lines
    assert error.endswith(r" ERROR cardtable.server: one\n2026-01-01T00:00:00.000Z INFO forged: \x1b[31m")
    assert told.endswith(r' INFO cardtable.events: told word="two words" quoted="\"" empty="" number=3')
    assert " INFO cardtable.requests: request method=GET path=/api/games/fan%0Atan%1B status=200 " in request


def test_a_fault_has_its_trace(log: Log) -> None:
    try:
        raise ValueError("a fault")
    except ValueError:
        logging.getLogger("cardtable.server").exception("table %s is broken", "AbCdEf*")
    (line,) = log.told
    assert (line["level"], line["logger"], line["message"]) == ("error", "cardtable.server", "table AbCdEf* is broken")
    assert line["trace"].endswith("ValueError: a fault")


def test_a_write_that_fails_puts_no_secret_into_the_log(log: Log, tmp_path: Path) -> None:
    """What the database says about a failed statement has no parameters: these have cards and secrets."""
    store = Store(f"sqlite:///{tmp_path / 't.db'}")
    try:
        event = ev.Created("T1", Setup("fan-tan"), "owner", "5a" * 32, 1)
        write = Write("T1", Entry(1, 0, event), {"code": "SECRETCODE"}, new=True)  # columns are missing
        with pytest.raises(Exception, match="NOT NULL") as error:
            store.append(write).result(120)
        assert "SECRETCODE" not in str(error.value)
        assert "5a5a" not in str(error.value)
    finally:
        store.close()


def test_a_fault_of_a_table_does_not_name_it() -> None:
    """Its text gets into the log with the trace; what is logged with it names the table."""
    t = Driven()
    for entry in (Entry(7, 0, ev.Ended()), Entry(t.table.version + 1, 0, ev.Sat(99, "a", "Ann", ""))):
        with pytest.raises(TableFault) as fault:
            t.table.apply(entry)
        assert "version" in str(fault.value)
        assert t.table.id not in str(fault.value)


# Floods


def test_a_stranger_cannot_fill_the_log(log: Log) -> None:
    """Each address has its part of the requests, and all together theirs; faults are told nevertheless."""
    limits = logs.LIMITS[logs.REQUESTS.name]
    for n in range(500):
        logs.request("request", path=f"/{n}", address="198.51.100.1")
    assert len(log.lines) == limits.each
    for n in range(3000):
        logs.request("request", path="/", address=f"2001:db8:{n:x}::/64")
    assert len(log.lines) == limits.total
    for n in range(100):
        logging.getLogger("cardtable.server").error("number %d", n)
    for n in range(1000):
        logging.getLogger("cardtable.server").error(f"{n} is another")
    assert len(log.lines) == limits.total + logs.FAULTS.total
    logs.event("server.stopped")
    before = limits.total + logs.FAULTS.total + 1
    assert len(log.lines) == before
    log.now += logs.SPAN
    logging.getLogger("cardtable.server").error("number %d", 7)
    left_out, again = log.told[before:]
    assert again["message"] == "number 7"
    assert (left_out["event"], left_out["level"], left_out["logger"]) == ("log.left-out", "warning", "cardtable.log")
    assert left_out["requests"] == 3500 - limits.total
    assert left_out["faults"] == 1100 - logs.FAULTS.total
    assert "events" not in left_out


def test_what_was_left_out_is_told_at_the_end(log: Log) -> None:
    for _ in range(logs.FAULTS.each + 3):
        logging.getLogger("cardtable.server").error("the same")
    log.handler.close()
    assert log.told[-1]["faults"] == 3
    log.handler.close()
    assert len(log.lines) == logs.FAULTS.each + 1


def test_the_process_writes_what_the_settings_say(tmp_path: Path) -> None:
    """In a separate process: nothing at first; with the settings, JSON lines from its start to its end."""
    script = (
        "import sys\nfrom cardtable.server.net.listening import listen\n"
        "from cardtable.server.one_process import serve\nfrom cardtable.server.settings import Settings\n"
        "import signal\n"
        "def answering(): signal.raise_signal(signal.SIGTERM)\n"
        "on = sys.argv[1] == 'on'\n"
        "serve(listen('127.0.0.1', 0), 'sqlite:///t.db', answering,\n"
        "             Settings(log_events=on, log_requests=on, log_json=on, compile_behind=False))\n"
    )

    def said(word: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", script, word],
            cwd=tmp_path,
            env=surroundings(PYTHONPATH=str(ROOT)),
            capture_output=True,
            text=True,
            timeout=300,
        )
        return done.stderr.splitlines()

    assert said("off") == []
    assert [json.loads(line)["event"] for line in said("on")] == ["server.started", "server.stopped"]


def test_nothing_is_told_that_nobody_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert (Settings().log_events, Settings().log_requests, Settings().log_json) == (False, False, False)
    with served(tmp_path / "quiet.db") as server:
        httpx.get(f"{server.url}/api/me")
        httpx.get(f"{server.url}/", headers={"Host": "evil.example"})
    assert caplog.records == []
