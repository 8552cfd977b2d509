"""The levels of bots: one word for each of them, wherever people read or type it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardtable import catalog
from cardtable.bots import parse_level
from cardtable.bots.levels import LEVELS, OFFERED, WORDS, level_called
from cardtable.server.replay import level_of
from cardtable.server.told import game_told
from cardtable.table import Setup
from cardtable.table.setup import checked

NAMES = (Path(__file__).resolve().parent.parent / "cardtable" / "server" / "web" / "names.js").read_text("utf-8")


@pytest.mark.parametrize("level", LEVELS)
def test_the_word_may_be_typed(level: str) -> None:
    assert level_called(f" {WORDS[level].upper()}") == level_called(level) == level
    assert parse_level(WORDS[level]) == parse_level(level)
    given = Setup("fan-tan", seats=2, bots=("", WORDS[level]), fill=WORDS[level])
    assert (checked(given).bots, checked(given).fill) == (("", level), level)


def test_a_budget_goes_with_the_word() -> None:
    assert parse_level("hard:0.5s") == ("search", 0, 0.5)
    assert parse_level("Expert:60") == ("expert", 60, 0.0)


@pytest.mark.parametrize("level", ["random", "simple", "flat", "search"])
def test_what_stands_in_old_records_and_databases_is_still_a_level(level: str) -> None:
    assert level_called(level) == level
    assert checked(Setup("fan-tan", seats=2, bots=("", level))).bots == ("", level)
    assert level_of(f"bot: {level}") == level


def test_people_are_offered_a_ladder_without_what_is_for_comparisons() -> None:
    assert [WORDS[level] for level in OFFERED] == ["random", "easy", "medium", "hard", "expert"]
    for name, game in catalog.games().items():
        told = game_told(game).levels
        assert set(told) <= set(OFFERED), name
        assert bool(told) == (game.best[1] > 1), name
        assert not told or "simple" in told, "the usual level is one of them"
        assert not set(told) & set(game.as_good), name
    assert game_told(catalog.find("fan-tan")).levels == list(OFFERED)
    assert game_told(catalog.find("crazy-eights")).levels == list(OFFERED)
    assert game_told(catalog.find("thirty-one")).levels == list(OFFERED)[:-1], "more iterations add little"
    assert game_told(catalog.find("spider")).levels == []


def test_the_browser_has_the_same_words() -> None:
    table = NAMES.partition("export const LEVELS = {")[2].partition("};")[0]
    assert dict(re.findall(r'(\w+): mark\("(\w+)"\)', table)) == WORDS
