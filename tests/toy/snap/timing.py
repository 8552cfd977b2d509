"""Snap in real time.

Every intent is a separate moment, except a snap: that waits a little, to see whether the other acts at the same
moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from cardtable.base.errors import Text
from cardtable.base.message import Message
from cardtable.rules import contract
from cardtable.rules.options import Options
from cardtable.rules.timing import Notice, RealTime

from .presentation import why_not
from .rules import MAX_MOVES, PLAYERS, QUIET, SNAP, WAIT


class Arbiter:
    """The arbiter of a deal."""

    def __init__(self, s: Any, at: int, tell: Callable[[Notice], None]) -> None:
        self.state, self._tell = s, tell
        self._now = self._acted = at
        self._held: tuple[int, int] | None = None  #: who snapped, and until when that is held

    @property
    def due(self) -> int | None:
        """When a snap is held no longer, or nobody has done anything for too long."""
        return None if self.state.over else self._held[1] if self._held else self._acted + int(self.state.rules.rest_ms)

    def intent(self, seat: int, move: int, at: int) -> None:
        """TURN or SNAP arrives."""
        self.advance(at)
        if self._held and self._held[0] == seat:
            self._say("refused", seat, move, Message("your snap is being decided"), "SN-05")
        elif self.state.over or move not in self._legal(seat):
            self._say("refused", seat, move, *(why_not(self.state, seat, move)))
        elif self._held:
            self._moment({seat: move, self._held[0]: SNAP})
        elif move == SNAP:
            self._held = seat, self._now + int(self.state.rules.tie_ms)
            self._say("held", seat, move, "", "SN-05")
        else:
            self._moment({seat: move})

    def advance(self, at: int) -> None:
        """A held snap has its moment, or the deal is over."""
        while (due := self.due) is not None and due <= at:
            self._now = max(self._now, due)
            if self._held:
                self._moment({self._held[0]: SNAP})
            else:
                for p in [0, 1] * QUIET:
                    if not self.state.over:
                        contract.play(self.state, p, WAIT)
                self._tell(Notice("stalled", self._now, rule="SN-06"))
        self._now = max(self._now, at)

    def _moment(self, moves: dict[int, int]) -> None:
        self._held, self._acted = None, self._now
        for p in range(PLAYERS):
            contract.play(self.state, p, moves.get(p, WAIT))
        self._tell(Notice("moment", self._now, moves=tuple(moves.get(p) for p in range(PLAYERS))))

    def _legal(self, seat: int) -> list[int]:
        moves = np.zeros(MAX_MOVES, np.int64)
        return [int(move) for move in moves[: contract.legal(self.state, seat, moves)]]

    def _say(self, kind: Literal["held", "refused"], seat: int, move: int, reason: Text, rule: str) -> None:
        self._tell(Notice(kind, self._now, seat, move, reason, rule))


def begin(s: Any, at: int, tell: Callable[[Notice], None]) -> Arbiter:
    """The arbiter of a deal; that who can do nothing waits is part of its moments."""
    s.chosen[:] = 0
    return Arbiter(s, at, tell)


def pace(options: Options) -> int:
    """Nobody is too fast."""
    return 0


TIMING = RealTime({"pace": "at_once"}, "wait", {"pace": "moments"}, "SN-03", pace, begin)
