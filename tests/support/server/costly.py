"""Requests that may cost a server much, and a search for the most expensive ones in processor time.

`World` is a server with heavy tables, matches and lists. `KINDS` are all sorts of requests: every operation of the HTTP
part, files and pages, every message on the socket. Each is a strategy of Hypothesis; `worst` lets Hypothesis look for
the request that costs the most (`target`). An answer of 500, or an error in the log, is a fault.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st
from msgspec import inspect as kinds

from cardtable import Match, bot
from cardtable.rules import catalog
from cardtable.server.app import PAGES, WEB
from cardtable.server.http.api import OPERATIONS
from cardtable.server.http.operations import Operation
from cardtable.server.rooms import wire
from cardtable.table import Setup
from cardtable.table.setup import checked
from tests.support.server import costing
from tests.support.server.costing import Meter
from tests.support.server.peers import Ear
from tests.support.server.served import Served, served

TIMES = 3  #: that a request is measured again if it costs much, because machines are noisy
MUCH = 0.02  #: seconds
LEAST_EXAMPLES = 15


@dataclass(frozen=True)
class Request:
    """A request: its bytes over HTTP, or a message for the socket of a table; and what to do before it is measured."""

    text: str  #: what it is, in a line
    sent: bytes = b""
    table: str = ""  #: of the socket on which `sent` is a message
    before: Callable[[], None] | None = None
    greeted: bool = True  #: a hello was sent on the socket before


@dataclass
class Found:
    kind: str
    seconds: float = 0.0
    request: Request = Request("")
    status: int = 0
    tried: int = 0
    faults: list[str] = field(default_factory=list)


@cache
def record(game: str, seats: int | None, moves: int, deals: int = 0) -> str:
    """The record of a match of random play with a number of moves, or of its end."""
    options: dict[str, Any] = {"deals": deals} if deals else {}
    m, player = Match(game, seats, seed=7, **options), bot("random", 1)
    while not m.over and moves_of(m) < moves:
        actor = m.actors[0]
        m.play(player.choose(m.view(actor)), actor)
    return str(m.record())


def moves_of(m: Match) -> int:
    """How many moves a match has. Its `moves` are made again at each call, which takes long for thousands of them."""
    return sum(len(deal.acts) for deal in m.deals)


def heavy() -> list[str]:
    return [
        record("i-doubt-it", 10, 5000),
        record("i-doubt-it", 10, 2900),
        record("crazy-eights", 6, 2900),
        record("spider", None, 1900),
        record("fan-tan", 4, 10**6, 10),
    ]


class World:
    """A server with a person who has heavy matches and tables, and a full lobby."""

    def __init__(self, server: Served, lobby: int, matches: int) -> None:
        self.server = server
        hall = server.app.hall
        self.meter = Meter(busy=lambda: hall.thinking.workers._jobs or hall._opening)
        self.token = server.token()
        self._seq = 1000  # of the last command
        self.tables: list[str] = []
        self.matches = [self._post("/api/records", text.encode())["id"] for text in heavy()]
        small = record("fan-tan", 4, 10**6, 1).encode()
        self.matches += [self._post("/api/records", small)["id"] for _ in range(matches)]
        for text in (text for text in heavy()[1:] if "unfinished" in text):
            keys = {"game": text.split('game = "')[1].split('"')[0], "start": text, "name": "Ann"}
            self._table(keys | {"bots": []})
        for game in catalog.games():
            seats = checked(Setup(game)).seats or 1
            self._table({"game": game, "name": "Ann", "seats": seats, "bots": ["", *["medium"] * (seats - 1)]})
        self._table({"game": "fan-tan", "name": "Ann"})
        self.lobby = [
            self._post("/api/tables", {"game": "busca", "listed": True, "name": f"{k}"}, server.token())["id"]
            for k in range(lobby)
        ]
        for name in self.lobby:
            self._call(self._watch, name)

    def _post(self, path: str, body: Any, token: str = "") -> Any:
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = costing.exchange(self.server, costing.request("POST", path, text, token or self.token))
        assert costing.status(answer) == 201, answer[-300:]
        return json.loads(answer.partition(b"\r\n\r\n")[2])

    def _table(self, setup: dict[str, Any]) -> None:
        """A table of the person's, with bots in the other seats where a record is played on."""
        if "start" in setup:
            match = Match.from_record(setup["start"], check=False)
            setup["bots"] = ["medium"] * match.seats
            setup["bots"][match.actors[0]] = ""
        self.tables.append(self._post("/api/tables", setup)["id"])

    def name_of(self, table: str) -> str:
        room = self.server.app.hall.rooms.get(table)
        return f"a table of {room.table.setup.game}" if room else "a table"

    def _call(self, work: Callable[..., Any], *arguments: Any) -> Any:
        async def here() -> Any:
            done = work(*arguments)
            return await done if asyncio.iscoroutine(done) else done

        return asyncio.run_coroutine_threadsafe(here(), self.server.loop).result(30)

    async def _watch(self, name: str) -> None:
        room = await self.server.app.hall.find(name)
        assert room is not None
        room.hello(Quiet(), 0)

    def put_away(self, *names: str) -> None:
        """Remove tables from the server's memory, so that the next request opens them from their logs."""

        async def forget() -> None:
            hall = self.server.app.hall
            for name in names:
                if room := hall.rooms.get(name):
                    hall.forget(room)
            while hall._closing:
                await asyncio.wait(list(hall._closing.values()))

        self._call(forget)

    def cost(self, request: Request) -> tuple[float, bytes]:
        """The processor time that a request takes in the server, in seconds, and the answer."""
        if request.before:
            request.before()
        if request.table:
            return self._message(request)
        with self.meter.measured() as found:
            answer = costing.exchange(self.server, request.sent)
        return found[0], answer

    def _message(self, request: Request) -> tuple[float, bytes]:
        heard = bytearray()
        with socket.create_connection(("127.0.0.1", self.server.port), 60) as line:
            line.sendall(costing.upgrade(self.token))
            assert line.recv(1 << 16)[9:12] == b"101"
            hello = json.dumps({"type": "hello", "table": request.table}).encode()
            line.sendall(costing.frame(hello) if request.greeted else b"")
            line.sendall(costing.frame(b'{"type":"ping","n":1}'))
            while b'"type":"pong","n":1' not in heard:
                heard += line.recv(1 << 20)
            sent = self._current(request.sent, bytes(heard))
            heard.clear()
            with self.meter.measured() as found, suppress(OSError):
                line.sendall(costing.frame(sent) + costing.frame(b'{"type":"ping","n":2}'))
                while b'"type":"pong","n":2' not in heard and (part := line.recv(1 << 20)):
                    heard += part
        return found[0], bytes(heard)

    def _current(self, sent: bytes, heard: bytes) -> bytes:
        """A message with the next number of a command, and with a legal move if it asks for one."""
        if b'"seq": 0' in sent:
            self._seq += 1
            sent = sent.replace(b'"seq": 0', b'"seq": %d' % self._seq, 1)
        legal = heard.partition(b'"legal":[')[2].partition(b"]")[0]
        move = legal.partition(b",")[0].strip(b'"') or b"pass"
        return sent.replace(LEGAL.encode(), move)


