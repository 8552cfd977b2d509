"""The levels of bots, and the one word that people read for each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardtable.base.message import mark

#: level -> the word for it; except for `flat`, the first plays worst, the last best
WORDS: Mapping[str, str] = {
    "random": mark("random"),
    "soft": mark("easy"),
    "flat": mark("shallow"),
    "medium": mark("medium"),
    "search": mark("hard"),
    "expert": mark("expert"),
}
LEVELS = tuple(WORDS)
OFFERED = tuple(level for level in LEVELS if level != "flat")  #: to people who choose; `flat` is for comparisons
FORMER: Mapping[str, str] = {"simple": "medium"}  #: levels as earlier versions called them

#: level -> what digests and saved studies call it, which never changes
LASTING: Mapping[str, str] = {level: former for former, level in FORMER.items()}
ALIASES: Mapping[str, str] = {word: level for level, word in WORDS.items()} | dict(FORMER)  #: also accepted as input


_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")


def is_path(text: str) -> bool:
    """Whether a text is the place of a bot from outside: `package.module:Class`."""
    path = _PATH.fullmatch(text.strip())
    return bool(path) and text.strip().lower().partition(":")[0] not in (*LEVELS, *ALIASES)


def level_called(text: str) -> str:
    """The level for an identifier or a word: `hard:0.5s` is `search:0.5s`; other text unchanged, in lower case unless
    it is `module:Class`.
    """
    text = str(text)
    if is_path(text):
        return text.strip()
    name, colon, budget = text.strip().lower().partition(":")
    return ALIASES.get(name, name) + colon + budget
