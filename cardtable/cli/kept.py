"""Matches put aside: where they are kept, which one to go on with, and what a file given by --record may be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.errors import CardtableError, OptionError, SaveError

if TYPE_CHECKING:
    from cardtable.catalog import Variant
    from cardtable.game import Game
    from cardtable.match import Match
    from cardtable.record import Record


def directory() -> Path:
    """CARDTABLE_DATA, else the user's data directory."""
    if given := os.environ.get("CARDTABLE_DATA"):
        return Path(given).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "cardtable"


def read(path: Path) -> Record | None:
    """The record in a file, or None if there is none."""
    from cardtable.record import Record

    try:
        record = Record.load(path)
    except CardtableError:
        return None
    return record if "cardtable" in record.keys else None


def is_of(record: Record, asked: Variant) -> bool:
    """Whether a record is what a name asks for: any match of a game asked for by its own name, else one that bears the name."""
    if asked.title == asked.game.title:
        return record.keys.get("game") == asked.game.name
    try:
        return record.title == asked.title
    except CardtableError:
        return False


def unfinished(asked: Variant | None) -> list[Path]:
    """The matches put aside, of what a name asks for or of all, the latest first."""
    try:
        files = sorted(directory().glob(f"{asked.game.name if asked else ''}*.toml"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
    found = []
    for path in files:
        record = read(path)
        if record and record.keys.get("unfinished") is True and (asked is None or is_of(record, asked)):
            found.append(path)
    return found


def latest(asked: Variant | None) -> Path:
    """The match to go on with. Raises OptionError (`file/none`)."""
    if found := unfinished(asked):
        return found[0]
    what = f"of {asked.title} " if asked else ""
    raise OptionError("--resume", f"no match {what}was put aside", "put one aside with q in the match, or name the file of a record", code="file/none")


def place(game: Game) -> Path:
    """A file to put a match aside in: a new one, or that of a match of this game that is over. Raises SaveError."""
    try:
        directory().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"saving in {directory()}", error.strerror or str(error), "name a file with --record, or another directory with CARDTABLE_DATA"
        ) from None
    number = 1
    while not _free(path := directory() / (f"{game.name}.toml" if number == 1 else f"{game.name}-{number}.toml")):
        number += 1
    return path


def _free(path: Path) -> bool:
    """Whether there is no such file, or a match that is over; what cannot be read is left alone."""
    if not os.path.lexists(path):
        return True
    record = read(path)
    return record is not None and record.keys.get("unfinished") is not True


def save(m: Match, path: str, me: int | None, level: str) -> None:
    """Save a match with who sits where: the person's seat and the bots' level. Raises SaveError."""
    from cardtable.record import Record

    Record({**m.record().keys, "table": {"seat": "none" if me is None else me, "bot": level}}).save(path)


def claim(path: Path) -> str:
    """Make sure that a match may be kept in a file, before it begins; what is to be told about it.

    A file that is no record is never written over; an unfinished match in it is kept beside it (`FILE~`). Raises SaveError.
    """
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        why = "it is a directory" if path.is_dir() else "its directory cannot be written to" if path.parent.is_dir() else "there is no such directory"
        raise SaveError(f"--record {path}", why, "name another file")
    try:
        if not path.exists() or path.stat().st_size == 0:
            return ""
    except OSError as error:
        raise SaveError(f"--record {path}", error.strerror or str(error), "name another file") from None
    record = read(path)
    if record is None:
        raise SaveError(f"--record {path}", "there is a file of that name, and it is no record of a match", "name another file")
    if record.keys.get("unfinished") is not True:
        return ""
    beside = path.with_name(path.name + "~")
    record.save(beside)
    return f"{path} held an unfinished match: that one is kept as {beside}."
