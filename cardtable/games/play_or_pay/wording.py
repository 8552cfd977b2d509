"""The house rules of Play or Pay in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import ANTE, CHIP_WORDS, CHIPS, FINE_POT, PASS_CHIP
from cardtable.rules.options import SCORE, Words

WORDS: Mapping[str, Words] = {
    **CHIP_WORDS,
    "continue_run": Words(mark("whoever also holds the next card continues")),
    "run_bonus": Words(
        mark("the others pay for a run"),
        {
            "continuation": mark("a chip for each card after the first"),
            "whole_run": mark("a chip for each card, once there are two"),
            "none": mark("nothing"),
        },
        only={"continue_run": ("yes",)},
        group=SCORE,
    ),
    "pass_chip": PASS_CHIP,
    "ante": ANTE,
    "settlement": Words(
        mark("the winner gets"),
        {
            "pot_and_cards": mark("the pot, and a chip for each card left"),
            "pot": mark("the pot"),
            "cards_left": mark("a chip for each card left; there is no pot"),
        },
        only=CHIPS,
        group=SCORE,
    ),
    "fine_pot": FINE_POT,
}
