"""House rules of Thirty-One."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice

SEATS = 9  #: most players


@dataclass(frozen=True)
class ThirtyOneOptions(DealerOptions):
    """House rules of Thirty-One."""

    stake: str = choice(
        ("markers", "banknote"),
        "markers",
        "TO-04, TO-05",
        "four markers, given up into the middle, or a banknote with four corners to fold",
    )
    odd_card: str = choice(
        ("pair", "best_suit"),
        "pair",
        "TO-14, TO-15",
        "a hand of two suits counts its two cards of one suit, or whichever suit counts more",
    )
    blitz_penalty: str = choice(
        ("lowest", "all_others"),
        "lowest",
        "TO-10, TO-16",
        "after a blitz the lowest hand loses, or everybody who does not have 31",
    )
    first_round_knock: str = choice(
        ("allowed", "forbidden"), "allowed", "TO-11", "whether anybody may knock before all have had one turn"
    )
    first_dealer: str = dealer_option(SEATS, "TO-Q2")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"thirty-one": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"thirty-one": (2, SEATS)}
