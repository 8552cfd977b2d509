"""Which cases of a test `make test` runs, and how long random tests are."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest

LONG = os.environ.get("CARDTABLE_LONG", "0") not in ("", "0")  #: whether random tests are as long as they can be
QUICK = False  #: whether only quick cases are wanted (tests/conftest.py sets it)


def many(usual: int, long: int) -> int:
    """How often a random test repeats what it does: `long`, which is more than it takes to find what is broken, only if
    CARDTABLE_LONG is set.
    """
    return long if LONG else usual


def cases(values: Iterable[Any], quick: Collection[Any] | Callable[[Any], bool] | int = 1) -> list[Any]:
    """Values for `parametrize`, of which the slow ones are marked exhaustive.

    quick: the quick ones; or what tells whether a value is; or how many there are at the beginning.
    The others are left out where only quick ones are wanted: thousands of cases take seconds to collect.
    """
    chosen: list[Any] = []
    for k, value in enumerate(values):
        runs = k < quick if isinstance(quick, int) else quick(value) if callable(quick) else value in quick
        if runs:
            chosen.append(value)
        elif not QUICK:
            chosen.append(
                pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)
            )
    return chosen
