"""One of several processes that serve together: `cardtable.server.supervisor` starts it, and sends its configuration
on standard input. It prints `READY` when it answers, and ends when its standard input does.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from typing import IO

import msgspec

from cardtable.server.one_process import serve
from cardtable.server.settings import Settings
from cardtable.server.store.store import StoreError

READY = b"ready\n"
DRAINED = 76  #: the exit code of a process that has ended because its last match is over


class ServingPart(msgspec.Struct, frozen=True):
    """A process's part of serving: at a listening socket (its file descriptor), over a database."""

    descriptor: int
    database: str
    settings: Settings
    operator_token: str


def main() -> None:
    """Serve until the supervisor ends it, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes; the supervisor ends them
    lines = open(0, "rb")  # noqa: SIM115  # it stays open as long as the supervisor is there
    part = msgspec.json.decode(lines.readline(), type=ServingPart)
    threading.Thread(target=_end_with_the_supervisor, args=(lines,), name="supervisor", daemon=True).start()

    def answering() -> None:
        os.write(1, READY)

    try:
        serve(socket.socket(fileno=part.descriptor), part.database, answering, part.settings, part.operator_token)
    except StoreError as error:
        sys.exit(str(error).splitlines()[0][:200])
    sys.exit(DRAINED)


def _end_with_the_supervisor(lines: IO[bytes]) -> None:
    lines.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
