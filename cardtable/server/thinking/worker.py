"""A process that reads records from strangers, and long logs: `python -m cardtable.server.thinking.worker`, started and
ended by `cardtable.server.thinking.workers`.

Jobs arrive on standard input and answers go to standard output, each as a length of four bytes and then MessagePack
(`Job`, `Answer`). A record that takes too long or too much memory only costs this process: the system or the server
ends it. It ends by itself when its server is gone.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pickle
import signal
import struct
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec

from cardtable.base import platform
from cardtable.base.errors import CardtableError, Text
from cardtable.base.message import Message, as_data

LENGTH = struct.Struct(">I")
NICENESS = 10  #: the server's own work goes first
LONGEST_PART = (
    4000  #: most bytes of a part of a refusal as data; only the beginning of a longer one is sent, as a string
)
LATE = 5  #: seconds beyond a job's limit after which the process ends itself, if the server has not ended it


class TooBig(CardtableError):
    """A record that takes more time or memory than it may."""

    code = "record/limit"

    def __init__(self, why: Text = "") -> None:
        """why: without one, its memory."""
        why = why or Message("it takes more memory than it may here")
        super().__init__(Message("this record"), why, Message("read it on your own machine: cardtable replay FILE"))


Refused = tuple[str, Any, Any, Any]  #: a refusal as it is sent: its code; what, why and can as data


class Job(msgspec.Struct, frozen=True, array_like=True):
    """A job: its name, its arguments, and its limits."""

    name: str
    arguments: list[Any]
    seconds: float
    memory: int  #: bytes in addition to what the idle process takes
    plain: bool = False  #: run the rules as plain Python: they are still being compiled


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The answer to a job: `result`, as JSON or in bytes of the job's own; or a CardtableError's code, what, why and
    can in `refused`, these three as data (`cardtable.base.message`).
    """

    result: bytes = b"null"
    refused: Refused | None = None
    fault: str = ""  #: a traceback, for a fault of ours
    spent: bool = False  #: the process is not fit for another job


class Foreseen(msgspec.Struct, frozen=True):
    """What a process has found (`foreseen`)."""

    useful: bool | None
    says: Any
    moves: list[str]
    seconds: float


def verified(text: str, most: int) -> dict[str, Any]:
    """The proof of the shuffle of a record of at most `most` moves. Raises RecordError."""
    from cardtable.server.thinking import replay
    from cardtable.table import fair

    return fair.verify(replay.parsed(text, most))


def kept(text: str, owner: str, most: int) -> Any:
    """An uploaded record of at most `most` moves, as the store keeps it. Raises RecordError."""
    from cardtable.server.thinking import replay

    return replay.kept(text, owner, most)


