"""What the operator decides about the whole site: draining before a restart, a reserve of the disk, a notice to
everybody, no chat; and the checks before and after an upgrade.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import cardtable
from cardtable.base import platform
from cardtable.client import Client, ServerError
from cardtable.server import member, supervisor
from cardtable.server.people import site
from cardtable.server.rooms import drain
from cardtable.server.rooms.notices import hear
from cardtable.server.store.faults import UNKNOWN, StoreError
from cardtable.server.store.schema import STEPS
from tests.support.server import operating
from tests.support.server.clients import new_table
from tests.support.server.operating import ask, asked, call, done, told
from tests.support.server.served import Served, served
from tests.support.waiting import eventually, until

token_file = operating.token_file
running = operating.running
AGAINST_BOTS: dict[str, Any] = {"seats": 3, "bots": ["", "medium", "medium"]}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A separate server for each test: they end it."""
    with served(tmp_path / "tables.db", health_within=300.0) as one:
        yield one


def seen(server: Served) -> Any:
    return httpx.get(f"{server.url}/api/site").json()


# Draining


async def test_the_server_ends_when_the_last_match_is_over(
    server: Served, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drain, "LOOK", 0.01)

    async with Client(server.url) as ben:
        async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
            await table.until(lambda: bool(table.legal))
            out = await asyncio.to_thread(told, server, token_file, "drain", "--within", "2h")
            assert "when 1 match is over" in out
            assert seen(server)["restart"] > 0
            with pytest.raises(ServerError, match="the server restarts soon"):
                await ben.make("busca", name="Ben")
            move = table.legal[0]
            await table.move(move)  # moves go on
            assert not server._server.should_exit
            await table.command("resign")
        await eventually(lambda: server._server.should_exit)
    server._thread.join(90)
    assert not server._thread.is_alive()


async def test_it_ends_at_its_time_although_somebody_plays(server: Served) -> None:
    async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
        await table.until(lambda: bool(table.legal))
        assert (await asked(server, "POST", "drain", {"seconds": 0}))["matches"] == 1
        await eventually(lambda: server._server.should_exit)


