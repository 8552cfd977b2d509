"""The league: duplicate deals, rotated seats, intervals; the same figures for one seed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import ladder
import numpy as np
import pytest
from ladder import QUICK, RUNGS, Kept, Rung, climb, houses, rating_of, ratings, usual_seats

from cardtable.base.digits import Form
from cardtable.base.errors import OptionError, UnknownGame
from cardtable.bots.levels import OFFERED
from cardtable.lab.intervals import Mean
from cardtable.lab.league import HALF, ONE, Duel, arrangements, duel, league, table, within
from cardtable.lab.simulate import Stopped
from tests.conftest import PLAIN
from tests.support.effort import cases


def figures(result: Duel) -> Duel:
    return dataclasses.replace(result, seconds=0.0)


def test_every_bot_sits_on_every_seat_equally_often() -> None:
    for seats in range(2, 9):
        for setting in (ONE, HALF):
            ways = arrangements(seats, setting)
            assert len(ways) == len(set(ways))
            assert len({sum(seat in way for way in ways) for seat in range(seats)}) == 1
            assert {len(way) for way in ways} == {1 if setting == ONE else seats // 2}
    assert arrangements(4, HALF) == [(0, 2), (1, 3)]


def test_the_same_seed_gives_the_same_figures_on_any_number_of_threads() -> None:
    one = duel("fan-tan", "flat:8", "medium", deals=20, seed=1)
    assert figures(duel("fan-tan", "flat:8", "medium", deals=20, seed=1, threads=2)) == figures(one)
    assert duel("fan-tan", "flat:8", "medium", deals=20, seed=2).difference != one.difference


def test_a_bot_is_no_better_than_itself() -> None:
    """With the same deals for each arrangement nothing is left of a difference, not even luck, if both play alike."""
    result = duel("fan-tan", "medium", "medium", deals=30, seed=1)
    assert result.difference == pytest.approx(0.0, abs=1e-12)
    assert not result.clear or result.high - result.low < 1e-9


def test_payoffs_of_a_deal_add_up() -> None:
    """Chips are conserved: what one seat of `a` wins three of `b` lose (nothing stays in the pot in strict play)."""
    result = duel("fan-tan", "medium", "random", deals=20)
    assert result.mean_a + 3 * result.mean_b == pytest.approx(0.0, abs=1e-9)
    assert (result.seats, result.deals, result.seat_deals) == (4, 20, 80)
    assert result.low < result.difference < result.high


@pytest.mark.skipif(PLAIN, reason="hundreds of deals take too long in plain Python")
@pytest.mark.parametrize(("name", "bar"), cases([("fan-tan", 5.0), ("five-or-nine", 5.0), ("domino-fan-tan", 5.0)]))
def test_the_rule_of_thumb_beats_chance(name: str, bar: float) -> None:
    """Seeded ("bar"). Over 250 deals the low end of the interval is 8.5 at least on average, and spreads by 0.4 (Domino
    Fan Tan: 12.8, by 0.8): other seeds would fail with a chance of 1e-17.
    """
    assert duel(name, "medium", "random", deals=250, seed="bar").low > bar


def test_a_table_of_all_pairs() -> None:
    duels = league("fan-tan", ["random", "medium", "flat:4"], deals=4)
    assert [(each.a, each.b) for each in duels] == [("medium", "random"), ("flat:4", "random"), ("flat:4", "medium")]
    lines = table(duels).splitlines()
    assert len(lines) == 3
    for each, line in zip(duels, lines, strict=True):
        shown = Form.of([(each.high - each.low) / 2.0], signed=True)
        assert f"{shown(each.difference)}  [{shown(each.low)}, {shown(each.high)}]" in line
    assert np.isfinite([each.low for each in duels]).all()


@pytest.mark.exhaustive
def test_in_a_game_for_one_each_plays_every_deal_alone() -> None:
    assert arrangements(1, ONE) == arrangements(1, HALF) == [(0,), ()]
    result = duel("spider", "medium", "random", deals=2, seed=1, options={"move_cap": 100, "scoring": "points"})
    assert (result.seats, result.deals) == (1, 2)
    assert np.isfinite([result.mean_a, result.mean_b, result.difference, result.low, result.high]).all()
    assert result.difference == pytest.approx(result.mean_a - result.mean_b)
    json.loads(json.dumps(result.as_dict(), allow_nan=False))
    same = duel("spider", "medium", "medium", deals=2, seed=1, options={"move_cap": 100})
    assert same.difference == 0.0
    assert result.text().startswith("Spider ")


def test_a_league_that_is_stopped_has_what_was_played() -> None:
    def interrupt(done: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        league("fan-tan", ["random", "medium", "flat:4"], deals=6, seed=3, progress=interrupt)
    (first,) = stopped.value.found  # compiled bots play so few deals in one go
    assert (first.partial, first.deals) == (False, 6)
    with pytest.raises(Stopped) as stopped:
        duel("fan-tan", "flat:4", "medium", deals=6, seed=3, progress=interrupt)
    (part,) = stopped.value.found
    assert (part.partial, part.deals) == (True, 4)
    assert part.difference == duel("fan-tan", "flat:4", "medium", deals=4, seed=3).difference
    assert table([part]).endswith("(stopped early)")


def test_a_budget_of_time_is_for_levels_that_think_and_have_none() -> None:
    levels = ("medium", "search", "hard:uniform", "flat", "search:0.5s", "search:9:uniform", "os.path:join")
    assert [within(level, 0.02) for level in levels] == [
        "medium",
        "search:0.02s",
        "search:0.02s:uniform",
        "flat:0.02s",
        *levels[4:],
    ]


@pytest.mark.skipif(PLAIN, reason="bots do not search in plain Python")
def test_time_in_a_league_is_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its thread; a choice of a bot that thinks longer takes longer."""
    seconds = iter(range(10**9))
    monkeypatch.setattr("time.thread_time", lambda: float(next(seconds)))
    result = duel("fan-tan", "flat", "medium", deals=2, seed=1, budget=3.0)
    assert (result.a, result.decision_b) == ("flat:3s", 1.0)
    assert result.decision_a == 6.0, "the clock is read six times between: at the beginning, thrice, at the end"


def test_bad_input() -> None:
    with pytest.raises(UnknownGame):
        duel("chess", "medium", "random", deals=10)
    for a, how in (("serch", {}), ("medium", {"deals": 1}), ("medium", {"setting": "two"}), ("medium", {"seats": 13})):
        with pytest.raises(OptionError):
            duel("fan-tan", a, "random", **({"deals": 10} | how))


# The ladder


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
    rated = ratings([rung("random", "soft", 10 / 11), rung("soft", "medium", 0.5), rung("medium", "search", 10 / 11)])
    assert rated == pytest.approx({"random": 1100.0, "soft": 1500.0, "medium": 1500.0, "search": 1900.0})
    assert list(rated) == ["random", "soft", "medium", "search"]
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
