"""Threads for studies and leagues."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np


def pool(threads: int) -> ThreadPoolExecutor:
    """Threads in which integers wrap around silently, as in compiled code.

    Plain rules rely on this; NumPy has a setting for each thread.
    """
    return ThreadPoolExecutor(threads, initializer=partial(np.seterr, over="ignore"))
