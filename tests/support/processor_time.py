"""What tests cost: the processor time of each test, of what is set up for it, and of the processes that it waited for.
The sum is printed at the end of a run, with `--slowest N` also the N most expensive ones, and `--most-each` and
`--most-all` bound them. How fixtures end is not counted.

Which test compiles a rule depends on the order of the tests and on what the cache holds. So compiling in this process
counts as `COMPILING` in the sum, and not for the test.

Processor time depends less on what else runs than the clock does, but not only on the test: on a slower or shared
processor everything takes more of it, and small loops slow down otherwise than tests do. So a time that is to be
compared with a bound is divided by how much longer than usual a large piece of work takes on the same machine, while
the same else runs: compiling the rules of every game, bounds-checked, which the contract's tests begin with. They
write its time to a file (`--yardstick FILE`), and a later run reads it there.

What is set up once for several tests (fixtures of a module or a session) would be counted for whichever of them came
first. It is a separate row, for which the bound of a test is three times as high. A test that works for as long as
processes at its side do (`pytest.mark.contends`) takes more the busier the machine is: it counts only in the sum.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest
from numba.core import event

NAME = "processor_time"  #: of the plugin, and of the properties of a report: whose time it is, and the seconds
UNBOUNDED = "unbounded"  #: of the properties of a report: which test is not bounded
COMPILING = "compiling rules"  #: what counts only in the sum
SHARED = "fixture "  #: begins the name of what several tests share
LOCK = "numba:compiler_lock"  #: the event of Numba when a thread takes its compiler's lock, or gives it back
USUAL = 85.0  #: seconds that compiling the rules takes on the machine on which the bounds were set


def used() -> float:
    """Seconds of processor time of this process, and of the processes that it waited for."""
    return sum(os.times()[:4])


class Compiling(event.Listener):
    """The processor time in which this process has compiled rules or read them from the cache: Numba says when a
    thread takes its compiler's lock, and when it gives it back.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._of_thread = threading.local()  # how often it holds the lock, and its time when it took it first

    def on_start(self, event: Any) -> None:
        held = self._of_thread
        held.depth = getattr(held, "depth", 0) + 1
        if held.depth == 1:
            held.begun = time.thread_time()

    def on_end(self, event: Any) -> None:
        held = self._of_thread
        if not getattr(held, "depth", 0):  # it took the lock before anybody listened
            return
        held.depth -= 1
        if not held.depth:
            self.seconds += time.thread_time() - held.begun


class ProcessorTime:
    """The plugin of pytest: measures in each worker, and sums up in the process that reports."""

    def __init__(self) -> None:
        #: Of each test once, of what several tests share once for each time that it was set up.
        self.costs: dict[str, list[float]] = {}
        self.unbounded = {COMPILING}  #: tests and other things that count only in the sum
        self.slowness = 1.0  #: how much longer than usual everything takes
        self._compiling = Compiling()
        self._begun = self._compiled = 0.0
        self._shared: list[tuple[str, float]] = []  # what was set up during this test, and is shared

    def pytest_configure(self) -> None:
        event.register(LOCK, self._compiling)  # type: ignore[no-untyped-call]

    def pytest_unconfigure(self) -> None:
        event.unregister(LOCK, self._compiling)  # type: ignore[no-untyped-call]

    def compiled(self, seconds: float, yardstick: Path) -> None:
        """Compiling took these seconds in this run; what an earlier one has written counts instead. A fast machine
        finds what is expensive, too.
        """
        if not yardstick.exists() or not yardstick.stat().st_size:
            yardstick.write_text(f"{seconds}\n", "utf-8")
        self.slowness = max(1.0, float(yardstick.read_text("utf-8")) / USUAL)

    def _used(self) -> float:
        """What was used for something else than compiling."""
        return used() - self._compiling.seconds

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        self._begun, self._compiled, self._shared = self._used(), self._compiling.seconds, []
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """A fixture is made; one that it needs was made before."""
        begun = self._used()
        made = yield
        if fixturedef.scope != "function":
            taken = self._used() - begun
            self._shared.append((f"{SHARED}{fixturedef.argname} of {request.node.nodeid or 'all'}", taken))
        return made

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, Any]:
        """A test has run; its report takes the figure with it."""
        report = yield
        if call.when == "call":
            cost = self._used() - self._begun - sum(taken for _, taken in self._shared)
            compiled = self._compiling.seconds - self._compiled
            costs = [(report.nodeid, cost), *self._shared, *([(COMPILING, compiled)] if compiled else [])]
            unbounded = [(UNBOUNDED, report.nodeid)] if item.get_closest_marker("contends") else []
            figures = [(NAME, [name, taken]) for name, taken in costs]
            report.user_properties = [*report.user_properties, *unbounded, *figures]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == NAME:
                self.count(*cast("tuple[str, float]", value))
            elif name == UNBOUNDED:
                self.unbounded.add(cast("str", value))

    def count(self, name: str, cost: float) -> None:
        """`name` took `cost` seconds."""
        self.costs.setdefault(name, []).append(cost)

    def faults(self, config: pytest.Config) -> list[str]:
        """What took more than the bounds allow."""
        lines = []
        each, whole = config.option.most_each, config.option.most_all
        for name, costs in sorted(self.costs.items()):
            shared, cost = name.startswith(SHARED), max(costs) / self.slowness
            most = 3 * each if shared else each
            if each and cost > most and name not in self.unbounded:
                whose = "what several tests share" if shared else "a test"
                lines.append(f"{name} took {cost:.1f} s of processor time; {whose} may take {most:g}")
        total = sum(map(sum, self.costs.values())) / self.slowness
        if whole and total > whole:
            lines.append(f"All tests took {total:.0f} s of processor time; they may take {whole:g}")
        return lines

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Tests that passed, but cost too much, fail the run."""
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
        tests = sum(name != COMPILING and not name.startswith(SHARED) for name in self.costs)
        terminalreporter.line(f"{total:.0f} s for {tests} tests")
        if self.slowness > 1:
            terminalreporter.line(
                f"Everything takes {self.slowness:.2f} times as long as usual; bounds allow for that."
            )
        for name, cost in most:
            terminalreporter.line(f"{cost:6.2f} s  {name}")
        for line in self.faults(config):
            terminalreporter.line(line, red=True)


def options(parser: pytest.Parser) -> None:
    group = parser.getgroup("processor time")
    group.addoption("--slowest", type=int, default=0, metavar="N", help="print the N tests that took most of it")
    group.addoption("--most-each", type=float, default=0, metavar="SECONDS", help="fail if a test takes more of it")
    group.addoption("--most-all", type=float, default=0, metavar="SECONDS", help="fail if all tests take more of it")
    group.addoption(
        "--yardstick", metavar="FILE", help="divide by what compiling took, as this file says; if it is empty, write it"
    )
