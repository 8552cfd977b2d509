"""What the book of numbers measures: for each game its presets, house rules with their values, and numbers of deals."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cardtable import lab
from cardtable.lab.study.cells import text_of
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "docs/findings"
DATA = BOOK / "data"
BLOCKS = ROOT / "build/findings"  #: the files of studies, from which a run that was stopped goes on
SEED = "book"
MEASURES = ("eldest", "length", "passes", "void", "spread")
SHOWN = (*MEASURES, "skill")  #: effects of house rules; skill is measured in deals of its own
THINKING = "search:1000"  #: the stronger players with which figures are repeated ...
#: ... and where deals are so long that these take minutes for one
LESS_THINKING: Mapping[str, str] = {"pirate": "search:50", "i-doubt-it": "search:50"}
STRONG, WEAK = "medium", "random"  #: the two players by which skill is measured

#: deals of a cell at size 1 with compiled players, where it is not `USUAL`
USUAL = 20_000
DEALS: Mapping[str, int] = {"spider": 100, "pirate": 4000, "play-or-pay": 8000, "i-doubt-it": 8000}
#: deals of a cell at size 1 with players that think, where it is not `FEW`
FEW = 60
THOUGHT: Mapping[str, int] = {"play-or-pay": 20, "crazy-eights": 30}

#: values of options that are numbers, besides that of the preset
NUMBERS: Mapping[str, Sequence[int | str]] = {
    "ante": (0, 1, 2, 5),
    "blitz_loses": (1, 2),
    "dealer_stake": (1, 2),
    "deals": (1, 4, 16),
    "draw_chip": (0, 1),
    "fine_neighbour": (0, 5, 10),
    "fine_pot": (0, 3, 10),
    "hand_size": (5, 7, 8, 10),
    "kitty": (0, 1, 2, 4),
    "knock_loses": (1, 2),
    "lives": (1, 3, 4, 10),
    "max_cards": (4, 7, 10, 13),
    "max_set": (1, 2, 4, "unlimited"),
    "min_knock": (0, 15, 21, 27),
    "move_cap": (500, 2000),
    "pass_chip": (0, 1),
    "stack": (10, 25, 50),
    "stall": (60, 160, 400),
    "turn_cap": (100, 2000),
}
DRESSES = ("9D5 KH4 QS3 JC2 TD1", "9D1 KH1 QS1 JC1 TD1", "9D10 KH1 QS1 JC1 TD1")
MISTAKES: Mapping[str, Any] = {"given": {"enforce": "penalise"}, "bots": "random"}
#: under which other house rules an option says anything, and by whom it is played
CONTEXT: Mapping[str, Mapping[str, Any]] = {
    "ace_on_table": {"given": {"aces": "take_all"}},
    "ace_on_empty": {"given": {"aces": "take_all"}},
    "first_ace": {"given": {"aces": "take_all", "deal": "ten"}, "seats": 4},
    "ante_rule": {"seats": 5},
    "blitz_loses": {"given": {"blitz_penalty": "all_others"}},
    "bonus_points": {"given": {"scoring": "bonus"}},
    "credit": {"given": {"stack": 10}},
    "detect": MISTAKES,
    "enforce": {"bots": "random"},
    "fine_beyond_run": MISTAKES,
    "fine_neighbour": MISTAKES,
    "fine_pot": MISTAKES,
    "fine_when": MISTAKES,
    "dress": {"rules": "pope-joan"},
    "double_if_caught": {"rules": "pope-joan"},
    "deal": {"given": {"widow": "dead"}},
    "stake": {"rules": "pope-joan"},
    "stack": {"given": {"credit": "table"}},
    "threes_tie": {"given": {"three_of_a_kind": "yes"}},
    "top_trump": {"seats": 4, "given": {"max_cards": 13}},
    "stall_seconds": {"given": {"form": "live"}},
    "tie_window_ms": {"given": {"form": "live"}},
    "reveal_ms": {"given": {"form": "live"}},
}
#: options that are not measured, and why
LEFT_OUT: Mapping[str, str] = {
    "form": "real time has no bots that play out a deal in simulation",
    "stall_seconds": "it applies in real time only, which simulations do not play",
    "tie_window_ms": "it applies in real time only, which simulations do not play",
    "reveal_ms": "it applies in real time only, which simulations do not play",
    "window": "it has one value",
}


@dataclass(frozen=True)
class Plan:
    """A study as it is asked for: `command` is what a reader types for the same figures."""

    game: str
    deals: int
    rules: str | None = None
    seats: int | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    bots: str = "medium"
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    measures: tuple[str, ...] = MEASURES
    seed: str = SEED

    def study(self, save: bool = True) -> lab.Study:
        """The study; with `save`, it stores its blocks in a separate file. Raises OptionError."""
        how: dict[str, Any] = {"deals": self.deals, "rules": self.rules, "options": dict(self.given)}
        if save:
            BLOCKS.mkdir(parents=True, exist_ok=True)
            key = hashlib.sha256(json.dumps([*self.parts(), self.seed]).encode()).hexdigest()[:16]
            how["save"] = BLOCKS / f"{self.game}-{key}.study"
        study = lab.Study(self.game, self.seats, bots=self.bots, seed=self.seed, **how)
        return study.grid(**self.grid) if self.grid else study

    def parts(self) -> list[str]:
        """The words of the command but for seed and number of deals."""
        words = ["cardtable", "study", self.game]
        words += ["--rules", self.rules] if self.rules else []
        words += ["--seats", str(self.seats)] if self.seats else []
        for name, value in self.given.items():
            words += ["--set", f"{name}={value}"]
        words += ["--bots", self.bots] if "bots" not in self.grid else []
        for name, values in self.grid.items():
            words += ["--grid", f"{name}={','.join(text_of(value) for value in values)}"]
        for measure in self.measures:
            words += ["--measure", measure]
        return words

    @property
    def command(self) -> str:
        """The command line."""
        return shlex.join([*self.parts(), "--deals", str(self.deals), "--seed", self.seed])


def deals_of(game: str, size: float) -> int:
    """How many deals a cell has at this size with compiled players."""
    return max(16, round(DEALS.get(game, USUAL) * size))


def thought_of(game: str, size: float) -> int:
    """How many deals a cell has at this size with players that think; 0: it is not repeated."""
    return round(THOUGHT.get(game, FEW) * size)


def thinking_of(game: str) -> str:
    """The stronger players with which the figures of a game are repeated."""
    return LESS_THINKING.get(game, THINKING)


def presets(game: str) -> list[str]:
    """The presets of a game."""
    return list(catalog.find(game).options.presets)


def seats_of(game: str, rules: str | None = None) -> int:
    """The number of seats at which a preset is measured: the command line's default."""
    return Ruleset.parse(catalog.find(game), rules).seats


