"""Bit masks in int64: counting and finding their bits, compiled and plain; division by a constant as a
multiplication.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import lower_builtin, type_callable


def count(x: int) -> int:
    """How many bits of x (x >= 0) are set."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Index of the lowest set bit of x (x > 0)."""
    return (int(x) & -int(x)).bit_length() - 1


def highest(x: int) -> int:
    """Index of the highest set bit of x (x > 0)."""
    return int(x).bit_length() - 1


def _instruction(function: Callable[[int], int], emit: Callable[[Any, Any], Any]) -> None:
    """Compile each call of a function of one integer inline, as defined by `emit`: there is no function to compile."""

    @type_callable(function)
    def typed(context: Any) -> Any:
        return lambda x: types.int64 if isinstance(x, (types.Integer, types.Boolean)) else None

    @lower_builtin(function, types.Any)
    def lowered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, context.cast(builder, args[0], signature.args[0], types.int64))


UNDEFINED_AT_ZERO = ir.Constant(ir.IntType(1), 1)
_instruction(count, lambda builder, x: builder.ctpop(x))
_instruction(lowest, lambda builder, x: builder.cttz(x, UNDEFINED_AT_ZERO))
_instruction(highest, lambda builder, x: builder.sub(ir.Constant(x.type, 63), builder.ctlz(x, UNDEFINED_AT_ZERO)))


def divide_by(divisor: int, quotient: Callable[[int], int], remainder: Callable[[int], int]) -> None:
    """Compile two functions of x as x // divisor and x % divisor, by a multiplication and a shift.

    Exact for -divisor < x < 65536 / divisor: the factor, divided by 65536, is slightly above 1 / divisor.
    """
    factor = 65536 // divisor + 1

    def divided(builder: Any, x: Any) -> Any:
        return builder.ashr(builder.mul(x, ir.Constant(x.type, factor)), ir.Constant(x.type, 16))

    _instruction(quotient, divided)
    _instruction(
        remainder, lambda builder, x: builder.sub(x, builder.mul(divided(builder, x), ir.Constant(x.type, divisor)))
    )
