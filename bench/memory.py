"""How much memory live tables take.

    python bench/memory.py fold                     # every game, without a network: bytes of a table as it is folded
    python bench/memory.py fold fan-tan --holders   # one game, with the lines that allocated the most
    python bench/memory.py served                   # a server: KiB of a table that two people play at
    python bench/memory.py begun                    # a server: MiB of 20,000 begun tables that nobody is connected to

`fold`: tables are played by bots, and two people are sent their views after each move, as a server does. The bytes are
the bytes that Python and NumPy have allocated for a table (tracemalloc), after a collection of garbage, and without the
interpreter's cache of attributes that were looked up: its size depends on the Python, not on the tables.

`served` and `begun`: the server runs in a separate process; the figures are its resident memory (Linux). That of a
table with two connections is the difference between two numbers of tables, so that the program itself does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

from crash import Mortal
from load import Figures, Loaded

from cardtable.bots import bot
from cardtable.rules.catalog import find, games
from cardtable.server.rooms import wire
from cardtable.table import Entry, LiveTable, Setup, due, projection
from cardtable.table import events as ev
from cardtable.table.setup import checked

TABLES = 12  #: of which the mean is taken
BAR_TABLE = 60  #: KiB of a table with two connections
BAR_BEGUN = 1024  #: MiB of 20,000 begun tables


class Folded:
    """A table that bots play and that two people look at, as a server holds it."""

    def __init__(self, game: str, number: int, seats: int | None = None) -> None:
        """Begin a match at a table. seats: None for the game's default."""
        setup = checked(Setup(game, seats=seats))
        self.table = LiveTable()
        self._version = 0
        self._player = bot("medium", 1)
        self.owners = [f"{number:032}{seat:032}" for seat in range(setup.seats or 2)]
        secret, version = f"{number:064}", find(game).version
        self._happen(ev.Created(f"T{number:015}", setup, self.owners[0], secret, version, stepwise=True))
        for seat, owner in enumerate(self.owners):
            self._happen(ev.Sat(seat, owner, f"Player {seat}", ""))
        self._happen(ev.Started())

    def _happen(self, event: ev.Event) -> None:
        self._version += 1
        self.table.apply(Entry(self._version, 1000 * self._version, event))
        while follows := due(self.table, 10**12 if self.table.stage == "between" else 0, 0):
            self._version += 1
            self.table.apply(Entry(self._version, 1000 * self._version, follows))

    def move(self) -> bool:
        """Play one move, if the match is not over; whether it was played."""
        match = self.table.match
        if self.table.stage != "playing" or match is None:
            return False
        if self.table.real_time:
            self._happen(ev.Ticked((self.table.silence,) * match.seats))
        else:
            seat = match.actors[0]
            self._happen(ev.Moved(seat, self._player.choose(self.table.views[seat])))
        return True

    def play(self, moves: int) -> None:
        """Play moves, and send two people what they see after each."""
        for _ in range(moves):
            if not self.move():
                break
            for viewer in range(min(2, len(self.owners))):
                self.sent(viewer)
        self.table.views.forget()  # as a room does when it has nothing more to do

    def sent(self, viewer: int) -> str:
        """The message that a viewer is sent; one after the seats is a spectator."""
        table, owner = self.table, self.owners[viewer] if viewer < len(self.owners) else ""
        last = [projection.happening_seen(table, h, viewer) for h in table.happenings[-1:] if h.numbers[viewer]]
        shown = projection.table_seen(table, owner, {*self.owners})
        return wire.text(wire.State(table.numbers[viewer], 1, last, shown, projection.view_seen(table, viewer)))


def folded(game: str, moves: int, seats: int | None = None, tables: int = TABLES) -> tuple[int, Counter[str]]:
    """The bytes of a table after a number of moves, as the mean of some tables, and those allocated by each line."""
    for number in range(tables):  # the same tables once before: what all tables share is there then
        Folded(game, number, seats).play(moves)
    _clean()
    tracemalloc.start()
    try:
        before = tracemalloc.take_snapshot()
        held = []
        for number in range(tables):
            (one := Folded(game, number, seats)).play(moves)
            held.append(one.table)
        del one
        _clean()
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    lines: Counter[str] = Counter()
    for statistic in after.compare_to(before, "lineno"):
        frame = statistic.traceback[0]
        if frame.filename not in (__file__, tracemalloc.__file__):
            lines[f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno}"] += statistic.size_diff // len(held)
    return lines.total(), lines


