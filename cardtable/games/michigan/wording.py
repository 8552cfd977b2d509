"""The house rules of Michigan in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import CREDIT_ALWAYS, DEALS, DETECT, ENFORCE, FIRST_DEALER, STACK
from cardtable.rules.options import DEAL, SCORE, Words

WORDS: Mapping[str, Words] = {
    "money": Words(mark("money cards"), group=DEAL),
    "stake": Words(
        mark("chips on the money cards"),
        {
            "one_each": mark("one from everybody on each"),
            "free4": mark("four from everybody, spread at will"),
            "dealer_dress": mark("from the dealer alone"),
        },
        group=SCORE,
    ),
    "dealer_stake": Words(
        mark("chips that the dealer puts on each money card"), only={"stake": ("one_each",)}, group=SCORE
    ),
    "dress": Words(mark("the dealer's chips on the money cards"), only={"stake": ("dealer_dress",)}, group=SCORE),
    "deal": Words(
        mark("hands that are dealt"),
        {
            "extra_hand": mark("one more than there are players, the widow"),
            "equal": mark("equal ones; what is left over is the widow"),
        },
        group=DEAL,
    ),
    "widow": Words(
        mark("the widow"),
        {
            "exchange": mark("may be taken in exchange for a hand"),
            "dead": mark("stays where it is"),
        },
    ),
    "auction": Words(
        mark("a dealer who keeps the hand"),
        {
            "english": mark("auctions the widow"),
            "none": mark("leaves the widow"),
        },
        only={"widow": ("exchange",)},
    ),
    "first_lead": Words(
        mark("after the deal"),
        {
            "eldest": mark("the player to the dealer's left leads"),
            "low_diamond": mark("the lowest diamond is led"),
        },
        played={"low_diamond": mark("in British families, as Newmarket")},
    ),
    "next_suit": Words(
        mark("after a stop"),
        {
            "other_suit": mark("another suit is led"),
            "other_color": mark("a suit of the other colour is led"),
        },
    ),
    "sequence_stake": Words(mark("chips on the sequence 9, 10, jack of hearts"), group=SCORE),
    "kitty": Words(
        mark("chips from everybody for the kitty, which goes to the first out"),
        group=SCORE,
        played={str(n): mark("in British pubs and families, as Newmarket") for n in range(1, 5)},
    ),
    "jackpot": Words(mark("a jackpot"), group=SCORE),
    "spin": Words(mark("the ace of diamonds may stop a sequence")),
    "double_if_caught": Words(
        mark("whoever is left with the duplicate of a money card doubles its chips"), group=SCORE
    ),
    "first_dealer": FIRST_DEALER,
    "stack": STACK,
    "enforce": ENFORCE,
    "detect": DETECT,
    "credit": CREDIT_ALWAYS,
    "deals": DEALS,
}
