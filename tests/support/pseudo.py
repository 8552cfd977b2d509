"""The pseudo-language: each text of the catalogue marked, lengthened, its vowels accented.

A plain vowel is a text that escaped.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import catalogue

CODE = "en-XA"
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+[a-z]?\b")
WORD = re.compile(r"[^\W\d_]+")


@cache
def folder() -> Path:
    """Where its catalogue is; it is made once for the tests of a process."""
    place = Path(tempfile.mkdtemp(prefix="cardtable-pseudo-"))
    catalogue.write_pseudo(place)
    return place


def escaped(text: str, known: Iterable[str] = ()) -> list[str]:
    """The words of a text that no catalogue has changed, except words that are known to be no language: names,
    notation.
    """
    allowed = {word.lower() for each in known for word in WORD.findall(each)}
    words = WORD.findall(RULE.sub("", text))
    return sorted(
        {word for word in words if len(word) > 1 and re.search("[aeiouyAEIOUY]", word) and word.lower() not in allowed}
    )
