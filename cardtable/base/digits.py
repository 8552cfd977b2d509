"""Figures for people: with the digits that the interval bears out, in the language of this process.

Data for programs has all its digits, as `repr` writes them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cardtable.base.languages import figure

MOST = 6  #: decimals


def decimals(reach: float) -> int | None:
    """The decimals that show two digits of half an interval, `reach`; below 0: tens, hundreds. None: there is no
    interval, or it has no width.
    """
    if not 0.0 < reach < math.inf:
        return None
    return min(MOST, 1 - math.floor(math.log10(float(f"{reach:.2g}"))))


def rounded(x: float, reach: float) -> float:
    """A figure without the digits that half an interval, `reach`, does not bear out."""
    digits = decimals(reach)
    return round(x, MOST if digits is None else digits) + 0.0


def number(x: float, signed: bool = False) -> str:
    """Three digits of a figure without an interval, as people read them: 1,234, 27.3, 0.0123."""
    if not math.isfinite(x):
        return "∞" if x > 0.0 else "–"
    if x == 0.0:
        return "0"
    digits = max(0, min(MOST, 2 - math.floor(math.log10(abs(x)))))
    value = round(x, digits) + 0.0
    shown = len(f"{value:.{digits}f}".partition(".")[2].rstrip("0"))
    return figure(value, f"{'+' if signed else ''},.{shown}f")


def about(x: float, reach: float, signed: bool = False) -> str:
    """A figure with half of its interval, if it has one: 1.23 ± 0.04."""
    digits = decimals(reach)
    if digits is None:
        return number(x, signed)
    form = f",.{max(0, digits)}f"
    return f"{figure(rounded(x, reach), f'+{form}' if signed else form)} ± {figure(float(f'{reach:.2g}'), form)}"


def p_value(p: float) -> str:
    """A p-value; a dash if it is not known."""
    if math.isnan(p):
        return "–"
    return figure(p, ".2g") if p >= 0.0001 else f"<{figure(0.0001, '.4f')}"


@dataclass(frozen=True)
class Form:
    """How the figures of one column are written: all with the same decimals.

    digits: None, if no figure has an interval: then each has three digits. share: figures are shares, written as
    percent; a share with a sign is a difference, in percentage points, and the percent sign is left out.
    """

    digits: int | None = None
    signed: bool = False
    share: bool = False

    @classmethod
    def of(cls, reaches: Iterable[float], signed: bool = False, share: bool = False) -> Form:
        """The form of figures with these halves of intervals: the shortest one decides."""
        known = [digits for reach in reaches if (digits := decimals(100.0 * reach if share else reach)) is not None]
        return cls(max(known, default=None), signed, share)

    def __call__(self, x: float) -> str:
        """A figure of the column."""
        value = 100.0 * x if self.share else x
        if self.digits is None:
            text = number(value, self.signed)
        else:
            text = figure(round(value, self.digits) + 0.0, f"{'+' if self.signed else ''},.{max(0, self.digits)}f")
        return text + figure(0.0, ".0%").removeprefix("0") if self.share and not self.signed else text
