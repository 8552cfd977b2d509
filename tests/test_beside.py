"""Attacks disturb nobody who plays (bench/attacks.py has the big run, and how long moves and bots take meanwhile)."""

from __future__ import annotations

import asyncio
from typing import Any

import attacks
import pytest
from faults import more_moves, playing
from served import Served
from waiting import eventually

from cardtable.server import bots
from cardtable.server.bots import Advised, SearchPool
from cardtable.view import View

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    # the players themselves are faster than a person may be
    pytest.mark.server(fresh=True, loopback_is_free=False, socket_rate=(60_000, 20.0)),
]


#: not those of thirty addresses: their own work, in the server's process here, holds up all that it does
#: (`bench/attacks.py` runs them beside a server of its own)
FEW = [name for name in attacks.ATTACKS if name not in ("whys", "says", "asks", "knocks")]


@pytest.mark.parametrize("name", FEW)
def test_people_play_on_beside_an_attack(name: str, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their moves are acknowledged while it lasts, and nobody loses a connection. A search takes no time here."""

    def search(pool: SearchPool, view: View, flat: bool, seed: str, until: float) -> Advised:
        return Advised(view.legal[0], {view.legal[0]: 0.0}, until)

    monkeypatch.setattr(bots, "plain", lambda: False)
    monkeypatch.setattr(SearchPool, "_search", search)
    monkeypatch.setattr(attacks, "SOCKETS", 8)
    long = attacks.record(200) if name in attacks.MOVES else ""

    attackers: list[attacks.Attacker] = []
    begin = attacks.Attacker.__init__

    def noted(attacker: attacks.Attacker, *given: Any) -> None:
        begin(attacker, *given)
        attackers.append(attacker)

    monkeypatch.setattr(attacks.Attacker, "__init__", noted)

    async def run() -> None:
        async with playing(server) as players:
            attack = asyncio.create_task(attacks.ATTACKS[name](server.port, 300.0, long))
            try:
                await eventually(lambda: sum(attacker.answers.total() for attacker in attackers) > 3, "it is answered")
                await more_moves(players, 5)
                assert not attack.done()
                assert [player.table.connections for player in players] == [1, 1]
            finally:
                attack.cancel()
                await asyncio.gather(attack, return_exceptions=True)
                for attacker in attackers:
                    await attacker.http.aclose()

    asyncio.run(asyncio.wait_for(run(), 300.0))
