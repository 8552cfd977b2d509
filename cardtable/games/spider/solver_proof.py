"""An exhaustive search for Spider with all cards known: the shortest way to win, or the proof that there is none.

It goes through all tables that can be reached, breadth first, and compares them exactly, not by their hash keys, so
that "unwinnable" is a proof. That works for endings, and where little can be moved; elsewhere it soon gives up.

Once the stock is used up, tables that differ only in the order of their columns count as one, only the first gap is
filled, and whole columns are not moved into gaps. Before that all legal moves are tried, because the order of the
columns decides on which cards the next ones are dealt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import rank_of
from cardtable.games.spider.solver_piles import Piles, beneath, clear, completes, lay_run, mix, pile_of
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, LONGEST, RUNS, STOCK
from cardtable.kernel import Record, field, rule

U = np.uint64
SEARCHING, WON, NO_WAY, GAVE_UP = range(4)


class ProofState(Record):
    """The state of an exhaustive search."""

    reached: int = field()  #: tables reached
    at: int = field()  #: the next to be expanded
    level: int = field()  #: the first that is one move farther than it
    depth: int = field()  #: moves before it
    longest: int = field()  #: moves that the move cap allows
    over_gaps: int = field()  #: stock is dealt over gaps while fewer cards than this lie in all columns
    status: int = field()
    last: int = field()  #: the table in which all runs are removed


class Reached(Record):
    """A table, and how it was reached."""

    piles: NDArray[np.int64] = field("i8", COLUMNS)
    before: int = field()
    move: int = field()
    dealt: int = field()
    removed: int = field()


class ProofSearch(NamedTuple):
    """The buffers of a search."""

    head: Any
    piles: Piles
    reached: Any  #: row of Reached
    places: NDArray[np.int64]  #: hash table of places in `reached`, plus 1; a power of two, twice as many
    stock: NDArray[np.int64]


@rule
def start(b: ProofSearch, s: Any) -> None:
    """Begin with a state of Spider."""
    h = b.head
    clear(b.piles, U(1))
    b.places[:] = 0
    h.reached = h.at = h.depth = 0
    h.status, h.level = SEARCHING, 1
    h.longest = s.rules.move_cap - s.made
    h.over_gaps = s.rules.deal_when_short
    for i in range(STOCK):
        b.stock[i] = s.stock[i]
    t = b.reached[0]
    for c in range(COLUMNS):
        t.piles[c] = pile_of(b.piles, s, c)
    t.before, t.move, t.dealt, t.removed = -1, 0, s.dealt, s.removed
    add(b)


@rule
def go_on(b: ProofSearch, tables: int) -> int:
    """Expand at most this number of tables; return the status."""
    h = b.head
    while h.status == SEARCHING and tables > 0:
        if h.at == h.level:
            h.level = h.reached
            h.depth += 1
        if h.at == h.reached or h.depth == h.longest:
            h.status = NO_WAY
        else:
            tables -= 1
            expand_all(b, h.at)
            h.at += 1
    return int(h.status)


@rule
def expand_all(b: ProofSearch, i: int) -> None:
    """Generate all tables after another move."""
    t, piles = b.reached[i], b.piles.piles
    lying = gaps = 0
    for c in range(COLUMNS):
        lying += piles[t.piles[c]].height
        gaps += t.piles[c] == 0
    for source in range(COLUMNS):
        pile = piles[t.piles[source]]
        gap_tried = False
        for to in range(COLUMNS):
            on = piles[t.piles[to]]
            if to == source or pile.height == 0:
                continue
            if on.height == 0:
                if t.dealt == DEALS and gap_tried:
                    continue
                gap_tried = True
                for n in range(1, min(pile.run, LONGEST) + 1):
                    if t.dealt < DEALS or n < pile.height:
                        reach(b, i, source, n, to)
            else:
                n = rank_of(on.card) - rank_of(pile.card)
                if 1 <= n <= pile.run:
                    reach(b, i, source, n, to)
    if t.dealt < DEALS and (gaps == 0 or lying < b.head.over_gaps):
        reach_deal(b, i)


@rule
def reach(b: ProofSearch, i: int, source: int, n: int, to: int) -> None:
    """Reach the table after n cards of a column go to another one."""
    h, piles = b.head, b.piles.piles
    if h.status != SEARCHING or not has_room(b):
        return
    new, t = b.reached[h.reached], b.reached[i]
    for c in range(COLUMNS):
        new.piles[c] = t.piles[c]
    card = piles[t.piles[source]].card
    new.removed = t.removed + completes(b.piles, t.piles[to], card, n)
    new.piles[to] = lay_run(b.piles, t.piles[to], card, n)
    new.piles[source] = piles[beneath(b.piles, t.piles[source], n)].turned
    new.before, new.move, new.dealt = i, (source * LONGEST + n - 1) * COLUMNS + to, t.dealt
    add(b)


@rule
def reach_deal(b: ProofSearch, i: int) -> None:
    """Reach the table after a deal."""
    h = b.head
    if h.status != SEARCHING or not has_room(b):
        return
    new, t = b.reached[h.reached], b.reached[i]
    new.removed = t.removed
    for c in range(COLUMNS):
        card = b.stock[COLUMNS * t.dealt + c]
        new.removed += completes(b.piles, t.piles[c], card, 1)
        new.piles[c] = lay_run(b.piles, t.piles[c], card, 1)
    new.before, new.move, new.dealt = i, DEAL, t.dealt + 1
    add(b)


@rule
def has_room(b: ProofSearch) -> bool:
    """Whether there is room for another table and its piles; otherwise the search gives up."""
    if b.head.reached < len(b.reached) and b.piles.made[0] + 32 < len(b.piles.piles):
        return True
    b.head.status = GAVE_UP
    return False


@rule
def add(b: ProofSearch) -> None:
    """Count the table after the last one as reached, unless it was before."""
    h = b.head
    t = b.reached[h.reached]
    last = len(b.places) - 1
    key = U(t.dealt)
    for c in range(COLUMNS):
        key += mix(b.piles.piles[t.piles[c]].key + (U(0) if t.dealt == DEALS else U(c)))
    at = np.int64(mix(key) & U(last))
    while b.places[at]:
        if same(b.reached[b.places[at] - 1], t):
            return
        at = (at + 1) & last
    h.reached += 1
    b.places[at] = h.reached
    if t.removed == RUNS:
        h.status, h.last = WON, h.reached - 1


@rule
def same(t: Any, other: Any) -> bool:
    """Whether two tables are equal; once the stock is used up, the order of the columns does not count."""
    if t.dealt != other.dealt:
        return False
    alike = True
    for c in range(COLUMNS):
        alike = alike and t.piles[c] == other.piles[c]
    if alike or t.dealt < DEALS:
        return alike
    for c in range(COLUMNS):
        more = 0
        for d in range(COLUMNS):
            more += int(t.piles[d] == t.piles[c]) - int(other.piles[d] == t.piles[c])
        if more:
            return False
    return True


def room(most: int, piles: Piles) -> ProofSearch:
    """Room for at most `most` tables, a power of two."""
    places, stock = np.zeros(2 * most, np.int64), np.zeros(STOCK, np.int64)
    return ProofSearch(ProofState.new(), piles, Reached.row(most), places, stock)


def line_of(b: ProofSearch) -> tuple[int, ...]:
    """The moves to the table in which all runs are removed."""
    moves: list[int] = []
    at = int(b.head.last)
    while at > 0:
        moves.append(int(b.reached[at].move))
        at = int(b.reached[at].before)
    return tuple(reversed(moves))
