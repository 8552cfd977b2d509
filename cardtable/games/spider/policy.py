"""The rule of thumb of a regular Spider player (SP-S1 to SP-S3), thinking one move ahead.

A move, or two moves in a row, are valued by the change in the order on the table: hidden cards turned up, empty
columns, and cards on the next higher card, in suit or not. The best move that improves the order is made; the shorter
way is preferred, to avoid cycles. If no move improves it, stock is dealt, or a gap is filled so that it can be. Where
stock may be dealt over gaps (SP-C1), a gap is filled only to turn up a card. Without stock the player
tries the moves left, a little at random (by the number of the move, so that the same position always gets the same
answer).

Where no card lies face down (SP-C2), a card counts as one turned up when the cards on it, which did not follow it
downward, are gone.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of
from cardtable.games.spider.state import COLUMNS, DEAL, LONGEST, STOCK, end_card, gap_mask, run_length, way_of
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest

IN_SUIT, OFF_SUIT, TURN, GAP, RUN = 12, 3, 20, 24, 60  #: the value of each
WANDER = 24  #: how much order a move may cost, at random, when nothing else is left
FINE = 1000  #: tie-breaking values are below this


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The move that improves the order most, alone or with the next; otherwise a deal; otherwise the least harmful
    move."""
    best, top = moves[0], 0
    gap = lowest(gap_mask(s) | 1 << COLUMNS)  # one gap is as good as another
    for i in range(n):
        if moves[i] != DEAL and (moves[i] % COLUMNS <= gap or s.height[moves[i] % COLUMNS]):
            worth = worth_ahead(s, moves[i])
            if worth > top:
                best, top = moves[i], worth
    if top >= FINE:
        return best
    if moves[n - 1] == DEAL:
        return turning(s, moves, n - 1) if gap < COLUMNS else DEAL
    if 10 * s.dealt < STOCK:
        return filling(s, moves, n)
    return wandering(s, moves, n)


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another move that improves the order; never an early deal."""
    return meant != DEAL and made != DEAL and worth_ahead(s, made) >= FINE


@rule
def worth_ahead(s: Any, move: int) -> int:
    """The value of a move, or of it and the best one after it if that is higher: FINE times the order gained, plus the
    tie-breaker.

    The move is made on the table and taken back. The line ends at a move that turns up a card.
    """
    gained = order_gained(s, move)
    fine = fineness(s, move)
    source, n, to = way_of(move)
    if s.height[source] - n != s.down[source] or s.down[source] == 0:
        carry(s, source, n, to)
        gained = max(gained, gained + gained_next(s, source, to) - 1)  # prefer the shorter way
        carry(s, to, n, source)
    return FINE * gained + fine


@rule
def gained_next(s: Any, opened: int, filled: int) -> int:
    """The largest gain of another move from or onto the column that lost cards; other moves were also possible
    before.
    """
    best = -FINE
    for n in range(run_length(s, opened)):
        for to in range(COLUMNS):
            if to != filled and fits(s, opened, n, to):
                best = max(best, order_gained(s, (opened * LONGEST + n) * COLUMNS + to))
    for source in range(COLUMNS):
        if source != filled:
            for n in range(run_length(s, source)):
                if fits(s, source, n, opened):
                    best = max(best, order_gained(s, (source * LONGEST + n) * COLUMNS + opened))
    return best


@rule
def fits(s: Any, source: int, n: int, to: int) -> bool:
    """Whether n + 1 cards that move together may go from a column to another one."""
    on = end_card(s, to)
    return source != to and (on < 0 or rank_of(on) == rank_of(end_card(s, source)) + n + 1)


@rule
def carry(s: Any, source: int, n: int, to: int) -> None:
    """Move the last n cards of a column to another one, without further consequences."""
    first = s.height[source] - n
    for i in range(n):
        s.columns[to, s.height[to] + i] = s.columns[source, first + i]
        s.columns[source, first + i] = 0
    s.height[source] = first
    s.height[to] += n


@rule
def order_gained(s: Any, move: int) -> int:
    """How much a move improves the order."""
    source, n, to = way_of(move)
    first = s.height[source] - n
    card = int(s.columns[source, first])
    on = end_card(s, to)
    gained = 0
    if on >= 0:
        gained += IN_SUIT if on == card + 1 else OFF_SUIT
        if on == card + 1 and n + run_length(s, to) >= 13 and rank_of(card) + 1 == n:
            gained += RUN
    elif first:
        gained -= GAP
    if first == 0:
        if on >= 0:
            gained += GAP
    elif first == s.down[source]:
        gained += TURN
    else:
        below = int(s.columns[source, first - 1])
        if rank_of(below) == rank_of(card) + 1:
            gained -= IN_SUIT if below == card + 1 else OFF_SUIT
        elif not s.rules.face_down:  # SP-C2: no move can cover it like this again, as none turns a card face down
            gained += TURN
    return gained


@rule
def fineness(s: Any, move: int) -> int:
    """A tie-breaker, 200..700: prefer the higher card (SP-S2), from a column with fewer hidden cards (SP-S1), onto a
    shorter run of another suit.
    """
    source, n, to = way_of(move)
    card = int(s.columns[source, s.height[source] - n])
    on = end_card(s, to)
    fine = 500 + 8 * rank_of(card) - 20 * s.down[source]
    if on >= 0:
        length = run_length(s, to)
        fine += 4 * length if on == card + 1 else -12 * length
    return fine


@rule
def turning(s: Any, moves: Any, n: int) -> int:
    """A move into a gap that turns up or uncovers a card; otherwise a deal, which fills the gap as well."""
    best, top = DEAL, 0
    for i in range(n):
        source, many, to = way_of(moves[i])
        if s.height[to] == 0 and many < s.height[source] and order_gained(s, moves[i]) > -GAP:
            worth = fineness(s, moves[i])
            if worth > top:
                best, top = moves[i], worth
    return best


@rule
def filling(s: Any, moves: Any, n: int) -> int:
    """The least harmful move into a gap, so that stock can be dealt (SP-S3); a whole column does not fill one."""
    best, top = moves[0], -1000 * FINE
    for i in range(n):
        source, many, to = way_of(moves[i])
        if s.height[to] == 0 and many < s.height[source]:
            worth = FINE * order_gained(s, moves[i]) + fineness(s, moves[i])
            if worth > top:
                best, top = moves[i], worth
    return best


@rule
def wandering(s: Any, moves: Any, n: int) -> int:
    """A move that does little harm, chosen by the number of the move."""
    best, top = moves[0], -1000
    for i in range(n):
        mixed = (s.made * 7919 + moves[i] * 104729 + 12345) * 2654435761 & 0xFFFFFFFF
        worth = order_gained(s, moves[i]) + (mixed >> 16) % WANDER
        if worth > top:
            best, top = moves[i], worth
    return best
