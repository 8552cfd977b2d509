"""Servers behind nginx are killed, their database stops and connections break while people play: nothing acknowledged
is lost, all matches end with the same result for everybody, and play continues (bench/kills.py has more, and how
soon).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from tests.support.programs import needs
from tests.support.server import outages
from tests.support.server.outages import Outcome, Pairs, Site, all_go_on, judged, playing, proxied, site, visited

pytestmark = [
    pytest.mark.exhaustive,
    needs("PostgreSQL", "psycopg", "nginx", "openssl"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


@pytest.fixture(scope="module", params=[False, True], ids=["passed-on", "relayed"])
def two(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two servers, which pass requests on to the one that has the table, or relay its messages. Nothing they log is a
    fault.
    """
    with site(tmp_path_factory.mktemp("site"), request.param, machines=2, postgres=proxied) as it:
        yield it
        assert it.said() == []


def played(it: Site, happens: Callable[[Pairs, Outcome], Awaitable[None]]) -> Outcome:
    """What was seen while people played at new tables and something happened."""
    outcome = Outcome()

    async def play() -> Pairs:
        async with playing(it.url, 3) as pairs, visited(it.url, outcome):
            await all_go_on(pairs)
            await happens(pairs, outcome)
        return pairs

    judged(it, asyncio.run(asyncio.wait_for(play(), 300.0)), outcome)
    told = outcome.told()
    assert outcome.visits[200] > 3, told
    assert set(outcome.visits) <= {200, 503}, told  # 503: while the database is stopped
    return outcome


def test_people_play_on_though_lines_stall_or_are_cut_and_the_database_stops(two: Site) -> None:
    async def happens(pairs: Pairs, outcome: Outcome) -> None:
        await outages.stall(pairs, two.lines[0], None, outcome)
        await outages.cut(pairs, two.lines[0], None, outcome)
        await outages.halt(two, pairs, None, outcome)

    found = played(two, happens)
    assert (found.stalls, found.cuts, found.halts) == (1, 1, 1)


def test_people_play_on_though_the_server_of_their_table_is_killed(two: Site) -> None:
    async def happens(pairs: Pairs, outcome: Outcome) -> None:
        victim = next(machine for machine in two.machines if pairs.keys() & set(two.tables_of(machine)))
        await outages.kill(two, pairs, victim, outcome)
        await all_go_on(pairs)

    assert played(two, happens).recovered
