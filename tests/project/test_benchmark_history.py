"""The history of the benchmarks has its form, its picture was drawn from it, and its page shows both."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import benchmark_history as tool
import pytest

from tests.support.commands import ROOT


def test_figures_have_their_form() -> None:
    figures = tool.read()
    assert figures
    for figure in figures:
        datetime.date.fromisoformat(figure.date)
        assert re.fullmatch(r"[0-9a-f]{7,}", figure.commit), figure
        assert figure.unit in ("x", "decisions/s", "deals/s", "rollouts/s", "simulations/s"), figure
        assert (" / " in figure.what) == (figure.unit == "x"), figure
        assert figure.value > 0, figure
        assert figure.machine, figure
        assert figure.how, figure
    assert [figure.date for figure in figures] == sorted(figure.date for figure in figures)
    assert len({(figure.commit, figure.what, figure.unit, figure.how) for figure in figures}) == len(figures)


def test_every_promised_ratio_has_a_history() -> None:
    assert set(tool.promised()) <= {figure.what for figure in tool.read()}


def test_picture_was_drawn_from_these_figures() -> None:
    assert tool.fingerprint() in tool.PICTURE.read_text("utf-8"), "draw it again: python tools/benchmark_history.py"


def test_page_shows_the_picture_and_names_the_data() -> None:
    page = (ROOT / "docs/benchmarks.md").read_text("utf-8")
    assert "](benchmarks/history.svg)" in page
    assert "](benchmarks/history.csv)" in page


def test_page_tells_the_last_figures_of_the_promised_ratios() -> None:
    """The table of the page and the history's last run have the same values in the same order."""
    page = (ROOT / "docs/benchmarks.md").read_text("utf-8").partition("## Start")[0]
    values = [float(value) for value in re.findall(r"^\| [^|]+ / [^|]+ \| ([\d.]+) \|", page, re.MULTILINE)]
    figures = tool.read()
    assert values == [figure.value for figure in figures if figure.commit == figures[-1].commit and figure.unit == "x"]


def test_report_is_added_as_figures(tmp_path: Path) -> None:
    report = {
        "machine": "box",
        "rows": [{"name": "fan-tan", "what": "random play", "value": 12345678.9, "unit": "decisions/s"}],
        "ratios": [{"name": "a / b", "value": 31.4159, "bar": 30.0}],
        "partial": False,
    }
    path = tmp_path / "history.csv"
    path.write_text(tool.HISTORY.read_text("utf-8").partition("\n")[0] + "\n", "utf-8")
    tool.add(tool.figures_of(report, "2026-01-02", "abcdef0"), path)
    assert [(figure.what, figure.value, figure.unit) for figure in tool.read(path)] == [
        ("fan-tan random play", 12350000.0, "decisions/s"),
        ("a / b", 31.42, "x"),
    ]


def test_a_run_that_was_stopped_is_not_added() -> None:
    with pytest.raises(ValueError, match="stopped early"):
        tool.figures_of({"partial": True}, "2026-01-02", "abcdef0")


def test_other_columns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("date,value\n2026-01-02,1\n", "utf-8")
    with pytest.raises(ValueError, match="no columns of a history"):
        tool.read(tmp_path / "other.csv")
