"""The operator's tools: who may use them, what they do at tables and to people, and what the people concerned see."""

from __future__ import annotations

import asyncio
import json
import logging
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardtable.base.message import Message
from cardtable.cli.admin_requests import OperatorClient, OperatorError
from cardtable.client import Client, ServerError
from cardtable.server.logs import Limiter
from cardtable.server.net.guard import hashed
from cardtable.server.people import admin_token, restrictions
from cardtable.server.people.restrictions import network_of, span
from cardtable.server.store.schema import RESTRICTIONS
from cardtable.table import events as ev
from tests.support.server import operating
from tests.support.server.clients import new_table, to_move
from tests.support.server.operating import RIGHT, WHY, ask, asked, done, lift, listed, refused, restrict
from tests.support.server.served import OPERATOR, Served, served
from tests.support.waiting import eventually

running, server = operating.running, operating.server


# Who may ask


def every_request() -> list[tuple[str, str]]:
    from cardtable.server.app import described

    paths = described()["paths"]
    found = [(method, path) for path in paths if path.startswith("/api/admin") for method in paths[path]]
    assert len(found) >= 7
    return [(method.upper(), path.replace("{id}", "1").replace("{person}", "a" * 12)) for method, path in found]


@pytest.mark.parametrize("token", ["", "Bearer wrong", f"Basic {OPERATOR}", f"Bearer {OPERATOR}x", "Bearer"])
def test_without_the_token_there_is_no_answer(server: Served, token: str) -> None:
    with httpx.Client(headers={"Authorization": token} if token else {}) as stranger:
        for method, path in every_request():
            answer = stranger.request(method, server.url + path)
            assert answer.status_code == 401, (method, path)
            assert answer.json()["error"]["code"] == "request/token"
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers", [{"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "198.51.100.7"}, {"Forwarded": "for=127.0.0.1"}]
)
def test_nobody_comes_through_a_proxy_that_is_not_trusted(server: Served, headers: dict[str, str]) -> None:
    answer = ask(server, "GET", "tables", **headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "request/operator"


@pytest.mark.parametrize(("named", "status"), [("127.0.0.1", 200), ("::1", 200), ("198.51.100.7", 403), ("", 403)])
def test_a_trusted_proxy_says_who_asks(server: Served, named: str, status: int) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
        headers = RIGHT | {"X-Forwarded-For": f"127.0.0.1,{named}"}
        assert client.get(f"{server.url}/api/admin/tables", headers=headers).status_code == status


def test_other_addresses_are_refused(server: Served) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.3")) as client:
        answer = client.get(f"{server.url}/api/admin/tables", headers=RIGHT)
    assert answer.status_code == 403
    assert "admin_from" in answer.json()["error"]["can"]


def test_a_page_of_another_site_cannot_ask(server: Served) -> None:
    """A browser on the operator's machine, on a page of another site: no cookie helps it, and it may not send the
    token's header.
    """
    answer = ask(server, "POST", "tables/1/close", {"reason": "x"}, Origin="https://evil.example")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "request/origin")
    asking = httpx.options(
        f"{server.url}/api/admin/tables",
        headers={"Origin": "https://evil.example", "Access-Control-Request-Headers": "authorization"},
    )
    assert "access-control-allow-origin" not in asking.headers


