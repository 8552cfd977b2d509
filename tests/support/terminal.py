"""A screen that writes into memory, and a person's table on it; a terminal, for a command in a process."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from cardtable import Match
from cardtable.base.faces import FRENCH, Faces
from cardtable.cli import saves
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.line import LineFace
from cardtable.cli.terminal.screen import Look, Screen
from cardtable.cli.terminal.session import Session
from cardtable.rules.events import Event
from tests.support.commands import ROOT, attentive, surroundings

NAMES = tell.names_for(4, 0)


def screen(
    width: int = 80,
    colours: int = 4,
    encoding: str = "utf-8",
    names: list[str] | None = None,
    faces: Faces = FRENCH,
    **how: Any,
) -> tuple[Screen, Any]:
    """A screen that writes into memory, and a function that returns what it wrote."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="replace")

    def written() -> str:
        file.flush()
        return raw.getvalue().decode(encoding)

    console = Console(file=file, width=width, highlight=False, **how)
    return Screen(console, names or NAMES, Look(colours, faces)), written


def sentences(events: Sequence[Event], names: Sequence[str]) -> list[str]:
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
    face = LineFace(tell.names_for(m.seats, 0), Look(4))
    face.screen, written = screen(100, names=tell.names_for(m.seats, 0))
    return Session(m, saves.Sitting(0, "medium"), how.pop("record", None), face), written


class Terminal:
    """A command that believes a person sits before it: a process, as it has a separate terminal."""

    def __init__(self, *words: str, python: Sequence[str] = ("-m", "cardtable"), **more: str) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, *python, *words]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=surroundings(**{"NO_COLOR": "1"} | more),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=attentive,
        )
        os.close(slave)
        self.told = ""

    def until(self, words: str) -> str:
        """Read until some words appear; what was told since the last ones."""
        began, end = len(self.told), time.monotonic() + 60
        while words not in self.told[began:]:
            assert time.monotonic() < end, self.told
            if select.select([self.master], [], [], 1.0)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:  # it has left
                    data = b""
                assert data, self.told
                self.told += data.decode(errors="replace").replace("\r\n", "\n")
        return self.told[began:]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def close(self) -> int:
        """Wait for its end; the exit code."""
        code = self.process.wait(60)
        os.close(self.master)
        return code
