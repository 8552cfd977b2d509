"""What tests cost: the processor time of each test, of what is set up for it, and of the processes that it waited for.
The sum is printed at the end of a run, with `--slowest N` also the N most expensive ones, and `--most-each` and
`--most-all` bound them. How fixtures end is not counted.

Processor time depends less on what else runs than the clock does, but not only on the test: on a slower or shared
processor everything takes more of it. So a time that is to be compared with a bound is divided by how much longer than
usual fixed pieces of work take at that moment: one that computes, one that reads memory, one that asks the operating
system. They do not slow down alike, and a test is some mixture of them, so the slowest one counts. They are measured
after each test that took long, and what was measured last holds for short ones. Their medians are printed, too.

What is set up once for several tests (fixtures of a module or a session) would be counted for whichever of them came
first. It is a separate row, for which the bound of a test is three times as high.

Processes that share a core's caches still slow each other down by half at times. So with `--again FILE` a test above
its bound does not fail the run: its ID is written to FILE, and `pytest @FILE --most-each N` measures it when nothing
else runs.
"""

from __future__ import annotations

import functools
import os
import statistics
import time
from array import array
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

NAME = "processor_time"  #: of the properties of a report: whose time it is, and the seconds
MACHINE = "machine"  #: of the properties of a report: how much longer than usual each piece of work took
CELLS = 1 << 21  #: of four bytes: more than a core's own caches hold
SHARED = "fixture "  #: begins the name of what several tests share
LONG = 0.5  #: seconds from which a test's time is worth a look at the machine
PROBES = 5  #: looks at it, of which the median counts


def used() -> float:
    """Seconds of processor time of this process, and of the processes that it waited for."""
    return sum(os.times()[:4])


def computes() -> None:
    total = 0
    for i in range(60_000):
        total += i & 7


@functools.cache
def _next_cells() -> array[int]:
    """For each cell the one that is read after it: each once, far from the one before."""
    ring = (np.arange(CELLS, dtype=np.int64) * 1_664_525 + 1_013_904_223) % CELLS
    return array("i", ring.astype(np.intc).tobytes())


def reads_memory() -> None:
    at, after = 0, _next_cells()
    for _ in range(60_000):
        at = after[at]


def asks_the_system() -> None:
    for _ in range(150):
        os.stat(__file__)
        file = os.open(__file__, os.O_RDONLY)
        os.read(file, 100)
        os.close(file)


#: Fixed pieces of work, and the seconds of processor time that each takes on the machine on which the bounds were set.
USUAL = {computes: 0.0042, reads_memory: 0.011, asks_the_system: 0.0015}


def slowness() -> list[float]:
    """How much longer than usual each piece of work takes now: 1.0 on the machine on which the bounds were set."""
    ratios = []
    for work, usual in USUAL.items():
        times = []
        for _ in range(PROBES):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
        ratios.append(statistics.median(times) / usual)
    return ratios


def judged(seconds: float, machine: list[float]) -> float:
    """What a time would be on the machine on which the bounds were set. A fast machine finds what is expensive, too."""
    return seconds / max([1.0, *machine])


class ProcessorTime:
    """The plugin of pytest: measures in each worker, and sums up in the process that reports."""

    def __init__(self) -> None:
        #: Of each test once, of what several tests share once for each time that it was set up.
        self.costs: dict[str, list[float]] = {}
        self._dearest: dict[str, tuple[float, str]] = {}  # of each its highest cost, and the test that was running then
        self._machine: list[list[float]] = []  # how much longer than usual each piece of work took
        self._begun = 0.0
        self._shared: list[tuple[str, float]] = []  # what was set up during this test, and is shared
        self._latest: list[float] = []  # what `slowness` was last

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
            if long:
                self._latest = slowness()
            figures = [(NAME, [name, judged(taken, self._latest)]) for name, taken in costs]
            report.user_properties = [*report.user_properties, *figures, (MACHINE, self._latest if long else [])]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == NAME:
                whose, cost = cast("tuple[str, float]", value)
                self.count(whose, cost, report.nodeid)
            elif name == MACHINE and value:
                self._machine.append(cast("list[float]", value))

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
        if self._machine:
            medians = (statistics.median(each) for each in zip(*self._machine, strict=True))
            slow = ", ".join(f"{work.__name__} {ratio:.2f}" for work, ratio in zip(USUAL, medians, strict=True))
            terminalreporter.line(f"longer than usual, in the median: {slow}")
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
