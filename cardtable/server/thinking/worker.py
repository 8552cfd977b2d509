"""A process that reads records from strangers, and long logs: `python -m cardtable.server.thinking.worker`, started and
ended by `cardtable.server.thinking.workers`.

Jobs arrive on standard input and replies go to standard output (`cardtable.server.thinking.protocol`). A record that
takes too long or too much memory only costs this process: the system or the server ends it. It also ends when its
server is gone.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import traceback
from pathlib import Path
from typing import IO

import msgspec

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.kernel import Switch
from cardtable.precompile import ready
from cardtable.rules.catalog import games
from cardtable.server.thinking.jobs import JOBS
from cardtable.server.thinking.protocol import LENGTH, Job, Reply, framed, refused, too_big

NICENESS = 10  #: the server's own work goes first
LATE = 5  #: seconds beyond a job's limit after which the process ends itself, if the server has not ended it


def run_plain(plain: bool) -> None:
    """Run the rules as plain Python from now on, unless all are compiled: compiling them here would take longer than a
    job may.
    """
    Switch.plain = plain or not all(ready(game, search=False) for game in games().values())


def read(stream: IO[bytes]) -> bytes:
    """The next message, or b"" at the end."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""


def taken() -> int:
    """The process's reserved memory in bytes; 0 if unknown."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def done(job: Job) -> Reply:
    """Do a job. The system refuses more memory than it may take, and ends a process that takes too long."""
    run_plain(job.plain)
    if base := taken():
        platform.limit_memory(base + job.memory)
    platform.end_after(job.seconds + LATE)
    try:
        result = JOBS[job.name](*job.arguments)
        packed = result if isinstance(result, bytes) else msgspec.json.encode(result)
        return Reply(result=msgspec.Raw(msgspec.msgpack.encode(packed)))
    except CardtableError as error:
        return Reply(refused=refused(error))
    except (MemoryError, RecursionError):
        return Reply(refused=refused(too_big()), spent=True)
    except Exception:
        return Reply(fault=traceback.format_exc(limit=-20)[-4000:])
    finally:
        platform.end_after(0)
        platform.limit_memory(None)


def main() -> None:
    """Do jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which ends this process
    platform.give_way(NICENESS)
    jobs, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed by mistake must not look like a reply
    prepare()
    send(replies, Reply())  # ready
    while message := read(jobs):
        reply = done(msgspec.msgpack.decode(message, type=Job))
        send(replies, reply)
        if reply.spent:
            return


def send(stream: IO[bytes], reply: Reply) -> None:
    """Send a reply."""
    stream.write(framed(reply))
    stream.flush()


def prepare() -> None:
    """Load all games, so that this does not count as a job's time."""
    run_plain(False)
    gc.freeze()


if __name__ == "__main__":
    main()
