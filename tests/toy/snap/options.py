"""House rules of Snap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.rules.options import Options, choice, number


@dataclass(frozen=True)
class SnapOptions(Options):
    """House rules of Snap."""

    hand: int = number(2, 26, 26, "SN-02", "cards for each player")
    pace: str = choice(
        ("at_once", "moments"), "at_once", "SN-03", "everybody acts whenever they like, or all choose for each moment"
    )
    tie_ms: int = number(0, 500, 100, "SN-05", "milliseconds within which two snaps are at the same moment (at_once)")
    rest_ms: int = number(
        500, 60_000, 20_000, "SN-06", "milliseconds without anything done after which the deal is over (at_once)"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"snap": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"snap": (2, 2)}
