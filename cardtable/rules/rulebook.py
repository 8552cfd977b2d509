"""Rulebook pages: one Markdown file has the rules of all presets; players see the rules of their table.

Text that applies only under some house rules is marked by comments, which are invisible where Markdown is displayed:

    <!-- only COND --> the row, list item or paragraph with it applies only then; in a heading: its whole section <!--
    if COND -->text<!-- end --> the text applies only then <!-- if COND -->text<!-- else: other --> otherwise the
other text applies, which only rendered pages show <!-- if COND: text --> text that only rendered pages show; two
blanks
    at either end of it
                                                     mean one; a blank between sentences is put in automatically
    <!-- = EXPR -->text<!-- end --> a value takes the place of the text; as code if the text is: `AH KC`

COND and EXPR are Python expressions: the table's options by name, `seats`, `whole` (false), words in quotes, numbers,
`and`, `or`, `not`, comparisons, `in`, and the functions below. `{EXPR}` in the text of a comment is a value. If the
number of seats is unknown, text that depends on it stays unchanged. The file without its comments is the whole
rulebook.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from cardtable.base.types import Json

#: The heading of the help that `?` shows at the table in the terminal: three lines on the game, lists of moves and
#: marks, no rules.
AT_THE_TERMINAL = "At the terminal"
HOW_TO_PLAY = "How to play"  #: the section that is translated, besides the head and the help at the terminal
POSITIONS = "Writing down"  #: how the headings of sections for programmers begin

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MARK = re.compile(r"<!--\s*(.*?) ?-->", re.DOTALL)
_ONLY = re.compile(r"\s*<!--\s*only\s+(.*?)\s*-->")
_HEADING = re.compile(r"(#+) +(.*)")
#: where a sentence was put in directly after another
_SECTIONS = re.compile(r"(?ms)^## .*?(?=^## |\Z)")
_SENTENCES = re.compile(r"(?<=[a-zß-ÿ0-9)*`♠♥♦♣»][.!?:])(?=[A-ZÀ-Þ¿¡])")
_ITEM = re.compile(r"( *)([-*]|\d+\.) ")


class PageFault(ValueError):
    """An invalid mark on a page; found by the tests."""


class _Unknown(Exception):
    """An expression needs a value that depends on the number of seats, which is not known yet."""


#: The value of something not known: the number of seats, or an option that follows from it.
UNKNOWN: Any = type("Unknown", (), {"__repr__": lambda _: "UNKNOWN"})()


# Expressions


def _counted(unit: str) -> Callable[[int], str]:
    return lambda n: f"{n} {unit}{'s' * (n != 1)}"


FUNCTIONS: Mapping[str, Callable[..., Json]] = {
    "chips": _counted("chip"),  #: 1 chip, 3 chips
    "cards": _counted("card"),
    "word": lambda n: _WORDS[n] if 0 <= n < len(_WORDS) else str(n),  #: three
    "count": lambda text: len(str(text).split()),  #: how many words a text has
    "open": lambda _: False,  #: false if evaluated at all: text under it stays only if its argument is not known
    #: "AH KC QD" -> AH, KC and QD
    "listed": lambda text, link="and": f" {link} ".join(filter(None, str(text).replace(" ", ", ").rsplit(", ", 1))),
    #: in other languages: 1 Chip, 3 Chips
    "forms": lambda n, one, other: f"{n} {one if n == 1 else other}",
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: str(a) == str(b),  # options are text or numbers: 21 is "21"
    ast.NotEq: lambda a, b: str(a) != str(b),
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: str(a) in b.split() if isinstance(b, str) else str(a) in b,
    ast.NotIn: lambda a, b: str(a) not in (b.split() if isinstance(b, str) else b),
}


@lru_cache(4096)
def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise PageFault(f"{text!r}: {error.msg}") from None


def evaluate(text: str, values: Mapping[str, Json]) -> Json:
    """The value of an expression; UNKNOWN if it depends on unknown values. Raises PageFault."""
    try:
        return _value(_parsed(text), values)
    except _Unknown:
        return UNKNOWN
    except (TypeError, AttributeError) as error:
        raise PageFault(f"{text!r}: {error}") from None


def _value(node: ast.expr, values: Mapping[str, Json]) -> Json:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Tuple):
        return tuple(str(_value(one, values)) for one in node.elts)
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise PageFault(f"there is no option {node.id!r}")
        if values[node.id] is UNKNOWN:
            raise _Unknown
        return values[node.id]
    if isinstance(node, ast.BoolOp):
        return _joined(node, values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.FloorDiv)):
        a, b = _value(node.left, values), _value(node.right, values)
        return a + b if isinstance(node.op, ast.Add) else a - b if isinstance(node.op, ast.Sub) else a // b
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        return _COMPARE[type(node.ops[0])](_value(node.left, values), _value(node.comparators[0], values))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FUNCTIONS
        and not node.keywords
    ):
        return FUNCTIONS[node.func.id](*(_value(one, values) for one in node.args))
    raise PageFault(f"{ast.unparse(node)!r} cannot be used on a page")


def _joined(node: ast.BoolOp, values: Mapping[str, Json]) -> bool:
    """`and` and `or`, which one known part may decide."""
    settles = isinstance(node.op, ast.Or)
    unknown = False
    for part in node.values:
        try:
            if bool(_value(part, values)) == settles:
                return settles
        except _Unknown:
            unknown = True
    if unknown:
        raise _Unknown
    return not settles


def shown(value: Json) -> str:
    """A value of an option as text."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Pages


