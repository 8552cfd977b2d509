"""Intervals and p-values: those of textbooks, none where nothing is known, and false alarms as often as they say."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ladder import rung_of

from cardtable.cli.runs import TimeEstimate
from cardtable.lab import Study, luck
from cardtable.lab.intervals import EQUAL, MANY, around, holm, mean_of, p_value, quantile, share_interval, tail
from cardtable.lab.league import Duel, adjusted, duel, league, ratings
from cardtable.lab.simulate import simulate
from cardtable.lab.study import effects
from cardtable.lab.study.rows import Sums
from tests.support.commands import call


def test_the_distribution_is_students() -> None:
    """By the tables of Abramowitz and Stegun (1964), 26.10; with one degree of freedom it is Cauchy's."""
    for clusters, exact in ((2, 12.706), (3, 4.303), (5, 2.776), (10, 2.262), (11, 2.228), (30, 2.045), (121, 1.980)):
        assert quantile(0.95, clusters) == pytest.approx(exact, abs=5e-4)
        assert tail(exact, clusters) == pytest.approx(0.05, abs=1e-4)
    for t in (0.1, 1.0, 3.0, 40.0):
        assert tail(t, 2) == pytest.approx(1.0 - 2.0 / math.pi * math.atan(t), rel=1e-9)
        assert tail(-t, 3) == pytest.approx(1.0 - t / math.sqrt(2.0 + t * t), rel=1e-9)
    assert tail(2.5, MANY) == pytest.approx(tail(2.5, MANY + 1), rel=1e-3)
    assert quantile(0.999, MANY) == pytest.approx(quantile(0.999, MANY + 1), rel=1e-4)
    assert math.isinf(quantile(0.95, 1))


def test_the_interval_of_a_share_is_that_of_clopper_and_pearson() -> None:
    for hits, n, exact in ((0, 10, (0.0, 0.3085)), (5, 10, (0.1871, 0.8129)), (1, 2, (0.0126, 0.9874))):
        assert share_interval(hits, n) == pytest.approx(exact, abs=1e-4)
        assert share_interval(n - hits, n) == pytest.approx((1.0 - exact[1], 1.0 - exact[0]), abs=1e-4)
    for n in (2, 5, 10, 30):  # exact: the chance of each number of hits is known
        known = [share_interval(hits, n) for hits in range(n + 1)]
        for p in np.linspace(0.005, 0.995, 199):
            chances = [math.comb(n, hits) * p**hits * (1.0 - p) ** (n - hits) for hits in range(n + 1)]
            missed = sum(c for c, (low, high) in zip(chances, known, strict=True) if not low <= p <= high)
            assert missed <= 0.05 + 1e-9


def test_a_family_is_adjusted_and_what_has_no_p_counts_in_it() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    adjusted_p = holm([0.02, math.nan, 0.6])
    assert (adjusted_p[0], adjusted_p[2]) == pytest.approx((0.06, 1.0))
    assert math.isnan(adjusted_p[1])


@pytest.mark.parametrize("values", [[3.0], [0.0] * 2, [1.0] * 30, [0.1 + 0.2, 0.3]])
def test_equal_figures_of_few_clusters_have_no_interval(values: list[float]) -> None:
    mean = mean_of(values)
    assert not mean.known
    assert math.isinf(mean.high)
    assert mean.as_dict()["ci95"] == [None, None]
    assert math.isnan(p_value(mean.mean, 0.0, len(values)))


def test_equal_figures_of_many_clusters_are_exact() -> None:
    assert 0.99**EQUAL < 0.05
    assert (mean_of([2.0] * EQUAL).low, mean_of([2.0] * EQUAL).high) == (2.0, 2.0)
    assert p_value(0.0, 0.0, EQUAL) == 1.0
    assert p_value(2.0, 0.0, EQUAL) < 1e-50


def of_matches(counts: Any, paid: Any) -> Sums:
    """The sums of two cells, from the deals of their matches and what was paid in them: arrays (matches, cells)."""
    both = np.concatenate([counts, paid], axis=1).astype(np.int64)
    deals, total = np.asarray(counts).sum(axis=0), both[:, 2:].sum(axis=0)
    squares = np.ones((1, 2), np.int64) * 10**6
    return Sums(np.count_nonzero(counts, axis=0), deals, deals, squares, (both.T @ both)[None], total[None])


def compared(sums: Sums) -> effects.Effect:
    return effects.effect(sums, 0, [0], [1], ("a", "b"), "x")


