"""Attacks disturb nobody who plays (bench/attacks.py has the big run, and how long moves and bots take meanwhile)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from functools import partial

import attacks
import pytest
from websockets.asyncio.client import connect

from cardtable import client
from cardtable.server.net.admission import Admission
from cardtable.server.thinking import bots
from cardtable.server.thinking.bots import Advised, SearchPool
from cardtable.views.view import View
from tests.support.server.attackers import Attackers
from tests.support.server.faults import more_moves, playing
from tests.support.server.served import Served

LONGEST = 0.1  #: seconds of the server's processor time for which a move may wait

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.contends,
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
    """The process of the attackers, one for all attacks: it takes seconds to start."""
    record = tmp_path_factory.mktemp("attackers") / "record.toml"
    record.write_text(attacks.record(200), encoding="utf-8")
    started = Attackers(record)
    yield started
    started.close()


@pytest.mark.parametrize("name", attacks.ATTACKS)
async def test_people_play_on_beside_an_attack(
    name: str, server: Served, attackers: Attackers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their moves are acknowledged while it lasts, and nobody loses a connection. They wait for no step of the server
    that takes long, and it does little else before it lets a move in, by its processor time: the clock would judge the
    machine. A search takes no time here.
    """
    waits: list[float] = []
    steps: list[float] = []
    command, step = Admission.command, asyncio.Handle._run

    async def measured(admission: Admission, address: str) -> None:
        began = time.thread_time()
        await command(admission, address)
        if address == "127.0.0.1":
            waits.append(time.thread_time() - began)

    def stepped(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        step(handle)
        if handle._loop is server.loop:  # type: ignore[attr-defined]
            steps.append(time.thread_time() - began)

    def search(pool: SearchPool, view: View, flat: bool, seed: str, until: float) -> Advised:
        return Advised(view.legal[0], {view.legal[0]: 0.0}, until)

    server.ping_nobody()
    monkeypatch.setattr(client, "connect", partial(connect, ping_interval=None))
    monkeypatch.setattr(bots, "plain", lambda: False)
    monkeypatch.setattr(SearchPool, "_search", search)
    monkeypatch.setattr(Admission, "command", measured)
    monkeypatch.setattr(asyncio.Handle, "_run", stepped)

    async with playing(server) as players:
        begun = await attackers.begin(name, server.port)
        waits.clear()
        steps.clear()
        await more_moves(players, 5)
        assert (await attackers.end()).total() >= begun.total() > 0
        assert [player.table.connections for player in players] == [1, 1]
        assert len(waits) >= 5
        assert sorted(waits)[int(0.95 * len(waits)) - 1] <= LONGEST
        assert sorted(steps)[-2] <= LONGEST, "more than one step, which may be a collection of garbage"
