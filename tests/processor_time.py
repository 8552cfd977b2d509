"""What tests cost: the processor time of each test with its fixtures and the processes that it waited for. The sum is
printed at the end of a run, with `--slowest N` also the N most expensive ones, and `--most-each` and `--most-all` bound
them.

Processor time depends less on what else runs than the clock does, but not only on the test: on a slower or shared
processor everything takes more of it. So a time that is to be compared with a bound is divided by how much longer than
usual a fixed loop takes at that moment.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from typing import Any

import pytest

NAME = "processor_time"  #: of the property of a report: seconds, and how slow the machine was
USUAL = 0.0042  #: seconds of processor time that `probe` takes on the machine on which the bounds were set
LONG = 0.5  #: seconds from which a test's time is worth a look at the machine


def used() -> float:
    """Seconds of processor time of this process, and of those that it waited for."""
    return sum(os.times()[:4])


def probe() -> float:
    """How much longer than usual a fixed piece of work takes: 1.0 on the machine on which the bounds were set; never
    less, so that a fast machine finds what is expensive, too.
    """
    begun = time.process_time()
    total = 0
    for i in range(60_000):
        total += i & 7
    return max(1.0, (time.process_time() - begun) / USUAL)


class ProcessorTime:
    """The plugin of pytest: measures in each worker, and sums up in the process that reports."""

    def __init__(self) -> None:
        self.costs: dict[str, float] = {}
        self._begun = 0.0
        self._ended: float | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        """A test begins."""
        self._begun = used()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> Generator[None, None, None]:
        """What ends with the last test of a process was for all of them: the browser and the servers."""
        self._ended = None if nextitem else used()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, Any]:
        """A test ends with its teardown, whose report takes the figure with it."""
        report = yield
        if call.when == "teardown":
            cost = (self._ended or used()) - self._begun
            report.user_properties = [*report.user_properties, (NAME, cost / probe() if cost > LONG else cost)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What a worker reports."""
        for name, value in report.user_properties:
            if name == NAME:
                self.costs[report.nodeid] = float(str(value))

    def faults(self, config: pytest.Config) -> list[str]:
        """What took more than the bounds allow."""
        each, whole = config.option.most_each, config.option.most_all
        found = [
            f"{name} took {cost:.1f} s of processor time; a test may take {each:g}"
            for name, cost in sorted(self.costs.items())
            if each and cost > each
        ]
        total = sum(self.costs.values())
        if whole and total > whole:
            found.append(f"All tests took {total:.0f} s of processor time; they may take {whole:g}")
        return found

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Tests that passed, but cost too much, fail the run."""
        if exitstatus == pytest.ExitCode.OK and self.faults(session.config):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """The sum, the most expensive tests, and what is over the bounds."""
        if not self.costs:
            return
        most = sorted(self.costs.items(), key=lambda one: -one[1])[: config.option.slowest]
        total = sum(self.costs.values())
        terminalreporter.section("processor time")
        terminalreporter.line(f"{total:.0f} s for {len(self.costs)} tests")
        for name, cost in most:
            terminalreporter.line(f"{cost:6.2f} s  {name}")
        for fault in self.faults(config):
            terminalreporter.line(fault, red=True)


def options(parser: pytest.Parser) -> None:
    """The options of the command line."""
    group = parser.getgroup("processor time")
    group.addoption("--slowest", type=int, default=0, metavar="N", help="print the N tests that took most of it")
    group.addoption("--most-each", type=float, default=0, metavar="SECONDS", help="fail if a test takes more of it")
    group.addoption("--most-all", type=float, default=0, metavar="SECONDS", help="fail if all tests take more of it")
