"""A hundred tables of three `search` bots: how long does a bot take, and how late is the server's loop?

    python bench/bots_load.py                        # 100 tables, 30 s
    python bench/bots_load.py --tables 20 --seconds 10

The server runs in a process of its own; one spectator watches each table, so that the bots play. The figures are the
server's own (`/metrics`): at most 3 s for a bot's decision, waiting included, and 50 ms of lag of the loop (p99).
Games must be compiled beforehand (`cardtable warm --all`); otherwise bots play the heuristic.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from crash import Mortal

from cardtable.client import Client, Table

GAMES = ("busca", "fan-tan", "oh-hell", "crazy-eights")
BOTS: dict[str, Any] = {"seats": 3, "bots": ["search"] * 3}


def quantile(metrics: str, name: str, share: float) -> float:
    """The upper bound of a histogram's bucket in which a quantile lies, in seconds."""
    buckets = [
        (float(le), float(n)) for le, n in re.findall(rf'^{name}_bucket{{le="([^"]+)"}} (\S+)$', metrics, re.MULTILINE)
    ]
    whole = buckets[-1][1] if buckets else 0.0
    return next((le for le, n in buckets if whole and n >= share * whole), 0.0)


def count(metrics: str, name: str) -> int:
    """The number of observations in a histogram."""
    found = re.search(rf"^{name}_count (\S+)$", metrics, re.MULTILINE)
    return int(float(found[1])) if found else 0


async def run(tables: int, seconds: float, directory: Path) -> dict[str, Any]:
    """Let bots play; return what the server counted."""
    server = Mortal(f"sqlite:///{directory / 'bots.db'}")
    await server.start()
    client = Client(server.url)
    looking: list[Table] = []
    try:
        for number in range(tables):
            made = await client.make(GAMES[number % len(GAMES)], sit=False, **BOTS)
            table = client.table(made["id"])
            await table.__aenter__()
            looking.append(table)
        await asyncio.sleep(seconds)
        metrics = str(await client.get("/metrics"))
    finally:
        for table in looking:
            await table.__aexit__(None, None, None)
        await server.kill()
    return {
        "tables": tables,
        "seconds": seconds,
        "decisions": count(metrics, "cardtable_bot_seconds"),
        "bot_p50_s": quantile(metrics, "cardtable_bot_seconds", 0.5),
        "bot_p99_s": quantile(metrics, "cardtable_bot_seconds", 0.99),
        "bot_most_s": quantile(metrics, "cardtable_bot_seconds", 1.0),
        "lag_p50_ms": 1000 * quantile(metrics, "cardtable_loop_lag_seconds", 0.5),
        "lag_p99_ms": 1000 * quantile(metrics, "cardtable_loop_lag_seconds", 0.99),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        told = asyncio.run(run(given.tables, given.seconds, Path(directory)))
    print(json.dumps(told, indent=2))
    sys.exit(told["bot_most_s"] > 3.0 or told["lag_p99_ms"] > 50.0)


if __name__ == "__main__":
    main()
