"""What this machine lacks, what tests cost: the checks around the tests."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import compiled
from tests.support import processor_time, programs
from tests.support.commands import ROOT
from tests.support.processor_time import COMPILING, USUAL, ProcessorTime


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The only folder on the PATH, empty; what was found before is forgotten."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    programs.fault.cache_clear()
    yield tmp_path
    programs.fault.cache_clear()


def install(folder: Path, name: str, does: str) -> None:
    """Put a program into a folder."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)


def test_a_program_is_missing_or_broken_or_there(machine: Path) -> None:
    assert programs.fault("nginx") == "there is none"
    programs.fault.cache_clear()
    install(machine, "nginx", "echo no such library >&2; exit 127")
    assert programs.fault("nginx") == f"{machine / 'nginx'} does not start (exit code 127)"
    programs.fault.cache_clear()
    (machine / "nginx").write_text("no program")
    assert programs.fault("nginx") == f"{machine / 'nginx'} does not start (OSError)"
    programs.fault.cache_clear()
    install(machine, "nginx", "exit 0")
    assert programs.fault("nginx") == ""
    assert programs.program("nginx") == str(machine / "nginx")


@pytest.mark.parametrize(("says", "fault"), [("v18.3.0", "v18.3.0 is older than 20"), ("v20.0.1", ""), ("", "start")])
def test_an_old_node_is_none(machine: Path, says: str, fault: str) -> None:
    install(machine, "node", f"echo {says}")
    assert fault in programs.fault("Node")
    assert bool(programs.fault("Node")) == bool(fault)


