"""A staged beam search for Spider with all cards known.

A **stage** is the play between two deals from the stock. Within one, all tables have the same number of moves from its
beginning, and of their successors the `width` cheapest are kept (a *beam*). Each of these tables is also completed, for
the next stage: its gaps are filled as cheaply as possible, unless stock may be dealt over them, and ten cards are
dealt; the `width` cheapest of these begin the next stage. A stage ends when a few steps in a row have found no better
deal. After the first run of a ladder (`solver`) costs are blurred with noise that follows from the table's key, so each
run tries different tables.

The **cost** of a table is the cost of its piles (`solver_piles`), reduced for each run removed, plus terms for the
ends of its columns and its gaps: negative for each rank among the end cards, for two adjacent ranks and for the first
gap; positive for an ace or a king at an end and for each gap from the third on.

Without loss, only the first of several gaps is filled, and a whole column is never moved into one. From `SYMMETRIC`
rows dealt on, tables that differ only in the order of their columns count as one.

A run proceeds in portions (`advance`), so that its caller can check the time. It never fails for lack of room: when a
table is full, the run ends without a result.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import rank_of
from cardtable.games.spider.solver_piles import (
    END_ACE,
    END_KING,
    END_PAIR,
    END_RANK,
    GAP,
    KING,
    MORE_GAPS,
    POWERS,
    RUN,
    RUN_KEYS,
    STEP,
    Piles,
    beneath,
    clear,
    completes,
    cost_of_run,
    cost_on,
    key_in,
    lay_run,
    noise_of,
    pile_of,
)
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, LONGEST, RUNS, STOCK, way_of
from cardtable.kernel import Record, field, rule
from cardtable.kernel.bits import count, lowest

U = np.uint64
RUNNING, SOLVED, NOTHING, FULL = range(4)
STEPS = 100  #: most steps of a stage
SYMMETRIC = 4  #: rows dealt from which on the order of the columns counts no more
LONGEST_LINE = (DEALS + 1) * (STEPS + COLUMNS + 1)  #: moves of a run at most
SLOT_BITS = 16
SLOTS = (1 << SLOT_BITS) - 1
MOVES = DEAL + 1
NO_MOVE = -1
DEALT = U(0xA24BAED4963EE407)  #: distinguishes a table after its deal from one before


class BeamState(Record):
    """The state of a run."""

    status: int = field()
    width: int = field()
    noise: int = field()  #: most that is added to a cost
    patience: int = field()  #: a stage ends after more steps than this without a better deal
    dealt: int = field()  #: rows dealt: the stage
    step: int = field()  #: of the stage
    quiet: int = field()  #: steps without a better deal
    side: int = field()  #: which half of `tables` is current
    current: int = field()  #: tables there
    candidates: int = field()  #: the next step's tables so far
    starts: int = field()  #: the next stage's tables so far
    clock: int = field()  #: steps of all runs
    floor: int = field()  #: `keys` with an earlier stamp are forgotten
    keys: int = field()  #: entries since
    logged: int = field()
    longest: int = field()  #: moves that the move cap allows
    over_gaps: int = field()  #: stock is dealt over gaps while fewer cards than this lie in all columns
    ends: int = field()  #: of the table that is expanded: ranks of the end cards of its columns, a bit each
    gaps: int = field()  #: and its empty columns
    expanded: int = field()  #: tables expanded, over all runs
    length: int = field()  #: of the solution in `line`


class BeamTable(Record):
    """A table that is kept."""

    piles: NDArray[np.int64] = field("i8", COLUMNS)
    key: NDArray[np.uint64] = field("u8")
    cost: int = field()  #: without noise
    log: int = field()  #: how it came about
    removed: int = field()
    depth: int = field()  #: moves and deals before it


class Candidate(Record):
    """A table that may be kept: a move from one that was."""

    source: int = field()
    move: int = field()
    key: NDArray[np.uint64] = field("u8")
    cost: int = field()


class TableKey(Record):
    """A key in the hash table of those met in a stage."""

    key: NDArray[np.uint64] = field("u8")
    stamp: int = field()  #: twice the step in which it was met last; odd: its table was kept


class Beam(NamedTuple):
    """The buffers of a run."""

    head: Any
    piles: Piles
    tables: Any  #: 2 width: the current ones, and the next
    starts: Any  #: width: the next stage's
    trial: Any  #: 1: a table whose deal is tried
    candidates: Any  #: width
    heap: NDArray[np.int64]  #: costs with noise and places of `candidates`, the dearest first
    deal_heap: NDArray[np.int64]  #: the same of `starts`
    keys: Any  #: row of TableKey, a power of two
    log: NDArray[np.int64]  #: moves, each with the place of the one before it times MOVES
    line: NDArray[np.int64]  #: the solution
    stock: NDArray[np.int64]
    ranks: NDArray[np.int64]  #: for each rank, the columns that end with it
    fills: NDArray[np.int64]  #: moves that fill gaps before a deal


@rule
def begin(b: Beam, s: Any, salt: Any) -> None:
    """Begin a run from a state of Spider. salt: other noise."""
    h = b.head
    clear(b.piles, salt)
    h.status, h.dealt, h.step, h.quiet, h.side, h.current = RUNNING, s.dealt, 0, 0, 0, 1
    h.candidates = h.starts = h.keys = h.length = 0
    h.clock += 1
    h.floor = 2 * h.clock
    h.logged = 1
    h.longest = min(s.rules.move_cap - s.made, LONGEST_LINE)
    h.over_gaps = s.rules.deal_when_short
    for i in range(STOCK):
        b.stock[i] = s.stock[i]
    first = b.tables[0]
    first.cost = 0
    for c in range(COLUMNS):
        first.piles[c] = pile_of(b.piles, s, c)
        first.cost += b.piles.piles[first.piles[c]].cost
    list_ends(b, first)
    first.cost += cost_of_ends(b.piles.weights, h.ends, h.gaps)
    first.log = first.depth = 0
    first.removed = s.removed
    first.key = table_key(b, first)


@rule
def table_key(b: Beam, t: Any) -> Any:
    """The key of a table; empty columns add nothing."""
    key, ordered = U(0), b.head.dealt < SYMMETRIC
    for c in range(COLUMNS):
        if t.piles[c]:
            key += key_in(b.piles.piles[t.piles[c]].key, c, ordered)
    return key


@rule
def advance(b: Beam, tables: int) -> int:
    """Take the run on until about this number of tables is expanded, or until it ends; return its status."""
    h = b.head
    until = h.expanded + tables
    while h.status == RUNNING and h.expanded < until:
        h.clock += 1
        h.step += 1
        if h.dealt < DEALS:
            h.quiet = 0 if try_deals(b) else h.quiet + 1
        if h.status != RUNNING:
            break
        if h.current == 0 or h.step > STEPS or (h.dealt < DEALS and h.quiet > h.patience):
            next_stage(b)
        else:
            h.candidates = 0
            for i in range(h.current):
                expand(b, h.side * h.width + i)
            if h.status == RUNNING:
                keep(b)
    return int(h.status)


# Expanding


@rule
def expand(b: Beam, i: int) -> None:
    """Consider all moves of cards from a table."""
    h, t, piles = b.head, b.tables[i], b.piles.piles
    h.expanded += 1
    if t.depth >= h.longest:
        return
    gap = list_ends(b, t)
    rest = t.cost - cost_of_ends(b.piles.weights, h.ends, h.gaps)
    ordered = h.dealt < SYMMETRIC
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
                remains = piles[piles[under].turned]
                cost = rest - pile.cost + remains.cost
                key = t.key - key_in(pile.key, c, ordered)
                if under:
                    key += key_in(remains.key, c, ordered)
                while to:
                    offer(b, i, c, n, lowest(to), cost, key, piles[under].turned)
                    to &= to - 1


@rule
def list_ends(b: Beam, t: Any) -> int:
    """Fill `ranks`; return the first gap, or -1."""
    gap = -1
    for rank in range(14):
        b.ranks[rank] = 0
    b.head.ends = b.head.gaps = 0
    for c in range(COLUMNS):
        if t.piles[c]:
            rank = rank_of(b.piles.piles[t.piles[c]].card)
            b.ranks[rank] |= 1 << c
            b.head.ends |= 1 << rank
        else:
            b.head.gaps += 1
            if gap < 0:
                gap = c
    return gap


@rule
def cost_of_ends(w: Any, ends: int, gaps: int) -> int:
    """The cost of the ends of the columns and of the gaps. ends: ranks of end cards, a bit each."""
    cost = w[END_RANK] * count(ends) + w[END_PAIR] * count(ends & ends >> 1)
    cost += w[END_ACE] * (ends & 1) + w[END_KING] * (ends >> KING & 1)
    if gaps:
        cost += w[GAP] + w[MORE_GAPS] * max(gaps - 2, 0)
    return int(cost)


@rule
def cost_of_new_ends(b: Beam, t: Any, source: int, remains: int, to: int, last: int) -> int:
    """The cost of the ends of the columns and of the gaps after a move.

    remains: the pile that remains in the source column. last: one with the end card of the target column.
    """
    h, piles = b.head, b.piles.piles
    ends, gaps = h.ends, h.gaps
    for c in (source, to):
        if t.piles[c]:
            rank = rank_of(piles[t.piles[c]].card)
            if b.ranks[rank] == 1 << c:
                ends &= ~(1 << rank)
        else:
            gaps -= 1
    for pile in (remains, last):
        if pile:
            ends |= 1 << rank_of(piles[pile].card)
        else:
            gaps += 1
    return cost_of_ends(b.piles.weights, ends, gaps)


@rule
def offer(b: Beam, i: int, source: int, n: int, to: int, cost: int, key: Any, remains: int) -> None:
    """Keep the table after a move if it is among the best. cost, key: without the column that the cards go to, and the
    cost without the ends. remains: the pile that remains in the column that they come from.
    """
    h, t, piles = b.head, b.tables[i], b.piles.piles
    on, card = piles[t.piles[to]], piles[t.piles[source]].card
    complete = completes(b.piles, t.piles[to], card, n)
    after, last = piles[0], t.piles[source]
    if complete:
        last = piles[beneath(b.piles, t.piles[to], on.run)].turned
        after = piles[last]
        cost += after.cost - on.cost - b.piles.weights[RUN]
        if t.removed + 1 == RUNS:
            solved(b, t.log, (source * LONGEST + n - 1) * COLUMNS + to)
    else:
        cost += cost_of_run(b.piles, t.piles[to], card, n)
    cost += cost_of_new_ends(b, t, source, remains, to, last)
    if h.status == SOLVED or (h.candidates == h.width and cost >= b.heap[0] >> SLOT_BITS):
        return
    ordered = h.dealt < SYMMETRIC
    if on.height:
        key -= key_in(on.key, to, ordered)
    if not complete:
        key += key_in(on.key * POWERS[n] + RUN_KEYS[card, n], to, ordered)
    elif after.height:
        key += key_in(after.key, to, ordered)
    if known(b, key):
        return
    noisy = cost + noise_of(h.noise, key)
    slot = place_for(b.heap, noisy, h.candidates, h.width)
    if slot < 0:
        return
    if h.candidates < h.width:
        h.candidates += 1
    new = b.candidates[slot]
    new.source, new.move, new.key, new.cost = i, (source * LONGEST + n - 1) * COLUMNS + to, key, cost


@rule
def known(b: Beam, key: Any) -> bool:
    """Whether a table was kept in this stage or has been met in this step; from now on it has been."""
    h = b.head
    entry = b.keys[find(b, key)]
    if entry.stamp >= h.floor:
        if entry.stamp & 1 or entry.stamp == 2 * h.clock:
            return True
    else:
        h.keys += 1
        if 4 * h.keys > 3 * len(b.keys):  # forget what earlier steps have met
            h.floor, h.keys = 2 * h.clock, len(b.keys) // 4
    entry.key, entry.stamp = key, 2 * h.clock
    return False


@rule
def find(b: Beam, key: Any) -> int:
    """Where a key is in `keys`, or the free entry for it."""
    last = len(b.keys) - 1
    at = np.int64(key & U(last))
    while b.keys[at].stamp >= b.head.floor and b.keys[at].key != key:
        at = (at + 1) & last
    return int(at)


@rule
def place_for(heap: Any, cost: int, n: int, width: int) -> int:
    """The place of a new entry in a heap of n, which may take the dearest one's; -1: it is too dear."""
    if n < width:
        sift_up(heap, n, cost << SLOT_BITS | n)
        return n
    if cost >= heap[0] >> SLOT_BITS:
        return -1
    slot = heap[0] & SLOTS
    sift_down(heap, n, cost << SLOT_BITS | slot)
    return int(slot)


