"""How people read the figures of a study: their digits, signs and units."""

from __future__ import annotations

from collections.abc import Iterable

from cardtable.base.digits import Form
from cardtable.base.languages import tr
from cardtable.lab.study.effects import CellMean, Effect

SHARES = ("won", "void")  #: measures that are shares of deals
SIGNED = ("eldest", "payoff")  #: measures that may be negative


def reach_of(each: CellMean | Effect) -> float:
    """Half of its interval; inf if it has none."""
    return (each.high - each.low) / 2.0


def form(column: str, reaches: Iterable[float], difference: bool = False) -> Form:
    """How people read values of a figure, or differences of them, with these halves of intervals."""
    name = column.partition("_")[0]
    return Form.of(reaches, signed=difference or name in SIGNED, share=name in SHARES)


def difference_unit(column: str) -> str:
    """The unit of a difference, in the language of this process; empty for a payoff or a number."""
    return tr("percentage points") if column.partition("_")[0] in SHARES else ""
