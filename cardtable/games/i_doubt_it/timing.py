"""I Doubt It against a clock: if all players answer at the same time, the clock can close the window in which a set may
be doubted (DB-12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.rules.timing import Window

if TYPE_CHECKING:
    from cardtable.games.i_doubt_it.state import State


def is_open(s: State) -> bool:
    """Whether the last set may be doubted."""
    return bool(s.window)


TIMING = Window({"doubt_mode": "simultaneous"}, "accept", is_open)
