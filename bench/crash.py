"""Kill a server with SIGKILL at random moments while people play, restart it, and check that nothing acknowledged was
lost.

    python bench/crash.py --tables 200 --kills 20

Every client notes each move that the server acknowledged. At the end the log must have exactly these, in order, each
once, and every match must be over with the same result for all its players.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cardtable.client import Client, ServerError, Table

GAMES = (("busca", 3), ("cassino", 2), ("oh-hell", 3))
LATE = (
    "move/stale",
    "move/turn",
    "match/over",
    "table/stage",
    "table/ready",
    "match/deal",
)  #: how what comes too late is refused


@dataclass
class Outcome:
    """The result of a run."""

    tables: int
    kills: int
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    unfinished: int = 0
    disagreeing: int = 0
    connections: int = 0
    seated: int = 0  #: tables with all seats taken
    seconds: float = 0.0
    restarts: list[float] = field(default_factory=list)  #: seconds from the kill until the server listens again


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Mortal:
    """A server process that is killed and restarted at the same port, with the same database."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> float:
        """Start; return the seconds until it listens."""
        began = time.perf_counter()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--serve", str(self.port), self.database
        )
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return time.perf_counter() - began
            assert self._process.returncode is None, "the server did not start"
            await asyncio.sleep(0.02)

    def worked(self) -> float:
        """Seconds of processor time that this server has used (Linux)."""
        assert self._process
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def kill(self) -> None:
        """Kill it with SIGKILL, which leaves it no time to do anything."""
        assert self._process
        self._process.kill()
        await self._process.wait()


async def play(table: Table, noted: list[str], rng: random.Random, most: int, allowed: str = "server/storage") -> None:
    """Play a seat to the end, noting each acknowledged move; resign after `most`. allowed: a refusal that may come,
    besides LATE.
    """
    async for _ in table.states():
        try:
            if table.legal and len(noted) >= most:
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


async def one_table(url: str, number: int, most: int, outcome: Outcome) -> tuple[str, dict[int, list[str]]]:
    """Let two people (and a bot, if the game is for three) play a match; return its id, and the moves acknowledged to
    each seat.
    """
    game, seats = GAMES[number % len(GAMES)]
    rng = random.Random(number)
    noted: dict[int, list[str]] = {0: [], 1: []}
    people = [Client(url), Client(url)]
    made: dict[str, Any] = {}
    while not made:
        with contextlib.suppress(OSError):
            for person in people:
                await person.__aenter__()
            made = await people[0].make(game, name="Ann", seats=seats, bots=["", "", "simple"][:seats])
    async with people[0].table(made["id"]) as a, people[1].table(made["id"]) as b:
        if b.seat is None:
            await b.sit("Ben")
        outcome.seated += 1
        while outcome.seated < outcome.tables:  # nobody must finish before the first kill
            await asyncio.sleep(0.02)
        await asyncio.gather(play(a, noted[0], rng, most), play(b, noted[1], rng, most))
        assert a.view
        assert b.view
        outcome.disagreeing += a.view["scores"] != b.view["scores"]
        outcome.connections += a.connections + b.connections
    return made["id"], noted


async def run(
    tables: int, kills: int, directory: Path, every: tuple[float, float] = (0.5, 2.0), most: int = 60, seed: int = 1
) -> Outcome:
    """Play at all tables, and kill the server `kills` times, each time a number of seconds in the range `every` after
    its last start.
    """
    outcome, rng, began = Outcome(tables, 0), random.Random(seed), time.perf_counter()
    server = Mortal(f"sqlite:///{directory / 'crash.db'}")
    await server.start()
    players = [asyncio.create_task(one_table(server.url, k, most, outcome)) for k in range(tables)]
    together = asyncio.gather(*players)
    try:
        while outcome.seated < tables and not together.done():
            await asyncio.sleep(0.02)
        while outcome.kills < kills and not together.done():
            await asyncio.wait([together], timeout=rng.uniform(*every))
            await server.kill()
            outcome.restarts.append(await server.start())
            outcome.kills += 1
        played = await together
    finally:
        together.cancel()
        await server.kill()
    judge(server.database, played, outcome)
    outcome.seconds = time.perf_counter() - began
    return outcome


def judge(database: str, played: list[tuple[str, dict[int, list[str]]]], outcome: Outcome) -> None:
    """Compare what was acknowledged with the log."""
    from cardtable.server.store import Store
    from cardtable.table import LiveTable
    from cardtable.table.events import Moved

    store = Store(database)
    for table, noted in played:
        log = store.log(table)
        outcome.unfinished += LiveTable.fold(log).stage != "over"
        for seat, moves in noted.items():
            kept = [
                entry.event.move
                for entry in log
                if isinstance(entry.event, Moved) and entry.event.seat == seat and entry.event.by == "person"
            ]
            outcome.acknowledged += len(moves)
            outcome.lost += max(0, len(moves) - len(kept)) + (kept[: len(moves)] != moves and len(kept) == len(moves))
            outcome.doubled += max(0, len(kept) - len(moves))
    store.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "DATABASE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        from cardtable.server import listen, serve
        from cardtable.server.settings import Settings

        serve(
            listen("127.0.0.1", int(given.serve[0])),
            given.serve[1],
            settings=Settings(bot_pace=0.0, absence=5.0, compile_behind=False),
        )
        return
    with tempfile.TemporaryDirectory() as directory:
        outcome = asyncio.run(run(given.tables, given.kills, Path(directory)))
    print(json.dumps(asdict(outcome), indent=2))
    bad = outcome.lost + outcome.doubled + outcome.unfinished + outcome.disagreeing
    sys.exit(1 if bad or outcome.kills < given.kills else 0)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).resolve().parent.parent))
    main()
