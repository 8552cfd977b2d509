"""Compares the stored figures with those of a few deals of another seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from ladder import given_of

from cardtable.lab.study.result import StudyResult
from cardtable.rules import catalog
from findings import measure, plan
from findings.plan import Plan

Data = Mapping[str, Any]
SEED = "quick"
SKILLED = 80  #: deals in which the player's share is measured
FAR = 5.0  #: standard errors: with thousands of figures, none is so far away by chance


def deals_of(game: str) -> int:
    """How many deals a cell has here."""
    return max(10, min(400, plan.deals_of(game, 1.0) // 10))


def play(asked: Plan) -> StudyResult:
    """A study that keeps no file."""
    return replace(asked, seed=SEED).study(save=False).run(asked.measures)


def differences(data: Data, say: Callable[[str], object] = str, part: int = 0, parts: int = 1) -> list[str]:
    """The figures of a game's presets and house rules that are too far from the stored ones; empty if all agree.

    part: of a number of equal parts of the figures, the one to compare.
    """
    game = data["game"]
    if data["version"] != catalog.find(game).version:
        return [f"{game}: kept of version {data['version']} of the rules: measure anew"]
    wrong = [] if part else list(_presets(data))
    # The presets are in the first part, so the last ones get the options that are left over.
    options = list(plan.comparisons(game, 1.0).items())
    for option, asked in options[parts - 1 - part :: parts]:
        known = data["rules"].get(option)
        if known is None:
            wrong.append(f"{game}, {option}: not measured")
        elif isinstance(asked, Plan) and "values" in known:
            say(f"{game}: {option}")
            wrong += _effects(f"{game}, {option}", replace(asked, deals=deals_of(game)), known)
            wrong += _skill(data, option, asked)
    return wrong


def _presets(data: Data) -> Iterator[str]:
    game = data["game"]
    for rules in plan.presets(game):
        known = data["presets"].get(rules)
        if known is None:
            yield f"{game}, {rules}: not measured"
            continue
        for each in play(Plan(game, deals_of(game), rules, given=given_of(game, rules))).estimates():
            name = f"{game}, {rules}, {each.measure}"
            yield from _apart(name, "mean", known["figures"][each.measure], known["deals"], each)


def _effects(name: str, asked: Plan, known: Data) -> Iterator[str]:
    few = play(asked)
    base, *others = few.cells
    if base.labels[0][1] != known["base"] or {other.labels[0][1] for other in others} != set(known["values"]):
        yield f"{name}: kept for other values: measure anew"
        return
    for other in others:
        value = other.labels[0][1]
        for measured, old in known["values"][value].items():
            each = few.compare(base.label, other.label, measure=measured)
            yield from _apart(f"{name}={value}, {measured}", "difference", old, known["deals"], each)


def _skill(data: Data, option: str, asked: Plan) -> Iterator[str]:
    game, known = data["game"], data["skill of rules"].get(option)
    few = measure.skill_effects(asked, option, SKILLED, SEED)
    if bool(few) != bool(known) or (known and set(few["values"]) != set(known["values"])):
        yield f"{game}, skill under {option}: kept for other values: measure anew"
    for value, each in few.get("values", {}).items() if known else ():
        old, new = known["values"][value], SimpleNamespace(**each, deals=SKILLED)
        yield from _apart(f"{game}, {option}={value}, skill", "difference", old, known["deals"], new)


def _apart(name: str, key: str, old: Data, deals: int, new: Any) -> Iterator[str]:
    """A line if two figures are too far apart. A small sample that shows no variance does not prove that there is none,
    so its error is at least what the large one leads us to expect.
    """
    expected = old["error"] * math.sqrt(deals / new.deals)
    reach = FAR * math.hypot(old["error"], max(new.error, expected)) + 1e-4 * abs(old[key]) + 1e-9  # of rounding
    now = getattr(new, key)
    if not abs(now - old[key]) <= reach:
        yield f"{name}: kept {old[key]:g} ± {old['error']:g}, now {now:g} ± {new.error:g} ({new.deals} deals)"
