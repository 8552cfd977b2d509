"""What is old is deleted as the settings say, and nothing that somebody has open."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cardtable.client import Client, ServerError
from cardtable.server.clock import now
from cardtable.server.people import restrictions
from cardtable.server.rooms import hall as hall_module
from cardtable.server.rooms import retention
from cardtable.server.store.schema import EVENTS, MATCHES, PLAYERS, RESTRICTIONS, SEATS, SITE, TABLES
from tests.support.server.served import Served, served
from tests.support.waiting import eventually, until

DAY = 86_400_000


@contextlib.contextmanager
def hall(tmp_path: Path, **settings: Any) -> Iterator[Served]:
    """A server that puts tables away as soon as nobody is there."""
    with served(tmp_path / "t.db", most_tables=1, **settings) as server:
        yield server


def aged(server: Served, table: str, days: float) -> None:
    """Make a table older, and what was played there."""
    at = now() - int(days * DAY)
    with server.store.engine.begin() as connection:
        connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(changed=at))
        connection.execute(sa.update(MATCHES).where(MATCHES.c.table_id == table).values(at=at))


def rows(server: Served, table: str) -> int:
    """How many rows of the database are about a table."""
    with server.store.engine.begin() as connection:
        return sum(
            connection.execute(sa.select(sa.func.count()).where(column == table)).scalar() or 0
            for column in (TABLES.c.id, EVENTS.c.table_id, SEATS.c.table_id)
        )


def delete(server: Served) -> int:
    """Delete what is old; how many tables."""
    deleted: int = asyncio.run_coroutine_threadsafe(retention.delete_old(server.app.hall), server.loop).result(120.0)
    return deleted


async def made(server: Served, client: Client, **setup: Any) -> str:
    """A table; another one is made, so that it is not in memory any more."""
    id = str((await client.make("fan-tan", name="Ann", **setup))["id"])
    if "medium" in setup.get("bots", ()):
        async with client.table(id) as table:
            await table.until(lambda: bool(table.legal))
            await table.command("resign")
            await table.until(lambda: table.stage == "over")
    await client.make("busca", name="Ann")
    return id


async def test_a_table_that_was_never_played_at_goes_after_a_month(tmp_path: Path) -> None:
    with hall(tmp_path) as server:
        async with Client(server.url) as ann:
            old, newer = [await made(server, ann, seats=2, bots=["", ""]) for _ in range(2)]
            aged(server, old, 31)
            aged(server, newer, 29)
            assert await asyncio.to_thread(delete, server) == 1
            assert (rows(server, old), rows(server, newer) > 0) == (0, True)
            assert old not in [table["id"] for table in (await ann.get("/api/me"))["tables"]]
            with pytest.raises(ServerError, match="there is no such thing here"):
                await ann.get(f"/api/tables/{old}")
            assert (await ann.get(f"/api/tables/{newer}"))["id"] == newer


async def test_a_table_that_somebody_has_open_stays(tmp_path: Path) -> None:
    with hall(tmp_path, keep_tables=1.0) as server:
        async with Client(server.url) as ann:
            id = str((await ann.make("fan-tan", name="Ann", seats=2, bots=["", ""]))["id"])
            async with ann.table(id) as table:
                aged(server, id, 400)
                assert await asyncio.to_thread(delete, server) == 0
                await table.command("say", text="Still here")
            assert rows(server, id) > 0


@pytest.mark.parametrize(
    ("settings", "tables", "matches"),
    [
        ({}, 1, 1),
        ({"keep_tables": 10.0}, 0, 1),
        ({"keep_tables": 30.0}, 1, 1),
        ({"keep_matches": 10.0}, 1, 0),
        ({"keep_matches": 30.0, "keep_tables": 10.0}, 0, 1),
    ],
)
async def test_what_was_played_is_kept_as_the_settings_say(
    settings: dict[str, Any], tables: int, matches: int, tmp_path: Path
) -> None:
    """Twenty days old. A finished match stays when its table goes."""
    with hall(tmp_path, **settings) as server:
        async with Client(server.url) as ann:
            id = await made(server, ann, seats=3, bots=["", "medium", "medium"])
            aged(server, id, 20)
            assert await asyncio.to_thread(delete, server) == 1 - tables
            assert (rows(server, id) > 0) == bool(tables)
            found = (await ann.get("/api/matches"))["matches"]
            assert len(found) == matches
            for match in found:
                assert "fan-tan" in await ann.get(f"/api/matches/{match['id']}/record")
            with server.store.engine.begin() as connection:
                assert connection.execute(sa.select(sa.func.count()).select_from(PLAYERS)).scalar() == 3 * matches


async def test_whoever_asks_for_a_table_while_it_is_deleted_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(tmp_path) as server:
        async with Client(server.url) as ann:
            id = await made(server, ann, seats=2, bots=["", ""])
            aged(server, id, 400)
            work, asked = server.store.delete_table, asyncio.get_running_loop().create_future()

            def slowly(table: str) -> None:
                finding = asyncio.run_coroutine_threadsafe(server.app.hall.find(table), server.loop)
                work(table)
                asked.get_loop().call_soon_threadsafe(asked.set_result, finding)

            monkeypatch.setattr(server.store, "delete_table", slowly)
            assert await asyncio.to_thread(delete, server) == 1
            assert await asyncio.wrap_future(await asked) is None
            assert id not in server.app.hall.rooms


@pytest.mark.parametrize("days", [800, 8, -8, -800])
def test_a_clock_that_is_far_from_the_newest_entry_deletes_nothing(
    days: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither tables and matches nor bans; also when people have played by the wrong clock since. It is reported."""
    file = tmp_path / "t.db"

    def kept() -> tuple[int, ...]:
        with server.store.engine.begin() as connection:
            return tuple(
                int(connection.execute(sa.select(sa.func.count()).select_from(one)).scalar() or 0)
                for one in (TABLES, MATCHES, RESTRICTIONS)
            )

    async def play() -> None:
        async with Client(server.url) as ann:
            for bots in (["", ""], ["", "medium"]):
                await made(server, ann, seats=2, bots=bots)

    def off() -> float:
        return float(server.app.hall.metrics.clock_off._value.get())

    with served(file, most_tables=1, keep_tables=7.0, keep_matches=7.0) as server:
        asyncio.run(play())
        ban = server.app.hall.restrictions.add("ban", network="192.0.2.0/24", seconds=3 * 86_400, reason="spam")
        asyncio.run_coroutine_threadsafe(ban, server.loop).result(120)
        assert (delete(server), off()) == (0, 0.0)  # the clock is right
        before = kept()
    for module in (hall_module, retention, restrictions):
        monkeypatch.setattr(module, "now", lambda: now() + days * DAY)
    with served(file, most_tables=1, keep_tables=7.0, keep_matches=7.0) as server:
        until(lambda: off() != 0.0)
        asyncio.run(play())
        assert delete(server) == 0
        assert [more >= less for more, less in zip(kept(), before, strict=True)] == [True] * 3
        assert "nothing old is deleted" in caplog.text
        asyncio.run_coroutine_threadsafe(retention.trust_clock(server.app.hall), server.loop).result(120)
        assert off() == 0.0
        assert delete(server) >= (2 if days > 7 else 0)


def test_a_database_of_before_is_judged_by_its_newest_entry(tmp_path: Path) -> None:
    with hall(tmp_path) as server:
        with server.store.engine.begin() as connection:
            assert retention.looked_at(connection, now()) == 0  # there is nothing yet
            connection.execute(sa.delete(SITE))
        asyncio.run(made_once(server))
        with server.store.engine.begin() as connection:
            for far in (800 * DAY, -800 * DAY):
                assert abs(retention.looked_at(connection, now() + far) - far) < DAY
            assert retention.looked_at(connection, now() + DAY) == 0
            assert retention.looked_at(connection, now() + 7 * DAY) == 0  # six days later


async def made_once(server: Served) -> None:
    async with Client(server.url) as ann:
        await ann.make("busca", name="Ann")


async def test_it_is_done_regularly(tmp_path: Path) -> None:
    with hall(tmp_path, delete_every=0.05) as server:
        async with Client(server.url) as ann:
            id = await made(server, ann, seats=2, bots=["", ""])
            aged(server, id, 31)
            await eventually(lambda: not rows(server, id))
