"""The server as its clients meet it: real connections on the loopback, whole matches, and everything a client can get
wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cardtable.base import languages
from cardtable.base.message import from_data
from cardtable.client import Client, ServerError, TableClient
from cardtable.rules.catalog import games
from cardtable.table import Setup, fair
from cardtable.table.setup import checked
from tests.support.effort import cases
from tests.support.server.clients import new_table, raw, refused, to_move
from tests.support.server.served import Served, served
from tests.support.waiting import run

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
GAMES = list(games())
PATIENCE = 300.0  #: seconds after which something that is waited for will not come
MOST = 250  #: moves of the client in one match, which is given up then


async def play(
    table: TableClient, choose: Callable[[list[str]], str] = lambda legal: legal[0], most: int = MOST
) -> int:
    """Play a seat until the match is over, or give it up after a number of moves; how many were made."""
    moves = 0
    async for _ in table.states():
        if table.legal and moves >= most:
            await table.command("resign")
        elif table.legal:
            with contextlib.suppress(ServerError):  # the table may have moved on
                await table.move(choose(table.legal))
                moves += 1
        elif table.stage == "between" and "ready" in table.table["may"]:
            await table.command("ready")
    return moves


def bots_for(game: str) -> list[str]:
    """A person and bots at every seat of a game."""
    return ["", *["medium"] * ((checked(Setup(game)).seats or 2) - 1)]


# Whole matches


@pytest.mark.parametrize("game", cases(GAMES, ("fan-tan", "i-doubt-it", "michigan", "spider", "thirty-one")))
def test_a_match_of_every_game_against_bots(server: Served, game: str) -> None:
    async def match() -> None:
        async with Client(server.url) as client:
            made = await client.make(game, name="Ann", bots=bots_for(game))
            async with client.table(made["id"]) as table:
                assert await play(table, most=25) > 0
                assert table.stage == "over"
                numbers = [happening["number"] for happening in table.log]
                assert numbers == list(range(numbers[0], table.version + 1)), "nothing was missed"
            finished = (await client.get("/api/matches"))["matches"]
            assert [match["game"] for match in finished] == [game]
            record = await client.get(f"/api/matches/{finished[0]['id']}/record")
            told = fair.verify(record)
            assert told["commitment"] == table.table["fair"]["commitment"]

    run(match())


async def test_two_people_and_a_spectator_see_the_same_end(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as eve:
        made = await ann.make("busca", name="Ann", seats=3, bots=["", "", "medium"])
        async with ann.table(made["id"]) as a, ben.table(made["code"].lower()) as b, eve.table(made["id"]) as e:
            assert "sit" in b.table["may"]
            await b.sit("Ben")
            await asyncio.gather(play(a, most=40), play(b, most=40))
            await e.until(lambda: e.stage == "over")
            assert a.view and b.view and e.view  # noqa: PT018
            assert a.view["scores"] == b.view["scores"] == e.view["scores"]
            assert a.view["winners"] == b.view["winners"] == e.view["winners"]
            assert e.seat is None
            assert e.view["legal"] == []
            assert [seat["name"] for seat in e.table["seats"][:2]] == ["Ann", "Ben"]
            await a.command("ready")
            await b.command("ready")
            await a.until(lambda: a.table["match"] == 2)


async def test_whoever_comes_back_gets_what_was_missed(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=2, preset="british", bots=["", ""], people=2) as (a, b):
        await b.sit("Ben")
        await a.until(lambda: a.stage == "playing")
        version, log = a.version, list(a.log)
        assert a._task
        a._task.cancel()
        await b.command("say", text="Where are you?")
        await b.until(lambda: b.table["seats"][0]["present"] is False)
        await b.command("choose", about=0, choice="wait")
        again = a.client.table(a.name)
        again.version, again.log = version, list(log)
        async with again as a2:
            kinds = [happening["kind"] for happening in a2.log[len(log) :]]
            assert kinds == ["said", "left", "chosen", "returned"]
            assert a2.log[-1]["number"] == a2.version
            assert a2.table["chat"][-1]["text"] == "Where are you?"
            assert a2.table["seats"][0]["present"]
            assert a2.table["seats"][0]["online"]


async def test_hints_and_taking_back_against_bots(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=3, bots=["", "medium", "medium"]) as (a,):
        await a.until(lambda: bool(a.legal))
        hint = await a.hint()
        assert hint["move"] in a.legal
        hand = list(a.view["hand"]) if a.view else []
        await a.move(hint["move"])
        await a.command("undo")
        await a.until(lambda: a.legal and a.table["undone"] == 1)
        assert a.view
        assert a.view["hand"] == hand


async def test_a_hint_that_is_refused_is_told(server: Served) -> None:
    async with new_table(server.url, "oh-hell", seats=3, bots=["", "medium", "medium"], hints=False) as (a,):
        await a.until(lambda: bool(a.legal))
        with pytest.raises(ServerError, match="at this table there are no hints"):
            await asyncio.wait_for(a.hint(), PATIENCE)


def test_a_bot_in_thirty_lines(server: Served, root: Path) -> None:
    """The example of docs/server.md plays a match."""
    source = (root / "docs" / "server.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    assert source.count("\n") <= 30
    scope: dict[str, Any] = {"__name__": "example"}
    exec(compile(source, "docs/server.md", "exec"), scope)
    assert run(scope["main"](server.url)) in (0, 1, 2)


def test_the_session_of_the_guide(server: Served, root: Path) -> None:
    """The example of docs/server.md over HTTP and the socket, with nothing of the package's client."""
    guide = (root / "docs" / "server.md").read_text("utf-8")
    body = json.loads(guide.partition("/api/tables -d '")[2].partition("'\n")[0])
    lines = guide.partition("```text\n")[2].partition("```")[0].splitlines()

    async def session() -> None:
        async with httpx.AsyncClient() as http:
            made = (await http.post(f"{server.url}/api/tables", json=body)).json()
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        url = f"{server.url.replace('http', 'ws')}/ws/{made['id']}"
        async with connect(url, additional_headers={"Cookie": cookie}) as socket:
            for line in lines:
                wanted = json.loads(line[2:].replace('"ID"', json.dumps(made["id"])))
                if line.startswith(">"):
                    await socket.send(json.dumps(wanted))
                else:
                    await until_like(wanted, socket)

    assert {line[0] for line in lines} == {">", "<"}
    run(session())


