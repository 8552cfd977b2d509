"""House rules shared by the games for chips of the Fan Tan family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.table_options import CUT_HIGH, CUT_LOW, check_dealer, dealer_option
from cardtable.rules.options import Options, choice, number

MAX_CHIPS = 1_000_000
MOST_SEATS = 12
FINED: Mapping[str, Any] = {"enforce": "penalise", "detect": "end"}  #: FT-34, FT-40, FT-Q15


def dealers(most_seats: int, default: str = "random") -> Any:
    """The option `first_dealer` of a game for chips."""
    text = "who deals first: by lot, by the lowest or highest card cut, or a seat by name"
    return dealer_option(most_seats, "FT-10, FT-11", text, default, {"cut_low": CUT_LOW, "cut_high": CUT_HIGH})


@dataclass(frozen=True)
class ChipOptions(Options):
    """First dealer, stacks, enforcement of the rules, stakes, credit, length of a match."""

    first_dealer: str = dealers(MOST_SEATS)
    stack: int | tuple[int, ...] = number(
        1, MAX_CHIPS, 25, "FT-07, FT-08", "chips everybody starts with, or one number for each seat", per_seat=True
    )
    enforce: str = choice(
        ("strict", "penalise"),
        "strict",
        "FT-32, FT-34",
        "strict: an illegal move is refused; penalise: passing while able is possible and costs chips",
    )
    detect: str = choice(
        ("end", "immediate"), "end", "FT-40", "when an offence is found out: when the hands are shown, or at once"
    )
    stakes: str = choice(("chips", "none"), "chips", "FT-09", "chips, or none: deals won are counted instead")
    credit: str = choice(
        ("open", "table"), "open", "FT-Q13", "open: a stack may fall below 0; table: nobody pays more than they have"
    )
    deals: int | None = number(1, 1000, None, "FT-Q13", "deals in a match", resolved="one for each seat")

    fines: ClassVar[Mapping[str, Any]] = FINED

    def resolve(self, seats: int) -> Self:
        if self.stakes == "none" and self.enforce == "penalise":
            raise OptionError(
                Message("stakes=none with enforce=penalise"),
                Message("a fine needs chips"),
                Message("set enforce=strict or stakes=chips"),
                code="options/combination",
            )
        check_seats(self, seats)
        return replace(self, deals=seats if self.deals is None else self.deals)


def check_seats(o: Any, seats: int) -> None:
    """Refuse a number of stacks or a first dealer that does not fit the number of seats. Raises OptionError."""
    if isinstance(o.stack, tuple) and len(o.stack) != seats:
        given = " ".join(map(str, o.stack))
        raise OptionError(
            Message("stack={given}", given=given),
            Message("{value} stacks for {seats} seats", value=len(o.stack), seats=seats),
            Message("give one number, or one for each seat"),
            code="options/combination",
        )
    check_dealer(o, seats)
