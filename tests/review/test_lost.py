"""Where a lost game was lost: the last position from which the solver finds a win, and the move there."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardtable import precompile
from cardtable.base.errors import OptionError
from cardtable.base.message import from_data, plain
from cardtable.client import Client
from cardtable.match.match import Match
from cardtable.review import review, where_lost
from cardtable.review.decisions import Decision
from cardtable.review.review import BEST, Review
from cardtable.rules.solver import NOT_FOUND, SOLVED, UNWINNABLE
from cardtable.server.thinking import thinking
from cardtable.server.thinking.workers import Workers
from tests.games.spider.spider_tables import lay
from tests.support.commands import call
from tests.support.server.served import served


def given_up(moves: int, **rules: Any) -> Match:
    """A deal of Spider in which a player follows a solution for some moves, and gives up."""
    m = Match("spider", rules="one-suit", seed=3, **rules)
    for move in m.solve(seconds=None, states=200_000).moves[:moves]:
        m.play(move)
    m.resign(0)
    return m


def told(
    monkeypatch: pytest.MonkeyPatch, answers: dict[int, str], positions: int, proved: bool = True
) -> where_lost.Loss:
    """Where a deal is lost from whose positions a solver finds what is given, by their numbers."""
    m = Match("spider", rules="one-suit", seed=3)
    for _ in range(positions - 1):
        m.play(m.legal()[0])
    m.resign(0)
    monkeypatch.setattr(where_lost, "_states", lambda *_: list(range(1, positions + 1)))
    monkeypatch.setattr(where_lost, "_solved", lambda _, n, __: (answers.get(n, NOT_FOUND), f"best of {n}"))
    loss: where_lost.Loss | None = where_lost.Loss(positions, 0, positions + 1, proved)
    while loss and not loss.complete:
        loss = where_lost.narrowed(m, 1, loss)
    assert loss
    return loss


@pytest.mark.parametrize("last", range(1, 12))
def test_the_last_position_that_can_be_won_is_found(monkeypatch: pytest.MonkeyPatch, last: int) -> None:
    loss = told(monkeypatch, dict.fromkeys(range(1, last + 1), SOLVED), 12)
    assert (loss.won, loss.open, loss.best, loss.proved) == (last, last + 1, f"best of {last}", False)
    assert plain(loss.message).startswith(f"Move {last} (")
    assert "may have lost the game" in plain(loss.message)


def test_what_is_proved_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {1: SOLVED, 2: SOLVED, 3: SOLVED} | dict.fromkeys(range(4, 9), UNWINNABLE)
    loss = told(monkeypatch, answers, 8)
    assert (loss.won, loss.proved) == (3, True)
    assert " lost the game: " in plain(loss.message)
    assert "after it nothing wins" in plain(loss.message)
    nowhere = told(monkeypatch, {}, 8)
    assert (nowhere.won, nowhere.best) == (0, "")
    assert plain(nowhere.message) == "No solution was found from any position of the deal; there may be one."


@pytest.mark.exhaustive
def test_a_game_given_up_that_could_be_won() -> None:
    m = given_up(20)
    portions: list[where_lost.Loss] = []
    loss = where_lost.lost(m, 0, 1, each=portions.append)
    assert loss
    assert (loss.positions, loss.won, loss.open, loss.move) == (21, 21, 22, "")
    assert loss.best in Match.from_record(m.record().before(1, 21)).legal()
    assert plain(loss.message).startswith("From the last position the game could still be won, with ")
    assert portions[-1] == loss
    assert all(not one.complete for one in portions[:-1])
    assert where_lost.lost(m, 0, 1, states=50) == replace(loss, won=0, open=1, best="", move="")


@pytest.mark.exhaustive
@pytest.mark.usefixtures("plainly")
def test_a_move_that_lost_the_game() -> None:
    """The last run needs the four moves that are left, and one of them is wasted."""
    columns = ["[] KS QS JS TS 9S 8S 7S 6S 5S", "[] 4S", "[] 3S", "[] 2S", "[] AS"]
    m = lay(columns, "S H H D D C C", made=96, move_cap=100)
    m.play("5-6")
    while not m.over:
        m.play(m.legal()[0])
    found = where_lost.lost(m, 0, 1)
    assert found
    assert (found.positions, found.won, found.move, found.proved) == (4, 1, "5-6", True)
    assert plain(found.message) == (
        f"Move 1 (5-6) lost the game: before it a solution continues with {found.best}, and after it nothing wins."
    )
    words = plain(where_lost.named(m, 1, found).message)
    assert words.startswith("Move 1 (AS → gap) lost the game: before it a solution continues with "), words
    assert found.best not in words, "people see no notation"


def test_a_deal_that_was_won_or_cannot_be_solved_has_no_such_place() -> None:
    m = Match("spider", rules="one-suit", seed=3)
    for move in m.solve(seconds=None, states=200_000).moves:
        m.play(move)
    assert where_lost.lost(m, 0, 1) is None
    assert where_lost.lost(Match("fan-tan", 3, seed=1), 0, 1) is None
    for seat, deal in ((1, 1), (0, 2)):
        with pytest.raises(OptionError):
            where_lost.lost(m, seat, deal)


# Who is told


def test_the_review_in_the_terminal_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The decisions before it are not judged here: for these, search would be compiled."""

    def judged(m: Match, seat: int, iterations: int, **_: Any) -> Review:
        return Review(m, seat, iterations, (Decision(1, 1, seat, "2-8", "2-8", 0.0, 0.0, 0.0, 0.0, 1.0, BEST),))

    monkeypatch.setattr(review, "review", judged)
    monkeypatch.setattr(precompile, "warm", lambda *_, **__: None)
    file = tmp_path / "m.toml"
    file.write_text(str(given_up(2).record()), "utf-8")
    words = "review", str(file), "--iterations", "100"
    assert "From the last position the game could still be won, with" in " ".join(call(capsys, *words)[1].split())
    (data,) = json.loads(call(capsys, *words, "--json")[1])["lost"]
    assert (data["won"], data["positions"], data["complete"]) == (3, 3, True)


