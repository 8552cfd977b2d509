"""The rule of thumb of a regular Cassino player: take cards that score, build on cards held, leave little behind."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK, SUIT
from cardtable.games.cassino.state import BIG, CARDS, KIND, LITTLE, TAKE, TRAIL, table
from cardtable.kernel import rule
from cardtable.kernel.bits import count


@rule
def worth(cards: int) -> float:
    """Roughly what cards add to a pile, in points: most cards 3, most spades 1, aces, 2S, TD."""
    value = 0.12 * count(cards) + 0.15 * count(cards & SUIT) + 1.0 * count(cards & RANK)
    return value + 1.0 * (cards >> LITTLE & 1) + 2.0 * (cards >> BIG & 1)


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """Value captures in full and a sweep at one point, a build at almost half its cards, and a trail as a cost."""
    best, top = moves[0], -1e9
    on_table = table(s)
    for i in range(n):
        cards = moves[i] & CARDS
        kind = moves[i] >> KIND & 15
        if kind == TAKE:
            value = worth(cards)
            if s.rules.sweeps and cards & on_table == on_table:
                value += 1.0
        elif kind == TRAIL:
            value = -0.6 * worth(cards)
        else:
            value = 0.45 * worth(cards)
        if value > top:
            best, top = moves[i], value
    return best


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another capture instead of a capture; another build, or a trail, instead of a build; another trail."""
    return (meant >> KIND & 15 == TAKE) == (made >> KIND & 15 == TAKE)
