"""House rules of Crazy Eights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.table_options import cap_option, check_dealer, dealer_option
from cardtable.rules.options import Options, choice, flag, number

ONE_PACK = 5  #: the most players for one pack


@dataclass(frozen=True)
class CrazyEightsOptions(Options):
    """House rules of Crazy Eights."""

    decks: str | None = choice(
        ("1", "2"), None, "CE-03", "packs shuffled together", resolved="1 for up to 5 players, else 2"
    )
    jokers: str = choice(
        ("0", "1", "2"), "0", "CE-03, CE-10", "jokers added to each pack; after one anything may be laid"
    )
    hand_size: int = number(1, 43, 8, "CE-04", "cards dealt to each")
    draw_willing: str = flag("yes", "CE-11", "who is able to play may draw all the same")
    starter_wild: str = choice(
        ("bury", "free", "dealer_names"),
        "bury",
        "CE-05",
        "a wild card turned up first: put back into the stock, or eldest plays anything, or the dealer names a suit",
    )
    scoring: str = choice(("win", "points"), "win", "CE-13", "a deal won counts 1, or what the others still hold")
    turn_cap: str | int = cap_option("CE-Q7", "turns after which a deal is void")
    deals: int = number(1, 1000, 1, "CE-13", "deals in a match")
    first_dealer: str = dealer_option(10, "CE-06")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"denexa": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"denexa": (2, 10)}

    def resolve(self, seats: int) -> Self:
        decks = self.decks or ("1" if seats <= ONE_PACK else "2")
        if decks == "1" and seats > ONE_PACK:
            raise OptionError(
                Message("decks=1 with {seats} seats", seats=seats),
                Message("one pack serves at most {one_pack} players (CE-03)", one_pack=ONE_PACK),
                Message("set decks=2"),
                code="options/combination",
            )
        check_dealer(self, seats)
        cards, wild = int(decks) * (52 + int(self.jokers)), int(decks) * (4 + int(self.jokers))
        most = (cards - 2 * wild - 1) // seats
        if self.hand_size > most:
            raise OptionError(
                Message("hand_size={hand_size} with {seats} seats", hand_size=self.hand_size, seats=seats),
                Message(
                    "at least {value} of the {cards} cards must be left undealt (CE-Q10)",
                    value=2 * wild + 1,
                    cards=cards,
                ),
                Message("deal at most {most} cards to each", most=most),
                code="options/combination",
            )
        return replace(self, decks=decks)
