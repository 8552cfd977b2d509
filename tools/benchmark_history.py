"""Keep the figures of `cardtable bench`, run by run, and draw the promised ratios over time.

    cardtable bench --json > report.json
    python tools/benchmark_history.py report.json     add the report to docs/benchmarks/history.csv, and draw
    python tools/benchmark_history.py                 only draw docs/benchmarks/history.svg

The table has a line for each figure: the date, the commit that was measured (for figures older than the table, the
commit that recorded them), what was measured, its value and unit (`x`: a ratio, ours over theirs), the machine, and how
it was measured. Drawing needs the extra `docs`.
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import json
import subprocess
import sys
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "docs/benchmarks/history.csv"
PICTURE = ROOT / "docs/benchmarks/history.svg"


@dataclass(frozen=True)
class Figure:
    """One figure of one run."""

    date: str  #: YYYY-MM-DD
    commit: str  #: abbreviated hash
    what: str  #: as `cardtable bench` calls it
    value: float
    unit: str  #: `x`, `decisions/s`, `deals/s`, `rollouts/s` or `simulations/s`
    machine: str
    how: str


def read(path: Path = HISTORY) -> list[Figure]:
    """The figures of a table, in the order of their runs. Raises ValueError if it has other columns."""
    with path.open(encoding="utf-8", newline="") as file:
        lines: Any = csv.DictReader(file)
        if lines.fieldnames != [field.name for field in fields(Figure)]:
            raise ValueError(f"{path.name}: these are no columns of a history: {lines.fieldnames}")
        return [Figure(**{**line, "value": float(line["value"])}) for line in lines]


def figures_of(report: dict[str, Any], date: str, commit: str) -> list[Figure]:
    """The figures in a report of `cardtable bench --json`. Raises ValueError for a run that was stopped early."""
    if report["partial"]:
        raise ValueError("this run was stopped early: measure again")
    speeds = [(f"{row['name']} {row['what']}", row["value"], row["unit"]) for row in report["rows"]]
    ratios = [(ratio["name"], ratio["value"], "x") for ratio in report["ratios"]]
    machine = report["machine"]
    return [Figure(date, commit, what, value, unit, machine, "one run") for what, value, unit in speeds + ratios]


def add(figures: list[Figure], path: Path = HISTORY) -> None:
    """Append figures to a table."""
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows((*astuple(figure)[:3], f"{figure.value:.4g}", *astuple(figure)[4:]) for figure in figures)


def fingerprint(path: Path = HISTORY) -> str:
    """A fingerprint of the table, which the picture contains to show from which table it was drawn."""
    return "SHA-256 of history.csv: " + hashlib.sha256(path.read_bytes()).hexdigest()


def promised() -> dict[str, float]:
    """The ratios that the project promises, by name, with the lowest value of each."""
    from cardtable.lab import bench

    bars = {f"{ours} / {theirs}, {unit}": bar for ours, theirs, unit, bar in bench.BARS if bar}
    return bars | {"oh-hell search / oh_hell is-mcts, median over a deal": bench.MEDIAN_BAR}


def draw(figures: list[Figure], path: Path = PICTURE) -> None:
    """A panel for each promised ratio: its value in each run, and the promised minimum as a dashed line."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    runs = list(dict.fromkeys((figure.date, figure.commit) for figure in figures))
    look = {"svg.hashsalt": "cardtable", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8}
    with mpl.rc_context(look):
        canvas = Canvas(figsize=(10, 8), layout="constrained")
        panels = canvas.subplots(3, 3)
        for panel, (what, bar) in zip(panels.flat, promised().items(), strict=True):
            points = [(runs.index((one.date, one.commit)), one.value) for one in figures if one.what == what]
            panel.plot(*zip(*points, strict=True), "o-", color="#1d5c3a")
            for at, value in points:
                panel.annotate(f"{value:g}", (at, value), textcoords="offset points", xytext=(0, 6), ha="center")
            panel.axhline(bar, color="#a33", linestyle="--", linewidth=1)
            panel.set_title(what.replace(" / ", "\n/ "), loc="left", fontsize=8)
            panel.set_ylim(0, max(bar, *(value for _, value in points)) * 1.25)
            panel.set_xlim(-0.5, len(runs) - 0.5)
            panel.set_xticks(range(len(runs)), [f"{date[5:]}\n{commit}" for date, commit in runs])
            panel.spines[["top", "right"]].set_visible(False)
        about = {"Date": None, "Creator": None, "Description": fingerprint()}
        canvas.savefig(path, format="svg", facecolor="white", metadata=about)
    path.write_text("\n".join(line.rstrip() for line in path.read_text("utf-8").splitlines()) + "\n", "utf-8")


def main(arguments: list[str]) -> int:
    """Add the reports named, then draw. Return an exit code."""
    for name in arguments:
        commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()
        try:
            add(figures_of(json.loads(Path(name).read_text("utf-8")), datetime.date.today().isoformat(), commit))
        except (OSError, ValueError, KeyError, TypeError) as error:
            wanted = "Give a file that `cardtable bench --json` has written."
            print(f"{name} was not added: {error}. {wanted}", file=sys.stderr)
            return 1
    draw(read())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
