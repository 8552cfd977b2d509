"""Deals that can be won: for the day, for one person who wants one; and whether a game can still be won."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from cardtable.base.errors import NoSolver, OptionError
from cardtable.base.message import from_data, plain
from cardtable.client import Client, ServerError
from cardtable.match.match import Match, Record
from cardtable.precompile import warm
from cardtable.review import winnable
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import NOT_FOUND, SOLVED, UNWINNABLE
from cardtable.server.settings import Settings
from cardtable.server.store import shared_deals
from cardtable.server.thinking.protocol import too_big
from cardtable.server.thinking.solving import Solutions, WinnableDeals
from tests.support.commands import run
from tests.support.server.served import Served

pytestmark = pytest.mark.server(fresh=True, work_seconds=100.0)

SPIDER = catalog.find("spider")


@pytest.fixture(scope="module")
def compiled() -> None:
    """No test waits for the compiler: until the rules of all games are there, no worker of a server solves."""
    for game in catalog.games().values():
        warm(game, search=False)
    warm(SPIDER)


def solved(test: Callable[..., object]) -> Any:
    """A test that solves: not a quick one, as Spider's solver would have to be compiled for it."""
    return pytest.mark.exhaustive(pytest.mark.usefixtures("compiled")(test))


def ask(url: str, path: str, **body: Any) -> Any:
    """A request of one person, with a body or without; the answer."""

    async def scene() -> Any:
        async with Client(url) as ann:
            headers = {"cookie": f"cardtable={ann.token}", "origin": url}
            async with httpx.AsyncClient(base_url=url, headers=headers, timeout=120) as http:
                answer = await (http.post(path, json=body) if body else http.get(path))
                assert answer.is_success, answer.text
                return answer.json()

    return asyncio.run(scene())


# Which deal is chosen


@solved
def test_the_first_deal_that_the_solver_wins_is_chosen() -> None:
    """Deal 10 needs more than the first run, so it is passed over where that is all that may be spent."""
    few = 9_000
    assert Match("spider", seed=10).solve(seconds=None, states=few).status != SOLVED
    deal = winnable.first(Ruleset.parse(SPIDER), ["10", "2", "3"], states=few)
    assert (deal.number, deal.difficulty) == ("2", "easy")
    assert Match("spider", seed=2).solve(seconds=None, states=deal.states).status == SOLVED
    assert winnable.first(Ruleset.parse(SPIDER), ["23", "2", "3"]).difficulty == "hard"


def test_the_difficulty_follows_from_positions() -> None:
    assert SPIDER.solver_effort
    efforts = (1, 14_000, 14_001, 60_000, 60_001)
    words = [winnable.difficulty(SPIDER.solver_effort, states) for states in efforts]
    assert words == ["easy", "easy", "medium", "medium", "hard"]


@solved
def test_no_deal_is_found_where_none_can_be_won() -> None:
    with pytest.raises(OptionError) as refused:
        winnable.first(Ruleset.parse(SPIDER, house_rules={"move_cap": 100}), ["1", "2"], states=2_000)
    assert refused.value.code == "solve/none"
    with pytest.raises(NoSolver):
        winnable.first(Ruleset.parse("fan-tan"), ["1"])


# For one person


@solved
async def test_a_table_with_a_deal_that_can_be_won(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("spider", winnable=True, options={"suits": "2"})
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            number = table.table["number"]
            assert (table.table["winnable"], number.isdecimal()) == (True, True)
            assert table.table["fair"]["commitment"] == "", "its cards are known, so nothing is proved"
            match = server.app.hall.rooms[made["id"]].table.match
            assert match is not None
            assert match.solve(seconds=None, states=400_000).status == SOLVED
            assert Match("spider", rules=match.rules, seed=number, suits="2").position() == match.position()
        other = await ann.make("spider", winnable=True)
        assert server.app.hall.rooms[other["id"]].table.setup.number != number


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"game": "spider", "number": "7"}, "options/combination"),
        ({"game": "fan-tan", "seats": 3, "bots": ["", "medium", "medium"]}, "solve/game"),
        pytest.param({"game": "spider", "options": {"move_cap": 100}}, "solve/none", marks=pytest.mark.exhaustive),
    ],
)
async def test_what_has_no_deal_that_can_be_won_is_refused(
    server: Served, setup: Any, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def briefly(caller: str, name: str, game: str, preset: str, _: Any, options: Any, numbers: list[str]) -> None:
        """What a process does with the first two deals, in fewer positions."""
        winnable.first(Ruleset.parse(game, preset, house_rules=options), numbers[:2], states=2_000)

    monkeypatch.setattr(server.app.hall.thinking.winnable, "_jobs", SimpleNamespace(do=briefly))

    async with Client(server.url) as ann:
        headers = {"cookie": f"cardtable={ann.token}", "origin": server.url}
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120) as http:
            refused = await http.post("/api/tables", json={"winnable": True} | setup)
            assert (refused.status_code, refused.json()["error"]["code"]) == (400, code)


# The deal of the day


@solved
def test_the_deal_of_the_day_can_be_won(server: Served, tmp_path: Path) -> None:
    answer = ask(server.url, "/api/daily/spider")
    setup, numbers = shared_deals.daily(server.store, SPIDER, answer["day"])
    right = winnable.first(Ruleset.parse(SPIDER, setup.preset), numbers)
    assert (answer["winnable"], answer["effort"], answer["difficulty"]) == (True, right.states, right.difficulty)
    assert setup.number == numbers[0], "a day has the number that it had before its deals were solved, if that is won"
    made = ask(server.url, "/api/daily/spider", name="Ann")
    room = server.app.hall.rooms[made["id"]]
    assert room.table.setup.number == right.number
    other = ask(server.url, "/api/daily/scopa")
    assert (other["winnable"], other["difficulty"], other["effort"]) == (False, "", 0)


