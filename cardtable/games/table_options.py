"""House rules that games share with or without chips: who deals first, and when a deal without an end is given up."""

from __future__ import annotations

from typing import Any

from cardtable.errors import no_seat
from cardtable.message import Message
from cardtable.options import choice

NO_CAP = 100_000  #: turns after which a deal is void even with turn_cap=none


def dealer_option(most_seats: int, cites: str) -> Any:
    """The option `first_dealer` of a game without chips."""
    return choice(("random", *(f"seat {k}" for k in range(most_seats))), "random", cites, "who deals first: by lot, or a seat by name")


def check_dealer(o: Any, seats: int) -> None:
    """Refuse a first dealer who does not sit at the table. Raises OptionError."""
    if o.first_dealer.startswith("seat") and int(o.first_dealer[5:]) >= seats:
        raise no_seat(Message("first_dealer={first_dealer}", first_dealer=o.first_dealer), seats, "options/range")


def cap_option(cites: str, meaning: str) -> Any:
    """The option `turn_cap`."""
    return choice(("none",), 2000, cites, meaning, low=1, high=NO_CAP)  # type: ignore[arg-type]


class Capped:
    """Options that have `turn_cap`."""

    turn_cap: str | int

    @property
    def most_turns(self) -> int:
        """Turns after which a deal is void in any case."""
        return NO_CAP if self.turn_cap == "none" else int(self.turn_cap)
