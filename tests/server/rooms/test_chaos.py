"""Whatever the line does to messages, every match ends, with the same result for all, and every move is made once."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from crash import GAMES, play

from cardtable import client as clients
from cardtable.client import Client
from cardtable.table import LiveTable
from cardtable.table import events as ev
from tests.support.server.chaos import BadLine, Trouble
from tests.support.server.served import Served, served

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore::RuntimeWarning")]
MOST = 14  #: moves of each person, who then gives up


async def one_match(server: Served, line: BadLine, number: int) -> None:
    """Two people and a spectator, all through the bad line."""
    game, seats = GAMES[number % len(GAMES)]
    rng = random.Random(number)
    noted: tuple[list[str], list[str]] = [], []
    people = [Client(server.url) for _ in range(3)]
    for person in people:
        await person.get("/api/me")
    made = await people[0].make(game, name="Ann", seats=seats, bots=["", "", "medium"][:seats])
    for person in people:
        person.url = line.url
    await play_match(server, people, made["id"], noted, rng)


async def play_match(
    server: Served, people: list[Client], table: str, noted: tuple[list[str], list[str]], rng: random.Random
) -> None:
    """The match of the first two; noted: filled with the moves acknowledged to each."""
    async with people[0].table(table) as a, people[1].table(table) as b, people[2].table(table) as e:
        await b.sit("Ben")
        players = (
            play(player, moves, rng, MOST, allowed="move/illegal") for player, moves in zip((a, b), noted, strict=True)
        )
        await asyncio.gather(*players, e.until(lambda: e.stage == "over"))
        tables = (a, b, e)
        views = [told.view for told in tables]
        log = server.store.log(table)
        true = LiveTable.fold(log).match
        assert true is not None
        assert true.result is not None
        for told, view in zip(tables, views, strict=True):
            assert view is not None
            assert (tuple(view["scores"]), tuple(view["winners"])) == (true.result.scores, true.result.winners)
            numbers = [happening["number"] for happening in told.log]
            assert numbers == sorted(set(numbers)), "what happened was told once, in order"
        for seat, moves in enumerate(noted):
            kept = [
                entry.event.move
                for entry in log
                if isinstance(entry.event, ev.Moved) and entry.event.seat == seat and entry.event.by == "person"
            ]
            assert kept == moves, "each acknowledged move was made, once"


def test_every_match_ends_the_same_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each game at the same time, with much trouble. Which trouble comes is fixed, but not to whom."""
    monkeypatch.setattr(clients, "QUIET", 0.6)
    monkeypatch.setattr(clients, "RESEND", 0.5)

    async def run(server: Served) -> Trouble:
        async with BadLine(server.url, Trouble(dead=0.02, cut=0.02), 1) as line:
            await asyncio.gather(*(one_match(server, line, number) for number in range(len(GAMES))))
            return line.trouble

    with served(tmp_path / "t.db", absence=60.0, socket_rate=(600, 20.0)) as server:
        trouble = asyncio.run(asyncio.wait_for(run(server), 300))
    assert set(trouble.seen) == {"drop", "double", "swap", "stall", "dead", "cut"}, trouble
