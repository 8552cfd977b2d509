"""Servers behind nginx are killed, their database stops and connections break while people play: nothing acknowledged
is lost, all matches end with the same result for everybody, and play goes on (bench/kills.py has more, and how soon).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import outages
import pytest
from outages import Outcome, Pairs, Site, all_go_on, judged, playing, proxied, site, visited
from programs import needs

pytestmark = [
    pytest.mark.exhaustive,
    needs("PostgreSQL", "psycopg", "nginx", "openssl"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


@pytest.mark.parametrize("relayed", [False, True], ids=["passed-on", "relayed"])
def test_people_play_on_whatever_is_killed_stopped_or_cut(tmp_path: Path, relayed: bool) -> None:
    """Everything happens once to the first of two servers, which has at least one of the tables."""
    outcome = Outcome()

    async def test(it: Site) -> Pairs:
        first, line = it.machines[0], it.lines[0]
        async with playing(it.url, 3) as pairs, visited(it.url, outcome):
            await all_go_on(pairs)
            await outages.stall(pairs, line, None, outcome)
            await outages.cut(pairs, line, None, outcome)
            await outages.halt(it, pairs, None, outcome)
            assert it.tables_of(first) or it.tables_of(it.machines[1])
            victim = first if it.tables_of(first) else it.machines[1]
            await outages.kill(it, pairs, victim, outcome)
            await all_go_on(pairs)
        return pairs

    with site(tmp_path, relayed, machines=2, postgres=proxied) as it:
        judged(it, asyncio.run(asyncio.wait_for(test(it), 300.0)), outcome)
        assert it.said() == []
    told = outcome.told()
    assert outcome.recovered, told
    assert outcome.visits[200] > 10, told
    assert set(outcome.visits) <= {200, 503}, told  # 503: while the database is stopped
