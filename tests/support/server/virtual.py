"""Rooms in virtual time: when nothing is left to do, the next timer comes at once, and nothing is written to a disk. So
hours of play take seconds, and a delay is measured without the noise of the machine.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardtable.bots import bot
from cardtable.server.app import build
from cardtable.server.rooms import room as rooms
from cardtable.server.rooms.broadcast import Peer
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from cardtable.server.thinking import bots
from cardtable.server.thinking.bots import Advised, SearchPool
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.views.view import View
from tests.support.server import live
from tests.support.server.live import Driven
from tests.support.server.peers import Ear

BEGAN = 2_000_000  #: milliseconds: the server's time when the loop's is 0
#: the part of bots.JITTER that every bot waits here. With a jitter that is always the same, delays that do not depend
#: on the cards are equal, so a few moves show what thousands of random delays could only make probable.
PART = 0.5


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that does not wait. Work in threads is done in the loop's own; it returns its result and the
    seconds that it would have taken.
    """

    def __init__(self) -> None:
        super().__init__()
        self._virtual = 0.0
        self._threads: dict[Any, asyncio.Semaphore] = {}
        selector: Any = self._selector  # type: ignore[attr-defined]
        look = selector.select

        def select(timeout: float | None = None) -> Any:
            found = look(0)
            if not found and timeout != 0:
                assert timeout is not None, "nothing will ever happen"
                self._virtual += timeout
            return found

        selector.select = select

    def time(self) -> float:
        return self._virtual

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        """Do some work when one of the executor's threads is free."""
        return self.create_task(self._work(executor, func, args))

    async def _work(self, executor: Any, func: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        async with self._threads.setdefault(executor, asyncio.Semaphore(executor._max_workers)):
            seconds, result = func(*args)
            await asyncio.sleep(seconds)
            return result


class Searching:
    """A search that plays the heuristic. Without a choice it takes no time; otherwise any part of its time, by chance,
    and now and then a little more.
    """

    def __init__(self, loop: VirtualLoop, patch: pytest.MonkeyPatch) -> None:
        self.worked = 0.0  #: seconds, of all searches
        dice = random.Random(3)

        def search(pool: SearchPool, view: View, flat: bool, seed: str, until: float) -> tuple[float, Advised]:
            left = until - loop.time()
            seconds = dice.uniform(0.05, 1.0) * left + 0.01 * dice.random() if len(view.legal) > 1 else 0.0
            self.worked += seconds
            return seconds, Advised(bot("medium", seed).choose(view), {}, until)

        patch.setattr(SearchPool, "_search", search)
        patch.setattr(bots, "plain", lambda: False)
        patch.setattr(bots, "time", SimpleNamespace(monotonic=loop.time))
        patch.setattr(bots, "random", SimpleNamespace(random=lambda: PART))


@dataclass(frozen=True)
class Mark:
    move: str
    by: str
    seat: int
    single: bool  #: its seat had no choice
    hidden: int  #: moves before it, since the one that everybody saw, that only their own seats saw
    ruled: int  #: those of them that the rules made
    worked: float  #: seconds that searches took since then


@dataclass(frozen=True)
class Timed:
    """A move as a spectator saw it: how long after the message before."""

    mark: Mark
    delay: float  #: seconds, to the microsecond: sums of floats differ in their last digits


Marks = dict[int, Mark]  #: by the number that a move has in what happened, as spectators count


class Spectator(Ear):
    """A spectator with a stopwatch. A message may come before the mark of its move, and a move may be marked
    before the message with which looking on begins.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, marks: Marks) -> None:
        super().__init__("spectator")
        self._loop, self._marks = loop, marks
        self._last = loop.time()
        self._came: dict[int, tuple[int | None, float]] = {}  # by number: the seat that was told, and the delay

    @property
    def seen(self) -> list[Timed]:
        found = []
        for number, (seat, delay) in self._came.items():
            if (mark := self._marks.get(number)) is not None:
                assert seat in (mark.seat, None)  # None: several answered at the same time
                found.append(Timed(mark, delay))
        return found

    def send(self, message: str) -> None:
        told = json.loads(message)
        if told["type"] != "table":
            return
        for one in told["happened"] if told["since"] else ():
            if one["kind"] == "moved":
                self._came[one["number"]] = one.get("seat"), round(self._loop.time() - self._last, 6)
        self._last = self._loop.time()


class Regular(Ear):
    """A person who answers after a third of a second, whatever there is to do."""

    def __init__(self, owner: str, room: Room) -> None:
        super().__init__(owner)
        self._room, self._seq = room, 1000

    def send(self, message: str) -> None:
        if json.loads(message)["type"] == "table":
            asyncio.get_running_loop().call_later(0.3, self._act)

    def _act(self) -> None:
        table = self._room.table
        seat = table.seat_of(self.owner)
        assert seat is not None
        self._seq += 1
        if table.stage == "between":
            self._room.command(self, cm.GetReady(self._seq))
        elif table.stage == "playing" and table.match and seat in table.match.actors and not table.forced:
            move = bot("medium", 1).choose(table.views[seat])
            self._room.command(self, cm.PlayMove(self._seq, move, table.numbers[seat]))


@dataclass
class Scene:
    make: Callable[[], Driven]
    settings: Settings
    regulars: str = ""  #: people who are connected, besides a spectator


def timed(
    scene: Scene, enough: Callable[[list[Timed]], bool], path: Path, patch: pytest.MonkeyPatch, most: int = 2000
) -> list[Timed]:
    """The moves that a spectator sees at one table after another, until there are enough. most: tables."""
    loop = VirtualLoop()
    searching = Searching(loop, patch)
    patch.setattr(rooms, "time", SimpleNamespace(monotonic=loop.time, perf_counter=loop.time))
    patch.setattr(rooms, "now", lambda: BEGAN + round(1000 * loop.time()))
    seen: list[Timed] = []

    async def play() -> None:
        store = Store(f"sqlite:///{path / 'virtual.db'}")
        done: Future[None] = Future()
        done.set_result(None)
        patch.setattr(store, "append", lambda write: done)
        hall = build(store, scene.settings).hall
        try:
            for number in range(most):
                patch.setattr(live, "SECRET", f"{number:064x}")
                room = hall._enter(scene.make().table, "ABCDEF")
                seen.extend(await watched(hall, room, number))
                await room.close()
                if enough(seen):
                    return
            raise AssertionError("too few moves")
        finally:
            hall.thinking.bots.close()
            store.close()

    async def watched(hall: Hall, room: Room, number: int) -> list[Timed]:
        marks: Marks = {}
        follow(room, marks, searching)
        spectator = Spectator(loop, marks)
        peers: list[Peer] = [spectator, *(Regular(owner, room) for owner in scene.regulars)]
        for peer in peers:
            room.hello(peer, 0)
        while room.table.stage != "over" and not enough(seen + spectator.seen):
            await asyncio.sleep(300.0)
            assert room in hall.rooms.values(), "the table is broken: see the log"
        return spectator.seen

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play())
    return seen


def follow(room: Room, marks: Marks, searching: Any) -> None:
    """Note what each move of a room is that everybody sees. searching: what has `worked`, as `Searching`."""
    write = room.write
    hidden, ruled, worked = 0, 0, 0.0

    async def noted(event: ev.Event, command: ev.Numbered | None = None) -> None:
        nonlocal hidden, ruled, worked
        single = isinstance(event, ev.Moved) and len(room.table.views[event.seat].legal) == 1
        await write(event, command)
        if not isinstance(event, ev.Moved):
            return
        if number := room.table.happenings[-1].numbers[room.table.spectator]:
            done = searching.worked - worked
            marks[number] = Mark(event.move, event.by, event.seat, single, hidden, ruled, done)
            hidden, ruled, worked = 0, 0, searching.worked
        else:
            hidden, ruled = hidden + 1, ruled + (event.by == "rules")

    room.write = noted  # type: ignore[method-assign]
