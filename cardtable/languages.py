"""Languages: catalogues in which the English templates of messages are looked up.

A catalogue is a file `CODE.json` in `cardtable/locales`, or in a folder that the environment names (`CARDTABLE_LOCALES`).
`tools/catalogue.py` compiles it from the translators' file, `CODE.po`. The browser reads the same file (`web/language.js`).

Whoever shows a message looks it up. What is kept, logged or sent stays as it is: English, or a message's parts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path

from cardtable.message import ENGLISH, Language, Message, Reader, Value
from cardtable.types import JsonObject

FOLDER = Path(__file__).resolve().parent / "locales"
VARIABLE = "CARDTABLE_LOCALES"  #: a folder with more catalogues
SETTING = "CARDTABLE_LANGUAGE"  #: the language, whatever the system's is
SYSTEM = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  #: in which gettext looks for the language, in this order


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language."""

    code: str  #: BCP 47: `pl`, `pt-BR`
    name: str  #: in the language itself: `polski`
    plural: str  #: the number of the form that goes with n, as an expression of gettext's: `n != 1`
    messages: Mapping[str, str]  #: English template -> template

    @cached_property
    def language(self) -> Language:
        """For a reader of messages."""
        return Language(self.code, lambda template: self.messages.get(template, template), c2py(self.plural))

    def as_dict(self) -> JsonObject:
        """The catalogue as its file and the browser have it."""
        return {"code": self.code, "name": self.name, "plural": self.plural, "messages": dict(self.messages)}


PLAIN = Catalogue("en", "English", "n != 1", {})  #: the language of the templates


def _folders() -> list[Path]:
    return [FOLDER, *([Path(os.environ[VARIABLE])] if os.environ.get(VARIABLE) else [])]


def codes() -> list[str]:
    """The languages that there are: English first."""
    return [PLAIN.code, *sorted({file.stem for folder in _folders() for file in folder.glob("*.json")})]


@cache
def catalogue(code: str) -> Catalogue:
    """The texts of a language that there is. Raises KeyError."""
    if code == PLAIN.code:
        return PLAIN
    for folder in reversed(_folders()):
        if code in codes() and (file := folder / f"{code}.json").exists():
            return Catalogue(**json.loads(file.read_text("utf-8")))
    raise KeyError(code)


def best(wanted: Iterable[str]) -> str:
    """The first of some languages that there is, or else English; `pl_PL.UTF-8` is served by `pl`, `en-XA` only by itself."""
    known = {code.lower(): code for code in codes()}
    for each in wanted:
        code = each.partition(".")[0].partition("@")[0].strip().replace("_", "-").lower()
        if code in known:
            return known[code]
        if code.partition("-")[0] in known:
            return known[code.partition("-")[0]]
    return PLAIN.code


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for: Cardtable's own setting first, then what gettext reads."""
    for variable in (SETTING, *SYSTEM):
        if asked := environment.get(variable):
            return best(asked.split(":"))
    return PLAIN.code


_language = ENGLISH


def use(code: str) -> None:
    """Choose the language of this process: the terminal's. Raises KeyError."""
    global _language
    _language = ENGLISH if code == PLAIN.code else catalogue(code).language


def current() -> Language:
    """The language of this process."""
    return _language


def tr(template: str, /, **values: Value) -> str:
    """A template in the language of this process, filled in."""
    return translated(Message(template, **values))


def translated(message: Value, *, sentence: bool = False) -> str:
    """A message in the language of this process, as plain text. sentence: it begins with a capital letter."""
    return Reader(language=_language).plain(message, sentence=sentence)
