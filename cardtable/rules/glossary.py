"""The glossary: words of the card table that a player may not know, each with its meaning.

The terms are data in `glossary.toml`. The browser opens them from texts, and docs/glossary.md lists them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cardtable.base import toml

FILE = "glossary.toml"


@dataclass(frozen=True)
class Term:
    """A term. Its words and its meaning are texts of the catalogue."""

    name: str  #: its address in the browser: `/glossary#NAME`
    words: str  #: its forms, separated by commas, as they occur in texts; the first is the one that is listed
    means: str
    games: tuple[str, ...] = ()  #: names of the games whose texts use it; empty: all
    everyday: bool = False  #: texts use its words in their everyday sense too, so they are not marked there

    @property
    def head(self) -> str:
        """The word under which it is listed, in English."""
        return self.words.partition(",")[0]


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, in the alphabetical order of their names."""
    data = toml.loads((files("cardtable.rules") / FILE).read_text("utf-8"))
    return tuple(
        Term(name, one["words"], one["means"], tuple(one.get("games", ())), bool(one.get("everyday")))
        for name, one in sorted(data.items())
    )
