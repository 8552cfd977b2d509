"""Thousands of connections that say nothing: do they disturb the people who play?

    python bench/silence.py                                       # 5,000 from ten addresses, 200 players
    python bench/silence.py --silent 300 --tables 10 --seconds 3

The server runs in a process of its own with its ordinary limits, which this machine is usually free of. First the
players move at 100 tables, each table's two from an address of their own; then another process opens the silent
connections from 127.0.0.2 to 127.0.0.11, and opens each again after a while when the server closes it. The bar is
100 ms from sending a move until a seat has its view (p99).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import heapq
import json
import os
import random
import resource
import selectors
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from crash import Mortal
from load import BAR, Figures, Loaded, part

ADDRESSES = 10
AGAIN = 5.0  #: seconds after which a connection that was closed is opened again, give or take half of it


def silence(
    port: int, many: int, seconds: float, enough: Callable[[dict[str, int]], bool] = lambda told: False
) -> dict[str, int]:
    """Keep so many silent connections open for a while, or until it is enough; return how often one was opened and
    closed by the server, and how many were open at the end.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    looking, ends = selectors.DefaultSelector(), time.monotonic() + seconds
    waiting = [(time.monotonic(), number) for number in range(many)]
    told = {"opened": 0, "closed": 0}
    while time.monotonic() < ends and not enough(told):
        while waiting and waiting[0][0] <= time.monotonic():
            number = heapq.heappop(waiting)[1]
            line = socket.socket()
            line.setblocking(False)
            line.bind((f"127.0.0.{2 + number % ADDRESSES}", 0))
            line.connect_ex(("127.0.0.1", port))
            looking.register(line, selectors.EVENT_READ, number)
            told["opened"] += 1
        for key, _ in looking.select(0.05):
            line = key.fileobj  # type: ignore[assignment]
            looking.unregister(line)
            line.close()
            told["closed"] += 1
            heapq.heappush(waiting, (time.monotonic() + AGAIN * random.uniform(0.5, 1.5), key.data))
    left = [key.fileobj for key in looking.get_map().values()]
    for still in left:
        still.close()  # type: ignore[union-attr]
    looking.close()
    return told | {"open": len(left)}


async def run(tables: int, silent: int, seconds: float, directory: Path, every: float = 1.0) -> dict[str, Any]:
    """Play without and with silent connections; return the figures."""
    server = Mortal(f"sqlite:///{directory / 'silence.db'}", settings={"loopback_is_free": False})
    await server.start()
    figures, gate = Figures(), asyncio.Semaphore(8)
    tasks: list[asyncio.Task[None]] = []
    loaded = [Loaded(number, f"127.0.{1 + number // 250}.{1 + number % 250}") for number in range(tables)]
    told: dict[str, Any] = {"tables": tables, "silent": silent, "seconds": seconds}

    async def play(name: str) -> None:
        figures.seen.clear()
        moves, worked = figures.moves, server.worked()
        until = time.perf_counter() + seconds
        await asyncio.gather(*(table.play(every, until) for table in loaded))
        settled = time.perf_counter() + 30.0
        while any(table.mover for table in loaded) and time.perf_counter() < settled:
            await asyncio.sleep(0.05)
        told[name] = {
            "moves": figures.moves - moves,
            "seen_p50_ms": part(figures.seen, 0.5),
            "seen_p99_ms": part(figures.seen, 0.99),
            "server_s": round(server.worked() - worked, 2),
        }

    try:
        await asyncio.gather(*(table.open(server.url, gate, figures, tasks) for table in loaded))
        gc.freeze()  # the clients' garbage collection must not count
        await play("alone")
        order = [sys.executable, __file__, "--hold", str(server.port), str(silent), str(seconds + 3.0)]
        holding = await asyncio.create_subprocess_exec(*order, stdout=asyncio.subprocess.PIPE)
        await asyncio.sleep(1.0)  # until most are open
        await play("beside")
        told["silence"] = json.loads((await holding.communicate())[0])
        told["refused"] = figures.refused
        told["unanswered"] = sum(table.mover is not None for table in loaded)
        told["lost"] = sum(task.done() for task in tasks)  # sockets of players that were closed
    finally:
        for task in tasks:
            task.cancel()
        with contextlib.suppress(ProcessLookupError):
            await server.kill()
    return told


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--silent", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--hold", nargs=3, metavar=("PORT", "MANY", "SECONDS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.hold:
        print(json.dumps(silence(int(given.hold[0]), int(given.hold[1]), float(given.hold[2]))))
        return
    with tempfile.TemporaryDirectory() as directory:
        told = asyncio.run(run(given.tables, given.silent, given.seconds, Path(directory)))
    print(json.dumps(told, indent=2))
    sys.exit(bool(told["unanswered"] or told["lost"] or told["beside"]["seen_p99_ms"] > BAR))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).resolve().parent.parent))
    main()
