"""Folding logs into tables, where it does not hold up the event loop: a log in a thread, a long one in a process.

A match of thousands of moves takes a tenth of a second to play again, more than one request may cost the server's own
process. So a process that reads records (`cardtable.server.thinking.worker`) folds its log and sends the table back;
that costs a few milliseconds here. If no process is free in time, a thread does it, because play must go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import time
from collections.abc import Iterator, Sequence

from cardtable.base.errors import CardtableError
from cardtable.server.store.database import in_database
from cardtable.server.store.store import Store
from cardtable.server.thinking.workers import Jobs
from cardtable.table import Entry, LiveTable
from cardtable.table import events as ev

PART, PAUSE = 32, 0.0005  #: entries of a log between two pauses while it is folded, and seconds of each pause
LONG = 0.04  #: seconds of processor time from which a process folds a log
ENTRY, VIEWER, LETTER = 30e-6, 3e-6, 6e-6  #: seconds for an entry, for each of its viewers, for a letter of a start
PATIENCE = 4.0  #: seconds that a process has


async def folded(store: Store, jobs: Jobs, table: str) -> LiveTable:
    """A table from its log. Raises StoreError, TableFault."""
    lines = await in_database(store.lines, table)
    if lines and cost(lines) > LONG:
        with contextlib.suppress(CardtableError, TimeoutError):  # a fault of the log is found again below
            async with asyncio.timeout(PATIENCE):
                folded_table = pickle.loads(await jobs.do(f"table {table}", "folded", lines))  # of our own process
                assert isinstance(folded_table, LiveTable)
                return folded_table
    return await asyncio.to_thread(lambda: LiveTable.fold(in_parts(lines)))


def cost(lines: Sequence[str]) -> float:
    """About how many seconds of processor time it takes to fold a log that is not empty."""
    created = ev.decode(lines[0]).event
    viewers, start = 1, ""
    if isinstance(created, ev.Created):
        viewers, start = (created.setup.seats or 0) + 1, created.setup.start
    return len(lines) * (ENTRY + VIEWER * viewers) + LETTER * len(start)


def in_parts(lines: Sequence[str]) -> Iterator[Entry]:
    """A log for a thread to fold, with short pauses: whoever folds without one keeps the interpreter for 5 ms each time
    that the event loop needs it.
    """
    for number, line in enumerate(lines, 1):
        yield ev.decode(line)
        if number % PART == 0:
            time.sleep(PAUSE)
