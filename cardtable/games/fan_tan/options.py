"""House rules of Fan Tan, Five or Nine and Domino Fan-Tan, with a preset for each source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardtable.base.cards import parse_card
from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.chip_options import MOST_SEATS, ChipOptions, dealers
from cardtable.rules.options import choice, flag, number

#: the card that opens the deal, as card + 1; 0: any founding card
OPEN_CARDS = {"any": 0} | {card: parse_card(card) + 1 for card in ("7D", "7H", "7S", "7C")}
#: the passes that a player may make in a deal though able; 0: none, below 0: any number
PASSES = {"forced": 0} | {str(n): n for n in range(1, 6)} | {"unlimited": -1}
#: as masks of ranks
START_RANKS = {text: sum(1 << int(rank) - 1 for rank in text.split(",")) for text in ("5,9", "5", "9", "7")}
STOPS: Mapping[str, Any] = {
    "settle": "direct",
    "fine_beyond_run": "yes",
    "first_dealer": "cut_low",
    "layout_side": "6L8R",
}


def ante_option(default: str, cites: str) -> Any:
    """The option `ante_rule`."""
    meaning = "everybody antes the same, or 1 more with fewer cards, or 1 more with more cards"
    return choice(("flat", "fewer_extra", "more_extra"), default, cites, meaning)


@dataclass(frozen=True)
class FineOptions(ChipOptions):
    """The options for the ante, passing, payments and fines that Fan Tan and its variants share."""

    ante: int = number(
        0, 1000, 1, "FT-16, FT-17, FT-18, FT-19", "chips everybody puts in before a deal; 0: nobody antes at all"
    )
    pass_chip: int = number(0, 1, 1, "FT-22, FT-23", "chips a pass costs")
    settle: str = choice(
        ("pot", "direct"), "pot", "FT-42, FT-43", "losers pay 1 chip a card left: into the pot, or to the winner"
    )
    fine_pot: int = number(0, 1000, 3, "FT-34", "fine to the pot for passing while able")
    fine_neighbour: int = number(
        0, 1000, 5, "FT-35, FT-36, FT-38, FT-39", "fine to each holder of a neighbour of a withheld 7"
    )
    fine_when: str = choice(
        ("held", "forced"),
        "held",
        "FT-35, FT-38",
        "the neighbours' fine is due when a 7 was held, or only when a 7 was all that could be played",
    )
    fine_beyond_run: str = flag(
        "no", "FT-37", "an offender who holds the neighbour too pays the holder of the first card beyond that run"
    )
    layout_side: str = choice(
        ("8L6R", "6L8R"), "8L6R", "FT-27, FT-28", "on which side of the 7 the 8 lies (only a matter of looks)"
    )


@dataclass(frozen=True)
class RowOptions(FineOptions):
    """The options that Fan Tan and Five or Nine share."""

    ante_rule: str = ante_option("fewer_extra", "FT-16, FT-17, FT-18, FT-19")
    plays_per_turn: str = choice(
        ("one", "group", "any"),
        "one",
        "FT-29, FT-30, FT-31",
        "one card a turn; or several 7s or several cards of one suit; or any several",
    )
    dead_hand: str = flag("no", "FT-24", "if nobody opens, all pay 1 chip and the deal is dead")


@dataclass(frozen=True)
class FanTanOptions(RowOptions):
    """House rules of Fan Tan."""

    open_card: str = choice(
        tuple(OPEN_CARDS),
        "any",
        "FT-20, FT-21, FT-C1",
        "the 7 whose holder has the first turn and must lay it; any: eldest begins, and any 7 opens",
        numbers=OPEN_CARDS,
    )
    passes: str = choice(
        tuple(PASSES),
        "forced",
        "FT-32, FT-C2, FT-C3",
        "who may pass: only a player who cannot lay a card, or anybody so often in a deal, or any number of times",
        numbers=PASSES,
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "denexa": {},
        "stops": {"ante_rule": "flat", **STOPS},
        "british": {
            "ante_rule": "flat",
            "settle": "direct",
            "fine_when": "forced",
            "first_dealer": "cut_high",
            "layout_side": "6L8R",
        },
        "ultimate": {"ante_rule": "more_extra", "pass_chip": 0, "plays_per_turn": "group", "dead_hand": "yes"},
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(presets, (2, MOST_SEATS))  # FT-Q16
    # FT-04
    best_seats: ClassVar[Mapping[str, tuple[int, int]]] = {
        "denexa": (3, 8),
        "stops": (4, 4),
        "british": (4, 6),
        "ultimate": (4, 5),
    }

    def resolve(self, seats: int) -> Self:
        if self.passes != "forced" and self.enforce == "penalise":
            raise OptionError(
                Message("passes={passes} with enforce=penalise", passes=self.passes),
                Message("nobody is fined for a pass that the rules allow"),
                Message("set enforce=strict or passes=forced"),
                code="options/combination",
            )
        return super().resolve(seats)


@dataclass(frozen=True)
class FiveOrNineOptions(RowOptions):
    """House rules of Five or Nine."""

    first_dealer: str = dealers(8)
    ante_rule: str = ante_option("flat", "FN-08")
    start_ranks: str = choice(
        tuple(START_RANKS),
        "5,9",
        "FN-02",
        "ranks that may open the deal; the first card's rank founds every row",
        numbers=START_RANKS,
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"five-or-nine": STOPS}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"five-or-nine": (2, 8)}
    best_seats: ClassVar[Mapping[str, tuple[int, int]]] = {"five-or-nine": (4, 4)}


@dataclass(frozen=True)
class DominoOptions(FineOptions):
    """House rules of Domino Fan-Tan."""

    first_dealer: str = dealers(2)
    hand_size: int = number(17, 17, 17, "DF-02", "cards each is dealt; the others are the stock")
    draw_chip: int = number(0, 1, 1, "DF-03, DF-04", "chips a draw from the stock costs")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"domino-fan-tan": STOPS}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"domino-fan-tan": (2, 2)}
