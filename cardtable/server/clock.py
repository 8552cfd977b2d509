"""The server's time. The system's wall clock is read once; after that a monotonic clock counts on, so changes of the
wall clock do not affect turns.
"""

from __future__ import annotations

import time

#: a monotonic clock that also runs while the machine sleeps, on systems that have one
_STEADY: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def _steady() -> float:
    """Seconds since some moment in the past."""
    return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


_ZERO = time.time() - _steady()  #: the wall clock's time when the other one was at 0


def set_since() -> int:
    """By how many milliseconds the wall clock was set since it was read: positive if it was set forward."""
    return int(1000 * time.time()) - now()


def now() -> int:
    """Milliseconds since 1970."""
    return int(1000 * (_ZERO + _steady()))
