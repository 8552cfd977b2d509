"""The translations that are shipped: right in what they show, the same for translators and programs, and English where
they have no text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from gettext import c2py
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

from cardtable.base import languages, po
from cardtable.base.message import Message, in_context, plain
from cardtable.rules import catalog
from cardtable.rules.options import Words
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
    fault = catalogue.fault(text, translation, 2)
    assert wrong in fault
    assert bool(fault) == bool(wrong)


@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_in_a_language_is_wrong(code: str) -> None:
    assert list(catalogue.faults(code)) == []


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """German without a gap, for tools and programs. `written` makes a change of it known."""
    (tmp_path / "click").mkdir()
    for name, texts in (("de.po", catalogue.template()), ("click/de.po", catalogue.of_click())):
        full = catalogue.read(catalogue.LOCALES / name, "de")
        for each in texts:
            there = full.get(each.id, each.context)
            if each.id and not (there and catalogue.is_done(there)):
                full.add(each.id, each.id, context=each.context)
        (tmp_path / name).write_text(catalogue.written(full), "utf-8")
    monkeypatch.setattr(catalogue, "LOCALES", tmp_path)
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.catalogue.cache_clear()
    yield catalogue.read(tmp_path / "de.po", "de")
    languages.catalogue.cache_clear()


def written(changed: Catalog) -> None:
    """Write the file that tools and programs read."""
    (catalogue.LOCALES / "de.po").write_text(catalogue.written(changed), "utf-8")


def tool(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of tools/catalogue.py."""
    monkeypatch.setattr(sys, "argv", ["catalogue.py", *words])
    return catalogue.main()


IN_ENGLISH = "The rulebook is in English."
WHOLE = "The whole rulebook page: {command}."


def test_a_text_that_is_not_translated_is_shown_in_english(german: Catalog) -> None:
    """In the terminal, and in the catalogue that a browser is given: it has no such text. It is no fault."""
    german[IN_ENGLISH].string = ""
    german[WHOLE].flags.add("fuzzy")
    written(german)
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
    written(german)
    assert tool(monkeypatch, "check") == 0
    head, *output = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"de: not translated, so shown in English: 1 of \d{4} texts", head)
    assert output == [f"    {WHOLE!r}", "0 faults"]
    german[WHOLE].string = "Das ganze Regelbuch."
    written(german)
    assert tool(monkeypatch, "check") == 1
    assert capsys.readouterr().out.splitlines() == [f"de: {WHOLE!r}: it does not show command", "1 faults"]


