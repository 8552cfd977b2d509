"""Bots in words, for tables and sentences; programs use the levels' names."""

from __future__ import annotations

from cardtable.base.languages import tr
from cardtable.bots.levels import WORDS, level_called


def in_words(level: str) -> str:
    """A bot as people read it, in the language of this process: `easy` for `medium`, `hard:2000` for `search:2000`; one
    from outside as it is.
    """
    name, colon, budget = level_called(level).partition(":")
    return tr(WORDS[name]) + colon + budget if name in WORDS else level


def difference_in_words(a: str, b: str) -> str:
    """A bot minus another, as people read it: `hard − medium`."""
    return f"{in_words(a)} − {in_words(b)}"


def label_in_words(label: str) -> str:
    """The label of a cell or of one side of a comparison, `ante=1, bots=medium search:2000`, with its bots in words."""
    parts = [part.partition("=") for part in label.split(", ")]
    return ", ".join(
        name + equals + (" ".join(map(in_words, value.split())) if name == "bots" else value)
        for name, equals, value in parts
    )
