"""How rules are declared: `@rule`, `@generic`, `defaults`, `implement`.

`@rule` compiles a function of a record. `@generic` declares a function of a contract; a game gives its own with
`implement`, and the record type of the first argument selects it: in compiled code at compile time, so that search
and playouts are written once and compiled for each game with its rules inlined; in plain Python at each call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, type_callable

from cardtable.kernel.record import Record
from cardtable.kernel.shelf import compiled_from
from cardtable.kernel.switch import ask_script
from cardtable.kernel.way import DISPATCH, WAY

if WAY == DISPATCH:
    from cardtable.kernel import dispatch

    CompiledRule: type[Any] = dispatch.FastRule
    compiled: Callable[..., Any] = dispatch.compiled
else:
    from cardtable.kernel import ordinary

    CompiledRule, compiled = ordinary.OrdinaryRule, ordinary.compiled

F = TypeVar("F", bound=Callable[..., Any])
config: Any = numba.config
_defaults: dict[
    type[Record], dict[str, Callable[..., Any]]
] = {}  # record -> generic's name -> default for the records that extend it
_given: dict[str, dict[Any, Any]] = {}  # generic's name -> {record dtype, numba type of that record: function}
_records: list[type[Record]] = []  # of the games
MAKERS = {"arange", "array", "copy", "empty", "full", "ones", "zeros"}  #: NumPy's functions that allocate an array


def rule(function: F) -> F:
    """Compile a rule, cached on disk and without the GIL; with NUMBA_DISABLE_JIT=1 it stays plain Python.

    Integers in, integers out; no optional results, no closures, no exceptions: a rule does not validate its
    arguments. A rule that creates no array skips reference counting, which took a third of a move's time; one that
    creates an array must not return it.
    """
    if config.DISABLE_JIT:
        return function
    return cast(F, compiled(function, counting=not MAKERS.isdisjoint(function.__code__.co_names)))


def scripted(function: F) -> F:
    """Let the active script (`switch.following`) replace a rule that draws random numbers."""
    if isinstance(function, CompiledRule):
        function.chance = True
        return cast(F, function)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return ask_script(function, args)

    return cast(F, call)


def generic(contract: F) -> F:
    """Declare a function of the contract; the record type of its first argument selects the game's."""
    given = _given.setdefault(contract.__name__, {})

    @functools.wraps(contract)
    def call(s: Any, *args: Any) -> Any:
        return given[s.dtype](s, *args)

    class Choice(AbstractTemplate):
        """Compiles a call of a generic as a direct call of the game's own function, without a wrapper."""

        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            return numba.typeof(given[args[0]]).get_call_type(self.context, args, kws)

        def get_impl_key(self, signature: Any) -> Any:
            return numba.typeof(given[signature.args[0]]).get_impl_key(signature)

    register: Any = infer_global
    register(call, types.Function(Choice))
    return cast(F, call)


def defaults(record: type[Record], **functions: Callable[..., Any]) -> None:
    """Set the functions of the contract for games whose record extends this one and that define none."""
    _defaults[record] = functions


def implement(record: type[Record], *functions: Callable[..., Any]) -> None:
    """Register a game's functions, by name, for its own record; the others are the defaults of the nearest record it
    extends.

    Raises TypeError if a generic has no function, if a function has no generic, or if one record's fields begin with
    all those of another game's (the compiler would confuse them; name the last field after the game).
    """
    chosen = {name: f for base in reversed(record.__mro__) for name, f in _defaults.get(base, {}).items()}
    chosen |= {f.__name__: f for f in functions}
    if names := _given.keys() ^ chosen.keys():
        raise TypeError(f"{record.__module__}: missing or not of the contract: {', '.join(sorted(names))}")
    for other in _records:
        if other is not record and all(
            mine == its for mine, its in zip(other.fields.items(), record.fields.items(), strict=False)
        ):
            raise TypeError(
                f"{record.__module__}, {other.__module__}: one record's fields begin with all of the other's"
            )
    _records.append(record)
    compiled_from(record, [record.__module__, *(f.__module__ for f in chosen.values())])
    for name, f in chosen.items():
        if _given[name].setdefault(record.dtype, f) is not f:
            raise TypeError(f"{record.__module__}: another game has a record of the same fields")
        _given[name][numba.from_dtype(record.dtype)] = f
        if isinstance(f, CompiledRule):
            f.exported = True


def chosen(contract: Callable[..., Any], record: type[Record]) -> Callable[..., Any]:
    """The function of a game that a generic selects for its record."""
    return cast("Callable[..., Any]", _given[contract.__name__][record.dtype])


def cite(rule_id: str) -> int:
    """A rule ID (`FT-22`, `FT-Q14`; at most eight letters) as an integer, so that compiled rules can name it."""
    return int.from_bytes(rule_id.encode(), "big")


def cited(code: int) -> str:
    """The rule ID of an integer made by `cite`; `""` for 0."""
    return int(code).to_bytes(8, "big").lstrip(b"\0").decode()


@type_callable(cite)
def _typed_cite(context: Any) -> Any:
    return lambda rule_id: types.int64 if isinstance(rule_id, types.StringLiteral) else None


@lower_builtin(cite, types.StringLiteral)
def _lowered_cite(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """A constant, known at compile time."""
    return context.get_constant(types.int64, cite(signature.args[0].literal_value))
