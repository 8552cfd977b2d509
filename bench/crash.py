"""Kill a server with SIGKILL at random moments while people play, restart it, and check that nothing acknowledged was
lost.

    python bench/crash.py --kills 20                                       over SQLite
    python bench/crash.py --kills 20 --database postgresql+psycopg://...   over PostgreSQL, in databases made for it

Every client notes each move that the server acknowledged. The log must have exactly these, in order, each once, and
every match must be over with the same result for all its players. A part is `--part` kills over one database;
after each part a line of JSON has their totals.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.client import Client, ServerError, TableClient

GAMES = (("busca", 3), ("cassino", 2), ("oh-hell", 3))
#: how what comes too late is refused
LATE = ("move/stale", "move/turn", "match/over", "table/stage", "table/ready", "match/deal")
BAD = ("lost", "doubled", "unfinished", "disagreeing")  #: of which there must be none
COUNTED = ("kills", "tables", "acknowledged", *BAD)


@dataclass
class Outcome:
    """The result of a part."""

    kills: int = 0
    tables: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    unfinished: int = 0
    disagreeing: int = 0
    connections: int = 0
    seated: int = 0  #: how often two people sat down at a table
    seconds: float = 0.0
    restarts: list[float] = field(default_factory=list)  #: seconds from the kill until the server listens again


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def serve_at(port: int, database: str, settings: dict[str, Any]) -> None:
    """Be a server."""
    from cardtable.server.net.listening import listen
    from cardtable.server.one_process import serve
    from cardtable.server.settings import Settings

    quick: dict[str, Any] = {"bot_pace": 0.0, "absence": 5.0, "compile_behind": False}
    serve(listen("127.0.0.1", port), database, settings=Settings(**quick | settings))


class Mortal:
    """A server process that is killed and restarted at the same port, with the same database."""

    def __init__(self, database: str, settings: dict[str, Any] | None = None) -> None:
        self.database, self.port = database, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = settings or {}
        words = ["--serve", str(self.port), database, "--settings", json.dumps(self.settings)]
        self._command = [sys.executable, __file__, *words]
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> float:
        """Start; return the seconds until it listens."""
        began = time.perf_counter()
        self._process = await asyncio.create_subprocess_exec(*self._command)
        while not await self.listens():
            assert time.perf_counter() - began < 60.0, "the server did not start"
            await asyncio.sleep(0.01)
        return time.perf_counter() - began

    async def listens(self) -> bool:
        """Whether it takes connections."""
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.close()
            return True
        return False

    def _about(self) -> Path:
        assert self._process
        return Path(f"/proc/{self._process.pid}")

    def worked(self) -> float:
        """Seconds of processor time that this server has used (Linux)."""
        fields = (self._about() / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> int:
        """KiB of memory that this server takes now (Linux)."""
        lines = (self._about() / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])

    async def kill(self) -> None:
        """Kill it with SIGKILL, which leaves it no time to do anything."""
        assert self._process
        self._process.kill()
        await self._process.wait()


async def play(
    table: TableClient,
    noted: list[str],
    rng: random.Random,
    most: int,
    allowed: str = "",
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play a seat to the end, noting each acknowledged move; resign after `most`, or when it is `enough`. allowed: a
    refusal that may come, besides LATE.
    """
    async for _ in table.states():
        try:
            if table.legal and (len(noted) >= most or enough()):
                await table.command("resign")
            elif table.legal:
                move = rng.choice(table.legal)
                await table.move(move)
                noted.append(move)
            elif table.stage == "between" and "ready" in table.table["may"]:
                await table.command("ready")
        except ServerError as error:
            if error.code not in (*LATE, allowed):
                raise


Noted = tuple[str, dict[int, list[str]]]  #: a table's id, and the moves acknowledged to each seat


async def one_table(
    url: str, number: int, most: int, outcome: Outcome, noted: dict[int, list[str]], enough: Callable[[], bool]
) -> str:
    """Let two people (and a bot, if the game is for three) play a match; return its id. noted: filled with the moves
    acknowledged to each seat.
    """
    game, seats = GAMES[number % len(GAMES)]
    rng = random.Random(number)
    people = [Client(url), Client(url)]
    made: dict[str, Any] = {}
    while not made:
        try:
            for person in people:
                await person.__aenter__()
            made = await people[0].make(game, name="Ann", seats=seats, bots=["", "", "medium"][:seats])
        except (OSError, ServerError):
            await asyncio.sleep(0.05)
    async with people[0].table(made["id"]) as a, people[1].table(made["id"]) as b:
        if b.seat is None:
            with contextlib.suppress(ServerError):  # the host did not sit down: the server was killed before
                await b.sit("Ben")
        if a.seat is None:
            await a.sit("Ann")
        outcome.seated += 1
        await asyncio.gather(*(play(t, noted[t.seat or 0], rng, most, enough=enough) for t in (a, b)))
        assert a.view
        assert b.view
        outcome.disagreeing += a.view["scores"] != b.view["scores"]
        outcome.connections += a.connections + b.connections
    return str(made["id"])


