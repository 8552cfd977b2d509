"""What it costs a server's process that its bots think in a pool: at most 0.3 ms of its loop's processor time for an
answer more than in threads of its own.

    python bench/pool.py               # Oh Hell!, 400 answers in turns with and without a pool
    python bench/pool.py spider 1000

Bots answer one after another. The first figure is the processor time of the thread that has the server's event loop,
so what the search itself takes does not count; the second that of the whole process. Games must be compiled beforehand
(`cardtable warm --all`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cardtable import Match, bot
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import Bots, SearchPool
from cardtable.server.thinking.pool_link import Link, PooledBots
from cardtable.server.thinking.pool_wire import start
from cardtable.views.view import View

BAR = 0.3  #: milliseconds
THINK = 0.005  #: seconds for each answer
ROUND = 20  #: answers in a turn


def looked_at(game: str) -> View:
    """A view with a choice."""
    m = Match(game, seed=3)
    while len(m.view(m.actors[0]).legal) < 2:
        m.play(bot("simple", 1).choose(m.view(m.actors[0])))
    return m.view(m.actors[0])


async def cost(bots: Bots, view: View, answers: int) -> tuple[float, float]:
    """Milliseconds of processor time for an answer: of this thread, and of the whole process."""
    thread, process = time.thread_time(), time.process_time()
    for number in range(answers):
        await bots.think(view, str(number), THINK)
    return (time.thread_time() - thread) / answers * 1000, (time.process_time() - process) / answers * 1000


async def run(game: str, answers: int, settings: Settings) -> dict[str, Any]:
    """Both costs, measured in turns."""
    view, link = looked_at(game), Link(settings)
    own, pooled = SearchPool(settings), PooledBots(link, settings)
    ways: dict[str, Bots] = {"own": own, "pool": pooled}
    for bots in ways.values():
        await cost(bots, view, ROUND)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(max(1, answers // ROUND)):
        for name, bots in ways.items():
            found[name].append(await cost(bots, view, ROUND))
    own.close()
    link.close()
    loop, whole = ({name: statistics.median(one[k] for one in each) for name, each in found.items()} for k in (0, 1))
    more = {"more_ms": round(loop["pool"] - loop["own"], 3), "ratio": round(loop["pool"] / loop["own"], 2)}
    rounded = ({name: round(ms, 3) for name, ms in each.items()} for each in (loop, whole))
    times = dict(zip(("loop_ms", "process_ms"), rounded, strict=True))
    return {"game": game, "bytes": len(view.state.tobytes())} | times | more


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="oh-hell")
    parser.add_argument("answers", nargs="?", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pool-") as directory:
        settings = Settings(pool=str(Path(directory) / "pool"))
        with start(Path(settings.pool), settings) as process:
            while not Path(settings.pool).exists():
                time.sleep(0.05)
            told = asyncio.run(run(given.game, given.answers, settings))
            process.terminate()
    print(json.dumps(told))
    sys.exit(told["more_ms"] > BAR)


if __name__ == "__main__":
    main()
