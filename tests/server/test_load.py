"""What waits in each queue, and who uses the processor: figures, and `cardtable admin load`."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from cardtable.server.cluster import shared_load
from cardtable.server.cluster.alone import ServerNode
from cardtable.server.cluster.cluster import Cluster
from cardtable.server.net import costs, load
from cardtable.server.net.budgets import Charge
from cardtable.server.net.costs import Cost, Costs
from cardtable.server.net.load import Load, Waiting
from cardtable.server.net.waits import Waits
from cardtable.server.settings import Settings
from tests.support.server import operating
from tests.support.server.clients import new_table
from tests.support.server.operating import ask, call, done
from tests.support.server.served import Served, served

running, server, token_file = operating.running, operating.server, operating.token_file


class Clock:
    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_the_oldest_that_waits_is_known_in_each_queue() -> None:
    clock, waited = Clock(), []
    waits = Waits(lambda queue, seconds: waited.append((queue, seconds)), clock)
    with waits.of("hints"):
        clock.at += 2.0
        with waits.of("hints"), waits.of("commands"):
            clock.at += 3.0
            assert waits.now() == {
                "commands": (1, 3.0),
                "questions": (0, 0.0),
                "hints": (2, 5.0),
                "records": (0, 0.0),
                "saving": (0, 0.0),
            }
        assert waited == [("commands", 3.0), ("hints", 3.0)]
    with pytest.raises(ValueError, match="x"), waits.of("saving"):
        raise ValueError("x")
    assert set(waits.now().values()) == {(0, 0.0)}


def test_costs_are_those_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    found = Costs(clock)
    for address, seconds in (("192.0.2.1", 6.0), ("192.0.2.2", 3.0), ("192.0.2.1", 6.0)):
        Charge((found.of(address), 0.0)).settle(seconds)
    found.of("192.0.2.2").worked(0.6)
    assert found.top(9) == [Cost("192.0.2.1", 0.2, 2), Cost("192.0.2.2", 0.06, 1)]
    assert found.top(1) == [Cost("192.0.2.1", 0.2, 2)]
    clock.at += 90.0
    assert found.top(1) == [Cost("192.0.2.1", 0.1, 1)]  # half of that minute is still the last one
    clock.at += 60.0
    assert found.top(9) == []
    monkeypatch.setattr(costs, "MOST", 2)  # many addresses take no more memory, and are not lost
    for address in ("192.0.2.1", "192.0.2.0/24", "192.0.2.9", "198.51.100.1"):
        found.add(address, 6.0, 1)
    assert {one.address: one.share for one in found.top(9)} == {"192.0.2.1": 0.1, "192.0.2.0/24": 0.2, "": 0.1}


def test_the_loads_of_several_processes_are_added() -> None:
    one = Load(5, [Waiting("hints", 2, 4.0)], [Cost("a", 0.1, 1), Cost("b", 0.05, 1)])
    other = Load(6, [Waiting("hints", 1, 7.0), Waiting("saving", 1, 0.1)], [Cost("b", 0.1, 2)])
    assert load.together([one, other]) == Load(
        6, [Waiting("hints", 3, 7.0), Waiting("saving", 1, 0.1)], [Cost("b", 0.05 + 0.1, 3), Cost("a", 0.1, 1)]
    )


def test_a_process_tells_the_others(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the database; one that has ended is forgotten."""
    settings = Settings()

    def told(name: str, at: int) -> Cluster:
        """A process that has told its load at a time."""
        monkeypatch.setattr(load, "now", lambda: at)
        monkeypatch.setattr(shared_load, "now", lambda: at)
        used = Costs()
        used.add(name, 6.0, 1)
        found = Cluster(server.app.hall.store, settings)
        found.node = ServerNode(name, "", "", "")
        asyncio.run(found.tell_load(partial(load.load_of, Waits(), used)))
        return found

    def known(to: Cluster) -> set[str]:
        return {cost.address for one in asyncio.run(to.loads()) for cost in one.addresses}

    first, second = told("one", 1000), told("two", 1000)
    assert (known(first), known(second)) == ({"two"}, {"one"})
    third = told("three", 1000 + shared_load.OLD + 1)
    assert known(third) == set()


async def test_the_operator_sees_who_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token_file: Path) -> None:
    """Messages and requests count for the address that sends them, also those of this machine, which has no limits."""

    with served(tmp_path / "t.db") as one:
        async with new_table(one.url, "fan-tan", bots=["", "medium", "medium"], seats=3) as (table,):
            await table.until(lambda: bool(table.legal))
            for _ in range(3):
                await table.command("say", text="hello")
        told = done(ask(one, "GET", "load"))
        (cost,) = told["addresses"]
        assert cost["address"] == "127.0.0.1"
        assert cost["messages"] >= 5
        assert cost["share"] > 0.0
        assert {queue["queue"] for queue in told["queues"]} == {"commands", "questions", "hints", "records", "saving"}
        text = one.app.hall.metrics.text().decode()
        assert 'cardtable_wait_seconds_count{what="saving"}' in text
        code, out = call(one, token_file, "load")
        assert code == 0, out
        assert "127.0.0.1" in out
        assert "moves and other commands" in out
