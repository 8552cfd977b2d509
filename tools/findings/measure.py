"""Measures what the plan says, with `cardtable.lab`, and keeps the figures as plain data."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from ladder import given_of

import cardtable
from cardtable import lab
from cardtable.base.errors import OptionError
from cardtable.kernel import bits, prng
from cardtable.lab.intervals import quantile
from cardtable.lab.luck import GROUPS
from cardtable.lab.study import effects, rows
from cardtable.lab.study.cells import text_of
from cardtable.lab.study.effects import CellMean, Effect
from cardtable.lab.study.result import StudyResult
from cardtable.lab.study.rows import Sums
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from cardtable.search.playouts import ELDEST, PAYOFF
from findings import plan
from findings.plan import Plan

Data = dict[str, Any]
Say = Callable[[str], object]
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  #: of the distribution of payoffs
LOOKED_AT = 800  #: deals in which the legal moves are counted
T20 = quantile(0.95, GROUPS)  #: errors in half of a jackknife's interval
SKILLED = 4000  #: deals for skill and luck at size 1, of the games that have `plan.USUAL` deals


def rounded(x: float, digits: int = 5) -> float | None:
    """A number rounded to its stored digits; None if it is not finite."""
    return float(f"{x:.{digits}g}") if math.isfinite(x) else None


def mean_data(each: CellMean) -> Data:
    """A mean as it is kept."""
    return {name: rounded(getattr(each, name)) for name in ("mean", "low", "high", "error", "deviation")}


def effect(each: Effect) -> Data:
    """A difference as it is kept; its interval is for this difference alone."""
    names = ("difference", "low", "high", "error", "standardised", "saving")
    return {name: rounded(getattr(each, name)) for name in names} | {"matches": each.matches}


def run(asked: Plan) -> tuple[StudyResult, Data]:
    """Play a study; what was found, and how it was made."""
    study = asked.study()
    result = study.run(asked.measures)
    made = {"command": asked.command, "deals": asked.deals, "seed": asked.seed, "digest": result.digest}
    if study.refused:
        made["refused"] = {each.label: str(each.error) for each in study.refused}
    return result, made


def measured(result: StudyResult, cell: str) -> Data:
    """The figures of a cell by measure."""
    return {each.measure: mean_data(each) for each in result.estimates() if each.cell == cell}


# Presets


def preset(game: str, rules: str, size: float) -> Data:
    """A preset: its figures, each place's payoff, how payoffs are distributed, and what there is to choose."""
    result, made = run(Plan(game, plan.deals_of(game, size), rules, given=given_of(game, rules)))
    title = catalog.find(game).titles[rules]
    data: Data = {"title": title, "seats": result.cells[0].seats} | made
    looked = LOOKED_AT if game not in plan.DEALS else LOOKED_AT // 10
    return data | {"figures": measured(result, "all"), **_places(result), "choices": choices(game, rules, looked)}


def _places(result: StudyResult) -> Data:
    """The payoff by place, 0 for the eldest and the last one for the dealer, and the distribution of all payoffs."""
    cell, work = result.cells[0], result.work
    n = cell.seats
    state = work.rulesets[0].state()
    direction = int(state.direction) or 1
    columns = tuple(f"payoff_{k}" for k in range(n))
    sums, counts = Sums.zero(1, n), Counter[float]()
    for number, (_, block) in enumerate(result.blocks()):
        order = (block[:, ELDEST].astype(np.int64)[:, None] + direction * np.arange(n)) % n
        turned = block.copy()
        turned[:, PAYOFF : PAYOFF + n] = np.take_along_axis(block[:, PAYOFF : PAYOFF + n], order, axis=1)
        first = number * work.matches
        sums.add(rows.summed([turned], [n], columns, first, work.matches))
        counts.update(block[:, PAYOFF : PAYOFF + n].ravel().tolist())
    places = [mean_data(effects.estimate(sums, k, 0, "all", column)) for k, column in enumerate(columns)]
    return {"places": places, "payoffs": _distribution(counts)}


