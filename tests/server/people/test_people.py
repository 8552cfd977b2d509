"""A person's own data: they can have all of it, and delete it; what other people played stays whole."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from cardtable import Match, bot
from cardtable.client import Client, ServerError, TableClient
from cardtable.server.net.guard import hashed
from cardtable.server.people import personal_data
from cardtable.server.store.schema import EVENTS, META, PARTICIPANTS, migrate
from cardtable.server.store.store import StoreError
from cardtable.table import LiveTable
from cardtable.table.fair import verify
from tests.support.server import operating
from tests.support.server.clients import new_table, to_move
from tests.support.server.operating import WHY, ask, asked, done, listed, restrict
from tests.support.server.served import Served, served
from tests.support.waiting import eventually

running, server = operating.running, operating.server
SAID = "only Ann says this"


def owner(client: Client) -> str:
    """A person's id."""
    return hashed(client.token)


async def data(client: Client) -> Any:
    return await client.get("/api/me/data")


async def delete(server: Served, client: Client) -> Any:
    """Delete a person's data, as they do it."""
    told = await asyncio.to_thread(
        httpx.delete, f"{server.url}/api/me/data", cookies={"cardtable": client.token}, timeout=120
    )
    assert told.status_code == 200, told.text
    assert "cardtable=;" in told.headers["set-cookie"]
    assert "Max-Age=0" in told.headers["set-cookie"]
    return told.json()


def mentions(server: Served, *texts: str) -> list[str]:
    """The tables of the database that have one of these texts in any column."""
    found: list[str] = []

    def look(connection: sa.Connection) -> None:
        for table in META.sorted_tables:
            for row in connection.execute(sa.select(table)):
                found.extend(table.name for text in texts if any(text in str(value) for value in row))

    server.store.run(look)
    return sorted(set(found))


async def forgotten(server: Served, text: str) -> None:
    """Wait until the database does not have a text any more: who is connected is written a moment later."""
    await eventually(lambda: not mentions(server, text))


async def begun(*tables: TableClient) -> None:
    """Wait until everybody sees that the match has begun."""
    for table in tables:
        await table.until(lambda table=table: table.stage == "playing")  # type: ignore[misc]


async def finish(table: TableClient) -> None:
    """Give up the match, and wait until it is over."""
    await table.until(lambda: table.stage == "playing")
    await table.command("resign")
    await table.until(lambda: table.stage == "over")


# Having it


async def test_the_data_has_everything_about_a_person_and_nothing_about_others(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""])
        async with ann.table(made["id"]) as a, ben.table(made["id"]) as b:
            await b.sit("Ben")
            await a.command("say", text=SAID)
            await b.command("say", text="only Ben says this")
            mover, _ = await to_move(a, b)
            await mover.move(mover.legal[0])
            await finish(a)
        person = (await asyncio.to_thread(listed, server, made["id"]))["seats"][0]["person"]
        await asyncio.to_thread(lambda: restrict(server, kind="mute", person=person, seconds=60))
        told = await data(ann)
        assert told["person"] == owner(ann)
        (table,) = told["tables"]
        assert table["id"] == made["id"]
        kinds = [one["kind"] for one in table["done"]]
        assert kinds[:2] == ["created", "sat"]
        assert {"said", "resigned"} <= set(kinds)
        assert [one["text"] for one in table["done"] if one["kind"] == "said"] == [SAID]
        (match,) = told["matches"]
        assert [(one["name"], one["you"]) for one in match["players"]] == [("Ann", True), ("Ben", False)]
        assert verify(match["record"])
        assert told["statistics"][0]["matches"] == 1
        assert [(one["kind"], one["reason"]) for one in told["restrictions"]] == [("mute", WHY)]
        text = json.dumps(told)
        for secret in (ann.token, ben.token, owner(ben), "only Ben says this"):
            assert secret not in text
        assert (await data(ben))["restrictions"] == []