@rule
def sift_up(heap: Any, i: int, item: int) -> None:
    """Put an item at the end of a heap of i, the greatest first."""
    while i:
        k = (i - 1) >> 1
        if heap[k] >= item:
            break
        heap[i] = heap[k]
        i = k
    heap[i] = item


@rule
def sift_down(heap: Any, n: int, item: int) -> None:
    """Replace the first item of a heap of n."""
    i = 0
    while True:
        k = 2 * i + 1
        if k >= n:
            break
        if k + 1 < n and heap[k + 1] > heap[k]:
            k += 1
        if heap[k] <= item:
            break
        heap[i] = heap[k]
        i = k
    heap[i] = item


# Keeping


@rule
def keep(b: Beam) -> None:
    """Make the candidates the current tables."""
    h = b.head
    other = (1 - h.side) * h.width
    for x in range(h.candidates):
        new = b.candidates[x]
        b.tables[other + x] = b.tables[new.source]
        t = b.tables[other + x]
        make_move(b, t, new.move)
        t.key, t.cost = new.key, new.cost
        entry = b.keys[find(b, new.key)]
        entry.key, entry.stamp = new.key, 2 * h.clock + 1
        if not log_move(b, t, new.move):
            return
    h.side = 1 - h.side
    h.current = h.candidates


