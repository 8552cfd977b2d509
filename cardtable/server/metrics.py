"""The server's metrics, for Prometheus; each server has its own registry. Where several processes serve together
(`SHARED` in their environment is a directory), each reports the figures of all.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from cardtable.base import platform
from cardtable.server.store.faults import Fault

FINE = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
Mode = Literal["livesum", "liveall", "livemax", "livemin"]  #: how the figures of several processes are joined
FILES = "/dev/fd"  #: the directory of this process's open files
SHARED = "PROMETHEUS_MULTIPROC_DIR"


def open_files() -> int:
    """The number of open files and connections of this process, including the directory read for this; 0 if the
    system does not report it.
    """
    with contextlib.suppress(OSError):
        return len(os.listdir(FILES))
    return 0


class Metrics:
    """The server's figures. Times are seconds."""

    def __init__(self) -> None:
        self._registry = r = CollectorRegistry()

        def gauge(name: str, text: str, mode: Mode = "livesum", labels: Sequence[str] = ()) -> Gauge:
            return Gauge(f"cardtable_{name}", text, labels, registry=r, multiprocess_mode=mode)

        def counter(name: str, text: str, labels: Sequence[str] = ()) -> Counter:
            return Counter(f"cardtable_{name}", text, labels, registry=r)

        def times(name: str, text: str, labels: Sequence[str] = ()) -> Histogram:
            return Histogram(f"cardtable_{name}_seconds", text, labels, buckets=FINE, registry=r)

        self.tables = gauge("tables", "Tables in memory")
        self.sockets = gauge("sockets", "Open sockets")
        self.connections = gauge("connections", "Open connections")
        self.files = gauge("open_files", "Open files, with connections")
        self.most_files = gauge("open_files_limit", "How many files may be open")
        self.memory = gauge("memory_bytes", "Memory of each server process", "liveall")
        self.workers_memory = gauge(
            "workers_memory_bytes", "Memory of the processes for records and of the pool", "livemax"
        )
        self.waiting = gauge("waiting", "What waits, by queue", labels=["what"])
        self.oldest_wait = gauge(
            "oldest_wait_seconds", "How long the oldest has waited that waits", "livemax", ["what"]
        )
        self.waits = times("wait", "How long those waited that had to", ["what"])
        self.thinking = gauge("bots_thinking", "Bots thinking or waiting to")
        self.commands = counter("commands", "Commands by answer", ["answer"])
        self.refused = counter("refused", "Requests and sockets refused, by reason", ["why"])
        self.delayed = counter("messages_delayed", "Messages that waited because their address used much time")
        self.commit = times("commit", "From an event to the disk")
        self.bots = times("bot", "A bot's decision, waiting included")
        self.store_up = gauge("store_up", "Whether what happens can be saved: 1 or 0", "livemin")
        self.store_up.set(1)
        self.store_faults = counter("store_faults", "Faults of the database, by kind", ["kind"])
        self.free = gauge("database_free_bytes", "Free bytes where the database is; -1: not known", "livemin")
        self.draining = gauge("draining", "Whether the server ends when its last match is over: 1 or 0", "livemax")
        self.reports = gauge("reports_open", "Reports that nobody has dealt with", "livemax")
        self.clock_off = gauge(
            "clock_off_seconds", "How far the clock is from the time that the database knows, if far", "livemax"
        )
        self.lag = times("loop_lag", "How late the event loop is")

    def store_fault(self, fault: Fault | None) -> None:
        """Set or clear the database's fault."""
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
