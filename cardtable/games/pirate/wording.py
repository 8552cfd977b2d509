"""The house rules of Pirate in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.rules.options import END, Words

LIVE = {"form": ("live",)}
WORDS: Mapping[str, Words] = {
    "form": Words(
        mark("how it is played"), {"ticks": mark("both choose, then both act"), "live": mark("in real time")}
    ),
    "target": Words(
        mark("ships that win"),
        {
            "seed": mark("five, or four once one has sunk"),
            "majority": mark("more than half of the ships that have not sunk"),
        },
        group=END,
    ),
    "stall": Words(mark("moments without a card that end the game"), only={"form": ("ticks",)}, group=END),
    "stall_seconds": Words(mark("seconds without a card that end the game"), only=LIVE, group=END),
    "tie_window_ms": Words(mark("milliseconds that count as the same moment"), only=LIVE),
    "reveal_ms": Words(mark("milliseconds for which a turned card lies open"), only=LIVE),
}
