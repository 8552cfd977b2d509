"""What the pool (`cardtable.server.thinking.pool`) and the server processes that use it both know: how it is started,
and the messages between them.

Each message is a length of four bytes and then MessagePack. A server process sends requests, first of all `Hello`; the
pool answers each with `Told`, in any order.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec

from cardtable import __version__
from cardtable.kernel import cache
from cardtable.rules.contract import MAX_SEATS
from cardtable.server.settings import Settings
from cardtable.server.thinking.worker import LENGTH, Refused

LONGEST_REQUEST = 1 << 23  #: bytes of a request; the longest have a record
MOST_WAITING = 4096  #: requests of one server process that may wait
MOST_HELD = 1 << 26  #: bytes of all these requests
NO_ANSWER_TO = 0  #: the number of an answer to `Hello` and `Ping`, which have no number

#: the same only for processes that read a state's bytes alike: it changes with the sources of the rules and records
KEY = f"{__version__} {cache.DIRECTORY.name if cache.DIRECTORY else 'plain'}"

Number = Annotated[int, msgspec.Meta(ge=1)]


class Hello(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The first message of a server process."""

    key: str


class Ping(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Is the pool there?"""


class Drop(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A request's answer is no longer wanted."""

    number: Number


class Think(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What should a seat play? The answer: `Advised`."""

    number: Number
    game: str
    state: bytes  #: the memory of a state redacted for the seat
    seat: Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
    past: bytes  #: what it has seen the others do, packed; empty: it is not known
    moves: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]  #: its legal moves, as codes
    seed: str
    most: Annotated[float, msgspec.Meta(gt=0.0, le=60.0)]  #: seconds
    flat: bool
    asker: str | None  #: the address of the person who asks for a hint; None: a bot


class Review(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A review, as `cardtable.server.thinking.reviews.Reviews.ask` gives it."""

    number: Number
    owner: str
    address: str
    text: str
    deal: int
    seat: int


class Work(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A job for a process that reads records. The answer: JSON, as bytes."""

    number: Number
    caller: str
    name: str
    arguments: list[Any]


Question = Think | Review | Work
Request = Hello | Ping | Drop | Question


class Told(msgspec.Struct, frozen=True, array_like=True):
    """The answer to a request: its result, or a refusal."""

    number: int
    result: msgspec.Raw = msgspec.Raw(b"\xc0")  # nil
    refused: Refused | None = None


def framed(message: Request | Told) -> bytes:
    """A message as it is sent."""
    told = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(told)) + told


def start(path: Path, settings: Settings) -> subprocess.Popen[bytes]:
    """Start the pool's process, which listens at the socket `path` a moment later. It ends when its standard input
    (`stdin` of the result) is closed, and on SIGTERM. Raises OSError.
    """
    command = (sys.executable, "-m", "cardtable.server.thinking.pool", str(path))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    assert process.stdin
    process.stdin.write(msgspec.json.encode(settings) + b"\n")
    process.stdin.flush()
    return process
