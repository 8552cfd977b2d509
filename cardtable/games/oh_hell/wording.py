"""The house rules of Oh Hell! in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import END, Words

WORDS: Mapping[str, Words] = {
    "dealer_rule": Words(
        mark("the dealer's bid"),
        {
            "exceed": mark("must bring the bids above the number of tricks"),
            "not_equal": mark("must not make the bids equal to the tricks"),
            "off": mark("is free"),
        },
    ),
    "tiebreak": Words(
        mark("players who are level at the top"),
        {
            "tied_only": mark("play deals of one card"),
            "all": mark("and all others play deals of one card"),
            "shared": mark("win together"),
        },
        group=END,
    ),
    "first_dealer": FIRST_DEALER,
}
