"""The benchmark runs, counts decisions and not chance nodes, and makes its ratios round by round.

No speed is asserted.
"""

from __future__ import annotations

import random

import pytest

from cardtable.lab import bench, rivals
from cardtable.lab.stopwatch import Rate
from tests.support.programs import needs, optional


@pytest.mark.exhaustive
def test_random_play_of_a_game_is_told_in_decisions_and_deals() -> None:
    report = bench.bench(["fan tan"], rounds=1, seconds=0.001, rivals=False)
    rows = {row.unit: row for row in report.rows if row.what == "random play"}
    assert {row.name for row in rows.values()} == {"fan-tan"}
    assert 13 < rows["decisions/s"].value / rows["deals/s"].value < 200  # a deal of four hands of 13
    assert report.ratios == ()
    assert "fan-tan" in bench.table(report)


def test_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    ours = [Rate(1.0, {"decisions/s": 60.0}), Rate(2.0, {"decisions/s": 60.0}), Rate(1.0, {"decisions/s": 90.0})]
    theirs = [Rate(1.0, {"decisions/s": 2.0}), Rate(1.0, {"decisions/s": 1.0}), Rate(1.0, {"decisions/s": 1.0})]
    assert bench._ratio(ours, theirs, "decisions/s") == 30.0  # of 30, 30, 90


def test_table_says_which_bars_are_reached() -> None:
    report = bench.BenchReport(
        "box",
        (bench.BenchFigure("fan-tan", "random play", 12_345_678.0, "decisions/s"),),
        (bench.Ratio("a / b", 31.0, 30.0), bench.Ratio("c / d", 4.9, 5.0)),
    )
    lines = bench.table(report).splitlines()
    assert "12.3 M decisions/s" in lines[2]
    assert "31.0 x  (bar 30: reached)" in lines[-2]
    assert "4.9 x  (bar 5: missed)" in lines[-1]
    assert report.as_dict()["ratios"][1] == {"name": "c / d", "value": 4.9, "bar": 5.0}


@pytest.mark.exhaustive
@needs("OpenSpiel")
def test_openspiel_is_counted_in_decisions_of_players() -> None:
    spiel = optional("pyspiel")
    random.seed(1)
    state = spiel.load_game("oh_hell", rivals.RIVALS["oh_hell"]).new_initial_state()
    assert rivals._decisions(state) == 4 + 40  # four bids, ten tricks; 43 chance nodes are not counted
    for runner in (rivals.loop_runner(spiel, "oh_hell"), rivals.rollout_runner(spiel, "oh_hell")):
        done = runner.run(3).done
        assert done["decisions/s"] == 3 * 44


@pytest.mark.exhaustive
@needs("OpenSpiel")
def test_every_bar_names_what_is_run() -> None:
    labels = {runner.label for runner in bench.runners(["fan-tan", "crazy-eights", "oh-hell", "spider"])}
    labels |= {f"{who} {rivals.SOLVING}" for who in ("spider", "kpat")}  # where KPat is installed
    assert {label for ours, theirs, _, _ in bench.BARS for label in (ours, theirs)} <= labels
    assert len({label for label in labels if "choice" in label}) == 2 * len(bench.STEPS) - 1
    assert optional("pyspiel") is rivals.openspiel()