def test_an_effect_of_one_match_or_of_few_equal_ones_has_no_p() -> None:
    one = compared(of_matches([[4, 4]], [[8, 4]]))
    two = compared(of_matches([[4, 4]] * 2, [[0, 4], [8, 12]]))
    assert two.difference == 1.0
    for each in (one, two, *effects.adjusted([one, two])):
        assert math.isinf(each.low)
        assert math.isnan(each.p)
        assert not each.clear
        json.dumps(each.as_dict(), allow_nan=False)


def test_the_cell_with_fewer_matches_gives_the_degrees_of_freedom() -> None:
    """30 matches of one deal in one cell, and two of 15 in the other."""
    dice = np.random.RandomState(1)
    counts, paid = np.zeros((30, 2), np.int64), dice.randint(-9, 9, (30, 2))
    counts[:, 0], counts[:2, 1] = 1, 15
    paid[2:, 1] = 0
    result = compared(of_matches(counts, paid))
    assert result.matches == 2
    assert result.high - result.difference == pytest.approx(12.706 * result.error, rel=1e-3)


def luck_of(dice: np.random.RandomState, shape: tuple[int, ...]) -> Any:
    """What a player gets by chance in Fan Tan, roughly: most lose a little, and some win more."""
    return np.where(dice.random_sample(shape) < 0.25, dice.randint(3, 16, shape), -dice.randint(1, 6, shape))


def of_effects(dice: np.random.RandomState, n: int) -> tuple[float, float]:
    """Two cells whose matches have four deals each, with the same distribution of payoffs, and half of the luck."""
    paid = luck_of(dice, (n, 4, 2)) + luck_of(dice, (n, 1, 1))
    result = compared(of_matches(np.full((n, 2), 4), paid.sum(axis=1)))
    return result.p, min(result.high, -result.low)


def of_family(dice: np.random.RandomState, n: int) -> tuple[float, float]:
    """Five comparisons between cells without a difference: the smallest adjusted p, and the clearest interval."""
    alone = [compared(of_matches(np.full((n, 2), 4), luck_of(dice, (n, 4, 2)).sum(axis=1))) for _ in range(5)]
    found = effects.adjusted(alone)
    return min(each.p for each in found), min(min(each.high, -each.low) for each in found)


def of_duels(dice: np.random.RandomState, n: int) -> tuple[float, float]:
    """Three equal bots in a league: the smallest adjusted p, and the clearest of the intervals."""
    of = {name: luck_of(dice, (n, 4)).mean(axis=1) for name in "abc"}
    found = adjusted([made(a, b, of[a] - of[b]) for a, b in ("ba", "ca", "cb")])
    return min(each.p for each in found), min(min(each.high, -each.low) for each in found)


def made(a: str, b: str, differences: Any) -> Duel:
    mean = mean_of(differences)
    error = 0.0 if not mean.known else (mean.high - mean.mean) / quantile(0.95, len(differences))
    return Duel(
        "fan-tan",
        "denexa",
        4,
        "one",
        a,
        b,
        len(differences),
        4,
        "0",
        0.0,
        0.0,
        mean.mean,
        mean.low,
        mean.high,
        0.0,
        "Fan Tan",
        p=p_value(mean.mean, error, len(differences)),
        differences=tuple(map(float, differences)),
    )


def of_rungs(dice: np.random.RandomState, n: int) -> tuple[float, float]:
    """A rung of the ladder between equal levels: its score is one half."""
    samples = [(float(x), float(np.sign(x) + 1) / 2) for x in luck_of(dice, (n, 8)) @ np.repeat([1, -1], 4)]
    rung = rung_of(("fan-tan", "denexa", "a", "b", "0"), 4, samples)
    assert rung.score.known == rung.rating.known
    return math.nan, min(rung.difference.high, -rung.difference.low)


@pytest.mark.parametrize("n", [2, 5, 10, 30])
@pytest.mark.parametrize("null", [of_effects, of_family, of_duels, of_rungs])
def test_false_alarms_are_as_many_as_they_say(
    null: Callable[[np.random.RandomState, int], tuple[float, float]], n: int
) -> None:
    """Seeded (1). With an error of 5% more than 89 of 1,000 have a chance of 1e-7 (binomial), for other seeds. By the
    normal distribution two matches give more than 250.
    """
    dice = np.random.RandomState(1)
    found = [null(dice, n) for _ in range(1000)]
    assert sum(p < 0.05 for p, _ in found) <= 89
    assert sum(side < 0.0 for _, side in found) <= 89


