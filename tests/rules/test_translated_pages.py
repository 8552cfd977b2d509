"""The parts of rulebook pages that are translated: they say what the English page says, whatever the house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from cardtable.base import languages
from cardtable.base.errors import OptionError
from cardtable.base.message import ENGLISH
from cardtable.rules import catalog, rulebook
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset

CODES = [code for code in languages.codes() if (languages.FOLDER / code).is_dir()]
GAMES = list(catalog.games())


def parts(game: Game, code: str) -> tuple[str, str]:
    """The head and How to play, and the help at the terminal, with their marks."""
    return game.pages.parts(code), game.pages.help(code)


def english(game: Game) -> str:
    """The same parts of the English page."""
    page = game.pages.rules
    return page.removesuffix(rulebook.rest(page))


def shape(text: str) -> list[str]:
    """What begins each line: a heading, an item of a list or a paragraph."""
    lines = (re.match(r"(#+ |\d+\. |- )?", line) for line in text.splitlines() if line.strip())
    return [match[1] or "" for match in lines if match]


@cache
def houses(name: str) -> list[Ruleset]:
    """The rules that each preset and each value of a house rule give, with the fewest and the most players."""
    return list(_houses(catalog.games()[name]))


def _houses(game: Game) -> Iterator[Ruleset]:
    for preset in game.presets:
        for seats in sorted(set(game.options.seat_range[preset])):
            yield Ruleset.parse(game, preset, seats)
    for option, kind in game.options.kinds().items():
        for value in kind.values[:4]:
            try:
                yield Ruleset.parse(game, game.presets[0], house_rules={option: value})
            except OptionError:
                continue  # it needs other house rules, too


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_a_translation_has_the_same_parts_under_all_house_rules(name: str, code: str) -> None:
    game = catalog.games()[name]
    language = languages.catalogue(code).language
    assert game.pages.translated(code)
    for ruleset in houses(name):
        arguments = (ruleset.preset, ruleset.options, ruleset.seats)
        own, rest = game.rules_in(language, *arguments)
        _, page = game.rules_in(ENGLISH, *arguments)
        assert page.endswith(rest)
        expected = shape(page.removesuffix(rest))
        assert shape(own) == [*expected, ""], ruleset  # and the line on the rest
        here, there = (
            game.help_here(ruleset.options, ruleset.seats, language),
            game.help_here(ruleset.options, ruleset.seats),
        )
        assert shape(here) == shape(there), ruleset
        for text in (own, here):
            assert "<!--" not in text
            assert not re.search(r"[{}]|  +\S| [.,]", re.sub(r"`[^`]*`", "x", text)), ruleset


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_moves_stay_as_they_are_typed(name: str, code: str) -> None:
    game = catalog.games()[name]
    for own, there in zip(parts(game, code), (english(game), game.pages.help("en")), strict=True):
        assert sorted(set(re.findall(r"`([^`<]+)`", own))) == sorted(set(re.findall(r"`([^`<]+)`", there)))


def test_the_rest_of_a_page_is_in_english_behind_a_line_that_says_so() -> None:
    game = catalog.games()["scopa"]
    ruleset = Ruleset.parse(game, "scopa", 2)
    page = game.rules_here(ruleset.preset, ruleset.options, 2, languages.catalogue("de").language)
    assert page.startswith("# Scopa\n")
    assert "## So wird gespielt\n" in page
    assert page.index("Rest") < page.index("## Players, cards and words")
    assert "## How to play" not in page


def test_a_language_without_a_page_has_the_english_one() -> None:
    game = catalog.games()["scopa"]
    ruleset = Ruleset.parse(game, "scopa", 2)
    other = languages.PLAIN.language
    assert game.rules_in(other, ruleset.preset, ruleset.options, 2)[0] == ""
    assert not game.pages.translated("pl")
    assert not game.pages.translated("../locales/de")
