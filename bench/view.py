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

from cardtable.bots import bot
from cardtable.rules.catalog import find, games
from cardtable.server.rooms import wire
from cardtable.table import Entry, LiveTable, Setup, due, projection
from cardtable.table import events as ev
from cardtable.table.setup import checked

BAR = 0.3  #: milliseconds
MOVES = 60
AGAIN = 10  #: how often each is built, because reading the clock takes time, too


def message(table: LiveTable, viewer: int) -> str:
    """The message that a viewer is sent after a move."""
    last = [
        projection.happening_seen(table, happening, viewer)
        for happening in table.happenings[-1:]
        if happening.numbers[viewer]
    ]
    owner = f"p{viewer}"
    return wire.text(
        wire.State(
            table.numbers[viewer],
            1,
            last,
            projection.table_seen(table, owner, {owner}),
            projection.view_seen(table, viewer),
        )
    )


def measured(game: str) -> dict[str, Any]:
    """The times for a game: milliseconds for one viewer, and bytes of a message."""
    table, version = LiveTable(), 0
    setup = checked(Setup(game))
    seats = setup.seats or 2

    def happen(event: ev.Event) -> None:
        nonlocal version
        version += 1
        table.apply(Entry(version, 1000 * version, event))
        while follows := due(table, 10**12 if table.stage == "between" else 0):
            version += 1
            table.apply(Entry(version, 1000 * version, follows))

    happen(ev.Created("T", setup, "p0", "5a" * 32, find(game).version))
    for seat in range(seats):
        happen(ev.Sat(seat, f"p{seat}", f"Player {seat}", "x"))
    told: list[str] = []
    times, sizes, player = [], [], bot("simple", 1)
    for _ in range(MOVES):
        if table.stage != "playing" or table.match is None:
            break
        seat = table.match.actors[0]
        happen(ev.Moved(seat, player.choose(table.views[seat])))
        viewers = range(seats + 1)
        began = time.thread_time()
        for _ in range(AGAIN):
            table._look(False)
            told = [message(table, viewer) for viewer in viewers]
        times.append((time.thread_time() - began) / len(viewers) / AGAIN * 1000)
        sizes += [len(text) for text in told]
    half = times[len(times) // 10 :]
    return {
        "game": game,
        "median_ms": round(statistics.median(half), 3),
        "p90_ms": round(sorted(half)[int(0.9 * len(half))], 3),
        "bytes": round(statistics.mean(sizes)),
    }


def main() -> None:
    """The command line."""
    told = [measured(game) for game in sys.argv[1:] or games()]
    for line in told:
        print(json.dumps(line))
    sys.exit(any(line["median_ms"] > BAR for line in told))


if __name__ == "__main__":
    main()
