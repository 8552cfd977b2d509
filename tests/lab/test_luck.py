"""Skill and luck: shares that are known in games made for it, and results that do not depend on threads."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from cardtable.base.errors import OptionError
from cardtable.lab import Skill, luck, skill
from cardtable.lab.league import DuelTable, duel
from cardtable.lab.luck import FEWEST
from cardtable.lab.simulate import Stopped
from cardtable.rules.ruleset import Ruleset
from tests.conftest import PLAIN

DEALS = 40 if PLAIN else 400


def test_known_parts_are_found() -> None:
    """Results made of a hand's luck (variance 9), seats (-1, 0, 1), players (+0.5, -0.5) and what is left (2.25).

    Seeded (3). Each tolerance is 8 standard errors: other seeds would fail with a chance of 1e-14.
    """
    rng = np.random.RandomState(3)
    deals = 40_000
    results = (
        rng.normal(0.0, 3.0, (deals, 3, 1))
        + np.array([-1.0, 0.0, 1.0])[:, None]
        + np.array([0.5, -0.5])
        + rng.normal(0.0, 1.5, (deals, 3, 2))
    )
    for part, exact, apart in zip(
        luck.parts(results), (9.0, 2 / 3, 0.25, 2.25), (0.34, 0.11, 0.026, 0.086), strict=True
    ):
        assert part == pytest.approx(exact, abs=apart)


def test_pure_luck_and_pure_skill() -> None:
    rng = np.random.RandomState(4)
    cards = np.repeat(rng.normal(0.0, 1.0, (500, 2, 1)), 2, axis=2)
    assert luck.parts(cards)[1:] == pytest.approx([0.0, 0.0, 0.0], abs=0.02)
    player = np.broadcast_to(np.array([1.0, -1.0]), (500, 2, 2)).copy()
    assert luck.parts(player) == pytest.approx([0.0, 0.0, 1.0, 0.0], abs=1e-9)


def figures(found: Skill) -> Skill:
    return dataclasses.replace(found, seconds=0.0)


def test_shares_add_up_and_threads_change_nothing() -> None:
    """Seeded (1). What is larger here is so by 14 standard deviations at least among 24 other seeds."""
    result = skill("fan-tan", "medium", "random", deals=DEALS, seats=4, seed=1)
    assert figures(skill("fan-tan", "medium", "random", deals=DEALS, seats=4, seed=1, threads=3)) == figures(result)
    shares = (result.cards, result.seat, result.player, result.both)
    assert sum(each.share for each in shares) == pytest.approx(1.0)
    assert all(each.low <= each.share <= each.high for each in shares)
    assert PLAIN or result.cards.share > result.seat.share
    data = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert data["cards"]["share"] == result.cards.share
    assert 0 < result.low < result.difference < result.high
    assert result.duplicate_apart < result.deals_apart


def test_the_strong_players_results_are_the_leagues() -> None:
    """With one strong player among weak ones, seat by seat, the league plays the same deals."""
    result = skill("fan-tan", "medium", "random", deals=DEALS, seats=3, seed="same")
    same = duel("fan-tan", "medium", "random", deals=DEALS, seats=3, seed="same")
    table = DuelTable(Ruleset.parse("fan-tan", None, 3), "medium", "random", "same")
    strong = np.mean([luck.crossed(table, number)[:, luck.STRONG].mean() for number in range(DEALS)])
    assert strong == pytest.approx(same.mean_a)
    assert result.strong == same.a


def test_the_effect_of_a_rule_on_skill_is_a_difference_in_the_same_deals() -> None:
    """A rule that changes nothing has none, exactly, and too few deals tell how exactly; the interval of one that does
    is narrower than two alone.

    Seeded (1). It is a ninth as wide; the logarithm of that is 8 standard deviations below 0 among 24 other seeds.
    """
    base, same, other = (
        skill("fan-tan", "medium", "random", deals=DEALS, seats=4, seed=1, options=options)
        for options in ({}, {"layout_side": "6L8R"}, {"pass_chip": 0})
    )
    assert {(each.share, each.low, each.high) for each in base.compare(same).values()} == {(0.0, -math.inf, math.inf)}
    effects = base.compare(other)
    assert set(effects) == {"cards", "seat", "player", "both"}
    assert sum(each.share for each in effects.values()) == pytest.approx(0.0, abs=1e-9)
    change = effects["player"]
    assert change.share == pytest.approx(other.player.share - base.player.share)
    assert change.low < change.share < change.high
    apart = math.hypot(base.player.high - base.player.low, other.player.high - other.player.low)
    assert PLAIN or change.high - change.low < apart
    assert "groups" not in base.as_dict()
    with pytest.raises(ValueError, match="same deals"):
        base.compare(skill("fan-tan", "medium", "random", deals=DEALS, seats=4, seed=2))


def test_a_player_has_no_skill_against_itself() -> None:
    result = skill("fan-tan", "medium", "medium", deals=DEALS, seats=3)
    assert (result.player.share, result.difference, result.deals_apart) == (0.0, 0.0, math.inf)
    assert result.as_dict()["deals_apart"] is None


@pytest.mark.parametrize("how", [{"deals": 3}, {"strong": "genius"}, {"threads": 0}, {"seats": 99}])
def test_what_cannot_be_told_is_refused(how: dict[str, object]) -> None:
    given: dict[str, object] = {"strong": "medium", "weak": "random", "deals": DEALS} | how
    with pytest.raises(OptionError):
        skill("fan-tan", **given)  # type: ignore[arg-type]


@pytest.mark.exhaustive
@pytest.mark.skipif(PLAIN, reason="search needs compiled rules")
def test_search_and_a_game_for_one() -> None:
    assert skill("oh-hell", "search:64", "medium", deals=40).deals == 40
    alone = skill("spider", "medium", "random", deals=40, options={"move_cap": 100})
    assert alone.seat.share == 0.0


def test_a_study_that_is_stopped_has_what_was_played() -> None:
    def stop(done: int) -> None:
        if done >= FEWEST:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        skill("fan-tan", "medium", "random", seats=3, deals=400, seed=1, progress=stop)
    result = stopped.value.found
    assert result.partial
    assert FEWEST <= result.deals < 400
    whole = skill("fan-tan", "medium", "random", seats=3, deals=result.deals, seed=1)
    assert (result.difference, result.variance, result.cards) == (whole.difference, whole.variance, whole.cards)

    with pytest.raises(Stopped) as stopped:  # too few deals for shares
        skill("fan-tan", "medium", "random", seats=3, deals=400, seed=1, progress=lambda done: stop(FEWEST))
    assert stopped.value.found is None
