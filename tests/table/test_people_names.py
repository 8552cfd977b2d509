"""What a person may be called: what cannot be shown is refused with its name, nobody has a name that looks like
another's, and nobody can speak as the server or as the reader.
"""

from __future__ import annotations

import httpx
import pytest

from cardtable.base import languages
from cardtable.base.message import Message
from cardtable.server.people.personal_data import NAME
from cardtable.table import commands as cm
from cardtable.table.person_names import BadName, apart, checked_name, is_reserved, looks
from cardtable.table.setup import LONGEST_NAME
from tests.support import hostile
from tests.support.commands import here
from tests.support.server.live import Driven
from tests.support.server.served import Served

WHAT = Message("taking a seat")
#: names that nobody can have, and what the refusal says of them
STRANGE = {
    "Ann\u202e": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "a\u0000b": "U+0000",
    "Ann \u200b Lee": "U+200B ZERO WIDTH SPACE",
    "A\u200dlice": "U+200D ZERO WIDTH JOINER",
    "\u3164\u2800": "U+3164 HANGUL FILLER",
    "Z\u0335\u0321\u0353\u030d": "U+030D COMBINING VERTICAL LINE ABOVE",
    "x" * (LONGEST_NAME + 1): f"at most {LONGEST_NAME} letters",
}


@pytest.mark.parametrize(("name", "told"), STRANGE.items(), ids=map(ascii, STRANGE))
def test_a_letter_that_cannot_be_shown_is_named(name: str, told: str) -> None:
    with pytest.raises(BadName, match=told.replace("+", "\\+")):
        checked_name(name, WHAT)
    t = Driven(seats=3)
    refusal = t.ask("a", cm.Sit, name=name)
    assert refusal is not None
    assert refusal.code == "table/name"
    assert told in str(refusal.why)
    assert t.ask("a", cm.Sit, name="Ann") is None
    refusal = t.ask("a", cm.Rename, name=name)
    assert refusal is not None
    assert told in str(refusal.why)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "  Ann   Lee ",
        "Ann\tLee\n",
        "José Nguyễn",
        "می\u200cخواهم",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "<b>",
        "李雷",
        "x" * LONGEST_NAME,
        "e\u0301" * LONGEST_NAME,
        "",
    ],
)
def test_a_name_stays_as_it_was_typed(name: str) -> None:
    """Except for spaces, and for the form in which its accents are written."""
    checked = checked_name(name, WHAT)
    assert checked == " ".join(name.split()).replace("e\u0301", "é")
    assert checked_name(checked, WHAT) == checked


@pytest.mark.parametrize("text", hostile.TEXTS.values(), ids=hostile.TEXTS)
def test_no_hostile_text_becomes_a_name_in_part(text: str) -> None:
    t = Driven(seats=3)
    refusal = t.ask("a", cm.Sit, name=text)
    if refusal is None:
        assert t.table.places[0].name == text
    else:
        assert str(refusal.why).isprintable()


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Amy", "Аmy"),
        ("Amy", "Ａmy"),
        ("Amy", "𝓐𝓶𝔂"),
        ("Amy", "AMY"),
        ("Amy", "Arny"),
        ("Iris", "lris"),
        ("Iris", "iris"),
        ("Ivo", "1vo"),
        ("Bob", "Воb"),
        ("Bobo", "Bob0"),
        ("Ann Lee", "Αnn Lее"),
        ("José", "Jose\u0301"),
        ("Zoë", "Zоё"),
        ("Player 1", "Player l"),
        ("Hugo", "Нugo"),
    ],
)
def test_names_that_look_alike_are_told_apart(name: str, other: str) -> None:
    assert looks(name) & looks(other)
    t = Driven(seats=3)
    assert t.ask("a", cm.Sit, name=name) is None
    assert t.ask("b", cm.Sit, name=other) is None
    assert t.table.places[1].name == checked_name(f"{other} 2", WHAT)
    assert t.ask("c", cm.Sit, name="Cleo") is None
    assert t.ask("c", cm.Rename, name=other) is None
    assert t.table.places[2].name == checked_name(f"{other} 3", WHAT)


