"""Keeps a pool (`cardtable.server.thinking.pool`) running for the processes that serve together: one that ends or no
longer answers is started again.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import threading
import time
from pathlib import Path

from cardtable.base import platform
from cardtable.server.settings import Settings
from cardtable.server.thinking import protocol
from cardtable.server.thinking.protocol import KEY, LENGTH, PoolHello, framed

log = logging.getLogger("cardtable.server")
EVERY = 2.0  #: seconds between two looks whether the pool answers
ANSWER = 5.0  #: seconds in which it must answer
SILENT = 3  #: looks without an answer after which it is started again
START_WITHIN = 30.0  #: seconds that it may take to start on a busy machine
END_WITHIN = 3.0  #: seconds until it is killed


class PoolKeeper:
    """A pool at a path, from its start until `close`."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Start it, and wait until it answers; without an answer bots play at medium level. Raises OSError."""
        self.path = path
        self._settings = settings
        self._closing = threading.Event()
        self._process = protocol.start(path, settings)
        until = time.monotonic() + START_WITHIN
        while not self._answers() and self._process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        self._thread = threading.Thread(target=self._watch, name="pool", daemon=True)
        self._thread.start()

    def _answers(self) -> bool:
        """Whether the pool answers; it may be of another version than this process."""
        with contextlib.suppress(OSError), platform.local_socket() as line:
            line.settimeout(ANSWER)
            line.connect(str(self.path))
            line.sendall(framed(PoolHello(KEY)))
            return len(line.recv(LENGTH.size)) > 0
        return False

    def _watch(self) -> None:
        """In a thread: look regularly."""
        missed, until = 0, 0.0
        while not self._closing.wait(EVERY):
            code = self._process.poll()
            missed = 0 if code is None and self._answers() else missed + 1
            if code is None and (missed < SILENT or time.monotonic() < until):
                continue
            why = "does not answer" if code is None else f"ended with code {code}"
            log.error("the pool %s: another is started", why)
            end(self._process)
            with contextlib.suppress(OSError):
                self._process = protocol.start(self.path, self._settings)
            missed, until = 0, time.monotonic() + START_WITHIN

    def close(self) -> None:
        """End it."""
        self._closing.set()
        self._thread.join()
        end(self._process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a pool's process."""
    if process.stdin:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(END_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
