"""The house rules of Fan Tan, Five or Nine and Domino Fan-Tan in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import ANTE, CHIP_WORDS, CHIPS, FINE_POT, FINES, PASS_CHIP
from cardtable.rules.options import DEAL, SCORE, PresetWords, Words

WORDS: Mapping[str, Words] = {
    **CHIP_WORDS,
    "ante": ANTE,
    "pass_chip": PASS_CHIP,
    "settle": Words(
        mark("the chips for cards that are left"),
        {"pot": mark("go into the pot"), "direct": mark("go to the winner")},
        only=CHIPS,
        group=SCORE,
    ),
    "fine_pot": FINE_POT,
    "fine_neighbour": Words(mark("fine to each holder of a neighbour of a withheld 7"), only=FINES, group=SCORE),
    "fine_when": Words(
        mark("the fine to the neighbours is due"),
        {"held": mark("when a 7 was held"), "forced": mark("when only a 7 could be played")},
        only=FINES,
        group=SCORE,
    ),
    "fine_beyond_run": Words(
        mark("an offender who holds the neighbour pays for the card beyond that run"), only=FINES, group=SCORE
    ),
    "layout_side": Words(
        mark("the 8 lies"), {"8L6R": mark("to the left of the 7"), "6L8R": mark("to the right of the 7")}, group=DEAL
    ),
    "ante_rule": Words(
        mark("who antes one chip more"),
        {
            "flat": mark("nobody"),
            "fewer_extra": mark("whoever has fewer cards"),
            "more_extra": mark("whoever has more cards"),
        },
        only=CHIPS,
        group=SCORE,
    ),
    "plays_per_turn": Words(
        mark("cards in a turn"),
        {"one": mark("one"), "group": mark("several 7s, or several cards of one suit"), "any": mark("as many as fit")},
    ),
    "dead_hand": Words(mark("if nobody can open, all pay a chip and the deal ends"), only=CHIPS),
    "open_card": Words(
        mark("the first turn has"),
        {
            "any": mark("the player to the dealer's left; any 7 opens"),
            "7D": mark("the holder of the 7 of diamonds, who must lay it"),
            "7H": mark("the holder of the 7 of hearts, who must lay it"),
            "7S": mark("the holder of the 7 of spades, who must lay it"),
            "7C": mark("the holder of the 7 of clubs, who must lay it"),
        },
        group=DEAL,
        played={
            "7D": mark("at most tables where the game is called Sevens"),
            "7H": mark("in India"),
            "7S": mark("at some tables"),
            "7C": mark("at some tables"),
        },
    ),
    "passes": Words(
        mark("passing while a card fits"),
        {
            "forced": mark("is not allowed"),
            "1": mark("is allowed; a second pass that is forced loses the deal"),
            "2": mark("is allowed; a third pass that is forced loses the deal"),
            "3": mark("is allowed; a fourth pass that is forced loses the deal"),
            "4": mark("is allowed; a fifth pass that is forced loses the deal"),
            "5": mark("is allowed; a sixth pass that is forced loses the deal"),
            "unlimited": mark("is allowed any number of times"),
        },
        played={
            "3": mark("in Japan, as Shichi Narabe"),
            **dict.fromkeys(("1", "2", "4", "5"), mark("at some tables")),
            "unlimited": mark("at some tables"),
        },
    ),
    "start_ranks": Words(
        mark("the deal may be opened by"),
        {"5,9": mark("a 5 or a 9"), "5": mark("a 5"), "9": mark("a 9"), "7": mark("a 7")},
        group=DEAL,
    ),
    "hand_size": Words(mark("cards for each player"), group=DEAL),
    "draw_chip": Words(mark("a draw from the stock costs a chip"), only=CHIPS, group=SCORE),
}

PRESETS: Mapping[str, PresetWords] = {
    "stops": PresetWords(mark("Fan Tan as a game of stops")),
    "british": PresetWords(mark("Fan Tan as the British play it")),
}
