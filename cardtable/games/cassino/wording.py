"""The house rules of Cassino in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import END, SCORE, Words

WORDS: Mapping[str, Words] = {
    "target": Words(mark("points that win the match"), group=END),
    "build_obligation": Words(mark("the owner of a build keeps a card that takes it, and may not trail")),
    "raise_builds": Words(
        mark("raising a build"),
        {"never": mark("is not possible"), "single": mark("is possible for an addition build of one group")},
    ),
    "face_builds": Words(mark("jacks, queens and kings may be built in pairs")),
    "sweeps": Words(mark("sweeps score a point"), group=SCORE, played={"off": mark("at some tables")}),
    "first_dealer": FIRST_DEALER,
}
