"""House rules of Thirty-One."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardtable.base.cards import ALL_32, ALL_40, ALL_52
from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice, flag, number

SEATS = 9  #: most players
#: the cards of each pack
PACKS = {"52": ALL_52, "40": ALL_40, "32": ALL_32}
CORNERS = 4  #: of a banknote (TO-04)
#: as most people play: three lives, three of a kind, the best suit, and everybody else pays for a blitz
COMMON: Mapping[str, Any] = {
    "lives": 3,
    "three_of_a_kind": "yes",
    "odd_card": "best_suit",
    "blitz_penalty": "all_others",
}


@dataclass(frozen=True)
class ThirtyOneOptions(DealerOptions):
    """House rules of Thirty-One."""

    stake: str = choice(
        ("markers", "banknote"),
        "markers",
        "TO-04, TO-05",
        "markers, given up into the middle, or a banknote with four corners to fold",
    )
    lives: int = number(1, 10, 4, "TO-05, TO-C1", "markers of each player at the start")
    free_life: str = flag("yes", "TO-18, TO-19, TO-C2", "whether a player without markers plays on until the next loss")
    pack: str = choice(("52", "40", "32"), "52", "TO-03, TO-C3", "the number of cards: all, no 8 9 10, or 7 to ace")
    odd_card: str = choice(
        ("pair", "best_suit"),
        "pair",
        "TO-14, TO-15",
        "a hand of two suits counts its two cards of one suit, or whichever suit counts more",
    )
    three_of_a_kind: str = flag("no", "TO-14, TO-C4", "whether three cards of one rank count 30 1/2")
    threes_tie: str = choice(
        ("equal", "by_rank"), "equal", "TO-C5", "two hands of three of a kind are level, or the higher rank is better"
    )
    blitz_penalty: str = choice(
        ("lowest", "all_others"),
        "lowest",
        "TO-10, TO-16",
        "after a blitz the lowest hand loses, or everybody who does not have 31",
    )
    blitz_loses: int = number(
        1, 2, 1, "TO-C6", "markers that a knocker loses if everybody without 31 loses after a blitz"
    )
    knock_loses: int = number(1, 2, 2, "TO-17, TO-C7", "markers that a knocker loses whose hand alone is lowest")
    knock_tie: str = choice(
        ("spared", "pays_one", "pays_two"),
        "spared",
        "TO-Q7, TO-C8",
        "what a knocker loses whose hand is lowest together with others",
    )
    min_knock: int = number(0, 27, 0, "TO-11, TO-C9", "the least count to knock with; 0: any")
    first_round_knock: str = choice(
        ("allowed", "forbidden"), "allowed", "TO-11", "whether anybody may knock before all have had one turn"
    )
    first_dealer: str = dealer_option(SEATS, "TO-Q2")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "thirty-one": {},
        "common": COMMON,
        "trentuno": {**COMMON, "pack": "40"},
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(presets, (2, SEATS))

    def cards(self, seats: int) -> int:
        return PACKS[self.pack]

    def resolve(self, seats: int) -> Self:
        if self.stake == "banknote" and self.lives != CORNERS:
            raise OptionError(
                Message("stake=banknote with lives={lives}", lives=self.lives),
                Message("a banknote has four corners (TO-04)"),
                Message("set stake=markers, or leave lives out"),
                code="options/combination",
            )
        return super().resolve(seats)
