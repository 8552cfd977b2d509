"""An append-only JSON Lines file, from which a stopped study resumes."""

from __future__ import annotations

import codecs
import contextlib
import json
from pathlib import Path

from cardtable.base import platform
from cardtable.base.files import not_saved
from cardtable.base.types import JsonObject


class Lines:
    """The objects of a file of JSON Lines; without a file they are kept nowhere."""

    def __init__(self, path: Path | None) -> None:
        """Read the file; an incomplete last line is ignored, and cut off at the next `add`.

        Raises OSError, ValueError (a line is not a JSON object).
        """
        self._path = path
        self.read: list[JsonObject] = []  #: objects read from the file
        data = b""
        with contextlib.suppress(FileNotFoundError):
            data = platform.read_file(path) if path is not None else b""
        self._whole = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0  # bytes of whole lines
        for number, line in enumerate(data[self._whole :].splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line.decode())
            except ValueError:
                entry = None
            if not isinstance(entry, dict):
                raise ValueError(f"line {number} is no JSON object")
            self.read.append(entry)
            self._whole += len(line)

    def add(self, entry: JsonObject) -> None:
        """Append an object. Raises SaveError; the existing content stays intact."""
        if self._path is None:
            return
        line = json.dumps(entry).encode() + b"\n"
        try:
            with self._path.open("r+b" if self._path.exists() else "w+b") as file:
                file.truncate(self._whole)
                file.seek(self._whole)
                file.write(line)
        except OSError as error:
            raise not_saved(self._path, error) from None
        self._whole += len(line)