#: A process that does not ask first whether the rules of all games are compiled: else it would refuse to solve.
WORKER = "from cardtable.server.thinking import worker; worker.run_plain = lambda plain: None; worker.main()"


@pytest.mark.exhaustive
def test_the_server_tells_it_in_portions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "Workers", functools.partial(Workers, command=(sys.executable, "-c", WORKER)))
    assert given_up(1)  # the solver is compiled before a process that may be ended solves with it

    async def scene(url: str) -> None:
        async with Client(url) as ann:
            made = await ann.make("spider", number="3", preset="one-suit")
            async with ann.table(made["id"]) as table:
                await table.until(lambda: bool(table.legal))
                for move in (await table.winnable())["moves"][:40]:
                    await table.move(move)
                await table.command("resign")
                await table.until(lambda: table.stage == "over")
            headers = {"cookie": f"cardtable={ann.token}", "origin": url}
            async with httpx.AsyncClient(base_url=url, headers=headers, timeout=120) as http:
                (match,) = (await http.get("/api/matches")).json()["matches"]
                assert match["solvable"]
                path = f"/api/matches/{match['id']}/lost"
                first = (await http.get(path)).json()
                assert (first["lost"], first["complete"], first["positions"]) == (True, False, 41)
                assert plain(from_data(first["says"])) == "Looking for the place where the game was lost …"
                last = (await http.get(path)).json()
                assert (last["complete"], last["won"], last["move"]) == (True, 41, "")
                assert (await http.get(path)).json() == last
                assert (await http.get(path, params={"seat": 3})).status_code == 400

    with served(tmp_path / "tables.db") as server:
        asyncio.run(scene(server.url))