def _distribution(counts: Counter[float]) -> Data:
    """The lowest payoff, some quantiles, the highest, and how many were above 0."""
    values = sorted(counts)
    reached = np.cumsum([counts[value] for value in values])
    many = int(reached[-1])
    data: Data = {"lowest": values[0], "highest": values[-1]}
    data["shares"] = {f"{share:g}": values[int(np.searchsorted(reached, share * many))] for share in SHARES}
    data["above"] = rounded(sum(count for value, count in counts.items() if value > 0.0) / many)
    return data


# Deals, move by move


def choices(game: str, rules: str, count: int) -> Data:
    """Which share of the moves has a choice, and among how many moves, in the first deals of the preset's study, which
    are played by the heuristic.
    """
    ruleset = Ruleset.parse(game, rules, None, given_of(game, rules))
    key, cards = prng.key_of(plan.SEED), np.empty(112, np.int64)
    moves = np.empty(ruleset.game.rules.MAX_MOVES + 1, np.int64)
    scores, many, start, dealt = np.zeros(contract.MAX_SEATS, np.int64), list[int](), ruleset.state(), 0
    for match in itertools.count():
        s = start.copy()
        s.untracked = 1
        prng.derive(s.seed, key, match, prng.MATCH)
        contract.open_match(s)
        over = False
        while not over and dealt < count:
            contract.next_deal(s, cards)
            while mask := int(contract.actors(s)):
                seat = bits.lowest(mask)
                many.append(int(contract.legal(s, seat, moves)))
                move = moves[0] if many[-1] == 1 else contract.heuristic(s, seat, moves, many[-1])
                contract.play(s, seat, int(move))
            dealt += 1
            over = bool(contract.standing(s, scores))
        if dealt == count:
            break
    wide = [n for n in many if n > 1]
    made = {"deals": count, "command": f"python tools/findings.py {game}", "moves": len(many)}
    return made | {"share": rounded(len(wide) / len(many)), "among": rounded(float(np.mean(wide or [0])))}


# House rules, seats, players


def house_rules(game: str, size: float, say: Say) -> Data:
    """For each option the effects of its values, or why there are none."""
    data: Data = {}
    for option, asked in plan.comparisons(game, size).items():
        if isinstance(asked, str):
            data[option] = {"left out": asked}
            continue
        say(f"{game}: {option}")
        try:
            result, made = run(asked)
        except OptionError as error:
            data[option] = {"left out": str(error)}
            continue
        base, *others = result.cells
        how = {"rules": asked.rules, "seats": base.seats, "given": dict(asked.given), "bots": asked.bots}
        values = {
            other.labels[0][1]: {m: effect(result.compare(base.label, other.label, measure=m)) for m in asked.measures}
            for other in others
        }
        data[option] = made | how | {"base": base.labels[0][1], "values": values}
    return data