@rule
def make_move(b: Beam, t: Any, move: int) -> None:
    """Change the piles of a table, and count the runs removed."""
    piles = b.piles.piles
    source, n, to = way_of(move)
    card = piles[t.piles[source]].card
    t.removed += completes(b.piles, t.piles[to], card, n)
    t.piles[to] = lay_run(b.piles, t.piles[to], card, n)
    t.piles[source] = piles[beneath(b.piles, t.piles[source], n)].turned


@rule
def log_move(b: Beam, t: Any, move: int) -> bool:
    """Note how a table came about. False: there is no room left, and the run ends."""
    h = b.head
    if h.logged == len(b.log) or b.piles.made[0] + 64 > len(b.piles.piles):
        h.status = FULL
        return False
    b.log[h.logged] = t.log * MOVES + move
    t.log = h.logged
    t.depth += 1
    h.logged += 1
    return True


@rule
def solved(b: Beam, log: int, move: int) -> None:
    """Write the solution: the moves of the log and a last one."""
    write_line(b, log, move)
    b.head.status = SOLVED


@rule
def write_line(b: Beam, log: int, move: int) -> None:
    """Write the moves of the log, and a last one (NO_MOVE: none), into `line`."""
    h = b.head
    h.length = 0
    if move != NO_MOVE:
        b.line[0] = move
        h.length = 1
    while log:
        b.line[h.length] = b.log[log] % MOVES
        h.length += 1
        log = b.log[log] // MOVES
    for k in range(h.length // 2):
        b.line[k], b.line[h.length - 1 - k] = b.line[h.length - 1 - k], b.line[k]


# Dealing


@rule
def try_deals(b: Beam) -> bool:
    """Deal on each current table; return whether one is among the best."""
    better = False
    for i in range(b.head.current):
        if b.head.status == RUNNING and try_deal(b, i):
            better = True
    return better


@rule
def try_deal(b: Beam, i: int) -> bool:
    """Fill a table's gaps and deal; keep the result if it is among the best."""
    h = b.head
    b.trial[0] = b.tables[h.side * h.width + i]
    t = b.trial[0]
    fills = fill_gaps(b, t)
    if fills < 0 or t.depth + fills >= h.longest:
        return False
    key, cost = weigh_deal(b, t)
    if h.starts == h.width and cost >= b.deal_heap[0] >> SLOT_BITS:
        return False
    if known(b, key ^ DEALT):
        return False
    b.keys[find(b, key ^ DEALT)].stamp |= 1
    slot = place_for(b.deal_heap, cost + noise_of(h.noise, key), h.starts, h.width)
    if slot < 0:
        return False
    if h.starts < h.width:
        h.starts += 1
    t.key, t.cost = key, cost
    for k in range(fills):
        if not log_move(b, t, b.fills[k]):
            return False
    deal_row(b, t)
    if t.removed == RUNS:
        solved(b, t.log, DEAL)
    elif log_move(b, t, DEAL):
        b.starts[slot] = t
    return True


@rule
def fill_gaps(b: Beam, t: Any) -> int:
    """Fill all gaps of a table over which stock may not be dealt, each with the part of a run that costs least; return
    how many moves (`fills`) that took, -1: not possible.
    """
    piles, made, lying = b.piles.piles, 0, 0
    for c in range(COLUMNS):
        lying += piles[t.piles[c]].height
    if lying < b.head.over_gaps:
        return 0
    if lying < COLUMNS:
        return -1
    for gap in range(COLUMNS):
        if t.piles[gap]:
            continue
        best, move = 1 << 60, -1
        for c in range(COLUMNS):
            pile, under = piles[t.piles[c]], t.piles[c]
            for n in range(1, min(pile.run, pile.height - 1) + 1):
                under = piles[under].below
                more = piles[piles[under].turned].cost - pile.cost + cost_of_run(b.piles, 0, pile.card, n)
                if more < best:
                    best, move = more, (c * LONGEST + n - 1) * COLUMNS + gap
        if move < 0 or b.piles.made[0] + 64 > len(piles):
            return -1
        make_move(b, t, move)
        b.fills[made] = move
        made += 1
    return made


@rule
def weigh_deal(b: Beam, t: Any) -> Any:
    """The key and the cost of a table after a row is dealt on it."""
    h, piles = b.head, b.piles.piles
    key, cost, removed, ordered = U(0), 0, t.removed, h.dealt + 1 < SYMMETRIC
    ends = gaps = 0
    for c in range(COLUMNS):
        pile, card = piles[t.piles[c]], b.stock[COLUMNS * h.dealt + c]
        if completes(b.piles, t.piles[c], card, 1):
            after = piles[piles[beneath(b.piles, t.piles[c], 12)].turned]
            removed += 1
            cost += after.cost
            if after.height:
                ends |= 1 << rank_of(after.card)
                key += key_in(after.key, c, ordered)
            else:
                gaps += 1
        else:
            cost += pile.cost + cost_on(b.piles, t.piles[c], card)
            ends |= 1 << rank_of(card)
            key += key_in(pile.key * STEP + U(card + 1), c, ordered)
    return key, cost - removed * b.piles.weights[RUN] + cost_of_ends(b.piles.weights, ends, gaps)


@rule
def deal_row(b: Beam, t: Any) -> None:
    """Deal a row on a table."""
    for c in range(COLUMNS):
        card = b.stock[COLUMNS * b.head.dealt + c]
        t.removed += completes(b.piles, t.piles[c], card, 1)
        t.piles[c] = lay_run(b.piles, t.piles[c], card, 1)


@rule
def next_stage(b: Beam) -> None:
    """Continue with the best tables after the deal; the run ends if there are none."""
    h = b.head
    if h.dealt == DEALS or h.starts == 0:
        h.status = NOTHING
        return
    for i in range(h.starts):
        b.tables[i] = b.starts[i]
    h.side, h.current, h.starts, h.step, h.quiet = 0, h.starts, 0, 0, 0
    h.dealt += 1
    h.floor, h.keys = 2 * h.clock + 2, 0


def room(width: int, starts: int, piles: Piles, most_keys: int, most_logged: int) -> Beam:
    """Room for a beam of this width, less than 2**16."""
    beam = Beam(
        BeamState.new(),
        piles,
        BeamTable.row(2 * width),
        BeamTable.row(starts),
        BeamTable.row(1),
        Candidate.row(width),
        np.zeros(width, np.int64),
        np.zeros(starts, np.int64),
        TableKey.row(most_keys),
        np.zeros(most_logged, np.int64),
        np.zeros(LONGEST_LINE + 1, np.int64),
        np.zeros(STOCK, np.int64),
        np.zeros(14, np.int64),
        np.zeros(COLUMNS, np.int64),
    )
    beam.head.width = width
    return beam
