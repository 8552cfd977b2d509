"""The house rules of Thirty-One in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import SCORE, Words

WORDS: Mapping[str, Words] = {
    "stake": Words(
        mark("everybody has"),
        {"markers": mark("four markers"), "banknote": mark("a banknote with four corners to fold")},
        group=SCORE,
    ),
    "odd_card": Words(
        mark("a hand of two suits counts"),
        {"pair": mark("its two cards of one suit"), "best_suit": mark("whichever suit is worth more")},
        group=SCORE,
    ),
    "blitz_penalty": Words(
        mark("after a blitz"),
        {"lowest": mark("the lowest hand loses"), "all_others": mark("everybody without 31 loses")},
        group=SCORE,
    ),
    "first_round_knock": Words(
        mark("knocking before all have had a turn"),
        {"allowed": mark("is allowed"), "forbidden": mark("is not allowed")},
    ),
    "first_dealer": FIRST_DEALER,
}