async def places(
    url: str,
    first: int,
    step: int,
    most: int,
    outcome: Outcome,
    enough: asyncio.Event,
    running: list[dict[int, list[str]]],
) -> list[Noted]:
    """Let two people play one table after the other, until it is enough."""
    played, number = [], first
    while not enough.is_set():
        noted: dict[int, list[str]] = {0: [], 1: []}
        running.append(noted)
        played.append((await one_table(url, number, most, outcome, noted, enough.is_set), noted))
        number += step
    return played


async def run(
    tables: int,
    kills: int,
    directory: Path,
    every: tuple[float, float] = (0.5, 2.0),
    most: int = 60,
    seed: int = 1,
    database: str = "",
    least: int = 0,
) -> Outcome:
    """Play at a number of tables at a time, and kill the server `kills` times, and more often until at least this
    number of moves has been acknowledged: each time after some moves since its start, and then a number of seconds in
    the range `every` later.

    database: the URL of an empty one; "": an SQLite file in the directory.
    """
    outcome, rng, began = Outcome(), random.Random(seed), time.perf_counter()
    settings = {"beat": 0.0}  # more moves between two kills
    server = Mortal(database or f"sqlite:///{directory / 'crash.db'}", settings)
    enough = asyncio.Event()
    running: list[dict[int, list[str]]] = []

    def acknowledged() -> int:
        return sum(len(moves) for noted in running for moves in noted.values())

    await server.start()
    together = asyncio.gather(
        *(places(server.url, seed * 1000 + k, tables, most, outcome, enough, running) for k in range(tables))
    )
    try:
        while outcome.seated < tables and not together.done():
            await asyncio.sleep(0.02)
        while (outcome.kills < kills or acknowledged() < least) and not together.done():
            before = acknowledged()
            while acknowledged() == before and not together.done():
                await asyncio.sleep(0.01)
            await asyncio.wait([together], timeout=rng.uniform(*every))
            await server.kill()
            outcome.kills += 1
            outcome.restarts.append(await server.start())
        enough.set()
        played = [table for place in await together for table in place]
    finally:
        together.cancel()
        await server.kill()
    judge(server.database, played, outcome)
    outcome.seconds = time.perf_counter() - began
    return outcome


def judge(database: str, played: list[Noted], outcome: Outcome) -> None:
    """Compare what was acknowledged with the log."""
    from cardtable.server.store.store import Store
    from cardtable.table import LiveTable
    from cardtable.table.events import Moved

    store = Store(database)
    outcome.tables = len(played)
    for table, noted in played:
        log = store.log(table)
        outcome.unfinished += LiveTable.fold(log).stage != "over"
        for seat, moves in noted.items():
            matched, logged = 0, 0
            for entry in log:
                if isinstance(entry.event, Moved) and entry.event.seat == seat and entry.event.by == "person":
                    logged += 1
                    matched += int(matched < len(moves) and entry.event.move == moves[matched])
            outcome.acknowledged += len(moves)
            outcome.lost += len(moves) - matched
            outcome.doubled += logged - matched
    store.close()


@contextlib.contextmanager
def empty_database(url: str, directory: Path) -> Iterator[str]:
    """A database for one part: a file, or one at the PostgreSQL server of a URL, dropped afterwards."""
    if not url:
        yield f"sqlite:///{directory / 'crash.db'}"
        return
    import sqlalchemy as sa

    name = f"crash_{os.getpid()}"
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield sa.make_url(url).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def summary(parts: list[Outcome]) -> dict[str, Any]:
    """The totals of the parts."""
    restarts = [seconds for part in parts for seconds in part.restarts]
    times = {"restart_median": round(statistics.median(restarts), 2), "restart_longest": round(max(restarts), 2)}
    counts = {name: sum(getattr(part, name) for part in parts) for name in COUNTED}
    return {"parts": len(parts), **counts, "minutes": round(sum(part.seconds for part in parts) / 60, 1), **times}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--tables", type=int, default=8, help="played at a time")
    parser.add_argument("--part", type=int, default=50, help="kills over one database")
    parser.add_argument("--every", type=float, nargs=2, default=(0.0, 0.6), metavar=("LEAST", "MOST"))
    parser.add_argument("--database", default="", help="URL of a PostgreSQL server, with a database that exists")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "DATABASE"), help=argparse.SUPPRESS)
    parser.add_argument("--settings", type=json.loads, default={}, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        return serve_at(int(given.serve[0]), given.serve[1], given.settings)
    parts: list[Outcome] = []
    for done in range(0, given.kills, given.part):
        with tempfile.TemporaryDirectory() as place, empty_database(given.database, Path(place)) as database:
            kills, every = min(given.part, given.kills - done), (given.every[0], given.every[1])
            ran = run(given.tables, kills, Path(place), every, seed=done + 1, database=database)
            parts.append(asyncio.run(ran))
        print(json.dumps(summary(parts)), flush=True)
        if any(getattr(parts[-1], name) for name in BAD):
            sys.exit(1)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).resolve().parent.parent))
    main()