def all_seats(game: str) -> list[int]:
    """The numbers of seats of the game's first preset."""
    low, high = catalog.find(game).options.seat_range[presets(game)[0]]
    return list(range(low, high + 1))


def values_of(game: str, option: str) -> tuple[Plan, list[Any]]:
    """The method for an option at size 0, and its values, the preset's first."""
    options = catalog.find(game).options
    context = CONTEXT.get(option, {})
    rules = context.get("rules", presets(game)[0])
    rules = rules if rules in options.presets else presets(game)[0]
    kinds = options.kinds()
    given = {name: value for name, value in context.get("given", {}).items() if name in kinds}
    seats = context.get("seats")
    base = getattr(Ruleset.parse(catalog.find(game), rules, seats, given).options, option)
    kind = kinds[option]
    if option == "dress":
        values: list[Any] = list(DRESSES)
    elif kind.values and not (option == "max_set" or option == "turn_cap"):
        values = [value for value in kind.values if not value.startswith("seat ") or value == "seat 0"]
    else:
        values = [x for x in NUMBERS[option] if isinstance(x, str) or kind.low <= x <= kind.high]
    rest = [value for value in values if text_of(value) != text_of(base)]
    return Plan(game, 0, rules, seats, given, context.get("bots", "medium")), [base, *rest]


def comparisons(game: str, size: float) -> dict[str, Plan | str]:
    """For each option of a game its study, or why there is none."""
    studies: dict[str, Plan | str] = {}
    for option in catalog.find(game).options.kinds():
        if option in LEFT_OUT:
            studies[option] = LEFT_OUT[option]
        else:
            asked, values = values_of(game, option)
            study = replace(asked, deals=deals_of(game, size), grid={option: values})
            studies[option] = study if len(values) > 1 else "it has one value"
    return studies
