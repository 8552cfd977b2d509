"""TOML as positions and records hold it: `loads` reads text that anybody may have written, `dumps` writes it.

`tomllib` takes more than linear time on dotted keys, recurses into nested lists and makes numbers of any length. So
`loads` first looks at the shape of the text, in linear time, and refuses what no position or record needs.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from datetime import time as clock
from typing import Any

WIDTH = 110  #: lists longer than this are broken into lines

LONGEST_TEXT = 4 << 20  #: letters of a document
LONGEST_WORD = 100  #: letters of a number, a date or a key, all its dotted parts together
MOST_DOTS = 8  #: in a key
DEEPEST = 16  #: lists and tables in one another

_BARE = re.compile(r"[A-Za-z0-9_-]+")
#: What tells the shape: strings and comments, in which nothing counts; signs; and words, which are bare keys and values.
#: A string that does not end is a sign: what follows it does not matter, for `tomllib` stops there too.
_TOKEN = re.compile(
    r"""
    (?P<string> \"\"\" (?: [^"\\]++ | \\. | "{1,2}(?!") )*+ "{3,5}
              | ''' (?: [^']++ | '{1,2}(?!') )*+ '{3,5}
              | " (?: [^"\\\n]++ | \\[^\n] )*+ "
              | ' [^'\n]*+ ' )
  | \#[^\n]*+
  | (?P<word> [^\s"'\#\[\]{},=]++ )
  | (?P<sign> [\n"'\[\]{},=] )
    """,
    re.VERBOSE | re.DOTALL,
)


def loads(text: str) -> dict[str, Any]:
    """What a document says. Raises ValueError, which says what is wrong, for text that is no TOML or of a shape that none needs."""
    check_shape(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its lists are nested too deep") from None


def check_shape(text: str) -> None:
    """Raise ValueError for text that would take a parser too long. The time is linear in the text's length."""
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"it is longer than {LONGEST_TEXT >> 20} MiB")
    depth = dots = key = 0  # of the key or value being read: its dots, and the letters of its parts
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "word":
            length = token.end() - token.start()
            if length > LONGEST_WORD:
                raise ValueError(f"a key or number is longer than {LONGEST_WORD} letters")
            dots += text.count(".", token.start(), token.end())
            key += length
            if dots > MOST_DOTS:
                raise ValueError(f"a key has more than {MOST_DOTS + 1} parts")
        elif kind == "string":
            key += token.end() - token.start()
        elif kind == "sign":
            sign = token[0]
            if sign in "\"'":
                return
            if sign in "[{":
                depth += 1
                if depth > DEEPEST:
                    raise ValueError(f"its lists and tables are nested deeper than {DEEPEST}")
            elif sign in "]}":
                depth -= 1
            if sign == "=" and key > LONGEST_WORD:
                raise ValueError(f"a key is longer than {LONGEST_WORD} letters")
            dots = key = 0


def value(thing: Any) -> str:
    """A string, number, truth value, date, list or one-line table."""
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, (int, float)):
        return repr(thing)
    if isinstance(thing, str):
        return json.dumps(thing, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(thing, (date, clock)):
        return thing.isoformat()
    if isinstance(thing, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {value(item)}" for key, item in thing.items()) + " }"
    return _list([value(item) for item in thing])


def _key(name: str) -> str:
    """A key: a bare word where it can be one."""
    return name if _BARE.fullmatch(name) else value(name)


def _list(items: Sequence[str]) -> str:
    line = ", ".join(items)
    if len(line) <= WIDTH:
        return f"[{line}]"
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(["[", *lines, line, "]"])


def dumps(keys: Mapping[str, Any]) -> str:
    """A document: plain keys first, then tables, then lists of tables."""
    plain = {k: v for k, v in keys.items() if not isinstance(v, Mapping) and not _tables(v)}
    lines = [f"{_key(key)} = {value(item)}" for key, item in plain.items()]
    for key, item in keys.items():
        if isinstance(item, Mapping):
            lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {value(part)}" for name, part in item.items())]
    for key, item in keys.items():
        if _tables(item):
            for table in item:
                lines += ["", f"[[{_key(key)}]]", *(f"{_key(name)} = {value(part)}" for name, part in table.items())]
    return "\n".join(lines) + "\n"


def _tables(thing: Any) -> bool:
    return isinstance(thing, (list, tuple)) and len(thing) > 0 and all(isinstance(item, Mapping) for item in thing)
