"""Languages: message catalogues, which translate the English templates.

A catalogue is a translators' file `CODE.po` in `cardtable/locales`. It is read directly, in 5 ms, without compiling.
A package that brings games adds its texts as such a file in its own folder `locales`, or as `CODE.json`, the format
that browsers get (`Catalogue.as_dict`, `web/text/language.js`). The environment variable `CARDTABLE_LOCALES` adds a
folder. Texts without a translation stay English.

A message is translated where it is shown. Stored, logged or sent texts are not translated: they are English, or a
message's parts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from gettext import c2py
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from cardtable.base import po
from cardtable.base.message import ENGLISH, Language, Message, Reader, Value
from cardtable.base.types import JsonObject

FOLDER = Path(__file__).resolve().parents[1] / "locales"
NAME = "X-Language-Name"  #: the line in a translators' file's header with the language's name in itself
VARIABLE = "CARDTABLE_LOCALES"  #: a folder with more catalogues
SETTING = "CARDTABLE_LANGUAGE"  #: the language, overriding the system's
SYSTEM = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  #: where gettext looks for the language, in this order


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language."""

    code: str  #: BCP 47: `pl`, `pt-BR`
    name: str  #: in the language itself: `polski`
    plural: str  #: which form goes with n, as an expression of gettext's: `n != 1`
    messages: Mapping[str, str]  #: English template, or `message.in_context` -> template

    @cached_property
    def language(self) -> Language:
        """The language, for a reader of messages."""
        return Language(self.code, lambda template: self.messages.get(template, template), c2py(self.plural))

    def as_dict(self) -> JsonObject:
        """The catalogue as the browser has it, and a file `CODE.json`."""
        return {"code": self.code, "name": self.name, "plural": self.plural, "messages": dict(self.messages)}


PLAIN = Catalogue("en", "English", "n != 1", {})  #: the language of the templates


@cache
def _of_packages() -> list[Path]:
    """The folders of the packages with games (see `cardtable.rules.catalog.games`)."""
    specs = [find_spec(entry.module) for entry in entry_points(group="cardtable.games")]
    places = [Path(place) / "locales" for spec in specs if spec for place in spec.submodule_search_locations or ()]
    return [place for place in places if place.is_dir()]


def folders() -> list[Path]:
    """Where catalogues are looked for. A text in a later folder takes the place of one in an earlier."""
    return [FOLDER, *_of_packages(), *([Path(os.environ[VARIABLE])] if os.environ.get(VARIABLE) else [])]


def codes() -> list[str]:
    """The languages that are available: English first."""
    return list(_codes_in(tuple(folders())))


@cache
def _codes_in(places: tuple[Path, ...]) -> tuple[str, ...]:
    """The languages with a catalogue in some folders. The folders are listed once, because pages ask at every call."""
    others = {file.stem for folder in places for kind in READERS for file in folder.glob(f"*{kind}")}
    return (PLAIN.code, *sorted(others))


@cache
def catalogue(code: str) -> Catalogue:
    """The catalogue of a language. Raises KeyError if there is none."""
    if code == PLAIN.code:
        return PLAIN
    if code not in codes():  # a name from outside is no path
        raise KeyError(code)
    places = [(folder / f"{code}{kind}", read) for folder in folders() for kind, read in READERS.items()]
    parts = [read(file) for file, read in places if file.exists()]
    return replace(parts[0], messages={template: text for each in parts for template, text in each.messages.items()})


def library(name: str, code: str) -> Mapping[str, Sequence[str]]:
    """The texts of a library in a language: English text -> its plural forms, or its only one. Empty if there are none.

    They are in a folder with the library's name, in a file of the same form.
    """
    files = [file for folder in folders() if (file := folder / name / f"{code}.po").exists()]
    return po.read(files[-1]).texts if files else {}


def from_po(file: Path) -> Catalogue:
    """The catalogue of a translators' file."""
    there = po.read(file)
    messages = {text: forms[0] for text, forms in there.texts.items()}
    return Catalogue(file.stem, there.header.get(NAME, file.stem), there.plural or PLAIN.plural, messages)


def from_json(file: Path) -> Catalogue:
    """The catalogue of a file that has it as a browser gets it."""
    return Catalogue(**json.loads(file.read_text("utf-8")))


READERS = {".po": from_po, ".json": from_json}


def best(wanted: Iterable[str]) -> str:
    """The first of some languages that is available, or else English; for `pl_PL.UTF-8`, `pl` will do, but not
    `pl-XA`.
    """
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


#: what groups thousands, the decimal point, what stands before a percent sign (as in CLDR); others as in English
MARKS: Mapping[str, tuple[str, str, str]] = {
    "de": (".", ",", "\u00a0"),
    "es": (".", ",", "\u00a0"),
    "fr": ("\u202f", ",", "\u202f"),
    "it": (".", ",", ""),
}
UNGROUPED = ("es",)  #: languages that write four digits without a mark: `1234`, but `12.345`

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
    """A message in the language of this process, as plain text. sentence: begin with a capital letter."""
    return Reader(language=_language).plain(message, sentence=sentence)


def figure(value: float, form: str = ",") -> str:
    """A number as people write it in the language of this process, with a real minus sign.

    form: Python's format, without a width: `,.2f`.
    """
    text = format(value, form).replace("-", "−")
    if _language.code not in MARKS:
        return text
    group, point, percent = MARKS[_language.code]
    whole, dot, rest = text.partition(".")
    digits = whole.lstrip("+−").removesuffix("%")
    if _language.code in UNGROUPED and len(digits) == len("1,234"):
        whole = whole.replace(",", "")
    marked = whole.replace(",", group) + (point + rest if dot else "")
    return marked.removesuffix("%") + percent + "%" if marked.endswith("%") else marked
