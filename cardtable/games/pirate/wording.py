"""The house rules of Pirate in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.rules.options import Words

WORDS: Mapping[str, Words] = {
    "form": Words(
        mark("how it is played"), {"ticks": mark("both choose, then both act"), "live": mark("in real time")}
    ),
    "target": Words(
        mark("ships that win"),
        {
            "seed": mark("five, or four once one has sunk"),
            "majority": mark("more than half of those that have not sunk"),
        },
    ),
    "stall": Words(mark("moments without a card that end the game"), only={"form": ("ticks",)}),
    "stall_seconds": Words(mark("seconds without a card that end the game"), only={"form": ("live",)}),
    "tie_window_ms": Words(mark("milliseconds that count as the same moment"), only={"form": ("live",)}),
    "reveal_ms": Words(mark("milliseconds for which a turned card lies open"), only={"form": ("live",)}),
}