def _clean() -> None:
    """Let go of garbage, and of the names of attributes in the interpreter's cache: Numba makes a string for each
    record that it is given, and the cache keeps up to 4,096 of them alive.
    """
    gc.collect()
    if sys.version_info >= (3, 13):
        sys._clear_internal_caches()
    else:
        sys._clear_type_cache()


# A server


class Watched:
    """A server with tables at which two people play, and its memory."""

    def __init__(self, directory: Path) -> None:
        self.server = Mortal(f"sqlite:///{directory / 'memory.db'}")
        self._gate = asyncio.Semaphore(8)
        self._figures = Figures()
        self._tasks: list[asyncio.Task[None]] = []
        self._number = 0

    async def __aenter__(self) -> Watched:
        await self.server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await self.server.kill()

    async def add(self, tables: int, moves: int) -> list[Loaded]:
        """Begin matches at more tables, and play some moves at each."""
        loaded = [Loaded(self._number + number) for number in range(tables)]
        self._number += tables
        await asyncio.gather(*(table.open(self.server.url, self._gate, self._figures, self._tasks) for table in loaded))
        await asyncio.gather(*(self._play(table, moves) for table in loaded))
        return loaded

    async def _play(self, table: Loaded, moves: int) -> None:
        for _ in range(moves):
            async with self._gate:
                for seat in table.seats:
                    if seat.state["view"]["legal"] and seat.state["table"]["stage"] == "playing":
                        table.mover, table.sent = seat, 1.0
                        move = table.rng.choice(seat.state["view"]["legal"])
                        await seat.command("move", move=move, at=seat.state["version"])
                        break
            while table.mover:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)  # forced moves follow

    async def resident(self) -> float:
        """MiB that the server takes once it has stopped growing."""
        last = 0
        while abs((now := self.server.resident()) - last) > 256:
            last = now
            await asyncio.sleep(2.5)
        return round(now / 1024, 1)


async def served(tables: int, moves: int) -> dict[str, Any]:
    """What a table takes at which two people are connected: the difference of two numbers of tables."""
    with tempfile.TemporaryDirectory() as directory:
        async with Watched(Path(directory)) as watched:
            await watched.add(tables // 4, moves)
            before = await watched.resident()
            await watched.add(tables - tables // 4, moves)
            after = await watched.resident()
    each = round((after - before) * 1024 / (tables - tables // 4), 1)
    figures = {"mib_before": before, "mib_after": after, "kib_for_a_table": each, "bar": BAR_TABLE}
    return {"tables": tables, "moves": moves} | figures


async def begun(tables: int, at_once: int = 250) -> dict[str, Any]:
    """What a server takes with begun tables that everybody has left."""
    with tempfile.TemporaryDirectory() as directory:
        async with Watched(Path(directory)) as watched:
            start = await watched.resident()
            for first in range(0, tables, at_once):
                loaded = await watched.add(min(at_once, tables - first), 0)
                for table in loaded:
                    for seat in table.seats:
                        await seat.socket.close()
            after = await watched.resident()
    return {"tables": tables, "mib_at_start": start, "mib": after, "bar": BAR_BEGUN}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fold", "served", "begun"))
    parser.add_argument("games", nargs="*", help="for `fold`; all if none are named")
    parser.add_argument("--seats", type=int, help="for `fold`; by default as many as the game has by default")
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--holders", action="store_true")
    parser.add_argument("--tables", type=int, help="by default 1,000 (`served`) or 20,000 (`begun`)")
    given = parser.parse_args()
    if given.what != "fold":
        most = min(given.moves, 10)
        result = asyncio.run(
            served(given.tables or 1000, most) if given.what == "served" else begun(given.tables or 20_000)
        )
        print(json.dumps(result, indent=2))
        sys.exit(result.get("kib_for_a_table", result.get("mib")) > result["bar"])
    for game in given.games or games():
        at_start, _ = folded(game, 0, given.seats)
        later, holders = folded(game, given.moves, given.seats)
        print(json.dumps({"game": game, "bytes_at_start": at_start, f"bytes_after_{given.moves}_moves": later}))
        for line, size in holders.most_common(20) if given.holders else ():
            print(f"  {size:8} {line}")


if __name__ == "__main__":
    main()
