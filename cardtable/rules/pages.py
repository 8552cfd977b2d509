"""The files of a game's rulebook page: the page in English, and the parts of it that are translated.

A translation has the head of the page, *How to play* and the help at the terminal, under the English headings and with
the same marks (cardtable/rules/rulebook.py). It is in `CODE/PAGE.md` in a folder of catalogues: that of the game's own
package, or one of `cardtable.base.languages.folders`.
"""

from __future__ import annotations

from functools import cache, cached_property, partial
from importlib.resources import files
from pathlib import Path

from cardtable.base import languages
from cardtable.rules import rulebook


class Pages:
    """A game's rulebook page. package: where its file is, by its name within that."""

    def __init__(self, package: str, name: str) -> None:
        self.package, self.name = package, name

    @cached_property
    def _page(self) -> str:
        """The file of the English page, with its marks."""
        return (files(self.package) / self.name).read_text("utf-8")

    @cached_property
    def whole(self) -> str:
        """The whole page with the rules of all presets, Markdown."""
        return rulebook.without(rulebook.whole(self._page), rulebook.AT_THE_TERMINAL)

    @cached_property
    def rules(self) -> str:
        """What players see as rules, with its marks."""
        return rulebook.without(rulebook.without(self._page, rulebook.AT_THE_TERMINAL), rulebook.POSITIONS)

    def parts(self, code: str) -> str:
        """The head of the page and *How to play* in a language, with their marks; "" if they are not translated."""
        return rulebook.without(self._read(code), rulebook.AT_THE_TERMINAL).lstrip("\n")

    def help(self, code: str) -> str:
        """The help at the table in the terminal in a language, or else in English, with its marks."""
        own = rulebook.section(self._read(code), rulebook.AT_THE_TERMINAL)
        return own or rulebook.section(self._page, rulebook.AT_THE_TERMINAL)

    def translated(self, code: str) -> bool:
        """Whether a language has its own text."""
        return bool(self._read(code))

    def _read(self, code: str) -> str:
        """The file of a language; "" if there is none."""
        if code not in languages.codes():  # a name from outside is no path
            return ""
        own = Path(str(files(self.package))) / "locales"
        places = [folder / code / self.name for folder in (own, *languages.folders())]
        return next((_text(place) for place in places if place.is_file()), "")


_text = cache(partial(Path.read_text, encoding="utf-8"))
