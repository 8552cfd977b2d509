"""What an invite says of a table that is put away is what the whole table says, at every stage."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from cardtable.server.http.descriptions import invite_of
from cardtable.server.rooms.hall import Glance, Hall
from cardtable.table import LiveTable
from cardtable.table import commands as cm
from tests.support.server.live import Driven
from tests.support.server.served import served


def agrees(t: Driven) -> None:
    """The outline of a log says the same as the table."""
    table = LiveTable.outline(t.log)
    assert invite_of(Glance(table, "CODE", t.table.stage)) == invite_of(Glance(t.table, "CODE", t.table.stage))
    assert table.match is None


def test_the_outline_of_a_table_is_what_its_invite_says() -> None:
    t = Driven("fan-tan", "ab", seats=4, bots=("", "", "", "medium"), fill="random")
    agrees(t)
    t.ask("b", cm.Leave)
    agrees(t)
    t.ask("a", cm.PutBot, seat=2, level="search")
    t.ask("c", cm.Sit, name="C")
    agrees(t)
    t.ask("a", cm.Start)
    t.play("between")
    agrees(t)
    t.ask("c", cm.Leave)
    agrees(t)
    t.ask("a", cm.Choose, about=t.table.seat_of("c"), choice="bot")
    agrees(t)
    t.returns("c")
    t.play("over")
    agrees(t)


def test_invites_open_no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the list of a person's tables: folding long logs would take seconds."""
    with served(tmp_path / "t.db") as server, httpx.Client(base_url=server.url) as ann:
        hall: Hall = server.app.hall
        made = [ann.post("/api/tables", json={"game": "busca", "name": f"{k}"}).json() for k in range(3)]
        path = f"/api/tables/{made[0]['id']}"
        while len(ann.get("/api/me").json()["tables"]) < len(made):  # their host sits down a moment after they are made
            pass
        before = ann.get(path).json(), ann.get("/api/me").json()

        async def forget() -> None:
            for room in tuple(hall.rooms.values()):
                hall.forget(room)

        asyncio.run_coroutine_threadsafe(forget(), server.loop).result(90)
        assert (ann.get(path).json(), ann.get("/api/me").json()) == before
        assert ann.get(f"/api/tables/{made[1]['code']}").json()["id"] == made[1]["id"]
        assert ann.get(f"{path}/qr.svg").status_code == 200
        assert ann.get("/api/tables/nothing").status_code == 404
        assert not hall.rooms
