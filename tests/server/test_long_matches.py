"""Long matches are folded where they do not hold up the event loop, and the longest in another process."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cardtable import Match
from cardtable.client import Client
from cardtable.rules.catalog import games
from cardtable.server.rooms import table_logs
from cardtable.server.store.writes import Write
from cardtable.server.thinking import jobs
from cardtable.server.thinking.workers import Workers
from cardtable.table import Entry, LiveTable, Setup
from cardtable.table import events as ev
from cardtable.table.live import LONG_START, TableFault
from cardtable.table.setup import checked
from tests.support.server.clients import new_table
from tests.support.server.costly import record
from tests.support.server.live import Driven
from tests.support.server.served import Served, served
from tests.support.waiting import eventually
from tests.table.tables import picture


async def played_on(server: Served, text: str) -> str:
    """The id of a table that plays a match on, with bots, when it has begun."""
    match = Match.from_record(text, check=False)
    seats = ["medium"] * match.seats
    seats[match.actors[0]] = ""
    async with new_table(server.url, match.game.name, start=text, bots=seats) as (seat,):
        async for _ in seat.states():
            if seat.stage == "playing" and seat.legal:
                return str(seat.name)
    raise AssertionError("it does not begin")


@pytest.mark.parametrize("moves", [40, 500])
def test_a_long_match_is_made_again_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    """A short one is not: that would take longer. (A very long one goes to a process.)"""
    text = record("i-doubt-it", 10, moves)
    began: list[int] = []
    play_on = LiveTable._play_on

    def noting(table: LiveTable, start: Any) -> Any:
        began.append(threading.get_ident())
        return play_on(table, start)

    monkeypatch.setattr(LiveTable, "_play_on", noting)
    with served(tmp_path / "t.db", bot_pace=3600.0) as server:
        name = asyncio.run(played_on(server, text))
        room = server.app.hall.rooms[name]
        loop = asyncio.run_coroutine_threadsafe(_ident(), server.loop).result(90)
        assert (len(text) > LONG_START) == (moves == 500)
        assert len(began) == 1
        assert (began[0] == loop) == (moves == 40)
        assert room.table.match is not None
        assert len(room.table.match.moves) >= moves
        assert LiveTable.fold(server.store.log(name)).numbers == room.table.numbers


async def _ident() -> int:
    return threading.get_ident()


def test_a_log_is_folded_with_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the event loop gets the interpreter in between; and nothing is lost by them."""
    paused: list[float] = []
    monkeypatch.setattr(time, "sleep", paused.append)
    entry = Entry(1, 1, ev.Hinted(0))
    log = [replace(entry, version=number) for number in range(3 * table_logs.PART + 1)]
    assert list(table_logs.in_parts([ev.encode(one).decode() for one in log])) == log
    assert paused == [table_logs.PAUSE] * 3


# In a process


@pytest.mark.parametrize("game", games())
def test_a_table_that_a_process_has_folded_is_the_same(game: str) -> None:
    """Everything that everybody sees is the same, at once and while play continues."""
    t = Driven(game, "a", bots=("", *["medium"] * ((checked(Setup(game)).seats or 2) - 1)))
    for _ in range(25):
        if t.table.stage == "playing":
            t.step()
    lines = [ev.encode(entry).decode() for entry in t.log]
    here, sent = LiveTable.fold(t.log), pickle.loads(jobs.folded(lines))
    for _ in range(25):
        assert picture(sent) == picture(here) == picture(t.table)
        before = len(t.log)
        if t.table.stage == "playing":
            t.step()
        for entry in t.log[before:]:
            here.apply(entry)
            sent.apply(entry)
    assert sent.match is not None
    assert sent.match.game is games()[game]


async def opened(server: Served, name: str) -> None:
    """Ask for a table that is not in memory, and see that its match continues."""
    hall = server.app.hall
    server.loop.call_soon_threadsafe(hall.forget, hall.rooms[name])
    await eventually(lambda: name not in hall.rooms and name not in hall._closing, "it is put away")
    async with Client(server.url) as person, person.table(name) as looking:
        await looking.until(lambda: looking.stage == "playing")


@pytest.mark.parametrize("busy", [False, True])
def test_a_long_log_is_folded_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: bool) -> None:
    """If none is free in time, it is folded in a thread."""
    folds: list[str] = []
    fold = LiveTable.fold
    monkeypatch.setattr(table_logs, "PATIENCE", 0.1 if busy else 300.0)

    def noting(log: Any) -> Any:
        folds.append(threading.current_thread().name)
        return fold(log)

    with served(tmp_path / "t.db", bot_pace=3600.0, workers=1) as server:
        name = asyncio.run(played_on(server, record("i-doubt-it", 10, 40)))
        monkeypatch.setattr(LiveTable, "fold", noting)
        asyncio.run(opened(server, name))
        assert len(folds) == 1, "a short one in a thread"
        monkeypatch.setattr(table_logs, "LONG", 0.001)
        if busy:
            monkeypatch.setattr(Workers, "_worker", lambda _: asyncio.sleep(3600.0))
        asyncio.run(opened(server, name))
        assert len(folds) == 1 + busy
        assert fold(server.store.log(name)).numbers == server.app.hall.rooms[name].table.numbers


def test_a_log_that_cannot_be_folded_is_refused_as_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_logs, "LONG", 0.0)
    with served(tmp_path / "t.db") as server:
        created = Entry(1, 1, ev.Created("T1", Setup("no-such-game"), "a", "s", 1, stepwise=True))
        row = {"code": "ABCDEFGH", "game": "fan-tan", "stage": "playing", "listed": False, "created": 1, "changed": 1}
        server.store.append(Write("T1", created, row, new=True)).result()
        with pytest.raises(TableFault):
            asyncio.run_coroutine_threadsafe(server.app.hall.logs.folded("T1"), server.loop).result(90)


@pytest.mark.parametrize(("game", "seats", "moves"), [("i-doubt-it", 10, 400), ("spider", 1, 900)])
def test_what_a_fold_costs_is_known_before(game: str, seats: int, moves: int) -> None:
    """In proportion to the moves that are played again: 20 to 90 µs for each, as machines differ. Measured: 22 µs."""
    setup = checked(Setup(game, start=record(game, seats, moves), bots=("", *["medium"] * (seats - 1))))
    log = [
        Entry(1, 1, ev.Created("T1", setup, "a", "s", 1, stepwise=True)),
        Entry(2, 2, ev.Sat(0, "a", "Ann")),
        Entry(3, 3, ev.Started()),
    ]
    lines = [ev.encode(entry).decode() for entry in log]
    folded = LiveTable.fold(log).match
    assert folded is not None
    assert len(folded.moves) >= moves
    assert 20e-6 < table_logs.cost(lines) / len(folded.moves) < 90e-6
