"""The catalogue: it has every template, and messages are shown in the requested language."""

from __future__ import annotations

import inspect
import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import catalogue
import pytest

from cardtable import Match, cli
from cardtable.base import languages
from cardtable.base.languages import figure
from cardtable.base.message import Card, Continued, Message, Reader, Seat
from cardtable.bots import bot
from cardtable.bots.levels import WORDS
from cardtable.bots.words import in_words, label_in_words
from cardtable.cli.terminal import table_help, tell
from cardtable.rules import catalog
from cardtable.testing.houses import SHORTEST, brief
from tests.support import pseudo
from tests.support.commands import here, run
from tests.support.effort import cases
from tests.support.terminal import at

POLISH = {
    "code": "pl",
    "name": "polski",
    "plural": "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2",
    "messages": {
        "you": "ty",
        "{n} {n:chip|chips}": "{n} {n:żeton|żetony|żetonów}",
        "{source} {source:lays|lay} {card}": "{source} {source:wykłada|wykładasz} {card}",
    },
}


@pytest.fixture
def polish(speak: Callable[..., None]) -> None:
    speak("pl", texts=POLISH)
    languages.use("en")


def test_the_help_of_commands_is_the_same_text_on_every_python() -> None:
    """Until 3.13 a docstring keeps the indentation of its source; no translation would be found on the others."""
    declared = [text for text, file in catalogue.declared() if file == "cardtable/cli"]
    assert len([text for text in declared if "\n" in text]) > 10
    assert [text for text in declared if text != inspect.cleandoc(text)] == []


@pytest.mark.usefixtures("polish")
def test_folders_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known = languages.codes()
    monkeypatch.setattr(Path, "glob", lambda *_: pytest.fail("listed again"))
    assert "pl" in known
    assert languages.codes() == known


