"""The house rules of Spider in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.rules.options import DEAL, END, SCORE, Words

WORDS: Mapping[str, Words] = {
    "suits": Words(mark("suits"), group=DEAL),
    "face_down": Words(
        mark("cards begin face down, all but the last of each column"),
        group=DEAL,
        played={"no": mark("in some computer versions, as Open Spider")},
    ),
    "deal_when_short": Words(
        mark("the stock is dealt"),
        {
            "strict": mark("only while no column is empty"),
            "relaxed": mark("also when fewer than ten cards are left"),
            "any": mark("at any time, also over empty columns"),
        },
        played={"any": mark("in some computer versions")},
    ),
    "scoring": Words(
        mark("the score counts"),
        {
            "none": mark("runs that are removed"),
            "points": mark("points, and each move costs one"),
        },
        group=SCORE,
    ),
    "move_cap": Words(mark("most moves"), group=END),
}