def whole(source: str) -> str:
    """A page with the rules of all presets: its text without the marks."""
    return _tidied(_MARK.sub("", re.sub(r"\s*<!--\s*only .*?-->", "", source)))


def render(source: str, values: Mapping[str, Json]) -> str:
    """A page as it is for some options: `values` has them by name, and `seats`; each may be UNKNOWN.

    Raises PageFault.
    """
    known = {"whole": False, **values}
    text = _SECTIONS.sub(_unless_empty, "\n".join(_applying(source.split("\n"), known)))
    return _tidied(_SENTENCES.sub(" ", _renumbered(_filled(text, known))))


def section(page: str, title: str) -> str:
    """The text under a heading of the second level; "" if there is none."""
    match = re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page)
    return match[1].strip() if match else ""


def without(page: str, title: str) -> str:
    """The page without the second-level sections whose headings begin like this."""
    return re.sub(rf"(?ms)^## {re.escape(title)}[^\n]*\n.*?(?=^## |\Z)", "", page).rstrip() + "\n"


def with_head(page: str, lines: Iterable[str]) -> str:
    """The page with lines below its title."""
    title, _, rest = page.partition("\n")
    return "\n".join([title, "", *lines, rest.lstrip("\n")])


def rest(page: str) -> str:
    """What comes behind the parts that are translated."""
    return re.sub(rf"(?s)\A.*?^## {re.escape(HOW_TO_PLAY)}\n.*?(?=^## |\Z)", "", page, count=1, flags=re.MULTILINE)


def in_language(page: str, headings: Mapping[str, str]) -> str:
    """A page's translated parts with their headings translated."""
    return re.sub(r"(?m)^(#+) (.*)$", lambda match: f"{match[1]} {headings.get(match[2], match[2])}", page).rstrip()


def _applying(lines: list[str], values: Mapping[str, Json]) -> Iterator[str]:
    """The lines whose `only` holds.

    A heading is left out together with its section, a list item with the lines indented below it.
    """
    level = indent = -1  # currently omitted: a section of this level, or an item with this indentation
    for line in lines:
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if level >= 0 and (heading is None or len(heading[1]) > level):
            continue
        if indent >= 0 and (not line.strip() or len(line) - len(line.lstrip()) > indent):
            continue
        left_out_item = indent >= 0
        level = indent = -1
        holds = True
        for mark in _ONLY.finditer(line) if "<!--" in line else ():
            holds = holds and bool(evaluate(mark[1], values))
        if holds:
            if left_out_item and line.strip() and item is None and heading is None:
                yield ""  # the blank line that ended the list
            yield _ONLY.sub("", line) if "<!--" in line else line
        elif heading:
            level = len(heading[1])
        elif item:
            indent = len(item[1])


def _unless_empty(section: re.Match[str]) -> str:
    """A section of a page; "" if it has tables and no row of them applies."""
    heads = re.findall(r"(?m)^\|[-|]+\|\n(\|?)", section[0])
    return "" if heads and not any(heads) else section[0]


