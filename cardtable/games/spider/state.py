"""The table of a Spider patience: ten columns, the stock, the runs removed; and the encoding of moves.

A **move** is `(from * 12 + n - 1) * 10 + to`: the last n cards (1..12) of a column (0..9) onto another one. DEAL is
1200. A complete run of thirteen leaves at once (SP-13), so at most twelve cards move together.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of
from cardtable.games.shared.scores import ScoreTable
from cardtable.games.spider.options import SpiderOptions
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

COLUMNS = 10
LONGEST = 12  #: the most cards that move together
DEAL = COLUMNS * LONGEST * COLUMNS  #: the move that deals ten cards from the stock
ACTIONS = DEAL + 1
#: Four full columns of twelve and six empty ones leave 4 * 12 * 6 + 4 * 3; five and five leave the most, 5 * 12 * 5 + 5
#: * 4, of which at most half fit, and a deal over the gaps (SP-C1).
MAX_MOVES = 320
#: Cards in a column at most: 5 face down, and six rows of thirteen, for only a dealt card begins a new row on another
#: card.
HEIGHT = 84
STOCK = 50
DEALS = STOCK // COLUMNS  #: from the stock
RUNS = 8  #: to be removed
POINTS, PER_RUN = 500, 100  #: scoring = points: at the start, for each run


class State(ScoreTable):
    """A table of Spider. Its scores are the runs removed, or points."""

    rules: HouseRules = rules_of(SpiderOptions)
    #: cards from the bottom to the end; 0 beyond `height`, and for hidden cards once redacted
    columns: Any = field("i1", COLUMNS, HEIGHT)
    height: Ints = field("i8", COLUMNS)  #: cards in each column
    down: Ints = field("i8", COLUMNS)  #: how many of them, from the bottom, are face down
    stock: Ints = field("i8", STOCK)  #: in the order of dealing; 0 once dealt
    dealt: int = field()  #: how often stock was dealt, 0..5
    removed: int = field()  #: runs removed
    heap: Ints = field("i8", RUNS)  #: their suits, in order
    made: int = field()  #: number of moves and deals made


@rule
def way_of(move: int) -> tuple[int, int, int]:
    """The column that cards come from, how many they are, and the column that they go to; not of DEAL."""
    return move // (LONGEST * COLUMNS), move // COLUMNS % LONGEST + 1, move % COLUMNS


@rule
def end_card(s: Any, column: int) -> int:
    """The last card of a column; -1: the column is empty."""
    h = s.height[column]
    return int(s.columns[column, h - 1]) if h else -1


@rule
def run_length(s: Any, column: int) -> int:
    """The most cards at the end of a column that move together (SP-06): face up, of one suit, each one rank below
    the one before.
    """
    h = s.height[column]
    if h == 0:
        return 0
    n = 1
    card = int(s.columns[column, h - 1])
    while n < h - s.down[column] and rank_of(card) < 12 and int(s.columns[column, h - 1 - n]) == card + 1:
        card += 1
        n += 1
    return n


@rule
def gap_mask(s: Any) -> int:
    """The empty columns (SP-10)."""
    mask = 0
    for c in range(COLUMNS):
        if s.height[c] == 0:
            mask |= 1 << c
    return mask


@rule
def gaps(s: Any) -> int:
    """How many columns are empty."""
    return count(gap_mask(s))


@rule
def lying(s: Any) -> int:
    """The number of cards in the columns, that is, neither in the stock nor removed."""
    return 104 - (STOCK - 10 * s.dealt) - 13 * s.removed
