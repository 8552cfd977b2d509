"""Parts of the exhaustive tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import effort
import pytest

ROOT = Path(__file__).resolve().parent.parent
FILE = "tests/test_options.py"


def collected(part: str) -> set[str]:
    """The exhaustive tests of a file that run in a part."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "exhaustive", FILE]
    told = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "CARDTABLE_PART": part}, capture_output=True, text=True, check=True
    ).stdout
    return {line for line in told.splitlines() if line.startswith(FILE)}


@pytest.mark.parametrize("parts", [2, 3])
def test_every_test_is_in_one_part(parts: int) -> None:
    names = [f"tests/test_a.py::test_b[{k}]" for k in range(3000)]
    found = [[name for name in names if effort.chosen(name, f"{k}/{parts}")] for k in range(parts)]
    assert sorted(name for part in found for name in part) == sorted(names)
    assert all(len(part) > 0.9 * len(names) / parts for part in found)
    assert all(effort.chosen(name, "") for name in names)


def test_parts_are_collected_apart() -> None:
    first, second, whole = collected("0/2"), collected("1/2"), collected("")
    assert first
    assert second
    assert not first & second
    assert first | second == whole
