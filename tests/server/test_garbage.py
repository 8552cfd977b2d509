"""Garbage: questions leave none, and the server collects it at chosen times."""

from __future__ import annotations

import gc
import json
import re
import traceback
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.errors import CardtableError
from cardtable.client import Client
from cardtable.rules.catalog import games
from cardtable.server import garbage
from cardtable.server.garbage import CALM, NEW, SLIGHT, WORTH, Garbage
from cardtable.server.net.fair_queue import Busy
from cardtable.server.rooms import upkeep
from cardtable.server.settings import Settings
from cardtable.server.thinking.workers import Workers
from tests.support.commands import ROOT
from tests.support.server.clients import raw
from tests.support.server.served import served


@pytest.fixture(scope="module", autouse=True)
def by_hand() -> Iterator[None]:
    """No garbage is collected but what a test collects. What there was before is not looked at: in a process that has
    run many tests it would take half a second each time.
    """
    collecting = gc.isenabled()
    gc.disable()
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    if collecting:
        gc.enable()


class Collector:
    """Stands for Python's collector, whose own figures other threads change."""

    def __init__(self) -> None:
        self.new = 0  #: objects since the last collection
        self.collected: list[int] = []  #: the generation of each collection

    def get_count(self) -> tuple[int, int, int]:
        return self.new, 0, 0

    def collect(self, generation: int = 2) -> None:
        self.collected.append(generation)
        self.new = 0


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Collector:
    made = Collector()
    monkeypatch.setattr(garbage, "gc", made)
    return made


class Left:
    """Whether something that is done again and again leaves garbage each time. Something else may leave some now and
    then: what is done for the first time, or a connection that ends in another thread.
    """

    def __init__(self) -> None:
        self._found: list[int] = []
        gc.collect()

    def some(self) -> bool:
        """Whether it was not done yet, or has left some; asked after each time. It fails after ten."""
        self._found.append(gc.collect())
        assert len(self._found) <= 10, self._found
        return len(self._found) == 1 or self._found[-1] > 0


def asked(m: Match, move: str) -> CardtableError | None:
    """The refusal of a move, in a separate frame that keeps it."""
    no = m.why_not(move, m.actors[0])
    return no


@pytest.mark.parametrize("game", games())
def test_why_not_leaves_no_garbage(game: str) -> None:
    m, left = Match(game, seed=7), Left()
    while left.some():
        for move in ("7H", "pass", "2C 3C", "zz", "AS, KS", "X1 X2"):
            no = asked(m, move)
            if no is not None:
                assert (no.__traceback__, no.__context__, no.__cause__) == (None, None, None)


def test_a_refusal_can_be_raised_all_the_same() -> None:
    no = Match("fan-tan", 4, seed=7).why_not("zz")
    assert no is not None
    with pytest.raises(type(no), match="zz"):
        raise no


def test_errors_are_made_anew_whenever_they_are_raised() -> None:
    """One that is kept and raised again grows by where it was raised, each time, and keeps all that is there."""
    kept = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in sorted((ROOT / "cardtable").rglob("*.py"))
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if re.match(r"\s*raise _?[A-Z][A-Z_]+\b(?!\()", line)
    ]
    assert kept == []


async def test_a_server_that_stops_refuses_each_time_anew() -> None:
    jobs = Workers(Settings())
    await jobs.close()
    errors: list[BaseException] = []
    for _ in range(3):
        with pytest.raises(Busy) as error:
            await jobs.do("192.0.2.1", "verified", "")
        errors.append(error.value)
    assert len({id(error) for error in errors}) == 3
    depths = [len(traceback.extract_tb(error.__traceback__)) for error in errors]
    assert len(set(depths)) == 1


async def test_messages_leave_no_garbage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answered or refused. A server whose clients send many would hold everything up to collect it."""
    monkeypatch.setattr(upkeep, "TIDY_EVERY", 1e6)

    with served(tmp_path / "t.db") as server:
        async with Client(server.url) as ann:
            made = await ann.make("fan-tan", name="Ann", seats=2, bots=["", "medium"], number="fan-tan 1")
            socket = await raw(server, ann.token)
            hello: dict[str, Any] = {"type": "hello", "table": made["id"], "version": 0}

            async def send(message: dict[str, Any], answer: str) -> None:
                await socket.send(json.dumps(message))
                while json.loads(await socket.recv())["type"] != answer:
                    pass

            await send(hello, "table")
            for message, answer in (
                (hello, "table"),
                ({"type": "why", "moves": ["7H", "2C 3C", "zz"]}, "because"),
                ({"type": "move", "move": "zz", "at": 1, "seq": 9}, "refused"),
                ({"type": "outlook"}, "refused"),
                ({"type": "review"}, "refused"),
                ({"type": "why", "moves": 5}, "refused"),
                ({"type": "nonsense"}, "refused"),
            ):
                left = Left()
                while left.some():
                    for _ in range(4):
                        await send(message, answer)
            await socket.close()


def test_everything_is_looked_at_when_nobody_plays(collector: Collector) -> None:
    collector.new = WORTH + 1
    tidied = Garbage(lambda: 0)
    tidied.tidy(CALM - 1)
    assert collector.collected == [], "somebody played a moment ago"
    tidied.tidy(CALM)
    assert collector.collected == [2]
    collector.new = WORTH
    tidied.tidy(CALM)
    assert collector.collected == [2], "there is too little"


def test_what_is_new_is_looked_at_while_people_play(collector: Collector) -> None:
    tidied = Garbage(lambda: 0)
    collector.new = NEW
    tidied.tidy(0)
    assert collector.collected == []
    collector.new = NEW + 1
    tidied.tidy(0)
    tidied.tidy(0)
    assert collector.collected == [0]
    tidied.tidy(CALM)
    assert collector.collected == [0, 2], "what is not new any more, when nobody plays"
    tidied.tidy(CALM)
    assert collector.collected == [0, 2]


def test_everything_is_looked_at_when_the_process_has_grown(collector: Collector) -> None:
    taken = [200 << 20]
    tidied = Garbage(lambda: taken[0])
    tidied.tidy(0)
    taken[0] += SLIGHT
    tidied.tidy(0)
    assert collector.collected == []
    taken[0] *= 2
    tidied.tidy(0)
    assert collector.collected == [2]
    tidied.tidy(0)
    assert collector.collected == [2], "not again before it has grown again"


def test_pythons_collector_finds_what_holds_itself() -> None:
    """The garbage of a reference cycle is gone after a full collection."""

    class Knot:
        def __init__(self) -> None:
            self.itself = self

    last = weakref.ref(Knot())
    tidied = Garbage(iter([1, 1 << 40, 1]).__next__)
    tidied.tidy(0)
    tidied.tidy(0)
    assert last() is None
