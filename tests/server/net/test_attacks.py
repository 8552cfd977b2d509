"""What strangers try: fuzzed frames and requests, thousands of connections, paths that lead out, scripts in names,
tokens that are not theirs.

Each is refused clearly; the server continues, nothing is given away, and a table in play meanwhile notices nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cardtable.client import Client, ServerError
from cardtable.server.people import personal_data
from cardtable.table.setup import LONGEST_NAME, clean
from tests.support.effort import LONG, many
from tests.support.programs import needs, optional
from tests.support.server.clients import new_table, raw
from tests.support.server.served import Served, pages, served
from tests.support.waiting import run, until

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
PATIENCE = 300.0  #: seconds after which something that is waited for will not come
BOUNDED = settings(
    max_examples=many(12, 60),
    deadline=None,
    derandomize=not LONG,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
ATTEMPTS = many(140, 10_000)
AT_ONCE = 4


class Beside:
    """A table in play that must notice nothing: a person against a bot."""

    def __init__(self, server: Served) -> None:
        self.server, self.client, self.id = server, Client(server.url), ""

    async def begin(self) -> None:
        async with self.client as client:
            self.id = (await client.make("domino-fan-tan", name="Ann", bots=["", "medium"]))["id"]

    async def play(self) -> None:
        """One more move; between deals and matches go on."""
        async with self.client.table(self.id) as table:
            assert [seat["name"] for seat in table.table["seats"]][0] == "Ann"
            async for _ in table.states():
                if table.legal:
                    await table.move(table.legal[0])
                    return
                if "ready" in table.table["may"]:
                    await table.command("ready")
                    return


@pytest.fixture(scope="module")
def beside(servers: Callable[..., Served]) -> Beside:
    """A table in play at the server of all tests."""
    table = Beside(server := servers())
    run(table.begin())
    server.settle(table.id)
    return table


# Fuzz: the socket

TYPES = [
    "hello",
    "hint",
    "ping",
    "sit",
    "bot",
    "start",
    "move",
    "undo",
    "answer",
    "ready",
    "resign",
    "leave",
    "choose",
    "say",
    "close",
    "nonsense",
]
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=40)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = [
    "seq",
    "table",
    "version",
    "n",
    "seat",
    "name",
    "entropy",
    "level",
    "move",
    "at",
    "yes",
    "about",
    "choice",
    "text",
    "owner",
    "type",
    "extra",
]
SENSIBLE = {
    "seq": st.integers(1, 9),
    "version": st.integers(0, 60),
    "seat": st.integers(-1, 12),
    "at": st.integers(0, 60),
    "about": st.integers(0, 12),
    "yes": st.booleans(),
    "move": st.sampled_from(["7H", "pass", "0-0", "🂡", "7H 8H", "'; --", "<b>"]),
    "level": st.sampled_from(["", "medium", "search", "genius"]),
    "choice": st.sampled_from(["wait", "bot", "end", "x"]),
    "text": st.text(max_size=250),
    "name": st.text(max_size=100),
    "n": st.integers(0, 9),
}


@st.composite
def messages(draw: st.DrawFn) -> str | bytes:
    """A frame: rubbish, a message with wrong fields, or one that is nearly right."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(st.binary(max_size=60))
    if kind == 1:
        return json.dumps(draw(VALUES), ensure_ascii=draw(st.booleans()))
    chosen = draw(st.lists(st.sampled_from(FIELDS), max_size=6, unique=True))
    told = {name: draw(SENSIBLE.get(name, VALUES) if kind > 2 else VALUES) for name in chosen}
    text = json.dumps(
        {"type": draw(st.sampled_from(TYPES))}
        | {name: value for name, value in told.items() if name != "type" or kind == 2}
    )
    return text if kind < 5 else text[: draw(st.integers(0, len(text)))]


async def throw(server: Served, frames: list[str | bytes], token: str, table: str) -> None:
    """Send frames; then the socket still answers, or was closed with a code that says why."""
    line = await raw(server, token)
    told: list[dict[str, Any]] = []
    try:
        await line.send(json.dumps({"type": "hello", "table": table}))
        for frame in frames:
            await line.send(frame)
        await line.send('{"type":"ping","n":4711}')
        while not told or told[-1].get("n") != 4711:
            told.append(json.loads(await asyncio.wait_for(line.recv(), PATIENCE)))
    except ConnectionClosed:
        assert line.close_code in (1002, 1007, 1008, 1009)
    finally:
        await line.close()
    for message in told:
        assert message["type"] in ("table", "done", "refused", "advice", "pong")
        if message["type"] == "refused":
            assert message["code"] != "server/fault", message
            assert message["code"].count("/") == 1
            assert message["what"]
        assert message["type"] != "table" or not message["view"] or message["view"]["hand"] == [], (
            "a stranger sees no hand"
        )


