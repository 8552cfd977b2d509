"""The tool that changes rules (tools/mutants.py): which changes it makes, and that a changed rule is changed for
everybody.
"""

from __future__ import annotations

import functools
import itertools
import signal
import sys
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import mutants  # the tools are scripts beside the package

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
    """Limits, the rule of thumb, and the size of work space."""
    assert not changed(
        "def bounds(s):\n    return 7\ndef heuristic(s):\n    return 1 + 2\ndef f(s):\n    return np.empty(52, "
        "np.int64)\n"
    )


def test_a_mutant_knows_the_lines_of_its_statement() -> None:
    """Of a statement with a body, those of its head."""
    found = list(mutants.mutants("rules.py", SOURCE))
    assert {mutant.lines for mutant in found} == {(4, 4), (5, 5)}
    check = mutants.Check("one", lambda: True, lines={"rules.py": {5}})
    assert [check.reaches(mutant) for mutant in found] == [mutant.lines == (5, 5) for mutant in found]


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


@functools.cache
def keys_of(file: str, function: str) -> set[tuple[str, str, str, str]]:
    """The mutants of a function."""
    source = (mutants.ROOT / file).read_text("utf-8")
    return {mutant.key for mutant in mutants.mutants(file, source, function)}


@pytest.mark.parametrize("file", sorted({entry["file"] for entry in mutants.kept()["equivalent"]}))
def test_what_changes_nothing_is_still_there(file: str) -> None:
    """A mutant that was judged is one of today's rules, and the reason is told."""
    for entry in mutants.kept()["equivalent"]:
        if entry["file"] == file:
            assert tuple(entry[name] for name in mutants.KEY) in keys_of(file, entry["function"]), entry
            assert len(entry["why"]) > 20, entry


def test_what_was_killed_is_remembered_until_its_function_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    one, other = itertools.islice(mutants.mutants("rules.py", SOURCE), 2)
    memory = mutants.Memory("a-game", afresh=False)
    memory.note(one, "a check")
    memory.note(other, "")
    assert mutants.Memory("a-game", afresh=False).killed == {one.digest: "a check"}
    assert not mutants.Memory("a-game", afresh=True).killed
    moved = {mutant.digest for mutant in mutants.mutants("rules.py", "\n\n" + SOURCE)}
    assert one.digest in moved
    changed = {
        mutant.digest for mutant in mutants.mutants("rules.py", SOURCE.replace("return s\n", "return s + 0\n", 1))
    }
    assert one.digest not in changed
