"""House rules of Scopa."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.base.cards import ALL_40
from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.games.shared.table_options import DealerOptions, dealer_option
from cardtable.rules.options import choice

FIRST = "scopa"  #: the preset with the rules of the source


@dataclass(frozen=True)
class ScopaOptions(DealerOptions):
    """House rules of Scopa; two, three or four players, four as two partnerships."""

    deal: str | None = choice(
        ("threes", "nine", "ten"),
        None,
        "SC-06, SC-C5, SC-C6",
        "three cards each at a time, and four to the table; or, for four players, nine each and four to the table, or "
        "ten each and none",
        resolved="threes, and ten for four players where aces take all",
        numbers={"threes": 3, "nine": 9, "ten": 10},
    )
    capture: str = choice(
        ("rank", "fifteen"),
        "rank",
        "SC-10, SC-11, SC-C12",
        "a card takes one of its rank, or else cards that add up to it; or cards that make 15 together with it",
    )
    aces: str = choice(
        ("normal", "take_all", "take_all_sweep"),
        "normal",
        "SC-10, SC-C7, SC-C8",
        "an ace takes an ace; or everything on the table, which is no sweep; or everything, and that is a sweep",
    )
    ace_on_table: str = choice(
        ("takes_all", "pairs"),
        "takes_all",
        "SC-C7, SC-C9",
        "an ace that takes all also does so if an ace lies on the table; or it takes only one ace then",
    )
    ace_on_empty: str = choice(
        ("stays", "own_pile"),
        "stays",
        "SC-C7, SC-C10",
        "an ace that takes all, played to an empty table, stays there; or it goes to the pile of the player",
    )
    first_ace: str = choice(
        ("allowed", "barred"),
        "allowed",
        "SC-C7, SC-C11",
        "where nine or ten cards each are dealt, the first card of the deal may be an ace; or not, if aces take all",
    )
    target: str = choice(("11", "15", "16", "21", "31"), "11", "SC-24, SC-C1, SC-C15", "points that win the match")
    king_misdeal: str | None = choice(
        ("on", "off"),
        None,
        "SC-07",
        "three or four kings on the first table: the deal is given up and dealt again",
        resolved="on, and off without a first table or with sums of 15",
    )
    counting: str = choice(
        ("stop_at_target", "full_deal"),
        "stop_at_target",
        "SC-24",
        "counting stops the moment a side reaches the target; or every point of the deal counts, the higher total "
        "wins, and a tie is played on",
    )
    primiera: str = choice(
        ("points", "sevens", "most_sevens"),
        "points",
        "SC-23, SC-C2, SC-C14",
        "the primiera goes to the highest sum of the best cards of all suits; or to the most sevens, then sixes, aces "
        "and fives down to twos; or to the most sevens alone",
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

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        FIRST: {},
        "scopone": {"deal": "nine"},
        "scopone-ten": {"deal": "ten"},
        "asso-piglia-tutto": {"aces": "take_all"},
        "escoba": {"capture": "fifteen", "target": "15", "primiera": "most_sevens", "counting": "full_deal"},
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {
        FIRST: (2, 4),
        "scopone": (4, 4),
        "scopone-ten": (4, 4),
        "asso-piglia-tutto": (2, 4),
        "escoba": (2, 4),
    }
    best_seats: ClassVar[Mapping[str, tuple[int, int]]] = {"scopone": (4, 4), "scopone-ten": (4, 4)}

    @classmethod
    def make(cls, preset: str | None, seats: int | None, given: Mapping[str, Any]) -> tuple[str, int, Self]:
        """As every game's, but as few seats as possible if none are asked for (SC-01)."""
        few, _ = cls.seat_range.get((preset or FIRST).lower(), cls.seat_range[FIRST])
        return super().make(preset, few if seats is None else seats, given)

    def cards(self, seats: int) -> int:
        return ALL_40

    def resolve(self, seats: int) -> Self:
        """Deal ten each to four where aces take all (SC-C7); refuse what cannot be dealt. Raises OptionError."""
        options = super().resolve(seats)
        fifteen = self.capture == "fifteen"
        if fifteen and self.aces != "normal":
            raise OptionError(
                Message("aces={aces} with capture=fifteen", aces=self.aces),
                Message("an ace takes cards that make 15 with it, like any other card"),
                Message("leave one of them out"),
                code="options/combination",
            )
        if fifteen and self.deal in ("nine", "ten"):
            raise OptionError(
                Message("deal={deal} with capture=fifteen", deal=self.deal),
                Message("sums of 15 are played with three cards each at a time"),
                Message("choose deal=threes"),
                code="options/combination",
            )
        deal = self.deal or ("ten" if seats == 4 and self.aces != "normal" else "threes")
        if deal != "threes" and seats != 4:
            raise OptionError(
                Message("deal={deal} for {seats} players", deal=deal, seats=seats),
                Message("the whole pack is dealt to four, two against two"),
                Message("choose deal=threes, or four players"),
                code="options/combination",
            )
        if deal == "ten" and self.king_misdeal == "on":
            raise OptionError(
                Message("king_misdeal=on with deal=ten"),
                Message("no card is dealt to the table, so no kings can lie there"),
                Message("leave king_misdeal out, or choose deal=nine"),
                code="options/combination",
            )
        if deal == "threes" and self.first_ace == "barred":
            raise OptionError(
                Message("first_ace=barred with deal=threes"),
                Message("a hand of three may have nothing but aces"),
                Message("leave first_ace out, or choose deal=ten"),
                code="options/combination",
            )
        kings = self.king_misdeal or ("off" if deal == "ten" or fifteen else "on")
        return replace(options, deal=deal, king_misdeal=kings)
