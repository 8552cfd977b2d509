"""Michigan as people play it: rules that no source has, in the order of its rulebook page."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardtable import Match, PositionError
from cardtable.base.cards import parse_set
from tests.games.michigan.michigan_tables import GAME, PRESETS, lying, rule_against, stacked, table
from tests.games.michigan.test_michigan_payments import paid
from tests.support.effort import cases


def chips(m: Match) -> int:
    """All chips, those on the table included."""
    return sum(int(m._s.stacks[p]) for p in range(m.seats)) + int(m._s.pot)


@pytest.mark.rules("MI-C1")
@pytest.mark.parametrize("preset", PRESETS)
def test_everybody_puts_chips_into_the_kitty(preset: str) -> None:
    """After all other stakes, and as far as a stack goes."""
    m = Match(GAME, 3, preset, seed=1, dealer=1, auto=False, kitty=2)
    for _ in range(3 if preset in ("boodle", "spinado") else 0):
        m.play("stake " + m.view(m.actors[0]).zones[0].name.removeprefix("money-") + "4")
    assert lying(m)["kitty"] == 6
    assert chips(m) == 150
    poor = Match(GAME, 3, preset, seed=1, dealer=1, auto=False, kitty=2, credit="table", stack=1)
    assert chips(poor) == 3
    assert "kitty" not in lying(Match(GAME, 3, preset, seed=1))


@pytest.mark.rules("MI-C1")
def test_the_kitty_is_told() -> None:
    lines = paid(Match(GAME, 3, seed=1, dealer=1, auto=False, kitty=2))
    assert lines[:2] == ["seat 2 puts 4 chips on the money cards (MI-06)", "seat 2 puts 2 chips into the kitty (MI-C1)"]


@pytest.mark.rules("MI-C2", "MI-E11")
def test_the_first_out_takes_the_kitty() -> None:
    """MI-E11: after the chips for cards; nothing is left in it."""
    m = stacked(["2H", "2D", "4C 5S"], on={"kitty": 6, "KC": 3}, turn=1, kitty=2)
    m.play("2D")
    assert paid(m) == [
        "seat 2 pays 2 chips to seat 1 for the cards left (MI-30)",
        "seat 0 pays 1 chip to seat 1 for the cards left (MI-30)",
        "seat 1 takes 6 chips from the kitty (MI-C2)",
    ]
    assert [int(m._s.stacks[p]) for p in range(3)] == [29, 39, 28]
    assert lying(m) == {"AH": 0, "KC": 3, "QD": 0, "JS": 0, "kitty": 0}


def test_a_position_names_the_kitty() -> None:
    m = stacked(["2H", "2D", "4C 5S"], on={"kitty": 6, "KC": 3}, turn=1, kitty=2)
    again = Match.from_position(m.position())
    assert m.position().as_dict()["on"] == "KC 3, kitty 6"
    assert (again.position().text, lying(again)) == (m.position().text, lying(m))
    with pytest.raises(PositionError, match="chips lie on AH, KC, QD, JS"):
        stacked(["2H", "2D", "4C 5S"], on={"kitty": 6}, turn=1)


@pytest.mark.rules("MI-C1", "MI-C2")
@pytest.mark.parametrize("preset", cases(PRESETS))
def test_no_chip_is_made_or_lost(preset: str) -> None:
    """In matches at random, whose winner of each deal gets what everybody put in."""
    dice = random.Random(f"kitty {preset}")
    m = Match(GAME, 4, preset, seed="kitty", kitty=3, deals=3)
    total, taken = chips(m), 0
    while m.actors:
        m.play(dice.choice(m.legal(m.actors[0])))
        assert chips(m) == total
        taken += sum(event.amount or 0 for event in m.events if event.rule == "MI-C2")
    assert taken == 3 * 4 * 3
    assert m._s.pot == 0


FULL = {"deal": "equal", "widow": "dead", "first_lead": "low_diamond"}


def whole(hands: list[str], dead: str, **keys: Any) -> Match:
    """The first lead of a deal in which the other cards are shared out as they come."""
    rest = [card for card in ALL if card not in " ".join([*hands, dead]).split()]
    each = len(rest) // len(hands)
    full = [" ".join([hand, *rest[each * i : each * (i + 1)]]) for i, hand in enumerate(hands)]
    return table(full, dead=" ".join([dead, *rest[each * len(hands) :]]), auto=False, options=FULL, **keys)


ALL = [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]


@pytest.mark.rules("MI-C3", "MI-E12")
def test_the_lowest_diamond_is_led() -> None:
    """MI-E12: 2D and 3D are dead, so 4D is led by its holder, wherever they sit; everybody knows that."""
    m = whole(["5D", "KD", "4D 2S"], "2D 3D")
    assert (m.actors, m.legal(2)) == ((2,), ["4D"])
    prompt = m.view(2).prompt
    assert prompt
    assert str(prompt.ask) == "Lead 4D: you hold the lowest diamond."
    assert rule_against(m, "2S") == rule_against(m, "pass") == "MI-C3"
    assert int(m._s.shows[2]) == parse_set("4D")
    assert all(int(m._s.lacks[p]) == parse_set("2D 3D") for p in range(3))
    m.play("4D")
    assert [event.rule for event in m.events if event.kind == "lay"] == ["MI-C3"]
    assert m.actors == (0,)


@pytest.mark.rules("MI-C3")
def test_worlds_keep_to_the_lowest_diamond() -> None:
    m = whole(["5D", "KD", "4D 2S"], "2D 3D")
    for viewer in (0, 1):
        for world in m.view(viewer).worlds(20, seed=1):
            assert int(world.state.hands[2]) & parse_set("4D")
            assert int(world.state.dead) & parse_set("2D 3D") == parse_set("2D 3D")


@pytest.mark.rules("MI-C3")
def test_a_turn_that_is_not_of_the_lowest_diamond_is_refused() -> None:
    with pytest.raises(PositionError, match="lowest diamond"):
        whole(["5D", "KD", "4D 2S"], "2D 3D", turn=0)
    m = whole(["5D", "KD", "4D 2S"], "2D 3D")
    assert Match.from_position(m.position()).position().text == m.position().text


@pytest.mark.rules("MI-C3", "MI-18")
def test_with_all_diamonds_dead_eldest_leads() -> None:
    m = table(
        [" ".join(rank + suit for rank in "A23456789TJQK") for suit in "SHC"],
        dead=" ".join(rank + "D" for rank in "A23456789TJQK"),
        auto=False,
        options={"first_lead": "low_diamond", "widow": "dead"},
    )
    assert (m.actors, m.legal()) == ((1,), ["2H"])
    assert all(int(m._s.lacks[p]) == parse_set(" ".join(rank + "D" for rank in "A23456789TJQK")) for p in range(3))
