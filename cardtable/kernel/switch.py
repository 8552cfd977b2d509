"""When rules run as plain Python although they are compiled: while the switch is on, and while a script is followed."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Switch:
    """`plain`: for now run rules as plain Python, bit for bit the same, so that nobody waits for the compiler."""

    plain = False


class _Followed(threading.local):
    """What stands in for chance in this thread; None: chance itself."""

    script: Any = None


followed = _Followed()


@contextlib.contextmanager
def following(script: Any) -> Iterator[None]:
    """In this thread, for now, rules run as plain Python, and each rule of chance (`scripted`) asks the script.

    script: an object with a method for each of them, called with the rule itself and its arguments.
    """
    before, followed.script = followed.script, script
    try:
        yield
    finally:
        followed.script = before


def ask_script(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The plain form of a rule of chance: the script's answer if one is followed."""
    script = followed.script
    return function(*args) if script is None else getattr(script, function.__name__)(function, *args)


def run_plain(function: Callable[..., Any], chance: bool, args: tuple[Any, ...]) -> Any:
    """Call the Python function of a compiled rule; chance: it is one that a script may stand in for."""
    with np.errstate(over="ignore"):
        return ask_script(function, args) if chance else function(*args)
