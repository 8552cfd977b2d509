"""Long matches are folded where they do not hold up the event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from costly import record
from served import Served, served

from cardtable import Match
from cardtable.client import Client
from cardtable.server import hall as halls
from cardtable.table import LiveTable
from cardtable.table.live import LONG_START


async def played_on(server: Served, text: str) -> str:
    """The id of a table that plays a match on, with bots, when it has begun."""
    match = Match.from_record(text, check=False)
    seats = ["simple"] * match.seats
    seats[match.actors[0]] = ""
    async with Client(server.url) as person:
        made = await person.make(match.game.name, start=text, name="Ann", bots=seats)
        async with person.table(made["id"]) as seat:
            async for _ in seat.states():
                if seat.stage == "playing" and seat.legal:
                    return str(made["id"])
    raise AssertionError("it does not begin")


@pytest.mark.parametrize("moves", [40, 900])
def test_a_long_match_is_made_again_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    """A short one is not: that would take longer."""
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
        loop = asyncio.run_coroutine_threadsafe(_ident(), server.loop).result(20)
        assert (len(text) > LONG_START) == (moves == 900)
        assert len(began) == 1
        assert (began[0] == loop) == (moves == 40)
        assert room.table.match is not None
        assert len(room.table.match.moves) >= moves
        assert LiveTable.fold(server.store.log(name)).numbers == room.table.numbers


async def _ident() -> int:
    return threading.get_ident()


def test_a_log_is_folded_with_pauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the event loop gets the interpreter in between; and nothing is lost by them."""
    paused: list[float] = []
    monkeypatch.setattr(time, "sleep", paused.append)
    log: list[Any] = list(range(3 * halls.PART + 1))
    assert list(halls._in_parts(log)) == log
    assert paused == [halls.PAUSE] * 3
