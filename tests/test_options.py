"""House rules: what a record lists of them brings them back, whatever was chosen."""

from __future__ import annotations

from typing import Any

import pytest
from houses import House, some_options
from hypothesis import HealthCheck, example, given, settings

from cardtable import catalog
from cardtable.match import Match
from cardtable.record import Record

#: a rule that a chosen rule changes by default, and that was set to what the preset itself has
DEPENDING = (
    House("play-or-pay", "stops", 4, (("settlement", "cards_left"), ("pass_chip", 1))),
    House("play-or-pay", "stops", 4, (("settlement", "cards_left"), ("ante", 1))),
    House("michigan", "michigan", 4, (("jackpot", "on"), ("deals", 4))),
    House("michigan", "jackpot", 4, (("jackpot", "off"), ("deals", 5))),
    House("i-doubt-it", "doubt", 4, (("decks", "2"), ("max_set", 4))),
)


def comes_back(house: House) -> None:
    """What a record would list gives the same house rules, and leaving any of it out does not."""
    options = house.entry.options
    preset, seats, made = options.make(house.preset, house.seats, dict(house.given))
    listed = made.changed(preset, seats)
    assert options.make(preset, seats, listed) == (preset, seats, made)
    assert listed.keys() <= dict(house.given).keys(), "something is listed that nobody set"


def replays(house: House) -> None:
    """The record of a match with these house rules is accepted by the program that wrote it, and has the same rules."""
    m = Match(house.game, house.seats, house.preset, "record", **dict(house.given))
    if m.actors:
        m.play(m.legal(m.actors[0])[0], m.actors[0])
    again = Match.from_record(str(m.record()))
    assert (again.options, str(again.record())) == (m.options, str(m.record()))
    if m.actors:
        assert Match.from_position(m.position().text).options == m.options


def pinned(check: Any) -> Any:
    """The check with the three cases in which rules were lost as its examples."""
    for house in DEPENDING:
        check = example(house=house)(check)
    return check


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(house=some_options())
@pinned
def test_what_a_record_lists_gives_the_same_house_rules(house: House) -> None:
    comes_back(house)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(house=some_options())
@pinned
def test_a_record_of_any_house_rules_replays(house: House) -> None:
    replays(house)


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", list(catalog.games()))
def test_house_rules_of_each_game_come_back_and_replay(game: str) -> None:
    @settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(house=some_options(game))
    def check(house: House) -> None:
        comes_back(house)
        replays(house)

    check()


def test_a_plain_match_lists_only_what_was_set() -> None:
    m = Match("play-or-pay", 4, settlement="cards_left")
    assert m.record().keys["options"] == {"settlement": "cards_left"}
    assert m.position().keys["options"] == {"settlement": "cards_left"}
    for game in catalog.games().values():
        for preset, (low, high) in game.options.seat_range.items():
            for seats in {low, high}:
                assert game.options.make(preset, seats, {})[2].changed(preset, seats) == {}


def test_rows_are_listed_as_lists() -> None:
    m = Match("fan-tan", 3, stack=(10, 20, 30))
    assert m.record().keys["options"] == {"stack": [10, 20, 30]}
    assert Record.parse(str(m.record())).replay().options == m.options