class Quiet(Ear):
    """A peer that keeps nothing, so that only the server works."""

    def send(self, message: str) -> None:
        """Take a message."""


@contextmanager
def world(directory: Path, lobby: int = 50, matches: int = 60, **settings: Any) -> Iterator[World]:
    """A world for a while. lobby: how many listed tables; matches: how many matches besides the heavy ones; settings:
    other ones of the server.
    """
    with served(directory / "costs.db", bot_threads=1, headers_within=5.0, **settings) as server:
        yield World(server, lobby, matches)


# Values

PIECES = (
    "[",
    "]",
    "{",
    "a.",
    ".",
    "a=",
    "1",
    '"',
    "'",
    '"""',
    "#",
    "\n",
    "[[a]]\n",
    "[a.b]\n",
    "a=1\n",
    "1,",
    "é",
    "\\u0041",
    "7H ",
    "x",
    "\0",
    "<b>",
    "%41",
    "a=b&",
    "\u0301",
)
LEGAL = "a legal move"  #: replaced with one
MOVES = (
    LEGAL,
    "7H",
    "pass",
    "draw",
    "done",
    "doubt",
    "0",
    "5H 6H",
    "1",
    "S 7",
    "7H 8H done",
    "nonsense",
    "🂡",
    "column-3 7H column-5",
)


