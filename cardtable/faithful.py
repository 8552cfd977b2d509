"""How likely a seat's choices are, if it follows the heuristic or plays at random: what weights worlds.

A seat plays the heuristic, and with a chance of ε something else, each other legal move alike. How faithful a seat is
to the heuristic is not known, so ε is integrated out over a Beta distribution, to which every choice adds (the
collapsed form of estimating it), and a seat may also be one that plays at random.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import rule

STRAYS, FAITHFUL = 0.5, 9.5  #: the Beta distribution of ε before anything is seen: as if so many choices had been seen
RANDOM = 0.3  #: the chance that a seat plays at random, before anything is seen
MOST_CHOICES = 1024  #: entries of the tables, more than the past has moves and a position has moves


def _tables() -> NDArray[np.float64]:
    """log Γ(α + n) / Γ(α), the same for β and for α + β, and log n, for n = 0, 1, ..."""
    return np.array(
        [
            [math.lgamma(base + n) - math.lgamma(base) for n in range(MOST_CHOICES)]
            for base in (STRAYS, FAITHFUL, STRAYS + FAITHFUL)
        ]
        + [[math.log(max(n, 1)) for n in range(MOST_CHOICES)]]
    )


TABLES = _tables()
LOG_RANDOM, LOG_FAITHFUL = math.log(RANDOM), math.log(1.0 - RANDOM)


@rule
def likelihood(tables: Any, agreed: int, strayed: int, other: float, alike: float) -> float:
    """The logarithm of how likely a seat's choices are. tables: TABLES.

    agreed: choices that were the heuristic's; strayed: the others; other: the logarithms of the numbers of other moves
    where it strayed, added up; alike: those of the numbers of moves at all its choices.
    """
    faithful = LOG_FAITHFUL + tables[0, strayed] + tables[1, agreed] - tables[2, strayed + agreed] - other
    random = LOG_RANDOM - alike
    more = max(faithful, random)
    return more + np.log(np.exp(faithful - more) + np.exp(random - more))
