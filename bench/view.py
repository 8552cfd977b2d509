"""How long it takes to build one viewer's view of a table and to encode it for the wire: at most 0.3 ms.

    python bench/view.py            # every game, compiled
    python bench/view.py fan-tan    # some

A table is played by bots; after each move the views of all viewers are built from the state (redacted, drawn as zones,
with the legal moves) and the message is encoded, as a server does. The figure is the processor time for one viewer.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

from memory import Folded

from cardtable.rules.catalog import games

BAR = 0.3  #: milliseconds
MOVES = 60
AGAIN = 10  #: how often each is built, because reading the clock takes time, too


def measured(game: str) -> dict[str, Any]:
    """The times for a game: milliseconds for one viewer, and bytes of a message."""
    played = Folded(game, 0)
    viewers = range(len(played.owners) + 1)  # one is a spectator
    messages: list[str] = []
    times: list[float] = []
    sizes: list[int] = []
    while len(times) < MOVES and played.move():
        began = time.thread_time()
        for _ in range(AGAIN):
            played.table._look(False)
            messages = [played.sent(viewer) for viewer in viewers]
        times.append((time.thread_time() - began) / len(viewers) / AGAIN * 1000)
        sizes += [len(text) for text in messages]
    half = sorted(times[len(times) // 10 :])
    figures = {"median_ms": round(statistics.median(half), 3), "p90_ms": round(half[int(0.9 * len(half))], 3)}
    return {"game": game} | figures | {"bytes": round(statistics.mean(sizes))}


def main() -> None:
    """The command line."""
    results = [measured(game) for game in sys.argv[1:] or games()]
    print(*map(json.dumps, results), sep="\n")
    sys.exit(any(line["median_ms"] > BAR for line in results))


if __name__ == "__main__":
    main()
