"""Server processes that are forks of one process, by plain rules: the server's imports, which take longer than what
tests do with it, happen once.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from typing import Any

import pytest

from cardtable.server import member
from tests.support.commands import surroundings

FORKS = multiprocessing.get_context("forkserver")
IMPORTED = [
    *(__name__, "crash", "cardtable.server.app", "cardtable.server.serving", "cardtable.games.busca.rules"),
    *("uvicorn.lifespan.on", "sqlalchemy.dialects.postgresql.psycopg", "psycopg"),  # what is not there is left out
]
ABOVE = 500  #: descriptors that nothing else has


@contextlib.contextmanager
def forking(**more: str) -> Iterator[None]:
    """Within the context, `fork` starts processes. That which forks them is waited for at the end, so that its work is
    counted. more: of its environment.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, text in surroundings(**more).items():
            patch.setenv(name, text)
        FORKS.set_forkserver_preload(IMPORTED)
        try:
            yield
        finally:
            forkserver._forkserver._stop()  # type: ignore[attr-defined]


def fork(work: Callable[..., object], *given: Any) -> BaseProcess:
    """A process that does some work; within `forking`."""
    process = FORKS.Process(target=_alone, args=(work, *given))
    process.start()
    return process


def _alone(work: Callable[..., object], *given: Any) -> None:
    gc.freeze()  # collecting what was imported takes long, and frees nothing
    work(*given)


class Member:
    def __init__(self, command: Any, pass_fds: list[int], **_: Any) -> None:
        """pass_fds: descriptors that the process has, too."""
        theirs, ours = os.pipe()
        mine, said = os.pipe()
        self.stdin, self.stdout = open(ours, "wb"), open(mine, "rb")  # noqa: SIM115  # the supervisor closes them
        given = {0: theirs, 1: said} | {number: number for number in pass_fds}
        self._process = fork(_serve, {number: DupFd(fd) for number, fd in given.items()})
        os.close(theirs)
        os.close(said)
        self.pid, self.terminate, self.kill = self._process.pid, self._process.terminate, self._process.kill

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode


def _serve(given: dict[int, Any]) -> None:
    held = {number: fcntl.fcntl(copy.detach(), fcntl.F_DUPFD, ABOVE) for number, copy in given.items()}
    for number, descriptor in held.items():
        os.dup2(descriptor, number)
        os.close(descriptor)
    member.main()