def test_fuzzed_frames_are_answered_and_harm_nobody(server: Served, beside: Beside) -> None:
    stranger = server.token()

    @BOUNDED
    @given(st.lists(messages(), max_size=10))
    def throws(frames: list[str | bytes]) -> None:
        run(throw(server, frames, stranger, beside.id))

    throws()
    run(beside.play())


def test_fuzzed_frames_from_a_seat_break_nothing(server: Served) -> None:
    """The same from somebody who has a seat, and may do much: the log still folds to what is played."""
    from cardtable.table import LiveTable

    own = Beside(server)
    run(own.begin())

    async def throw_own(frames: list[str | bytes]) -> None:
        line = await raw(server, own.client.token)
        with contextlib.suppress(ConnectionClosed):
            await line.send(json.dumps({"type": "hello", "table": own.id}))
            for frame in frames:
                await line.send(frame)
            await line.send('{"type":"ping","n":4711}')
            while (told := json.loads(await asyncio.wait_for(line.recv(), PATIENCE))).get("n") != 4711:
                assert told.get("code") != "server/fault", told
        await line.close()

    @BOUNDED
    @given(st.lists(messages(), min_size=3, max_size=12))
    def throws(frames: list[str | bytes]) -> None:
        run(throw_own(frames))

    throws()
    assert LiveTable.fold(server.store.log(own.id)).version > 1


# Fuzz: HTTP


@pytest.fixture(scope="module")
def described(servers: Callable[..., Served]) -> Any:
    """The served description, as schemathesis reads it; its import takes seconds."""
    schemathesis = optional("schemathesis")
    # a record goes as the text that it is
    schemathesis.serializer("application/toml")(lambda _, value: str(value).encode(errors="surrogatepass"))
    return schemathesis.openapi.from_url(f"{servers().url}/api/schema")


@pytest.mark.exhaustive
@needs("schemathesis")
@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_http_keeps_to_its_description_whatever_is_asked(described: Any, beside: Beside, mode: str) -> None:
    """What the served description allows, and what it does not."""
    checks: Any = importlib.import_module("schemathesis.specs.openapi.checks")
    kept = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]
    generation = getattr(optional("schemathesis").GenerationMode, mode)
    asked = 0
    for result in described.get_all_operations():

        @settings(BOUNDED, max_examples=many(3, 10))
        @given(case=result.ok().as_strategy(generation_mode=generation))
        def ask(case: Any) -> None:
            nonlocal asked
            answer = case.call(timeout=PATIENCE)
            asked += 1
            assert answer.status_code < 500, (case.method, case.formatted_path, answer.status_code, answer.text[:500])
            if answer.status_code not in (404, 405):
                case.validate_response(answer, checks=kept)

        with contextlib.suppress(Unsatisfiable):  # where nothing is asked for, nothing can be asked wrongly
            ask()
    assert asked > 100
    run(beside.play())


# Thousands of connections


def sockets_of(server: Served) -> float:
    told = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
    return float(told.partition("\ncardtable_sockets ")[2].partition("\n")[0])


def test_connection_attempts_that_come_to_nothing(server: Served, beside: Beside) -> None:
    """Silent ones, rubbish, half requests, upgrades without a cookie: the server still answers, and none of them
    stays.
    """
    kinds = [
        b"",
        b"\x16\x03\x01\x02\x00",
        b"GET / HT",
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nContent-Length: 99\r\n\r\n{",
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
        b"13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    ]

    def attempt(sent: bytes) -> None:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line,
        ):
            line.send(sent)

    def some(first: int) -> None:
        for k in range(first, ATTEMPTS, AT_ONCE):
            attempt(kinds[k % len(kinds)])

    async def all_of_them() -> None:
        await asyncio.gather(*(asyncio.to_thread(some, first) for first in range(AT_ONCE)))

    before = sockets_of(server)
    run(all_of_them())
    assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).json() == {"ok": True}
    run(beside.play())
    until(lambda: sockets_of(server) <= before)  # the last ones may still be being closed


def test_too_many_from_one_address_are_turned_away(tmp_path: Path) -> None:
    with served(
        tmp_path / "t.db", loopback_is_free=False, connection_rate=(5, 600.0), request_rate=(8, 600.0)
    ) as strict:

        async def knock() -> list[int]:
            async with Client(strict.url) as ann:
                found = []
                for _ in range(12):
                    try:
                        await (await raw(strict, ann.token)).close()
                        found.append(101)
                    except InvalidStatus as error:
                        found.append(error.response.status_code)
                return found

        assert run(knock()) == [101] * 5 + [403] * 7
        answers = [httpx.get(f"{strict.url}/api/games/busca") for _ in range(9)]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) > 0


# Paths, pages, names


