"""The examples run, at small sizes."""

from __future__ import annotations

import importlib
import importlib.util
import math
import re
import runpy
import sys
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable import envs
from tests.support.commands import ROOT
from tests.support.programs import require
from tests.support.server.served import Served

EXAMPLES = ROOT / "examples"
#: What an example is called with, and what it prints then.
SCRIPTS = {
    "house_rule.py": ("40", r"(?s)one .*group .*any "),
    "own_bot.py": ("1", r"1 matches from each seat: [+-]\d"),
    "play_match.py": ("2", r"(?s)deal 1: seat 0: .*deal 2: .*scores \("),
    "review_record.py": ("100", r"(?s)is (best|good|inaccuracy|mistake|blunder).*average loss"),
    "set_up_position.py": ("20", r"(?s)may play: 8S, QD.*KD: .*FT-25.*<- best.*winner: seat \d"),
}
#: Those that need the extra `learn`: the modules that it brings, an argument and what is printed.
LEARNING = {
    "deep_monte_carlo.py": (
        "torch",
        "0.02",
        r"(?s)\d s, [\d,]+ decisions: among three random [+-]\d.*\d s, [\d,]+ decisions: .*"
        r"learned less medium among three random: [+-]\d.*learned less medium among three medium: [+-]\d",
    ),
    "learn_maskable_ppo.py": (
        "sb3-contrib",
        "0.02",
        r"(?s)[\d,]+ decisions in 0.02 minutes.*"
        r"learned among three random: [+-]\d.*less medium among three random: [+-]\d.*"
        r"learned among three medium: [+-]\d.*less medium among three medium: [+-]\d",
    ),
}


@pytest.fixture
def printed_by(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], str]:
    """What an example prints."""

    def ran(script: str, argument: str) -> str:
        monkeypatch.setattr(sys, "argv", [script, argument])
        monkeypatch.syspath_prepend(EXAMPLES)
        runpy.run_path(str(EXAMPLES / script), run_name="__main__")
        return capsys.readouterr().out

    return ran


@pytest.mark.parametrize("script", SCRIPTS)
def test_example_runs(script: str, printed_by: Callable[[str, str], str], request: pytest.FixtureRequest) -> None:
    if script != "review_record.py":  # a review plays many deals out
        request.getfixturevalue("plainly")
    argument, printed = SCRIPTS[script]
    assert re.search(printed, printed_by(script, argument))


@pytest.mark.exhaustive
@pytest.mark.parametrize("script", LEARNING)
def test_example_learns(script: str, printed_by: Callable[[str, str], str]) -> None:
    needed, argument, printed = LEARNING[script]
    require(needed)
    assert re.search(printed, printed_by(script, argument))


def test_players_are_measured_on_the_same_deals_from_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded ("measure"). The heuristic wins 7.5 chips a deal more, with a standard error of 0.86: the interval of
    40 other deals would reach 0 with a chance of 1e-10.
    """
    monkeypatch.syspath_prepend(EXAMPLES)
    measuring = importlib.import_module("measuring")
    choices: list[tuple[int, bool]] = []

    def thumb(env: envs.VectorTable) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = measuring.thumb(env)
        choices.extend((int(seat), bool(env.obs.mask[i, actions[i]])) for i, seat in enumerate(env.obs.seat))
        return actions

    better, chance = measuring.measure(thumb, "random", 40), measuring.measure(envs.VectorTable.sample, "random", 40)
    assert {seat for seat, _ in choices} == {0, 1, 2, 3}
    assert all(allowed for _, allowed in choices)
    middle, half = measuring.interval(better - chance)
    assert middle - half > 0
    rows = measuring.compare({"a": thumb, "b": thumb}, "random", 3)
    assert rows["a less b among three random"] == (0.0, math.inf)  # the same deals, too few to tell the error


def test_client_plays_at_a_server(server: Served, printed_by: Callable[[str, str], str]) -> None:
    assert "the table is over" in printed_by("client.py", server.url)


def test_every_example_is_run_and_shown() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    assert scripts == {*SCRIPTS, *LEARNING, "client.py", "measuring.py"}
    page = (EXAMPLES / "README.md").read_text("utf-8")
    assert set(re.findall(r"```\{literalinclude\} (\S+)", page)) == scripts