def numbers_of_seats(game: str, size: float, say: Say) -> Data:
    """The figures for each number of seats, and how much of the result is cards, seat and player."""
    every = plan.all_seats(game)
    if len(every) < 2:
        return {}
    data: Data = {}
    each, measures = max(16, plan.deals_of(game, size) // 2), (*plan.MEASURES, "payoff")
    result, made = run(Plan(game, each, plan.presets(game)[0], grid={"seats": every}, measures=measures))
    for cell in result.cells:
        say(f"{game}: {cell.seats} seats")
        figures = measured(result, cell.label)
        paid = [figures.pop(f"payoff_{p}")["mean"] for p in range(cell.seats)]
        data[str(cell.seats)] = {
            "average": rounded(sum(paid) / len(paid)),  # not 0 where payoffs are compared with the best of the others
            "figures": figures,
            "skill": skill(game, None, size / 4, seats=cell.seats),
        }
    return made | {"seats": data}


def skilled(game: str, size: float) -> int:
    """How many deals skill is measured in at this size."""
    return max(40, round(SKILLED * size * min(1.0, plan.deals_of(game, 1.0) / plan.USUAL)))


def skill(
    game: str,
    rules: str | None,
    size: float,
    strong: str = plan.STRONG,
    weak: str = plan.WEAK,
    count: int = 0,
    seats: int | None = None,
) -> Data:
    """Cards, seat and player; count: deals, where they do not follow from the size."""
    many = count or skilled(game, size)
    given = given_of(game, rules) if rules else {}
    result = lab.skill(game, strong, weak, deals=many, rules=rules, seats=seats, seed=plan.SEED, options=given)
    data: Data = {"seats": result.seats, "strong": strong, "weak": weak, "deals": many, "seed": plan.SEED}
    for part in ("cards", "seat", "player", "both"):
        share = getattr(result, part)
        data[part] = {name: rounded(getattr(share, name), 4) for name in ("share", "low", "high")}
    data["difference"] = {"mean": rounded(result.difference), "low": rounded(result.low), "high": rounded(result.high)}
    data["deviation"] = rounded(math.sqrt(result.variance))
    data["apart"], data["duplicate"] = rounded(result.deals_apart, 4), rounded(result.duplicate_apart, 4)
    words = ["cardtable", "skill", game] + (["--rules", rules] if rules else [])
    words += ["--seats", str(seats)] if seats else []
    words += [f"--set {name}={value}" for name, value in given.items()]
    data["command"] = " ".join([*words, f"--strong {strong} --weak {weak} --deals {many} --seed {plan.SEED}"])
    return data


def skill_of_rules(game: str, size: float, say: Say) -> Data:
    """For each option that is measured, by how many percentage points its values change the player's share."""
    data: Data = {}
    for option, asked in plan.comparisons(game, size).items():
        if isinstance(asked, str):
            continue
        say(f"{game}: skill under {option}")
        if effects := skill_effects(asked, option, skilled(game, size / 2)):
            data[option] = effects
    return data


def skill_effects(asked: Plan, option: str, deals: int, seed: str = plan.SEED) -> Data:
    """The effects of an option's values on the player's share, in percentage points, all in the same deals; values
    that are refused, or empty if the first one is.
    """
    how: Data = {"deals": deals, "rules": asked.rules, "seats": asked.seats, "seed": seed}
    base: Any = None
    values: Data = {}
    for value in asked.grid[option]:
        try:
            options = dict(asked.given) | {option: value}
            result = lab.skill(asked.game, plan.STRONG, plan.WEAK, options=options, **how)
        except OptionError:
            if base is None:
                return {}
            continue
        if base is None:
            base = result
            continue
        each = base.compare(result)["player"]
        error = (each.high - each.low) / 2 / T20 if math.isfinite(each.low) else 0.0
        interval = {"difference": each.share, "low": each.low, "high": each.high, "error": error}
        values[text_of(value)] = {name: rounded(100.0 * x) for name, x in interval.items()}
    if base is None:
        return {}
    share = {name: rounded(100.0 * getattr(base.player, name)) for name in ("share", "low", "high")}
    return {"deals": deals, "share": share, "values": values}


def stronger(game: str, rules: str, size: float) -> Data:
    """The same deals by players that think: how far the figures move."""
    many = plan.thought_of(game, size)
    if not many:
        return {}
    players = plan.thinking_of(game)
    result, made = run(Plan(game, many, rules, given=given_of(game, rules), grid={"bots": [plan.STRONG, players]}))
    medium, thinking = (cell.label for cell in result.cells)
    made |= {"bots": players, "medium": measured(result, medium), "figures": measured(result, thinking)}
    made["effects"] = {m: effect(result.compare(medium, thinking, measure=m)) for m in plan.MEASURES}
    return made


def header(game: str, size: float) -> Data:
    """What the figures are of."""
    entry = catalog.find(game)
    head = {"game": game, "title": entry.title, "version": entry.version}
    return head | {"cardtable": cardtable.__version__, "seed": plan.SEED, "size": size}
