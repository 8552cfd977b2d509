"""The numbers of Michigan's moves among its actions: few enough for a mask, although bids have no limit."""

from __future__ import annotations

import numpy as np

from cardtable.games.michigan.state import BID, FOUR, MAX_RAISE, SPIN, STAKE, State
from cardtable.kernel import rule

#: ways to spread at most four chips over at most five money cards, as in the moves STAKE + code
SPREADS = np.array([code for code in range(5**5) if sum(code // 5**i % 5 for i in range(5)) <= FOUR], np.int64)
PLACE = np.searchsorted(SPREADS, np.arange(5**5)).astype(np.int64)  #: where a way is in SPREADS
SPREAD = SPIN + 1  #: the action SPREAD + i is the move STAKE + SPREADS[i]; those below are moves themselves
RAISE = SPREAD + len(SPREADS)  #: the action RAISE + i bids i + 1 more than the highest bid
ACTIONS = RAISE + MAX_RAISE


@rule
def action_of(s: State, move: int) -> int:
    if move >= BID:
        return RAISE + move - BID - s.high - 1
    if move >= STAKE:
        return SPREAD + PLACE[move - STAKE]
    return move


@rule
def move_of(s: State, action: int) -> int:
    if action >= RAISE:
        return BID + s.high + 1 + action - RAISE
    if action >= SPREAD:
        return STAKE + SPREADS[action - SPREAD]
    return action
