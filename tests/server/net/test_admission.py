"""What is let in, and when: moves go first, questions share a part of a processor, and addresses take turns."""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus

from cardtable.client import Client
from cardtable.server.net import admission, budgets
from cardtable.server.net.admission import AT_ONCE, MOST_EACH, PLAYED, Admission
from cardtable.server.net.budgets import FIRST, SPAN, Budget
from cardtable.server.net.fair_queue import Busy
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from tests.server.net.test_networks import Clock, sixty_four
from tests.support.server.clients import new_table, raw
from tests.support.server.served import Served, served
from tests.support.waiting import eventually

SHARE = 0.5


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of what is let in, moved by hand."""
    found = Clock()
    monkeypatch.setattr(admission, "time", SimpleNamespace(monotonic=found))
    return found


async def turns(many: int = 50) -> None:
    """Let the loop go on for some turns."""
    for _ in range(many):
        await asyncio.sleep(0)


@pytest.fixture
def door(clock: Clock) -> Admission:
    """What is let in by that clock."""
    return Admission(Settings(question_share=SHARE))


class Asked:
    """Questions or commands that wait, and who was let in."""

    def __init__(self, door: Admission, cost: float = 0.0) -> None:
        self.door, self.cost = door, cost
        self.came: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, *addresses: str) -> None:
        """A question from each of some addresses."""
        self.tasks += [asyncio.create_task(self._ask(address)) for address in addresses]

    def move(self, *addresses: str) -> None:
        """A command from each of some addresses."""
        self.tasks += [asyncio.create_task(self._move(address)) for address in addresses]

    async def _ask(self, address: str) -> None:
        charge = await self.door.question(address)
        self.came.append(address)
        charge.settle(self.cost)

    async def _move(self, address: str) -> None:
        await self.door.command(address)
        self.came.append(address)

    async def end(self) -> None:
        """Nobody waits any more."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert self.door.waiting == (0, 0)


def more(asked: Asked, before: int) -> bool:
    """Whether more were let in than before."""
    return len(asked.came) > before


async def test_questions_of_all_addresses_have_one_share_while_people_play(door: Admission, clock: Clock) -> None:
    asked = Asked(door, cost=0.02)
    await door.command("198.51.100.1")
    asked.ask(*(f"192.0.{k}.1" for k in range(100)))
    await turns()
    most = SPAN * SHARE / asked.cost
    assert most <= len(asked.came) <= most + 2
    for _ in range(20):
        before = len(asked.came)
        clock.now += 0.4
        await door.command("198.51.100.1")
        await eventually(partial(more, asked, before))
        await turns()
        assert len(asked.came) - before <= 0.4 * SHARE / asked.cost + 2
        if len(asked.came) == 100:
            break
    assert len(asked.came) == 100
    await asked.end()


async def test_moves_never_wait_for_questions(door: Admission, clock: Clock) -> None:
    asked, played = Asked(door, cost=1.0), Asked(door)
    await door.command("198.51.100.1")
    asked.ask(*["192.0.2.1"] * 50)
    await turns()
    assert len(asked.came) == (answered := 2), "as many as may be at once"
    for _ in range(20):
        played.move("192.0.2.1", "198.51.100.1")
        await turns(3)
    assert len(played.came) == 40
    assert len(asked.came) == answered
    await asked.end()


async def test_where_nobody_plays_questions_have_all_the_time(door: Admission, clock: Clock) -> None:
    asked = Asked(door, cost=1.0)
    await door.command("198.51.100.1")
    clock.now += PLAYED
    asked.ask(*["192.0.2.1"] * 50)
    await turns(100)
    assert len(asked.came) == 50
    await asked.end()


async def test_questions_stop_at_once_when_somebody_plays(door: Admission, clock: Clock) -> None:
    """However many were answered while nobody did."""
    asked = Asked(door, cost=0.01)
    asked.ask(*(f"192.0.{k % 250}.1" for k in range(500)))
    for many in range(12, 24):
        clock.now += PLAYED
        door._tick_soon()
        before = len(asked.came)
        await turns(many)
        assert len(asked.came) - before >= 10
        await door.command("198.51.100.1")
        before = len(asked.came)
        await turns()
        assert len(asked.came) - before <= 2
    await asked.end()


async def test_questions_that_waited_go_on_when_nobody_plays_any_more(door: Admission, clock: Clock) -> None:
    """Also if they were to wait for long."""
    asked = Asked(door)
    await door.command("198.51.100.1")
    door.worked(1000.0)
    asked.ask("192.0.2.1")
    await turns()
    assert not asked.came
    assert door._later
    assert door._later.when() - asyncio.get_running_loop().time() <= PLAYED
    door._later.cancel()
    clock.now += PLAYED
    door._resume()
    await turns()
    assert asked.came
    await asked.end()


@pytest.mark.parametrize("many", [[f"192.0.2.{k}" for k in range(2, 32)], [sixty_four(k) for k in range(3000)]])
@pytest.mark.parametrize("kind", ["ask", "move"])
async def test_who_has_many_addresses_holds_up_nobody(
    door: Admission, clock: Clock, many: list[str], kind: str
) -> None:
    asked = Asked(door)
    send = getattr(asked, kind)
    send(*many, *many)
    await turns(2)
    before = len(asked.came)
    assert before < len(many)
    send("198.51.100.1")
    await turns(10)
    assert asked.came.index("198.51.100.1") - before <= 3 * AT_ONCE
    await asked.end()


