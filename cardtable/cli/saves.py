"""Saved matches: where they are, which one to continue, and which files --record may write."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.base import platform
from cardtable.base.errors import CardtableError, OptionError, SaveError
from cardtable.base.message import Message

if TYPE_CHECKING:
    from cardtable.match.match import Match, Record
    from cardtable.rules.game import Game
    from cardtable.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Sitting:
    """The people at the table of a match in the terminal: the person's seat (None: none) and name ("": You), the
    bots' level.
    """

    seat: int | None
    level: str
    name: str = ""


def directory() -> Path:
    """The data directory: CARDTABLE_DATA, else the user's. Raises SaveError if there is no home directory."""
    if given := os.environ.get("CARDTABLE_DATA"):
        return named(given)
    try:
        return platform.data_directory()
    except OSError as error:
        raise _homeless("the data directory", error) from None


def named(path: str) -> Path:
    """A path as a person writes it. Raises SaveError if it begins with `~` and there is no home directory."""
    try:
        return platform.in_home(path)
    except OSError as error:
        raise _homeless(path, error) from None


def _homeless(what: str, error: OSError) -> SaveError:
    return SaveError(
        Message(what), error.strerror or str(error), Message("name a directory with CARDTABLE_DATA"), code="file/home"
    )


def read(path: Path) -> Record | None:
    """The record in a file, or None if there is none."""
    from cardtable.match.match import Record

    try:
        record = Record.load(path)
    except CardtableError:
        return None
    return record if "cardtable" in record.keys else None


def is_of(record: Record, asked: Ruleset) -> bool:
    """Whether a record is of the game asked for: any match of it if its own name was used, else one with that title."""
    if asked.title == asked.game.title:
        return record.keys.get("game") == asked.game.name
    try:
        return record.title == asked.title
    except CardtableError:
        return False


def saved(asked: Ruleset | None) -> list[tuple[Path, Record]]:
    """The matches in the data directory, of the game asked for or of all, latest first."""
    matches: list[tuple[float, Path, Record]] = []
    try:
        paths = sorted(directory().glob("*.toml"))
    except (OSError, SaveError):
        return []
    for path in paths:
        try:
            about = path.stat()
        except OSError:  # a link that leads nowhere, or removed meanwhile
            continue
        # Reading a pipe would wait for ever.
        record = read(path) if stat.S_ISREG(about.st_mode) else None
        if record and (asked is None or is_of(record, asked)):
            matches.append((about.st_mtime, path, record))
    return [(path, record) for _, path, record in sorted(matches, key=lambda each: each[0], reverse=True)]


@contextlib.contextmanager
def checking(record: Record) -> Iterator[None]:
    """Within the context, the rules of a record's game run plainly unless they are compiled: checking a record takes
    less time than compiling.
    """
    from cardtable.kernel import Switch
    from cardtable.precompile import ready
    from cardtable.rules import catalog

    name = record.keys.get("game")
    plainly = Switch.plain
    Switch.plain = plainly or isinstance(name, str) and not ready(catalog.find(name), search=False)
    try:
        yield
    finally:
        Switch.plain = plainly


def fault(record: Record) -> CardtableError | None:
    """Why a match cannot be continued; None if it can."""
    try:
        with checking(record):
            record.resumed()
    except CardtableError as error:
        return error
    return None


def unfinished(asked: Ruleset | None) -> list[Path]:
    """The saved matches that are not over, of the game asked for or of all, latest first."""
    return [path for path, record in saved(asked) if record.keys.get("unfinished") is True]


def latest(asked: Ruleset | None) -> Path:
    """The match to continue: the latest one that can be. Raises OptionError (`file/none`)."""
    if paths := unfinished(asked):
        # An impossible one is refused with a reason.
        return next((path for path in paths if (record := read(path)) and not fault(record)), paths[0])
    raise OptionError(
        Message("--resume"),
        Message("no match of {title} is saved", title=Message(asked.title)) if asked else Message("no match is saved"),
        Message("save one with q in the match, or name the file of a record"),
        code="file/none",
    )


def place(game: Game) -> Path:
    """A new file for a match in the data directory, named after the game and the time. Raises SaveError."""
    home = directory()
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            Message("saving in {place}", place=str(home)),
            error.strerror or str(error),
            Message("name another directory with CARDTABLE_DATA, or a file with --record"),
        ) from None
    stem = f"{game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    number = 1
    while os.path.lexists(path := home / (f"{stem}.toml" if number == 1 else f"{stem}-{number}.toml")):
        number += 1
    return path


def save(m: Match, path: str, sitting: Sitting) -> None:
    """Save a match with who sits at it. Raises SaveError."""
    from cardtable.match.match import Record

    table = {"seat": "none" if sitting.seat is None else sitting.seat, "bot": sitting.level} | (
        {"name": sitting.name} if sitting.name else {}
    )
    Record({**m.record().keys, "table": table}).save(path)


def rescue(m: Match, sitting: Sitting) -> str:
    """Save a match that could not be saved elsewhere to the directory for temporary files; return the file, or "" if
    that also fails.
    """
    try:
        handle, path = tempfile.mkstemp(prefix=f"{m.game.name}-", suffix=".toml")
        os.close(handle)
        save(m, path, sitting)
    except (OSError, SaveError):
        return ""
    return path


def claim(path: Path, agreed: Callable[[Message], bool] = lambda question: False) -> None:
    """Make sure that a match may be saved in a file, before it begins. Raises SaveError.

    An existing file is never overwritten, unless it is a record and the person agrees. agreed: asks the person.
    """
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        why = (
            Message("it is a directory")
            if path.is_dir()
            else Message("its directory cannot be written to")
            if path.parent.is_dir()
            else Message("there is no such directory")
        )
        raise SaveError(Message("--record {path}", path=str(path)), why, Message("name another file"))
    try:
        if not path.exists() or path.stat().st_size == 0:
            return
    except OSError as error:
        raise SaveError(
            Message("--record {path}", path=str(path)), error.strerror or str(error), Message("name another file")
        ) from None
    record = read(path)
    if record is None:
        raise SaveError(
            Message("--record {path}", path=str(path)),
            Message("there is a file of that name, and it is not the record of a match"),
            Message("name another file"),
        )
    going = record.keys.get("unfinished") is True
    what = Message("an unfinished match") if going else Message("a finished match")
    if not agreed(Message("{path} holds {what}. Write over it?", path=str(path), what=what)):
        other = Message("name another file, or remove this one first")
        raise SaveError(
            Message("--record {path}", path=str(path)),
            Message("it holds {what}, which would be lost", what=what),
            Message("continue that match with --resume {path}, {other}", path=str(path), other=other)
            if going
            else other,
        )
