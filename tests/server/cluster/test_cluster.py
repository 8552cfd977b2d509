"""Several servers over one database: each table is in one of them, people may ask any, and what one decides holds in
all.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cardtable.client import Client, ServerError
from cardtable.server.cluster import cluster as clusters
from cardtable.server.cluster import leases
from cardtable.server.cluster.alone import Elsewhere
from cardtable.server.cluster.shared_rates import SharedRates, add
from cardtable.server.serving import WebServer
from cardtable.server.store.schema import NODES, RATES, TABLES
from cardtable.server.store.store import Fenced, Store
from cardtable.table import events as ev
from tests.support.databases import empty_database
from tests.support.server.faults import judge, more_moves, playing
from tests.support.server.served import OPERATOR, Served, free_port
from tests.support.waiting import eventually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
BEARER = {"Authorization": f"Bearer {OPERATOR}"}


@pytest.fixture
def database() -> Iterator[str]:
    with empty_database() as url:
        yield url


@contextlib.contextmanager
def several(database: str, n: int = 2, **settings: Any) -> Iterator[list[Served]]:
    with contextlib.ExitStack() as stack:
        servers = []
        for _ in range(n):
            server = Served(Path(), database, **settings)
            server.start()
            stack.callback(server.stop)
            servers.append(server)
        yield servers


def tables_of(server: Served) -> set[str]:
    return set(server.app.hall.rooms)


async def on(server: Served, work: Any) -> Any:
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


async def test_people_ask_any_server_and_meet_at_one_table(database: str) -> None:
    with several(database) as (one, two):
        async with playing(one, two) as players:
            (table,) = tables_of(one)
            await more_moves(players, 5)
            assert tables_of(two) == set()
            assert [player.table.connections for player in players] == [1, 1]
            assert len(one.app.hall.sockets) == 2, "the connection itself is the first server's"
            assert not two.app.hall.sockets
            assert not len(two.gate)
        judge(database, table, players)


async def test_what_is_set_for_a_server_holds_for_connections_passed_on_to_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain integers wrap in silence there, too."""
    found = []
    taken = WebServer._taken

    async def noting(self: WebServer, *come: Any) -> None:
        found.append(np.geterr()["over"])
        await taken(self, *come)

    monkeypatch.setattr(WebServer, "_taken", noting)

    with several(database) as (one, two):
        async with playing(one, two) as players:
            await more_moves(players, 1)
    assert found
    assert set(found) == {"ignore"}


