"""Several processes keep something under the same name at once: none fails, and one of them has kept it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa

from cardtable.server.rooms import retention
from cardtable.server.store import saved_rules
from cardtable.server.store.database import put
from cardtable.server.store.saved_rules import SavedRules
from cardtable.server.store.schema import MODERATORS, SAVED, SITE
from cardtable.server.store.store import Store

TIMES = 20


@pytest.fixture
def stores(database: str) -> Iterator[list[Store]]:
    """Two stores over one empty database, as two processes have them."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(contextlib.closing(Store(database))) for _ in range(2)]


def at_once(stores: list[Store], keep: Callable[[Store, int, int], object]) -> None:
    """Both stores keep something, each time at the same moment."""
    start = Barrier(len(stores), timeout=60)

    def run(number: int) -> None:
        for time in range(TIMES):
            start.wait()
            try:
                keep(stores[number], number, time)
            except BaseException:
                start.abort()
                raise

    with ThreadPoolExecutor(len(stores)) as threads:
        for done in [threads.submit(run, number) for number in range(len(stores))]:
            done.result(120)


def test_the_time_of_the_clock_is_kept_by_all_who_look_at_it(stores: list[Store]) -> None:
    at_once(stores, lambda store, number, time: store.run(lambda c: retention.believe(c, 10 * (time + 1) + number)))
    assert stores[0].run(retention.known_time) // 10 == TIMES


def test_house_rules_are_kept_once_though_they_come_twice(stores: list[Store]) -> None:
    def keep(store: Store, number: int, time: int) -> None:
        rules = SavedRules(f"ours {time}", "fan-tan", title="", preset="bicycle", seats=3 + number, options={})
        assert saved_rules.keep(store, "ann", rules, at=1)

    at_once(stores, keep)
    names = stores[0].run(lambda c: list(c.execute(sa.select(SAVED.c.name)).scalars()))
    assert sorted(names) == sorted(f"ours {time}" for time in range(TIMES))


@pytest.mark.parametrize("table", [SITE, MODERATORS], ids=lambda table: table.name)
def test_the_last_row_of_a_key_counts(stores: list[Store], table: sa.Table) -> None:
    value = "value" if table is SITE else "token"
    more = {} if table is SITE else {"at": 1}

    def keep(store: Store, number: int, time: int) -> None:
        row = {"name": f"{time}", value: f"{time} {number}"} | more
        store.run(lambda c: put(c, table, row))

    at_once(stores, keep)
    stores[1].run(lambda c: put(c, table, {"name": "0", value: "last"} | more))
    rows = stores[0].run(lambda c: {row[0]: row[1] for row in c.execute(sa.select(table.c.name, table.c[value]))})
    assert rows.pop("0") == "last"
    assert set(rows) == {f"{time}" for time in range(1, TIMES)}
    assert all(value in (f"{time} 0", f"{time} 1") for time, value in rows.items())
