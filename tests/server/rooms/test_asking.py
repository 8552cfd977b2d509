"""What players ask about their own play: whether anything useful is left, and, after a deal, what their decisions were
worth. Nobody else's are shown.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardtable.base.message import Message, from_data, plain
from cardtable.client import Client, ServerError, TableClient
from cardtable.match.match import Match
from cardtable.server.net.fair_queue import TooMany
from cardtable.server.rooms.sockets import SocketPeer
from cardtable.server.thinking import jobs
from tests.support.server.clients import new_table, raw
from tests.support.server.served import Served, served
from tests.support.waiting import eventually, run

#: a numbered deal of Fan Tan in which seat 0 of three has many choices, whatever it plays
CHOICES = "1"

pytestmark = [
    pytest.mark.usefixtures("fan_tan"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.server(review_wait=0.05, review_think=0.02),
]


async def asked(server: Served, client: Client, table: str) -> list[dict[str, Any]]:
    """What a review is answered with, until it is complete or refused."""
    socket = await raw(server, client.token)
    await socket.send(json.dumps({"type": "hello", "table": table}))
    await socket.send(json.dumps({"type": "review"}))
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(300):
        while not found or (found[-1]["type"] == "reviewed" and not found[-1]["review"]["complete"]):
            told = json.loads(await socket.recv())
            found += [told] if told["type"] in ("reviewed", "refused") else []
    await socket.close()
    return found


async def play_deal(table: TableClient) -> int:
    """Play the first legal move until the deal is over; return how many moves were chosen."""
    chosen = 0
    while True:
        await table.until(lambda: bool(table.legal) or table.table["stage"] != "playing")
        if table.table["stage"] != "playing":
            return chosen
        await table.move(table.legal[0])
        chosen += 1


async def test_own_decisions_are_judged_in_portions_once_the_deal_is_over(server: Served) -> None:
    async with (
        new_table(
            server.url, "fan-tan", seats=3, bots=["", "medium", "medium"], watched=True, number=CHOICES, name=""
        ) as (table,),
        Client(server.url) as eve,
    ):
        await table.until(lambda: bool(table.legal))
        (early,) = await asked(server, table.client, table.name)
        assert early["code"] == "table/review"
        assert "review" not in table.table["may"]
        chosen = await play_deal(table)
        assert "review" in table.table["may"]
        *before, last = await asked(server, table.client, table.name)
        found = last["review"]
        assert found == await table.review()
        assert (found["deal"], found["seat"], found["of"]) == (1, 0, len(found["decisions"]))
        assert 0 < found["of"] <= chosen
        assert {one["seat"] for one in found["decisions"]} == {0}
        sizes = [len(one["review"]["decisions"]) for one in before]
        assert sizes == sorted(sizes), "each portion has what the one before had"
        (stranger,) = await asked(server, eve, table.name)
        assert stranger["code"] == "table/review"


async def test_where_there_are_no_hints_there_is_no_review_before_the_end(server: Served) -> None:
    async with new_table(server.url, "fan-tan", seats=3, bots=["", "medium", "medium"], hints=False, name="") as (
        table,
    ):
        await play_deal(table)
        assert "review" not in table.table["may"]
        (refused,) = await asked(server, table.client, table.name)
        assert refused["code"] == "table/review"
        assert refused["why"]["says"] == "at this table there are no hints"


def test_reviews_are_limited_by_address(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", review_rate=(1, 3600.0), loopback_is_free=False) as server:

        async def scene() -> None:
            async with Client(server.url) as ann:
                made = await ann.make("fan-tan", seats=3, bots=["", "medium", "medium"])
                first, second = [await asked(server, ann, made["id"]) for _ in range(2)]
                assert (first[0]["code"], second[0]["code"]) == ("table/review", "message/rate")

        run(scene())


# Whether anything useful is left


async def test_a_patience_can_tell_whether_anything_useful_is_left(server: Served) -> None:
    async with new_table(server.url, "spider", number="spider 3", name="") as (table,):
        await table.until(lambda: bool(table.legal))
        assert "outlook" in table.table["may"]
        found = await table.outlook()
        assert found["useful"] is True
        assert found["moves"][0] in table.legal
        assert plain(from_data(found["says"])).startswith("Yes: ")


Do = Callable[..., Awaitable[bytes]]


def instead(server: Served, monkeypatch: pytest.MonkeyPatch, work: Do) -> list[tuple[Any, ...]]:
    """Let something else do the jobs for processes; they are noted."""
    noted: list[tuple[Any, ...]] = []

    async def do(*job: Any) -> bytes:
        noted.append(job)
        return await work(*job)

    monkeypatch.setattr(server.app.hall.thinking.workers, "do", do)
    return noted


async def test_a_fault_is_an_answer_and_the_table_goes_on(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> bytes:
        raise RuntimeError("a fault of ours")

    instead(server, monkeypatch, fail)

    async with new_table(server.url, "spider", number="spider 3", name="") as (table,):
        await table.until(lambda: bool(table.legal))
        with pytest.raises(ServerError):
            await table.outlook()
        assert table.name in server.app.hall.rooms
        await table.move(table.legal[0])


async def test_too_many_questions_are_refused_but_not_the_table(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any) -> bytes:
        raise TooMany(Message("this request"), Message("too much of yours waits to be done"))

    noted = instead(server, monkeypatch, refuse)

    async with new_table(server.url, "spider", number="spider 3", name="") as (table,):
        await table.until(lambda: bool(table.legal))
        for _ in range(2):  # what was refused is tried again
            with pytest.raises(ServerError) as error:
                await table.outlook()
            assert error.value.code == "server/busy"
        assert len(noted) == 2


async def test_it_is_worked_out_in_a_process_once_for_a_position(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From what the player knows; it is queued by address, and paid for by it."""

    async def found(_: str, name: str, *told: Any) -> bytes:
        return msgspec.json.encode(msgspec.structs.replace(jobs.JOBS[name](*told), seconds=0.3))

    noted = instead(server, monkeypatch, found)
    owed: list[float] = []
    monkeypatch.setattr(SocketPeer, "owes", lambda peer, seconds: owed.append(seconds))

    async with new_table(server.url, "spider", number="spider 3", name="") as (table,):
        await table.until(lambda: bool(table.legal))
        monkeypatch.setattr(Match, "outlook", None)  # not in the server's own process
        first = await table.outlook()
        assert first == await table.outlook()
        assert [(job[0], job[1], job[2], job[4]) for job in noted] == [("127.0.0.1", "foreseen", "spider", 0)]
        match = server.app.hall.rooms[table.name].table.match
        assert match is not None
        assert noted[0][3] == match.view(0).state.tobytes()
        await table.move(table.legal[0])
        await table.outlook()
        assert len(noted) == 2
    assert owed == [0.3] * 2


