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
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *(ROOT / "docs" / "tutorials").glob("*.md"),
    *(ROOT / "docs" / "decisions").glob("*.md"),
]
#: of each part of the repository: its files, and how often each habit may occur there
PARTS: dict[str, tuple[list[Path], dict[str, int]]] = {
    "pages": (
        [page for page in PAGES if page.name not in ("CHANGELOG.md", "conformance.md", "CONTRIBUTING.md")],
        {"whoever": 6, "in place of": 8, "so many": 2, "go on": 17, "tell": 36, "by itself": 9, "anew": 6, "beside": 14}
        | {"shall": 1},
    ),
    "rulebook": (
        [*ROOT.glob("cardtable/games/*/*.md")],
        {"in place of": 0, "so many": 1, "go on": 33, "tell": 5, "by itself": 0, "anew": 0, "beside": 8, "shall": 0}
        | {"those that": 5, "of its own": 10, "comes to": 4},
    ),
    "package": (
        [*ROOT.glob("cardtable/**/*.py"), *ROOT.glob("cardtable/web/*.js"), *ROOT.glob("cardtable/web/*/*.js")],
        {"whoever": 22, "in place of": 7, "so many": 9, "go on": 45, "by itself": 6, "anew": 22, "beside": 48}
        | {"shall": 2, "those that": 39, "of its own": 27, "comes to": 9},
    ),
    "tests": (
        [file for file in ROOT.glob("tests/**/*.py") if file != Path(__file__).resolve()]
        + [*ROOT.glob("tests/client/*.js")]
        + [*ROOT.glob("tools/**/*.py"), *ROOT.glob("bench/**/*.py"), *ROOT.glob("examples/**/*.py")],
        {"whoever": 21, "in place of": 2, "so many": 22, "go on": 59, "by itself": 19, "anew": 15, "beside": 55}
        | {"shall": 8, "those that": 40, "of its own": 29, "comes to": 11},
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
