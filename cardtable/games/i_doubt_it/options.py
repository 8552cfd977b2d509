"""House rules of I Doubt It."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardtable.games.shared.table_options import cap_option, check_dealer, dealer_option
from cardtable.rules.options import Options, choice, number

MOST_SEATS = 12


@dataclass(frozen=True)
class DoubtOptions(Options):
    """House rules of I Doubt It."""

    decks: str | None = choice(
        ("1", "2"), None, "DB-03", "packs shuffled together", resolved="1 up to 5 players, 2 from 6 on"
    )
    max_set: str | int | None = choice(
        ("unlimited",),
        None,
        "DB-05",
        "most cards in a set",
        low=1,
        high=8,
        resolved="4 for each pack",
        numbers={"unlimited": 104},
    )
    doubt_mode: str = choice(
        ("sequential", "simultaneous"),
        "sequential",
        "DB-08",
        "the others are asked one after another, or all answer at once, unseen",
    )
    window: str = choice(("until_next_declares",), "until_next_declares", "DB-12", "how long a set may be doubted")
    final_challenge: str = choice(
        ("optional", "forced"),
        "forced",
        "DB-14",
        "whether a player's last set is turned up only if it is doubted, or always",
    )
    start_rank: str = choice(
        ("A", "any"), "A", "DB-05", "the deal begins with aces, or with the rank that eldest names"
    )
    turn_cap: str | int = cap_option("DB-Q9", "sets after which a deal is void")
    deals: int = number(1, 1000, 1, "DB-02", "deals in a match")
    first_dealer: str = dealer_option(MOST_SEATS, "DB-04")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "doubt": {},
        "bullshit": {"decks": "1", "final_challenge": "optional"},
    }
    former: ClassVar[Mapping[int, Mapping[str, Mapping[str, Any]]]] = {1: {"doubt": {"final_challenge": "optional"}}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(presets, (3, MOST_SEATS))

    def resolve(self, seats: int) -> Self:
        check_dealer(self, seats)
        decks = self.decks or ("1" if seats <= 5 else "2")
        most = self.max_set if self.max_set is not None else 4 * int(decks)
        return dataclasses.replace(self, decks=decks, max_set=most)