def repeated(most: int) -> st.SearchStrategy[str]:
    one = st.tuples(st.sampled_from(PIECES), st.integers(1, max(1, most))).map(lambda told: told[0] * told[1])
    return st.lists(one, min_size=1, max_size=4).map(lambda parts: "".join(parts)[:most])


def texts(most: int) -> st.SearchStrategy[str]:
    known = [*catalog.games(), *MOVES, "medium", "search", "consent", "british", "denexa", "brisk", "relaxed"]
    return st.sampled_from(known).map(lambda word: word[:most]) | repeated(most)


def values(kind: Any, name: str, here: World) -> st.SearchStrategy[Any]:
    """Values of a type of msgspec's, or nearly; `name`: of the field."""
    if name in special(here):
        return special(here)[name]
    match kind:
        case kinds.IntType():
            low = kind.ge if kind.ge is not None else -9
            high = kind.le if kind.le is not None else kind.lt - 1 if kind.lt is not None else 10**9
            return st.integers(max(low, -9), min(high, 12)) | st.integers(low, high)
        case kinds.StrType():
            return texts(kind.max_length or 30_000)
        case kinds.BoolType():
            return st.booleans()
        case kinds.LiteralType():
            return st.sampled_from(list(kind.values))
        case kinds.ListType() | kinds.VarTupleType():
            most = kind.max_length or 20
            return st.lists(values(kind.item_type, "", here), min_size=kind.min_length or 0, max_size=most)
        case kinds.UnionType():
            return st.one_of([values(one, "", here) for one in kind.types])
        case kinds.NoneType():
            return st.none()
        case kinds.FloatType():
            return st.floats(0, 100)
        case _:
            return st.just({})


@cache
def option_names() -> list[str]:
    return sorted({name for game in catalog.games().values() for name in game.options.kinds()})


def special(here: World) -> dict[str, st.SearchStrategy[Any]]:
    titles = [name.name for game in catalog.games().values() for name in game.names]
    plain: st.SearchStrategy[Any] = st.integers(-5, 400) | st.booleans() | st.sampled_from(MOVES) | repeated(300)
    deep = st.integers(1, 4000).map(lambda n: json.loads("[" * min(n, 400) + "]" * min(n, 400)))
    wide = st.integers(1, 9000).map(lambda n: [1] * n)
    names = st.sampled_from(option_names()) | repeated(40)
    return {
        "game": st.sampled_from(titles) | st.sampled_from(list(catalog.games())),
        "options": st.dictionaries(names, plain | deep | wide, max_size=12),
        "start": st.just("") | st.sampled_from([text for text in heavy() if len(text) < 60_000]) | repeated(60_000),
        "bots": st.lists(st.sampled_from(["", "medium", "random", "search", "x"]), max_size=12),
        "moves": st.lists(st.sampled_from(MOVES) | texts(200), min_size=1, max_size=wire.MOST_ASKED),
        "table": st.sampled_from(here.tables + here.lobby) | texts(64),
        "move": st.sampled_from(MOVES) | texts(8000),
        "seq": st.just(0),  # replaced with the next number
        "at": st.just(10**9) | st.integers(0, 9),
    }


def fields(kind: type, here: World) -> st.SearchStrategy[dict[str, Any]]:
    """The fields of a structure; optional ones are sometimes left out."""
    told = kinds.type_info(kind)
    assert isinstance(told, kinds.StructType)
    required = {one.encode_name: values(_plain(one.type), one.name, here) for one in told.fields if one.required}
    optional = {one.encode_name: values(_plain(one.type), one.name, here) for one in told.fields if not one.required}
    return st.fixed_dictionaries(required, optional=optional)


