"""The catalogue: every template is in it, and messages are told in the language that is asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardtable import languages
from cardtable.message import Card, Continued, Message, Reader, Seat

ROOT = Path(__file__).resolve().parent.parent
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
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "pl.json").write_text(json.dumps(POLISH), "utf-8")
    monkeypatch.setenv(languages.VARIABLE, str(tmp_path))
    languages.catalogue.cache_clear()
    yield
    languages.catalogue.cache_clear()
    languages.use("en")


def test_what_translators_begin_with_is_up_to_date(tmp_path: Path) -> None:
    kept = (ROOT / "cardtable" / "locales" / "cardtable.pot").read_text("utf-8")
    code = "import catalogue; print(catalogue.written(catalogue.template()), end='')"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tools", capture_output=True, encoding="utf-8", check=True).stdout
    assert found == kept, "run tools/catalogue.py extract"


@pytest.mark.usefixtures("polish")
def test_messages_are_told_in_the_language_that_is_asked_for() -> None:
    language = languages.catalogue("pl").language
    told = Reader(["Ania", "Bartek"], 1, language)
    assert told.plain(Message("{source} {source:lays|lay} {card}", source=Seat(0), card=Card("7H"))) == "Ania wykłada 7H"
    assert told.plain(Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H")), sentence=True) == "Ty wykładasz 7H"
    assert told.plain(Continued(Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H")))) == "wykładasz 7H"
    assert [told.plain(Message("{n} {n:chip|chips}", n=n)) for n in (1, 3, 5, 12, 22)] == ["1 żeton", "3 żetony", "5 żetonów", "12 żetonów", "22 żetony"]
    assert told.plain(Message("not in it")) == "not in it"


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "pl_PL.UTF-8"}, "pl"), ({"LANG": "de_DE.UTF-8", "LANGUAGE": "fr:pl"}, "pl"), ({"LANG": "pl_PL", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "pl_PL", "CARDTABLE_LANGUAGE": "en"}, "en"), ({"LANG": "sr_RS@latin"}, "en"), ({"LANG": "../pl"}, "en"),
    ],
)  # fmt: skip
def test_the_environment_chooses_the_language(environment: dict[str, str], code: str) -> None:
    assert languages.of_environment(environment) == code


@pytest.mark.usefixtures("polish")
def test_the_process_has_a_language() -> None:
    languages.use("pl")
    assert languages.tr("{n} {n:chip|chips}", n=2) == "2 żetony"
    assert str(Message("{n} {n:chip|chips}", n=2)) == "2 chips", "what is logged is English"
    with pytest.raises(KeyError):
        languages.use("xx")
