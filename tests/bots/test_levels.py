"""The levels of bots: one word for each of them, wherever people read or type it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import ladder
import pytest

from cardtable.bots import offered as offering
from cardtable.bots import parse_level
from cardtable.bots.levels import LEVELS, OFFERED, WORDS, level_called
from cardtable.bots.offered import measured, offered
from cardtable.lab.intervals import Mean
from cardtable.rules import catalog
from cardtable.server.http.descriptions import game_told
from cardtable.server.thinking.jobs import level_of
from cardtable.table import Setup
from cardtable.table.setup import checked

NAMES = (Path(__file__).resolve().parents[2] / "cardtable" / "web" / "text" / "names.js").read_text("utf-8")


@pytest.mark.parametrize("level", LEVELS)
def test_the_word_may_be_typed(level: str) -> None:
    assert level_called(f" {WORDS[level].upper()}") == level_called(level) == level
    assert parse_level(WORDS[level]) == parse_level(level)
    for written in (WORDS[level], level):
        given = checked(Setup("fan-tan", seats=2, bots=("", written), fill=written))
        assert (given.bots, given.fill) == (("", level), level)
    assert level_of(f"bot: {level}") == level, "in records and databases"


def test_a_budget_goes_with_the_word() -> None:
    assert parse_level("hard:0.5s") == ("search", 0, 0.5)
    assert parse_level("Expert:60") == ("expert", 60, 0.0)


def test_people_are_offered_a_ladder_without_what_is_for_comparisons() -> None:
    assert [WORDS[level] for level in OFFERED] == ["random", "easy", "medium", "hard", "expert"]
    for name, game in catalog.games().items():
        description = game_told(game)
        assert description.levels == description.preset_levels[game.presets[0]]
        for preset in game.presets:
            levels = description.preset_levels[preset]
            assert levels == list(OFFERED)[: len(levels)], (name, preset)
            assert bool(levels) == (game.best[1] > 1), (name, preset)
            assert not levels or "medium" in levels, "the usual level is one of them"
    assert "expert" in game_told(catalog.find("cassino")).levels
    assert "expert" not in game_told(catalog.find("thirty-one")).levels, "more iterations add little"
    assert game_told(catalog.find("spider")).levels == []


@pytest.mark.parametrize(("game", "preset"), list(ladder.houses()))
def test_a_level_is_offered_where_a_league_shows_it_better(game: str, preset: str) -> None:
    variant = catalog.find(game)
    better = measured(variant.package)
    levels = offered(variant, preset)
    assert all(better[game, preset, level] for level in levels[1:])
    if levels and levels != OFFERED:
        assert not better.get((game, preset, OFFERED[len(levels)]))


def rung(upper: str, low: float, *, deals: int = 9, mean: float = 1.0) -> dict[str, Any]:
    """A rung of Scopa, as a file has it."""
    figures = Mean(mean, low, 2.0 if math.isfinite(low) else math.inf)
    return ladder.Rung("scopa", "scopa", 2, "", upper, deals, figures, Mean(0.5, 0.4, 0.6)).as_dict()


@pytest.mark.parametrize(
    ("rungs", "levels"),
    [
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", 0.1), rung("expert", 0.1)], OFFERED),
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", 0.1)], OFFERED[:4]),
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", 0.0), rung("expert", 0.1)], OFFERED[:3]),
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", -math.inf, deals=5)], OFFERED[:3]),
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", -math.inf, deals=6)], OFFERED[:4]),
        ([rung("soft", 0.1), rung("medium", 0.1), rung("search", -math.inf, deals=6, mean=0.0)], OFFERED[:3]),
        ([], OFFERED[:4]),
    ],
    ids=["all", "not measured", "not better", "five alike", "six alike", "six of nothing", "no file"],
)
def test_what_a_file_of_rungs_offers(
    rungs: list[dict[str, Any]], levels: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "files", lambda _: tmp_path)
    monkeypatch.setattr(offering, "files", lambda _: tmp_path)
    ladder.write(rungs)
    measured.cache_clear()
    try:
        assert offered(catalog.find("scopa"), "scopa") == levels
    finally:
        measured.cache_clear()


def test_a_rung_that_is_measured_again_replaces_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "files", lambda _: tmp_path)
    ladder.write([rung("search", 0.5), rung("soft", 0.5)])
    assert ladder.write([rung("search", -0.25)]) == [tmp_path / "ladder.json"]
    data = json.loads((tmp_path / "ladder.json").read_text("utf-8"))
    assert [(each["upper"], each["difference"]["ci95"][0]) for each in data] == [("soft", 0.5), ("search", -0.25)]


def test_the_browser_has_the_same_words() -> None:
    table = NAMES.partition("export const LEVELS = {")[2].partition("};")[0]
    assert dict(re.findall(r'(\w+): mark\("(\w+)"\)', table)) == WORDS
