"""How many entries a second does the database take from several processes?

    python bench/database.py postgresql+psycopg:///cardtable_bench
    python bench/database.py URL --processes 1 2 4 --groups 1 8 64 --seconds 5

Each process writes entries of logs as a server does: in groups of so many, each group by one statement that also
checks the leases of its tables. Told are transactions and entries a second, the processor time of the writers and of
the database's server for an entry, and the bytes of an entry in the write-ahead log and in the table of events.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import secrets
import time
from multiprocessing.queues import Queue
from typing import Any

import sqlalchemy as sa
from processes import Database

from cardtable.server.cluster import leases
from cardtable.server.cluster.alone import Node
from cardtable.server.store.appending import append
from cardtable.server.store.store import Store, Write
from cardtable.table import Entry, Setup
from cardtable.table import events as ev

TABLES = 256  #: of each writer


def write(database: str, group: int, seconds: float, told: Queue[Any]) -> None:
    """In a process: write for a while; tell how many transactions, and the processor time."""
    store = Store(database)
    store.node = secrets.token_hex(8)
    store.run(lambda c: leases.extend(c, Node(store.node, "", "", ""), 3_600_000))
    tables = [secrets.token_hex(8) for _ in range(max(TABLES, group))]
    for table in tables:
        entry = Entry(1, 1, ev.Created(table, Setup("fan-tan"), "owner", "secret", 1, stepwise=True))
        code = secrets.token_hex(4).upper()
        row = {"code": code, "game": "fan-tan", "stage": "playing", "listed": False, "created": 1, "changed": 1}
        store.append(Write(table, entry, row | {"node": store.node, "epoch": 1}, new=True)).result()
    line = store.engine.execution_options(isolation_level="AUTOCOMMIT").connect()
    done, version, began, worked = 0, 1, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        version += 1
        for first in range(0, len(tables) - group + 1, group):
            writes = [
                Write(table, Entry(version, version, ev.Moved(0, "7H", "person"), "owner", version), epoch=1)
                for table in tables[first : first + group]
            ]
            assert append(line, writes, store.node)
            done += 1
    told.put((done, time.perf_counter() - began, time.process_time() - worked))
    line.close()
    store.run(lambda c: leases.leave(c, store.node))
    store.close()


def measured(database: str, processes: int, group: int, seconds: float) -> dict[str, Any]:
    """The figures of some processes that write groups of some size."""
    context = multiprocessing.get_context("spawn")
    there = Database(database)
    before = there.worked(), there.written(), there.stored()
    told: Queue[Any] = context.Queue()
    writers = [context.Process(target=write, args=(database, group, seconds, told)) for _ in range(processes)]
    for writer in writers:
        writer.start()
    found = [told.get() for _ in writers]
    for writer in writers:
        writer.join()
    after = there.worked(), there.written(), there.stored()
    entries = sum(done * group for done, _, _ in found)
    rate = sum(done / took for done, took, _ in found)
    work = sum(worked for _, _, worked in found) / entries
    return {
        "processes": processes,
        "group": group,
        "commits_per_s": round(rate),
        "entries_per_s": round(rate * group),
        "writer_ms_per_entry": round(1000 * work, 3),
        "database_ms_per_entry": round(1000 * (after[0] - before[0]) / entries, 3),
        "wal_bytes_per_entry": round((after[1] - before[1]) / entries),
        "stored_bytes_per_entry": round((after[2] - before[2]) / entries),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--groups", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    engine = sa.create_engine(given.database)
    with engine.connect() as connection:
        settings = {
            name: connection.execute(sa.text(f"SHOW {name}")).scalar() for name in ("fsync", "synchronous_commit")
        }
    print(json.dumps(settings))
    Store(given.database).close()  # makes its tables
    for processes in given.processes:
        for group in given.groups:
            print(json.dumps(measured(given.database, processes, group, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
