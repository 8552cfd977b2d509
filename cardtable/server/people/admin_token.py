"""The operator's token: a file in the data directory that only its owner can read. It gives access to the operator's
part of the API.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

from cardtable.base import platform
from cardtable.base.message import Message

NAME = "admin-token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class BadToken(ValueError):
    """A file that is no operator's token, or no secret. `why`: in words for people."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


def path_in(directory: Path) -> Path:
    """The file of the token in a data directory."""
    return directory / NAME


def made_in(directory: Path) -> str:
    """The token of a data directory, created if there is none. Raises OSError, BadToken as `read`."""
    path = path_in(directory)
    with contextlib.suppress(FileExistsError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(made, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    return read(path)


def read(path: Path) -> str:
    """The token in a file. Raises OSError; BadToken if it is none, or if others can read the file."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        why = Message("other users can read this file, so it is no secret: delete it, and restart the server")
        raise BadToken(why)
    token = platform.read_file(path).decode("utf-8-sig", errors="replace").strip()
    if not _TOKEN.fullmatch(token):
        raise BadToken(Message("there is no token in this file: delete it, and restart the server"))
    return token
