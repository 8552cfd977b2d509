"""The ordinary way to compile a rule: Numba's own `njit`, used as its documentation describes, but for the files of
its cache (`shelf`).

It compiles more slowly than `dispatch`, which changes parts of Numba; the rules play the same. It serves versions of
Numba that `dispatch` does not fit (`way` chooses), and shows whether a fault lies in `dispatch`
(CARDTABLE_NUMBA=ordinary).
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
from cardtable.kernel.shelf import Shelf
from cardtable.kernel.switch import Switch, followed, run_plain


class OrdinaryRule:
    """A compiled rule that obeys the switch when plain Python calls it.

    Other rules call the Numba dispatcher inside it.
    """

    exported = (
        False  #: whether Python calls it; not used here, where each rule is compiled for Python and for rules alike
    )
    chance = False  #: whether a script may replace it

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        dispatcher: Any = numba.njit(cache=True, nogil=True)(function)
        dispatcher._cache = Shelf(function)  # Numba does not see changes in the rules of other packages
        self.dispatcher = dispatcher

    def __call__(self, *args: Any) -> Any:
        if Switch.plain or followed.script is not None:
            return run_plain(self.py_func, self.chance, args)
        return self.dispatcher(*args)


@typeof_impl.register(OrdinaryRule)
def _typeof(rule: OrdinaryRule, context: Any) -> Any:
    """The Numba type of a rule, for the rules that call it."""
    return types.Dispatcher(rule.dispatcher)


class _OneProcess(event.Listener):
    """While a thread of this process has Numba's compiler lock, prevent other processes from compiling or filing
    anything in the same cache.

    Numba signals when it takes that lock, and holds it from before it reads the cache's index until it has written
    it.
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


def compiled(function: Callable[..., Any], counting: bool) -> OrdinaryRule:
    """Turn a function into a rule, cached on disk and without the GIL. counting: unused, as Numba always counts
    references.
    """
    return OrdinaryRule(function)
