"""Work on records from strangers: a few processes that can be ended, and a queue for each caller.

A record is parsed, replayed and verified in a separate process (`cardtable.server.thinking.worker`), never in the
threads that the store's reads use. A job that takes too long, or whose caller has gone away, is ended together with its
process; the next job gets another process. Processes are started when they are needed and ended when they are not.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from abc import ABC, abstractmethod
from typing import Any

import msgspec

from cardtable.base.message import Message
from cardtable.kernel import Switch
from cardtable.server.net.fair_queue import Busy, Turns
from cardtable.server.net.tasks import Tasks
from cardtable.server.net.waits import RECORDS, Waits
from cardtable.server.settings import Settings
from cardtable.server.thinking.protocol import FAULT, Job, Reply, WorkFault, framed, hear, refusal, too_big

log = logging.getLogger("cardtable.server")
COMMAND = (sys.executable, "-m", "cardtable.server.thinking.worker")
READY_WITHIN = 60.0  #: seconds that a process may take to start on a busy machine


def stopping() -> Busy:
    """No new job is started."""
    return Busy(Message("this request"), Message("the server stops"), Message("try again in a moment"))


class Worker:
    """One process, which does one job after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, command: tuple[str, ...]) -> Worker:
        """Start a process and wait until it can work. Raises OSError, EOFError, TimeoutError."""
        pipe = asyncio.subprocess.PIPE
        worker = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True))
        try:
            async with asyncio.timeout(READY_WITHIN):
                await worker._hear(1 << 10)
        except BaseException:
            await worker.end()
            raise
        return worker

    async def do(self, job: Job, longest: int) -> Reply:
        """Do a job.

        Raises TimeoutError, EOFError (the process died), ValueError (a reply of more than `longest` bytes).
        """
        assert self._process.stdin
        async with asyncio.timeout(job.seconds):
            self._process.stdin.write(framed(job))
            with contextlib.suppress(ConnectionError):  # it died, so there is no answer
                await self._process.stdin.drain()
            return await self._hear(longest)

    async def _hear(self, longest: int) -> Reply:
        assert self._process.stdout
        return msgspec.msgpack.decode(await hear(self._process.stdout, longest), type=Reply)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.returncode is None

    async def end(self) -> None:
        """End the process, whatever its job."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        with contextlib.suppress(ConnectionError):
            await self._process.communicate()  # reads the rest, closes the pipes and waits


class Jobs(ABC):
    """Jobs for worker processes. Subclasses determine where these are."""

    def __init__(self) -> None:
        self._jobs = Tasks()
        self._closed = False
        self.waits = Waits()  #: in which it is counted what waits

    @property
    def home(self) -> int:
        """The process that has started those for records; 0: it is not known."""
        return os.getpid()

    async def do(self, caller: str, name: str, *arguments: Any) -> bytes:
        """Do a job of `cardtable.server.thinking.jobs` for a caller when it is its turn; return its result, as JSON
        or as bytes.

        Raises the CardtableError that the job raises, `record/limit` if it takes too long, TooMany, Busy, WorkFault.
        Cancelling this cancels the job.
        """
        if self._closed:
            raise stopping()
        task = self._jobs.begin(self._do(caller, name, arguments))
        try:
            await self.waits.through(RECORDS, asyncio.wait({task}))
        finally:
            task.cancel()
        if task.cancelled():
            raise stopping()
        return task.result()

    @abstractmethod
    async def _do(self, caller: str, name: str, arguments: tuple[Any, ...]) -> bytes:
        """As `do`, without regard to whether this is closed."""

    async def close(self) -> None:
        """End all jobs."""
        self._closed = True
        await self._jobs.end()


class Workers(Jobs):
    """The processes of a server."""

    def __init__(self, settings: Settings, command: tuple[str, ...] = COMMAND) -> None:
        super().__init__()
        self._settings = settings
        self._command = command
        self._turns = Turns(settings.workers, settings.work_waiting_each, settings.work_waiting)
        self._idle: list[Worker] = []
        self._ending = Tasks()
        self._later: asyncio.TimerHandle | None = None

    async def _do(self, caller: str, name: str, arguments: tuple[Any, ...]) -> bytes:
        s = self._settings
        async with self._turns.turn(caller):
            worker = await self._worker()
            job = Job(name, list(arguments), s.work_seconds, s.work_memory, Switch.plain)
            fit = False
            try:
                reply = await worker.do(job, s.longest_answer)
                fit = not reply.spent
            except TimeoutError:
                why = Message(
                    "it takes longer than {work_seconds} s to be worked through here",
                    work_seconds=format(s.work_seconds, "g"),
                )
                raise too_big(why) from None
            except (EOFError, ValueError):
                raise too_big() from None
            finally:
                self._put_back(worker, fit)
        if reply.fault:
            log.error("a job failed: %s: %s", name, reply.fault)
            raise WorkFault(*FAULT.parts)
        if reply.refused:
            raise refusal(reply.refused)
        return msgspec.msgpack.decode(reply.result, type=bytes)

    async def _worker(self) -> Worker:
        """An idle process, or a new one. Raises WorkFault."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._ending.begin(worker.end())
        try:
            return await Worker.start(self._command)
        except (OSError, EOFError, TimeoutError) as error:
            log.error("no process for records: %r", error)
            raise WorkFault(
                Message("this record"),
                Message("the server cannot work through it now"),
                Message("try again in a moment"),
            ) from None

    def _put_back(self, worker: Worker, fit: bool) -> None:
        """Keep a process for the next job for a while, or end it."""
        if not fit or self._closed:
            self._ending.begin(worker.end())
            return
        self._idle.append(worker)
        if self._later:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(self._settings.work_idle, self._end_idle)

    def _end_idle(self) -> None:
        while self._idle:
            self._ending.begin(self._idle.pop().end())

    async def close(self) -> None:
        """End all jobs and processes."""
        if self._later:
            self._later.cancel()
        await super().close()
        self._end_idle()
        await asyncio.gather(*self._ending, return_exceptions=True)