def spoken(server: Served, target: str, host: str = "127.0.0.1") -> tuple[int, bytes]:
    """A request with a target exactly as it stands: status and everything that came."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        told = b""
        while chunk := line.recv(65536):
            told += chunk
    return int(told.split(b" ", 2)[1]), told


@pytest.mark.parametrize(
    "target",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\app.py",
        "//etc/passwd",
        "/static/....//app.py",
        "/static/vendor/../../store.py",
        "/static/%00",
        "/t/../../../etc/passwd",
        "/api/tables/..%2f..%2fetc%2fpasswd",
        "/static/",
        "/static/vendor",
        "/api/games/..%2f..%2fpyproject",
        "/../pyproject.toml",
        "/.git/config",
        "/static/%c0%ae%c0%ae/app.py",
        "http://evil.example/static/../app.py",
    ],
)
def test_no_path_leads_out(server: Served, target: str) -> None:
    status, told = spoken(server, target)
    body = told.partition(b"\r\n\r\n")[2]
    assert status in (400, 404) or body.decode() in pages(), (status, body[:200])
    for secret in (b"root:", b"import ", b"[project]", b"Traceback", b"repositoryformat"):
        assert secret not in body or body.decode() in pages()


EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "'+alert(1)+'",
    "\u202egnp.exe",
    "a\u0000b\u001b[31m",
    "</title><svg/onload=1>",
]


@pytest.mark.parametrize("name", EVIL)
async def test_scripts_in_names_and_chat_are_text(server: Served, name: str) -> None:
    """They go out as JSON that no browser takes for a page; no page of the server repeats them."""
    async with new_table(server.url, "domino-fan-tan", name=clean(name, LONGEST_NAME), bots=["", ""], listed=True) as (
        table,
    ):
        await table.until(lambda: table.seat is not None)
        shown = table.table["seats"][0]["name"]
        assert len(shown) <= LONGEST_NAME
        assert shown.isprintable()
        assert not {"\u202e", "\x00", "\x1b"} & set(shown)
        with contextlib.suppress(ServerError):
            await table.command("say", text=name)
        async with httpx.AsyncClient(base_url=server.url, cookies={"cardtable": table.client.token}) as http:
            for path in (f"/api/tables/{table.name}", "/api/tables", "/api/me"):
                answer = await http.get(path)
                assert answer.headers["content-type"] == "application/json"
                assert answer.headers["x-content-type-options"] == "nosniff"
            for path in (
                f"/t/{table.name}",
                "/",
                f"/api/tables/{table.name}/qr.svg",
                f"/t/{quote(name)}",
                f"/rules/{quote(name)}",
            ):
                answer = await http.get(path)
                assert "alert(1)" not in answer.text
                assert "onload" not in answer.text or answer.text in pages()
                assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_a_host_that_is_none_gets_nothing_into_a_page(server: Served, beside: Beside) -> None:
    status, told = spoken(server, f"/api/tables/{beside.id}/qr.svg", host='"><script>alert(1)</script>')
    assert b"<script>" not in told
    assert status == 403


# Tokens


def test_tokens_that_are_not_ones_own_open_nothing(server: Served, beside: Beside) -> None:
    """Forged, shortened, the hash that the server keeps, one in the address: none of them is the person."""
    token = beside.client.token
    hashed = hashlib.sha256(token.encode()).hexdigest()
    assert personal_data.tables_of(server.store, hashed) == [beside.id]
    swapped = token[:-1] + ("A" if token[-1] != "A" else "B")
    for wrong in (
        swapped,
        token[:-1],
        token + "A",
        hashed,
        hashed[:43],
        token.lower(),
        "",
        "null",
        "../" * 14,
        f"{token},{token}",
    ):
        answer = httpx.get(f"{server.url}/api/me", cookies={"cardtable": wrong})
        assert answer.json() == {"tables": []}, wrong
    assert httpx.get(f"{server.url}/api/me?cardtable={token}", headers={"Authorization": f"Bearer {token}"}).json() == {
        "tables": []
    }
    assert token not in "".join(str(entry) for entry in server.store.log(beside.id)), "the log holds only its hash"


async def test_a_listener_cannot_use_what_was_sent_before(server: Served) -> None:
    """Frames of one person, sent again by another, or again by the same: nothing more is done."""
    async with Client(server.url) as ann, Client(server.url) as eve:
        made = await ann.make("domino-fan-tan", name="Ann", bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            frame = json.dumps(
                {"type": "move", "seq": int(table.table["seq"]) + 1, "move": table.legal[0], "at": table.version}
            )
            for token, told in ((ann.token, ["done", "done"]), (eve.token, ["refused", "refused"])):
                line = await raw(server, token)
                await line.send(json.dumps({"type": "hello", "table": made["id"]}))
                for _ in told:
                    await line.send(frame)
                heard: list[str] = []
                while len(heard) < len(told):
                    message = json.loads(await asyncio.wait_for(line.recv(), PATIENCE))
                    heard += [message["type"]] if message["type"] in ("done", "refused") else []
                assert heard == told
                await line.close()
        moves = [
            entry
            for entry in server.store.log(made["id"])
            if '"person"' in str(entry.event) or getattr(entry.event, "by", "") == "person"
        ]
        assert len(moves) == 1
