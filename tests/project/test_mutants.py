"""The tool that changes rules (tools/mutants.py): which changes it makes, and that a changed rule is changed for
everybody.
"""

from __future__ import annotations

import signal
from pathlib import Path
from types import ModuleType

import mutants  # the tools are scripts next to the package
import pytest

SOURCE = '''
def settle(s: int, most: int = 9) -> int:
    """Seven is no number of the rule."""
    if s > 3 and not most:
        return min(s, most) + 1
    return s

def bounds(s: int) -> int:
    return 7
'''


def changed(source: str) -> set[str]:
    """What a source's mutants read, each changed line."""
    return {mutant.after for mutant in mutants.mutants("rules.py", source)}


def test_operators_numbers_and_conditions_are_changed() -> None:
    assert changed(SOURCE) == {
        "if s >= 3 and (not most):",
        "if s <= 3 and (not most):",
        "if s > 4 and (not most):",
        "if s > 2 and (not most):",
        "if s > 3 or not most:",
        "if s > 3 and most:",
        "return min(s, most) - 1",
        "return min(s, most) + 2",
        "return min(s, most) + 0",
        "return max(s, most) + 1",
    }


def test_statements_are_left_out() -> None:
    assert {"pass", "s.pot -= n", "if not s.over:"} <= changed(
        "def f(s, n):\n    if s.over:\n        s.pot += n\n        emit(s)\n"
    )


def test_no_rule_of_play_no_mutant() -> None:
    """Limits, the heuristic, and the size of work space."""
    assert not changed(
        "def bounds(s):\n    return 7\ndef heuristic(s):\n    return 1 + 2\ndef f(s):\n    return np.empty(52, "
        "np.int64)\n"
    )


def test_a_mutant_knows_the_lines_of_its_statement() -> None:
    """Of a statement with a body, those of its head."""
    every = list(mutants.mutants("rules.py", SOURCE))
    assert {mutant.lines for mutant in every} == {(4, 4), (5, 5)}
    check = mutants.Check("one", lambda: True, lines={"rules.py": {5}})
    assert [check.reaches(mutant) for mutant in every] == [mutant.lines == (5, 5) for mutant in every]


def test_a_changed_rule_is_changed_wherever_it_was_imported() -> None:
    module = ModuleType("rules")
    exec(SOURCE, module.__dict__)
    imported = module.settle
    mutant = next(mutant for mutant in mutants.mutants("rules.py", SOURCE) if mutant.after == "return min(s, most) + 2")
    assert imported(4, 0) == 1
    mutants.apply(mutant, module)
    assert imported(4, 0) == 2


def test_a_fork_tells_what_it_found_and_how_it_ended() -> None:
    def work(tell: mutants.Teller) -> None:
        tell("begun")
        signal.setitimer(signal.ITIMER_PROF, 0.2)
        while True:
            pass

    assert mutants.in_a_fork(work) == (["begun"], signal.SIGPROF)
    assert mutants.in_a_fork(lambda tell: tell(7)) == ([7], 0)


@pytest.mark.parametrize("file", sorted(mutants.ledger()["equivalent"]))
def test_what_changes_nothing_is_a_mutant_of_todays_rules(file: str) -> None:
    """Else `python tools/mutants.py --tidy` takes it out, and the changed statement is judged again."""
    assert mutants.stale(file) == [], "python tools/mutants.py --tidy takes these out of tests/mutants.toml"
    assert all(len(entry["why"]) > 20 for entry in mutants.equivalents())


def test_a_stale_entry_shows_and_the_ledger_is_written_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, entries = mutants.LEDGER.read_text("utf-8"), mutants.equivalents()
    monkeypatch.setattr(mutants, "LEDGER", tmp_path / "mutants.toml")
    mutants.LEDGER.write_text(text, "utf-8")
    gone = {**entries[0], "before": "return 0"}
    mutants.write(mutants.ledger()["run"], [*entries[1:], gone])
    assert mutants.stale(gone["file"]) == [gone]
    mutants.write(mutants.ledger()["run"], entries)
    assert mutants.LEDGER.read_text("utf-8") == text
