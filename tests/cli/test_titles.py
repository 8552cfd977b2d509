"""Games on the command line by their titles in the language in use."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardtable.base import languages
from cardtable.base.errors import UnknownGame
from cardtable.cli.titles import english
from cardtable.rules import catalog
from tests.support.commands import run

MADE_UP = {
    "code": "pl",
    "name": "polski",
    "plural": "n != 1",
    "messages": {
        "Scopa": "Miotła",
        "Cassino": "Miotla!",
        "Spider": "Busca",
        "Boodle": "Skarbonka",
        "Thirty-One": "Trzydzieści i jeden",
    },
}


@pytest.fixture
def polish(speak: Callable[..., None]) -> None:
    speak("pl", texts=MADE_UP)


@pytest.mark.parametrize("code", ["en", "de", "fr", "it", "es"])
def test_every_title_opens_the_same_in_every_language(code: str, speak: Callable[..., None]) -> None:
    speak(code)
    for game in catalog.games().values():
        assert english(game.name) == game.name
        for name in game.names:
            assert english(name.title) == name.title
            assert catalog.variant(english(languages.tr(name.title))) == catalog.variant(name.title)


@pytest.mark.usefixtures("polish")
def test_a_title_of_the_language_opens_a_game_or_a_preset() -> None:
    assert english("skarbonka") == "Boodle"
    assert english("Miotła") == "Scopa", "letters differ from those of the other title"
    assert english("Busca") == "Busca", "an English title comes first"
    assert english("no such game") == "no such game"


def test_a_title_of_several_games_is_refused_with_all_of_them(speak: Callable[..., None]) -> None:
    messages = {**MADE_UP["messages"], "Cassino": "Miotła"}  # type: ignore[dict-item]
    speak("pl", texts={**MADE_UP, "messages": messages})
    with pytest.raises(UnknownGame, match=r"several games have this title.*Cassino or Scopa"):
        english("miotła")


@pytest.mark.usefixtures("polish")
def test_a_title_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(UnknownGame, match=r"Did you mean Skarbonka\?"):
        english("skarbonki")


def test_commands_take_titles_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "pl.json").write_text(json.dumps(MADE_UP), "utf-8")
    polish: dict[str, Any] = {languages.SETTING: "pl", languages.VARIABLE: str(tmp_path)}
    title = "Trzydzieści i jeden"
    played = run("play", *title.split(), "--seed", "tea", given="q\n", code=None, **polish)
    assert title in played.stdout + played.stderr
    rules = run("rules", "Miotła", **polish)
    assert rules.stdout == run("rules", "Scopa", **polish).stdout
    several = run("simulate", "Skarbonka", "--deals", "3", "--json", **polish)
    assert json.loads(several.stdout)["game"] == "michigan"
    assert "Skarbonka" in run("play", "Skarbnka", code=2, **polish).stderr
