"""The ordinary way to compile a rule: Numba's own `njit`, used from outside, as its documentation describes it.

It is slower to compile than `dispatch`, which changes parts of Numba, and plays the same. It is there for a Numba that `dispatch`
does not fit (`way` chooses), and to find out whether a fault comes from there (CARDTABLE_NUMBA=ordinary).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numba
from numba import types
from numba.core import event
from numba.extending import typeof_impl

from cardtable.kernel import cache
from cardtable.kernel.switch import Switch, followed, run_plain


class Rule:
    """A compiled rule that obeys the switch when plain Python calls it. Other rules call Numba's dispatcher within."""

    exported = False  #: whether Python calls it; here each rule is compiled for Python and for rules alike
    chance = False  #: whether a script may stand in for it

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.dispatcher: Any = numba.njit(cache=True, nogil=True)(function)

    def __call__(self, *args: Any) -> Any:
        if Switch.plain or followed.script is not None:
            return run_plain(self.py_func, self.chance, args)
        return self.dispatcher(*args)


@typeof_impl.register(Rule)
def _typeof(rule: Rule, context: Any) -> Any:
    """What a rule is to rules that call it."""
    return types.Dispatcher(rule.dispatcher)


class _OneProcess(event.Listener):
    """While a thread of this process has Numba's compiler lock, no other process may compile or file anything in the same cache.

    Numba announces that it takes that lock, and holds it from before it reads the cache's index until it has written it.
    """

    def __init__(self) -> None:
        self._thread = threading.RLock()
        self._depth = 0
        self._lock = ExitStack()

    def on_start(self, _: Any) -> None:
        self._thread.acquire()
        try:
            if self._depth == 0:
                self._lock.enter_context(cache.lock("compiler"))
        except BaseException:
            self._thread.release()
            raise
        self._depth += 1

    def on_end(self, _: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._lock.close()
        self._thread.release()


event.register("numba:compiler_lock", _OneProcess())


def compiled(function: Callable[..., Any], counting: bool) -> Rule:
    """A rule of a function: cached on disk, free of the GIL. Numba counts references whether it makes arrays (`counting`) or not."""
    return Rule(function)