def _plain(kind: Any) -> Any:
    return kind.type if isinstance(kind, kinds.Metadata) else kind


# Kinds of requests

HEADERS = (
    "",
    "Accept-Encoding: gzip",
    "Accept-Encoding: gzip\r\nRange: bytes=0-1,5-6,9-20",
    "Origin: http://x",
    'If-None-Match: "a"',
    "Cookie: " + "a=b;" * 1000,
    "X: y\r\n" * 1000 + "X: y",
    "Range: bytes=" + "1-2," * 2000,
)


def headers() -> st.SearchStrategy[bytes]:
    return st.sampled_from(HEADERS).map(lambda text: (text + "\r\n" if text else "").encode())


def of_operation(told: Operation, here: World) -> st.SearchStrategy[Request]:
    path: st.SearchStrategy[dict[str, Any]] = st.just({})
    if told.path_type is not None and "matches" in told.path:
        path = st.fixed_dictionaries({"id": st.sampled_from([*here.matches[:6], here.matches[-1], 99_999])})
    elif told.path_type is not None and "tables" in told.path:
        path = st.fixed_dictionaries({"id": st.sampled_from(here.tables + here.lobby[:3]) | texts(64)})
    elif told.path_type is not None:
        names = re.findall(r"{(\w+)}", told.path)
        path = st.fixed_dictionaries(
            {name: special(here).get(name, special(here)["game"]) | texts(60) for name in names}
        )
    query = fields(told.query_type, here) if told.query_type is not None else st.just({})
    others = (
        st.dictionaries(st.sampled_from(option_names()) | repeated(20), st.integers(0, 60) | texts(300), max_size=8)
        if hasattr(told.query_type, "others")
        else st.just({})
    )
    body: st.SearchStrategy[bytes | None] = st.none()
    if told.body_type is str:
        body = (repeated(530_000) | st.sampled_from(heavy())).map(str.encode)
    elif told.body_type is not None:
        made = fields(told.body_type, here).map(lambda given: json.dumps(given).encode())
        nested = st.integers(1, 30_000).map(lambda n: b'{"game":"busca","options":{"x":' + b"[" * n)
        body = made | made | nested | repeated(66_000).map(str.encode)

    def put_together(
        path: dict[str, Any], query: dict[str, Any], others: dict[str, Any], body: bytes | None, more: bytes
    ) -> Request:
        words = {name: value for name, value in (others | query).items() if value is not None}
        place = told.path.format(**{name: quote(str(value), safe="") for name, value in path.items()})
        place += f"?{urlencode(words)}"[:12_000] if words else ""
        text = f"{told.method} {place[:100]}" + (f" with {shown(body)}" if body else "")
        text += f", {shown(more)}" if more else ""
        return Request(text, costing.request(told.method, place, body, here.token, more))

    return st.builds(put_together, path, query, others, body, headers())


def shown(data: bytes) -> str:
    """The beginning of some bytes, and how many there are."""
    text = data.decode("utf-8", "replace").replace("\r\n", " ").replace("\n", " ").strip()
    text = "".join(letter for letter in text if letter.isprintable())
    return text if len(text) <= 60 else f"{text[:48]} … ({len(data):,} bytes)"


def of_files(here: World) -> st.SearchStrategy[Request]:
    files = ["/static/" + path.relative_to(WEB).as_posix() for path in sorted(WEB.rglob("*")) if path.is_file()]
    places = st.sampled_from([*files, *PAGES, "/api/schema", "/static", "/nothing"])
    places |= repeated(12_000).map(lambda text: "/" + quote(text))
    method = st.sampled_from(["GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS"])
    return st.builds(
        lambda method, place, more: Request(
            f"{method} {place[:80]}" + (f", {shown(more)}" if more else ""),
            costing.request(method, place[:15_000], None, here.token, more),
        ),
        method,
        places,
        headers(),
    )


