"""The prose: habits that make it hard to read may only become rarer (CONTRIBUTING.md, House style)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HABITS = {
    "whoever": r"whoever",
    "in place of": r"in place of",
    "so many": r"so many",
    "go on": r"go(es)? on",
    "tell": r"tells?|told",
    "by itself": r"by itself",
    "anew": r"anew",
    "beside": r"beside",
    "shall": r"shall",
    "those that": r"those (?:that|who)",
    "of its own": r"of (?:its|their|your) own",
    "comes to": r"comes? to",
}
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
#: of each part of the repository: its files, and how often each habit may occur there
PARTS: dict[str, tuple[list[Path], dict[str, int]]] = {
    "pages": (
        [page for page in PAGES if page.name not in ("CHANGELOG.md", "conformance.md", "CONTRIBUTING.md")],
        {"whoever": 3, "in place of": 0, "so many": 0, "go on": 0, "tell": 14, "by itself": 0, "anew": 0, "beside": 0}
        | {"shall": 0, "those that": 0, "of its own": 2, "comes to": 0},
    ),
    "rulebook": (
        [*ROOT.glob("cardtable/games/*/*.md")],
        {"in place of": 0, "so many": 0, "go on": 24, "tell": 1, "by itself": 0, "anew": 0, "beside": 3, "shall": 0}
        | {"those that": 1, "of its own": 7, "comes to": 4},
    ),
    "package": (
        [*ROOT.glob("cardtable/**/*.py"), *ROOT.glob("cardtable/web/*.js"), *ROOT.glob("cardtable/web/*/*.js")],
        {"whoever": 17, "in place of": 0, "so many": 3, "go on": 16, "by itself": 0, "anew": 20, "beside": 42}
        | {"shall": 1, "those that": 6, "of its own": 4, "comes to": 2},
    ),
    "tests": (
        [file for file in ROOT.glob("tests/**/*.py") if file != Path(__file__).resolve()]
        + [*ROOT.glob("tests/client/*.js")]
        + [*ROOT.glob("tools/**/*.py"), *ROOT.glob("bench/**/*.py"), *ROOT.glob("examples/**/*.py")],
        {"whoever": 8, "in place of": 0, "so many": 6, "go on": 35, "by itself": 1, "anew": 7, "beside": 41}
        | {"shall": 4, "those that": 9, "of its own": 3, "comes to": 1},
    ),
}


def count(pattern: str, files: Iterable[Path]) -> int:
    """How often it occurs, as whole words."""
    whole = re.compile(rf"\b(?:{pattern})\b", re.I)
    return sum(len(whole.findall(file.read_text("utf-8"))) for file in files)


@pytest.mark.parametrize("part", PARTS)
def test_habits_only_become_rarer(part: str) -> None:
    """When one has become rarer, lower its number here."""
    files, most = PARTS[part]
    assert files
    counted = {name: count(HABITS[name], files) for name in most}
    assert {name: n for name, n in counted.items() if n > most[name]} == {}


def test_a_habit_is_counted_as_a_word(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Whoever goes on, told anew; marshalled, foretold.", "utf-8")
    assert {name: count(pattern, [page]) for name, pattern in HABITS.items() if count(pattern, [page])} == {
        "whoever": 1,
        "go on": 1,
        "tell": 1,
        "anew": 1,
    }
