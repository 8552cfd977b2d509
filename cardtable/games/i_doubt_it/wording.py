"""The house rules of I Doubt It in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import DEALS, FIRST_DEALER, TURN_CAP
from cardtable.rules.options import DEAL, Words

WORDS: Mapping[str, Words] = {
    "decks": Words(mark("packs of cards"), group=DEAL),
    "max_set": Words(
        mark("most cards laid at once"),
        {
            "unlimited": mark("no limit"),
        },
    ),
    "doubt_mode": Words(
        mark("who may doubt"),
        {
            "sequential": mark("the others, one after another"),
            "simultaneous": mark("all of them at once, unseen"),
        },
    ),
    "window": Words(
        mark("cards may be doubted"),
        {
            "until_next_declares": mark("until the next player lays some"),
        },
    ),
    "final_challenge": Words(
        mark("a player's last cards are turned up"),
        {
            "optional": mark("if somebody doubts them"),
            "forced": mark("always"),
        },
    ),
    "start_rank": Words(
        mark("the deal begins with"),
        {
            "A": mark("aces"),
            "any": mark("a rank that the first player names"),
        },
    ),
    "turn_cap": TURN_CAP,
    "deals": DEALS,
    "first_dealer": FIRST_DEALER,
}
