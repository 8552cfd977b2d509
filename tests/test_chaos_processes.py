"""Servers behind nginx are killed, their database stops and connections break while people play: nothing acknowledged
is lost, all matches end with the same result for everybody, and play goes on within seconds (bench/kills.py has more).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from effort import many
from outages import Outcome, judged, outages, site
from programs import needs

pytestmark = [
    pytest.mark.exhaustive,
    needs("PostgreSQL", "psycopg"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]
WITHIN = 5.0  #: seconds in which the tables of a server that was killed go on
ROUNDS = many(1, 3)  #: of five kills, a halt, a cut and a stall
SLOW = 3.0  #: how much slower a machine may be on which other tests run


@pytest.mark.parametrize("relayed", [False, True], ids=["passed-on", "relayed"])
def test_people_play_on_whatever_is_killed_stopped_or_cut(tmp_path: Path, relayed: bool) -> None:
    with site(tmp_path, relayed) as it:
        outcome = Outcome()
        pairs = asyncio.run(asyncio.wait_for(outages(it, outcome, 5 * ROUNDS, 6, seed=3), 400.0))
        judged(it, pairs, outcome)
        assert it.said() == []
    told = outcome.told()
    assert (outcome.kills, outcome.halts, outcome.cuts, outcome.stalls) == (5 * ROUNDS, ROUNDS, ROUNDS, ROUNDS)
    assert outcome.matches >= 2 * ROUNDS
    assert outcome.visits[200] > 50, told
    assert set(outcome.visits) <= {200, 503}, told  # 503: while the database is stopped
    assert len(outcome.recovered) >= many(4, 10), told
    assert max(outcome.recovered) < WITHIN * SLOW, told
    assert told["recovered_median"] < WITHIN, told
