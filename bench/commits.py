"""Compare the speed of every game with that at another commit.

    python bench/commits.py bbde72f                       random play and search of every game
    python bench/commits.py bbde72f --rounds 41 spider    only what has `spider` in its label

Each of the two source trees is run by a separate process. The two take turns of 0.2 s of processor time, because the
speed of a machine changes from second to second. A line of JSON for each figure: the label, the unit, the median and
quartiles of the ratios (here / there), and the median speed there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 0.2  #: processor time of one turn

Rates = dict[str, float]  #: speed by unit


class Tree:
    """A process that times what a source tree can do."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
        environment = {**os.environ, "PYTHONPATH": str(path)}
        self._process = subprocess.Popen(
            command, cwd=path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.labels: list[str] = json.loads(self._read())

    def _read(self) -> str:
        assert self._process.stdout
        if not (line := self._process.stdout.readline()):
            raise SystemExit("the process of one of the trees ended: what it printed above says why")
        return line

    def time(self, label: str) -> Rates:
        """The speed of what has this label, timed once."""
        assert self._process.stdin
        print(label, file=self._process.stdin, flush=True)
        rates: Rates = json.loads(self._read())
        return rates

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def serve() -> None:
    """Print all labels, then for each label read from the standard input what it was timed at."""
    from cardtable.lab import bench

    runners = {runner.label: runner for runner in bench.runners((), False)}
    sizes: dict[str, int] = {}
    print(json.dumps(list(runners)), flush=True)
    for line in sys.stdin:
        runner = runners[label := line.strip()]
        if label not in sizes:
            sizes[label] = bench._size(runner, SECONDS)
        rate = runner.run(sizes[label])
        print(json.dumps({unit: done / rate.seconds for unit, done in rate.done.items()}), flush=True)


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit, removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        if subprocess.run([*git, "add", "--quiet", "--detach", str(path), commit], check=False).returncode:
            raise SystemExit(f"{commit} could not be checked out: give a commit that `git log` lists")
        try:
            yield path
        finally:
            subprocess.run([*git, "remove", "--force", str(path)], check=True)


def compare(here: Tree, there: Tree, label: str, rounds: int) -> None:
    """Print what a label's ratios are over some rounds."""
    here.time(label), there.time(label)
    ratios: dict[str, list[float]] = {}
    speeds: dict[str, list[float]] = {}
    for k in range(rounds):
        first, second = (here, there) if k % 2 else (there, here)
        rates = {first: first.time(label), second: second.time(label)}
        for unit in rates[here].keys() & rates[there].keys():
            ratios.setdefault(unit, []).append(rates[here][unit] / rates[there][unit])
            speeds.setdefault(unit, []).append(rates[there][unit])
    for unit, values in sorted(ratios.items()):
        low, median, high = (round(value, 3) for value in statistics.quantiles(values, n=4))
        line = {"label": label, "unit": unit, "ratio": median, "quartiles": [low, high]}
        print(json.dumps(line | {"there": float(f"{statistics.median(speeds[unit]):.4g}")}), flush=True)


def main() -> None:
    """Compare what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("words", nargs="*", help="time only labels that contain one of these")
    parser.add_argument("--rounds", type=int, default=21, help="at least 2")
    asked = parser.parse_intermixed_args()
    if asked.rounds < 2:
        parser.error("--rounds must be at least 2: quartiles are printed")
    with checked_out(asked.commit) as path, contextlib.ExitStack() as stack:
        here, there = Tree(ROOT), Tree(path)
        for tree in (here, there):
            stack.callback(tree.close)
        for label in here.labels:
            if label in there.labels and (not asked.words or any(word in label for word in asked.words)):
                compare(here, there, label, asked.rounds)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
