"""Choose how to compile rules: `dispatch` if it works with the installed Numba, otherwise `ordinary`, or as
CARDTABLE_NUMBA specifies.

`dispatch` is tested once for each cache, on three small functions, and the result is stored there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba
import numpy as np

from cardtable.kernel import cache

DISPATCH, ORDINARY = "dispatch", "ordinary"


class NumbaWarning(UserWarning):
    """Rules are compiled the ordinary way, because the installed Numba is not one for which `dispatch` was written."""


def last_bit(x: int) -> int:
    """The last bit of x. These three functions are compiled to try a way; the other two call this one."""
    return x & 1


def bits_of(x: int) -> int:
    """How many bits of x are set."""
    bits = np.zeros(1, np.int64)
    while x:
        bits[0] += last_bit(x)
        x >>= 1
    return int(bits[0])


def is_even(x: int) -> int:
    """1 if x is even."""
    return 1 - last_bit(x)


def try_out(compiled: Callable[..., Any]) -> None:
    """Compile these functions for each other and for Python; file and load them, as successive programs would.

    Raises any exception of Numba, and ValueError if their results differ from plain Python's.
    """
    for called in ((bits_of,), (is_even, last_bit), (bits_of, is_even, last_bit)):
        inner = compiled(last_bit, counting=False)
        for function in called:
            scope = {**globals(), last_bit.__name__: inner}
            rule = (
                inner
                if function is last_bit
                else compiled(FunctionType(function.__code__, scope), counting=function is bits_of)
            )
            if (given := rule(0b1011)) != (expected := function(0b1011)):
                raise ValueError(f"{function.__name__} gives {given}, not {expected}")


def _misfit() -> str:
    """Why `dispatch` does not fit the installed Numba; "" if it does. Raises OSError if the cache cannot be used."""
    try:
        from cardtable.kernel import dispatch

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try_out(dispatch.compiled)
    except OSError:
        raise
    except Exception as error:  # a Numba whose internals have changed may raise anything
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def _noted() -> str:
    """The way that was noted in the cache; "" if there is none, or something else is noted."""
    way = cache.noted("way")
    return way if way in (DISPATCH, ORDINARY) else ""


def _chosen() -> str:
    if cache.ORDINARY or cache.DIRECTORY is None or cache.config.DISABLE_JIT:
        return ORDINARY
    if way := _noted():
        return way
    with cache.lock("way"):
        if way := _noted():
            return way
        why = _misfit()
        way = ORDINARY if why else DISPATCH
        cache.note("way", way)
    if why:
        warnings.warn(
            f"rules take longer to compile with Numba {numba.__version__}, which Cardtable was not written for ({why})",
            NumbaWarning,
            stacklevel=2,
        )
    return way


WAY = _chosen()
