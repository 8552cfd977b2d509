"""The levels of bots: one word for each of them, wherever people read or type it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardtable.bots import parse_level
from cardtable.bots.levels import LEVELS, WORDS, level_called
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
    assert parse_level("Medium:60") == ("flat", 60, 0.0)


def test_the_browser_has_the_same_words() -> None:
    table = NAMES.partition("export const LEVELS = {")[2].partition("};")[0]
    assert dict(re.findall(r'(\w+): mark\("(\w+)"\)', table)) == WORDS
