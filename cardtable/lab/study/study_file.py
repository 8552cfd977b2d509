"""The file of a study: its parameters and the sums of each block, in SQLite, so that a killed study can resume.

A block is written in one transaction, so the file is always consistent; only the process that runs the study writes
it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from pathlib import Path

from cardtable.base.errors import OptionError, SaveError
from cardtable.base.types import JsonObject
from cardtable.match.record_file import no_base

APPLICATION = 0x43545354  #: "CTST", the magic number of such a file
FORMAT = 2
SEAL = 8  #: bytes of the digest before the sums of a block: SQLite does not notice a byte that has changed
TABLES = """
CREATE TABLE parameters (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE blocks (number INTEGER PRIMARY KEY, deals INTEGER NOT NULL, limits TEXT NOT NULL, sums BLOB NOT NULL);
"""


def _seal(number: int, limits: str, sums: bytes) -> bytes:
    """The checksum at the start of an intact block."""
    return hashlib.blake2b(f"{number} {limits} ".encode() + sums, digest_size=SEAL).digest()


class Saved:
    """An open file of a study. `close` it."""

    def __init__(self, path: str | os.PathLike[str], parameters: JsonObject) -> None:
        """Open the file of a study with these parameters, or begin one.

        Raises OptionError if it is of another study, SaveError if it cannot be read or written.
        """
        self.path = Path(path)
        new = not self.path.exists() or not self.path.stat().st_size
        with contextlib.ExitStack() as failing:
            try:
                self._base = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
                failing.callback(self._base.close)
                self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._base.execute("PRAGMA synchronous = FULL")
                if new:
                    self._begin(parameters)
                else:
                    self._check(parameters)
            except sqlite3.Error as error:
                raise self._failed(error) from None
            failing.pop_all()

    def _begin(self, parameters: JsonObject) -> None:
        rows = [(name, json.dumps(value)) for name, value in parameters.items()]
        self._base.execute(f"PRAGMA application_id = {APPLICATION}")
        self._base.execute(f"PRAGMA user_version = {FORMAT}")
        self._base.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, TABLES.split(";")):
            self._base.execute(statement)
        self._base.executemany("INSERT INTO parameters VALUES (?, ?)", rows)
        self._base.execute("COMMIT")

    def _check(self, parameters: JsonObject) -> None:
        kind = self._base.execute("PRAGMA application_id").fetchone()[0]
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        if kind != APPLICATION or version != FORMAT:
            raise self._strange("it is no file of a study of this version")
        stored = {name: json.loads(text) for name, text in self._base.execute("SELECT name, value FROM parameters")}
        wanted = json.loads(json.dumps(parameters))
        if other := next((name for name in {**wanted, **stored} if stored.get(name) != wanted.get(name)), None):
            old, new = (json.dumps(each.get(other)) for each in (stored, wanted))
            raise self._strange(f"its {other} is {old[:200]}, not {new[:200]}")

    def _strange(self, why: str) -> OptionError:
        return OptionError(
            f"study {self.path}", why, "name another file, or run the study as it was", code="study/other"
        )

    def _failed(self, error: sqlite3.Error) -> SaveError:
        return SaveError(f"saving {self.path}", no_base(error), "name another file for the study")

    def block(self, number: int, deals: int) -> tuple[tuple[int, ...], bytes] | None:
        """The limits and sums of a block, if it was played for a study of this number of deals."""
        try:
            row = self._base.execute(
                "SELECT limits, sums FROM blocks WHERE number = ? AND deals IN (0, ?)", (number, deals)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._failed(error) from None
        if not row:
            return None
        limits, sums = row[0], row[1][SEAL:]
        if row[1][:SEAL] != _seal(number, limits, sums):
            raise self._strange(f"block {number} is damaged")
        return tuple(json.loads(limits)), sums

    def keep(self, number: int, deals: int, limits: tuple[int, ...], sums: bytes) -> None:
        """Keep a block. deals: of the study if the block was cut for it, 0 if it is the same in a longer one."""
        try:
            self._base.execute(
                "INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?)",
                (number, deals, text := json.dumps(limits), _seal(number, text, sums) + sums),
            )
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Close the file."""
        self._base.close()
