"""The translations that are shipped: right in what they show, the same for translators and programs, and English where
they have no text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from cardtable.base import languages
from tests.support.commands import ROOT, here

sys.path.insert(0, str(ROOT / "tools"))

import catalogue

LANGUAGES = catalogue.translated()


@pytest.mark.parametrize(
    ("text", "translation", "wrong"),
    [
        ("pass", "passen", ""),
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
def test_nothing_in_a_language_is_wrong(code: str) -> None:
    assert list(catalogue.faults(code)) == []


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """German without a gap, for tools and programs. `written` makes a change of it known to them."""
    for name, texts in (("de", catalogue.template()), ("click-de", catalogue.of_click())):
        full = catalogue.read(catalogue.LOCALES / f"{name}.po", "de")
        for each in texts:
            if each.id and not (each.id in full and catalogue.is_done(full[each.id])):
                full.add(each.id, each.id)
        (tmp_path / f"{name}.po").write_text(catalogue.written(full), "utf-8")
    monkeypatch.setattr(catalogue, "LOCALES", tmp_path)
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.catalogue.cache_clear()
    yield catalogue.read(tmp_path / "de.po", "de")
    languages.catalogue.cache_clear()


def written(changed: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    (catalogue.LOCALES / "de.po").write_text(catalogue.written(changed), "utf-8")
    assert tool(monkeypatch, "compile") == 0


def tool(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of tools/catalogue.py."""
    monkeypatch.setattr(sys, "argv", ["catalogue.py", *words])
    return catalogue.main()


IN_ENGLISH = "The rulebook is in English."
WHOLE = "The whole rulebook page: {command}."


def test_a_text_that_is_not_translated_is_shown_in_english(german: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the terminal, and in the catalogue that a browser is given: it has no such text. It is no fault."""
    german[IN_ENGLISH].string = ""
    german[WHOLE].flags.add("fuzzy")
    written(german, monkeypatch)
    page = here("rules", "scopa", CARDTABLE_LANGUAGE="de").stdout
    assert IN_ENGLISH in page
    assert "The whole rulebook page: `cardtable rules scopa --all`." in page
    served = languages.catalogue("de").as_dict()["messages"]
    assert {IN_ENGLISH, WHOLE} & set(served) == set()
    assert len(served) > 3000
    assert list(catalogue.faults("de")) == []
    assert set(catalogue.missing("de")) == {IN_ENGLISH, WHOLE}


def test_what_is_missing_is_noted_and_what_is_wrong_is_a_fault(
    german: Catalog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    german[WHOLE].string = ""
    german.add("A text that was changed since.", "Ein Text, der seitdem geändert wurde.")
    written(german, monkeypatch)
    assert tool(monkeypatch, "check") == 0
    head, *told = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"de: not translated, so shown in English: 1 of \d{4} texts", head)
    assert told == [f"    {WHOLE!r}", "0 faults"]
    german[WHOLE].string = "Das ganze Regelbuch."
    written(german, monkeypatch)
    assert tool(monkeypatch, "check") == 1
    assert capsys.readouterr().out.splitlines() == [f"de: {WHOLE!r}: it does not show command", "1 faults"]


def test_a_language_is_brought_up_to_date(german: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is not there any more is dropped; one that is marked as fuzzy stays marked."""
    german.add("A text that was changed since.", "Ein Text, der seitdem geändert wurde.")
    german[WHOLE].flags.add("fuzzy")
    written(german, monkeypatch)
    assert tool(monkeypatch, "update", "de") == 0
    now = catalogue.read(catalogue.LOCALES / "de.po", "de")
    assert "A text that was changed since." not in now
    assert now[WHOLE].fuzzy
    assert now[WHOLE].string == german[WHOLE].string
    assert catalogue.missing("de") == [WHOLE]


@pytest.mark.parametrize("code", LANGUAGES)
def test_programs_read_what_translators_wrote(code: str) -> None:
    kept = json.loads((catalogue.LOCALES / f"{code}.json").read_text("utf-8"))
    assert kept == catalogue.compiled(catalogue.read(catalogue.LOCALES / f"{code}.po", code)), (
        "run tools/catalogue.py compile"
    )
