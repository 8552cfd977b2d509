"""Small pictures of figures: intervals on an axis, histograms; they are drawn on a terminal only."""

from __future__ import annotations

import json
import math

import pytest

from cardtable.cli.charts import histogram, intervals
from tests.support.commands import here
from tests.support.terminal import Terminal


def test_intervals_stand_on_one_axis_with_0() -> None:
    lines = intervals([(-2.0, -1.0, 0.0), (1.0, 1.5, 2.0), (-math.inf, 2.0, math.inf)], 9)
    assert lines == ["│─●─│", "    ┊ │●│", "    ┊   ●"]
    assert intervals([(0.0, 0.0, 0.0)], 9) == ["●"]


def test_a_histogram_counts_everything_once() -> None:
    counts = [0] * 50
    counts[10], counts[11], counts[29] = 2, 2, 1
    lines = histogram(counts, rows=5, width=8)
    assert [(low, high) for low, high, _, _ in lines] == [(10, 13), (14, 17), (18, 21), (22, 25), (26, 29)]
    assert [round(share, 2) for _, _, share, _ in lines] == [0.8, 0.0, 0.0, 0.0, 0.2]
    assert [bar for _, _, _, bar in lines] == ["████████", "", "", "", "██"]
    assert histogram([0, 0]) == []
    assert [(low, high) for low, high, _, _ in histogram([0, 3])] == [(1, 1)]


WORDS = ("simulate", "fan-tan", "--deals", "20", "--bot", "medium", "--seed", "7")


def test_a_terminal_gets_pictures_and_a_program_does_not() -> None:
    table = Terminal(*WORDS)
    output = table.until("█")
    assert "payoff a deal, with its 95% interval; ┊ is 0" in output
    assert "●" in output
    assert "moves a deal" in output
    assert table.close() == 0
    plain = here(*WORDS).stdout
    assert "●" not in plain
    assert "█" not in plain
    assert "lengths" not in json.loads(here(*WORDS, "--json").stdout)


@pytest.mark.exhaustive
def test_a_league_is_drawn() -> None:
    table = Terminal("league", "fan-tan", "medium", "random", "--deals", "20")
    output = table.until("●")
    assert "difference in a deal, with its 95% interval; ┊ is 0" in output
    assert table.close() == 0
