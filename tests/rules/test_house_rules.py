"""House rules as compiled rules read them: they follow from a game's options."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from cardtable.kernel import Record, field
from cardtable.rules import catalog, compiled_options
from cardtable.rules.options import Options, choice, flag, number


def rules_read(package: Path) -> set[str]:
    """The fields of `s.rules` that a game's sources read or write."""
    fields = set()
    for path in package.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        short = {
            node.targets[0].id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "rules"
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                of_state = isinstance(node.value, ast.Attribute) and node.value.attr == "rules"
                if of_state or (isinstance(node.value, ast.Name) and node.value.id in short):
                    fields.add(node.attr)
    return fields


@pytest.mark.parametrize("game", catalog.games())
def test_rules_read_house_rules_that_there_are(game: str) -> None:
    """The type checker does not know the fields that follow from options."""
    entry = catalog.find(game)
    fields = set(entry.rules.State.fields["rules"].names)
    package = Path(str(files(entry.package)))
    assert rules_read(package)
    assert rules_read(package) <= fields


def test_house_rules_follow_from_options() -> None:
    @dataclass(frozen=True)
    class Some(Options):
        hand: int = number(1, 9, 4, "XY-01", "a number")
        stack: int | tuple[int, ...] = number(1, 9, 5, "XY-02", "a number for each seat", per_seat=True)
        target: str = choice(("11", "21"), "21", "XY-03", "a choice among numbers")
        kind: str = flag("yes", "XY-04", "a flag")
        stake: str = choice(("markers", "banknote"), "banknote", "XY-05", "a choice among words")
        cap: str = choice(
            ("none",), "none", "XY-06", "words that stand for numbers", low=1, high=5, numbers={"none": 99}
        )
        late: str | None = choice(("1", "2"), None, "XY-07", "not known before `resolve`")

    class Table(Record):
        rules: Any = compiled_options.rules_of(Some, more=field())

    rules = Table.new().rules
    compiled_options.fill(rules, Some(stack=(7, 8), late="2"), 2)
    assert {name: rules[name].tolist() for name in rules.dtype.names} == {
        "first_dealer": 0,
        "hand": 4,
        "stack": [7, 8] + [0] * 10,
        "target": 21,
        "kind": 1,
        "stake_markers": 0,
        "stake_banknote": 1,
        "cap": 99,
        "late": 2,
        "more": 0,
    }
    compiled_options.fill(rules, Some(stack=3, kind="no", stake="markers", cap="4"), 2)
    assert (rules.stack.tolist()[:3], rules.kind, rules.stake_markers, rules.stake_banknote, rules.cap) == (
        [3, 3, 0],
        0,
        1,
        0,
        4,
    )


def test_house_rules_that_cannot_be_fields() -> None:
    @dataclass(frozen=True)
    class Odd(Options):
        ranks: str = choice(("5,9", "7"), "7", "XY-01", "words that are no names")

    with pytest.raises(TypeError, match=r"Odd\.ranks: 'ranks_5,9' is no name"):
        compiled_options.rules_of(Odd)

    @dataclass(frozen=True)
    class Twice(Options):
        hand: int = number(1, 9, 4, "XY-01", "a number")

    with pytest.raises(ValueError, match="hand: follows from an option already"):
        compiled_options.rules_of(Twice, hand=field())
