"""The translations that are shipped: whole, right in what they show, and the same for translators and programs."""

from __future__ import annotations

import json
import sys

import pytest

from tests.support.commands import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import catalogue

LANGUAGES = catalogue.translated()


@pytest.mark.parametrize(
    ("text", "translation", "wrong"),
    [
        ("pass", "passen", ""),
        ("pass", " ", "not translated"),
        ("{source} {source:lays|lay} {card}", "{source} {source:legt|legst|legen} {card}", ""),
        ("{source} {source:lays|lay} {card}", "{source} {source:legt|legst|legen}", "does not show card"),
        ("{source} {source:lays|lay} {card}", "{card} {source:von @|von dir}", "must begin"),
        ("{card} of {seat}", "{seat:@s|deine} {card}", ""),
        ("{card} of {seat}", "{card} von {player}", "no field player"),
        ("{card} of {seat}", "{card} von {seat} {", "a brace"),
        ("{n} {n:card|cards}", "{n} {n:Karte}", "two to four forms"),
        ("{link:Play one}", "{link:Spiel eine|Spiel eins}", "one form"),
        ("{link:Play one}", "{link:Spiel eine}", ""),
        ("Cards: ", "Karten:", "white space"),
    ],
)
def test_a_translation_shows_what_the_text_shows(text: str, translation: str, wrong: str) -> None:
    found = catalogue.fault(text, translation, 2)
    assert wrong in found
    assert bool(found) == bool(wrong)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_whole(code: str) -> None:
    assert list(catalogue.faults(code)) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_programs_read_what_translators_wrote(code: str) -> None:
    kept = json.loads((catalogue.LOCALES / f"{code}.json").read_text("utf-8"))
    assert kept == catalogue.compiled(catalogue.read(catalogue.LOCALES / f"{code}.po", code)), (
        "run tools/catalogue.py compile"
    )
