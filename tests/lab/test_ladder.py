"""The ladder: each level against the next, its ratings, and that it goes on where it ended."""

from __future__ import annotations

import json
from pathlib import Path

import ladder
import pytest
from ladder import QUICK, RUNGS, Kept, Rung, climb, houses, rating_of, ratings, usual_seats

from cardtable.bots.levels import OFFERED
from cardtable.lab.intervals import Mean
from cardtable.lab.league import duel


def test_the_rungs_are_the_levels_that_people_are_offered() -> None:
    assert RUNGS == (("random", "soft"), ("soft", "medium"), ("medium", "search"), ("search", "expert"))
    assert [lower for lower, _ in RUNGS] + [RUNGS[-1][1]] == list(OFFERED)


def test_a_rung_is_a_duel_of_the_league_with_a_score() -> None:
    rung = climb("fan-tan", None, "soft", "medium", deals=50, seed="s")
    same = duel("fan-tan", "medium", "soft", deals=50, seed="s")
    assert rung.deals == 50
    assert rung.difference.mean == pytest.approx(same.difference)
    assert (rung.difference.low, rung.difference.high) == pytest.approx((same.low, same.high))
    assert rung.clear == (same.low > 0.0)
    assert 0.5 < rung.score.mean < 1.0
    assert rung.rating.low < rung.rating.mean < rung.rating.high


def test_in_a_game_for_one_each_plays_the_deal_alone() -> None:
    rung = climb("spider", "one-suit", "random", "medium", deals=QUICK)
    assert rung.seats == 1
    assert rung.deals == QUICK
    assert 0.5 < rung.score.mean < 1.0
    assert rung.rating.mean == pytest.approx(rating_of(rung.score.mean))


def test_stopped_it_goes_on_and_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = climb("fan-tan", None, "random", "medium", deals=3 * QUICK)
    path = tmp_path / "ladder.jsonl"
    assert climb("fan-tan", None, "random", "medium", deals=10**6, seconds=0.0, blocks=Kept(path)).deals == QUICK
    with path.open("ab") as file:
        file.write(b'{"rung": ["fan-tan", "torn')
    assert climb("fan-tan", None, "random", "medium", deals=3 * QUICK, blocks=Kept(path)) == whole
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["block"] for line in lines] == [0, 1, 2]

    def never(*_: object) -> None:
        raise AssertionError("it is played already")

    monkeypatch.setattr(ladder, "sample", never)
    assert climb("fan-tan", None, "random", "medium", deals=3 * QUICK, blocks=Kept(path)) == whole


def rung(lower: str, upper: str, score: float) -> Rung:
    return Rung("fan-tan", "denexa", 4, lower, upper, 100, Mean(1.0, 0.5, 1.5), Mean(score, score - 0.05, score + 0.05))


def test_ratings_are_counted_from_the_rule_of_thumb() -> None:
    found = ratings([rung("random", "soft", 10 / 11), rung("soft", "medium", 0.5), rung("medium", "search", 10 / 11)])
    assert found == pytest.approx({"random": 1100.0, "soft": 1500.0, "medium": 1500.0, "search": 1900.0})
    assert list(found) == ["random", "soft", "medium", "search"]
    assert rung("random", "soft", 1.0).rating.mean == pytest.approx(rating_of(1.0 - 0.5 / 101))


def test_every_preset_of_every_game_is_a_house() -> None:
    found = list(houses())
    assert len(found) == len(set(found)) > 14
    assert len(list(houses(every=False))) == len({game for game, _ in found})
    assert list(houses(["scopa"], every=False)) == [("scopa", "scopa")]
    assert [usual_seats(*house) for house in [("fan-tan", "denexa"), ("scopa", "scopa"), ("spider", "one-suit")]] == [
        4,
        2,
        1,
    ]
