"""What tests cost: the processor time of each test, of what is set up for it, and of the processes that it waited for.
The sum is printed at the end of a run, with `--slowest N` also the N most expensive ones, and `--most-each` and
`--most-all` bound them. How fixtures end is not counted.

Processor time depends less on what else runs than the clock does, but not only on the test: on a slower or shared
processor everything takes more of it. So a time that is to be compared with a bound is divided by how much longer than
usual a fixed loop takes at that moment.

What is set up once for several tests (fixtures of a module or a session) would be counted for whichever of them came
first. It is a separate row, for which the bound of a test is three times as high.

Processes that share a core's caches still slow each other down by half at times. So with `--again FILE` a test above
its bound does not fail the run: its ID is written to FILE, and `pytest @FILE --most-each N` measures it when nothing
else runs.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest

NAME = "processor_time"  #: of the properties of a report: whose time it is, and the seconds
USUAL = 0.0042  #: seconds of processor time that `probe` takes on the machine on which the bounds were set
SHARED = "fixture "  #: begins the name of what several tests share
LONG = 0.5  #: seconds from which a test's time is worth a look at the machine
PROBES = 5  #: looks at it, of which the median counts


def used() -> float:
    """Seconds of processor time of this process, and of the processes that it waited for."""
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
        #: Of each test once, of what several tests share once for each time that it was set up.
        self.costs: dict[str, list[float]] = {}
        self._dearest: dict[str, tuple[float, str]] = {}  # of each its highest cost, and the test that was running then
        self._begun = 0.0
        self._shared: list[tuple[str, float]] = []  # what was set up during this test, and is shared

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        self._begun, self._shared = used(), []
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """A fixture is made; one that it needs was made before."""
        begun = used()
        made = yield
        if fixturedef.scope != "function":
            self._shared.append((f"{SHARED}{fixturedef.argname} of {request.node.nodeid or 'all'}", used() - begun))
        return made

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, Any]:
        """A test has run; its report takes the figure with it."""
        report = yield
        if call.when == "call":
            cost = used() - self._begun - sum(taken for _, taken in self._shared)
            costs = [(report.nodeid, cost), *self._shared]
            long = max(taken for _, taken in costs) > LONG
            slow = statistics.median(probe() for _ in range(PROBES)) if long else 1.0
            report.user_properties = [*report.user_properties, *((NAME, [name, taken / slow]) for name, taken in costs)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == NAME:
                whose, cost = cast("tuple[str, float]", value)
                self.count(whose, cost, report.nodeid)

    def count(self, name: str, cost: float, test: str) -> None:
        """`name` took `cost` seconds when `test` ran."""
        self.costs.setdefault(name, []).append(cost)
        self._dearest[name] = max(self._dearest.get(name, (cost, test)), (cost, test))

    def above(self, each: float) -> dict[str, str]:
        """What took more than the bound of each, with the test that was running then."""
        lines = {}
        for name, (cost, test) in sorted(self._dearest.items()):
            shared = name.startswith(SHARED)
            most = 3 * each if shared else each
            if each and cost > most:
                whose = "what several tests share" if shared else "a test"
                lines[f"{name} took {cost:.1f} s of processor time; {whose} may take {most:g}"] = test
        return lines

    def faults(self, config: pytest.Config) -> list[str]:
        """What took more than the bounds allow, without what is to be measured again."""
        lines = [] if config.option.again else list(self.above(config.option.most_each))
        total, whole = sum(map(sum, self.costs.values())), config.option.most_all
        if whole and total > whole:
            lines.append(f"All tests took {total:.0f} s of processor time; they may take {whole:g}")
        return lines

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Tests that passed, but cost too much, fail the run."""
        option = session.config.option
        if option.again and not hasattr(session.config, "workerinput"):
            tests = dict.fromkeys(self.above(option.most_each).values())
            Path(option.again).write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
        if exitstatus == pytest.ExitCode.OK and self.faults(session.config):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """The sum, the most expensive tests, and what is over the bounds."""
        if not self.costs:
            return
        summed = {name: sum(costs) for name, costs in self.costs.items()}
        most = sorted(summed.items(), key=lambda one: -one[1])[: config.option.slowest]
        total = sum(summed.values())
        terminalreporter.section("processor time")
        tests = sum(not name.startswith(SHARED) for name in self.costs)
        terminalreporter.line(f"{total:.0f} s for {tests} tests")
        for name, cost in most:
            terminalreporter.line(f"{cost:6.2f} s  {name}")
        for line in {**self.above(config.option.most_each), **dict.fromkeys(self.faults(config))}:
            terminalreporter.line(line, red=True)


def options(parser: pytest.Parser) -> None:
    group = parser.getgroup("processor time")
    group.addoption("--slowest", type=int, default=0, metavar="N", help="print the N tests that took most of it")
    group.addoption("--most-each", type=float, default=0, metavar="SECONDS", help="fail if a test takes more of it")
    group.addoption("--most-all", type=float, default=0, metavar="SECONDS", help="fail if all tests take more of it")
    group.addoption("--again", metavar="FILE", help="write the tests that took more there, instead of failing for them")
