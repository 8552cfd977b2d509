"""Which test covers which rule, and how many changes of the rules the tests notice: writes docs/conformance.md from the
rulebook pages, the marks of the tests, and the runs in tests/mutants.toml.

    python tools/conformance.py     write docs/conformance.md; if there are gaps, print them, with exit code 1

The file is not kept in git. The documentation's site has it as a page: docs/conf.py writes it, too.

Rules are read from the pages in `cardtable/games/*/*.md`: each row of a table whose first column is a rule ID (`FT-22`,
advice `FT-S1`), each list item that begins with a decided question's (`- **FT-Q14 ...`), and each heading that begins
with a worked example's (`### FT-E2 ...`). What a page calls advice, or marks "not a rule of play", is shown there and
not tested. Tests are read, not run: the marks `@pytest.mark.rules("FT-22", ...)` of test functions, of their
classes and parameters, and `pytestmark` of a file.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.rules.rulebook import whole

ROOT = Path(__file__).resolve().parent.parent
TABLE = "docs/conformance.md"
MUTANTS = "tests/mutants.toml"
SHOWN = "not a rule of play"
HEAD = """\
# Conformance: which test holds to which rule

Made by `make conformance` from the rulebook pages and the tests' marks; do not edit. Rules, decided questions (Q) and
worked examples (E) need a test; advice (S), and what a page marks as no rule of play, is shown to players and not
tested.

"""
MUTATED = f"""\
## Mutants: changes that the tests notice

From [{MUTANTS}](../{MUTANTS}): `make mutants GAME=…` changes the rules of a game in one place at a time, in as many
places as a sample has, and runs the game's tests. A change that no test notices is *equivalent* if it makes no
difference to the game (the file gives the reason for each), and has *survived* otherwise.

| game | sample | changes | noticed | never ended | equivalent | survived |
|---|---|---|---|---|---|---|
"""
ID = r"[A-Z][A-Z0-9]{1,3}-[QESC]?\d+"
_RULE = re.compile(rf"^\| ({ID}) \| (.+) \|$")
_QUESTION = re.compile(rf"^- \*\*({ID}) (.+)$")
_EXAMPLE = re.compile(rf"^#+ ({ID})\b(.*)$")
_LIKE_ONE = re.compile(rf"^(\||-|\*|\d+\.|#+)\W*{ID}\b")


@dataclass(frozen=True)
class Entry:
    """A rule, piece of advice, decided question or worked example of a page."""

    id: str
    text: str

    @property
    def kind(self) -> str:
        """rule, advice, question, example, or common practice."""
        return {"S": "advice", "Q": "question", "E": "example", "C": "practice"}.get(
            self.id.partition("-")[2][0], "rule"
        )

    @property
    def tested(self) -> bool:
        """Whether a test must name it."""
        return self.kind != "advice" and SHOWN not in self.text


@dataclass(frozen=True)
class Page:
    """A rulebook page: its file, its title, and its entries."""

    path: str
    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Test:
    """A test that names rules; `name` is empty for the mark of a whole file."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"[{self.name or Path(self.path).name}](../{self.path})"


def read_page(path: str, text: str) -> Page:
    """The page with its entries, each text on one line.

    Raises ValueError for an ID that occurs twice, or in another form.
    """
    entries: dict[str, Entry] = {}
    text = whole(text)
    for line in text.splitlines():
        match = _RULE.match(line) or _QUESTION.match(line) or _EXAMPLE.match(line)
        if match:
            if match[1] in entries:
                raise ValueError(f"{path}: {match[1]} stands twice")
            entries[match[1]] = Entry(match[1], match[2].strip())
        elif _LIKE_ONE.match(line):
            raise ValueError(
                f"{path}: write `| ID | text |`, `- **ID question** answer` or `### ID example`, not {line[:60]!r}"
            )
    title = next((line[2:] for line in text.splitlines() if line.startswith("# ")), path)
    return Page(path, title, tuple(entries.values()))