async def test_it_is_dropped_when_the_asker_goes(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[str] = []

    async def never(caller: str, *_: Any) -> bytes:
        try:
            await asyncio.Event().wait()
        finally:
            dropped.append(caller)
        raise AssertionError

    noted = instead(server, monkeypatch, never)

    async with Client(server.url) as ann:
        made = await ann.make("spider", number="spider 3")
        for question in ("outlook", "winnable"):
            noted.clear()
            dropped.clear()
            socket = await raw(server, ann.token)
            await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
            while json.loads(await socket.recv())["view"] is None:
                pass
            await socket.send(json.dumps({"type": question}))
            await eventually(lambda: noted)
            await socket.close()
            await eventually(lambda: dropped)


async def test_nothing_is_begun_for_who_has_gone(server: Served) -> None:
    """Also if a question waited in the table's inbox when they went."""
    begun: list[str] = []

    async def work() -> None:
        begun.append("work")

    async with new_table(server.url, "spider", number="spider 3", name="") as (table,):
        await table.until(lambda: bool(table.legal))
        room = server.app.hall.rooms[table.name]
        peer = next(iter(room.peers))

        async def ask() -> bool:
            room.bye(peer)
            task = room.work_for(peer, work())
            await asyncio.wait([task])
            return task.cancelled()

        assert await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(ask(), server.loop))
        assert not room._work
    assert not begun


async def test_other_games_and_tables_without_hints_tell_nothing(server: Served) -> None:
    async with Client(server.url) as ann:
        two: dict[str, Any] = {"game": "fan-tan", "seats": 2, "bots": ["", "medium"]}
        for setup in (two, {"game": "spider", "hints": False}):
            made = await ann.make(**setup)
            async with ann.table(made["id"]) as table:
                await table.until(lambda: bool(table.table["seats"]))
                assert "outlook" not in table.table["may"]
                with pytest.raises(ServerError) as error:
                    await table.outlook()
                assert error.value.code == "table/outlook"
