"""A screen that writes into memory, and a person's table on it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from cardtable import Match
from cardtable.cli import saves, tell
from cardtable.cli.line import LineFace
from cardtable.cli.screen import Screen
from cardtable.cli.session import Session
from cardtable.events import Event

NAMES = tell.names_for(4, 0)


def screen(
    width: int = 80, colours: int = 4, encoding: str = "utf-8", names: list[str] | None = None, **how: Any
) -> tuple[Screen, Any]:
    """A screen that writes into memory, and a function that tells what it wrote."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="replace")

    def written() -> str:
        file.flush()
        return raw.getvalue().decode(encoding)

    return Screen(Console(file=file, width=width, highlight=False, **how), names or NAMES, colours), written


def sentences(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """What happened, as the terminal tells it."""
    return [tell.reader(names).plain(line, sentence=True) for line in tell.lines(events)]


POSITION = """
game = "fan-tan"
rules = "denexa"
turn = 0
hands = ["8S 5H KC", "9S JS QS", "TS KS", "6C 5C"]
rows = "S 6-7  H 6-8  D A-K"
pot = 9
stacks = [20, 21, -3, 1]
lacks = ["", "8S", "", ""]
unlisted = "dead"
"""


def at(m: Match, **how: Any) -> tuple[Session, Any]:
    """A match where seat 0 is the person, written into memory line by line."""
    face = LineFace(tell.names_for(m.seats, 0), 4)
    face.screen, written = screen(100, names=tell.names_for(m.seats, 0))
    return Session(m, saves.Sitting(0, "simple"), how.pop("record", None), face), written
