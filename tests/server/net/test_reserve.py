"""Room for connections: larger networks have limits, too, and a part is kept for people who have a seat."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cardtable.client import Client
from cardtable.server.cluster.cluster import Cluster
from cardtable.server.net.connections import Gate
from cardtable.server.net.networks import OF_ONE
from cardtable.server.settings import Settings
from tests.server.net.test_networks import sixty_four
from tests.support.server.served import Served
from tests.support.waiting import eventually

TOTAL, EACH = 60, 5
KEPT = TOTAL // 5
pytestmark = pytest.mark.server(
    fresh=True,
    most_sockets=TOTAL,
    sockets_per_address=EACH,
    connection_rate=(1000, 60.0),
    loopback_is_free=False,
    proxies={"127.0.0.1"},
)
NETWORKS = [
    ([sixty_four(k) for k in range(256)], 2),  # a /56
    ([sixty_four(k << 8) for k in range(256)], 4),  # a /48
    ([f"192.0.2.{k}" for k in range(256)], 8),
]


class Crowd:
    def __init__(self, server: Served, stack: contextlib.AsyncExitStack) -> None:
        self._server, self._stack = server, stack
        self._url = server.ws

    async def comes(self, address: str, token: str = "") -> bool:
        """Whether a socket from an address is let in; it stays open."""
        headers = {"Cookie": f"cardtable={token or self._server.token()}", "X-Forwarded-For": address.partition("/")[0]}
        try:
            socket: ClientConnection = await connect(self._url, additional_headers=headers, compression=None)
        except InvalidStatus as error:
            return error.response.status_code != 403
        self._stack.callback(socket.transport.abort)
        return True

    async def come(self, addresses: list[str]) -> int:
        """How many are let in, each from the next of some addresses."""
        return sum([await self.comes(address) for address in addresses])


@contextlib.asynccontextmanager
async def crowd(server: Served) -> AsyncIterator[tuple[Crowd, str]]:
    """A crowd, and the token of somebody who has a seat."""
    async with contextlib.AsyncExitStack() as stack, Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", bots=["", "medium"])
        room = server.app.hall.rooms[made["id"]]
        await eventually(lambda: server.app.hall.store.tables_of(room.table.host))  # it is written
        yield Crowd(server, stack), ann.token


async def test_a_fifth_of_the_sockets_is_kept_for_people_who_have_a_seat(server: Served) -> None:
    async with crowd(server) as (some, seated):
        everywhere = [f"198.51.{k}.1" for k in range(TOTAL)]
        assert await some.come(everywhere) == TOTAL - KEPT
        assert server.refused("full") == KEPT
        assert all([await some.comes(address, seated) for address in everywhere[:KEPT]])
        assert not await some.comes(everywhere[-1], seated), "no more than there are"


@pytest.mark.parametrize(("addresses", "times"), NETWORKS)
async def test_a_network_has_a_few_times_the_sockets_of_an_address(
    server: Served, addresses: list[str], times: int
) -> None:
    async with crowd(server) as (some, seated):
        most = times * EACH
        kept = most // 5
        assert await some.come(addresses[: most + 3]) == most - kept
        assert server.refused("address") == 3 + kept
        assert await some.comes("203.0.113.1"), "others notice nothing"
        mine = addresses[-1]
        assert all([await some.comes(mine, seated) for _ in range(min(kept, EACH))])


async def test_an_address_alone_has_what_an_address_may_have(server: Served) -> None:
    async with crowd(server) as (some, seated):
        for address in ("203.0.113.1", sixty_four(7)):
            assert await some.come([address] * (EACH + 2)) == EACH
            assert not await some.comes(address, seated)


@pytest.mark.server(
    fresh=True, sockets_per_address=EACH, connection_rate=(3, 86_400.0), loopback_is_free=False, proxies={"127.0.0.1"}
)
async def test_the_rate_of_a_network_keeps_nobody_out_who_has_a_seat(server: Served) -> None:
    async with crowd(server) as (some, seated):
        addresses = [sixty_four(k << 8) for k in range(20)]
        assert await some.come(addresses) == 12
        assert server.refused("rate") == 8
        assert await some.comes(addresses[-1], seated)


async def test_sockets_that_end_make_room(server: Served) -> None:
    addresses, times = NETWORKS[1]

    for _ in range(2):
        async with crowd(server) as (some, _):
            assert await some.come(addresses[: times * EACH - times * EACH // 5]) == times * EACH * 4 // 5
        await eventually(lambda: not server.app.hall.sockets)


async def test_a_seat_is_no_key_to_all_sockets_that_are_kept(server: Served) -> None:
    async with crowd(server) as (some, seated):
        addresses = [f"198.51.{k}.1" for k in range(TOTAL)]
        assert sum([await some.comes(address, seated) for address in addresses]) == TOTAL - KEPT
        assert not await some.comes("203.0.113.1", seated)


class Line:
    def __init__(self, address: str) -> None:
        self.address, self.cut = address, False

    def abort(self) -> None:
        self.cut = True

    def get_extra_info(self, name: str) -> Any:
        return (self.address, 0) if name == "peername" else None


@pytest.fixture
def gate() -> Gate:
    """A gate with room for four connections of an address, and a proxy."""
    return Gate(Settings(connections_per_address=4, proxies=frozenset({"192.0.2.250"})))


@pytest.mark.parametrize(("addresses", "times"), NETWORKS)
def test_a_network_has_a_few_times_the_connections_of_an_address(gate: Gate, addresses: list[str], times: int) -> None:
    plain = [address.partition("/")[0] for address in addresses]
    there: list[Any] = [Line(address) for address in plain[: 4 * times]]
    assert all(gate.enter(line) and gate.admit(line, "") for line in there)
    other: Any = Line("203.0.113.1")
    assert gate.enter(other)
    assert gate.admit(other, ""), "others notice nothing"
    more: list[Any] = [Line(address) for address in plain[4 * times : 4 * times + 20]]
    assert all(gate.enter(line) and not gate.admit(line, "") for line in more), "on trial"
    few = max(1, 4 * times // 5)
    assert [line.cut for line in more] == [True] * (20 - few) + [False] * few, "the oldest make room"
    assert not any(line.cut for line in there)
    assert gate.admit(more[-1], "ann")
    assert gate.admit(more[-1], "")
    there += more
    for line in (*there, other):
        gate.leave(line)
    assert not len(gate)
    assert not gate._by_address


def test_an_address_that_has_its_share_gets_none_on_trial(gate: Gate) -> None:
    lines: list[Any] = [Line("192.0.2.1") for _ in range(5)] + [Line(f"192.0.2.{k // 4}") for k in range(8, 36)]
    assert [gate.enter(line) for line in lines] == [True] * 4 + [False] + [True] * 28
    again: Any = Line("192.0.2.1")
    assert not gate.enter(again)


def test_one_person_has_few_of_the_connections_for_seats() -> None:
    gate = Gate(Settings(connections_per_address=100))
    there: list[Any] = [Line(f"192.0.2.{k % 200}") for k in range(800)]
    assert all(gate.enter(line) and gate.admit(line, "") for line in there)
    more: list[Any] = [Line(f"192.0.2.{k}") for k in range(40)]
    assert all(gate.enter(line) for line in more)
    assert [gate.admit(line, "ann") for line in more] == [True] * OF_ONE + [False] * (40 - OF_ONE)
    assert gate.admit(more[-1], "ben")
    gate.leave(more[0])
    assert gate.admit(more[-2], "ann")
    for line in (*there, *more):
        gate.leave(line)
    assert [*gate._by_address, *gate._on_trial, *gate._people] == []


def test_a_proxy_and_this_machine_take_nothing_from_their_neighbours(gate: Gate) -> None:
    for address, neighbour in (("192.0.2.250", "192.0.2.1"), ("127.0.0.1", "127.0.0.2")):
        lines: list[Any] = [Line(address) for _ in range(100)]
        assert all(gate.enter(line) for line in lines)
        near: Any = Line(neighbour)
        assert gate.enter(near)


async def test_connections_to_other_processes_count_for_their_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    store: Any = None
    cluster = Cluster(store, Settings())
    there = {"2001:db8:0:1::7": 2, "2001:db8:0:2::7": 1, "2001:db8:0:100::7": 4, "192.0.2.7": 8, "192.0.2.9": 16}

    async def run(_: object) -> dict[str, int]:
        return there

    monkeypatch.setattr(cluster, "_run", run)

    for block, number in {
        "2001:db8:0:1::/64": 2,
        "2001:db8::/56": 3,
        "2001:db8::/48": 7,
        "192.0.2.0/24": 24,
        "192.0.2.7": 8,
        "198.51.100.1": 0,
    }.items():
        cluster._counted = float("-inf")  # counted again
        assert await cluster.connections_of(block) == number