async def test_nothing_hidden_of_a_match_in_progress_is_in_the_data(server: Served) -> None:
    async with new_table(server.url, "thirty-one", seats=2, bots=["", "medium"], undo="never") as (table,):
        await table.until(lambda: bool(table.legal))
        await table.move(table.legal[0])
        (told,) = (await data(table.client))["tables"]
        secret = (await asyncio.to_thread(server.store.log, table.name))[0].event
        assert secret.secret not in json.dumps(told)  # type: ignore[union-attr]
        assert {one.get("seat", 0) for one in told["done"]} == {0}


def test_somebody_new_has_no_data(server: Served) -> None:
    answer = httpx.get(f"{server.url}/api/me/data")
    told = answer.json()
    assert (told["tables"], told["matches"], told["restrictions"]) == ([], [], [])
    assert answer.headers["content-disposition"].startswith('attachment; filename="cardtable-data-')


def test_having_all_data_is_limited(tmp_path: Path) -> None:
    """It costs more than other requests."""
    with served(tmp_path / "t.db", loopback_is_free=False, data_rate=(2, 600.0)) as small:
        codes = [httpx.get(f"{small.url}/api/me/data").status_code for _ in range(3)]
    assert codes == [200, 200, 429]


async def test_many_matches_are_all_there(server: Served) -> None:
    async with Client(server.url) as ann:
        m = Match("fan-tan", 3, seed=1, deals=1)
        while not m.over:
            m.play(bot("medium", 1).choose(m.view(m.actors[0])))
        ids = [(await ann.post("/api/records", str(m.record())))["id"] for _ in range(personal_data.PAGE + 2)]
        told = await data(ann)
        assert [one["id"] for one in told["matches"]] == ids[::-1]
        assert len({one["record"] for one in told["matches"]}) == 1


def test_without_the_database_there_is_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("it is gone")

    monkeypatch.setattr(personal_data, "tables_of", broken)
    with served(tmp_path / "t.db") as one:
        answer = httpx.get(f"{one.url}/api/me/data")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server/storage")


# Deleting it


