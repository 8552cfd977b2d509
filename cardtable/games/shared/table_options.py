"""House rules that games with and without chips share: who deals first, and when an endless deal is abandoned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from cardtable.base.errors import no_seat
from cardtable.base.message import Message
from cardtable.rules.options import Options, choice

NO_CAP = 100_000  #: turns after which a deal is void, even with turn_cap=none
#: `s.rules.first_dealer`; CUT_ACE: the highest card cut, the ace above the king
RANDOM, CUT_LOW, CUT_HIGH, CUT_ACE = (0, -1, -2, -3)


def dealer_option(
    most_seats: int,
    cites: str,
    text: str = "who deals first: by lot, or a seat by name",
    default: str = "random",
    cuts: Mapping[str, int] | None = None,
) -> Any:
    """The option `first_dealer`. cuts: the words for cutting the cards, each with its number in the rules."""
    numbers = {"random": RANDOM, **(cuts or {}), **{f"seat {seat}": seat + 1 for seat in range(most_seats)}}
    return choice(tuple(numbers), default, cites, text, numbers=numbers)


def check_dealer(o: Any, seats: int) -> None:
    """Refuse a first dealer who does not sit at the table. Raises OptionError."""
    if o.first_dealer.startswith("seat") and int(o.first_dealer.removeprefix("seat")) >= seats:
        raise no_seat(Message("first_dealer={first_dealer}", first_dealer=o.first_dealer), seats, "options/range")


class DealerOptions(Options):
    """Options that include `first_dealer` and need nothing else resolved."""

    def resolve(self, seats: int) -> Self:
        check_dealer(self, seats)
        return self


def cap_option(cites: str, meaning: str) -> Any:
    """The option `turn_cap`."""
    return choice(("none",), 2000, cites, meaning, low=1, high=NO_CAP, numbers={"none": NO_CAP})
