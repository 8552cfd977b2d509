"""The server's metrics, for Prometheus; each server has a registry of its own. Where several processes serve together
(`SHARED` in their environment names a directory), each tells the figures of all.
"""

from __future__ import annotations

import contextlib
import os
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from cardtable.base import platform
from cardtable.server.store.faults import Fault

FINE = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
SUM: Literal["livesum"] = "livesum"
FILES = "/dev/fd"  #: the directory of this process's open files
SHARED = "PROMETHEUS_MULTIPROC_DIR"


def open_files() -> int:
    """How many files and connections this process has open, the directory that is read included; 0 where the system
    does not say.
    """
    with contextlib.suppress(OSError):
        return len(os.listdir(FILES))
    return 0


class Metrics:
    """The server's figures. Times are seconds."""

    def __init__(self) -> None:
        self._registry = r = CollectorRegistry()
        self.tables = Gauge("cardtable_tables", "Tables in memory", registry=r, multiprocess_mode=SUM)
        self.sockets = Gauge("cardtable_sockets", "Open sockets", registry=r, multiprocess_mode=SUM)
        self.connections = Gauge("cardtable_connections", "Open connections", registry=r, multiprocess_mode=SUM)
        self.files = Gauge("cardtable_open_files", "Open files, with connections", registry=r, multiprocess_mode=SUM)
        self.most_files = Gauge(
            "cardtable_open_files_limit", "How many files may be open", registry=r, multiprocess_mode=SUM
        )
        self.memory = Gauge(
            "cardtable_memory_bytes", "Memory of each server process", registry=r, multiprocess_mode="liveall"
        )
        self.workers_memory = Gauge(
            "cardtable_workers_memory_bytes",
            "Memory of the processes for records and of the pool",
            registry=r,
            multiprocess_mode="livemax",
        )
        self.waiting = Gauge("cardtable_waiting", "What waits, by queue", ["what"], registry=r, multiprocess_mode=SUM)
        self.oldest_wait = Gauge(
            "cardtable_oldest_wait_seconds",
            "How long the oldest has waited that waits",
            ["what"],
            registry=r,
            multiprocess_mode="livemax",
        )
        self.waits = Histogram(
            "cardtable_wait_seconds", "How long those waited that had to", ["what"], buckets=FINE, registry=r
        )
        self.thinking = Gauge(
            "cardtable_bots_thinking", "Bots thinking or waiting to", registry=r, multiprocess_mode=SUM
        )
        self.commands = Counter("cardtable_commands", "Commands by answer", ["answer"], registry=r)
        self.refused = Counter("cardtable_refused", "Requests and sockets refused, by reason", ["why"], registry=r)
        self.delayed = Counter(
            "cardtable_messages_delayed", "Messages that waited because their address used much time", registry=r
        )
        self.commit = Histogram("cardtable_commit_seconds", "From an event to the disk", buckets=FINE, registry=r)
        self.bots = Histogram("cardtable_bot_seconds", "A bot's decision, waiting included", buckets=FINE, registry=r)
        self.store_up = Gauge(
            "cardtable_store_up", "Whether what happens can be saved: 1 or 0", registry=r, multiprocess_mode="livemin"
        )
        self.store_up.set(1)
        self.store_faults = Counter("cardtable_store_faults", "Faults of the database, by kind", ["kind"], registry=r)
        self.free = Gauge(
            "cardtable_database_free_bytes",
            "Free bytes where the database is; -1: not known",
            registry=r,
            multiprocess_mode="livemin",
        )
        self.draining = Gauge(
            "cardtable_draining",
            "Whether the server ends when its last match is over: 1 or 0",
            registry=r,
            multiprocess_mode="livemax",
        )
        self.reports = Gauge(
            "cardtable_reports_open", "Reports that nobody has dealt with", registry=r, multiprocess_mode="livemax"
        )
        self.clock_off = Gauge(
            "cardtable_clock_off_seconds",
            "How far the clock is from the time that the database knows, if far",
            registry=r,
            multiprocess_mode="livemax",
        )
        self.lag = Histogram("cardtable_loop_lag_seconds", "How late the event loop is", buckets=FINE, registry=r)

    def store_fault(self, fault: Fault | None) -> None:
        """The database has a fault, or none any more."""
        self.store_up.set(0 if fault else 1)
        if fault:
            self.store_faults.labels(fault.kind).inc()

    def count_files(self) -> None:
        """Count the open files, and look up how many there may be. It takes milliseconds where there are thousands."""
        self.files.set(open_files())
        self.most_files.set(platform.open_files_limit())

    def count_memory(self, home: int) -> None:
        """Look up how much memory the processes take. home: the process that has those for records (the pool, or this
        one); 0: it is not known.
        """
        self.memory.set(platform.memory_of(os.getpid()))
        others = ([home] if home != os.getpid() else []) + (platform.children_of(home) if home else [])
        self.workers_memory.set(sum(map(platform.memory_of, others)))

    def text(self) -> bytes:
        """The figures in Prometheus's format."""
        if SHARED not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