async def test_a_person_alone_with_bots_leaves_nothing(each: Served) -> None:
    async with Client(each.url) as ann:
        made = await ann.make("fan-tan", name="Ann the first", seats=2, bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await finish(table)
            await ann.make("busca", name="Ann the first")
            m = Match("fan-tan", 3, seed=1, deals=1)
            while not m.over:
                m.play(bot("medium", 1).choose(m.view(m.actors[0])))
            await ann.post("/api/records", str(m.record()))
        assert len(mentions(each, owner(ann), "Ann the first")) >= 4
        told = await delete(each, ann)
        assert told == {"tables": 2, "matches": 2, "kept_tables": 0, "kept_matches": 0}
        await forgotten(each, owner(ann))
        assert mentions(each, owner(ann), "Ann the first", made["id"]) == []
        with pytest.raises(ServerError, match="no such table"):
            async with ann.table(made["id"]):
                pass


async def test_what_others_played_stays_without_the_name(each: Served) -> None:
    """Their match can be replayed and its proof checked; the one who is deleted is nobody any more."""
    async with Client(each.url) as ann, Client(each.url) as ben:
        made = await ann.make("fan-tan", name="Ann Onymous", seats=3, bots=["", "", "medium"])
        async with ben.table(made["id"]) as b:
            async with ann.table(made["id"]) as a:
                await a.command("say", text=SAID)
                await b.sit("Ben")
                await b.command("say", text="hello Ann")
                await begun(a, b)
                mover, _ = await to_move(a, b)
                await mover.move(mover.legal[0])
                await finish(a)
            before = (await ben.get("/api/matches"))["matches"][0]
            record = await ben.get(f"/api/matches/{before['id']}/record")
            assert "Ann Onymous" in record
            told = await delete(each, ann)
            assert told == {"tables": 0, "matches": 0, "kept_tables": 1, "kept_matches": 1}
            await forgotten(each, owner(ann))
            assert mentions(each, owner(ann), "Ann Onymous", SAID) == []
            (after,) = (await ben.get("/api/matches"))["matches"]
            assert after["players"][0]["name"] == personal_data.NAME
            assert [one["score"] for one in after["players"]] == [one["score"] for one in before["players"]]
            again = await ben.get(f"/api/matches/{before['id']}/record")
            assert verify(again) == verify(record)
            assert again == record.replace("Ann Onymous", personal_data.NAME)
            await b.until(lambda: b.connections > 1 and b.table["seats"][0]["name"] == personal_data.NAME)
            assert [line["text"] for line in b.table["chat"]] == ["hello Ann"]
            assert (await ann.get("/api/matches"))["matches"] == []
            log = await asyncio.to_thread(each.store.log, made["id"])
            assert LiveTable.fold(log).places[0].name == personal_data.NAME


async def test_in_the_middle_of_a_match_the_others_play_on(each: Served) -> None:
    async with Client(each.url) as ann, Client(each.url) as ben:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""])
        async with ben.table(made["id"]) as b:
            async with ann.table(made["id"]) as a:
                await b.sit("Ben")
                await a.until(lambda: a.stage == "playing")
                await b.until(lambda: b.stage == "playing")
                hand = list(b.view["hand"]) if b.view else []
                await delete(each, ann)
            await b.until(lambda: b.connections > 1 and b.table["seats"][0]["stood_in"])
            assert b.seat == 1
            assert b.stage == "playing"
            assert set(b.view["hand"] if b.view else []) <= set(hand)
            for _ in range(3):
                await b.until(lambda: bool(b.legal) or b.stage != "playing")
                if b.legal:
                    await b.move(b.legal[0])
            if b.stage == "playing":
                await finish(b)
            await b.until(lambda: b.stage in ("over", "between"))
        async with Client(each.url, ann.token) as again, again.table(made["id"]) as a:
            assert a.seat is None
        await forgotten(each, owner(ann))


async def test_before_a_match_the_seat_is_free(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "", ""])
        async with ben.table(made["id"]) as b:
            await b.sit("Ben")
            await b.until(lambda: b.table["seats"][0]["kind"] == "person")
            await delete(server, ann)
            await b.until(lambda: b.table["seats"][0]["kind"] == "free" and b.table["host"])
            await b.command("start")
            await b.until(lambda: b.stage == "playing")


async def test_when_the_last_person_goes_the_table_goes(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""])
        async with ann.table(made["id"]) as a, ben.table(made["id"]) as b:
            await b.sit("Ben")
            await finish(a)
        assert (await delete(server, ann))["kept_matches"] == 1
        assert await delete(server, ben) == {"tables": 1, "matches": 1, "kept_tables": 0, "kept_matches": 0}
        assert mentions(server, made["id"]) == []


async def test_in_real_time(server: Served) -> None:
    async with new_table(server.url, "pirate", seats=2, bots=["", ""], options={"form": "live"}, people=2) as (a, b):
        await b.sit("Ben")
        await a.until(lambda: bool(a.legal))
        await a.move(a.legal[0])
        assert {one["kind"] for one in (await data(a.client))["tables"][0]["done"]} >= {"ticked"}
        await delete(server, a.client)
        await b.until(lambda: b.connections > 1 and b.table["seats"][0]["stood_in"])
        assert mentions(server, owner(a.client)) == []


