"""House rules of Oh Hell!."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.base.cards import ALL_40, ALL_52, RANK
from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice, flag, number

SEATS = 10  #: most players
#: the scorings in which an exact bid earns a bonus and a point for each trick
WITH_BONUS = ("bonus", "tricks", "bonus_minus")


@dataclass(frozen=True)
class OhHellOptions(DealerOptions):
    """House rules of Oh Hell!."""

    dealer_rule: str = choice(
        ("exceed", "not_equal", "off"),
        "exceed",
        "OH-08",
        "the dealer must bring the sum of bids above the tricks, or only away from them, or is free",
    )
    scoring: str = choice(
        ("tens", *WITH_BONUS, "wizard", "pocha", "squares"),
        "tens",
        "OH-14, OH-15, OH-C1, OH-C2, OH-C3, OH-C4, OH-C5, OH-C6",
        "what an exact bid scores, and what a bid that is missed scores or costs",
    )
    bonus_points: str = choice(
        ("5", "10"), "10", "OH-C7", "what an exact bid scores besides its tricks, where the scoring has such a bonus"
    )
    zero: str = choice(
        ("as_scored", "five", "five_and_cards"),
        "as_scored",
        "OH-Q9, OH-C8",
        "what an exact bid of zero scores: as the scoring says, 5, or 5 and as many as cards were dealt to each",
    )
    plan: str = choice(
        ("down_up", "up_down", "down", "up"),
        "down_up",
        "OH-16, OH-C9",
        "how the number of cards changes from deal to deal: down to one and up again, the reverse, or only one way",
    )
    max_cards: int = number(
        2,
        26,
        None,
        "OH-05, OH-C10",
        "how many cards each player is dealt in the largest deal",
        resolved="10 for up to five players, 8 for six, 7 for seven, 6 for eight, 5 for more; of 40 cards all",
    )
    ends_each: str = flag(
        "no", "OH-Q6, OH-C11", "whether the deals of one card and the largest deals are played once for each player"
    )
    trump: str = choice(
        ("turned", "rotate", "spades"),
        "turned",
        "OH-06, OH-C13, OH-C14",
        "trump is the suit of a card turned up, or another suit in each deal and then none, or always spades",
    )
    top_trump: str = choice(
        ("none", "dealers_last"),
        "none",
        "OH-C15, OH-C16",
        "where the whole pack is dealt and none can be turned up: no trump, or the suit of the dealer's last card",
    )
    must: str = choice(
        ("follow", "trump", "beat"),
        "follow",
        "OH-11, OH-Q8, OH-C17, OH-C18",
        "besides following suit: nothing; who cannot must trump; or one must beat the trick, and trump, if one can",
    )
    pack: str = choice(
        ("52", "40"),
        "52",
        "OH-04, OH-Q1, OH-C19",
        "the cards: 52, ace high; or 40 as in Spain, A 3 K Q J 7 6 5 4 2 from high to low (36 for three players)",
    )
    direction: str = choice(
        ("clockwise", "counter_clockwise"), "clockwise", "OH-07, OH-C20", "in which direction play and deal go round"
    )
    tiebreak: str = choice(
        ("tied_only", "all", "shared"),
        "tied_only",
        "OH-18",
        "a tie at the top: one-card deals of those tied, or of all, or joint winners",
    )
    first_dealer: str = dealer_option(SEATS, "OH-Q2")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "oh-hell": {},
        "common": {"scoring": "bonus", "plan": "up_down", "dealer_rule": "not_equal", "tiebreak": "shared"},
        "pocha": {
            "dealer_rule": "not_equal",
            "scoring": "pocha",
            "plan": "up_down",
            "ends_each": "yes",
            "top_trump": "dealers_last",
            "must": "beat",
            "pack": "40",
            "direction": "counter_clockwise",
            "tiebreak": "shared",
        },
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"oh-hell": (3, 7), "common": (2, SEATS), "pocha": (3, 8)}

    def cards(self, seats: int) -> int:
        if self.pack == "52":
            return ALL_52
        return ALL_40 & ~(RANK << 1) if seats == 3 else ALL_40

    def resolve(self, seats: int) -> Self:
        cards = self.cards(seats).bit_count()
        most = cards // seats
        if self.max_cards is not None and self.max_cards > most:
            raise OptionError(
                Message("max_cards={max_cards} with {seats} seats", max_cards=self.max_cards, seats=seats),
                Message("there are {cards} cards", cards=cards),
                Message("choose {most} or fewer", most=most),
                code="options/combination",
            )
        return replace(
            super().resolve(seats), max_cards=self.max_cards or (usual_cards(seats) if cards == 52 else most)
        )


def usual_cards(seats: int) -> int:
    """How many cards each is dealt in the largest deal, if no house rule says so (OH-05)."""
    return 10 if seats <= 5 else max(14 - seats, 5)