async def test_a_few_commands_are_let_in_at_a_time(door: Admission, clock: Clock) -> None:
    played = Asked(door)
    played.move(*(f"192.0.2.{k}" for k in range(100)))
    before = 0
    while before < 100:
        await asyncio.sleep(0)
        assert len(played.came) - before <= 2 * AT_ONCE
        before = len(played.came)
    await played.end()


async def test_so_many_may_wait_for_one_address(door: Admission, clock: Clock) -> None:
    asked = Asked(door, cost=1.0)
    await door.command("198.51.100.1")
    asked.ask(*["192.0.2.1"] * MOST_EACH)
    await turns()
    asked.ask(*["192.0.2.1"] * len(asked.came))
    await turns()
    with pytest.raises(Busy):
        await door.question("192.0.2.1")
    await asked.end()


async def greet(server: Served, token: str, address: str, table: str) -> ClientConnection:
    socket = await raw(server, token, local_addr=(address, 0))
    await socket.send(json.dumps({"type": "hello", "table": table, "version": 0}))
    await socket.recv()
    return socket


async def test_many_addresses_that_ask_hold_up_nobody_who_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each asks within all its limits; together they have one share. It is so small that it does not grow while
    the test runs, so only as many questions are answered as may be at once; moves are made all the same.
    """
    cost, at_once, share, addresses, each = 0.02, 0.2, 1e-6, 12, 10
    plain = Room._why
    used: defaultdict[int, float] = defaultdict(float)  # the processor time of each thread
    answered: list[str] = []

    def costly(room: Room, peer: Any, moves: list[str]) -> None:
        answered.append(peer.address)
        used[threading.get_ident()] += cost
        plain(room, peer, moves)

    with served(tmp_path / "t.db", message_share=1.0) as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (table,):
            await table.until(lambda: bool(table.legal))
            sockets = [await greet(server, server.token(), f"127.0.{k}.2", table.name) for k in range(addresses)]
            monkeypatch.setattr(Room, "_why", costly)
            monkeypatch.setattr(budgets, "SPAN", at_once / share)
            clocks = SimpleNamespace(thread_time=lambda: used[threading.get_ident()], monotonic=time.monotonic)
            monkeypatch.setattr(budgets, "time", clocks)
            monkeypatch.setattr(admission, "PLAYED", math.inf)
            door = server.app.hall.admission
            door._budget = Budget(share, time.monotonic())
            await table.move(table.legal[0])
            for socket in sockets:
                for _ in range(each):
                    await socket.send('{"type": "why", "moves": ["7H"]}')
            for _ in range(5):
                await table.until(lambda: bool(table.legal) or "ready" in table.table["may"])
                await (table.move(table.legal[0]) if table.legal else table.command("ready"))
            await eventually(lambda: door.waiting[1] >= addresses - 1)
            assert 0 < len(answered) <= at_once / FIRST + 3 < addresses * each
            for socket in sockets:
                socket.transport.abort()


def starved(server: Served, monkeypatch: pytest.MonkeyPatch) -> Admission:
    """Only a few questions more are answered, as somebody always plays."""
    share = 1e-9
    monkeypatch.setattr(admission, "PLAYED", math.inf)
    door = server.app.hall.admission
    door._budget = Budget(share, time.monotonic())
    door._budget.worked(SPAN * share)
    return door


@pytest.mark.server(fresh=True)
async def test_ones_own_questions_hold_up_no_move(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait; with more than may be asked at once, the others are refused."""
    most = server.settings.why_rate[0]

    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            move, version = table.legal[0], table.version
            socket = await greet(server, ann.token, "127.0.0.1", made["id"])
            starved(server, monkeypatch)
            for _ in range(most + 5):
                await socket.send('{"type": "why", "moves": ["7H"]}')
            await socket.send(json.dumps({"type": "move", "move": move, "at": version, "seq": 1}))
            came: list[Any] = []
            while not came or came[-1]["type"] != "done":
                came.append(json.loads(await socket.recv()))
            kinds = Counter(message["type"] for message in came)
            assert kinds["because"] <= 2
            refused = [message["code"] for message in came if message["type"] == "refused"]
            assert set(refused) == {"message/rate"}
            assert 3 <= len(refused) <= 5
            socket.transport.abort()
        await eventually(lambda: server.app.hall.admission.waiting == (0, 0), "nobody waits who has gone")


@pytest.mark.server(fresh=True)
async def test_where_too_much_waits_one_is_told_so(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Client(server.url) as ann, httpx.AsyncClient(base_url=server.url) as http:
        made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
        socket = await greet(server, ann.token, "127.0.0.1", made["id"])
        monkeypatch.setattr(admission, "MOST_EACH", 0)
        for message in ({"type": "why", "moves": ["7H"]}, {"type": "hello", "table": made["id"], "version": 0}):
            await socket.send(json.dumps(message))
            while (came := json.loads(await socket.recv()))["type"] != "refused":
                pass
            assert came["code"] == "server/busy"
        answer = await http.get("/")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server/busy")
        assert "content-security-policy" in answer.headers
        with pytest.raises(InvalidStatus):
            await greet(server, ann.token, "127.0.0.1", made["id"])
        assert (await http.get("/healthz")).status_code == 200, "which never waits"
        await socket.send(json.dumps({"type": "say", "text": "Hello!", "seq": 1}))
        while json.loads(await socket.recv())["type"] != "done":
            pass
        socket.transport.abort()
