"""Threads for studies and leagues."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from numbers import Integral

import numpy as np

from cardtable.base.errors import OptionError


def pool(threads: int) -> ThreadPoolExecutor:
    """Threads in which integers wrap around silently, as in compiled code.

    Plain rules rely on this; NumPy has a setting for each thread.
    """
    return ThreadPoolExecutor(threads, initializer=partial(np.seterr, over="ignore"))


def check_counts(what: str, *counts: object) -> None:
    """Raise OptionError about `what` (`5 deals on 0 threads`) unless all these are whole numbers from 1."""
    if not all(isinstance(count, Integral) and int(count) >= 1 for count in counts):
        raise OptionError(what, "there must be one at least", "take more", code="options/range")