async def test_a_server_of_another_machine_relays(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a connection itself cannot be passed on, its bytes are, and the address of the client stays known."""
    names = iter(("one", "two"))
    monkeypatch.setattr(clusters, "machine", lambda: next(names))

    with several(database, internal="127.0.0.1:0") as (one, two):
        async with playing(one, two) as players:
            (table,) = tables_of(one)
            await more_moves(players, 5)
            assert len(one.app.hall.sockets) == 2
            assert len(two.gate) == 1, "it relays"
            assert {peer.client for peer in one.app.hall.sockets} == {"127.0.0.1"}
        judge(database, table, players)
        await eventually(lambda: not len(one.gate) and not len(two.gate), "nothing is left")


async def test_several_servers_of_a_machine_share_its_internal_port(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of them takes what another machine relays, it reaches the one that has the table."""
    names = iter(("one", "one", "two"))
    monkeypatch.setattr(clusters, "machine", lambda: next(names))

    with several(database, 3, internal=f"127.0.0.1:{free_port()}") as (one, beside, two):
        assert one.app.hall.cluster.node.address == beside.app.hall.cluster.node.address
        for _ in range(3):  # the system chooses who takes it
            before = tables_of(one)
            async with playing(one, two) as players:
                (table,) = tables_of(one) - before
                await more_moves(players, 1)
                assert len(one.app.hall.sockets) == 2
                assert tables_of(beside) == tables_of(two) == set()
            judge(database, table, players)
            await eventually(lambda: not one.app.hall.sockets, "nobody is left")


async def test_a_stranger_at_the_internal_port_gets_nothing(database: str) -> None:
    with several(database, 1, internal="127.0.0.1:0") as (one,):
        host, _, port = one.app.hall.cluster.node.address.rpartition(":")
        for sent in (b"GET / HTTP/1.1\r\n\r\n" * 10, bytes(36), bytes(32) + b"\xff\xff\xff\xff"):
            reader, writer = await asyncio.open_connection(host, int(port))
            assert len(await reader.readexactly(32)) == 32
            with contextlib.suppress(ConnectionError):
                writer.write(sent)
                assert await reader.read() == b""
            writer.close()
        assert not one.app.hall.sockets


async def test_play_goes_on_when_a_server_stops(database: str) -> None:
    with several(database) as (one, two):
        async with playing(two, two) as players:
            (table,) = tables_of(two)
            for player in players:  # one of several addresses of the same site
                player.table.client.url = one.url
            stopping = asyncio.to_thread(two.stop)
            waiting = asyncio.create_task(more_moves(players, 1))
            await asyncio.gather(stopping, waiting)
            assert table in tables_of(one)
            await more_moves(players, 3)
        judge(database, table, players)


async def test_a_server_that_lost_a_lease_writes_nothing_more(database: str) -> None:
    """A server that is held up for longer than its leases last has lost the tables that others claimed meanwhile."""
    with several(database, lease=60.0) as (one, two):
        async with playing(one, one) as players:
            (table,) = tables_of(one)
            room = one.app.hall.rooms[table]
            ended = NODES.update().where(NODES.c.id == one.app.hall.cluster.node.id).values(until=0)
            await asyncio.to_thread(one.store.run, lambda c: c.execute(ended))
            assert await on(two, two.app.hall.find(table)) is not None
            assert not await on(two, two.app.hall.cluster.owner(table))
            for player in players:
                player.table.client.url = two.url
            await eventually(lambda: table not in tables_of(one), "it has noticed")
            await more_moves(players, 3)
            assert tables_of(two) == {table}
            with pytest.raises(Fenced):
                await on(one, room.write(ev.Hinted(0)))
        judge(database, table, players)


async def test_one_of_many_gets_a_lease(database: str) -> None:
    with several(database, 3) as servers:
        async with Client(servers[0].url) as ann:
            made = await ann.make("busca", seats=3, bots=["", "medium", "medium"])
        first = servers[0].app.hall
        await on(servers[0], first.give(made["id"], ""))
        await eventually(lambda: made["id"] not in first._closing, "it is put away")
        claims = [on(server, server.app.hall.cluster.claim(made["id"])) for server in servers]
        found = await asyncio.gather(*claims, return_exceptions=True)
        assert sum(isinstance(one, int) for one in found) == 1
        assert sum(isinstance(one, Elsewhere) for one in found) == len(servers) - 1


async def test_a_server_starts_beside_one_with_a_game_that_it_does_not_know(database: str) -> None:
    with several(database, 1) as (one,):
        async with Client(one.url) as ann:
            made = await ann.make("busca", name="Ann", seats=3, bots=["", "medium", "medium"])
            async with ann.table(made["id"]):
                await asyncio.to_thread(one.store.run, lambda c: c.execute(TABLES.update().values(game="xyzzy")))
                with several(database, 1) as (two,):
                    assert (await Client(two.url, ann.token).get("/healthz"))["ok"]


async def test_a_dead_servers_tables_are_free_although_the_clock_was_set_back(database: str) -> None:
    """Its leases seem to hold for another hour, but it does not extend them."""
    with several(database, 1, lease=1.0) as servers:
        hall = servers[0].app.hall
        async with Client(servers[0].url) as ann:
            made = await ann.make("busca", name="Ann", seats=3, bots=["", "medium", "medium"])
            await eventually(lambda: not hall.rooms and not hall._closing, "no server has it")
            dead = {"id": "dead", "machine": "elsewhere", "path": "", "address": "", "until": leases.NOW + 3_600_000}

            def leave_behind(connection: sa.Connection) -> None:
                connection.execute(sa.insert(NODES).values(**dead))
                connection.execute(sa.update(TABLES).where(TABLES.c.id == made["id"]).values(node="dead"))

            await asyncio.to_thread(servers[0].store.run, leave_behind)
            async with ann.table(made["id"]) as table:
                await table.until(lambda: table.legal)
        assert tables_of(servers[0]) == {made["id"]}


@pytest.mark.parametrize("hours", [-1, 1])
async def test_play_goes_on_when_the_databases_clock_jumps(database: str, hours: int) -> None:
    """What the database has written down is an hour off: no move is lost, and nobody waits longer than for a lease."""
    with several(database, lease=1.0) as (one, two):
        async with playing(one, two) as players:
            (table,) = tables_of(one) | tables_of(two)
            shifted = NODES.update().values(until=NODES.c.until - hours * 3_600_000)
            await asyncio.to_thread(one.store.run, lambda c: c.execute(shifted))
            await more_moves(players, 5)
        judge(database, table, players)


async def test_the_lobby_and_the_operator_see_all_servers(database: str) -> None:
    with several(database) as (one, two):
        async with Client(one.url) as ann, httpx.AsyncClient(base_url=two.url, headers=BEARER) as http:
            made = await ann.make("busca", name="Ann", seats=3, bots=["", "", "medium"], listed=True)
            assert (await http.get("/api/tables")).json()["tables"] == [], "nobody is there"
            async with ann.table(made["id"]) as a:
                await a.until(lambda: a.seat == 0)
                await seen(http, "/api/tables", lambda told: [t["id"] for t in told["tables"]] == [made["id"]])
                (told,) = (await http.get("/api/admin/tables")).json()["tables"]
                assert told["in_memory"]
                assert [seat["name"] for seat in told["seats"]] == ["Ann", "", "Tilly"]
                assert [seat["online"] for seat in told["seats"]] == [True, False, False]
                (connection,) = told["connections"]
                assert connection["address"] == "127.0.0.1"
                person = (await http.get(f"/api/admin/people/{connection['person']}")).json()
                assert person["connected"]
            await seen(http, "/api/tables", lambda told: told["tables"] == [])


async def seen(http: httpx.AsyncClient, path: str, such: Any) -> None:
    async def as_it_should_be() -> bool:
        return bool(such((await http.get(path)).json()))

    await eventually(as_it_should_be)


async def test_a_ban_and_a_mute_hold_at_once_in_all_servers(database: str) -> None:
    with several(database) as (one, two):
        async with playing(one, one) as players, httpx.AsyncClient(base_url=two.url, headers=BEARER) as http:
            await more_moves(players, 1)
            (table,) = tables_of(one)
            owner = one.app.hall.rooms[table].table.places[1].owner
            body = {"kind": "mute", "person": owner[:12], "reason": "too loud", "seconds": 60}
            assert (await http.post("/api/admin/restrictions", json=body)).status_code == 201
            await eventually(lambda: one.app.hall.restrictions.mute_of(owner), "the mute holds there")
            await players[1].stop()
            with pytest.raises(ServerError, match="chat"):
                await players[1].table.command("say", text="hello")
            body["kind"] = "ban"
            assert (await http.post("/api/admin/restrictions", json=body)).status_code == 201
            await eventually(lambda: players[1].table._fault is not None, "the banned one is gone")
            await players[0].stop()


async def test_the_operator_looks_at_and_closes_tables_of_all_servers(database: str) -> None:
    with several(database) as (one, two):
        async with playing(one, one) as players, httpx.AsyncClient(base_url=two.url, headers=BEARER) as http:
            (table,) = tables_of(one)
            told = (await http.get(f"/api/admin/tables/{table}")).json()
            assert [seat["name"] for seat in told["table"]["seats"]][:2] == ["Ann", "Ben"]
            await more_moves(players, 1)
            for player in players:
                await player.stop()
            done = await http.post(f"/api/admin/tables/{table}/close", json={"reason": "the end"})
            assert done.status_code == 200, done.text
            await players[0].table.until(lambda: players[0].table.stage == "closed")
        assert table not in tables_of(one)


async def test_a_person_is_deleted_in_all_servers(database: str) -> None:
    with several(database) as (one, two):
        async with playing(one, one) as players:
            (table,) = tables_of(one)
            owner = one.app.hall.rooms[table].table.places[1].owner
            await players[1].stop()
            other = httpx.AsyncClient(base_url=two.url, cookies={"cardtable": players[1].table.client.token})
            async with other as http:
                answer = await http.request("DELETE", "/api/me/data", timeout=30.0)
                assert answer.status_code == 200, answer.text
            await players[0].stop()
            await players[0].table.until(lambda: players[0].table.table["seats"][1]["stood_in"])
        store = Store(database)
        assert owner not in str(store.log(table))
        store.close()


async def test_rates_hold_over_all_servers(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three servers gave 120 without knowing of each other. What each has given is added up after every answer."""
    shared: list[SharedRates] = []

    async def never(rates: SharedRates) -> None:
        shared.append(rates)
        await asyncio.Event().wait()

    monkeypatch.setattr(SharedRates, "keep_shared", never)

    with several(database, 3, request_rate=(40, 360_000.0), loopback_is_free=False) as servers:
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(httpx.AsyncClient(base_url=one.url)) for one in servers]
            allowed = 0
            refused: set[Served] = set()
            while len(refused) < len(servers):
                for server, client in zip(servers, clients, strict=True):
                    answer = await client.get("/api/me")
                    assert answer.status_code in (200, 429)
                    if answer.status_code == 429:
                        refused.add(server)
                        continue
                    allowed += 1
                    await on(server, shared[servers.index(server)]._share())
            assert 40 <= allowed <= 40 * (1 + 3 / 8)


async def test_connections_of_an_address_are_counted_over_all_servers(database: str) -> None:
    """An address with few at a server is taken without a question to the database."""

    async def line(server: Served, token: str) -> ClientConnection:
        address = server.url.replace("http", "ws") + "/ws"
        return await connect(address, additional_headers={"Cookie": f"cardtable={token}"}, compression=None)

    with several(database, sockets_per_address=6, loopback_is_free=False) as (one, two):
        async with Client(one.url) as ann, contextlib.AsyncExitStack() as stack:
            for server in (one, one, one, one, two):
                await stack.enter_async_context(await line(server, ann.token))

            async def seen(server: Served, number: int) -> None:
                async def counted() -> bool:
                    return bool(await on(server, server.app.hall.cluster.connections_of("127.0.0.1")) == number)

                await eventually(counted)

            await seen(two, 4)
            await seen(one, 1)
            last = await stack.enter_async_context(await line(one, ann.token))
            await seen(two, 5)
            with pytest.raises(InvalidStatus):
                await line(two, ann.token)
            with pytest.raises(InvalidStatus):
                await line(one, ann.token)
            await last.close()
            await seen(two, 4)
            await stack.enter_async_context(await line(two, ann.token))


def test_what_was_used_long_ago_is_free_again(database: str) -> None:
    store = Store(database)
    assert store.run(lambda c: add(c, "request", {"192.0.2.1": 30, "192.0.2.2": 1}, (40, 1.0))) == {
        "192.0.2.1": 30.0,
        "192.0.2.2": 1.0,
    }
    level = store.run(lambda c: add(c, "request", {"192.0.2.1": 30}, (40, 3600.0)))["192.0.2.1"]
    assert 55.0 < level <= 60.0
    past = RATES.update().values(at=RATES.c.at - 1000 * 1800)
    store.run(lambda c: c.execute(past))
    assert 40.0 < store.run(lambda c: add(c, "request", {"192.0.2.1": 1}, (40, 3600.0)))["192.0.2.1"] < 41.01
    store.run(lambda c: c.execute(RATES.update().values(at=RATES.c.at + 1000 * 3600)))
    back = store.run(lambda c: add(c, "request", {"192.0.2.1": 1}, (40, 3600.0)))["192.0.2.1"]
    assert 41.0 < back < 42.01, "the database's clock was set back"
    assert store.run(lambda c: add(c, "guess", {"192.0.2.3": 3}, (40, 3600.0)))["192.0.2.3"] == 3.0
    given = [store.run(lambda c: add(c, "guess", {"192.0.2.3": -2}, (40, 3600.0)))["192.0.2.3"] for _ in range(2)]
    assert 0.0 < given[0] <= 1.0
    assert given[1] == 0.0
    store.close()


def test_servers_that_start_at_once_make_one_database(database: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        for store in pool.map(Store, [database] * 6):
            store.close()


def test_sqlite_has_one_process(tmp_path: Path) -> None:
    server = Served(tmp_path / "one.db")
    server.start()
    try:
        assert not server.app.hall.cluster.shared
    finally:
        server.stop()
