"""Every rule has a test, and the tool that names it can say when there is none."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any

import conformance  # the tools are scripts next to the package
import mutants
import pytest

book, named = functools.cache(conformance.pages), functools.cache(conformance.tests)

PAGE = """\
# Game

| ID | Rule |
|---|---|
| GA-01 | Do this. |
| GA-02 | A name.<!-- if ante > 1: More. --> *(not a rule of play)* <!-- only ante > 0 --> |
| GA-S1 | *Advice:* think. |

- **GA-Q1 May one?** Yes.
- **GA-Q2 Why?** History. *(not a rule of play)*

### GA-E1 A deal
"""


def test_no_rule_is_without_a_test() -> None:
    missing = conformance.gaps(book(), named())
    assert not missing, f"no test names {', '.join(missing)}"


def test_no_test_names_a_rule_that_is_not_there() -> None:
    assert not conformance.unknown(book(), named())


def test_the_table_is_written_and_stays_where_it_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With each rule, and the tests of each."""
    path = tmp_path / "table.md"
    monkeypatch.setattr(conformance, "TABLE", str(path))
    conformance.write(book(), named())
    text = path.read_text("utf-8")
    assert "**no test**" not in text
    assert all(f"\n| {entry.id} | " in text for page in book() for entry in page.entries)
    assert all(f"]({'../' + test.path})" in text for tests_of in named().values() for test in tests_of)
    os.utime(path, (1, 1))
    conformance.write(book(), named())
    assert path.stat().st_mtime == 1
    path.write_text("old", "utf-8")
    conformance.write(book(), named())
    assert path.read_text("utf-8") == text


def test_every_game_has_a_page_that_lays_down_rules() -> None:
    from cardtable.rules.catalog import games

    laid_down = {page.title for page in book() if any(entry.kind == "rule" for entry in page.entries)}
    for game in games().values():
        assert game.rulebook.splitlines()[0] == f"# {game.title}"
        assert game.title in laid_down


def test_questions_examples_and_common_practice_are_counted_through() -> None:
    for page in book():
        for kind, letter in (("question", "Q"), ("example", "E"), ("practice", "C")):
            ids = [entry.id for entry in page.entries if entry.kind == kind]
            prefix = page.entries[0].id.partition("-")[0]
            assert ids == [f"{prefix}-{letter}{k + 1}" for k in range(len(ids))], page.path


def test_a_page_is_read() -> None:
    page = conformance.read_page("games/game/game.md", PAGE)
    assert page.title == "Game"
    assert [(entry.id, entry.kind, entry.tested) for entry in page.entries] == [
        ("GA-01", "rule", True),
        ("GA-02", "rule", False),
        ("GA-S1", "advice", False),
        ("GA-Q1", "question", True),
        ("GA-Q2", "question", False),
        ("GA-E1", "example", True),
    ]


@pytest.mark.parametrize(
    "line", ["| **GA-03** | Bold. |", "- GA-Q3 May two? No.", "1. **GA-Q3 May two?** No.", "|GA-03| tight |"]
)
def test_a_rule_in_another_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="GA-"):
        conformance.read_page("games/game/game.md", PAGE + line + "\n")


def test_a_rule_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="GA-01 stands twice"):
        conformance.read_page("games/game/game.md", PAGE + "| GA-01 | Again. |\n")


def test_marks_are_read_wherever_they_stand() -> None:
    source = """
import pytest

@pytest.mark.rules("GA-01")
class TestDeal:
    @pytest.mark.rules("GA-02", "GA-Q1")
    def test_method(self): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rules("GA-E1"))])
def test_parameters(x): ...

@pytest.mark.rules("GA-99")
def helper(): ...
"""
    named = conformance.read_tests("tests/test_game.py", source)
    assert {rule: [test.name for test in tests_of] for rule, tests_of in named.items()} == {
        "GA-01": ["test_method"],
        "GA-02": ["test_method"],
        "GA-Q1": ["test_method"],
        "GA-E1": ["test_parameters"],
    }
    page = conformance.read_page("cardtable/games/game/game.md", PAGE)
    assert conformance.gaps([page], named) == []
    assert conformance.gaps([page], {}) == ["GA-01", "GA-Q1", "GA-E1"]
    assert conformance.unknown([page], {"GA-98": named["GA-01"]}) == ["GA-98 (tests/test_game.py: test_method)"]
    assert "| GA-E1 | A deal | **no test** |" in conformance.render([page], {})
    assert "| GA-E1 | A deal | [test_parameters](../tests/test_game.py) |" in conformance.render([page], named)


def test_what_became_of_mutants_is_a_table() -> None:
    run = {"game": "fan-tan", "seed": 2, "mutants": 100, "killed": 95, "timed_out": 1, "equivalent": 3, "survived": 1}
    assert "| fan-tan | 2 | 100 | 95 | 1 | 3 | 1 |" in conformance.render([], {}, [run]).splitlines()
    assert "Mutants" not in conformance.render([], {})


def test_at_most_three_of_a_hundred_mutants_survive() -> None:
    """In two samples of each game."""
    samples: dict[str, list[dict[str, Any]]] = {}
    for run in mutants.ledger()["run"]:
        samples.setdefault(run["game"], []).append(run)
    for game, tests_of in samples.items():
        assert len(tests_of) >= 2, game
        assert min(run["mutants"] for run in tests_of) >= 100, game
        assert max(run["survived"] / run["mutants"] for run in tests_of) <= 0.03, game


def test_a_mark_of_a_whole_file_counts_only_where_there_are_tests() -> None:
    mark = 'pytestmark = pytest.mark.rules("GA-01")\n'
    assert conformance.read_tests("tests/test_game.py", mark) == {}
    tests_of = conformance.read_tests("tests/test_game.py", mark + "def test_it(): ...\n")
    assert str(tests_of["GA-01"][0]) == "[test_game.py](../tests/test_game.py)"


def test_marks_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(ValueError, match="plain strings"):
        conformance.read_tests("tests/test_game.py", "@pytest.mark.rules(*IDS)\ndef test_it(): ...\n")
