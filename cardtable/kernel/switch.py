"""When rules run as plain Python although they are compiled: while the switch is on, and while a script is followed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Switch:
    """`plain`: run rules as plain Python for now, with bit-identical results, instead of waiting for the compiler."""

    plain = False


class _Followed(threading.local):
    """What replaces chance in this thread; None: nothing does."""

    script: Any = None


followed = _Followed()


@contextlib.contextmanager
def following(script: Any) -> Iterator[None]:
    """Within the context, in this thread, run rules as plain Python, and let the script replace each rule that draws
    random numbers (`scripted`).

    script: an object with a method for each such rule, which is called with the rule itself and its arguments.
    """
    before, followed.script = followed.script, script
    try:
        yield
    finally:
        followed.script = before


def ask_script(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a rule of chance as plain Python, or the script that is being followed in its place."""
    script = followed.script
    return function(*args) if script is None else getattr(script, function.__name__)(function, *args)


def run_plain(function: Callable[..., Any], chance: bool, args: tuple[Any, ...]) -> Any:
    """Call the Python function of a compiled rule; chance: a script may replace it."""
    with np.errstate(over="ignore"):
        return ask_script(function, args) if chance else function(*args)
