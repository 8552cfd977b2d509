"""Policies: compiled functions that choose a move, from other packages, inlined where deals are played out.

The policies of a study belong to the type of its totals, as a game's functions belong to the type of its record
(`compile.generic`). So code is compiled once for each list of policies, with these inlined, and found in the cache.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from cardtable.kernel.compile import CompiledRule, config
from cardtable.kernel.outside import digest
from cardtable.kernel.record import Record, field
from cardtable.kernel.shelf import compiled_from

_given: dict[Any, tuple[Callable[..., int], ...]] = {}  # record dtype, and numba type of that record -> policies


def is_rule(thing: object) -> bool:
    """Whether an object was made by `@rule`; if nothing is compiled, whether it may have been."""
    return (
        isinstance(thing, CompiledRule) or bool(config.DISABLE_JIT) and callable(thing) and not isinstance(thing, type)
    )


def with_policies(record: Any, policies: Sequence[Callable[..., int]]) -> Any:
    """A record with the same fields, and an additional one that identifies these policies and their sources."""
    return _with_policies(record, tuple(policies)) if policies else record


@functools.cache
def _with_policies(record: Any, policies: tuple[Callable[..., int], ...]) -> Any:
    named = [f"{f.__module__}.{f.__qualname__} {digest(f.__module__)}" for f in policies]
    name = "policies_" + hashlib.sha256("\n".join(named).encode()).hexdigest()[:16]
    # The new field is the first, because Numba takes a record whose fields begin with all of another's for that one.
    fields = {name: field(), **record.fields}
    kind: Any = type(
        record.__name__, (Record,), {"__annotations__": dict.fromkeys(fields, ""), "__module__": __name__, **fields}
    )
    _given[kind.dtype] = _given[numba.from_dtype(kind.dtype)] = policies
    compiled_from(kind, [f.__module__ for f in policies])
    return kind


def decide(total: Any, k: int, s: Any, seat: int, moves: Any, n: int) -> int:
    """The move chosen by policy k of a record for a seat; -1: there is no such policy."""
    policies = _given.get(total.dtype, ())
    return int(policies[k](s, seat, moves, n)) if 0 <= k < len(policies) else -1


@type_callable(decide)
def _typed(context: Any) -> Any:
    def typer(total: Any, k: Any, s: Any, seat: Any, moves: Any, n: Any) -> Any:
        for policy in _given.get(total, ()):
            _signature(context, policy, (s, seat, moves, n))
        return types.int64

    return typer


def _signature(context: Any, policy: Any, args: tuple[Any, ...]) -> Any:
    return numba.typeof(policy).get_call_type(context, args, {})


@lower_builtin(decide, types.Record, types.Any, types.Any, types.Any, types.Any, types.Any)
def _lowered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """A call of each policy, of which k chooses one."""
    k = context.cast(builder, args[1], signature.args[1], types.int64)
    word = ir.IntType(64)
    chosen = cgutils.alloca_once(builder, word)  # once for all calls of the function that this is a part of
    builder.store(ir.Constant(word, -1), chosen)
    for number, policy in enumerate(_given.get(signature.args[0], ())):
        with builder.if_then(builder.icmp_signed("==", k, ir.Constant(word, number))):
            kind = numba.typeof(policy)
            typed = kind.get_call_type(context.typing_context, signature.args[2:], {})
            call = context.get_function(kind, typed)
            given = [
                context.cast(builder, value, has, wants)
                for value, has, wants in zip(args[2:], signature.args[2:], typed.args, strict=True)
            ]
            move = context.cast(builder, call(builder, given), typed.return_type, types.int64)
            builder.store(move, chosen)
    return builder.load(chosen)