def framed(text: str, deal: int, seat: int | None, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of a deal of a record, step by step. Raises RecordError, OptionError."""
    from cardtable.server.thinking import replay

    return replay.frames(text, deal, seat, first, count, most)


def questioned(text: str, deal: int, seat: int, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of the decisions that a review of a deal of a record judges. Raises RecordError, OptionError."""
    from cardtable.server.thinking import replay

    return replay.questioned(text, deal, seat, first, count, most)


def checked(setup: dict[str, Any]) -> Any:
    """A setup with the record of a match that is played on, checked. Raises UnknownGame, OptionError, RecordError."""
    from cardtable.table.setup import Setup
    from cardtable.table.setup import checked as check

    return check(msgspec.convert(setup, Setup))


def retried(text: str, deal: int, number: int) -> Any:
    """The setup of a table at which a match is played on from just before a move. Raises RecordError, OptionError."""
    from cardtable.server.thinking import replay

    return replay.retried(text, deal, number)


def folded(lines: list[str]) -> bytes:
    """The table of a log, pickled. Raises CardtableError if it cannot be folded."""
    from cardtable.table import LiveTable, events
    from cardtable.table.live import TableFault

    try:
        table = LiveTable.fold(map(events.decode, lines))
    except TableFault as fault:
        raise CardtableError(Message("this table"), str(fault), Message("report it")) from None
    return pickle.dumps(table, pickle.HIGHEST_PROTOCOL)


def winnable(game: str, preset: str, seats: int, options: dict[str, Any], numbers: list[str]) -> Any:
    """The first of some numbers whose deal the solver wins. Raises NotReady, NoSolver, OptionError."""
    from cardtable.review.winnable import first
    from cardtable.rules import catalog

    solvers_ready()
    return first(catalog.find(game), numbers, seats=seats, rules=preset, options=options)


def solved(text: str, seconds: float, most: int) -> dict[str, Any]:
    """What solving the position at the end of an unfinished record of at most `most` moves finds within some seconds of
    processor time (`cardtable.rules.solver.Solution`). Raises NotReady, NoSolver, RecordError.
    """
    from cardtable.review.winnable import still
    from cardtable.server.thinking import replay

    solvers_ready()
    m = replay.parsed(text, most).resumed()
    return still(m.game, m.snapshot(), seconds).as_dict()


def lost(text: str, deal: int, seat: int, so_far: dict[str, Any] | None, most: int) -> Any:
    """Where a seat lost a deal of a record, after one more portion (`cardtable.review.where_lost.Loss`); None if it was
    not lost.

    so_far: what the portion before told. Raises NotReady, OptionError, RecordError.
    """
    from cardtable.review.where_lost import Loss, begun, narrowed
    from cardtable.server.thinking import replay

    m = replay.parsed(text, most).replay()
    found = msgspec.convert(so_far, Loss) if so_far else begun(m, seat, deal)
    if found is None:
        return None
    solvers_ready()
    return narrowed(m, deal, found)


def foreseen(game: str, state: bytes, seat: int) -> Any:
    """Whether anything useful is left to do in a state that is redacted for a seat (`game.Outlook`), and the seconds of
    processor time that this took.
    """
    from cardtable.rules import catalog

    began = time.process_time()
    found = catalog.find(game)
    assert found.outlook is not None
    told = found.outlook(found.rules.State.of_bytes(state), seat)
    return {
        "useful": told.useful,
        "says": as_data(told.message),
        "moves": told.moves,
        "seconds": time.process_time() - began,
    }


def solvers_ready() -> None:
    """Refuse to solve in plain Python, which would take minutes. Raises NotReady."""
    from cardtable.precompile import plain
    from cardtable.server.thinking.bots import not_ready

    if plain():
        raise not_ready(Message("solving"))


JOBS: dict[str, Callable[..., Any]] = {
    job.__name__: job
    for job in (verified, kept, framed, questioned, checked, retried, folded, winnable, solved, foreseen, lost)
}


def run_plain(plain: bool) -> None:
    """Run the rules as plain Python from now on, unless all are compiled: compiling them here would take longer than a
    job may.
    """
    from cardtable.kernel import Switch
    from cardtable.precompile import ready
    from cardtable.rules.catalog import games

    Switch.plain = plain or not all(ready(game, search=False) for game in games().values())


def read(stream: IO[bytes]) -> bytes:
    """The next message, or b"" at the end."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""


def taken() -> int:
    """Bytes of memory that the process has reserved; 0 if the system does not say."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def limit(job: Job) -> None:
    """Hold this process to a job's limits: the system refuses more memory, and ends a process that takes too long."""
    if base := taken():
        platform.limit_memory(base + job.memory)
    platform.end_after(job.seconds + LATE)


def unlimited() -> None:
    """Remove the limits, between jobs."""
    platform.end_after(0)
    platform.limit_memory(None)


def refused(error: CardtableError) -> Refused:
    """A refusal as it is sent."""
    what, why, can = (_short(part) for part in error.parts)
    return error.code, what, why, can


def _short(part: Text) -> Any:
    told = as_data(part)
    return told if len(msgspec.json.encode(told)) <= LONGEST_PART else str(part)[:1000]


def done(job: Job) -> Answer:
    """Do a job within its limits."""
    run_plain(job.plain)
    limit(job)
    try:
        found = JOBS[job.name](*job.arguments)
        return Answer(found if isinstance(found, bytes) else msgspec.json.encode(found))
    except CardtableError as error:
        return Answer(refused=refused(error))
    except (MemoryError, RecursionError):
        return Answer(refused=refused(TooBig()), spent=True)
    except Exception:
        return Answer(fault=traceback.format_exc(limit=-20)[-4000:])
    finally:
        unlimited()


def main() -> None:
    """Do jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which ends this process
    platform.give_way(NICENESS)
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed by mistake must not look like an answer
    prepare()
    send(answers, msgspec.msgpack.encode(Answer()))  # ready
    while told := read(jobs):
        answer = done(msgspec.msgpack.decode(told, type=Job))
        send(answers, msgspec.msgpack.encode(answer))
        if answer.spent:
            return


def prepare() -> None:
    """Import what jobs need, so that it does not count as their time."""
    from cardtable.rules import catalog
    from cardtable.server.thinking import replay
    from cardtable.table import fair

    assert replay
    assert fair
    catalog.games()
    run_plain(False)
    gc.freeze()


def send(stream: io.BufferedWriter, message: bytes) -> None:
    """Send a message."""
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()


if __name__ == "__main__":
    main()
