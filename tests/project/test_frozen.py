"""What a change of the code's shape leaves as it is (tests/support/frozen.py)."""

from __future__ import annotations

import re

import pytest

from cardtable import CardtableError, Match
from cardtable.rules import catalog
from tests.support import frozen
from tests.support.effort import cases

GAMES = list(catalog.games())
PRESETS = [(name, preset) for name in GAMES for preset in catalog.find(name).presets]


def of_preset(lines: list[str], name: str, preset: str) -> list[str]:
    """The lines of the houses of one preset."""
    return [line for line in lines if re.match(rf"{name}-{preset}-\d", line)]


@pytest.mark.parametrize(("name", "preset"), cases(PRESETS, [("scopa", "scopa")]))
def test_play_is_as_it_was(name: str, preset: str) -> None:
    assert frozen.play(name, preset) == of_preset(frozen.kept("play"), name, preset)


def test_every_line_of_play_is_compared() -> None:
    lines = frozen.kept("play")
    assert sum(len(of_preset(lines, *one)) for one in PRESETS) == len(lines) > 300


@pytest.mark.parametrize("name", ["live", "api", "names"])
def test_what_others_build_on_is_as_it_was(name: str) -> None:
    assert frozen.FILES[name]() == frozen.kept(name)


def test_a_change_of_play_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a refusal."""
    (line,) = frozen.kept("play")[:1]
    house = frozen.houses(GAMES[0])[0]
    assert line == f"{house} {frozen.digest(frozen.played(house))}"
    why_not = Match.why_not

    def reworded(m: Match, move: str, seat: int | None = None) -> CardtableError | None:
        if error := why_not(m, move, seat):
            error.code = "game/other"
        return error

    monkeypatch.setattr(Match, "why_not", reworded)
    assert line != f"{house} {frozen.digest(frozen.played(house))}"