async def until_like(wanted: Any, socket: ClientConnection) -> None:
    """Wait for a message that fits; only a table that shows nothing new may come before it."""
    while True:
        told = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if like(wanted, told):
            return
        assert (told["type"], told.get("happened")) == ("table", []), (wanted, told)


def like(wanted: Any, told: Any) -> bool:
    """Whether a value has what an example shows of it; an ellipsis at its end stands for more."""
    if isinstance(wanted, dict):
        return all(name in told and like(value, told[name]) for name, value in wanted.items())
    if isinstance(wanted, list) and wanted[-1:] == ["…"]:
        return bool(told[: len(wanted) - 1] == wanted[:-1])
    if isinstance(wanted, list):
        return len(wanted) == len(told) and all(map(like, wanted, told))
    return bool(wanted == told)


async def test_lists_and_pages(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as eve:
        made = await ann.make("scopa", name="<b>Ann", listed=True)
        async with ann.table(made["id"]) as a:
            await a.until(lambda: a.stage == "lobby")
            listed = (await eve.get("/api/tables"))["tables"]
            assert [table["code"] for table in listed if table["id"] == made["id"]] == [made["code"]]
            invite = await eve.get(f"/api/tables/{made['code']}")
            assert invite["seats"][0] == {"seat": 0, "name": "<b>Ann", "kind": "person", "level": ""}
            assert "svg" in await eve.get(f"/api/tables/{made['code']}/qr.svg")
            assert [table["id"] for table in (await ann.get("/api/me"))["tables"]] == [made["id"]]
            assert (await eve.get("/api/me"))["tables"] == []
        told = await eve.get("/api/games/fan tan")
        assert told["values"]["british"]["ante"]
        assert told["page"].startswith("#")
        here = await eve.get("/api/games/michigan/rules?preset=pope-joan&seats=4&stack=20,30,20,20")
        assert (here["preset"], here["seats"], here["options"]) == ("pope-joan", 4, {"stack": "20,30,20,20"})
        assert "`stack`: **20 30 20 20** instead of 50" in here["page"]
        assert "auction" not in here["page"]
        assert "puts 1 chip on each money card" in (await eve.get("/api/games/michigan/rules"))["page"]
        assert '<tr id="MI-01">' in await eve.get("/api/games/michigan/rules.html")
        told = await eve.get("/api/games/michigan/rules.html?preset=pope-joan&seats=4&stack=20,30,20,20")
        assert told.startswith("<h1>Pope Joan</h1>")
        assert "<code>stack</code>: <strong>20 30 20 20</strong> instead of 50" in told
        assert "auction" not in told
        assert "auction" in await eve.get("/api/games/michigan/rules.html?whole=1")
        assert "<title>" in await eve.get("/")
        assert (await eve.get("/healthz")) == {"ok": True}
        assert "cardtable_tables" in await eve.get("/metrics")
        assert (await eve.get("/api/schema"))["x-messages"]["protocol"] == 2


async def test_records_are_brought_along_and_replayed(server: Served) -> None:
    from cardtable import Match, bot

    m, player = Match("cassino", seed=5), bot("medium", 1)
    for _ in range(12):
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])

    async with Client(server.url) as ann, Client(server.url) as eve:
        kept = await ann.post("/api/records", str(m.record()))
        frames = await ann.get(f"/api/matches/{kept['id']}/frames?deal=1")
        assert frames["frames"][0]["move"] == ""
        assert frames["frames"][-1]["view"]["hands"] == [m.view(seat).hand for seat in range(2)]
        own = await ann.get(f"/api/matches/{kept['id']}/frames?deal=1&seat=1")
        assert own["frames"][-1]["view"]["hand"] == m.view(1).hand
        for path, code in (("?deal=9", "record/deal"), ("?deal=1&seat=7", "options/seats"), ("?deal=x", "http/query")):
            assert await refused(ann.get(f"/api/matches/{kept['id']}/frames{path}")) == code
        assert await refused(eve.get(f"/api/matches/{kept['id']}/record")) == "http/missing"
        assert await refused(ann.post("/api/records", "cardtable = 1")) == "record/syntax"
        assert await refused(ann.post("/api/verify", str(m.record()))) == "record/fair"
        assert (await ann.get("/api/statistics"))["games"] == []


