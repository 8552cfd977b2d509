"""Looking back at a deal that is over while its match is not: what a seat saw, and trying again from a move of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardtable import Record
from cardtable.client import Client, TableClient
from cardtable.table.archive import record_so_far
from cardtable.table.live import LiveTable
from tests.server.test_server import play
from tests.support.server.clients import new_table, refused
from tests.support.server.served import Served, served

BOTS = ["", "random", "random"]
THREE_DEALS: dict[str, Any] = {"seats": 3, "bots": BOTS, "options": {"deals": 3}}


async def play_deal(table: TableClient) -> None:
    """Play a deal to its end."""
    while table.stage not in ("between", "over"):
        await table.until(lambda: table.legal or table.stage in ("between", "over"))
        if table.legal:
            await table.move(table.legal[0])


def table_of(server: Served, id: str) -> LiveTable:
    """A table that is open."""
    table: LiveTable = server.app.hall.rooms[id].table
    return table


def own(record: Record, seat: int) -> list[int]:
    """The numbers of the cards that a seat laid in the first deal: a pass is forced, so the rules make it again."""
    return [number for number, (who, move) in enumerate(record.acts(1), 1) if who == seat and move != "pass"]


async def test_a_deal_is_tried_again_while_the_match_runs(tmp_path: Path) -> None:
    """As it lay, at another table; not during a deal, nor from what others did, nor by others."""
    with served(tmp_path / "t.db") as server:
        async with new_table(server.url, "fan-tan", people=2, **THREE_DEALS) as (ann, eve):
            id = ann.table["id"]
            path, body = f"/api/tables/{id}/retry", {"deal": 1, "number": 1, "name": "Ann"}
            await ann.until(lambda: ann.legal)
            assert await refused(ann.client.post(path, body)) == "table/review"
            await play_deal(ann)
            record = record_so_far(table_of(server, id))
            mine = own(record, 0)
            body["number"] = mine[2]
            assert await refused(eve.client.post(path, body)) == "table/review", "who only watches"
            wrong = {"number": own(record, 1)[0]}, {"number": 999}, {"deal": 2}
            codes = [await refused(ann.client.post(path, body | one)) for one in wrong]
            assert codes == ["table/review", "record/move", "record/deal"]
            before = ann.version
            made = await ann.client.post(path, body)
            assert (ann.version, ann.stage) == (before, "between"), "nothing happens at the table"
            async with ann.client.table(made["id"]) as again:
                await again.until(lambda: again.legal)
                start = table_of(server, made["id"]).current_match.record()
                assert start.acts(1) == record.acts(1)[: mine[2] - 1]
                assert start.keys["deals"][0]["pack"] == record.scripted().keys["deals"][0]["pack"]
                await play(again)
                assert again.stage == "over"
            (kept,) = (await ann.client.get("/api/matches"))["matches"]
            assert not kept["counts"]
            assert record.keys["seed"] not in await ann.client.get(f"/api/matches/{kept['id']}/record")
            await ann.command("ready")
            await ann.until(lambda: ann.stage == "playing")
            assert await refused(ann.client.post(path, body)) == "table/review", "the next deal is played"


async def test_the_deal_is_shown_as_its_seat_saw_it(tmp_path: Path) -> None:
    """Each step of it, also by a server that has begun since."""
    with served(tmp_path / "t.db") as server:
        async with new_table(server.url, "fan-tan", people=2, **THREE_DEALS) as (ann, eve):
            path = f"/api/tables/{ann.table['id']}/frames?deal=1"
            await ann.until(lambda: ann.legal)
            assert await refused(ann.client.get(path)) == "table/review"
            await play_deal(ann)
            assert await refused(eve.client.get(path)) == "table/review"
            told = await ann.client.get(path)
            assert await ann.client.get(f"{path}&seat=1") == told, "nobody else's cards"
            token = ann.client.token
    assert told["deals"] == 1
    assert [frame["number"] for frame in told["frames"]] == list(range(told["moves"] + 1))
    assert all("hands" not in frame["view"] and frame["view"]["seat"] == 0 for frame in told["frames"])
    before = [frame["view"]["legal"] for frame in told["frames"]]
    for at, frame in enumerate(told["frames"]):
        assert frame["seat"] != 0 or frame["move"] in before[at - 1]
    with served(tmp_path / "t.db") as server:
        async with Client(server.url, token) as ann:
            assert await ann.get(path) == told


async def test_where_nothing_is_tried_again(tmp_path: Path) -> None:
    """At a table without hints, and where others can still play the deal of the day."""
    with served(tmp_path / "t.db") as server:
        async with Client(server.url) as ann:
            plain = await ann.make("fan-tan", name="Ann", **THREE_DEALS, hints=False)
            daily = await ann.post("/api/daily/fan-tan", {"name": "Ann"})
            for made, code in ((plain, "table/review"), (daily, "daily/sealed")):
                async with ann.table(made["id"]) as table:
                    await play_deal(table)
                    number = own(record_so_far(table_of(server, made["id"])), table.seat or 0)[0]
                    body = {"deal": 1, "number": number}
                    assert await refused(ann.post(f"/api/tables/{made['id']}/retry", body)) == code
