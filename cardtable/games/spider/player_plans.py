"""A player's plans in Spider: lines of moves up to the next card turned up or to a deal.

A plan begins with a table as the player sees it. A beam over moves looks for the best **ends**: for each column the
cheapest table in which a move turns up its card, the cheapest from which stock may be dealt, and the cheapest
of all. Piles, their costs and the beam are the solver's (`solver_piles`, `solver_beam`); face-down cards are unknown
ones, all alike. A card that a move turns up has the average cost of the unseen cards there.

With `rank`, a table in which the cards at the ends of the other columns have many ranks costs less: more cards can go
to them, and they to more cards, for any card turned up.

The order of the columns does not count. Costs have the weights of `player_weights.json`, which were tuned for play
that does not know the hidden cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import rank_of
from cardtable.games.spider import solver_beam
from cardtable.games.spider.solver_beam import (
    LONGEST_LINE,
    NO_MOVE,
    RUNNING,
    SLOT_BITS,
    SOLVED,
    Beam,
    BeamState,
    fill_gaps,
    keep,
    known,
    list_ends,
    make_move,
    place_for,
    solved,
    write_line,
)
from cardtable.games.spider.solver_piles import (
    DOWN,
    HIDDEN,
    HIDES,
    HIDING,
    NO_CARD,
    NO_LOW,
    NONEMPTY,
    POWERS,
    RUN,
    RUN_KEYS,
    Piles,
    beneath,
    clear,
    completes,
    cost_of_run,
    cost_on,
    intern,
    key_in,
)
from cardtable.games.spider.state import COLUMNS, DEALS, HEIGHT, LONGEST, RUNS
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

U = np.uint64
UNKNOWN = DOWN + NO_CARD  #: a card that lies face down, any of those unseen
READY, ANY = COLUMNS, COLUMNS + 1  #: ends other than those of the columns: stock may be dealt, and any table
PER = 4  #: most ends that are kept for a column
ENDS = COLUMNS + 2
SLOTS = ENDS * PER  #: ends, those of each kind by ascending cost
NO_END = 1 << 50  #: cost of an end that does not exist


class Plans(NamedTuple):
    """The buffers of a plan."""

    beam: Beam  #: its `starts` are the tables of the ends, before the last move
    per: NDArray[np.int64]  #: one number: ends kept for a column
    rank: NDArray[np.int64]  #: one number: cost of each rank of the end cards, once a card is turned up
    cost: NDArray[np.int64]  #: of each end
    key: NDArray[np.uint64]  #: of its table
    last: NDArray[np.int64]  #: the last move of each end, which turns up a card, or NO_MOVE
    expected: NDArray[np.int64]  #: by height: cost of a pile of unknown cards once the last one is turned up
    unseen: NDArray[np.int64]  #: how many of each card are face down or in the stock


@rule
def look(p: Plans, s: Any) -> int:
    """Take a redacted state in as the first table; return how many cards are unseen."""
    b, h, piles = p.beam, p.beam.head, p.beam.piles
    clear(piles, U(1))
    h.dealt, h.over_gaps = s.dealt, s.rules.deal_when_short
    h.longest = min(s.rules.move_cap - s.made, LONGEST_LINE)
    for card in range(52):
        p.unseen[card] = RUNS // s.rules.suits if card < 13 * s.rules.suits else 0
    for i in range(s.removed):
        for rank in range(13):
            p.unseen[13 * s.heap[i] + rank] -= 1
    first = b.tables[0]
    for c in range(COLUMNS):
        pile = bury(piles, s.down[c])
        for i in range(s.down[c], s.height[c]):
            pile = intern(piles, pile, int(s.columns[c, i]))
            p.unseen[int(s.columns[c, i])] -= 1
        first.piles[c] = pile
    first.removed, first.depth = s.removed, 0
    unseen = 0
    for card in range(52):
        unseen += p.unseen[card]
    expect(p, unseen)
    return int(unseen)


@rule
def bury(b: Piles, n: int) -> int:
    """The pile of n unknown cards."""
    pile = 0
    for k in range(n):
        pile = intern(b, pile, UNKNOWN)
        made = b.piles[pile]
        made.turned, made.lows = pile, NO_LOW | HIDING
        made.cost = b.weights[NONEMPTY] + b.weights[HIDES] + (k + 1) * b.weights[HIDDEN]
    return pile


@rule
def expect(p: Plans, unseen: int) -> None:
    """Fill `expected`."""
    piles = p.beam.piles
    pile, most = 0, 0
    for c in range(COLUMNS):
        at = p.beam.tables[0].piles[c]
        while at:
            if piles.piles[at].card & DOWN:
                most = max(most, piles.piles[at].height)
                at = 0
            else:
                at = piles.piles[at].below
    for height in range(1, most + 1):
        cost = 0
        for card in range(52):
            if p.unseen[card]:
                cost += p.unseen[card] * cost_on(piles, pile, card)
        p.expected[height] = piles.piles[pile].cost + cost // max(1, unseen)
        pile = bury(piles, height)


@rule
def plan(p: Plans, steps: int) -> None:
    """Look for the ends of at most `steps` moves from the first table on. If a line wins, `beam.line` is that line."""
    b, h = p.beam, p.beam.head
    h.status, h.side, h.current, h.logged, h.keys = RUNNING, 0, 1, 1, 0
    h.clock += 1
    h.floor = 2 * h.clock
    weigh_table(b, b.tables[0])
    for k in range(SLOTS):
        p.cost[k] = NO_END
    for step in range(steps + 1):
        h.clock += 1
        h.candidates = 0
        for i in range(h.current):
            end_here(p, b.tables[h.side * h.width + i])
            if step < steps:
                expand(p, h.side * h.width + i)
        if h.status == RUNNING and h.candidates:
            keep(b)
        if h.status != RUNNING or h.candidates == 0:
            break


@rule
def weigh_table(b: Beam, t: Any) -> None:
    """The cost and the key of a table that begins a plan."""
    t.cost, t.log = -t.removed * b.piles.weights[RUN], 0
    key = U(0)
    for c in range(COLUMNS):
        if t.piles[c]:
            t.cost += b.piles.piles[t.piles[c]].cost
            key += key_in(b.piles.piles[t.piles[c]].key, c, False)
    t.key = key


@rule
def end_here(p: Plans, t: Any) -> None:
    """Take a table for the ends that need no further move."""
    if t.cost < p.cost[ANY * PER]:
        take_end(p, ANY, t, t.cost, NO_MOVE, t.key)
    if t.cost < p.cost[READY * PER + p.per[0] - 1]:
        if lying(p.beam.head, t.removed) >= p.beam.head.over_gaps:
            for c in range(COLUMNS):
                if t.piles[c] == 0:
                    return
        take_end(p, READY, t, t.cost, NO_MOVE, t.key)


@rule
def take_end(p: Plans, kind: int, t: Any, cost: int, move: int, key: Any) -> None:
    """Keep an end among the best of its kind."""
    first = kind * PER
    last = first + p.per[0] - 1
    for i in range(first, last + 1):
        if p.key[i] == key and p.cost[i] < NO_END:
            return
    i = last
    while i > first and p.cost[i - 1] > cost:
        p.cost[i], p.last[i], p.key[i] = p.cost[i - 1], p.last[i - 1], p.key[i - 1]
        p.beam.starts[i] = p.beam.starts[i - 1]
        i -= 1
    p.cost[i], p.last[i], p.key[i] = cost, move, key
    p.beam.starts[i] = t


@rule
def expand(p: Plans, i: int) -> None:
    """Consider all moves of cards from a table."""
    b, h = p.beam, p.beam.head
    t, piles = b.tables[i], b.piles.piles
    h.expanded += 1
    if t.depth >= h.longest or h.status != RUNNING:
        return
    gap = list_ends(b, t)
    for c in range(COLUMNS):
        pile = piles[t.piles[c]]
        if pile.height == 0:
            continue
        rank = rank_of(pile.card)
        under = t.piles[c]
        for n in range(1, pile.run + 1):
            under = piles[under].below
            to = b.ranks[rank + n]
            if gap >= 0 and under:
                to |= 1 << gap
            if to:
                cost = t.cost - pile.cost + piles[under].cost
                key = t.key - key_in(pile.key, c, False)
                if under:
                    key += key_in(piles[under].key, c, False)
                while to:
                    offer(p, i, c, n, under, lowest(to), cost, key)
                    to &= to - 1


@rule
def offer(p: Plans, i: int, source: int, n: int, under: int, to: int, cost: int, key: Any) -> None:
    """Keep the table after a move if it is among the best; if the move turns up a card, the table is an end.

    under: what remains of the column. cost, key: without the column that the cards go to.
    """
    b, h = p.beam, p.beam.head
    t, piles = b.tables[i], b.piles.piles
    on, card = piles[t.piles[to]], piles[t.piles[source]].card
    move = (source * LONGEST + n - 1) * COLUMNS + to
    complete, after = completes(b.piles, t.piles[to], card, n), 0
    if complete:
        if never_deals(h, t.removed + 1):
            return
        after = beneath(b.piles, t.piles[to], on.run)
        cost += piles[after].cost - on.cost - b.piles.weights[RUN]
        if t.removed + 1 == RUNS and h.status != SOLVED:
            solved(b, t.log, move)
    else:
        cost += cost_of_run(b.piles, t.piles[to], card, n)
    shown = COLUMNS
    if complete and piles[after].card & DOWN:
        shown = to
        cost += p.expected[piles[after].height] - piles[after].cost
    if piles[under].card & DOWN:
        shown = source
        cost += p.expected[piles[under].height] - piles[under].cost
    if shown < COLUMNS:
        last = after if complete else t.piles[source]
        cost += p.rank[0] * end_ranks(b, t, source, under, to, last)
        if cost >= p.cost[shown * PER + p.per[0] - 1]:
            return
    elif h.candidates == h.width and cost >= b.heap[0] >> SLOT_BITS:
        return
    if on.height:
        key -= key_in(on.key, to, False)
    if not complete:
        key += key_in(on.key * POWERS[n] + RUN_KEYS[card, n], to, False)
    elif after:
        key += key_in(piles[after].key, to, False)
    if shown < COLUMNS:
        take_end(p, shown, t, cost, move, key)
        return
    if known(b, key):
        return
    slot = place_for(b.heap, cost, h.candidates, h.width)
    if slot < 0:
        return
    if h.candidates < h.width:
        h.candidates += 1
    new = b.candidates[slot]
    new.source, new.move, new.key, new.cost = i, move, key, cost


@rule
def end_ranks(b: Beam, t: Any, source: int, under: int, to: int, last: int) -> int:
    """How many ranks the known cards at the ends of the columns have after a move.

    under: the pile that remains in the column that cards come from. last: one with the end card of the column that they
    go to.
    """
    piles, ranks = b.piles.piles, 0
    for c in range(COLUMNS):
        pile = under if c == source else last if c == to else t.piles[c]
        if pile and piles[pile].card & DOWN == 0:
            ranks |= 1 << rank_of(piles[pile].card)
    return count(ranks)


@rule
def never_deals(h: BeamState, removed: int) -> bool:
    """Whether, once this number of runs is removed, stock remains that cannot be dealt: too few cards lie."""
    return lying(h, removed) < COLUMNS and h.dealt < DEALS and lying(h, removed) >= h.over_gaps


@rule
def lying(h: BeamState, removed: int) -> int:
    """The number of cards in the columns once this number of runs is removed."""
    return 54 + COLUMNS * h.dealt - 13 * removed


@rule
def go_to_end(p: Plans, end: int, t: Any) -> None:
    """Set a table to that of an end, its last move made, the card turned up still unknown."""
    for c in range(COLUMNS):
        t.piles[c] = p.beam.starts[end].piles[c]
    t.removed, t.depth = p.beam.starts[end].removed, p.beam.starts[end].depth
    if p.last[end] != NO_MOVE:
        make_move(p.beam, t, p.last[end])
        t.depth += 1


@rule
def write_end(p: Plans, end: int) -> None:
    """Write the moves to an end."""
    write_line(p.beam, p.beam.starts[end].log, p.last[end])


@rule
def fill_and_write(p: Plans) -> bool:
    """Write the moves to a table from which stock may be dealt; False: none was found."""
    b = p.beam
    end = READY * PER if p.cost[READY * PER] < NO_END else ANY * PER
    write_end(p, end)
    if end == ANY * PER:
        b.trial[0] = b.starts[ANY * PER]
        fills = fill_gaps(b, b.trial[0])
        if fills < 0:
            return False
        for k in range(fills):
            b.line[b.head.length] = b.fills[k]
            b.head.length += 1
    return True


def room(width: int, steps: int, piles: Piles) -> Plans:
    """Room for plans of this width and at most this number of steps."""
    keys = 1 << max(10, (64 * width * 2 - 1).bit_length())
    return Plans(
        solver_beam.room(width, SLOTS, piles, keys, width * (steps + 1) + 2),
        np.ones(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(SLOTS, np.int64),
        np.zeros(SLOTS, np.uint64),
        np.zeros(SLOTS, np.int64),
        np.zeros(HEIGHT + 1, np.int64),
        np.zeros(52, np.int64),
    )
