"""House rules of Play or Pay, with a preset for each source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.games.shared.chip_options import ChipOptions, dealers
from cardtable.rules.options import choice, flag, number

_NO_POOL = "1 (0 if settlement = cards_left)"  # PP-Q4


@dataclass(frozen=True)
class PlayOrPayOptions(ChipOptions):
    """House rules of Play or Pay."""

    first_dealer: str = dealers(8, "cut_low")
    continue_run: str = flag("yes", "PP-07, PP-08", "a player who also holds the next card continues in the same turn")
    run_bonus: str = choice(
        ("continuation", "whole_run", "none"),
        "continuation",
        "PP-07",
        "'for each card played' read in two ways: opponents pay 1 chip for each card after the first of a run "
        "(continuation), "
        "or for the first too once there is a second (whole_run); or nothing (no effect without continue_run)",
    )
    pass_chip: int | None = number(0, 1, None, "PP-06", "chips a pass costs", resolved=_NO_POOL)
    ante: int | None = number(0, 1000, None, "PP-01", "chips everybody puts in before a deal", resolved=_NO_POOL)
    settlement: str = choice(
        ("pot_and_cards", "pot", "cards_left"),
        "pot_and_cards",
        "PP-12, PP-13, PP-14",
        "the winner gets the pot and 1 chip a card left, or the pot only, or 1 chip a card left instead of antes and "
        "chips for passing",
    )
    fine_pot: int = number(0, 1000, 3, "PP-01", "fine to the pot for passing while able")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "stops": {},
        "original": {"continue_run": "no", "run_bonus": "none", "settlement": "pot", "first_dealer": "cut_high"},
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"stops": (2, 8), "original": (2, 8)}

    def resolve(self, seats: int) -> Self:
        chip = 0 if self.settlement == "cards_left" else 1
        agreed = replace(
            self,
            pass_chip=chip if self.pass_chip is None else self.pass_chip,
            ante=chip if self.ante is None else self.ante,
        )
        return super(PlayOrPayOptions, agreed).resolve(seats)
