"""House rules of Scopa."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice


@dataclass(frozen=True)
class ScopaOptions(DealerOptions):
    """House rules of Scopa; two, three or four players, four as two partnerships."""

    target: str = choice(("11", "16", "21", "31"), "11", "SC-24, SC-C1", "points that win the match")
    king_misdeal: str = choice(
        ("on", "off"), "on", "SC-07", "three or four kings on the first table: the deal is given up and dealt again"
    )
    counting: str = choice(
        ("stop_at_target", "full_deal"),
        "stop_at_target",
        "SC-24",
        "counting stops the moment a side reaches the target; or every point of the deal counts, the higher total "
        "wins, and a tie is played on",
    )
    primiera: str = choice(
        ("points", "sevens"),
        "points",
        "SC-23, SC-C2",
        "the primiera goes to the highest sum of the best cards of all suits; or to the most sevens, then sixes, aces "
        "and fives down to twos",
    )
    re_bello: str = choice(("off", "on"), "off", "SC-C3", "the king of diamonds scores a point")
    napola: str = choice(
        ("off", "on", "wins_all"),
        "off",
        "SC-C4",
        "ace, 2 and 3 of diamonds, with the diamonds that follow without a gap, score a point each; all ten diamonds "
        "also win the match",
    )
    first_dealer: str = dealer_option(4, "SC-08")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"scopa": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"scopa": (2, 4)}

    @classmethod
    def make(cls, preset: str | None, seats: int | None, given: Mapping[str, Any]) -> tuple[str, int, Self]:
        """As every game's, but two seats if none are asked for (SC-01)."""
        return super().make(preset, 2 if seats is None else seats, given)