# Bad input


async def answers(socket: ClientConnection, *messages: Any) -> list[dict[str, Any]]:
    """What is answered to some messages (text goes as it is), one answer each."""
    found = []
    for message in messages:
        await socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
        found.append(json.loads(await asyncio.wait_for(socket.recv(), PATIENCE)))
    return found


async def test_messages_that_are_none_are_refused_and_harm_nobody(server: Served) -> None:
    bad = [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"hello"',
        "{}",
        '{"type":"hello"}',
        '{"type":"move","seq":1}',
        '{"type":"hello","table":7}',
        b"\xff\xfe",
        '{"type":"unknown"}',
        '{"type":["hello"]}',
        '{"type":"hello","table":"x","more":1}',
        '{"type":"ping","n":-1}',
        "[" * 5000,
        '{"x":' + "[" * 2000 + "]" * 2000 + ',"type":"hello"}',
        '{"a":' * 1200 + "1" + "}" * 1200,
        '{"type":"move","seq":1e999,"move":"7H","at":0}',
        '{"type":"say","seq":1,"text":"' + "x" * 300 + '"}',
        '{"type":"ping","n":18446744073709551616}',
    ]

    async with Client(server.url) as ann:
        made = await ann.make("busca", name="Ann", bots=bots_for("busca"))
        socket = await raw(server, ann.token)
        for message, answer in zip(bad, await answers(socket, *bad), strict=True):
            seq = 1 if '"seq":1,' in str(message) or '"seq":1}' in str(message) else 0  # its sender waits for it
            assert (answer["type"], answer["code"], answer["seq"]) == ("refused", "message/syntax", seq), answer
        told = await answers(
            socket,
            {"type": "move", "seq": 4, "move": "7H", "at": 0},
            {"type": "hello", "table": "no such"},
            {"type": "ping", "n": 5},
        )
        assert [(t["type"], t.get("code"), t.get("seq", t.get("n"))) for t in told] == [
            ("refused", "message/hello", 4),
            ("refused", "table/unknown", 0),
            ("pong", None, 5),
        ]
        assert (await answers(socket, {"type": "hello", "table": made["id"]}))[0]["type"] == "table"
        await socket.close()


