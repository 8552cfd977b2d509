"""What the messages of one address may cost the server, so that one address cannot hold up all others."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection

from cardtable.client import Client
from cardtable.server.net import budgets
from cardtable.server.net.budgets import FIRST, SPAN, Budget, Budgets, Metered
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from tests.server.people.test_people import owner
from tests.support.server.clients import raw
from tests.support.server.served import served

SHARE = 0.25
THERE = "127.0.0.2"  #: an address with limits


@given(st.lists(st.floats(0.0, 0.1), min_size=50, max_size=300))
def test_an_address_gets_no_more_than_its_share(costs: list[float]) -> None:
    """Each message asks as soon as the one before is done; in total they use no more than the share of the time that
    has passed, and of `SPAN`, apart from the last one.
    """
    budget, now, used = Budget(SHARE, 0.0), 0.0, 0.0
    for cost in costs:
        wait, charge = budget.reserve(now)
        now += wait
        assert used <= (now + SPAN) * SHARE + 1e-9
        now += cost
        used += cost
        charge.settle(cost)


@given(st.integers(2, 100), st.floats(0.001, 0.05))
def test_messages_that_come_together_are_spread(many: int, cost: float) -> None:
    """None of them is settled before the last has asked."""
    budget = Budget(SHARE, 0.0)
    for _ in range(60):
        _, charge = budget.reserve(0.0)
        charge.settle(cost)
    expected = cost / SHARE  # as all before cost so much
    now = 1000.0
    waits = [budget.reserve(now)[0] for _ in range(many)]
    assert waits[0] == 0.0
    for first, second in zip(waits, waits[1:], strict=False):
        assert second == 0.0 or second - first <= expected * 1.05
    assert waits[-1] == pytest.approx(max(0.0, (many - 1) * expected - SPAN), rel=0.05, abs=0.05)


def test_who_uses_little_never_waits() -> None:
    """200 players behind one address: a move each in 3 s, at 1 ms."""
    budget = Budget(SHARE, 0.0)
    for k in range(10_000):
        wait, charge = budget.reserve(k * 3 / 200)
        charge.settle(0.001)
        assert wait == 0.0


def test_a_message_that_is_never_settled_costs_what_was_expected() -> None:
    budget = Budget(SHARE, 0.0)
    for _ in range(int(SHARE * SPAN / FIRST) + 2):
        wait, _ = budget.reserve(0.0)
    assert wait == pytest.approx(FIRST / SHARE)


def test_only_a_coroutines_own_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    used: Counter[int] = Counter()  # the processor time of each thread

    def work(seconds: int) -> None:
        used[threading.get_ident()] += seconds

    async def mine() -> str:
        work(2)
        await asyncio.sleep(0.0)
        await asyncio.to_thread(work, 5)
        work(2)
        return "done"

    async def other() -> None:
        work(10)

    async def both() -> Metered[str]:
        metered = Metered(mine())
        task = asyncio.create_task(other())
        assert await metered == "done"
        await task
        return metered

    monkeypatch.setattr(budgets, "time", SimpleNamespace(thread_time=lambda: used[threading.get_ident()]))
    assert asyncio.run(both()).seconds == 4
    assert sorted(used.values()) == [5, 14]


async def test_errors_and_cancelling_pass_through() -> None:
    seen: list[str] = []

    async def fails() -> None:
        await asyncio.sleep(0.0)
        raise ValueError("no")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    metered = Metered(fails())
    with pytest.raises(ValueError, match="no"):
        await metered

    async def outer() -> None:
        await Metered(waits())

    task = asyncio.create_task(outer())
    await asyncio.sleep(0.0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


def test_this_machine_has_no_limit_and_old_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budgets, "MOST", 2)
    budgets = Budgets(Settings())
    assert budgets.of("127.0.0.1") is None
    assert Budgets(Settings(loopback_is_free=False)).of("127.0.0.1") is not None
    first = budgets.of("192.0.2.1")
    assert budgets.of("192.0.2.2") is not budgets.of("192.0.2.3")
    assert budgets.of("192.0.2.1") is not first


async def answers(socket: ClientConnection, hello: dict[str, Any]) -> None:
    await socket.send(json.dumps(hello))
    while (message := json.loads(await socket.recv()))["type"] != "table" or message["since"]:
        pass


async def test_a_flood_from_one_address_holds_up_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of its many messages only as many are answered as it may use at once, while somebody else gets all their answers;
    and the server stops without answering the rest.

    Its share of the time is so small that what it may use does not grow while the test runs. Messages that come before
    one has been answered are expected to cost `FIRST` each.
    """
    cost, at_once, share, sockets, each = 0.02, 0.1, 1e-6, 8, 200
    plain, reserve = Room._hello, Budget.reserve
    heard: list[str] = []  # the owner of each hello that was answered
    used: defaultdict[int, float] = defaultdict(float)  # the processor time of each thread
    waiting: list[float] = []
    all_wait = threading.Event()
    paying: set[Budget] = set()

    async def costly(room: Room, peer: Any, *asked: Any) -> None:
        heard.append(peer.owner)
        used[threading.get_ident()] += cost
        await plain(room, peer, *asked)

    def noted(budget: Budget, now: float) -> tuple[float, budgets.Charge]:
        found = reserve(budget, now)
        if budget._share != share:  # that of all questions together
            return found
        paying.add(budget)
        waiting.extend([found[0]] if found[0] else [])
        if len(waiting) == sockets:
            all_wait.set()
        return found

    clocks = SimpleNamespace(thread_time=lambda: used[threading.get_ident()], monotonic=time.monotonic)

    with served(tmp_path / "t.db", message_share=share, socket_rate=(10_000, 1.0)) as server:
        async with Client(server.url) as host:
            table = str((await host.make("fan-tan", name="Ann", seats=2, bots=["", "medium"]))["id"])
            hello = {"type": "hello", "table": table, "version": 0}
            flood = [await raw(server, server.token(), local_addr=(THERE, 0)) for _ in range(sockets)]
            monkeypatch.setattr(Room, "_hello", costly)
            monkeypatch.setattr(Budget, "reserve", noted)
            monkeypatch.setattr(budgets, "time", clocks)
            monkeypatch.setattr(budgets, "SPAN", at_once / share)
            for socket in flood:
                for _ in range(each):
                    await socket.send(json.dumps(hello))
            here = await raw(server, host.token, local_addr=("127.0.0.1", 0))
            for _ in range(20):
                await answers(here, hello)
            assert await asyncio.to_thread(all_wait.wait, 300.0)
            await answers(here, hello)  # after all that were let through
            assert heard.count(owner(host)) == 21
            came = len(heard) - 21
            assert 0 < came <= at_once / FIRST + sockets
            (budget,) = paying
            assert budget._used >= came * cost, "it pays for what they cost"
            assert server.figure("cardtable_messages_delayed_total")
            for socket in flood:
                socket.transport.abort()
            await here.close()
    assert len(heard) <= 21 + at_once / FIRST + sockets
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
