"""Domino Fan-Tan: the rules of Fan Tan with a separate state class, so that only Domino compiles the code for drawing
from a stock when offences are fined.
"""

from __future__ import annotations

from cardtable.games.fan_tan.policy import heuristic
from cardtable.games.fan_tan.rules import bounds, deal, is_pass, legal, play, redact
from cardtable.games.fan_tan.rules import resample as fill_hands
from cardtable.games.fan_tan.state import ACTIONS, MAX_MOVES, FanTanTable, prepare
from cardtable.games.fan_tan.stock import redraw
from cardtable.kernel import field, rule
from cardtable.rules import worlds
from cardtable.rules.contract import implement

__all__ = ["ACTIONS", "MAX_MOVES", "State", "prepare"]


class State(FanTanTable):
    """The state of a Domino Fan-Tan table."""

    domino: int = field()  #: distinguishes this state class from Fan Tan's; always 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    if s.stock_size and s.rules.enforce_penalise and not s.over:
        redraw(s, seat, work)
    else:
        fill_hands(s, seat, work)


implement(State, deal, legal, play, redact, resample, is_pass, bounds, heuristic)
