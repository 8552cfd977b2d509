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

STRAYS, FAITHFUL = 0.5, 9.5  #: the prior Beta distribution of ε: equivalent to this number of choices
RANDOM = 0.3  #: the chance that a seat plays at random, before anything is seen
MOST_CHOICES = 1024  #: entries of the tables, more than the past has moves and a position has moves


def tables(strays: float = STRAYS, faithful: float = FAITHFUL, random: float = RANDOM) -> NDArray[np.float64]:
    """What `likelihood` reads. strays, faithful: the Beta distribution of ε; random: the chance of play at random.

    log Γ(α + n) / Γ(α) for n = 0, 1, ..., the same for β and for α + β, and log n; then the logarithms of the chances
    that a seat plays at random, and that it does not.
    """
    rows = [
        [math.lgamma(base + n) - math.lgamma(base) for n in range(MOST_CHOICES)]
        for base in (strays, faithful, strays + faithful)
    ]
    rows.append([math.log(max(n, 1)) for n in range(MOST_CHOICES)])
    rows.append([math.log(random), math.log(1.0 - random), *[0.0] * (MOST_CHOICES - 2)])
    return np.array(rows)


TABLES = tables()


@rule
def likelihood(table: Any, agreed: int, strayed: int, other: float, alike: float) -> float:
    """The log-likelihood of a seat's choices. table: from `tables`.

    agreed: choices equal to the heuristic's; strayed: the others; other: the sum of the logarithms of the numbers of
    other moves where it strayed; alike: the same for the numbers of moves at all its choices.
    """
    faithful = table[4, 1] + table[0, strayed] + table[1, agreed] - table[2, strayed + agreed] - other
    random = table[4, 0] - alike
    more = max(faithful, random)
    return float(more + np.log(np.exp(faithful - more) + np.exp(random - more)))
