"""The rule of thumb of a regular player."""

from __future__ import annotations

from typing import Any

from cardtable.kernel import rule


@rule
def advise(s: Any, seat: int, moves: Any, n: int) -> int:
    """The first."""
    return moves[0]
