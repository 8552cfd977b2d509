"""TOML for positions and records: `loads` reads text from any source, `dumps` writes it with tomlkit.

`tomllib` takes more than linear time for dotted keys, recurses into nested lists and accepts numbers of any length. So
`loads` first looks at the shape of the text, in linear time, and refuses shapes that no position or record needs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from cardtable.base import platform
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject

if TYPE_CHECKING:
    from tomlkit.items import AbstractTable, Array, Item

T = TypeVar("T", bound="AbstractTable")

WIDTH = 110  #: letters of a line: longer lists are broken into several
INDENT = "    "  #: of the lines of a list

LONGEST_TEXT = 4 << 20  #: letters of a document
LONGEST_WORD = 100  #: letters of a number, a date or a key, all its dotted parts together
MOST_DOTS = 8  #: in a key
DEEPEST = 16  #: how deep lists and tables may be nested

#: The tokens that make up the shape: strings and comments, whose content does not matter; signs; and words, which are
#: bare keys and values. The quote of an unterminated string is a sign; the rest does not matter, as `tomllib` also
#: stops there.
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


#: where the parser stopped, at the end of its message; without a line: at the end of the text
_PLACE = re.compile(r"\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)\Z")
#: the beginnings of its messages about a duplicate key and about a backslash
_TWICE = ("Cannot ", "Duplicate ")
_BACKSLASH = ("Unescaped ", "Escaped ", "Invalid hex")
MOST_SHOWN = 40  #: letters of the place where a text is wrong


class NotToml(ValueError):
    """A text that is not TOML, or has a shape that is refused. ended: it is right as far as it goes."""

    def __init__(self, why: Message, *, ended: bool = False) -> None:
        super().__init__(str(why))
        self.why, self.ended = why, ended


def loads(text: str) -> JsonObject:
    """The content of a document. Raises NotToml."""
    text = text.removeprefix(platform.MARK)
    check_shape(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _fault_of(str(error), text) from None
    except RecursionError:
        raise NotToml(Message("its lists are nested too deep")) from None


def _fault_of(said: str, text: str) -> NotToml:
    """The parser's error in our words: the place, and what is there."""
    lines = text.rstrip("\n").split("\n")
    place = _PLACE.search(said)
    line, column = len(lines), len(lines[-1]) + 1
    ended = place is None or place["line"] is None
    if place and not ended:
        line, column = int(place["line"]), int(place["column"])
    at = {"line": line, "column": column}
    if said.startswith(_TWICE):
        return NotToml(Message("line {line}, column {column}: this key is there twice", **at))
    if said.startswith(_BACKSLASH):
        return NotToml(
            Message(
                "line {line}, column {column}: the backslash before this stands for nothing: write two for a backslash",
                **at,
            )
        )
    rest = "" if ended else lines[line - 1][column - 1 :].strip()
    if not rest:
        return NotToml(
            Message("line {line}, column {column}: it ends here, where a quote, a bracket or a value is missing", **at),
            ended=ended,
        )
    shown = rest if len(rest) <= MOST_SHOWN else f"{rest[:MOST_SHOWN]} …"
    return NotToml(Message("line {line}, column {column}: {text} cannot stand here", text=repr(shown), **at))


def check_shape(text: str) -> None:
    """Raise NotToml for text that would take a parser too long. The time is linear in the text's length."""
    if len(text) > LONGEST_TEXT:
        raise NotToml(Message("it is longer than {n} MiB", n=LONGEST_TEXT >> 20))
    depth = dots = key = 0  # of the key or value being read: its dots, and the letters of its parts
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "word":
            length = token.end() - token.start()
            if length > LONGEST_WORD:
                raise NotToml(Message("a key or number is longer than {n} letters", n=LONGEST_WORD))
            dots += text.count(".", token.start(), token.end())
            key += length
            if dots > MOST_DOTS:
                raise NotToml(Message("a key has more than {n} parts", n=MOST_DOTS + 1))
        elif kind == "string":
            key += token.end() - token.start()
        elif kind == "sign":
            sign = token[0]
            if sign in "\"'":
                return
            if sign in "[{":
                depth += 1
                if depth > DEEPEST:
                    raise NotToml(Message("its lists and tables are nested deeper than {n}", n=DEEPEST))
            elif sign in "]}":
                depth -= 1
            if sign == "=" and key > LONGEST_WORD:
                raise NotToml(Message("a key is longer than {n} letters", n=LONGEST_WORD))
            dots = key = 0


def dumps(keys: Mapping[str, Json]) -> str:
    """A document, for people to read: plain keys first, then tables, then lists of tables; long lists are broken into
    lines.
    """
    import tomlkit  # takes 30 ms, and most programs never write TOML

    document = tomlkit.document()
    for name, thing in sorted(keys.items(), key=lambda pair: (_are_tables(pair[1]), isinstance(pair[1], Mapping))):
        if isinstance(thing, Mapping):
            document.add(name, _filled(tomlkit.table(), thing))
        elif _are_tables(thing):
            tables = tomlkit.aot()
            for each in thing:
                tables.append(_filled(tomlkit.table(), each))
            document.add(name, tables)
        else:
            document.add(name, _value(thing))
    return tomlkit.dumps(document).lstrip("\n")


def _filled(table: T, things: Mapping[str, Json]) -> T:
    for name, thing in things.items():
        table.add(name, _value(thing))
    return table


def _value(thing: Any) -> Item:
    """The value of a key; nested tables stay on its line."""
    import tomlkit

    if isinstance(thing, Mapping):
        return _filled(tomlkit.inline_table(), thing)
    return _list([_value(each) for each in thing]) if isinstance(thing, (list, tuple)) else _item(thing)


@lru_cache(1024, typed=True)
def _item(thing: Any) -> Item:
    """A plain value. Cached: making one takes 50 µs, and a record repeats the same few moves."""
    import tomlkit

    made: Item = tomlkit.item(thing)
    return made


def _list(items: Sequence[Item]) -> Array:
    """A list: on one line if it is short, else with as many items on each line as fit.

    It is built from all its parts at once, as a parser would: appending to a list of tomlkit takes time proportional
    to its length.
    """
    from tomlkit.items import Array, Trivia, Whitespace

    comma, blank, line = Whitespace(","), Whitespace(" "), Whitespace("\n" + INDENT)
    lengths = [len(item.as_string()) + len(", ") for item in items]
    parts: list[Any] = []
    if sum(lengths) - len(", ") <= WIDTH:
        for item in items:
            parts += [comma, blank, item] if parts else [item]
        return Array(parts, Trivia())
    width = WIDTH  # of the line that is being filled
    for item, length in zip(items, lengths, strict=True):
        if width + length > WIDTH - len(INDENT) + 1:  # no blank follows the last comma
            parts.append(line)
            width = 0
        else:
            parts.append(blank)
        parts += [item, comma]
        width += length
    parts.append(Whitespace("\n"))
    return Array(parts, Trivia())


def _are_tables(thing: Any) -> bool:
    return isinstance(thing, (list, tuple)) and len(thing) > 0 and all(isinstance(each, Mapping) for each in thing)