def of_message(kind: type, here: World) -> st.SearchStrategy[Request]:
    """Messages of one kind, at a table of the person's."""
    told = kinds.type_info(kind)
    assert isinstance(told, kinds.StructType)
    tag = told.tag

    def put_together(table: str, given: dict[str, Any]) -> Request:
        text = json.dumps({"type": tag} | given, ensure_ascii=False).encode()[:8192]
        return Request(f"{shown(text)} at {here.name_of(table)}", text, table)

    return st.builds(put_together, st.sampled_from(here.tables), fields(kind, here))


def of_frames(here: World) -> st.SearchStrategy[Request]:
    return st.builds(
        lambda table, text: Request(f"{shown(text)} on a socket", text, table),
        st.sampled_from(here.tables),
        (repeated(8100).map(str.encode)).map(lambda text: text[:8192]),
    )


def of_closed(here: World) -> st.SearchStrategy[Request]:
    get = "GET"
    one = st.sampled_from(here.tables).map(
        lambda table: Request(
            f"GET /api/tables/ID of {here.name_of(table)}, put away before",
            costing.request(get, f"/api/tables/{table}"),
            before=lambda: here.put_away(table),
        )
    )
    mine = Request(
        f"GET /api/me with {len(here.tables)} tables, all put away before",
        costing.request(get, "/api/me", token=here.token),
        before=lambda: here.put_away(*here.tables),
    )
    hello = st.sampled_from(here.tables).map(
        lambda table: Request(
            f"hello to {here.name_of(table)}, put away before",
            json.dumps({"type": "hello", "table": table}).encode(),
            table,
            lambda: here.put_away(table),
            greeted=False,
        )
    )
    return one | hello | st.just(mine)


def _kinds() -> dict[str, Callable[[World], st.SearchStrategy[Request]]]:
    found: dict[str, Callable[[World], st.SearchStrategy[Request]]] = {
        f"{told.method} {told.path}": partial(of_operation, told) for told in OPERATIONS
    }
    messages = msgspec.inspect.type_info(wire.Incoming)
    assert isinstance(messages, kinds.UnionType)
    for kind in messages.types:
        assert isinstance(kind, kinds.StructType)
        found[f"socket: {kind.tag}"] = partial(of_message, kind.cls)
    return found | {"files and pages": of_files, "socket: rubbish": of_frames, "tables put away": of_closed}


KINDS = _kinds()  #: all kinds of requests


# The search


class Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record)[-600:])


def worst(
    here: World, kind: str, made: st.SearchStrategy[Request], seconds: float = 0.0, *, examples: int = LEAST_EXAMPLES
) -> Found:
    """Look for the most costly request of a kind: among a number of them, always the same, or for a while if `seconds`
    says how long.
    """
    found, ends, errors = Found(kind), time.monotonic() + seconds, Errors()
    logging.getLogger().addHandler(errors)

    def one(request: Request) -> None:
        took, answer = here.cost(request)
        for _ in range(TIMES if took > max(MUCH, found.seconds) else 0):
            took = min(took, here.cost(request)[0])
        found.tried += 1
        code = costing.status(answer)
        if took > found.seconds:
            found.seconds, found.request, found.status = took, request, code
        if errors.found or (code >= 500 and code != 503) or b'"server/fault"' in answer:
            found.faults.append(f"{request.text}: {code} {' '.join(errors.found)}")
            errors.found.clear()
        target(took * 1000)

    def search(examples: int) -> None:
        with suppress(AssertionError):
            settings(
                max_examples=examples,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.target),
                suppress_health_check=list(HealthCheck),
                derandomize=not seconds,
            )(given(made)(one))()

    try:
        began = time.monotonic()
        search(examples)
        each = (time.monotonic() - began) / examples
        if (left := ends - time.monotonic()) > each:
            search(max(1, int(left / each)))
    finally:
        logging.getLogger().removeHandler(errors)
    return found
