"""The table of grades: all levels answer in the same positions, and the better one makes more of the best moves."""

from __future__ import annotations

import json

import grades
import pytest


def test_levels_answer_in_the_same_positions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fan-tan", "--same", "--levels", "random,simple", "--deals", "6", "--iterations", "200", "--json"]
    monkeypatch.setattr("sys.argv", ["grades.py", *words])
    grades.main()
    told = json.loads(capsys.readouterr().out)
    random, medium = told["fan-tan random"], told["fan-tan simple"]
    assert sum(random.values()) == sum(medium.values()) > 20
    assert medium["best"] > random["best"]
