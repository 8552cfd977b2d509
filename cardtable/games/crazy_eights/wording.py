"""The house rules of Crazy Eights in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import DEALS, FIRST_DEALER, TURN_CAP
from cardtable.rules.options import DEAL, SCORE, Words

WORDS: Mapping[str, Words] = {
    "decks": Words(mark("packs of cards"), group=DEAL),
    "jokers": Words(mark("jokers in each pack"), group=DEAL),
    "hand_size": Words(mark("cards for each player"), group=DEAL),
    "draw_willing": Words(mark("whoever can play may draw all the same")),
    "starter_wild": Words(
        mark("a wild card that is turned up first"),
        {
            "bury": mark("goes back into the stock"),
            "free": mark("lets the first player play anything"),
            "dealer_names": mark("lets the dealer name a suit"),
        },
        group=DEAL,
    ),
    "scoring": Words(
        mark("a deal won counts"), {"win": mark("one point"), "points": mark("what the others still hold")}, group=SCORE
    ),
    "turn_cap": TURN_CAP,
    "deals": DEALS,
    "first_dealer": FIRST_DEALER,
}
