"""A regular Pirate player: he lays what is safe, holds back what would hand a ship over, and turns cards meanwhile."""

from __future__ import annotations

from typing import Any

from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, WAIT, exhausted, fits, gap, top
from cardtable.kernel import rule


@rule
def advise(s: Any, seat: int, moves: Any, n: int) -> int:
    """A claim, a card that hands nothing over, the next card of the stock, or patience."""
    best = WAIT
    for i in range(n):
        move = moves[i]
        if move == DRAW_CARD or move == CLAIM or (move == PLAY and safe(s, seat, top(s, seat))):
            best = move
    return best


@rule
def safe(s: Any, seat: int, card: int) -> bool:
    """Whether laying a card lets the other not complete the ship."""
    return bool(gap(s, card // 13) != 2)
