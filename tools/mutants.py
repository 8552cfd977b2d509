"""Change a game's rules in one place at a time, and see whether a test of that game turns red.

    python tools/mutants.py cassino                 twelve mutants of cardtable/games/cassino/rules.py, chosen by seed 1
    python tools/mutants.py busca --count 40 --seed 7 --only settle -k "not worlds"

Each mutant is run in a copy of the repository, as plain Python, against the tests whose files bear the game's name. One that
survives is a place where a rule is not held by a test, or a change that changes nothing: look at it. No part of `make test`:
a mutant takes as long as the game's tests do.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
LARGEST = 60  #: numbers up to this one are changed by 1
TIMEOUT = 600  #: seconds after which a mutant is taken to play for ever
APART = ("bounds", "setup", "advise", "idle")  #: functions that no rule of play is in


@dataclass(frozen=True)
class Mutant:
    """Some text of a line in place of other text."""

    line: int  #: from 1
    start: int
    end: int
    text: str

    def of(self, source: str) -> str:
        """The source with the change."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.text + line[self.end :]
        return "".join(lines)


def places(source: str, only: str = "") -> Iterator[Mutant]:
    """Every change of one operator, number or condition in the functions of a source. only: of one function."""
    lines = source.splitlines()
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef) and function.name not in APART and only in ("", function.name):
            for node in ast.walk(function):
                found = mutant(node, lines)
                if found:
                    yield found


def mutant(node: ast.AST, lines: list[str]) -> Mutant | None:
    """The change of a node, if it stands in one line and is one that is changed."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        sign = COMPARISONS[type(node.ops[0])]
        return between(node.left, node.comparators[0], sign, COMPARED[sign], lines)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        return between(node.left, node.right, sign, "-" if sign == "+" else "+", lines)
    if isinstance(node, ast.BoolOp):
        word = "and" if isinstance(node.op, ast.And) else "or"
        return between(node.values[0], node.values[1], word, "or" if word == "and" else "and", lines)
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value <= LARGEST and node.end_col_offset is not None:
        return Mutant(node.lineno, node.col_offset, node.end_col_offset, str(node.value + 1))
    return None


def between(left: ast.expr, right: ast.expr, old: str, new: str, lines: list[str]) -> Mutant | None:
    """The sign between two expressions of one line, changed."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return None
    start = lines[right.lineno - 1].find(old, left.end_col_offset, right.col_offset)
    return None if start < 0 else Mutant(right.lineno, start, start + len(old), new)


def survives(copy: Path, rules: Path, source: str, tests: list[str]) -> bool:
    """Whether the tests stay green within their time."""
    rules.write_text(source, "utf-8")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy)}
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=TIMEOUT, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False  # it plays for ever


def main() -> int:
    """Print each mutant and whether a test noticed; the exit code is how many survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", help="a package of cardtable/games, such as cassino")
    parser.add_argument("--file", default="rules.py")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="of one function")
    parser.add_argument("-k", default="", help="which tests, as pytest's -k")
    given = parser.parse_args()
    at = Path("cardtable/games") / given.family / given.file
    source = (ROOT / at).read_text("utf-8")
    tests = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob(f"test_{given.family}*.py"))
    if not tests:
        parser.error(f"there are no tests/test_{given.family}*.py")
    found = sorted(places(source, given.only), key=lambda one: (one.line, one.start))
    chosen = sorted(random.Random(given.seed).sample(found, min(given.count, len(found))), key=lambda one: (one.line, one.start))
    tests += ["-k", given.k] if given.k else []
    left = 0
    with tempfile.TemporaryDirectory() as home:
        copy = Path(home) / "cardtable"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "shared"))
        if not survives(copy, copy / at, source, tests):
            parser.error("the tests are red, or too slow, without any change")
        for one in chosen:
            lives = survives(copy, copy / at, one.of(source), tests)
            left += lives
            sys.stdout.write(f"{'SURVIVES' if lives else 'killed  '} {at}:{one.line}: {one.of(source).splitlines()[one.line - 1].strip()}\n")
            sys.stdout.flush()
    return left


if __name__ == "__main__":
    raise SystemExit(main())
