"""The house rules of Busca in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import END, SCORE, Words

WORDS: Mapping[str, Words] = {
    "limit": Words(mark("points that end the match"), group=END, played={"100": mark("at many tables in Italy")}),
    "elimination": Words(
        mark("a player at the limit is out, and the others play on"),
        group=END,
        played={"yes": mark("at many tables in Italy")},
    ),
    "cappotto": Words(
        mark("a cappotto is made by"),
        {
            "score": mark("whoever wins the last trick and has 11 points"),
            "all_cards": mark("whoever takes every card that counts"),
            "off": mark("nobody"),
        },
        group=SCORE,
    ),
    "tie": Words(
        mark("players whose lowest scores are equal"),
        {"shared": mark("win together"), "extra_round": mark("play further deals")},
        only={"elimination": ("no",)},
        group=END,
    ),
    "first_dealer": FIRST_DEALER,
}
