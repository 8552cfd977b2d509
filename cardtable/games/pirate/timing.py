"""Pirate in real time: with `form` = `live` both players act whenever they like, and an arbiter decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.games.pirate.arbitration import Arbiter
from cardtable.games.pirate.positions import MOVES
from cardtable.games.pirate.state import WAIT
from cardtable.rules.options import Options
from cardtable.rules.timing import Notice, RealTime


def pace(options: Options) -> int:
    """W, the tie window (PIL-5)."""
    return int(options.as_dict()["tie_window_ms"])


def arbiter(s: Any, at: int, tell: Callable[[Notice], None]) -> Arbiter:
    """The arbiter of a deal.

    An observer with nothing to do has "chosen" to wait in the match; the arbiter makes whole ticks.
    """
    s.chosen[:] = 0
    return Arbiter(s, at, tell)


TIMING = RealTime({"form": "live"}, MOVES[WAIT], {"form": "ticks"}, "PIL-1", pace, arbiter)
