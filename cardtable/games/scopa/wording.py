"""The house rules of Scopa in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import DEAL, END, Words

WORDS: Mapping[str, Words] = {
    "target": Words(mark("points that win the match"), group=END),
    "king_misdeal": Words(mark("three or four kings on the first table: it is dealt again"), group=DEAL),
    "counting": Words(
        mark("counting"),
        {
            "stop_at_target": mark("stops as soon as a side has enough"),
            "full_deal": mark("goes to the end of the deal"),
        },
        group=END,
    ),
    "first_dealer": FIRST_DEALER,
}
