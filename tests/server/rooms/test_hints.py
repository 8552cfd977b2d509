"""Hints: one for a seat and position, however often somebody asks; a flood slows down its sender alone."""

from __future__ import annotations

import asyncio
import json
import threading
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from cardtable.client import Client, ServerError, TableClient
from cardtable.server.rooms import questions
from cardtable.server.thinking.bots import Advised, SearchPool
from cardtable.views.view import View
from tests.support.effort import cases
from tests.support.server.clients import new_table
from tests.support.server.served import Served, served
from tests.support.waiting import eventually

SOCKETS = 8  #: of a flood of hints
ASKED = json.dumps({"type": "hint"})


async def to_move(client: Client) -> str:
    """A table at which its host is to move, with three cards to choose from; its id."""
    made = await client.make("fan-tan", name="Ann", seats=3, bots=["", "medium", "medium"], number="1")
    async with client.table(made["id"]) as table:
        await table.until(lambda: len(table.legal) > 1)
    return str(made["id"])


class Counted:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.number = 0
        work = SearchPool.hint

        async def hint(pool: SearchPool, view: View, seed: str, asker: str) -> Advised:
            self.number += 1
            return await work(pool, view, seed, asker)

        patch.setattr(SearchPool, "hint", hint)


async def test_the_same_hint_is_worked_out_and_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chat makes no new position; a move does."""
    counted = Counted(monkeypatch)

    with served(tmp_path / "t.db", hint=0.05) as server:
        async with Client(server.url) as ann:
            id = await to_move(ann)
            async with ann.table(id) as a:
                first = await a.hint()
                await a.command("say", text="Hm.")
                again = await a.hint()
                assert (again["move"], again["values"]) == (first["move"], first["values"])
                assert counted.number == 1
                assert [place.hints for place in server.app.hall.rooms[id].table.places] == [1, 0, 0]
                await a.move(first["move"])
                await a.until(lambda: bool(a.legal))
                await a.hint()
                assert counted.number == 2


async def unasked(table: TableClient) -> Any:
    """A hint for which the program asks, as a coach does."""
    table._asked["hint"] = asyncio.get_running_loop().create_future()
    await table._send(json.dumps({"type": "hint", "unasked": True}))
    return await table._asked["hint"]


async def test_a_hint_that_nobody_asked_for_is_not_counted(tmp_path: Path) -> None:
    """Not in the record of help, so not in the statistics; asked for in the same position it is the same hint, which
    the player has already. It gives a reason. There are few of them in a match.
    """
    with served(tmp_path / "t.db", hint=0.02) as server:
        async with Client(server.url) as ann:
            id = await to_move(ann)
            async with ann.table(id) as a:
                places = server.app.hall.rooms[id].table.places
                first = await unasked(a)
                assert first["says"]["says"] == "{do}: {why}."
                assert (await a.hint())["move"] == first["move"]
                assert places[0].hints == 0
                server.app.hall.rooms[id].unasked[0] = 1, questions.UNASKED
                await a.move(first["move"])
                await a.until(lambda: bool(a.legal))
                with pytest.raises(ServerError, match="nobody has asked for it") as refusal:
                    await unasked(a)
                assert refusal.value.code == "table/unasked"
                await a.hint()
                assert places[0].hints == 1


@pytest.mark.parametrize(("daily", "other"), [(True, ""), (False, "B")])
def test_where_people_are_compared_nothing_is_given_unasked(daily: bool, other: str) -> None:
    """In a deal of the day, and at a table with another person."""
    places = [SimpleNamespace(owner=owner) for owner in ("A", other, "")]
    table = SimpleNamespace(setup=SimpleNamespace(daily=daily), number=1, places=places)
    room: Any = SimpleNamespace(table=table, unasked={})
    assert not questions._gives_unasked(room, 0)
    table.setup.daily, places[1].owner = False, ""
    assert questions._gives_unasked(room, 0)


async def test_a_hint_that_fails_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> Advised:
        raise LookupError

    with served(tmp_path / "t.db", hint=0.05) as server:
        async with Client(server.url) as ann, ann.table(await to_move(ann)) as a:
            with monkeypatch.context() as patch:
                patch.setattr(SearchPool, "hint", fail)
                with pytest.raises(ServerError, match="a fault in Cardtable itself"):
                    await asyncio.wait_for(a.hint(), 300.0)
            assert (await asyncio.wait_for(a.hint(), 300.0))["move"] in a.legal


@pytest.mark.parametrize("within", cases([0.0, 300.0]))
async def test_a_hint_is_a_whole_set(tmp_path: Path, within: float) -> None:
    """Cards that are laid together are named together, as they can be sent: those of the heuristic, if there is no
    time to search, and the hints that were searched.
    """
    with served(tmp_path / "t.db", hint=0.05, hint_within=within) as server:
        async with new_table(server.url, "i-doubt-it", seats=3, bots=["", "medium", "medium"], number="2") as (table,):
            for _ in range(60):
                await table.until(lambda: bool(table.legal))
                advice = await table.hint()
                assert advice["steps"][0] == advice["move"]
                if len(advice["steps"]) > 1:
                    break
                await table.move(advice["move"])
            *cards, done = advice["steps"]
            assert done == "done"
            assert set(cards) <= set((table.view or {})["hand"])
            assert len(cards) <= 4
            await table.move(" ".join(advice["steps"]))


async def flooding(server: Served, client: Client, hints: int) -> ClientConnection:
    """A socket of a table's host that has asked for many hints, and does not wait for them."""
    id = await to_move(client)
    cookie = {"Cookie": f"cardtable={client.token}"}
    socket = await connect(server.url.replace("http", "ws") + "/ws", additional_headers=cookie, compression=None)
    await socket.send(json.dumps({"type": "hello", "table": id, "version": 0}))
    for _ in range(hints):
        await socket.send(ASKED)
    return socket


