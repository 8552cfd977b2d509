"""House rules of Pirate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.rules.options import Options, choice, number


@dataclass(frozen=True)
class PirateOptions(Options):
    """House rules of Pirate."""

    form: str = choice(
        ("ticks", "live"),
        "ticks",
        "PI-04",
        "both choose an action for each tick, or act in real time before an arbiter (live: at a live table in the "
        "browser, not in the terminal)",
    )
    target: str = choice(
        ("seed", "majority"),
        "seed",
        "PI-21",
        "ships that win: five, four once one has sunk, or more than half of those not sunk",
    )
    stall: int = number(
        60, 1000, 160, "PI-Q11", "ticks in a row without a card laid after which the game is over (ticks)"
    )
    stall_seconds: int = number(
        30, 600, 120, "PI-Q11", "seconds without a card laid after which the game is over (live)"
    )
    tie_window_ms: int = number(
        0, 500, 150, "PI-16, PI-20", "milliseconds within which two attempts on one ship are at the same moment (live)"
    )
    reveal_ms: int = number(
        200,
        2000,
        600,
        "PI-19",
        "milliseconds for which a turned card that the other may claim lies open at least (live)",
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"pirate": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"pirate": (2, 2)}
