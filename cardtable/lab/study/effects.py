"""Means and differences of cells that played the same deals, with intervals; matches are the clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import JsonObject
from cardtable.lab.intervals import LEVEL, around, holm, p_value, together
from cardtable.lab.study.rows import Sums


@dataclass(frozen=True)
class CellMean:
    """The mean of a figure in a cell, per deal."""

    cell: str
    measure: str
    mean: float
    low: float  #: of the 95% interval; -inf if unknown: only one match, or few, all equal
    high: float
    error: float  #: standard error of the mean
    deviation: float  #: standard deviation of the figure between deals
    deals: int
    matches: int

    def as_dict(self) -> JsonObject:
        """For `--json`: unknown values are null."""
        return finite(asdict(self))


@dataclass(frozen=True)
class Effect:
    """How much higher a figure is in `b` than in `a`, in a deal; both played the same deals."""

    a: str
    b: str
    measure: str
    difference: float  #: the mean of b minus that of a
    low: float  #: of its interval; -inf where it is not known
    high: float
    error: float  #: standard error of the difference
    standardised: float  #: the difference in standard deviations of the figure between deals
    saving: float  #: how many times as many deals it would take if a and b had played different ones; inf: no error
    p: float  #: of a two-sided test of no difference (adjusted, where that was asked for); nan without an interval
    deals: int  #: in each cell, the fewest
    matches: int

    @property
    def clear(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0.0 or self.high < 0.0

    def as_dict(self) -> JsonObject:
        """For `--json`: non-finite values are null."""
        return finite(asdict(self))


def finite(found: JsonObject) -> JsonObject:
    """A dict in which non-finite numbers, which JSON lacks, are None."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in found.items()}


def covariance(sums: Sums, k: int, weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """A weighted sum of the cell means: its value, its variance, and its variance if the cells with positive weights
    had played different deals from the cells with negative ones; both are inf with only one match.

    The mean of a cell is a ratio (figures of all deals over their number), linearised around its value, so matches
    may have any number of deals, which may differ between cells.
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
    residual = yy - cross - cross.T + nn * np.outer(means, means)
    matches = int(sums.matches[cells].min())
    w = weights[cells] / deals
    terms = weights[cells] * means
    value = math.fsum(terms)
    # Treat rounding residue as no difference.
    value = 0.0 if abs(value) < 1e-13 * float(np.abs(terms).sum()) else value
    if matches < 2:
        return value, math.inf, math.inf
    scale = matches / (matches - 1)
    paired = max(float(w @ residual @ w) * scale, 0.0)
    apart = max(sum(float(side @ residual @ side) for side in (np.maximum(w, 0.0), np.minimum(w, 0.0))) * scale, 0.0)
    # Treat rounding residue as zero variance.
    paired = 0.0 if paired < 1e-12 * max(apart, float(w * w @ np.diag(yy))) else paired
    return value, paired, apart


def deviation(sums: Sums, k: int, cells: Sequence[int]) -> float:
    """The standard deviation of a figure between deals, pooled over cells."""
    within = []
    for c in cells:
        mean = sums.totals[k, c] / sums.deals[c]
        within.append(max(sums.squares[k, c] / sums.deals[c] - mean * mean, 0.0))
    return math.sqrt(sum(within) / len(within))


def estimate(sums: Sums, k: int, cell: int, label: str, measure: str) -> CellMean:
    """The mean of figure k in a cell."""
    weights = np.zeros(len(sums.deals))
    weights[cell] = 1.0
    mean, variance, _ = covariance(sums, k, weights)
    matches, error = int(sums.matches[cell]), math.sqrt(variance)
    interval, deals = around(mean, error, matches), int(sums.deals[cell])
    return CellMean(
        label, measure, mean, interval.low, interval.high, error, deviation(sums, k, [cell]), deals, matches
    )


def effect(
    sums: Sums, k: int, a: Sequence[int], b: Sequence[int], labels: tuple[str, str], measure: str, level: float = LEVEL
) -> Effect:
    """The mean of cells b minus that of cells a, with equal weights for the cells of each side."""
    weights = np.zeros(len(sums.deals))
    np.add.at(weights, list(b), 1.0 / len(b))
    np.add.at(weights, list(a), -1.0 / len(a))
    if not weights.any():
        weights = np.zeros(len(sums.deals))
        difference, variance, apart = 0.0, 0.0, 0.0
    else:
        difference, variance, apart = covariance(sums, k, weights)
    cells = [*a, *b]
    error, matches = math.sqrt(variance), int(sums.matches[cells].min())
    spread, interval = deviation(sums, k, cells), around(difference, error, matches, level)
    return Effect(
        *labels,
        measure,
        difference,
        interval.low,
        interval.high,
        error,
        difference / spread if spread else 0.0,
        apart / variance if variance else (math.inf if apart else 1.0),
        p_value(difference, error, matches),
        int(sums.deals[cells].min()),
        matches,
    )


def adjusted(effects: Sequence[Effect]) -> list[Effect]:
    """Effects of one family with Holm's adjusted p, and intervals that hold jointly at 95%.

    Holm's procedure has no simple intervals, so these are Bonferroni's, which are a little wider: an effect whose p is
    below 0.05 may have an interval that just contains 0.
    """
    family = []
    for each, p in zip(effects, holm([each.p for each in effects]), strict=True):
        wider = around(each.difference, each.error, each.matches, together(len(effects)))
        family.append(replace(each, p=p, low=wider.low, high=wider.high))
    return family
