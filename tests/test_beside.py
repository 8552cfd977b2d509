"""Attacks disturb nobody who plays (bench/attacks.py has the big run, and how long moves and bots take meanwhile)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import attacks
import pytest
from attackers import Attackers
from faults import more_moves, playing
from served import Served
from websockets.asyncio.client import connect

from cardtable import client
from cardtable.client import Table
from cardtable.server import bots
from cardtable.server.bots import Advised, SearchPool
from cardtable.view import View

P95 = 0.1  #: seconds of the server's processor time during a move

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    # the players themselves are faster than a person may be; a proxy names addresses of IPv6; on a busy machine nobody
    # is cut off for being slow
    pytest.mark.server(
        fresh=True,
        loopback_is_free=False,
        socket_rate=(60_000, 20.0),
        proxies={"127.0.0.1"},
        slowest_send=300.0,
        first_message=300.0,
    ),
]


@pytest.fixture(scope="module")
def attackers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attackers]:
    """The process of those who attack, one for all attacks: it takes seconds to start."""
    record = tmp_path_factory.mktemp("attackers") / "record.toml"
    record.write_text(attacks.record(200), encoding="utf-8")
    started = Attackers(record)
    yield started
    started.close()


@pytest.mark.parametrize("name", attacks.ATTACKS)
def test_people_play_on_beside_an_attack(
    name: str, server: Served, attackers: Attackers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their moves are acknowledged while it lasts, and nobody loses a connection. While a move is on its way the server
    does little besides, by its processor time: the clock would judge the machine. A search takes no time here.
    """
    costs: list[float] = []
    clock, move = time.pthread_getcpuclockid(server.thread), Table.move

    async def measured(table: Table, chosen: Any) -> None:
        began = time.clock_gettime(clock)
        await move(table, chosen)
        costs.append(time.clock_gettime(clock) - began)

    def search(pool: SearchPool, view: View, flat: bool, seed: str, until: float) -> Advised:
        return Advised(view.legal[0], {view.legal[0]: 0.0}, until)

    server.ping_nobody()
    monkeypatch.setattr(client, "connect", partial(connect, ping_interval=None))
    monkeypatch.setattr(bots, "plain", lambda: False)
    monkeypatch.setattr(SearchPool, "_search", search)
    monkeypatch.setattr(Table, "move", measured)

    async def run() -> None:
        async with playing(server) as players:
            begun = await attackers.begin(name, server.port)
            costs.clear()
            await more_moves(players, 10)
            assert (await attackers.end()).total() >= begun.total() > 0
            assert [player.table.connections for player in players] == [1, 1]
            assert sorted(costs)[int(0.95 * len(costs)) - 1] <= P95

    asyncio.run(asyncio.wait_for(run(), 300.0))
