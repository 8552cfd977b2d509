"""House rules of Busca."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.base.cards import ALL_40
from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice, flag


@dataclass(frozen=True)
class BuscaOptions(DealerOptions):
    """House rules of Busca."""

    limit: str = choice(("21", "31", "41", "100"), "31", "BU-08, BU-C1", "the score at which the match ends")
    elimination: str = flag(
        "no", "BU-08, BU-C2", "whether a player at the limit is out, and the others play on until one or two are left"
    )
    cappotto: str = choice(
        ("score", "all_cards", "off"),
        "score",
        "BU-11",
        "who makes a cappotto: the last trick's winner who scores 11, a holder of all points, nobody",
    )
    tie: str = choice(
        ("shared", "extra_round"),
        "shared",
        "BU-08",
        "lowest totals that are level: joint winners, or further deals until one is lowest",
    )
    first_dealer: str = dealer_option(5, "BU-Q1")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"busca": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"busca": (3, 5)}

    def cards(self, seats: int) -> int:
        return ALL_40
