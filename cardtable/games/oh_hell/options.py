"""House rules of Oh Hell!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice


@dataclass(frozen=True)
class OhHellOptions(DealerOptions):
    """House rules of Oh Hell!."""

    dealer_rule: str = choice(
        ("exceed", "not_equal", "off"),
        "exceed",
        "OH-08",
        "the dealer must bring the sum of bids above the tricks, or only away from them, or is free",
    )
    tiebreak: str = choice(
        ("tied_only", "all", "shared"),
        "tied_only",
        "OH-18",
        "a tie at the top: one-card deals of those tied, or of all, or joint winners",
    )
    first_dealer: str = dealer_option(7, "OH-Q2")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"oh-hell": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"oh-hell": (3, 7)}
