"""Deals that can be won: for the day, for one person who wants one; and whether a game can still be won."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import Served, served

from cardtable import catalog, winnable
from cardtable.client import Client
from cardtable.errors import NoSolver, OptionError
from cardtable.match import Match
from cardtable.server import dealt
from cardtable.server.winnable import WinnableDeals
from cardtable.solve import SOLVED

SPIDER = catalog.find("spider")


@pytest.fixture(scope="module")
def compiled() -> None:
    """The solver is compiled before a process that may be ended solves with it."""
    assert Match("spider", rules="one-suit", seed=1).solve(seconds=None, states=200_000).status == SOLVED


@pytest.fixture
def server(tmp_path: Path, compiled: None) -> Iterator[Served]:
    with served(tmp_path / "tables.db") as running:
        yield running


def ask(url: str, path: str, **body: Any) -> Any:
    """A request of one person, with a body or without; the answer."""

    async def scene() -> Any:
        async with Client(url) as ann:
            headers = {"cookie": f"cardtable={ann.token}", "origin": url}
            async with httpx.AsyncClient(base_url=url, headers=headers, timeout=120) as http:
                found = await (http.post(path, json=body) if body else http.get(path))
                assert found.is_success, found.text
                return found.json()

    return asyncio.run(scene())


# Which deal is chosen


def test_the_first_deal_that_the_solver_wins_is_chosen() -> None:
    """Deal 10 needs more than the first run, so it is passed over where that is all that may be spent."""
    few = 9_000
    assert Match("spider", seed=10).solve(seconds=None, states=few).status != SOLVED
    found = winnable.first(SPIDER, ["10", "4", "3"], states=few)
    assert (found.number, found.difficulty) == ("4", "easy")
    assert Match("spider", seed=4).solve(seconds=None, states=found.states).status == SOLVED
    assert winnable.first(SPIDER, ["10", "4", "3"]).difficulty == "hard"


def test_the_difficulty_follows_from_positions() -> None:
    efforts = (1, 11_000, 11_001, 45_000, 45_001)
    assert [winnable.Winnable("1", n).difficulty for n in efforts] == ["easy", "easy", "medium", "medium", "hard"]


def test_no_deal_is_found_where_none_can_be_won() -> None:
    with pytest.raises(OptionError) as refused:
        winnable.first(SPIDER, ["1", "2"], options={"move_cap": 100}, states=2_000)
    assert refused.value.code == "solve/none"
    with pytest.raises(NoSolver):
        winnable.first(catalog.find("fan-tan"), ["1"])


# The deal of the day


def test_the_deal_of_the_day_can_be_won(server: Served, tmp_path: Path) -> None:
    told = ask(server.url, "/api/daily/spider")
    setup, numbers = dealt.daily(server.store, SPIDER, told["day"])
    right = winnable.first(SPIDER, numbers, rules=setup.preset)
    assert (told["winnable"], told["effort"], told["difficulty"]) == (True, right.states, right.difficulty)
    assert setup.number == numbers[0], "a day has the number that it had before its deals were solved, if that is won"
    made = ask(server.url, "/api/daily/spider", name="Ann")
    room = server.app.hall.rooms[made["id"]]
    assert room.table.setup.number == right.number
    other = ask(server.url, "/api/daily/scopa")
    assert (other["winnable"], other["difficulty"], other["effort"]) == (False, "", 0)


def test_a_day_is_solved_once_and_again_after_a_failure(server: Served) -> None:
    class Counting:
        asked = 0

        async def do(self, *_: Any) -> bytes:
            self.asked += 1
            if self.asked == 1:
                raise RuntimeError("a fault")
            await asyncio.sleep(0)
            return b'{"number":"7","states":5}'

    setup, numbers = dealt.daily(server.store, SPIDER, "2026-11-24")

    async def scene() -> None:
        jobs = Counting()
        deals = WinnableDeals(jobs)  # type: ignore[arg-type]
        with pytest.raises(RuntimeError):
            await deals.of_day(setup, numbers)
        found = await asyncio.gather(*(deals.of_day(setup, numbers) for _ in range(5)))
        assert {one.number for one in found} == {"7"}
        assert jobs.asked == 2
        await deals.of_day(setup, numbers[1:])
        assert jobs.asked == 3

    asyncio.run(scene())
