"""Screen-reader announcements in the browser during a whole deal of every game: docs/announcements (needs Node).

    python tools/announcements.py [NAME ...]   write all files, or these

The person has seat 0 and moves by the game's rule of thumb, as the bots do. The deals are numbered, so they are the
same every time. The words are the client's own: tests/client/announcements.test.js puts each message of the server into
them, and compares what comes of it with the files, or writes them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cardtable.base.message import Message, Seat, as_data  # noqa: E402
from cardtable.rules.catalog import games  # noqa: E402
from cardtable.rules.game import Game  # noqa: E402
from cardtable.table.projection import happening_seen, table_seen, view_seen  # noqa: E402
from tests.support import node  # noqa: E402 - a script next to the package, which uses what the tests have
from tests.support.server.live import Driven  # noqa: E402

PLACE = ROOT / "docs" / "announcements"
MOST = 300  #: messages; the text of a long deal is cut before
#: house rules for matches that are short
SHORT: dict[str, dict[str, Any]] = {
    "crazy-eights": {"deals": 2},
    "i-doubt-it": {"deals": 2},
    "michigan": {"deals": 3},
    "pirate": {"stall": 60},
    "spider": {"move_cap": 100},
}


def presets() -> dict[str, tuple[Game, str]]:
    """The files: the game and the preset of each."""
    return {f"{game.name}-{preset}": (game, preset) for game in games().values() for preset in game.presets}


def deal(name: str) -> dict[str, Any]:
    """The messages of a deal, at a table of one person and bots with the number of seats that suits the game best."""
    game, preset = presets()[name]
    low, high = game.options.seat_range[preset]
    seats = min(max(low, game.as_dict()["best"][0]), high)
    bots = ("", *["medium"] * (seats - 1))
    driven = Driven(game.name, people="a", preset=preset, seats=seats, bots=bots, number=f"{game.name} 0")
    scenes, names = list(messages(driven)), driven.table.names
    ended = driven.table.stage in ("between", "over")
    return {
        "file": str(PLACE / f"{name}.txt"),
        "title": f"{game.titles[preset]}: what a screen reader says during a deal",
        "names": list(names),
        "table": table_seen(driven.table, "a"),
        "scenes": scenes,
        "outcome": as_data(outcome(driven, scenes[-1]["view"])) if ended else None,
    }


def match(game: Game) -> dict[str, Any]:
    """The messages of a whole match, with as few seats and deals as the game allows."""
    preset = game.presets[0]
    seats, options = game.options.seat_range[preset][0], SHORT.get(game.name, {})
    bots = ("", *["medium"] * (seats - 1))
    driven = Driven(
        game.name, people="a", preset=preset, seats=seats, bots=bots, options=options, number=f"{game.name} 0"
    )
    scenes: list[dict[str, Any]] = []
    while not scenes or driven.table.stage != "over":
        if scenes:  # the next deal
            driven.step()
        scenes += messages(driven, scenes[-1]["happened"][-1].number if scenes else 0, 10_000)
        scenes[-1]["table"] = table_seen(driven.table, "a")
    return {"game": game.name, "names": list(driven.table.names), "table": scenes[-1]["table"], "scenes": scenes}


def messages(driven: Driven, numbered: int = 0, most: int = MOST) -> Iterator[dict[str, Any]]:
    """What the server sends to seat 0 during a deal: happenings, and the view after them. numbered: the last happening
    before.
    """
    for _ in range(most):
        fresh = [one for one in driven.table.happenings if one.numbers[0] > numbered]
        if not numbered:  # what came before the match is not read
            fresh = [one for one in fresh if one.kind not in ("sat", "bot-sat")]
        if fresh:
            numbered = fresh[-1].numbers[0]
            happened = [happening_seen(driven.table, one, 0) for one in fresh]
            yield {"happened": happened, "view": view_seen(driven.table, 0)}
        if driven.table.stage in ("between", "over"):
            return
        driven.step()


def outcome(driven: Driven, view: Any) -> Message:
    """What is said when a deal or a match is over."""
    over = driven.table.stage == "over"
    result = view.results[-1] if view.results else None
    winner = result.winner if result and result.deal == view.deal else None
    seats = [Seat(seat) for seat in (view.winners if over else [] if winner is None else [winner])]
    if over:
        return Message("{source} {source:wins|win} the match", source=seats) if seats else Message("The match is over")
    if seats:
        return Message("{source} {source:wins|win} deal {n}", source=seats, n=view.deal)
    return Message("Deal {n} is over", n=view.deal)


if __name__ == "__main__":
    os.environ["CLIENT_WRITE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        node.run("announcements", Path(folder), [deal(name) for name in sys.argv[1:] or presets()])
