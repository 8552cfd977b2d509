"""A device can be signed out from another one of the same person, the first device too; then its cookie is nobody's."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from cardtable.client import Client, ServerError
from cardtable.server.net.guard import hashed
from cardtable.server.people import devices
from cardtable.server.people.devices import DAY
from cardtable.server.store.schema import DEVICES
from cardtable.server.store.store import Store
from tests.support.server import operating
from tests.support.server.served import Served, served
from tests.support.waiting import run

running, server = operating.running, operating.server


@contextlib.asynccontextmanager
async def linked(server: Served, devices: int = 2) -> AsyncIterator[tuple[Client, ...]]:
    """Devices of one person, the first one first, and a table of theirs."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server.url)) for _ in range(devices)]
        await clients[0].make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        for client in clients[1:]:
            await client.take(await clients[0].link())
        yield tuple(clients)


async def tables(client: Client) -> int:
    """How many tables a device finds that are its person's."""
    return len((await client.get("/api/me"))["tables"])


async def id_of(by: Client, other: Client) -> str:
    """The id of a device, as another one sees it in its list."""
    return next(str(one["id"]) for one in await by.devices() if hashed(other.token).startswith(one["id"]))


async def test_devices_are_listed(each: Served) -> None:
    async with Client(each.url) as alone:
        assert [(one["this"], one["linked"]) for one in await alone.devices()] == [(True, 0)]
    async with linked(each, 3) as (first, second, third):
        for here, client in enumerate((first, second, third)):
            told = await client.devices()
            assert [one["this"] for one in told] == [number == here for number in range(3)]
            assert [set(one) for one in told] == [{"id", "this", "linked", "seen"}] * 3
            assert told[0]["linked"] == 0
            assert 0 < told[1]["linked"] <= told[2]["linked"]
            assert all(one["seen"] % DAY == 0 for one in told)
            assert all(time.time() * 1000 - one["seen"] < 2 * DAY for one in told[1:])


@pytest.mark.parametrize("lost", [0, 1])
def test_a_lost_device_is_signed_out(each: Served, lost: int) -> None:
    """The first device, too, although its token's hash is the person's id. Its cookie is nobody's after that."""

    async def look() -> str:
        async with linked(each) as clients:
            gone, kept = clients[lost], clients[1 - lost]
            old = gone.token
            await kept.sign_out(await id_of(kept, gone))
            assert [one["this"] for one in await kept.devices()] == [True]
            assert await tables(kept) == 1
            assert await tables(gone) == 0
            assert gone.token not in ("", old), "a new identity"
            async with Client(each.url, gone.token) as somebody:
                assert [one["linked"] for one in await somebody.devices()] == [0]
            return old

    old = run(look())
    url = each.store.engine.url.render_as_string(hide_password=False)
    with served(Path("unused"), database=url) as again:
        answer = httpx.get(f"{again.url}/api/me", cookies={"cardtable": old})
        assert answer.json()["tables"] == []
        assert "cardtable=" in answer.headers["set-cookie"]


async def test_open_tables_are_closed_with_the_reason(server: Served) -> None:
    async with linked(server) as (first, second):
        name = (await second.get("/api/me"))["tables"][0]["id"]
        async with first.table(name) as lost, second.table(name) as kept:
            await second.sign_out(await id_of(second, first))
            with pytest.raises(ServerError) as told:
                await lost.until(lambda: False)
            assert told.value.code == "device/signed-out"
            assert "signed out on another of your devices" in str(told.value)
            await kept.until(lambda: bool(kept.legal))
            await kept.move(kept.legal[0])
        with pytest.raises(ServerError) as told:  # a client that was offline hears it when it comes back
            async with first.table(name):
                pass
        assert told.value.code == "device/signed-out"


async def test_all_other_devices_are_signed_out_at_once(each: Served) -> None:
    async with linked(each, 4) as (first, second, third, fourth):
        assert await third.sign_out_others() == 3
        assert [await tables(one) for one in (first, second, third, fourth)] == [0, 0, 1, 0]
        assert await third.sign_out_others() == 0


async def test_of_two_that_sign_each_other_out_one_stays(each: Served) -> None:
    async with linked(each) as (first, second):
        await asyncio.gather(first.sign_out_others(), second.sign_out_others(), return_exceptions=True)
        assert sorted([await tables(first), await tables(second)]) == [0, 1]


async def test_what_cannot_be_signed_out(server: Served) -> None:
    async with linked(server) as (first, second), Client(server.url) as other:
        for device, code in (
            (await id_of(first, first), "device/this"),
            ("0" * 16, "device/unknown"),
            (await id_of(other, other), "device/unknown"),
        ):
            with pytest.raises(ServerError) as error:
                await first.sign_out(device)
            assert error.value.code == code
        gone = await id_of(first, second)
        await first.sign_out(gone)
        with pytest.raises(ServerError, match="no such device"):
            await first.sign_out(gone)
        evil = {"Origin": "https://evil.example"}
        told = httpx.delete(f"{server.url}/api/me/devices", cookies={"cardtable": first.token}, headers=evil)
        assert told.status_code == 403


