"""House rules of Michigan, with a preset for each of its seven games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from cardtable.base.cards import card_text, parse_card, parse_cards
from cardtable.base.errors import NotationError, OptionError
from cardtable.base.message import Message
from cardtable.games.shared.chip_options import FINED, MAX_CHIPS, check_seats
from cardtable.games.shared.table_options import CUT_ACE, dealer_option
from cardtable.rules.options import Options, choice, flag, number, written

MAX_DRESS = 1000
MICHIGAN, BOODLE, POPE_JOAN = "AH KC QD JS", "AH KD QS JC", "9D TD JC QS KH"  # MI-05, MI-50, MI-57
POPE_JOAN_DRESS = "9D5 KH4 QS3 JC2 TD1"  # MI-58


def read_money(text: str) -> str:
    """Four or five different cards as text in one form, in the order given. Raises ValueError."""
    try:
        cards = parse_cards(text)
    except NotationError as error:
        raise ValueError(f"{error.what}: {error.why}") from None
    if not 4 <= len(cards) <= 5 or max(cards) > 51:
        raise ValueError("the money cards are four or five of the 52 cards")
    return " ".join(map(card_text, cards))


def read_dress(text: str) -> str:
    """`9D5 KH4`, the cards and the chips that the dealer puts on each, in one form. Raises ValueError."""
    return " ".join(f"{card_text(card)}{chips}" for card, chips in dress_of(text).items())


def dress_of(text: str) -> dict[int, int]:
    """The chips on each card of a dress. Raises ValueError."""
    dress: dict[int, int] = {}
    for word in text.replace(",", " ").split():
        try:
            card, chips = parse_card(word[:2]), word[2:].lstrip("=:")
        except NotationError as error:
            raise ValueError(f"{error.what}: {error.why}") from None
        if card in dress or card > 51 or not (chips.isascii() and chips.isdecimal()) or int(chips) > MAX_DRESS:
            raise ValueError(f"{word[:20]!r} is not a card, named once, with a number of chips up to {MAX_DRESS}")
        dress[card] = int(chips)
    if not 4 <= len(dress) <= 5:
        raise ValueError("a dress names the four or five money cards")
    return dress


@dataclass(frozen=True)
class MichiganOptions(Options):
    """House rules of Michigan."""

    money: str = written(
        (MICHIGAN, BOODLE, POPE_JOAN),
        MICHIGAN,
        "MI-05, MI-50, MI-57",
        "the money cards",
        read_money,
        "four or five different cards",
    )
    stake: str = choice(
        ("one_each", "free4", "dealer_dress"),
        "one_each",
        "MI-06, MI-51, MI-58",
        "before a deal everybody puts 1 chip on each money card, or spreads four chips over them at will, or the "
        "dealer alone dresses them",
    )
    dealer_stake: int = number(
        1, 2, 1, "MI-06", "chips that the dealer puts on each money card (only with stake = one_each)"
    )
    dress: str | None = written(
        (POPE_JOAN_DRESS,),
        None,
        "MI-58",
        "chips the dealer puts on each money card (only with stake = dealer_dress)",
        read_dress,
        "each money card with its chips, such as 9D5 KH4",
        resolved="none",
    )
    deal: str = choice(
        ("extra_hand", "equal"),
        "extra_hand",
        "MI-09, MI-52",
        "deal as if there were one more hand, the widow; or equal hands, and what is left over is the widow",
    )
    widow: str = choice(
        ("exchange", "dead"),
        "exchange",
        "MI-13, MI-14, MI-15, MI-16, MI-17, MI-53",
        "whether the widow may be exchanged for",
    )
    auction: str = choice(
        ("english", "none"),
        "english",
        "MI-14",
        "a dealer who keeps the hand auctions the widow, or it stays (only with widow = exchange)",
    )
    first_lead: str = choice(
        ("eldest", "low_diamond"),
        "eldest",
        "MI-18, MI-C3",
        "eldest leads any suit after the deal; or the holder of the lowest diamond leads that card",
    )
    next_suit: str = choice(
        ("other_suit", "other_color"),
        "other_suit",
        "MI-23, MI-41",
        "after a stop another suit is led, or one of the other colour",
    )
    sequence_stake: str = choice(("off", "on"), "off", "MI-42, MI-43", "a stake on the sequence 9H TH JH")
    kitty: int = number(
        0, 4, 0, "MI-C1, MI-C2", "chips that everybody puts into the kitty before a deal; the first player out takes it"
    )
    jackpot: str = choice(
        ("off", "on"), "off", "MI-44, MI-45", "a jackpot, filled for one round of deals and won in the deal after it"
    )
    spin: str = choice(
        ("off", "on"),
        "off",
        "MI-54, MI-55, MI-56",
        "whoever has just played a card may stop the sequence with the ace of diamonds",
    )
    double_if_caught: str = flag("no", "MI-59", "who is left with a money card's duplicate doubles the chips on it")
    first_dealer: str = dealer_option(
        8,
        "MI-08",
        "who deals first: by lot, by the highest card cut, or a seat by name",
        "cut_high",
        {"cut_high": CUT_ACE},
    )
    stack: int | tuple[int, ...] = number(
        1, MAX_CHIPS, 50, "MI-06", "chips everybody starts with, or one number for each seat", per_seat=True
    )
    enforce: str = choice(
        ("strict", "penalise"),
        "strict",
        "MI-31, MI-32",
        "strict: an illegal move is refused; penalise: playing wrongly is possible and costs chips",
    )
    detect: str = choice(
        ("end", "immediate"), "end", "MI-31", "when an offence is found out: when the hands are shown, or at once"
    )
    credit: str = choice(
        ("open", "table"), "open", "FT-Q13", "open: a stack may fall below 0; table: nobody pays more than they have"
    )
    deals: int | None = number(
        1, 1000, None, "MI-Q15, MI-45", "deals in a match", resolved="one for each seat, and one more with a jackpot"
    )

    fines: ClassVar[Mapping[str, Any]] = FINED
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "michigan": {},
        "cross-color": {"next_suit": "other_color"},
        "sequence": {"sequence_stake": "on"},
        "jackpot": {"jackpot": "on"},
        "boodle": {"money": BOODLE, "stake": "free4", "deal": "equal", "widow": "dead"},
        "spinado": {"money": BOODLE, "stake": "free4", "deal": "equal", "widow": "dead", "spin": "on"},
        "pope-joan": {
            "money": POPE_JOAN,
            "stake": "dealer_dress",
            "dress": POPE_JOAN_DRESS,
            "deal": "equal",
            "widow": "dead",
            "double_if_caught": "yes",
        },
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(presets, (3, 8))

    def resolve(self, seats: int) -> Self:
        check_seats(self, seats)
        if self.widow == "exchange" and self.deal == "equal":
            raise OptionError(
                Message("widow=exchange with deal=equal"),
                Message("the widow is not the size of a hand then (MI-53)"),
                Message("set widow=dead or deal=extra_hand"),
                code="options/combination",
            )
        if self.stake == "dealer_dress" and set(dress_of(self.dress) if self.dress else ()) != set(
            parse_cards(self.money)
        ):
            raise OptionError(
                Message("dress={value}", value=self.dress or "nothing"),
                Message("the dealer dresses the money cards, {money}, and these only (MI-58)", money=self.money),
                Message("give a dress such as {listed}", listed=" ".join(card + "1" for card in self.money.split())),
                code="options/combination",
            )
        return replace(self, deals=seats + (self.jackpot == "on") if self.deals is None else self.deals)
