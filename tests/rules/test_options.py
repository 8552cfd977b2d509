"""House rules: what a record lists of them brings them back, whatever was chosen."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings

from cardtable.base.errors import RecordError
from cardtable.match.match import Match, Record
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.rules.options import PresetWords
from cardtable.rules.ruleset import Ruleset
from cardtable.table import Entry, LiveTable, Setup
from cardtable.table.events import Created, decode, encode
from cardtable.testing.houses import House, play_on, some_options

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
        play_on(m, lambda seat: m.legal(seat)[0])
    again = Match.from_record(str(m.record()))
    assert (again.options, str(again.record())) == (m.options, str(m.record()))
    if m.actors:
        assert Match.from_position(m.position().text).options == m.options


def pinned(check: Any) -> Any:
    """The check with the three cases in which rules were lost as its examples."""
    for house in DEPENDING:
        check = example(house=house)(check)
    return check


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(house=some_options())
@pinned
def test_what_a_record_lists_gives_the_same_house_rules(house: House) -> None:
    comes_back(house)


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(house=some_options())
@pinned
def test_a_record_of_any_house_rules_replays(house: House) -> None:
    replays(house)


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", list(catalog.games()))
def test_house_rules_of_each_game_come_back_and_replay(game: str) -> None:
    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
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
                assert Ruleset.parse(game, preset, seats).changed == {}


def test_rows_are_listed_as_lists() -> None:
    m = Match("fan-tan", 3, stack=(10, 20, 30))
    assert m.record().keys["options"] == {"stack": [10, 20, 30]}
    assert Record.parse(str(m.record())).replay().options == m.options


FORMER = [
    (game.name, version, preset)
    for game in catalog.games().values()
    for version, presets in game.options.former.items()
    for preset in presets
]


@pytest.mark.parametrize(("game", "version", "preset"), FORMER)
def test_a_record_of_earlier_rules_means_what_it_meant(game: str, version: int, preset: str) -> None:
    """A preset that has other house rules now: what was written before the change lists none of them, and is read with
    those of then.
    """
    entry = catalog.find(game)
    then = entry.options.former[version][preset]
    m = Match(game, None, preset, "then", **then)
    for _ in range(6):
        m.play(m.legal(m.actors[0])[0], m.actors[0])
    keys = {name: value for name, value in m.record().keys.items() if name != "options"} | {"version": version}
    again = Match.from_record(Record(keys))
    assert again.options == m.options
    assert again.record().keys["options"] == dict(then), "written again, it says so"
    assert again.record().keys["version"] == entry.version > version
    now = Ruleset.parse(entry, preset).options
    named = {name: now.as_dict()[name] for name in then}
    assert Match.from_record(Record(keys | {"options": named})).options == now, "what it lists itself holds"
    with pytest.raises(RecordError, match="version 0 of the rules"):
        Match.from_record(Record(keys | {"version": 0}))


@pytest.mark.parametrize(("game", "version", "preset"), FORMER)
def test_a_table_of_earlier_rules_means_what_it_meant(game: str, version: int, preset: str) -> None:
    """The log of a live table that was made before the change."""
    entry = catalog.find(game)
    seats = entry.options.seat_range[preset][0]
    setup = Setup(game, preset, seats, bots=("medium",) * seats)
    made = Created("T", setup, "a", "5a" * 32)
    assert decode(encode(Entry(1, 1, made))).event == made
    assert made.version == version == 1
    assert LiveTable.fold([Entry(1, 1, made)]).setup.options == dict(entry.options.former[version][preset])
    now = Created("T", setup, "a", "5a" * 32, entry.version)
    assert LiveTable.fold([Entry(1, 1, now)]).setup.options == {}


def undeclared(game: Game) -> list[str]:
    """Options and presets whose words, rule IDs and page do not agree on what is common practice."""
    wrong = []
    for name, kind in game.options.kinds().items():
        played = game.words[name].played
        practice = re.findall(r"\b[A-Z]{2}-C\d+\b", kind.rules)
        values = {*kind.values, *map(str, range(kind.low, kind.high + 1)), *([] if kind.values else [""])}
        if bool(played) != bool(practice) or not played.keys() <= values:
            wrong.append(name)
        wrong += [rule for rule in practice if f"\n| {rule} | " not in game.rulebook]
    return wrong + [preset for preset, words in game.preset_words.items() if words.played and not words.about]


@pytest.mark.parametrize("name", catalog.games())
def test_common_practice_is_told_from_what_sources_say(name: str) -> None:
    """A value that no source has says where it is played, and its rules are on the page (`XY-C1`)."""
    assert undeclared(catalog.games()[name]) == []


def test_common_practice_that_is_told_in_one_place_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.games()["oh-hell"]
    words = replace(game.words["tiebreak"], played={"all": "in Spain"})
    monkeypatch.setitem(game.words, "tiebreak", words)
    monkeypatch.setitem(game.preset_words, "oh-hell", PresetWords(played="in Spain"))
    assert undeclared(game) == ["tiebreak", "oh-hell"]
