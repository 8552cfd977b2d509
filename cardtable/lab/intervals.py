"""Means and shares with their 95% intervals, and p-values: the source of every figure with an error.

The independent unit is a *cluster*: a match, a deal that is a match's first, a group of deals. Intervals and p-values
use Student's t with n - 1 degrees of freedom for n clusters. The error is unknown with fewer than two clusters, or if
all of a few are equal, which may be chance: then there is neither an interval (-inf to inf) nor a p-value (nan). If 300
are equal, at most 1 in 100 others would differ (0.99 to the 300th power is 0.049), and the figure counts as exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from cardtable.base.types import JsonObject

LEVEL = 0.95  #: of an interval
EQUAL = 300  #: clusters without any difference from which on a figure counts as exact
MANY = 10**5  #: clusters from which on Student's t is the normal distribution, to five digits
NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf((1.0 + LEVEL) / 2.0)


@dataclass(frozen=True)
class Mean:
    """A mean with its 95% interval, which is -inf to inf if unknown."""

    mean: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return math.isfinite(self.low)

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        return {"mean": self.mean, "ci95": [None if math.isinf(x) else x for x in (self.low, self.high)]}


def around(mean: float, error: float, clusters: int, level: float = LEVEL) -> Mean:
    """A mean with the interval that follows from its standard error."""
    half = reach(error, clusters, level)
    return Mean(mean, mean - half, mean + half)


def mean_of(values: ArrayLike, level: float = LEVEL) -> Mean:
    """The mean of the figures of independent clusters, with its interval."""
    sample = np.asarray(values, np.float64)
    return around(float(sample.mean()), error_of(sample), len(sample), level)


def error_of(values: ArrayLike) -> float:
    """The standard error of the mean of independent figures; 0 if they are equal except for rounding."""
    sample = np.asarray(values, np.float64)
    if len(sample) < 2 or float(np.ptp(sample)) <= 1e-12 * float(np.abs(sample).max()):
        return 0.0
    return float(sample.std(ddof=1)) / math.sqrt(len(sample))


def reach(error: float, clusters: int, level: float = LEVEL) -> float:
    """How far an interval reaches to each side; inf where the error is not known."""
    if not error:
        return 0.0 if clusters >= EQUAL else math.inf
    return error * quantile(level, clusters)


def p_value(difference: float, error: float, clusters: int) -> float:
    """Of a two-sided test of no difference; nan where there is no interval."""
    if math.isinf(reach(error, clusters)):
        return math.nan
    if not error:  # by the sign test
        return 0.5 ** (clusters - 1) if difference else 1.0
    return tail(difference / error, clusters)


def tail(t: float, clusters: int) -> float:
    """How likely it is that Student's t is as far from 0 as this, on either side."""
    if clusters > MANY:
        return math.erfc(abs(t) / math.sqrt(2.0))
    degrees = clusters - 1
    return beta(degrees / (degrees + t * t), degrees / 2.0, 0.5)


@lru_cache(1024)
def quantile(level: float, clusters: int) -> float:
    """How many standard errors an interval reaches to each side; inf for one cluster."""
    if clusters < 2:
        return math.inf
    high = 1.0
    while tail(high, clusters) > 1.0 - level:
        high *= 2.0
    return _solved(lambda t: tail(t, clusters), 1.0 - level, 0.0, high)


def share_interval(hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The Clopper-Pearson interval (1934) of a share, from `hits` of n: its error rate never exceeds the nominal one,
    even with few hits.
    """
    out = (1.0 - level) / 2.0
    low = _solved(lambda p: 1.0 - beta(p, hits, n - hits + 1.0), 1.0 - out, 0.0, 1.0) if hits else 0.0
    high = _solved(lambda p: 1.0 - beta(p, hits + 1.0, float(n - hits)), out, 0.0, 1.0) if hits < n else 1.0
    return low, high


def holm(values: Sequence[float]) -> list[float]:
    """The p-values of one family, adjusted by Holm's procedure; unknown ones (nan) also count."""
    adjusted, highest = list(values), 0.0
    known = [k for k in range(len(adjusted)) if not math.isnan(adjusted[k])]
    for rank, k in enumerate(sorted(known, key=lambda k: values[k])):
        highest = adjusted[k] = max(highest, min(1.0, (len(adjusted) - rank) * values[k]))
    return adjusted


def together(count: int) -> float:
    """The level of each of n intervals that hold jointly at 95% (Bonferroni)."""
    return 1.0 - (1.0 - LEVEL) / max(count, 1)


def beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method; Press et al. 2007,
    "Numerical Recipes", 6.4).
    """
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - beta(1.0 - x, b, a)
    factor = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny, c, fraction = 1e-300, 1.0, 1.0
    d = fraction = 1.0 / (1.0 - (a + b) * x / (a + 1.0) or tiny)
    for m in range(1, 100_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / (1.0 + numerator * d or tiny)
            c = 1.0 + numerator / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return math.exp(factor) * fraction / a


def _solved(falling: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Where a function that falls from `low` to `high` has a value."""
    while low < (middle := (low + high) / 2.0) < high:
        low, high = (middle, high) if falling(middle) > value else (low, middle)
    return middle
