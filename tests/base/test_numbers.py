"""Numbers and levels of bots as people read them, in their language; programs read the same in every language."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from cardtable import cli
from cardtable.base import languages
from cardtable.base.languages import figure
from cardtable.bots.levels import WORDS
from cardtable.bots.words import in_words, label_in_words


@pytest.fixture
def german() -> Iterator[None]:
    languages.use("de")
    yield
    languages.use("en")


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("en", ["1,234", "12,345.68", "-0.5000", "+1,234", "12.35%", "1.2e-05", "inf"]),
        ("de", ["1.234", "12.345,68", "-0,5000", "+1.234", "12,35\u00a0%", "1,2e-05", "inf"]),
        ("fr", ["1\u202f234", "12\u202f345,68", "-0,5000", "+1\u202f234", "12,35\u202f%", "1,2e-05", "inf"]),
        ("it", ["1.234", "12.345,68", "-0,5000", "+1.234", "12,35%", "1,2e-05", "inf"]),
        ("es", ["1234", "12.345,68", "-0,5000", "+1234", "12,35\u00a0%", "1,2e-05", "inf"]),
    ],
)
def test_a_number_is_written_as_in_the_language(code: str, written: list[str]) -> None:
    languages.use(code)
    try:
        told = [
            figure(1234),
            figure(12345.678, ",.2f"),
            figure(-0.5, ".4f"),
            figure(1234, "+,"),
            figure(0.12345, ".2%"),
            figure(1.2e-5, ".2g"),
            figure(float("inf"), ",.1f"),
        ]
    finally:
        languages.use("en")
    assert told == written


@pytest.mark.usefixtures("german")
def test_bots_are_called_by_the_word_for_their_level() -> None:
    medium, hard = (languages.tr(WORDS[level]) for level in ("medium", "search"))
    assert (medium, in_words("medium"), in_words("search:2000")) == (medium, medium, f"{hard}:2000")
    assert in_words("package.module:Class") == "package.module:Class"
    assert label_in_words("ante=1, bots=medium search:2000") == f"ante=1, bots={medium} {hard}:2000"
    assert label_in_words("rules=denexa") == "rules=denexa"
    assert label_in_words("all") == "all"


SIMULATE = ("simulate", "fan-tan", "--deals", "20", "--seats", "3", "--bot", "medium,random,medium")
STUDY = ("study", "fan-tan", "--grid", "bots=medium,random", "--deals", "20", "--seats", "3")
SKILL = ("skill", "fan-tan", "--deals", "40", "--seats", "3", "--strong", "medium", "--weak", "random")
LEAGUE = ("league", "fan-tan", "medium", "random", "--deals", "10", "--seats", "3")


def told(capsys: pytest.CaptureFixture[str], words: Sequence[str], code: str) -> str:
    """What a command prints in a language; its help stays English."""
    languages.use(code)
    try:
        cli.cli.main(list(words), prog_name="cardtable", standalone_mode=False)
    finally:
        languages.use("en")
    return capsys.readouterr().out


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("command", [SIMULATE, STUDY, SKILL, LEAGUE], ids=lambda command: str(command[0]))
def test_reports_are_in_the_language_and_data_are_not(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.load()
    german, english = (told(capsys, command, code) for code in ("de", "en"))
    languages.use("de")
    try:
        medium = in_words("medium")
    finally:
        languages.use("en")
    assert "medium" in english
    assert medium in german
    assert all(word not in text for text in (german, english) for word in ("soft", "search"))
    assert "medium" not in german
    assert any(character + "," in german for character in "0123456789")
    data = [json.loads(told(capsys, (*command, "--json"), code)) for code in ("de", "en")]
    texts = [json.dumps(one) for one in data]
    assert all("medium" in text and medium not in text for text in texts)
