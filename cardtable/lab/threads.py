"""Threads for studies and leagues."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np


def pool(threads: int) -> ThreadPoolExecutor:
    """Threads in which integers wrap in silence, as they do compiled: plain rules count on it, and NumPy asks each thread anew."""
    return ThreadPoolExecutor(threads, initializer=partial(np.seterr, over="ignore"))
