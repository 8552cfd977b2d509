"""Sets of cards as bit masks in int64: counting and walking their bits, compiled and plain."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, overload


def count(x: int) -> int:
    """How many bits of x (x >= 0) are set."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Index of the lowest set bit of x (x > 0)."""
    return (int(x) & -int(x)).bit_length() - 1


def highest(x: int) -> int:
    """Index of the highest set bit of x (x > 0)."""
    return int(x).bit_length() - 1


@intrinsic
def _population(typing: Any, x: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _trailing_zeros(typing: Any, x: Any) -> Any:
    undefined_at_zero = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda context, builder, signature, args: builder.cttz(args[0], undefined_at_zero)


@intrinsic
def _leading_zeros(typing: Any, x: Any) -> Any:
    undefined_at_zero = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctlz(args[0], undefined_at_zero)


@overload(count, strict=False)
def _count(x: Any) -> Any:
    return lambda x: _population(x)  # type: ignore[call-arg]


@overload(lowest, strict=False)
def _lowest(x: Any) -> Any:
    return lambda x: _trailing_zeros(x)  # type: ignore[call-arg]


@overload(highest, strict=False)
def _highest(x: Any) -> Any:
    return lambda x: 63 - _leading_zeros(x)  # type: ignore[call-arg]
