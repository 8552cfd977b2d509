"""Means and differences of cells that played the same deals, with intervals; matches are the clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cardtable.lab.rows import Sums
from cardtable.types import JsonObject

LEVEL = 0.95  #: of an interval
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Estimate:
    """The mean of a figure in a cell, per deal."""

    cell: str
    measure: str
    mean: float
    low: float  #: of the 95 % interval; -inf where one match only was played
    high: float
    error: float  #: standard error of the mean
    deviation: float  #: standard deviation of the figure between deals
    deals: int
    matches: int

    def as_dict(self) -> JsonObject:
        """For `--json`: what is not known is null."""
        return finite(asdict(self))


@dataclass(frozen=True)
class Effect:
    """How much higher a figure is in `b` than in `a`, in a deal; both played the same deals."""

    a: str
    b: str
    measure: str
    difference: float  #: the mean of b less that of a
    low: float  #: of its interval
    high: float
    error: float  #: standard error of the difference
    standardised: float  #: the difference in standard deviations of the figure between deals
    saving: float  #: how many times as many deals it would take if a and b had played different ones; inf: no error
    p: float  #: of a two-sided test of no difference (adjusted, where that was asked for)
    deals: int  #: in each cell, the fewest
    matches: int

    @property
    def clear(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0.0 or self.high < 0.0

    def as_dict(self) -> JsonObject:
        """For `--json`: what is not finite is null."""
        return finite(asdict(self))


def finite(found: JsonObject) -> JsonObject:
    """A dict in which numbers that JSON does not know are None."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in found.items()}


def quantile(level: float, matches: int) -> float:
    """How many standard errors an interval reaches to each side: Student's t with matches - 1 degrees of freedom.

    By Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5), off by less than 0.2 % from 10 degrees on. With
    fewer than 4 matches it is too short, so these have no interval (inf).
    """
    if matches < 4:
        return math.inf
    z, df = float(_NORMAL.inv_cdf((1.0 + level) / 2.0)), matches - 1
    terms = (
        (z**3 + z) / 4.0,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96.0,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384.0,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160.0,
    )
    return z + math.fsum(term / df ** (k + 1) for k, term in enumerate(terms))


def covariance(sums: Sums, k: int, weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """A weighted sum of the means of the cells: its value, its variance, and the variance it would have if the cells
    with positive weights had played other deals than those with negative ones.

    The mean of a cell is a ratio (figures of all deals over their number), made linear around its value, so matches may
    have any number of deals, also different ones in two cells.
    """
    cells = np.flatnonzero(weights)
    deals = sums.deals[cells].astype(np.float64)
    means = sums.totals[k, cells] / deals
    n = len(sums.deals)
    moments = sums.moments[k].astype(np.float64)
    nn = moments[np.ix_(cells, cells)]
    ny = moments[np.ix_(cells, cells + n)]
    yy = moments[np.ix_(cells + n, cells + n)]
    cross = ny * means[:, None]  # of N of one cell and Y of another, times the mean of the first
    left = yy - cross - cross.T + nn * np.outer(means, means)
    matches = int(sums.matches[cells].max())
    scale = matches / (matches - 1) if matches > 1 else math.inf
    w = weights[cells] / deals
    terms = weights[cells] * means
    value = math.fsum(terms)
    # What is left of a difference by rounding is no difference.
    value = 0.0 if abs(value) < 1e-13 * float(np.abs(terms).sum()) else value
    if matches < 2:
        return value, math.inf, math.inf
    together = max(float(w @ left @ w) * scale, 0.0)
    apart = max(sum(float(side @ left @ side) for side in (np.maximum(w, 0.0), np.minimum(w, 0.0))) * scale, 0.0)
    # What is left of sums of whole numbers by rounding is no variance.
    together = 0.0 if together < 1e-12 * apart else together
    return value, together, apart


def deviation(sums: Sums, k: int, cells: Sequence[int]) -> float:
    """The standard deviation of a figure between deals, pooled over cells."""
    within = []
    for c in cells:
        mean = sums.totals[k, c] / sums.deals[c]
        within.append(max(sums.squares[k, c] / sums.deals[c] - mean * mean, 0.0))
    return math.sqrt(sum(within) / len(within))


def estimate(sums: Sums, k: int, cell: int, label: str, measure: str) -> Estimate:
    """The mean of figure k in a cell."""
    weights = np.zeros(len(sums.deals))
    weights[cell] = 1.0
    mean, variance, _ = covariance(sums, k, weights)
    matches, error = int(sums.matches[cell]), math.sqrt(variance)
    reach = _reach(error, LEVEL, matches)
    deals = int(sums.deals[cell])
    return Estimate(label, measure, mean, mean - reach, mean + reach, error, deviation(sums, k, [cell]), deals, matches)


def effect(
    sums: Sums, k: int, a: Sequence[int], b: Sequence[int], labels: tuple[str, str], measure: str, level: float = LEVEL
) -> Effect:
    """The mean of cells b less that of cells a, with equal weights for the cells of each side."""
    weights = np.zeros(len(sums.deals))
    np.add.at(weights, list(b), 1.0 / len(b))
    np.add.at(weights, list(a), -1.0 / len(a))
    if not weights.any():
        weights = np.zeros(len(sums.deals))
        difference, variance, apart = 0.0, 0.0, 0.0
    else:
        difference, variance, apart = covariance(sums, k, weights)
    cells = [*a, *b]
    error, matches = math.sqrt(variance), int(sums.matches[cells].max())
    spread = deviation(sums, k, cells)
    reach = _reach(error, level, matches)
    return Effect(
        *labels, measure, difference, difference - reach, difference + reach, error,
        difference / spread if spread else 0.0, apart / variance if variance else (math.inf if apart else 1.0),
        _p(difference, error), int(sums.deals[cells].min()), matches,
    )  # fmt: skip


def _reach(error: float, level: float, matches: int) -> float:
    return error * quantile(level, matches) if error else 0.0


def _p(difference: float, error: float) -> float:
    """Two-sided, by the normal distribution."""
    if not error or math.isinf(error):
        return 1.0 if not difference or math.isinf(error) else 0.0
    return math.erfc(abs(difference / error) / math.sqrt(2.0))


def adjusted(effects: Sequence[Effect]) -> list[Effect]:
    """Effects of one family with Holm's adjusted p, and intervals that hold all together at 95 %.

    Holm's procedure has no simple intervals of its own, so these are Bonferroni's, which are a little wider: an effect
    whose p is below 0.05 may have an interval that just contains 0.
    """
    count = len(effects)
    level = 1.0 - (1.0 - LEVEL) / max(count, 1)
    found = list(effects)
    highest = 0.0
    for rank, i in enumerate(sorted(range(count), key=lambda i: effects[i].p)):
        highest = max(highest, min(1.0, (count - rank) * effects[i].p))
        reach = _reach(effects[i].error, level, effects[i].matches)
        middle = effects[i].difference
        found[i] = replace(effects[i], p=highest, low=middle - reach, high=middle + reach)
    return found
