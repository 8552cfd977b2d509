"""House rules of Oh Hell!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardtable.errors import OptionError
from cardtable.options import Options, choice


@dataclass(frozen=True)
class OhHellOptions(Options):
    """House rules of Oh Hell!."""

    dealer_rule: str = choice(
        ("exceed", "not_equal", "off"),
        "exceed",
        "OH-08",
        "the dealer must bring the sum of bids above the tricks, or only away from them, or is free",
    )
    tiebreak: str = choice(("tied_only", "all", "shared"), "tied_only", "OH-18", "a tie at the top: one-card deals of those tied, or of all, or joint winners")
    first_dealer: str = choice(("random", *(f"seat {k}" for k in range(7))), "random", "OH-Q2", "who deals first: by lot, or a seat by name")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"oh-hell": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"oh-hell": (3, 7)}

    def resolve(self, seats: int) -> Self:
        if self.first_dealer.startswith("seat") and int(self.first_dealer[5:]) >= seats:
            raise OptionError(f"first_dealer={self.first_dealer}", f"the seats are 0 to {seats - 1}", "name one of them", code="options/range")
        return self
