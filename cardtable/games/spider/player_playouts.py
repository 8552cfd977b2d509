"""The choice of the next card to turn up in Spider: the ends of a plan, compared by playouts in sampled worlds.

The candidates are the ends (`player_plans`) with a cost close to the lowest. In each **world**, an order of the unseen
cards, every candidate is continued: its card is turned up, then a narrow beam plans again and the cheapest card is
turned up, until none can be. Then a row is dealt, and so on, up to the set number of rows. A card's column does not
matter before it is turned up, so a world is the order in which cards are seen, the same for all candidates: this
reduces the variance of the differences. The candidate with the least mean cost at the end is chosen. If no card can be
turned up, stock is dealt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.games.spider.player_plans import (
    ANY,
    NO_END,
    PER,
    READY,
    Plans,
    fill_and_write,
    go_to_end,
    look,
    plan,
    write_end,
)
from cardtable.games.spider.solver_beam import SOLVED
from cardtable.games.spider.solver_piles import DOWN, RUN, Piles, beneath, intern, mix
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, RUNS
from cardtable.kernel import Record, field, prng, rule

U = np.uint64
#: candidates are to be compared; moves were found; no card is hidden, so a solver can take over; no moves were found
CHOICE, LINE, OPEN, NOTHING = range(4)
ROOM = 4096  #: piles that a playout may need
GAPS = 2000  #: cost of dealing onto a table with gaps


class PlayoutState(Record):
    """How to choose, and the state of a choice."""

    candidates: int = field()  #: most that are compared
    margin: int = field()  #: most that a candidate may cost above the cheapest
    deal_ends: int = field()  #: tables from which stock may be dealt, among the candidates
    deal_margin: int = field()  #: most that they may cost above the cheapest
    prior: int = field()  #: worlds that the cost of a candidate counts for
    deals: int = field()  #: rows that a playout deals at most
    steps: int = field()  #: most moves of a plan
    narrow_steps: int = field()  #: most moves of a plan in a playout
    to_deal: int = field()  #: cost of an end from which stock is dealt next
    stuck: int = field()  #: cost of an end with neither cards to turn up nor stock
    hidden: int = field()  #: cards face down in the columns
    unseen: int = field()  #: and those in the stock
    remaining: int = field()  #: candidates that are compared still, the best first
    worlds: int = field()  #: in which they were compared
    turned: int = field()  #: cards turned up in a playout
    mark: int = field()  #: piles before any playout


class PlayoutChooser(NamedTuple):
    """The buffers of a choice."""

    choice: Any
    wide: Plans  #: for the moves made
    narrow: Plans  #: for playouts
    ends: NDArray[np.int64]  #: candidates, the cheapest first
    sums: NDArray[np.int64]  #: their costs, over all worlds
    world: NDArray[np.int64]  #: unseen cards, in the order in which a playout sees them; rows are dealt from its end
    first: NDArray[np.int64]  #: unseen cards, in the order in which worlds begin with them


@rule
def begin(c: PlayoutChooser, s: Any) -> int:
    """Plan from a redacted state, and list the candidates. LINE: the moves (`wide.beam.line`) win."""
    h, w = c.choice, c.wide.beam.head
    h.unseen = look(c.wide, s)
    h.hidden = 0
    for k in range(COLUMNS):
        h.hidden += s.down[k]
    if h.hidden == 0 and s.dealt == DEALS:
        return OPEN
    plan(c.wide, h.steps)
    if w.status == SOLVED:
        return LINE
    list_candidates(c)
    if h.remaining:
        c.narrow.beam.head.longest = w.longest
        for i in range(h.remaining):
            c.sums[i] = h.prior * c.wide.cost[c.ends[i]]
        h.worlds = 0
        h.mark = c.wide.beam.piles.made[0]
        return CHOICE
    if s.dealt == DEALS or not fill_and_write(c.wide):
        return NOTHING
    return add_deal(c)


@rule
def list_candidates(c: PlayoutChooser) -> None:
    """Fill `ends`, the cheapest first."""
    h, cost, n, lowest = c.choice, c.wide.cost, 0, NO_END
    for k in range(COLUMNS * PER):
        lowest = min(lowest, cost[k])
    deals = h.deal_ends if c.wide.beam.head.dealt < DEALS else 0
    for k in range(COLUMNS * PER + deals):
        if cost[k] < NO_END and cost[k] <= lowest + (h.margin if k < COLUMNS * PER else h.deal_margin):
            i = n
            while i and cost[c.ends[i - 1]] > cost[k]:
                c.ends[i] = c.ends[i - 1]
                i -= 1
            c.ends[i] = k
            n += 1
    h.remaining = min(n, h.candidates)


@rule
def compare(c: PlayoutChooser, worlds: int, rng: Any) -> None:
    """Play the remaining candidates on in more worlds, and put the best first. rng: four words."""
    h, piles = c.choice, c.wide.beam.piles
    for _ in range(worlds):
        draw_world(c, rng)
        for i in range(h.remaining):
            if piles.made[0] + ROOM > len(piles.piles):
                forget(piles, h.mark)
            c.sums[i] += playout(c, c.ends[i])
    for i in range(1, h.remaining):
        end, total, k = c.ends[i], c.sums[i], i
        while k and c.sums[k - 1] > total:
            c.ends[k], c.sums[k] = c.ends[k - 1], c.sums[k - 1]
            k -= 1
        c.ends[k], c.sums[k] = end, total


@rule
def conclude(c: PlayoutChooser) -> int:
    """Write the moves to the best candidate."""
    write_end(c.wide, c.ends[0])
    return LINE if c.ends[0] < COLUMNS * PER else add_deal(c)


@rule
def add_deal(c: PlayoutChooser) -> int:
    """Add a deal from the stock to the moves."""
    w = c.wide.beam.head
    if w.length >= w.longest:
        return NOTHING
    c.wide.beam.line[w.length] = DEAL
    w.length += 1
    return LINE


@rule
def draw_world(c: PlayoutChooser, rng: Any) -> None:
    """Order the unseen cards at random, except the first one: each of them comes first equally often."""
    h = c.choice
    if h.worlds == 0:
        n = 0
        for card in range(52):
            for _ in range(c.wide.unseen[card]):
                c.world[n] = card
                n += 1
        prng.shuffle(rng, c.world, h.unseen)
        for i in range(h.unseen):
            c.first[i] = c.world[i]
    prng.shuffle(rng, c.world, h.unseen)
    card, at = c.first[h.worlds % h.unseen], 0
    while c.world[at] != card:
        at += 1
    c.world[at], c.world[0] = c.world[0], card
    h.worlds += 1


@rule
def forget(b: Piles, mark: int) -> None:
    """Discard the piles made after `mark`."""
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
def playout(c: PlayoutChooser, end: int) -> int:
    """Play out from an end; return the final cost."""
    h, q = c.choice, c.narrow
    t, status = q.beam.tables[0], q.beam.head
    go_to_end(c.wide, end, t)
    h.turned = 0
    dealt, deals = c.wide.beam.head.dealt, h.deals
    if end >= COLUMNS * PER:
        deal_row(c, t, 0)
        dealt += 1
    hidden = h.hidden - turn_up(c, t)
    status.over_gaps = c.wide.beam.head.over_gaps
    while True:
        status.dealt = dealt
        plan(q, h.narrow_steps)
        if status.status == SOLVED:
            return int(-RUNS * q.beam.piles.weights[RUN] - h.stuck)
        turn = 0
        for k in range(1, COLUMNS):
            if q.cost[k * PER] < q.cost[turn]:
                turn = k * PER
        if q.cost[turn] < NO_END:
            if q.beam.piles.made[0] + ROOM // 8 > len(q.beam.piles.piles):
                return int(q.cost[turn])
            go_to_end(q, turn, t)
            hidden -= turn_up(c, t)
        elif deals and dealt < DEALS:
            go_to_end(q, READY * PER if q.cost[READY * PER] < NO_END else ANY * PER, t)
            deal_row(c, t, dealt - c.wide.beam.head.dealt)
            hidden -= turn_up(c, t)
            dealt += 1
            deals -= 1
        else:
            break
    if dealt < DEALS:
        ready = q.cost[READY * PER] < NO_END
        return int(h.to_deal + (q.cost[READY * PER] if ready else q.cost[ANY * PER] + GAPS))
    return int(q.cost[ANY * PER] + (h.stuck if hidden else -h.stuck))


@rule
def turn_up(c: PlayoutChooser, t: Any) -> int:
    """Turn up what lies open face down; return how many cards."""
    b, n = c.wide.beam.piles, 0
    for k in range(COLUMNS):
        pile = b.piles[t.piles[k]]
        if t.piles[k] and pile.card & DOWN:
            t.piles[k] = intern(b, pile.below, int(c.world[c.choice.turned]))
            c.choice.turned += 1
            n += 1
    return n


@rule
def deal_row(c: PlayoutChooser, t: Any, row: int) -> None:
    """Deal a row of the world's stock on a table; complete runs leave."""
    b, last = c.wide.beam.piles, c.choice.unseen - 1 - COLUMNS * row
    for k in range(COLUMNS):
        t.piles[k] = intern(b, t.piles[k], int(c.world[last - k]))
        if b.piles[t.piles[k]].run == 13:
            t.piles[k] = beneath(b, t.piles[k], 13)
            t.removed += 1