def test_another_chromium_can_be_named(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert programs.chromium() is None
    install(machine, "chromium", "exit 0")
    assert programs.chromium() == str(machine / "chromium")
    monkeypatch.setenv("CHROMIUM", str(machine / "own"))
    assert "own does not start" in programs.fault("Chromium")


def test_a_test_is_left_out_by_what_it_needs(machine: Path) -> None:
    mark = programs.needs("jq", "openssl").mark
    assert mark.args == (True,)
    assert mark.kwargs["reason"] == "needs jq (there is none): apt-get install jq"
    with pytest.raises(pytest.skip.Exception, match="needs openssl"):
        programs.program("openssl")
    assert programs.needs().mark.args == (False,)


def test_what_is_missing_can_be_an_error(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDTABLE_REQUIRED", raising=False)
    assert programs.missing() == []
    monkeypatch.setenv("CARDTABLE_REQUIRED", "jq,nginx")
    assert [line.split(" (")[0] for line in programs.missing()] == ["needs jq", "needs nginx"]
    install(machine, "jq", "exit 0")
    programs.fault.cache_clear()
    assert [line.split(" (")[0] for line in programs.missing()] == ["needs nginx"]
    monkeypatch.setenv("CARDTABLE_REQUIRED", "all")
    assert "needs caddy (there is none): apt-get install caddy" in programs.missing()
    assert not [line for line in programs.missing() if "torch" in line], "it is never installed there"


def test_what_was_left_out_is_one_line_for_each_reason() -> None:
    why = "Skipped: needs jq (there is none): apt-get install jq"
    assert programs.left_out([why, "Skipped: too slow", why]) == [
        "2 tests: needs jq (there is none): apt-get install jq",
        "1 test: too slow",
    ]


def test_a_bare_machine_has_python_and_no_browser(tmp_path: Path) -> None:
    """A process, because it is a script for the shell."""
    there = tmp_path / "there"
    there.mkdir()
    for name in ("python3", "make", "chromium", "google-chrome-stable", "node", "nginx", "pg_dump", "git"):
        install(there, name, "exit 0")
    (there / "gone").symlink_to(there / "none")
    place = tmp_path / "bare"
    path = f"{there}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [ROOT / "tools" / "bare_path.sh", place], env={"PATH": path}, check=True, capture_output=True, text=True
    )
    assert done.stdout == f"{place}\n"
    assert (place / "python3").resolve() == (there / "python3").resolve()
    names = {file.name for file in place.iterdir()}
    assert {"python3", "make", "bash"} <= names
    assert not names & {"chromium", "google-chrome-stable", "node", "nginx", "pg_dump", "git", "gone"}


# What tests cost


def spent(costs: dict[str, float], slowness: float = 1, **bounds: float) -> list[str]:
    """What is over the bounds, on a machine that is as slow as that."""
    measured = ProcessorTime()
    measured.slowness = slowness
    for name, cost in costs.items():
        measured.count(name, cost)
    config: Any = SimpleNamespace(option=SimpleNamespace(**{"most_each": 0, "most_all": 0} | bounds))
    return measured.faults(config)


def test_what_costs_too_much_is_named() -> None:
    costs = {"a": 1.0, "b": 6.25, "c": 5.0}
    assert spent(costs) == []
    assert spent(costs, most_each=5) == ["b took 6.2 s of processor time; a test may take 5"]
    assert spent(costs, most_all=12) == ["All tests took 12 s of processor time; they may take 12"]
    assert spent(costs, most_all=12.25) == []
    costs = {"fixture a of b": 15.0, "fixture c of b": 15.5}
    line = "fixture c of b took 15.5 s of processor time; what several tests share may take 15"
    assert spent(costs, most_each=5) == [line]


def run_measured(folder: Path, text: str) -> ProcessorTime:
    """What the tests of a file cost."""
    file = folder / f"test_{folder.name}.py"
    file.write_text(textwrap.dedent(text), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = contends\n", "utf-8")
    measured, bounds = ProcessorTime(), SimpleNamespace(pytest_addoption=processor_time.options)
    words = ["-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    assert pytest.main([str(file), *words], [bounds, measured]) == 0
    return measured


def test_what_several_tests_share_is_counted_by_itself(tmp_path: Path) -> None:
    measured = run_measured(
        tmp_path,
        """
        import time
        import pytest

        def work():
            ends = time.process_time() + 0.2
            while time.process_time() < ends:
                pass

        @pytest.fixture(scope="module")
        def shared():
            work()
            yield
            work()

        @pytest.fixture
        def own():
            work()

        def test_a(shared, own):
            pass

        @pytest.mark.contends
        def test_b(shared):
            pass
        """,
    )
    by_name = {name.rpartition("::")[2].partition(" of ")[0]: costs for name, costs in measured.costs.items()}
    assert {name: [cost >= 0.1 for cost in costs] for name, costs in by_name.items()} == {
        "fixture shared": [True],
        "test_a": [True],
        "test_b": [False],
    }
    assert {name.rpartition("::")[2] for name in measured.unbounded} == {COMPILING, "test_b"}
    config: Any = SimpleNamespace(option=SimpleNamespace(most_each=1e-9, most_all=0))
    assert [line.split()[0].rpartition("::")[2] for line in measured.faults(config)] == ["fixture", "test_a"]


@compiled
def test_compiling_is_not_counted_for_the_test_that_came_first(tmp_path: Path) -> None:
    measured = run_measured(
        tmp_path,
        """
        import threading
        import numba
        import pytest

        @pytest.fixture(scope="module")
        def double():
            function = numba.njit(lambda x: 2 * x)
            assert function(2) == 4
            return function

        def test_a(double):
            assert double(2.0) == 4.0

        def test_b(double):
            thread = threading.Thread(target=double, args=(2j,))
            thread.start()
            thread.join()
            assert (numba.types.complex128,) in double.signatures
        """,
    )
    compiling, total = sum(measured.costs[COMPILING]), sum(map(sum, measured.costs.values()))
    assert compiling > 0.8 * total
    assert len(measured.costs[COMPILING]) == 2
    config: Any = SimpleNamespace(option=SimpleNamespace(most_each=compiling / 9, most_all=compiling / 9))
    (line,) = measured.faults(config)
    assert line.startswith("All tests took"), "of the bounds only that of all tests"


def test_a_slow_machine_is_given_more_and_a_fast_one_no_less(tmp_path: Path) -> None:
    costs = {"a": 6.0, "b": 6.5}
    assert spent(costs, 1.25, most_each=5) == ["b took 5.2 s of processor time; a test may take 5"]
    assert spent(costs, 1.25, most_all=10) == []
    for seconds, slowness in ((1.25 * USUAL, 1.25), (0.5 * USUAL, 1.0)):
        yardstick = tmp_path / str(seconds)
        for taken in (seconds, 9 * USUAL):  # an earlier run has written it
            measured = ProcessorTime()
            measured.compiled(taken, yardstick)
            assert measured.slowness == slowness
