"""Where the blocks of a study are played: threads, any executor of Python's, or a cluster of Dask's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass

from cardtable.base.errors import CardtableError, OptionError
from cardtable.lab.threads import pool as threads_pool

DASK = "dask:"
RETRIES = 5  #: how often Dask plays a block again that failed, for instance because a machine was out of memory


class EngineError(CardtableError):
    """A cluster that is not installed or does not answer."""

    code, exit_code = "study/executor", 3


@dataclass(frozen=True)
class Engine:
    """An executor, and how many blocks it plays at a time."""

    executor: Executor
    workers: int


@contextmanager
def engine(executor: Executor | str | None, threads: int) -> Iterator[Engine]:
    """The engine of a study; it closes executors that it creates.

    executor: None: threads of this process; an executor, which stays open; or `dask:tcp://host:8786`, a scheduler of
    Dask's whose workers have Cardtable installed. Raises OptionError, EngineError.
    """
    if executor is None:
        pool = threads_pool(threads)
        try:
            yield Engine(pool, threads)
        finally:
            pool.shutdown(cancel_futures=True)
    elif isinstance(executor, str):
        with _dask(executor) as where:
            yield where
    elif isinstance(executor, Executor):
        yield Engine(executor, int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1))
    else:
        raise OptionError(
            f"executor={repr(executor)[:60]}",
            "it is no executor of concurrent.futures",
            "give one, or an address such as dask:tcp://host:8786",
        )


@contextmanager
def _dask(text: str) -> Iterator[Engine]:
    address = text.removeprefix(DASK)
    if not text.startswith(DASK) or not address:
        raise OptionError(
            f"executor {text[:60]!r}",
            "there is no such engine",
            "write the address of a scheduler of Dask's, for instance dask:tcp://host:8786",
        )
    try:
        from distributed import Client
    except ImportError:
        raise EngineError(
            f"executor {text[:60]!r}",
            "Dask is not installed",
            "install it in Cardtable's folder: pip install '.[scale]'",
        ) from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise EngineError(
            f"executor {text[:60]!r}",
            f"the scheduler does not answer: {str(error)[:200]}",
            "start it with: dask scheduler",
        ) from None
    try:
        threads = sum(client.nthreads().values())
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Engine(executor, max(threads, 1))
        finally:
            executor.shutdown(wait=False)
    finally:
        client.close()


def ahead(where: Engine) -> int:
    """How many blocks are under way at a time: enough that no worker waits for the next one."""
    return 4 * where.workers