@pytest.mark.usefixtures("polish")
def test_messages_are_told_in_the_language_that_is_asked_for() -> None:
    language = languages.catalogue("pl").language
    reader = Reader(["Ania", "Bartek"], 1, language)
    assert (
        reader.plain(Message("{source} {source:lays|lay} {card}", source=Seat(0), card=Card("7H"))) == "Ania wykłada 7H"
    )
    assert (
        reader.plain(Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H")), sentence=True)
        == "Ty wykładasz 7H"
    )
    assert (
        reader.plain(Continued(Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H"))))
        == "wykładasz 7H"
    )
    assert [reader.plain(Message("{n} {n:chip|chips}", n=n)) for n in (1, 3, 5, 12, 22)] == [
        "1 żeton",
        "3 żetony",
        "5 żetonów",
        "12 żetonów",
        "22 żetony",
    ]
    assert reader.plain(Message("not in it")) == "not in it"


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "da_DK.UTF-8", "LANGUAGE": "nl:pl"}, "pl"),
        ({"LANG": "pl_PL", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "pl_PL", "CARDTABLE_LANGUAGE": "en"}, "en"),
        ({"LANG": "sr_RS@latin"}, "en"),
        ({"LANG": "../pl"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment: dict[str, str], code: str) -> None:
    assert languages.of_environment(environment) == code


@pytest.mark.usefixtures("polish")
def test_the_process_has_a_language() -> None:
    languages.use("pl")
    assert languages.tr("{n} {n:chip|chips}", n=2) == "2 żetony"
    assert str(Message("{n} {n:chip|chips}", n=2)) == "2 chips", "what is logged is English"
    with pytest.raises(KeyError):
        languages.use("xx")


def test_the_rulebook_says_which_parts_are_in_english() -> None:
    german = languages.catalogue("de").language.look_up
    said, rest = german("The rulebook is in English."), german("The rest of the rulebook is in English.")
    page = here("rules", "scopa", CARDTABLE_LANGUAGE="de").stdout
    assert said not in page
    assert page.count(rest) == 1
    whole = german("The whole rulebook page: {command}.").format(command="`cardtable rules scopa --all`")
    assert whole in page
    assert said in here("rules", "scopa", "--all", CARDTABLE_LANGUAGE="de").stdout
    clause = here("rules", "scopa", "SC-05", CARDTABLE_LANGUAGE="de").stdout.splitlines()
    assert clause[0] == said
    assert "SC-05" in clause[1]
    assert "in English" not in here("rules", "scopa", CARDTABLE_LANGUAGE="en").stdout
    assert "in English" not in here("rules", "scopa", "SC-05", CARDTABLE_LANGUAGE="en").stdout
    play = ("play", "scopa", "--seed", "tea")
    helped = here(*play, given="?\nq\n", code=None, CARDTABLE_LANGUAGE="de").stdout
    assert said not in helped
    assert f"\n {german('Moves')}\n" in helped
    assert f"\n {german('On this screen')}\n" in helped
    ruled = here(*play, given="? rules\nq\n", code=None, CARDTABLE_LANGUAGE="de").stdout
    assert ruled.count(rest) == 1


#: notation that refusals give as examples, besides what the page has under Moves
EXAMPLES = {"cassino": ["pairs raises to"], "michigan": ["exchange keep continue spin stake AH JC"]}


def notation(m: Match) -> set[str]:
    """The words of every move that could be made while bots play a match to its end."""
    words: set[str] = set()
    bots = [bot("random", seed=f"notation {seat}") for seat in range(m.seats)]
    while not m.over:
        if not m.actors:
            m.next_deal()
            continue
        view = m.view(m.actors[0])
        words.update(word for move in view.legal for word in pseudo.WORD.findall(move))
        m.play(bots[m.actors[0]].choose(view), m.actors[0])
    return words


@pytest.mark.usefixtures("pseudo_language")
@pytest.mark.parametrize("name", [*cases(catalog.games(), ("michigan",))])
def test_no_text_of_the_terminal_escapes_the_catalogue(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.find(name)
    for preset in game.presets:
        short = brief(game, SHORTEST | {"move_cap": 100})
        m = Match(name, rules=preset, seed=1, pause=True, **short)
        known = {*notation(m), *table_help.examples(m), *EXAMPLES.get(name, ()), *tell.NAMES}
        table, written = at(Match(name, rules=preset, seed=1, pause=True, **short))
        asked = [
            "? 9C",
            "? pass",
            "? 5H",
            "xx",
            "bid 99",
            "l",
            "m",
            "u 99",
            "a",
            "h" if preset == game.presets[0] else "t",
            "0",
            "t",
        ]
        monkeypatch.setattr(
            sys, "stdin", io.StringIO("\n".join([*asked, *["1"] * 6, "u", *map(str, [*range(1, 11)] * 2000)]))
        )
        table.run()
        output = "\n".join(written().splitlines())
        lines = [line for line in output.splitlines() if pseudo.escaped(line, known | {"xx", "pass", "bid", "draw"})]
        assert not lines, "\n".join(lines[:30])
        assert max(map(len, output.splitlines())) <= 100, "a line is broken where the screen ends"


@pytest.mark.parametrize(
    "words",
    [["--help"], ["play", "--nope"], ["simulate", "fan-tan", "--deals", "no"], ["simulate", "fan-tan", "--deals", "0"]],
)
def test_what_click_says_is_translated(words: list[str]) -> None:
    """Its headings, its errors, its help on options: all except names of commands, options and placeholders.

    Processes, as a command's help is translated once, when the process begins.
    """
    cli.load()
    done = run(*words, code=None, **{languages.VARIABLE: str(pseudo.folder()), languages.SETTING: pseudo.CODE})
    output = re.sub(r"--?[a-z][\w-]*|'[^']*'|default: \w+|\b[A-Z]{2,}\b|<=x<=", "", done.stdout + done.stderr)
    assert "⟦" in output
    assert not pseudo.escaped(output, [*cli.cli.commands, "cardtable"]), output


# Numbers


@pytest.fixture
def german(speak: Callable[..., None]) -> None:
    speak("de")


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("en", ["1,234", "12,345.68", "−0.5000", "+1,234", "12.35%", "1.2e−05", "inf"]),
        ("de", ["1.234", "12.345,68", "−0,5000", "+1.234", "12,35\u00a0%", "1,2e−05", "inf"]),
        ("fr", ["1\u202f234", "12\u202f345,68", "−0,5000", "+1\u202f234", "12,35\u202f%", "1,2e−05", "inf"]),
        ("it", ["1.234", "12.345,68", "−0,5000", "+1.234", "12,35%", "1,2e−05", "inf"]),
        ("es", ["1234", "12.345,68", "−0,5000", "+1234", "12,35\u00a0%", "1,2e−05", "inf"]),
    ],
)
def test_a_number_is_written_as_in_the_language(code: str, written: list[str]) -> None:
    languages.use(code)
    try:
        figures = [
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
    assert figures == written


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