@pytest.mark.parametrize(("name", "other"), [("Amy", "Any"), ("Jose", "José"), ("Ann", "Anna"), ("Лена", "Lena")])
def test_other_names_are_other_names(name: str, other: str) -> None:
    assert apart(other, [name]) == other


RESERVED = (
    "Server",
    "SERVER",
    "sеrvеr",
    "Ｓerver",
    "Sérver",
    "S e r v e r",
    "The Server",
    "*Server*",
    "[server]:",
    "Server 2",
    "Cardtable",
    "Сardtable",
    "Cardtable-Server",
    "cardtab1e",
    "operator",
    "Оperator",
    "0perator",
    "the operator",
    "Admin",
    "Moderator",
    "Bot",
    "Bot 3",
    "You",
    "you",
    "Уou",
    "Ｙou",
    "y.o.u",
    "𝐘𝐨𝐮",
    "Du",
    "Betreiber",
    "der Betreiber",
    "Betreiberin",
    "Vous",
    "Tu",
    "Toi",
    "Opérateur",
    "l’opérateur",
    "operateur",
    "Serveur",
    "Administrateur",
    "Tú",
    "tu\u0301",
    "Usted",
    "el operador",
    "Servidor",
    "Administradora",
    "l'operatore",
    "Amministratore",
    "il server",
    "Deleted player",
)


@pytest.mark.parametrize("name", RESERVED)
def test_nobody_is_called_what_the_program_is_called(name: str) -> None:
    assert is_reserved(name)
    t = Driven(seats=3)
    refusal = t.ask("a", cm.Sit, name=name)
    assert refusal is not None
    assert refusal.code == "table/name"


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Botond",
        "Youssef",
        "Dustin",
        "Tula",
        "Duke",
        "Lei",
        "Le",
        "La Toya",
        "Lotte",
        "Abbot",
        "Systema",
        "Youna",
        "Player 2",
        "Servane",
        "Administer",
        "★",
        "Robot Rob",
        "Adminka",
        "L",
    ],
)
def test_names_of_people_are_free(name: str) -> None:
    assert not is_reserved(name)


def test_what_the_reader_is_called_is_reserved_in_every_language() -> None:
    for code in languages.codes():
        language = languages.catalogue(code).messages
        assert is_reserved(language.get("You", "You")), code
        assert is_reserved(language.get("bot", "bot")), code
    assert is_reserved(NAME)


def test_a_table_is_not_made_for_a_bad_name(server: Served) -> None:
    """Over HTTP too, and for names of other things: the refusal comes before anything is made or kept."""
    with httpx.Client(base_url=server.url) as ann:
        for path, more in (
            ("/api/tables", {"game": "fan-tan"}),
            ("/api/daily/fan-tan", {}),
            ("/api/me/link", {}),
            ("/api/me/rules", {"game": "fan-tan"}),
        ):
            answer = ann.post(path, json={"name": "Ann\u200bLee", **more})
            assert answer.status_code == 400, path
            error = answer.json()["error"]
            assert error["code"] == "table/name"
            assert "U+200B ZERO WIDTH SPACE" in error["why"]
        for path, more in (("/api/tables", {"game": "fan-tan"}), ("/api/daily/fan-tan", {}), ("/api/me/link", {})):
            assert ann.post(path, json={"name": "Sеrver", **more}).json()["error"]["code"] == "table/name"
        assert ann.post("/api/me/rules", json={"name": "Server", "game": "fan-tan"}).status_code == 201
        assert ann.get("/api/me").json()["tables"] == []


def test_the_terminal_has_the_same_names() -> None:
    for name, told in (*STRANGE.items(), ("sеrver", "what the server calls itself")):
        if "\0" not in name:  # an argument has none
            done = here("play", "fan-tan", "--name", name, code=2)
            assert told in " ".join(done.stderr.split())