def pages(root: Path = ROOT) -> list[Page]:
    """The rulebook pages, by file. Raises ValueError for an ID that occurs on two of them."""
    paths = sorted(root.glob("cardtable/games/*/*.md"))
    book = [read_page(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in paths]
    homes: dict[str, str] = {}
    for page in book:
        for entry in page.entries:
            if homes.setdefault(entry.id, page.path) != page.path:
                raise ValueError(f"{entry.id} stands in {homes[entry.id]} and in {page.path}")
    return book


def _marked(node: ast.AST, path: str) -> Iterator[str]:
    """The IDs of the marks anywhere below a node."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "rules":
            mark = call.func.value
            if not (isinstance(mark, ast.Attribute) and mark.attr == "mark"):
                continue
            for argument in call.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise ValueError(f"{path}:{argument.lineno}: the IDs of a mark are plain strings")
                yield argument.value


def _functions(body: list[ast.stmt], outer: tuple[ast.expr, ...]) -> Iterator[tuple[str, tuple[ast.expr, ...]]]:
    """The test functions of a file or class, each with its marks and those of the enclosing classes."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            yield node.name, (*outer, *node.decorator_list)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _functions(node.body, (*outer, *node.decorator_list))


def read_tests(path: str, text: str) -> dict[str, list[Test]]:
    """ID -> the tests of a file that name it."""
    tree = ast.parse(text)
    named: dict[str, list[Test]] = {}
    functions = list(_functions(tree.body, ()))
    for node in tree.body:  # `pytestmark`, and parameters assigned to names
        if functions and isinstance(node, (ast.Assign, ast.AnnAssign)):
            for rule in _marked(node, path):
                named.setdefault(rule, []).append(Test(path, ""))
    for name, decorators in functions:
        for decorator in decorators:
            for rule in _marked(decorator, path):
                named.setdefault(rule, []).append(Test(path, name))
    return {rule: list(dict.fromkeys(tests_of)) for rule, tests_of in named.items()}


def tests(root: Path = ROOT) -> dict[str, list[Test]]:
    """ID -> the tests that name it, by file and line."""
    named: dict[str, list[Test]] = {}
    for path in sorted(root.glob("tests/**/test_*.py")):
        for rule, tests_of in read_tests(path.relative_to(root).as_posix(), path.read_text("utf-8")).items():
            named.setdefault(rule, []).extend(tests_of)
    return named


def gaps(book: list[Page], named: dict[str, list[Test]]) -> list[str]:
    """The IDs that no test names, in the order of the pages."""
    return [entry.id for page in book for entry in page.entries if entry.tested and entry.id not in named]


def unknown(book: list[Page], named: dict[str, list[Test]]) -> list[str]:
    """The IDs that tests name and no page has, each with its first test."""
    known = {entry.id for page in book for entry in page.entries}
    return [
        f"{rule} ({tests_of[0].path}: {tests_of[0].name})"
        for rule, tests_of in sorted(named.items())
        if rule not in known
    ]


def _short(text: str, width: int = 110) -> str:
    """The beginning of a text, without emphasis and links."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("*", "").replace("|", "/").strip()
    return plain if len(plain) <= width else plain[: plain.rindex(" ", 0, width)] + " …"


def render_runs(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """The lines of the section about the runs of tools/mutants.py."""
    columns = ("game", "seed", "mutants", "killed", "timed_out", "equivalent", "survived")
    rows = (f"| {' | '.join(str(run[name]) for name in columns)} |" for run in runs)
    return [*MUTATED.splitlines(), *rows, ""]


def render(book: list[Page], named: dict[str, list[Test]], mutants: Sequence[Mapping[str, Any]] = ()) -> str:
    """The text of docs/conformance.md."""
    missing = set(gaps(book, named))
    lines = HEAD.splitlines()
    for page in book:
        tested = [entry for entry in page.entries if entry.tested]
        held = sum(entry.id not in missing for entry in tested)
        lines += [f"## {page.title}", "", f"From [{page.path}](../{page.path}): {held} of {len(tested)} tested.", ""]
        lines += ["| ID | text | tests |", "|---|---|---|"]
        for entry in page.entries:
            held_by = ", ".join(str(test) for test in named.get(entry.id, ()))
            held_by = held_by or ("**no test**" if entry.tested else "shown, not tested")
            lines.append(f"| {entry.id} | {_short(entry.text)} | {held_by} |")
        lines.append("")
    if mutants:
        lines += render_runs(mutants)
    return "\n".join(lines).rstrip() + "\n"


def write(book: list[Page], named: dict[str, list[Test]]) -> None:
    """Write the table. An identical file is left alone, so that the site is not rebuilt."""
    text, path = render(book, named, tomllib.loads((ROOT / MUTANTS).read_text("utf-8"))["run"]), ROOT / TABLE
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def main() -> int:
    """Write the table; return 1 if a rule has no test."""
    book, named = pages(), tests()
    write(book, named)
    wrong = [f"no test names {rule}" for rule in gaps(book, named)]
    wrong += [f"no page has {rule}" for rule in unknown(book, named)]
    print("\n".join(wrong) or f"{TABLE}: every rule, decided question and worked example has a test")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