def test_without_an_operators_token_the_api_is_off(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as running:
        running.app.hall.operator_token = ""
        for headers in (RIGHT, {"Authorization": "Bearer"}, {}):
            assert httpx.get(f"{running.url}/api/admin/tables", headers=headers).status_code == 403


def test_the_token_is_a_secret_of_the_servers_user(tmp_path: Path) -> None:
    token = admin_token.made_in(tmp_path)
    path = admin_token.path_in(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert admin_token.made_in(tmp_path) == token == admin_token.read(path)
    assert len(token) == 43
    path.chmod(0o640)
    with pytest.raises(admin_token.BadToken, match="other users") as caught:
        admin_token.made_in(tmp_path)
    assert isinstance(caught.value.why, Message), "it can be translated"
    with pytest.raises(OperatorError) as refused:
        OperatorClient.of("http://localhost", path)
    assert refused.value.parts[1] == caught.value.why
    path.chmod(0o600)
    path.write_text("short\n", "ascii")
    with pytest.raises(admin_token.BadToken, match="no token"):
        admin_token.read(path)


# Tables


async def test_the_list_says_who_sits_and_who_is_connected(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as eve:
        made = await ann.make("fan-tan", name="[red]Ann", seats=3, bots=["", "medium", ""])
        async with ann.table(made["id"]) as table, eve.table(made["id"]):
            told = await asyncio.to_thread(listed, server, made["id"])
            assert (told["code"], told["stage"], told["in_memory"]) == (made["code"], "lobby", True)
            assert [(one["name"], one["kind"], one["online"]) for one in told["seats"]] == [
                ("[red]Ann", "person", True),
                (told["seats"][1]["name"], "bot", False),
                ("", "free", False),
            ]
            people = [one["person"] for one in told["connections"]]
            assert len(set(people)) == 2
            assert told["seats"][0]["person"] in people
            assert all(one["address"] == "127.0.0.1" and one["since"] > 0 for one in told["connections"])
            assert ann.token not in json.dumps(told)
            await table.command("leave")


async def test_tables_that_nobody_has_open_are_listed_when_asked_for(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", most_tables=1) as small:
        async with Client(small.url) as ann:
            first = await ann.make("fan-tan", name="Ann")
            async with ann.table(first["id"]) as table:
                await table.until(lambda: table.seat is not None)
            second = await ann.make("busca", name="Ann")
            # the host is seated after the answer
            await eventually(lambda: small.app.hall.store.has_seat(hashed(ann.token), second["id"]))
            await ann.get(f"/api/tables/{second['id']}")
            tables = (await asked(small, "GET", "tables"))["tables"]
            assert [one["id"] for one in tables] == [second["id"]]
            everything = (await asked(small, "GET", "tables?all=1"))["tables"]
            assert [(one["id"], one["in_memory"]) for one in everything] == [(second["id"], True), (first["id"], False)]
            assert everything[1]["seats"][0]["person"] == everything[0]["seats"][0]["person"] != ""


async def test_a_table_shows_nothing_hidden_of_a_match_in_progress(server: Served) -> None:
    """It has what a spectator gets, and no cards of hands."""
    async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as eve:
        made = await ann.make("thirty-one", name="Ann", seats=2, bots=["", ""])
        async with ann.table(made["id"]) as a, ben.table(made["id"]) as b, eve.table(made["id"]) as e:
            await b.sit("Ben")
            mover, _ = await to_move(a, b)
            await mover.move(mover.legal[0])
            await e.until(lambda: e.log[-1]["kind"] == "moved")
            told = await asked(server, "GET", f"tables/{made['code']}")
            assert told["happened"] == [line | {} for line in e.log]
            text = json.dumps(told)
            assert "secret" not in text
            assert "entropy" not in text
            assert "hand" not in told
            assert "zones" not in told


async def test_a_table_is_closed_in_the_middle_of_a_match(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await table.until(lambda: table.stage == "playing")
            await asked(server, "POST", f"tables/{made['code']}/close", {"reason": f" {WHY}\n"})
            await table.until(lambda: table.stage == "closed")
            assert table.table["closed"] == WHY
            assert table.log[-1]["by"] == "operator"
            assert table.legal == []
            again = await asyncio.to_thread(ask, server, "POST", f"tables/{made['code']}/close", {"reason": WHY})
            assert again.status_code == 409
            for command in ("ready", "resign", "start"):
                with pytest.raises(ServerError):
                    await table.command(command)
        assert (await ann.get("/api/me"))["tables"] == [] or made["id"] not in json.dumps(await ann.get("/api/me"))
        log = await asyncio.to_thread(server.store.log, made["id"])
        assert log[-1].event == ev.Closed(WHY)


async def test_a_table_after_its_match_stays_closed(server: Served) -> None:
    """Its match is over, so nothing else is due there."""
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await table.until(lambda: table.stage == "playing")
            await table.command("resign")
            await table.until(lambda: table.stage == "over")
            await asked(server, "POST", f"tables/{made['code']}/close", {"reason": WHY})
            await table.until(lambda: table.stage == "closed")
            with pytest.raises(ServerError):
                await table.command("ready")
            assert table.stage == "closed"


async def test_who_is_kicked_is_told_and_stays_out(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=2, bots=["", ""]) as (a,), Client(server.url) as ben:
        async with ben.table(a.name) as b:
            await b.sit("Ben")
            await a.until(lambda: a.stage == "playing")
            told = await asyncio.to_thread(listed, server, a.name)
            body = {"person": told["seats"][1]["person"], "reason": WHY, "seconds": 7200}
            kick = await asked(server, "POST", f"tables/{a.name}/kick", body)
            said = await refused(b, "person/kicked")
            assert said == f"the operator has removed you from this table for another 2 hours: {WHY}"
        await a.until(lambda: a.table["seats"][1]["stood_in"])
        assert [(one["kind"], one.get("by", "")) for one in a.log if one["kind"] in ("left", "stood-in")] == [
            ("left", "operator"),
            ("stood-in", ""),
        ]
        async with Client(server.url, ben.token) as again:
            with pytest.raises(ServerError, match="removed you"):
                async with again.table(a.name):
                    pass
        await asyncio.to_thread(lift, server, kick)
        async with Client(server.url, ben.token) as again, again.table(a.name) as b:
            assert b.seat == 1
            await a.until(lambda: not a.table["seats"][1]["stood_in"])


async def test_a_kick_goes_with_its_table(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", bots=["", "medium", "", ""])
        person = (await asyncio.to_thread(listed, server, made["id"]))["seats"][0]["person"]
        await asked(server, "POST", f"tables/{made['id']}/kick", {"person": person, "reason": WHY})
        await asyncio.to_thread(server.store.delete_table, made["id"])
        loading = asyncio.run_coroutine_threadsafe(server.app.hall.restrictions.load(), server.loop)
        await asyncio.wrap_future(loading)
        assert server.app.hall.restrictions.all() == []


async def test_before_a_match_a_kick_frees_the_seat(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=3, bots=["", "", ""], people=2) as (a, b):
        await b.sit("Ben")
        await a.until(lambda: a.table["seats"][1]["kind"] == "person")
        told = await asyncio.to_thread(listed, server, a.name)
        body = {"person": told["seats"][1]["person"], "reason": WHY}
        kick = await asked(server, "POST", f"tables/{a.name}/kick", body)
        assert "for good" in await refused(b, "person/kicked")
        await a.until(lambda: a.table["seats"][1]["kind"] == "free")
        await asyncio.to_thread(lift, server, kick)


# Mutes and bans


async def test_who_is_muted_plays_on_without_the_chat(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (table,):
        await table.command("say", text="before")
        person = (await asyncio.to_thread(listed, server, table.name))["seats"][0]["person"]
        mute = await asyncio.to_thread(lambda: restrict(server, kind="mute", person=person, seconds=60 * 90))
        with pytest.raises(ServerError) as error:
            await table.command("say", text="after")
        assert error.value.code == "person/muted"
        told = f"the operator does not let you use the chat for another 90 minutes: {WHY}"
        assert str(error.value) == told
        await table.until(lambda: bool(table.legal))
        await table.move(table.legal[0])
        await asyncio.to_thread(lift, server, mute)
        await table.command("say", text="afterwards")
        assert [line["text"] for line in table.table["chat"]] == ["before", "afterwards"]


async def test_who_is_banned_is_told_everywhere(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"], people=2) as (table, other):
        person = (await asyncio.to_thread(listed, server, table.name))["seats"][0]["person"]
        ban = await asyncio.to_thread(lambda: restrict(server, kind="ban", person=person, seconds=86_400 * 3))
        told = f"the operator has banned you from this server for another 3 days: {WHY}"
        assert await refused(table, "person/banned") == told
        with pytest.raises(ServerError) as error:
            await table.client.get("/api/me")
        assert (error.value.code, str(error.value)) == ("person/banned", told)
        with pytest.raises(ServerError, match="banned"):
            async with Client(server.url, table.client.token).table(table.name):
                pass
        page = httpx.get(f"{server.url}/", cookies={"cardtable": table.client.token})
        assert page.status_code == 200  # it informs people of the ban
        assert (await other.client.get("/api/me"))["tables"] == []
        assert other.stage == "playing"
        await asyncio.to_thread(lift, server, ban)
        assert (await Client(server.url, table.client.token).get("/api/me"))["tables"]


def test_a_banned_network_gets_no_identity(server: Served) -> None:
    ban = restrict(server, kind="ban", network="127.0.0.4/31")
    try:
        assert ban["network"] == "127.0.0.4/31"
        for address, status in (("127.0.0.3", 200), ("127.0.0.4", 403), ("127.0.0.5", 403), ("127.0.0.6", 200)):
            with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
                answer = client.get(f"{server.url}/api/me")
                assert answer.status_code == status
                assert ("set-cookie" in answer.headers) == (status == 200)
                page = client.get(f"{server.url}/settings")
                assert page.status_code == 200
                forged = client.get(f"{server.url}/api/me", headers={"X-Forwarded-For": "127.0.0.9"})
                assert forged.status_code == status
    finally:
        lift(server, ban)


def test_the_operator_is_never_banned(server: Served) -> None:
    ban = restrict(server, kind="ban", network="127.0.0.1")
    try:
        assert httpx.get(f"{server.url}/api/me").status_code == 403
        assert httpx.get(f"{server.url}/healthz").status_code == 200
    finally:
        lift(server, ban)
    assert httpx.get(f"{server.url}/api/me").status_code == 200


@pytest.mark.parametrize(
    ("given", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::7/128", "2001:db8::7/128"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
    ],
)
def test_networks(given: str, network: str) -> None:
    assert network_of(given) == network


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("192.0.2.0/24", "::ffff:192.0.2.9", "192.0.3.1"),
        ("2001:db8::/32", "2001:db8:ff::1", "2001:db9::1"),
        ("0.0.0.0/0", "198.51.100.1", "2001:db8::1"),
        ("::/0", "2001:db8::1", "no address"),
    ],
)
def test_who_is_in_a_network(network: str, inside: str, outside: str) -> None:
    found = restrictions.Restrictions(None)  # type: ignore[arg-type]
    found._take([restrictions.Restriction(1, "ban", "", network, "", 0, 0, WHY)])
    assert found.ban_of("", inside)
    assert not found.ban_of("", outside)
    assert not found.ban_of("", "")


def test_the_longest_one_counts_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    time = [1000]
    monkeypatch.setattr(restrictions, "now", lambda: time[0])
    found = restrictions.Restrictions(None)  # type: ignore[arg-type]
    found._take(
        [restrictions.Restriction(n, "mute", "a", "", "", 0, until, WHY) for n, until in ((1, 5000), (2, 3000))]
    )
    assert found.mute_of("a").id == 1  # type: ignore[union-attr]
    time[0] = 5000
    assert found.mute_of("a") is None
    assert found.all() == []


@pytest.mark.parametrize(
    ("milliseconds", "told"),
    [
        (1, "1 minute"),
        (60_001, "2 minutes"),
        (7_140_000, "119 minutes"),
        (7_199_999, "2 hours"),
        (7_200_001, "3 hours"),
        (172_740_000, "48 hours"),
        (172_799_000, "2 days"),
        (365 * 86_400_000, "365 days"),
    ],
)
def test_how_long(milliseconds: int, told: str) -> None:
    assert str(span(milliseconds)) == told


async def test_bans_and_mutes_hold_after_a_restart(database: str, tmp_path: Path) -> None:
    """On each database; what has ended is deleted."""
    with served(tmp_path / "unused", database=database) as server:
        async with Client(server.url) as ann, Client(server.url) as ben:
            for one, kind in ((ann, "ban"), (ben, "mute")):
                made = await one.make("fan-tan", name="X", bots=["", "medium", "", ""])
                person = (await asyncio.to_thread(listed, server, made["id"]))["seats"][0]["person"]
                body = {"kind": kind, "person": person, "seconds": 3600, "reason": WHY}
                await asked(server, "POST", "restrictions", body)
        short = restrict(server, kind="ban", network="198.51.100.0/24", seconds=1)
        ends = RESTRICTIONS.update().where(RESTRICTIONS.c.id == short["id"]).values(until=1000)
        server.store.run(lambda c: c.execute(ends))
    with served(tmp_path / "unused", database=database) as server:
        found = done(ask(server, "GET", "restrictions"))["restrictions"]
        assert [(one["kind"], one["reason"]) for one in found] == [("ban", WHY), ("mute", WHY)]
        answer = httpx.get(f"{server.url}/api/me", cookies={"cardtable": ann.token})
        assert answer.json()["error"]["code"] == "person/banned"
        assert httpx.get(f"{server.url}/api/me", cookies={"cardtable": ben.token}).status_code == 200
        asyncio.run_coroutine_threadsafe(server.app.hall.restrictions.delete_expired(), server.loop).result(90)
        rows = server.store.run(lambda c: c.execute(RESTRICTIONS.select()).all())
        assert len(rows) == 2


async def test_what_another_process_decides_is_carried_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardtable.server.rooms.upkeep.REFRESH_EVERY", 0.05)

    with served(tmp_path / "t.db") as server, served(tmp_path / "t.db") as other:
        async with new_table(server.url, "fan-tan", bots=["", "medium", "", ""]) as (table,):
            person = (await asyncio.to_thread(listed, server, table.name))["seats"][0]["person"]
            await asyncio.to_thread(lambda: restrict(other, kind="ban", person=person))
            assert "for good" in await refused(table, "person/banned")


# What is wrong


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "ban", "reason": WHY}, "message/syntax"),
        ({"kind": "ban", "reason": WHY, "person": "a" * 12, "network": "192.0.2.1"}, "message/syntax"),
        ({"kind": "mute", "reason": WHY, "network": "192.0.2.1"}, "message/syntax"),
        ({"kind": "kick", "reason": WHY, "person": "a" * 12}, "message/syntax"),
        ({"kind": "ban", "reason": "", "network": "192.0.2.1"}, "message/syntax"),
        ({"kind": "ban", "reason": " \u202e\n", "network": "192.0.2.1"}, "message/syntax"),
        ({"kind": "ban", "reason": "x" * 201, "network": "192.0.2.1"}, "message/syntax"),
        ({"kind": "ban", "reason": WHY, "network": "192.0.2.1", "seconds": -1}, "message/syntax"),
        ({"kind": "ban", "reason": WHY, "network": "192.0.2.1", "more": 1}, "message/syntax"),
        ({"kind": "ban", "reason": WHY, "network": "192.0.2.300"}, "network/syntax"),
        ({"kind": "ban", "reason": WHY, "network": "192.0.2.0/33"}, "network/syntax"),
        ({"kind": "ban", "reason": WHY, "network": "::1%eth0/64"}, "network/syntax"),
        ({"kind": "ban", "reason": WHY, "person": "abc"}, "person/id"),
        ({"kind": "ban", "reason": WHY, "person": "%" * 12}, "person/id"),
        ({"kind": "ban", "reason": WHY, "person": "a" * 12}, "http/missing"),
    ],
)
def test_bad_requests_are_refused(server: Served, body: Any, code: str) -> None:
    answer = ask(server, "POST", "restrictions", body)
    assert answer.json()["error"]["code"] == code
    assert answer.status_code == (404 if code == "http/missing" else 400)
    assert done(ask(server, "GET", "restrictions"))["restrictions"] == []


def test_what_is_not_there(server: Served) -> None:
    assert ask(server, "GET", "tables/ABCDEFGH").status_code == 404
    assert ask(server, "POST", "tables/ABCDEFGH/close", {"reason": WHY}).status_code == 404
    assert ask(server, "DELETE", "restrictions/999").status_code == 404
    assert ask(server, "GET", "tables/%00").status_code == 400


def test_everything_is_in_the_log(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Also the fiftieth line in a minute; a reason cannot begin a new line."""
    with caplog.at_level(logging.INFO, "cardtable"):
        for _ in range(15):
            lift(server, restrict(server, kind="ban", network="198.51.100.0/24", reason="x\n2026 forged"))
        httpx.get(f"{server.url}/api/admin/tables", headers={"Authorization": "Bearer wrong"})
    lines = [record for record in caplog.records if record.name == "cardtable.operator"]
    limiter = Limiter()
    assert len([line for line in lines if limiter.allows(line)]) == 30
    assert "ban" in lines[0].getMessage()
    assert "198.51.100.0/24" in lines[0].getMessage()
    assert "\n" not in lines[0].getMessage()
    assert lines[1].getMessage().startswith("lifted: ban")
    assert any("without the right token" in record.getMessage() for record in caplog.records)
    assert OPERATOR not in caplog.text
