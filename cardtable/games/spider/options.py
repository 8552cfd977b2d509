"""House rules of Spider: how many suits, what lies face down, when stock may be dealt, whether points are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.rules.options import Options, choice, flag, number

#: stock is dealt over empty columns while fewer cards than this lie in all columns
OVER_GAPS: Mapping[str, int] = {"strict": 0, "relaxed": 10, "any": 105}


@dataclass(frozen=True)
class SpiderOptions(Options):
    """House rules of Spider."""

    suits: str = choice(
        ("4", "2", "1"),
        "4",
        "SP-03, SP-06, SP-13",
        "four suits, each card twice; or spades and hearts, each card four times; or spades, each card eight times: "
        "always 104 cards",
    )
    face_down: str = flag(
        "yes", "SP-04, SP-09, SP-C2", "all cards of the columns but the last ones begin face down; or all lie face up"
    )
    deal_when_short: str = choice(
        ("strict", "relaxed", "any"),
        "strict",
        "SP-12, SP-C1",
        "stock is dealt only while no column is empty; or also when fewer than ten cards are left in the columns; or "
        "at any time",
        numbers=OVER_GAPS,
    )
    scoring: str = choice(
        ("none", "points"),
        "none",
        "SP-Q11",
        "the score is the number of runs removed; or points: 500 at the start, 1 off for each move, 100 for each run",
    )
    move_cap: int = number(100, 5000, 2000, "SP-Q12", "moves and deals after which the game is lost")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "four-suits": {},
        "two-suits": {"suits": "2"},
        "one-suit": {"suits": "1"},
    }
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(presets, (1, 1))