def test_a_language_is_brought_up_to_date(german: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is not there any more is dropped; one that is marked as fuzzy stays marked."""
    german.add("A text that was changed since.", "Ein Text, der seitdem geändert wurde.")
    german[WHOLE].flags.add("fuzzy")
    written(german)
    assert tool(monkeypatch, "update", "de") == 0
    now = catalogue.read(catalogue.LOCALES / "de.po", "de")
    assert "A text that was changed since." not in now
    assert now[WHOLE].fuzzy
    assert now[WHOLE].string == german[WHOLE].string
    assert catalogue.missing("de") == [WHOLE]


def test_contexts_are_found_in_python_and_in_the_browsers_modules(tmp_path: Path) -> None:
    module, script = tmp_path / "module.py", tmp_path / "script.js"
    module.write_text('tr("free")\nMessage("bid", context="Michigan", n=1)\nTold("bid", says, context="Oh Hell!")\n')
    script.write_text('tr("Wait", { context: "clock", n });\nx = { says: "of", context: "review" };\ntr("Wait", { n })')
    assert list(catalogue.in_python(module)) == [("free", 1), ("Michigan\x04bid", 2), ("Oh Hell!\x04bid", 3)]
    assert list(catalogue.in_script(script)) == [("clock\x04Wait", 1), ("review\x04of", 2), ("Wait", 3)]


def test_house_rules_and_their_values_and_events_have_contexts_of_their_own(tmp_path: Path) -> None:
    module = tmp_path / "wording.py"
    module.write_text('Words(mark("credit"), {"open": mark("go on")}, only={"stakes": ("chips",)})\nTold("deal", says)')
    assert sorted(catalogue.in_python(module)) == [
        ("event\x04deal", 2),
        ("house rule\x04credit", 1),
        ("value of a house rule\x04go on", 1),
    ]
    words = Words("credit", {"open": "go on"})
    assert words.value("open") == Message("go on", context="value of a house rule")
    assert words.value("table") == Message("{value}", value="table")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_value_of_a_house_rule_that_is_a_word_is_translated(code: str) -> None:
    texts = languages.catalogue(code).messages
    for game in catalog.games().values():
        for name, kind in game.options.kinds().items():
            for value in kind.values:
                told = game.words[name].value(value)
                if told.context:
                    assert in_context(told.template, told.context) in texts, (game.name, name, value)
                else:
                    assert re.fullmatch(r"[0-9AKQJTSHDC ]+|seat \d+", value), (game.name, name, value)


def test_a_short_text_that_two_areas_have_needs_contexts() -> None:
    pirate, scopa = ("cardtable/games/pirate/presentation.py", 1), ("cardtable/games/scopa/presentation.py", 1)
    page, other, rules = (
        ("cardtable/web/main.js", 1),
        ("cardtable/web/table/log.js", 1),
        ("cardtable/rules/moves.py", 1),
    )
    texts = {
        "take out": [pirate, scopa],
        "event\x04take": [pirate, scopa],
        "score": [rules, page],
        "take {n}": [pirate, page],
        "a longer text": [pirate, page],
        "kings": [pirate, page],
        "sunk": [pirate, pirate],
        "Undo": [page, other],
    }
    assert list(catalogue.ambiguous(texts)) == [
        "'take out' needs contexts: cardtable/games/pirate/presentation.py, cardtable/games/scopa/presentation.py",
        "'score' needs contexts: cardtable/rules/moves.py, cardtable/web/main.js",
    ]


def test_every_short_text_is_unmistakable_or_has_a_context() -> None:
    assert list(catalogue.ambiguous(catalogue.every())) == []


def test_no_text_is_called_the_same_everywhere_that_two_areas_do_not_have() -> None:
    for text in catalogue.SAME_EVERYWHERE:
        assert len({catalogue.area(file) for file, _ in catalogue.every()[text]}) > 1, text


def test_a_new_context_begins_with_the_translation_of_the_plain_text(
    german: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    german.delete("claim", "Pirate")
    german.add("claim", "verlangen")
    written(german)
    assert tool(monkeypatch, "update", "de") == 0
    now = catalogue.done(catalogue.read(catalogue.LOCALES / "de.po", "de"))
    assert now[in_context("claim", "Pirate")] == "verlangen"
    assert now[in_context("claim", "I Doubt It")] == catalogue.done(german)[in_context("claim", "I Doubt It")]
    assert "claim" not in now


@pytest.mark.parametrize(
    ("code", "claims", "bids"),
    [
        ("de", ["beanspruchen", "ansagen"], ["bieten", "ansagen"]),
        ("fr", ["réclamer", "annonce"], ["enchère", "annonce"]),
        ("it", ["rivendica", "dichiarazione"], ["offerta", "chiamata"]),
        ("es", ["reclamar", "declaración"], ["puja", "petición"]),
    ],
)
def test_a_word_that_means_two_things_is_two_words(code: str, claims: list[str], bids: list[str]) -> None:
    language = languages.catalogue(code).language
    assert [plain(Message("claim", context=game), language) for game in ("Pirate", "I Doubt It")] == claims
    assert [plain(Message("bid", context=game), language) for game in ("Michigan", "Oh Hell!")] == bids


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("library", ["", "click"])
def test_programs_read_what_translators_wrote(code: str, library: str) -> None:
    """As Babel reads it. That a browser gets all of it in the same order keeps its digest the same everywhere."""
    file = catalogue.LOCALES / library / f"{code}.po"
    wanted, texts = catalogue.read(file, code), po.read(file)
    assert list(texts.texts.items()) == forms(wanted)
    assert texts.plural == wanted.plural_expr.strip("()")
    assert texts.header["Language"] == code
    assert texts.header[languages.NAME]
    if library:
        assert languages.library(library, code) == texts.texts
    else:
        data = languages.catalogue(code).as_dict()
        assert list(data["messages"].items()) == list(catalogue.done(wanted).items())
        assert (data["code"], data["name"], data["plural"]) == (code, texts.header[languages.NAME], texts.plural)


def forms(catalog: Catalog) -> list[tuple[str, list[str]]]:
    """The texts of a translators' file as Babel reads it, each with its forms."""

    def several(text: Any) -> list[str]:
        return [text] if isinstance(text, str) else list(text)

    done = [each for each in catalog if each.id and catalogue.is_done(each)]
    return [(in_context(several(each.id)[0], each.context or ""), several(each.string)) for each in done]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_is_read_as_babel_reads_it(tmp_path: Path, line_end: str, mark: str) -> None:
    catalog = Catalog(locale="pl", charset="utf-8", fuzzy=True)
    catalog.add(
        'a "quoted" \\ text\twith\nlines\n', 'ein "Text" \\n\tmit\nZeilen\n', user_comments=["fuzzy", 'msgid "x"']
    )
    catalog.add("long " * 40, "lang " * 50)
    catalog.add(("{n} card", "{n} cards"), ("{n} karta", "{n} karty", "{n} kart"))
    catalog.add(("{n} chip", "{n} chips"), ("{n} żeton", "", ""))
    catalog.add("claim", "rościć", context="Pirate")
    catalog.add("claim", "deklarować")
    catalog.add("claim", "", context="not translated")
    catalog.add("not translated", "")
    catalog.add("blank", "  ")
    catalog.add("doubtful", "zweifelhaft", flags=["fuzzy", "python-format"])
    catalog.add("last", "zuletzt")
    catalog.obsolete["gone"] = Entry("gone", "weg")
    text = catalogue.written(catalog, "polski")
    file = tmp_path / "pl.po"
    file.write_bytes((mark + text.rstrip("\n").replace("\n", line_end)).encode())
    texts = po.read(file)
    assert len(texts.texts) == 6
    assert texts.texts[in_context("claim", "Pirate")] == ["rościć"]
    assert list(texts.texts.items()) == forms(catalog)
    assert languages.from_po(file).name == "polski"
    assert [c2py(texts.plural)(n) for n in (1, 3, 5, 12, 22)] == [0, 1, 2, 2, 1]


@pytest.mark.parametrize(
    ("line", "plural"),
    [
        ("nplurals=2; plural=(n != 1);", "n != 1"),
        ("nplurals=2; plural=n > 1", "n > 1"),
        ("nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;", "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2"),
        ("nplurals=2; plural=(n==1) ? 0 : (n>1);", "(n==1) ? 0 : (n>1)"),
        ("", ""),
    ],
)
def test_the_rule_for_plurals_is_read_in_each_form(tmp_path: Path, line: str, plural: str) -> None:
    file = tmp_path / "xx.po"
    file.write_text(f'msgid ""\nmsgstr ""\n"Plural-Forms: {line}\\n"\n', "utf-8")
    assert po.read(file).plural == plural
    assert languages.from_po(file).plural == (plural or languages.PLAIN.plural)
