"""The protocol of the processes that think: between a server process and the pool (`cardtable.server.thinking.pool`),
and between either of them and the processes that read records (`cardtable.server.thinking.worker`).

Each message is a length of four bytes and then MessagePack. Requests are answered with a `Reply`. The pool is first
sent `Hello`, and answers in any order; a process that reads records has one `Job` at a time.
"""

from __future__ import annotations

import asyncio
import struct
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec

from cardtable import __version__
from cardtable.base.errors import CardtableError, Text
from cardtable.base.message import Message, as_data, from_data
from cardtable.kernel import cache
from cardtable.rules.contract import MAX_SEATS
from cardtable.server.net.fair_queue import Busy, TooMany
from cardtable.server.settings import Settings

LENGTH = struct.Struct(">I")
LONGEST_REQUEST = 1 << 23  #: bytes of a request; the longest have a record
MOST_WAITING = 4096  #: requests of one server process that may wait
MOST_HELD = 1 << 26  #: bytes of all these requests
NO_NUMBER = 0  #: of the replies to `Hello`, `Ping` and `Job`
#: most bytes of a part of a refusal as data; only the beginning of a longer one is sent, as a string
LONGEST_PART = 4000

#: the same only for processes that read a state's bytes alike: it changes with the sources of the rules and records
KEY = f"{__version__} {cache.DIRECTORY.name if cache.DIRECTORY else 'plain'}"

Number = Annotated[int, msgspec.Meta(ge=1)]
RefusalData = tuple[str, Any, Any, Any]  #: a refusal: its code; what, why and can as data (`cardtable.base.message`)


class NotReady(CardtableError):
    """The game is still being compiled, so there is no search yet."""

    code = "server/warming"


class WorkFault(CardtableError):
    """The work failed, and not through the caller's fault."""

    code = "server/fault"


class TooBig(CardtableError):
    """A record that takes more time or memory than it may."""

    code = "record/limit"


#: refusals with a separate class, by code
KINDS: dict[str, type[CardtableError]] = {kind.code: kind for kind in (TooMany, Busy, WorkFault, NotReady, TooBig)}
FAULT = WorkFault(Message("this"), Message("a fault in Cardtable itself"), Message("please report it"))


def too_big(why: Message | None = None) -> TooBig:
    """The refusal of a record. why: without one, its memory."""
    why = why or Message("it takes more memory than it may here")
    return TooBig(Message("this record"), why, Message("read it on your own machine: cardtable replay FILE"))


def not_ready(what: Message) -> NotReady:
    """The refusal of something that needs search."""
    return NotReady(what, Message("this game is still being compiled"), Message("try again in a minute"))


class PoolHello(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The first message of a server process."""

    key: str


class PoolPing(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Is the pool there?"""


class Drop(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A request's answer is no longer wanted."""

    number: Number


class Think(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What should a seat play? The result: `Advised`."""

    number: Number
    game: str
    state: bytes  #: the memory of a state redacted for the seat
    seat: Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
    past: bytes  #: the others' moves seen by the seat, packed; empty: unknown
    moves: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]  #: its legal moves, as codes
    seed: str
    most: Annotated[float, msgspec.Meta(gt=0.0, le=60.0)]  #: seconds
    flat: bool
    asker: str | None  #: the address of the person who asks for a hint; None: a bot


class JudgeDeal(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A review, as `cardtable.server.thinking.review_answers.Reviews.ask` gives it."""

    number: Number
    owner: str
    address: str
    text: str
    deal: int
    seat: int


class DoJob(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A job for a process that reads records, when it is the caller's turn. The result: bytes."""

    number: Number
    caller: str
    name: str
    arguments: list[Any]


class Job(msgspec.Struct, frozen=True, array_like=True):
    """A job for a worker process: one of `cardtable.server.thinking.jobs.JOBS`, within limits."""

    name: str
    arguments: list[Any]
    seconds: float
    memory: int  #: bytes in addition to those of the idle process
    plain: bool = False  #: run the rules as plain Python: they are still being compiled


class TimedOutlook(msgspec.Struct, frozen=True):
    """Whether anything useful is left to do (`game.Outlook`), and the seconds of processor time that this took."""

    useful: bool | None
    says: Any
    moves: list[str]
    seconds: float


Question = Think | JudgeDeal | DoJob
Request = PoolHello | PoolPing | Drop | Question


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """The answer to a request: its result, a refusal or a fault."""

    number: int = NO_NUMBER
    result: msgspec.Raw = msgspec.Raw(b"\xc0")  # nil
    refused: RefusalData | None = None
    fault: str = ""  #: a traceback, for a fault of ours
    spent: bool = False  #: the process is not fit for another job


def framed(message: Request | Job | Reply) -> bytes:
    """A message as it is sent."""
    packed = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(packed)) + packed


async def hear(stream: asyncio.StreamReader, longest: int) -> bytes:
    """The next message of a process. Raises EOFError, ValueError (it has more than `longest` bytes)."""
    length = LENGTH.unpack(await stream.readexactly(LENGTH.size))[0]
    if length > longest:
        raise ValueError(f"a message of {length} bytes")
    return await stream.readexactly(length)


def refused(error: CardtableError) -> RefusalData:
    """A refusal as it is sent; the inverse of `refusal`."""
    what, why, can = (_short(part) for part in error.parts)
    return error.code, what, why, can


def _short(part: Text) -> Any:
    data = as_data(part)
    return data if len(msgspec.json.encode(data)) <= LONGEST_PART else str(part)[:1000]


def refusal(data: RefusalData) -> CardtableError:
    """The refusal that a process has sent."""
    code, *parts = data
    what, why, can = (cast(Text, from_data(part)) for part in parts)
    return KINDS.get(code, CardtableError)(what, why, can, code=code)


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