def _filled(text: str, values: Mapping[str, Json]) -> str:
    """The text with its conditions decided and its values put in."""
    out: list[str] = []
    open_marks: list[tuple[str, Any, int]] = []  # kind, value, where in `out` its text begins
    end = 0
    for mark in _MARK.finditer(text):
        out.append(text[end : mark.start()])
        end = mark.end()
        word, _, rest = mark[1].partition(" ")
        if word == "if" and ": " in rest:
            condition, _, hidden = rest.partition(": ")
            held = evaluate(condition, values)
            if held and held is not UNKNOWN:
                out.append(_put(hidden, values))
        elif word in ("if", "="):
            open_marks.append((word, evaluate(rest, values), len(out)))
        elif mark[1] == "end" or mark[1].startswith("else: "):
            if not open_marks:
                raise PageFault(f"{mark[0]} ends nothing")
            kind, value, start = open_marks.pop()
            inner = "".join(out[start:])
            del out[start:]
            if value is UNKNOWN:
                out.append(inner)
            elif kind == "=":
                words = shown(value)
                out.append(f"`{words}`" if inner.startswith("`") and not words.isdecimal() else words)
            elif value:
                out.append(inner)
            elif mark[1] != "end":
                out.append(_put(mark[1].removeprefix("else: "), values))
        else:
            raise PageFault(f"{mark[0]} is no mark of a page")
    if open_marks:
        raise PageFault(f"a mark ({open_marks[-1][0]}) has no end")
    return "".join(out) + text[end:]


def _put(text: str, values: Mapping[str, Json]) -> str:
    """The text of a comment with its values; "" if one is not known."""
    known = {match: evaluate(match, values) for match in re.findall(r"\{([^}]*)\}", text)}
    if UNKNOWN in known.values():
        return ""
    return re.sub(r"\{([^}]*)\}", lambda match: shown(known[match[1]]), text)


def _renumbered(text: str) -> str:
    """Number lists from 1 again, because items may have been left out."""
    lines, number = [], 0
    for line in text.split("\n"):
        if re.match(r"\d+\. ", line):
            number += 1
            line = re.sub(r"^\d+", str(number), line)
        elif line.strip() and not line.startswith(" "):
            number = 0
        lines.append(line)
    return "\n".join(lines)


def _tidied(text: str) -> str:
    """Remove the double blanks that marks leave between words, and repeated empty lines."""
    parts = text.split("```")
    parts[::2] = [
        re.sub(
            r"\n{3,}",
            "\n\n",
            re.sub(r"[ \t]+$", "", re.sub(r"(?<=[^\s|])  +(?=[^\s|])", " ", part), flags=re.MULTILINE),
        )
        for part in parts[::2]
    ]
    return re.sub(r" +\|$", " |", "```".join(parts), flags=re.MULTILINE)


# House rules


def with_values(page: str, presets: tuple[str, ...], values: Mapping[str, Json]) -> str:
    """The page with the options' values at this table instead of the columns of the presets."""
    lines: list[str] = []
    columns: list[int] = []  # the columns to keep of the table that is being read; [] outside a table
    dropped = False
    for line in page.split("\n"):
        if not line.startswith("|"):
            columns, dropped = [], False
            lines.append(line)
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "option" and not columns:
            others = [cell for cell in cells[1:] if cell.strip("`") not in presets]
            dropped = not others
            columns = [k for k, cell in enumerate(cells) if k and cell.strip("`") not in presets]
        if dropped:
            continue
        if columns:
            name = cells[0].strip("`")
            here = "at this table" if name == "option" else "---" if set(name) <= {"-", ":"} else shown(values[name])
            cells = [cells[0], here, *(cells[k] for k in columns if k < len(cells))]
            line = f"| {' | '.join(cells)} |"
        lines.append(line)
    return _tidied("\n".join(lines))


def unlabelled(page: str, presets: tuple[str, ...]) -> str:
    """The page without the names of presets at the beginning of rows and items: the remaining ones apply here."""
    names = "|".join(map(re.escape, presets))
    return re.sub(rf"(?m)^(\| [A-Z0-9-]+ \| |- )`(?:{names})`: (\w?)", lambda match: match[1] + match[2].upper(), page)
