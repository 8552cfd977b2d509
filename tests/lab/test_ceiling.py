"""What search wins of what could be won: nobody beats an exact ceiling, and a table that was stopped goes on."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import ceiling as table
import pytest
from ceiling import Ceiling, Gauge, Kept, Sample, key_of, measure, summed

from tests.support.effort import cases


def few(deals: int, kept: Kept) -> Ceiling:
    """A table of one game, with little work."""
    return measure("fan-tan", None, deals=deals, iterations=60, states=200_000, seed="test", kept=kept)


@pytest.mark.parametrize("game", cases(["fan-tan", "domino-fan-tan"]))
def test_nobody_beats_a_player_who_sees_all_cards(game: str) -> None:
    """The others always play the heuristic, so in the same deal search gets no more than the best response to it."""
    gauge = Gauge(game, None, seed="test", iterations=60, states=200_000)
    samples = [gauge.sample(number) for number in range(6)]
    assert {each.seat for each in samples} == set(range(gauge.seats))
    exact = [each for each in samples if each.exact]
    assert exact
    assert all(each.open >= max(each.simple, each.search) for each in exact)
    assert all(each.open >= each.simple for each in samples)
    assert any(each.open > each.simple for each in samples)
    assert samples[1] == gauge.sample(1)


def test_without_room_for_an_exact_answer_the_ceiling_is_a_lower_bound() -> None:
    narrow, many = (Gauge("fan-tan", None, seed="test", iterations=60, states=states) for states in (2, 500_000))
    for number in range(4):
        s, seat = narrow.deal(number), number % 4
        (low, sure), (high, exact) = narrow.best_seen(s, seat), many.best_seen(s, seat)
        assert exact
        assert low <= high
        assert not sure or low == high


def test_the_figures_of_samples() -> None:
    samples = [Sample(0, 0, 1.0, 2.0, 0.5, 5.0, True), Sample(1, 1, 0.0, 0.0, 0.5, 0.0, False)]
    found = summed("fan-tan", "denexa", 4, 60, samples)
    assert (found.realised.mean, found.modelled.mean, found.ceiling.mean) == (0.5, 0.5, 2.0)
    assert (found.exact, found.share, found.deals) == (0.5, 0.25, 2)
    assert not found.modelled.known, "two equal gains may be chance"
    assert found.ceiling.high - found.ceiling.mean == pytest.approx(12.706 * 2.0, rel=0.001)
    nothing = summed("fan-tan", "denexa", 4, 60, [samples[1]] * 2)
    assert nothing.as_dict()["share"] is None


def test_what_was_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "ceiling.jsonl"
    few(2, Kept(path))
    with path.open("a") as file:
        file.write('{"of": "torn')
    again = few(4, Kept(path))
    whole = Kept()
    assert again == few(4, whole)
    key = key_of("fan-tan", "denexa", 60, 200_000, "test")
    assert Kept(path).of(key) == whole.of(key)
    assert len(path.read_text().splitlines()) == 4
    assert json.loads(path.read_text().splitlines()[3]) == {"of": key} | asdict(whole.of(key)[3])


def test_the_command_prints_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["ceiling.py", "fan-tan", "spider", "--quick", "--iterations", "60", *words])
        table.main()
        return capsys.readouterr().out

    path = str(tmp_path / "ceiling.jsonl")
    first = told("--keep", path, "--deals", "2")
    rows = first.splitlines()
    assert rows[0] == "| game | seats | realised | modelled | ceiling | exact | share | deals |"
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["Fan Tan"]
    assert rows[2].endswith("| 2 |")
    assert told("--keep", path, "--report") == first