async def test_draining_can_be_cancelled_and_begins_no_other_match(
    server: Served, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(server.app.hall, "stop", lambda: stopped.append(True))

    async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
        await table.until(lambda: bool(table.legal))
        await asked(server, "POST", "drain", {"seconds": 7200})
        await table.command("resign")
        await table.until(lambda: table.stage == "over")
        with pytest.raises(ServerError, match="another match: the server restarts soon"):
            await table.command("ready")
        assert "continues" in await asyncio.to_thread(told, server, token_file, "drain", "--cancel")
        assert seen(server) == {"notice": "", "chat": True, "restart": 0, "tables": True}
        await table.command("ready")
        await table.client.make("busca", name="Ann")
    assert server.app.hall.draining is None


def test_the_processes_of_a_machine_drain_together(server: Served) -> None:
    hall = server.app.hall

    def heard(**what: Any) -> int:
        server.loop.call_soon_threadsafe(hear, hall, "drain", what)
        return hall.site.public.restart

    hall.cluster.node = dataclasses.replace(hall.cluster.node, machine="here")
    server.loop.call_soon_threadsafe(setattr, hall, "stop", lambda: None)
    heard(machine="elsewhere", until=5)
    later = 2_000_000_000_000
    heard(machine="here", until=later)
    until(lambda: hall.site.public.restart == later)
    heard(machine="here", until=0)
    until(lambda: hall.site.public.restart == 0)


def test_a_supervisor_ends_when_its_processes_have_drained(monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts none of them again, and the others go on until they have drained, too."""
    ended = supervisor.Supervisor.__new__(supervisor.Supervisor)
    ran: Any = SimpleNamespace(pid=0, returncode=member.DRAINED)
    children = [supervisor.Child(place, ran) for place in range(2)]
    monkeypatch.setattr(supervisor, "mark_process_dead", lambda *_: None)
    ended._children, ended._replacing, ended._pools, ended._answered, ended._ending = [*children], [], [], True, None
    ended._directory = Path()
    ended._has_ended(children[0])
    assert ended._ending is None
    ended._has_ended(children[1])
    assert isinstance(ended._ending, SystemExit)
    assert ended._ending.code == 0


# The disk


async def test_below_the_reserve_nothing_new_is_kept_and_moves_are(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [1 << 40]
    monkeypatch.setattr(site, "room_at", lambda place: (free[0], 1 << 40))

    hall = server.app.hall
    async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
        await table.until(lambda: bool(table.legal))
        free[0] = hall.settings.disk_reserve - 1
        with pytest.raises(ServerError, match="the disk is almost full"):
            await table.client.make("busca", name="Ann")
        with pytest.raises(ServerError, match="the disk is almost full"):
            await table.client.post("/api/daily/busca", {"name": "Ann"})
        assert httpx.post(f"{server.url}/api/records", content="x = 1").status_code == 503
        assert not seen(server)["tables"]
        await table.move(table.legal[0])
        free[0] = hall.settings.disk_reserve
        await eventually(lambda: hall.site.public.tables)  # it is looked at automatically
        await table.client.make("busca", name="Ann")


def test_what_is_free_is_a_figure(tmp_path: Path) -> None:
    found = site.room_at(str(tmp_path))
    assert found is not None
    assert 0 < found[0] <= found[1]
    assert site.room_at("") is None
    assert site.room_at(str(tmp_path / "none")) is None
    with served(tmp_path / "t.db", disk_reserve=0) as one:
        assert one.store.directory == str(tmp_path)
        free = one.app.hall.metrics.free
        until(lambda: free._value.get() > 0)
        assert seen(one)["tables"]


def test_of_a_small_disk_a_tenth_is_kept(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = server.app.hall

    def new_tables(free: int) -> bool:
        monkeypatch.setattr(site, "room_at", lambda place: (free, 1000))
        asyncio.run_coroutine_threadsafe(hall.site.look_at_disk(), server.loop).result(120)
        return bool(hall.site.public.tables)

    assert (new_tables(100), new_tables(99), new_tables(0)) == (True, False, False)


# A notice, and the chat


async def test_a_notice_reaches_everybody_and_stays(server: Served, token_file: Path, tmp_path: Path) -> None:
    heard: list[Any] = []

    async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
        take = table._take

        async def note(message: Any) -> None:
            heard.append(message)
            await take(message)

        table._take = note  # type: ignore[method-assign]
        out = await asyncio.to_thread(told, server, token_file, "notice", "Maintenance \x1b[31m at noon")
        assert "Everybody sees: Maintenance" in out
        await eventually(lambda: any(one["type"] == "pong" and "site" in one for one in heard))
    (pong,) = [one for one in heard if one["type"] == "pong" and "site" in one]
    assert pong["n"] == 0
    assert pong["site"]["notice"] == seen(server)["notice"] == "Maintenance [31m at noon"
    server.stop()
    with served(tmp_path / "tables.db") as again:
        until(lambda: seen(again)["notice"] != "")
        assert "No notice" in told(again, token_file, "notice")
        assert seen(again)["notice"] == ""


async def test_the_chat_can_be_switched_off_for_everybody(server: Served, token_file: Path) -> None:
    async with new_table(server.url, "busca", **AGAINST_BOTS) as (table,):
        await table.command("say", text="hello")
        assert "The chat is off" in await asyncio.to_thread(told, server, token_file, "chat", "off")
        with pytest.raises(ServerError, match="the operator has switched it off for everybody"):
            await table.command("say", text="hello again")
        assert not seen(server)["chat"]
        await table.until(lambda: bool(table.legal))
        await table.move(table.legal[0])
        assert "The chat is on" in await asyncio.to_thread(told, server, token_file, "chat", "on")
        await table.command("say", text="hello again")


# The checks


def long_ago(server: Served) -> None:
    """The clock was last believed in 2001; the server has looked at it when it started."""

    def believed() -> int:
        with server.store.engine.begin() as connection:
            return int(connection.exec_driver_sql("UPDATE site SET value = '1000000000000'").rowcount)

    until(lambda: believed() == 1)


def states(server: Served) -> dict[str, str]:
    """What each check finds."""
    return {one["name"]: one["state"] for one in done(ask(server, "GET", "check"))["checks"]}


def test_a_server_that_is_well(server: Served, token_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "room_at", lambda place: (1 << 40, 1 << 40))
    monkeypatch.setattr(platform, "open_files_limit", lambda: 100_000)
    assert set(states(server).values()) == {"ok"}
    out = told(server, token_file, "check")
    assert f"Cardtable {cardtable.__version__}, database version {len(STEPS)}" in out
    assert "restart it" not in out
    monkeypatch.setattr(cardtable, "__version__", "99.0")
    assert "and 99.0 is installed: restart it" in told(server, token_file, "check")


def test_what_is_wrong_is_named(server: Served, token_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = server.app.hall
    monkeypatch.setattr(site, "room_at", lambda place: (1, 1 << 40))
    monkeypatch.setattr(platform, "open_files_limit", lambda: 1024)
    long_ago(server)
    httpx.get(f"{server.url}/api/games", headers={"X-Forwarded-For": "198.51.100.7"})
    with hall.store.engine.begin() as connection:  # a newer server has been there
        connection.exec_driver_sql(f"INSERT INTO schema_version VALUES ({len(STEPS) + 1})")
    assert states(server) == {
        "database": "wrong",
        "version": "wrong",
        "disk": "wrong",
        "clock": "wrong",
        "files": "warning",
        "proxy": "wrong",
    }
    code, out = call(server, token_file, "check")
    assert code == 1
    assert "cardtable admin check --clock-is-right" in out
    assert "equests come through 127.0.0.1" in out
    assert json.loads(call(server, token_file, "check", "--json")[1])["checks"][0]["state"] == "wrong"


def test_a_database_that_fails_is_named(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise StoreError("no", UNKNOWN)

    monkeypatch.setattr(server.store, "run", fail)
    found = states(server)
    assert (found["database"], found["version"], found["clock"]) == ("wrong", "wrong", "warning")


def test_the_operator_says_that_the_clock_is_right(server: Served, token_file: Path) -> None:
    long_ago(server)
    assert states(server)["clock"] == "wrong"
    assert "wrong" not in told(server, token_file, "check", "--clock-is-right").split("clock")[1].split("\n")[0]
    assert states(server)["clock"] == "ok"


def test_a_proxy_that_is_named(tmp_path: Path) -> None:
    for secure, state in ((True, "ok"), (False, "warning")):
        with served(tmp_path / f"{secure}.db", proxies=frozenset({"127.0.0.1"}), secure=secure) as one:
            assert states(one)["proxy"] == state


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="what is tried here needs POSIX")
