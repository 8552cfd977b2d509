"""What does a move cost when several processes share a PostgreSQL database?

    python bench/processes.py postgresql+psycopg:///cardtable_bench            # 1, 2 and 4 processes, in turns
    python bench/processes.py URL --tables 200 --seconds 20 --processes 1 2 --rounds 3
    python bench/processes.py URL --tables 250 --each                          # the same load for each process

The database should be an empty one, and its server one that nobody else uses. The clients of bench/load.py play
through the processes of `cardtable serve --processes N`, connecting to whichever accepts them; half of the connections
or more reach a process that does not have their table, and are passed on. Told are the processor time of all processes
and of the database's server for a move, and how many transactions it committed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from crash import free_port
from load import run

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def time_of(pid: int) -> float:
    """Seconds of processor time that a process has used, with those of its children that have ended (Linux)."""
    with contextlib.suppress(FileNotFoundError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15]) / TICKS
    return 0.0


def children(pid: int) -> list[int]:
    """The processes that a process has started (Linux)."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(place.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(place.parent.name))
    return found


class Together:
    """The processes of `cardtable serve --processes N`."""

    def __init__(self, database: str, processes: int, data: Path) -> None:
        self.database, self._processes, self._data = database, processes, data
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "cardtable", "serve", "--port", str(port), "--no-browser"]
        self._started: subprocess.Popen[bytes] | None = None

    async def start(self) -> float:
        """Start them; return the seconds until they answer."""
        began = time.perf_counter()
        more = ["--database", self.database, "--processes", str(self._processes)]
        given = os.environ | {"CARDTABLE_DATA": str(self._data), "CARDTABLE_SERVER_MOST_SOCKETS": "5000"}
        self._started = subprocess.Popen([*self._command, *more], cwd=ROOT, stdout=subprocess.PIPE, env=given)
        assert self._started.stdout is not None
        line = await asyncio.to_thread(self._started.stdout.readline)
        assert b"Cardtable is at" in line, line
        return time.perf_counter() - began

    def worked(self) -> float:
        """Seconds of processor time that all of them have used."""
        assert self._started is not None
        return sum(time_of(pid) for pid in (self._started.pid, *children(self._started.pid)))

    async def kill(self) -> None:
        """End them."""
        assert self._started is not None
        self._started.send_signal(signal.SIGTERM)
        await asyncio.to_thread(self._started.wait)
        assert self._started.stdout is not None
        self._started.stdout.close()


class Database:
    """PostgreSQL's own figures."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)

    def commits(self) -> int:
        """How many transactions it has committed in this database."""
        with self._engine.connect() as connection:
            connection.execute(sa.text("SELECT pg_stat_force_next_flush()"))
        return self._asked("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")

    def _asked(self, query: str) -> int:
        with self._engine.connect() as connection:
            return int(connection.execute(sa.text(query)).scalar_one())

    def worked(self) -> float:
        """Seconds of processor time that its processes on this machine have used; those of ended ones are counted."""
        with self._engine.connect() as connection, contextlib.suppress(OSError):
            own = int(connection.execute(sa.text("SELECT pg_backend_pid()")).scalar_one())
            main = int(Path(f"/proc/{own}/stat").read_text().rpartition(")")[2].split()[1])
            return sum(time_of(pid) for pid in (main, *children(main)))
        return 0.0


async def measured(url: str, processes: int, tables: int, every: float, seconds: float) -> dict[str, Any]:
    """The figures of one run."""
    database = Database(url)
    with tempfile.TemporaryDirectory() as data:
        server = Together(url, processes, Path(data))
        before = database.worked(), database.commits()
        told = await run(tables, every, seconds, server)
        worked, commits = database.worked() - before[0], database.commits() - before[1]
    told["database_ms_per_move"] = round(1000 * worked / max(told["moves"], 1), 2)
    told["commits_per_move"] = round(commits / max(told["moves"], 1), 2)
    return told | {"processes": processes}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--every", type=float, default=1.5)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", action="store_true", help="so many tables for each process, not for all together")
    given = parser.parse_args()
    cost: dict[int, list[float]] = {n: [] for n in given.processes}
    for _ in range(given.rounds):
        for n in given.processes:
            tables = given.tables * n if given.each else given.tables
            told = asyncio.run(measured(given.database, n, tables, given.every, given.seconds))
            told.pop("lag")
            print(json.dumps(told), flush=True)
            cost[n].append(told["server_ms_per_move"])
    first = statistics.median(cost[given.processes[0]])
    for n, found in cost.items():
        middle = statistics.median(found)
        print(f"{n} processes: {middle:.2f} ms a move ({middle / first:.2f} of {given.processes[0]})")


if __name__ == "__main__":
    main()
