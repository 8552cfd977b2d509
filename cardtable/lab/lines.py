"""A file of JSON Lines that one process adds to, so that a study that was stopped goes on."""

from __future__ import annotations

import json
from pathlib import Path

from cardtable.types import JsonObject


class Lines:
    """The objects of a file of JSON Lines; without a file they are kept nowhere."""

    def __init__(self, path: Path | None) -> None:
        """Read what is there; a last line that was torn is left out, and cut off at the next `add`."""
        self._path = path
        self._whole = 0  # bytes of whole lines
        self.read: list[JsonObject] = []  #: what was there
        if path is not None and path.exists():
            for line in path.read_bytes().splitlines(keepends=True):
                if not line.endswith(b"\n"):
                    break
                self.read.append(json.loads(line))
                self._whole += len(line)

    def add(self, told: JsonObject) -> None:
        """Add an object."""
        if self._path is None:
            return
        line = json.dumps(told).encode() + b"\n"
        with self._path.open("r+b" if self._path.exists() else "w+b") as file:
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write(line)
        self._whole += len(line)