def test_the_shares_of_skill_have_their_error() -> None:
    """Seeded (1), 400 times 40 deals of four seats between equal players, whose share is 0. With an error of 5% more
    than 46 false alarms have a chance of 1e-7 (binomial), for other seeds.
    """
    dice, wrong = np.random.RandomState(1), [0, 0]
    for _ in range(400):
        cards = dice.normal(0.0, 1.0, (40, 4, 1))
        result = luck._skill(("", "", "", 4, {}, "", "", ""), cards + dice.normal(0.0, 1.0, (40, 4, 2)), 0.0, False)
        wrong[0] += result.low > 0.0 or result.high < 0.0
        wrong[1] += result.player.low > 0.0
    assert max(wrong) <= 46


def test_equal_results_have_no_interval_anywhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in a league, a simulation, a study and a table of skill, for people and for programs."""
    same = duel("fan-tan", "random", "random", deals=2, seed=1)
    assert (same.difference, same.clear) == (0.0, False)
    assert math.isnan(same.p)
    assert "(the same in every deal: no interval)" in same.text()
    one = simulate("fan-tan", 4, seats=4, seed=1)
    assert (one.matches, one.eldest.known, one.payoff[0].known) == (1, False, False)
    for words in (
        ("simulate", "fan-tan", "--deals", "4", "--seats", "4"),
        ("study", "fan-tan", "--grid", "ante=1,2", "--deals", "4", "--seats", "4"),
        ("study", "fan-tan", "--compare", "ante=1,2", "--deals", "4", "--seats", "4"),
        ("study", "fan-tan", "--grid", "ante=1,2", "--deals", "8", "--seats", "4", "--measure", "length"),
        ("skill", "fan-tan", "--strong", "random", "--weak", "random", "--deals", "40"),
        ("league", "fan-tan", "random", "easy", "--deals", "2"),
    ):
        code, out, _ = call(capsys, *words)
        assert code == 0
        assert "inf" not in out
        assert "nan" not in out
        code, out, _ = call(capsys, *words, "--json")
        assert code == 0
        assert "NaN" not in out
        assert "Infinity" not in out
    study = Study("fan-tan", 4, deals=4, seed=1).grid(ante=[1, 2]).run("eldest")
    assert math.isnan(study.compare("ante=1", "ante=2").p)
    assert "nan" not in study.html()


def test_a_league_of_several_bots_is_adjusted_and_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    levels = ["random", "soft", "medium"]
    result = league("fan-tan", levels, deals=40, seed=1)
    alone = [duel("fan-tan", each.a, each.b, deals=40, seed=1) for each in result]
    assert [each.p for each in result] == pytest.approx(holm([each.p for each in alone]))
    wider = quantile(1.0 - 0.05 / 3, 40) / quantile(0.95, 40)
    for each, other in zip(result, alone, strict=True):
        assert each.high - each.difference == pytest.approx((other.high - other.difference) * wider)
    rated = ratings(result)
    assert list(rated) == ["medium", "soft", "random"]
    assert sum(each.mean for each in rated.values()) == pytest.approx(0.0, abs=1e-9)
    assert rated["medium"].mean == pytest.approx((result[1].difference + result[2].difference) / 3)
    assert ratings(result[:2]) == {}, "not all have played each other"
    words = ("league", "fan-tan", "random", "easy", "medium", "--deals", "40", "--seed", "1")
    _, out, _ = call(capsys, *words)
    assert "The intervals hold all together at 95%, and p is adjusted by Holm." in out
    lines = out.splitlines()
    told = lines[lines.index("rating: how much more each gets in a deal than the average of all") + 1 :]
    assert [line.split()[:2] for line in told] == [["1", "medium"], ["2", "easy"], ["3", "random"]]
    first = json.loads(call(capsys, *words, "--json")[1])[0]
    assert first["rating_b"]["mean"] == pytest.approx(rated["random"].mean)
    assert first["p"] == pytest.approx(result[0].p)
    assert "Holm" not in call(capsys, "league", "fan-tan", "random", "easy", "--deals", "40")[1]


def test_remaining_time_is_counted_from_the_first_deals(capsys: pytest.CaptureFixture[str]) -> None:
    """Compiling took a thousand seconds; then each deal takes one."""
    clock = iter([1000.0, 1001.0, 1002.0, 1003.0])
    estimate = TimeEstimate(92, lambda: next(clock))
    for _ in range(4):
        estimate(1)
    assert "4 of 92 deals are played; the rest takes about 88 seconds" in capsys.readouterr().err


def test_a_mean_is_around_its_middle() -> None:
    assert around(1.0, 2.0, 2).high == pytest.approx(1.0 + 2.0 * 12.7062, rel=1e-5)