class HeldHints:
    """Hints that are not worked out until they are let go, while bots move at once. It needs no search."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.go = threading.Event()
        self.begun = 0  #: hints that a thread has begun to work out
        hinting: ContextVar[bool] = ContextVar("hinting", default=False)
        work, search = SearchPool.hint, SearchPool._searched

        async def hint(pool: SearchPool, view: View, seed: str, asker: str) -> Advised:
            hinting.set(True)
            return await work(pool, view, seed, asker)

        async def searched(pool: SearchPool, *arguments: Any) -> Advised:
            return await search(pool, *arguments) if hinting.get() else await bots(pool, *arguments)

        async def bots(pool: SearchPool, view: View, flat: bool, seed: str, seconds: float) -> Advised:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(pool._pool, Advised, view.legal[0], {})

        def held(pool: SearchPool, view: View, flat: bool, seed: str, until: float) -> Advised:
            self.begun += 1
            assert self.go.wait(300.0)
            return Advised(view.legal[0], {})

        patch.setattr(SearchPool, "hint", hint)
        patch.setattr(SearchPool, "_searched", searched)
        patch.setattr(SearchPool, "_search", held)


async def test_a_flood_of_hints_does_not_hold_up_a_strangers_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One hint is worked out at a time, so bots have another thread, however long it takes."""
    counted, held = Counted(monkeypatch), HeldHints(monkeypatch)

    with served(tmp_path / "t.db", bot_threads=2) as server:
        try:
            async with new_table(server.url, "oh-hell", name="Ben", seats=3, bots=["", "search", "search"]) as (b,):
                await b.until(lambda: bool(b.legal))
                clients = [Client(server.url) for _ in range(SOCKETS)]
                for client in clients:
                    await client.__aenter__()
                open_sockets = [await flooding(server, client, 50) for client in clients]
                await eventually(lambda: held.begun and counted.number >= SOCKETS)
                async with asyncio.timeout(300.0):
                    for _ in range(2):
                        await b.move(b.legal[0])
                        await b.until(lambda: bool(b.legal))
                assert held.begun == 1
                assert counted.number == SOCKETS, "one for each table"
                held.go.set()
                for socket in open_sockets:
                    socket.transport.abort()  # it has not read its answers, so it cannot say goodbye
        finally:
            held.go.set()