async def test_nobody_else_is_concerned(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ben.make("fan-tan", name="Ben", seats=2, bots=["", "medium"])
        async with ben.table(made["id"]) as b:
            await finish(b)
            assert await delete(server, ann) == {"tables": 0, "matches": 0, "kept_tables": 0, "kept_matches": 0}
            assert (await ben.get("/api/matches"))["matches"]
            assert b.connections == 1


async def test_another_sites_page_cannot_delete(server: Served) -> None:
    async with Client(server.url) as ann:
        await ann.make("fan-tan", name="Ann")
        cookies = {"cardtable": ann.token}
        for origin in ("https://evil.example", "null"):
            headers = {"Origin": origin}
            told = httpx.delete(f"{server.url}/api/me/data", cookies=cookies, headers=headers)
            assert (told.status_code, told.json()["error"]["code"]) == (403, "request/origin")
        assert (await data(ann))["tables"]


async def test_a_ban_is_no_way_to_keep_data_from_somebody(server: Served) -> None:
    """Somebody who is banned can have their data and delete it; the ban stays."""
    async with Client(server.url) as ann:
        await ann.make("fan-tan", name="Ann")
        ban = {"kind": "ban", "person": owner(ann), "reason": WHY, "seconds": 600}
        await asked(server, "POST", "restrictions", ban)
        assert len((await data(ann))["tables"]) == 1
        await delete(server, ann)
        assert mentions(server, owner(ann)) == ["restrictions"]
        with pytest.raises(ServerError, match="banned"):
            await ann.get("/api/me")


async def test_the_operator_deletes_in_the_same_way(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await finish(table)
        path = f"people/{owner(ann)[:12]}"
        told = await asked(server, "GET", path)
        assert (told["names"], told["tables"], told["matches"]) == (["Ann"], 1, 1)
        deleted = await asked(server, "DELETE", path)
        assert deleted == {"tables": 1, "matches": 1, "kept_tables": 0, "kept_matches": 0}
        assert mentions(server, owner(ann)) == []
        again = await asyncio.to_thread(ask, server, "GET", path)
        assert again.status_code == 404
    assert done(ask(server, "GET", "restrictions"))["restrictions"] == []


async def test_a_fault_in_between_can_be_tried_again(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Client(server.url) as ann:
        for _ in range(2):
            await ann.make("busca", name="Ann")
        real, calls = personal_data.delete_from_table, []

        def once(*given: Any) -> bool:
            calls.append(given)
            if len(calls) == 2:
                raise StoreError("locked")
            return real(*given)

        monkeypatch.setattr(personal_data, "delete_from_table", once)
        cookies = {"cardtable": ann.token}
        told = await asyncio.to_thread(httpx.delete, f"{server.url}/api/me/data", cookies=cookies)
        assert (told.status_code, "set-cookie" in told.headers) == (503, False)
        assert (await delete(server, ann))["tables"] == 1
        assert mentions(server, owner(ann)) == []


def test_older_logs_say_who_took_part(database: str) -> None:
    """The step that adds the list of participants fills it from the logs, once."""
    engine = sa.create_engine(database)
    migrate(engine)
    lines = [
        '{"version":1,"at":1,"event":{"kind":"created","table":"T","host":"ann","secret":"s","setup":{"game":"x"}}}',
        '{"version":2,"at":1,"event":{"kind":"sat","seat":0,"owner":"ben","name":"B","entropy":""},"owner":"ben"}',
        '{"version":3,"at":1,"event":{"kind":"said","seat":0,"text":"\\"kind\\":\\"sat\\""},"owner":"ben"}',
    ]
    with engine.begin() as connection:
        rows = [{"table_id": "T", "version": n, "line": line} for n, line in enumerate(lines, 1)]
        connection.execute(sa.insert(EVENTS), rows)
        connection.execute(sa.text("DROP TABLE participants"))
        connection.execute(sa.text("DELETE FROM schema_version WHERE step >= 7"))
    for _ in range(2):
        migrate(engine)
        with engine.begin() as connection:
            found = {(row.table_id, row.owner) for row in connection.execute(sa.select(PARTICIPANTS))}
            assert found == {("T", "ann"), ("T", "ben")}
            connection.execute(sa.text("DELETE FROM schema_version WHERE step >= 7"))
    engine.dispose()