def test_the_number_that_is_won_is_played(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def second(_: WinnableDeals, __: Any, numbers: list[str]) -> winnable.Winnable:
        return winnable.Winnable(numbers[1], 99_999, "hard")

    monkeypatch.setattr(WinnableDeals, "of_day", second)
    answer = ask(server.url, "/api/daily/spider")
    assert (answer["difficulty"], answer["effort"]) == ("hard", 99_999)
    made = ask(server.url, "/api/daily/spider", name="Ann")
    _, numbers = shared_deals.daily(server.store, SPIDER, answer["day"])
    assert server.app.hall.rooms[made["id"]].table.setup.number == numbers[1]


async def test_a_day_is_solved_once_and_again_after_a_failure(server: Served) -> None:
    class Counting:
        asked = 0

        async def do(self, *_: Any) -> bytes:
            self.asked += 1
            if self.asked == 1:
                raise RuntimeError("a fault")
            await asyncio.sleep(0)
            return b'{"number":"7","states":5,"difficulty":"easy"}'

    setup, numbers = shared_deals.daily(server.store, SPIDER, "2026-11-24")

    jobs = Counting()
    deals = WinnableDeals(jobs)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError):
        await deals.of_day(setup, numbers)
    answers = await asyncio.gather(*(deals.of_day(setup, numbers) for _ in range(5)))
    assert {one.number for one in answers} == {"7"}
    assert jobs.asked == 2
    await deals.of_day(setup, numbers[1:])
    assert jobs.asked == 3


# Whether a game can still be won


@solved
async def test_a_game_is_won_by_asking_for_the_next_move(server: Served) -> None:
    """The answers lead along one line; asking counts as a hint, once for a position; after another move it is solved
    again.
    """

    async with Client(server.url) as ann:
        made = await ann.make("spider", number="1", preset="one-suit")
        room = server.app.hall.rooms[made["id"]]
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            assert "winnable" in table.table["may"]
            first = await table.winnable()
            assert first["status"] == SOLVED
            assert plain(from_data(first["says"])).startswith("Yes, it can still be won: ")
            assert (await table.winnable())["moves"] == first["moves"]
            assert room.table.places[0].hints == 1
            for _ in range(3):
                answer = await table.winnable()
                assert answer["moves"] == first["moves"][-len(answer["moves"]) :]
                await table.move(answer["moves"][0])
            assert room.table.places[0].hints == 3
            other = next(move for move in table.legal if move != answer["moves"][1])
            await table.move(other)
            aside = await table.winnable()
            assert aside["status"] == SOLVED
            for move in aside["moves"]:
                await table.move(move)
            await table.until(lambda: table.stage == "over")
            match = room.table.match
            assert match is not None
            assert match.result is not None
            assert match.result.winners == (0,)


async def test_it_is_told_where_there_are_hints_and_a_solver(server: Served) -> None:
    async with Client(server.url) as ann:
        bots = ["", "medium", "medium"]
        setups: list[dict[str, Any]] = [{"game": "spider", "hints": False}]
        for setup in [*setups, {"game": "fan-tan", "seats": 3, "bots": bots}]:
            made = await ann.make(**setup)
            async with ann.table(made["id"]) as table:
                await table.until(lambda: bool(table.legal))
                assert "winnable" not in table.table["may"]
                with pytest.raises(ServerError) as refused:
                    await table.winnable()
                assert refused.value.code == "table/winnable"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (too_big(), NOT_FOUND),
        (json.dumps({"status": UNWINNABLE, "moves": [], "states": 12, "seconds": 0.1}).encode(), UNWINNABLE),
    ],
)
def test_what_takes_too_long_is_not_called_lost(answer: Any, status: str) -> None:
    class Job:
        async def do(self, *_: Any) -> bytes:
            if isinstance(answer, bytes):
                return answer
            raise answer

    solutions = Solutions(Job(), Settings())  # type: ignore[arg-type]
    solution = asyncio.run(solutions.ask("127.0.0.1", ("T", 1), (), "a record"))
    assert solution.status == status
    said = plain(winnable.told(solution))
    begin = "Unwinnable: all positions" if status == UNWINNABLE else "No solution was found within 5.00 s"
    assert said.startswith(begin)


# In the terminal


@solved
def test_the_terminal_deals_what_can_be_won_and_says_whether_it_still_can(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    words = "play", "spider", "--winnable", "--rules", "one-suit", "--record", record, "--line"
    done = run(*words, given="w\nq\n", NUMBA_DISABLE_JIT="0")
    assert "A solver that sees all cards wins this deal. Difficulty: easy (" in done.stderr
    seed = str(Record.load(record).keys["seed"])
    assert f"It was chosen because it can be won: seed {seed}." in done.stderr
    match = re.search(r"Yes, it can still be won, with (\S+) next", done.stdout)
    assert match
    assert match[1] in Match("spider", rules="one-suit", seed=seed).view(0).legal


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spider", "--winnable", "--seed", "7"), "--winnable with --seed"),
        (("fan-tan", "--winnable"), "Fan Tan has no solver"),
        (("--resume", "--winnable"), "--winnable: a match continues as it began"),
    ],
)
def test_what_the_terminal_cannot_deal(words: tuple[str, ...], said: str) -> None:
    done = run("play", *words, given="q\n", code=None)
    assert done.returncode
    assert said in done.stderr.replace("\n", " ")