async def test_a_link_made_by_a_lost_device_ends(server: Served) -> None:
    """Otherwise the finder would be back with the link."""
    async with linked(server) as (first, second), Client(server.url) as thief:
        link = await second.link()
        await first.sign_out(await id_of(first, second))
        with pytest.raises(ServerError) as error:
            await thief.take(link)
        assert error.value.code == "link/unknown"


async def test_a_device_that_was_signed_out_can_be_linked_again(server: Served) -> None:
    async with linked(server) as (first, second):
        await second.sign_out(await id_of(second, first))
        await first.get("/api/me")
        await first.take(await second.link())
        assert await tables(first) == 1
        assert [one["this"] for one in await first.devices()] == [False, True]


async def test_a_first_device_that_goes_over_to_somebody_else_leaves_the_list(server: Served) -> None:
    async with linked(server) as (first, second), Client(server.url) as ben:
        old = first.token
        await first.take(await ben.link())
        assert [one["this"] for one in await second.devices()] == [True]
        assert await tables(Client(server.url, old)) == 0
        assert len(await ben.devices()) == 2


async def test_other_processes_close_the_device_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even before they know it, the device can make no link and sign out nobody."""
    monkeypatch.setattr("cardtable.server.rooms.upkeep.REFRESH_EVERY", 1000.0)

    async def ask(other: Served) -> None:
        reading = asyncio.run_coroutine_threadsafe(other.app.hall.devices.load(), other.loop)
        await asyncio.wrap_future(reading)

    with served(tmp_path / "t.db") as one, served(tmp_path / "t.db") as other:
        async with linked(one) as (first, second):
            await ask(other)
            name = (await first.get("/api/me"))["tables"][0]["id"]
            late = Client(other.url, second.token)
            async with late.table(name) as lost:
                assert lost.seat == 0
                await first.sign_out(await id_of(first, second))
                for work in (late.link(), late.sign_out_others()):
                    with pytest.raises(ServerError) as error:
                        await work
                    assert error.value.code == "device/signed-out"
                await ask(other)
                with pytest.raises(ServerError) as error:
                    await lost.until(lambda: False)
                assert error.value.code == "device/signed-out"
            assert await tables(late) == 0


async def test_the_last_day_is_kept(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a day, and once a day; of people with one device nothing is kept."""
    hall = server.app.hall
    today = int(time.time() * 1000) // DAY * DAY
    at = today + DAY // 2
    monkeypatch.setattr(devices, "now", lambda: at)

    def rows(client: Client) -> dict[str, int]:
        query = sa.select(DEVICES.c.token, DEVICES.c.seen)
        found = {row.token: row.seen for row in server.store.run(lambda c: c.execute(query).all())}
        return {token: seen for token, seen in found.items() if token == hashed(client.token)}

    async def load() -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(hall.devices.load(), server.loop))

    async with linked(server) as (first, second), Client(server.url) as alone:
        await asyncio.gather(*(client.get("/api/me") for client in (first, second, alone)))
        await load()
        assert rows(first) == {hashed(first.token): today}
        assert rows(second) == {hashed(second.token): today}
        assert rows(alone) == {}
        at += DAY
        await second.get("/api/me")
        await load()
        assert rows(second) == {hashed(second.token): today + DAY}
        assert rows(first) == {hashed(first.token): today}


async def test_the_file_with_all_data_has_the_devices(server: Served) -> None:
    async with linked(server, 3) as (first, second, _):
        await first.sign_out(await id_of(first, second))
        told: Any = await first.get("/api/me/data")
        assert [set(one) for one in told["devices"]] == [{"linked", "seen", "signed_out"}] * 3
        assert [bool(one["signed_out"]) for one in told["devices"]] == [False, True, False]


def test_devices_of_an_older_database_count(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        for column in ("seen", "signed_out"):
            connection.execute(sa.text(f"ALTER TABLE devices DROP COLUMN {column}"))
        connection.execute(sa.text("INSERT INTO devices (token, owner, at) VALUES ('phone', 'ann', 5)"))
        step = 10  # that of devices that were signed out
        connection.execute(sa.text(f"DELETE FROM schema_version WHERE step >= {step}"))
    store.close()
    store = Store(database)

    async def look() -> None:
        found = devices.Devices(store)
        await found.load()
        assert found.owner("phone") == "ann"
        assert [(one.token, one.linked, one.last_seen) for one in await found.listed("ann")] == [
            ("ann", 0, 0),
            ("phone", 5, 0),
        ]

    run(look())
    store.close()