async def test_what_one_may_not_do_is_answered_with_a_code(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=2, preset="british", bots=["", ""], people=3) as (a, b, e):
        await b.sit("Ben")
        turn, other = await to_move(a, b)
        for table in (other, e):
            await table.until(lambda table=table: table.version >= turn.version)  # type: ignore[misc]
        move = turn.legal[0]
        assert await refused(other.move(move)) == "move/turn"
        assert await refused(e.move(move)) == "table/seat"
        assert await refused(turn.move("AS AS AS")) in ("move/syntax", "move/illegal")
        assert await refused(turn.command("move", move=move, at=0)) == "move/stale"
        hand = turn.view["hand"] if turn.view else []
        assert await refused(turn.move(next(card for card in hand if card not in turn.legal))) == "move/illegal"
        assert await refused(e.command("say", text="hello")) == "table/seat"
        assert await refused(b.command("start")) == "table/host"
        assert await refused(a.command("close")) == "table/stage"
        await turn.move(move)  # nothing of it did any harm
        forged = e.client.token[:-2] + ("aa" if not e.client.token.endswith("aa") else "bb")
        async with Client(server.url, forged).table(a.name) as f:
            assert f.seat is None


async def test_a_message_sent_twice_is_done_once(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("oh-hell", name="Ann", seats=3, bots=["", "medium", "medium"])
        socket = await raw(server, ann.token)
        await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
        state: dict[str, Any] = {}
        while not state.get("view") or not state["view"]["legal"]:
            state = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        message = json.dumps({"type": "move", "seq": 1, "move": state["view"]["legal"][0], "at": state["version"]})
        for _ in range(3):
            await socket.send(message)
        dones: list[bool] = []
        while len(dones) < 3:
            told = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            dones += [told["again"]] if told["type"] == "done" else []
            assert told["type"] != "refused", told
        assert dones == [False, True, True]
        await socket.close()


async def test_another_sites_page_is_turned_away(server: Served) -> None:
    async with Client(server.url) as ann:
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"{server.url}.evil.example"):
            with pytest.raises(InvalidStatus) as error:
                await raw(server, ann.token, origin)
            assert error.value.response.status_code == 403
        await (await raw(server, ann.token, server.url)).close()
        with pytest.raises(InvalidStatus):
            await raw(server, "")
    import httpx

    answer = httpx.post(f"{server.url}/api/tables", json={"game": "scopa"}, headers={"Origin": "http://evil.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "request/origin")
    page = httpx.get(server.url)
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "HttpOnly" in page.headers["set-cookie"]
    assert "SameSite=Strict" in page.headers["set-cookie"]


def test_a_browser_is_given_the_best_catalogue(server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    polish = {"code": "pl", "name": "polski", "plural": "n != 1", "messages": {"Settings": "Ustawienia"}}
    (tmp_path / "pl.json").write_text(json.dumps(polish), "utf-8")
    monkeypatch.setenv(languages.VARIABLE, str(tmp_path))
    languages.catalogue.cache_clear()
    assert {"code": "pl", "name": "polski"} in httpx.get(f"{server.url}/api/languages").json()["languages"]
    assert httpx.get(f"{server.url}/api/languages").json()["languages"][0] == {"code": "en", "name": "English"}
    for asked, code in (
        ("pl", "pl"),
        ("nl:pl-PL:en", "pl"),
        ("en-GB:pl", "en"),
        ("", "en"),
        ("../pl", "en"),
        (":::", "en"),
        ("\1😀", "en"),
        ("x" * 3000, "en"),
    ):
        told = httpx.get(f"{server.url}/api/language", params={"of": asked})
        assert (told.status_code, told.json()["code"]) == (200, code)
        assert told.json()["messages"] == (polish["messages"] if code == "pl" else {})
        again = httpx.get(
            f"{server.url}/api/language", params={"of": code}, headers={"If-None-Match": told.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
    assert httpx.get(f"{server.url}/api/language").json()["code"] == "en"
    monkeypatch.undo()
    languages.catalogue.cache_clear()


def test_a_refusal_is_a_message_too(server: Served) -> None:
    import httpx

    told = httpx.get(f"{server.url}/api/matches?before=x").json()["error"]
    assert (told["what"], told["why"], told["can"]) == (
        "before=x",
        "it should be a whole number from 0 to 999999999",
        "leave it out, or correct it",
    )
    assert (
        str(from_data(told["message"]))
        == "before=x: it should be a whole number from 0 to 999999999. Leave it out, or correct it"
    )
    told = httpx.post(f"{server.url}/api/verify", content="no record").json()["error"]  # refused by another process
    assert str(from_data(told["message"])).startswith(f"{told['what']}: {told['why']}")
    assert told["message"]["told"]["what"]["says"], "its parts are messages, not finished English"


async def test_frames_and_bodies_are_bounded(server: Served) -> None:
    async with Client(server.url) as ann:
        socket = await raw(server, ann.token)
        await socket.send('{"type":"ping","n":1' + " " * 9000 + "}")
        with pytest.raises(ConnectionClosed) as error:
            await asyncio.wait_for(socket.recv(), PATIENCE)
        assert error.value.rcvd
        assert error.value.rcvd.code == 1009
        assert await refused(ann.post("/api/tables", {"game": "x" * 70_000})) == "http/size"
        assert await refused(ann.post("/api/tables", {"game": "chess"})) == "game/unknown"
        assert await refused(ann.post("/api/tables", {"seats": 3})) == "message/syntax"
        assert await refused(ann.get("/api/tables/../../etc/passwd")) == "http/missing"
        assert await refused(ann.get("/static/../app.py")) == "http/missing"
        assert await refused(ann.get("/api/matches/1e3")) == "http/missing"
        assert await refused(ann.get("/api/games/chess")) == "game/unknown"
        assert await refused(ann.get("/api/games/chess/rules")) == "game/unknown"
        assert await refused(ann.get("/api/games/busca/rules?preset=chess")) == "options/preset"
        assert await refused(ann.get("/api/games/chess/rules.html?whole=1")) == "game/unknown"
        assert await refused(ann.get("/api/games/busca/rules.html?seats=9")) == "options/seats"
        assert await refused(ann.get("/api/games/busca/rules?seats=x")) == "http/query"
        assert await refused(ann.get("/api/games/busca/rules?seats=9")) == "options/seats"
        assert await refused(ann.get("/api/games/busca/rules?limit=30")) == "options/value"


def test_who_sends_too_much_is_put_out(tmp_path: Path) -> None:
    with served(
        tmp_path / "t.db", socket_rate=(5, 60.0), loopback_is_free=False, tables_rate=(2, 600.0), sockets_per_address=3
    ) as server:

        async def send() -> None:
            async with Client(server.url) as ann:
                socket = await raw(server, ann.token)
                with pytest.raises(ConnectionClosed) as error:
                    await answers(socket, *[{"type": "ping", "n": n} for n in range(9)])
                assert error.value.rcvd
                assert error.value.rcvd.code == 1008
                for _ in range(2):
                    await ann.make("scopa")
                assert await refused(ann.make("scopa")) == "http/rate"
                open_sockets = [await raw(server, ann.token) for _ in range(3)]
                with pytest.raises(InvalidStatus):
                    await raw(server, ann.token)
                for one in open_sockets:
                    await one.close()

        run(send())


async def test_who_reads_too_slowly_is_dropped() -> None:
    """The outbox is bounded, and what does not fit ends the connection."""
    from cardtable.server.rooms.sockets import SocketPeer
    from cardtable.server.settings import Settings

    class Stuck:
        def __init__(self) -> None:
            self.closed = asyncio.get_running_loop().create_future()

        async def send(self, message: Any) -> None:
            if message["type"] == "websocket.close":
                self.closed.set_result(message["code"])
            else:
                await asyncio.Event().wait()

    stuck: Any = Stuck()
    peer = SocketPeer(stuck.send, "me", "", Settings(outbox=4, slowest_send=0.05))
    for _ in range(20):
        peer.send("x")
    assert await asyncio.wait_for(stuck.closed, PATIENCE) == 1008
    await peer.end()


async def test_a_table_among_its_players_only(server: Served) -> None:
    async with new_table(server.url, "busca", bots=bots_for("busca"), watched=False) as (a,), Client(server.url) as eve:
        await a.until(lambda: a.stage == "playing")
        assert await refused(eve.table(a.name).__aenter__()) == "table/private"


def test_a_restart_loses_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "websockets")

    async def until_move(url: str, client: Client, id: str) -> tuple[Any, ...]:
        async with client.table(id) as table:
            await table.until(lambda: bool(table.legal))
            seen = table.version, table.view, table.table["fair"]
            await table.move(table.legal[0])
            await table.until(lambda: bool(table.legal))
            return *seen, table.version, table.view

    async def make(url: str) -> tuple[Client, str]:
        async with Client(url) as client:
            return client, (await client.make("domino-fan-tan", name="Ann", bots=["", "medium"]))["id"]

    with served(tmp_path / "t.db") as first:
        client, id = run(make(first.url))
        before = run(until_move(first.url, client, id))
    with served(tmp_path / "t.db") as second:
        client.url = second.url
        after = run(until_move(second.url, client, id))
    for view in (after[1], before[4]):
        del view["sheet_since"]  # which part of the sheet the last message had: there may have been one more
    assert after[1:3] == (before[4], before[2])
    assert after[0] >= before[3]
