"""The cells of a study: the combinations of house rules, presets, seats and bots that play the same deals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardtable.base.errors import OptionError
from cardtable.base.types import Json, JsonObject, OptionValue
from cardtable.bots import levels_of
from cardtable.bots.levels import LASTING, is_path
from cardtable.rules.ruleset import Ruleset

RULES, SEATS, BOTS = "rules", "seats", "bots"  #: factors that are no house rules
MOST = 1000  #: cells of a study
Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Cell:
    """One combination: the rules of play, and the factor values that distinguish it from the other cells."""

    labels: Labels  #: factor and value, in the order of the grid; empty if the study has one cell
    rules: str
    seats: int
    given: tuple[tuple[str, OptionValue], ...]  #: the house rules that were given
    bots: tuple[str, ...]  #: one for each seat

    @property
    def label(self) -> str:
        """`ante=1, dead_hand=no`; `all` where there is only one cell."""
        return label_of(self.labels) or "all"

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in self.given}
        return {
            "cell": self.label,
            "factors": dict(self.labels),
            "rules": self.rules,
            "seats": self.seats,
            "options": given,
            "bots": list(self.bots),
        }

    def lasting(self) -> JsonObject:
        """What digests and saved studies have of it: neither changes when a level is renamed."""
        return self.as_dict() | {"bots": [LASTING.get(level, level) for level in self.bots]}


@dataclass(frozen=True)
class RefusedCell:
    """A combination that the game does not allow, and why."""

    labels: Labels
    error: OptionError

    @property
    def label(self) -> str:
        """As that of a cell."""
        return label_of(self.labels)

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        return {"cell": self.label, "factors": dict(self.labels), "error": self.error.as_dict()}


def label_of(labels: Labels) -> str:
    """Factors with their values in a line: `ante=1, dead_hand=no`."""
    return ", ".join(f"{name}={value}" for name, value in labels)


def text_of(value: object) -> str:
    """The value of a factor as it stands in a label: in small letters, except for a bot's `module:Class`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = map(str, value) if isinstance(value, (list, tuple)) else str(value).replace(",", " ").split()
    return " ".join(word if is_path(word) else word.lower() for word in words)


def checked(factors: Mapping[str, Sequence[Json]]) -> None:
    """Raise OptionError if the factors are no grid: no values, a value twice, or too many cells."""
    count = 1
    for name, values in factors.items():
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise OptionError(
                f"{name}={str(values)[:60]}",
                "a factor of a study is a list of values",
                f"write for instance {name}=[1, 2]",
            )
        texts = [text_of(value) for value in values]
        if twice := next((text for text in texts if texts.count(text) > 1), None):
            raise OptionError(f"{name}={twice[:60]}", "the value is given twice", "give it once")
        count *= len(values)
    if count > MOST:
        raise OptionError(
            f"a grid of {count} cells", f"a study has {MOST} at most", "leave some values out", code="options/range"
        )


def make(
    game: str,
    seats: int | None,
    rules: str | None,
    options: Mapping[str, OptionValue],
    bots: str | Sequence[str],
    factors: Mapping[str, Sequence[Json]],
) -> tuple[dict[Cell, Ruleset], list[RefusedCell]]:
    """The cells of a grid with their rules, and the combinations that the game refuses. Raises OptionError if it
    refuses all of them, and UnknownGame.
    """
    checked(factors)
    cells, refused = dict[Cell, Ruleset](), list[RefusedCell]()
    for values in _combinations(factors):
        labels = tuple((name, text_of(value)) for name, value in values.items())
        house = {**options, **{name: value for name, value in values.items() if name not in (RULES, SEATS, BOTS)}}
        try:
            ruleset = Ruleset.parse(game, values.get(RULES, rules), _seats(values.get(SEATS, seats)), house)
            levels = levels_of(values.get(BOTS, bots), ruleset.seats, game=ruleset.game.name)
        except OptionError as error:
            refused.append(RefusedCell(labels, error))
            continue
        given = tuple(sorted((name, _typed(house[name], getattr(ruleset.options, name, None))) for name in house))
        cells[Cell(labels, ruleset.preset, ruleset.seats, given, levels)] = ruleset
    if not cells:
        raise refused[0].error
    return cells, refused


def _typed(value: Json, resolved: Json) -> OptionValue:
    """A value as programs give it: a number, although the command line has it as text, so digests are the same."""
    if isinstance(value, str) and isinstance(resolved, int) and value.strip() == str(resolved):
        return resolved
    return tuple(value) if isinstance(value, list) else value


def _combinations(factors: Mapping[str, Sequence[Json]]) -> Iterator[JsonObject]:
    for values in itertools.product(*factors.values()):
        yield dict(zip(factors, values, strict=True))


def _seats(value: Json) -> int | None:
    """A number of seats, also from the command line. Raises OptionError."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    try:
        return int(str(value))
    except ValueError:
        raise OptionError(
            f"seats={str(value)[:40]}",
            "the number of seats is a whole number",
            "write for instance seats=4",
            code="options/seats",
        ) from None
