"""Which card a player of Spider turns up next: the ends of a plan, compared by playouts in sampled worlds.

The candidates are the columns whose end (`player_plans`) costs little more than the cheapest. In each **world**, an
order of the unseen cards, every candidate is played on: its card is turned up, then a narrow beam plans again and the
cheapest card is turned up, until none can be; a row is dealt, and so on until nothing more can be turned up. The
worlds are the same for all candidates, so that luck has little part in the differences between them. The candidate with the least mean cost at the end is chosen. If no card can be turned
up, stock is dealt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.games.spider.player_plans import (
    ANY,
    FULL_ROW,
    NO_END,
    Plans,
    fill_and_write,
    go_to_end,
    look,
    plan,
    write_line,
)
from cardtable.games.spider.solver_beam import DEALS, SOLVED
from cardtable.games.spider.solver_piles import DOWN, RUN, Piles, beneath, intern, mix
from cardtable.games.spider.state import COLUMNS, DEAL, RUNS
from cardtable.kernel import Record, field, prng, rule

U = np.uint64
LINE, OPEN, NOTHING = range(3)  #: moves were found; no card is hidden, so a solver can take over; no moves were found
ROOM = 4096  #: piles that a playout may need
GAPS = 2000  #: cost of dealing onto a table with gaps


class Choice(Record):
    """How to choose, and the state of a choice."""

    worlds: int = field()  #: 0: the cheapest end is chosen, without playouts
    candidates: int = field()  #: most that are compared
    margin: int = field()  #: most that a candidate may cost above the cheapest
    deals: int = field()  #: rows that a playout deals at most
    steps: int = field()  #: most moves of a plan
    narrow_steps: int = field()  #: most moves of a plan in a playout
    to_deal: int = field()  #: cost of an end from which stock is dealt next
    stuck: int = field()  #: cost of an end with neither cards to turn up nor stock
    hidden: int = field()  #: cards face down in the columns
    unseen: int = field()  #: and those in the stock


class Chooser(NamedTuple):
    """What a choice works on."""

    choice: Any
    wide: Plans  #: for the moves that are made
    narrow: Plans  #: for playouts
    ends: NDArray[np.int64]  #: candidates, the cheapest first
    sums: NDArray[np.int64]  #: their costs, over all worlds
    world: NDArray[np.int64]  #: unseen cards: those in the columns, then the stock
    base: NDArray[np.int64]  #: where in the world the cards of each column begin


@rule
def decide(c: Chooser, s: Any, rng: Any) -> int:
    """Choose a line of moves from a redacted state: to the next card turned up, a deal or the end (`wide.beam.line`).
    rng: four words.
    """
    h, w = c.choice, c.wide.beam.head
    h.unseen = look(c.wide, s)
    h.hidden = 0
    for k in range(COLUMNS):
        c.base[k] = h.hidden
        h.hidden += s.down[k]
    if h.hidden == 0 and s.dealt == DEALS:
        return OPEN
    plan(c.wide, h.steps)
    if w.status == SOLVED:
        return LINE
    n = list_candidates(c)
    if n:
        write_line(c.wide, c.ends[best_of(c, n, rng)])
        return LINE
    if s.dealt == DEALS or not fill_and_write(c.wide) or w.length >= w.longest:
        return NOTHING
    c.wide.beam.line[w.length] = DEAL
    w.length += 1
    return LINE


@rule
def list_candidates(c: Chooser) -> int:
    """Fill `ends`; return how many."""
    cost, n = c.wide.cost, 0
    for k in range(COLUMNS):
        if cost[k] < NO_END:
            i = n
            while i and cost[c.ends[i - 1]] > cost[k]:
                c.ends[i] = c.ends[i - 1]
                i -= 1
            c.ends[i] = k
            n += 1
    n = min(n, c.choice.candidates)
    while n and cost[c.ends[n - 1]] > cost[c.ends[0]] + c.choice.margin:
        n -= 1
    return n


@rule
def best_of(c: Chooser, n: int, rng: Any) -> int:
    """The best of n candidates."""
    h, piles = c.choice, c.wide.beam.piles
    if n == 1 or h.worlds == 0:
        return 0
    c.narrow.beam.head.longest = c.wide.beam.head.longest
    list_unseen(c)
    c.sums[:n] = 0
    mark = piles.made[0]
    for k in range(h.worlds):
        prng.shuffle(rng, c.world, h.unseen)
        for i in range(n):
            if piles.made[0] + ROOM > len(piles.piles):
                forget(piles, mark)
            c.sums[i] += playout(c, c.ends[i])
    best = 0
    for i in range(1, n):
        if c.sums[i] < c.sums[best]:
            best = i
    return best


@rule
def list_unseen(c: Chooser) -> None:
    """List the unseen cards."""
    n = 0
    for card in range(52):
        for _ in range(c.wide.unseen[card]):
            c.world[n] = card
            n += 1


@rule
def forget(b: Piles, mark: int) -> None:
    """Forget the piles that were made after `mark` of them."""
    b.places[:] = 0
    b.made[0] = mark
    last = len(b.places) - 1
    for i in range(1, mark):
        pile = b.piles[i]
        at = np.int64(mix(U(pile.below * 128 + pile.card + 1)) & U(last))
        while b.places[at]:
            at = (at + 1) & last
        b.places[at] = i


@rule
def playout(c: Chooser, end: int) -> int:
    """Play on from an end; return the cost at which that comes to its end."""
    h, q = c.choice, c.narrow
    t, status = q.beam.tables[0], q.beam.head
    go_to_end(c.wide, end, t)
    hidden = h.hidden - turn_up(c, t)
    dealt, left = c.wide.beam.head.dealt, h.deals
    while True:
        plan(q, h.narrow_steps)
        if status.status == SOLVED:
            return int(-RUNS * q.beam.piles.weights[RUN] - h.stuck)
        turn = 0
        for k in range(1, COLUMNS):
            if q.cost[k] < q.cost[turn]:
                turn = k
        if q.cost[turn] < NO_END:
            if q.beam.piles.made[0] + ROOM // 8 > len(q.beam.piles.piles):
                return int(q.cost[turn])
            go_to_end(q, turn, t)
            hidden -= turn_up(c, t)
        elif left and dealt < DEALS:
            go_to_end(q, FULL_ROW if q.cost[FULL_ROW] < NO_END else ANY, t)
            deal_row(c, t, dealt - c.wide.beam.head.dealt)
            hidden -= turn_up(c, t)
            dealt += 1
            left -= 1
        else:
            break
    if dealt < DEALS:
        full = q.cost[FULL_ROW] < NO_END
        return int(h.to_deal + (q.cost[FULL_ROW] if full else q.cost[ANY] + GAPS))
    return int(q.cost[ANY] + (h.stuck if hidden else -h.stuck))


@rule
def turn_up(c: Chooser, t: Any) -> int:
    """Turn up what lies open face down; return how many cards."""
    b, n = c.wide.beam.piles, 0
    for k in range(COLUMNS):
        pile = b.piles[t.piles[k]]
        if t.piles[k] and pile.card & DOWN:
            t.piles[k] = intern(b, pile.below, int(c.world[c.base[k] + pile.height - 1]))
            n += 1
    return n


@rule
def deal_row(c: Chooser, t: Any, row: int) -> None:
    """Deal a row of the world's stock on a table; complete runs leave."""
    b, first = c.wide.beam.piles, c.choice.hidden + COLUMNS * row
    for k in range(COLUMNS):
        t.piles[k] = intern(b, t.piles[k], int(c.world[first + k]))
        if b.piles[t.piles[k]].run == 13:
            t.piles[k] = beneath(b, t.piles[k], 13)
            t.removed += 1
