"""The table of grades: all levels answer in the same positions, and the better one makes more of the best moves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent / "bench" / "grades.py"


def test_levels_answer_in_the_same_positions() -> None:
    words = ["thirty-one", "--same", "--levels", "random,simple", "--deals", "6", "--iterations", "200", "--json"]
    out = subprocess.run([sys.executable, str(BENCH), *words], capture_output=True, text=True, check=True).stdout
    told = json.loads(out)
    random, medium = told["thirty-one random"], told["thirty-one simple"]
    assert sum(random.values()) == sum(medium.values()) > 20
    assert medium["best"] > random["best"]
