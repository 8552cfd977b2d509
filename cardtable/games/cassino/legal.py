"""What may be played in Cassino: captures, builds, raises, trails."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK, rank_of
from cardtable.games.cassino.state import (
    BUILD,
    DECLARED,
    HIGHEST,
    KIND,
    PAIR,
    RAISE,
    TRAIL,
    VALUES,
    owned,
    ranks_of,
    total,
)
from cardtable.games.shared.captures import ascending, has_sum, sums
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest


@rule
def unions(moves: Any, start: int, end: int) -> int:
    """Add to the sets moves[start:end] every union of two or more that do not overlap, each set of cards once; return
    the new end.

    Sets are joined in the order of their lowest cards, so the union of three comes from that of its first two.
    """
    groups = end
    i = start
    while i < end:
        for j in range(start, groups):
            if moves[i] & moves[j] == 0:
                both = moves[i] | moves[j]
                new = True
                for k in range(groups, end):
                    if moves[k] == both:
                        new = False
                        break
                if new:
                    moves[end] = both
                    end += 1
        i += 1
    return end


@rule
def captures(s: Any, card: int, must: int, moves: Any, k: int) -> int:
    """Write the captures of a card from moves[k] on: any mix of pair, build and sums (CA-12, CA-Q1); return the new
    k.

    must: cards that have to be among those taken.
    """
    r = rank_of(card)
    start = k
    if VALUES[r]:
        k = unions(moves, start, sums(s.board, VALUES[r], VALUES, 0, moves, k))  # CA-11
    pair = s.board & RANK << r | s.pair_build[r]  # CA-10: all or none; never both (CA-Q7)
    build = s.sum_build[VALUES[r]]
    bare = True  # whether the empty selection may still be extended
    for option in range(2):  # with or without the pair, then with or without the build (CA-20: whole)
        more = build if option else pair
        if more & must:
            for i in range(start, k):
                moves[i] |= more
            if bare:
                moves[k] = more
                k += 1
            bare = False
        elif more:
            end = k
            for i in range(start, end):
                moves[k] = moves[i] | more
                k += 1
            if bare:
                moves[k] = more
                k += 1
    for i in range(start, k):
        moves[i] |= 1 << card
    return k


@rule
def can_take(s: Any, card: int) -> bool:
    """Whether a card can take anything at all."""
    r = rank_of(card)
    if s.board & RANK << r or s.pair_build[r] or s.sum_build[VALUES[r]]:
        return True
    return bool(VALUES[r]) and has_sum(s.board, VALUES[r], VALUES)


@rule
def additions(free: int, value: int, base: int, moves: Any, k: int) -> int:
    """Write base | X for each set X of one or more numerals of `free` worth `value` together; return the new k."""
    single = free & RANK << (value - 1)
    while single:
        moves[k] = base | single & -single
        single &= single - 1
        k += 1
    return sums(free, value, VALUES, base, moves, k)


@rule
def builds(s: Any, card: int, remaining: int, moves: Any, k: int) -> int:
    """Addition builds with a card: the hand must keep a card of the declared rank (CA-15, CA-19, CA-Q8). remaining: the
    ranks left in hand.
    """
    value = VALUES[rank_of(card)]
    for declared in range(value + 1, HIGHEST + 1):
        if remaining >> (declared - 1) & 1:
            k = additions(s.board, declared - value, 1 << card | BUILD << KIND | declared << DECLARED, moves, k)
    return k


@rule
def raises(s: Any, seat: int, card: int, remaining: int, missing: int, moves: Any, k: int) -> int:
    """Raises of an addition build of one group (raise_builds = single). missing: ranks of own builds that would lack
    their key.
    """
    value = VALUES[rank_of(card)]
    for low in range(2, HIGHEST):
        group = s.sum_build[low]
        if total(group) != low:
            continue
        freed = 0  # raising the own build frees its key card, unless a pair of that rank is owned too
        if s.sum_owner[low] == seat and not (s.pair_build[low - 1] and s.pair_owner[low - 1] == seat):
            freed = 1 << (low - 1)
        if missing & ~freed:
            continue
        for declared in range(low + value, HIGHEST + 1):
            if remaining >> (declared - 1) & 1:
                base = 1 << card | group | RAISE << KIND | declared << DECLARED
                if declared == low + value:
                    moves[k] = base
                    k += 1
                else:
                    k = additions(s.board, declared - low - value, base, moves, k)
    return k


@rule
def legal(s: Any, seat: int, moves: Any) -> int:
    k = 0
    hand = s.hands[seat]
    mine = owned(s, seat) if s.rules.build_obligation else 0
    unplayed = hand
    while unplayed:
        card = lowest(unplayed)
        unplayed &= unplayed - 1
        r = rank_of(card)
        remaining = ranks_of(hand & ~(1 << card))
        missing = mine & ~remaining  # CA-Q5: own builds whose key card this would spend
        if missing & ~(1 << r) == 0:
            must = 0
            if missing:
                if s.sum_owner[VALUES[r]] == seat:
                    must |= s.sum_build[VALUES[r]]
                if s.pair_owner[r] == seat:
                    must |= s.pair_build[r]
            k = captures(s, card, must, moves, k)
        if missing == 0:
            if VALUES[r]:
                k = builds(s, card, remaining, moves, k)
            loose = s.board & RANK << r
            if (loose or s.pair_build[r]) and remaining >> r & 1 and (VALUES[r] or s.rules.face_builds):  # CA-16
                moves[k] = 1 << card | loose | PAIR << KIND | (r + 1) << DECLARED
                k += 1
        if s.rules.raise_builds_single and VALUES[r]:
            k = raises(s, seat, card, remaining, missing, moves, k)
        if mine == 0 and not can_take(s, card):  # CA-06, CA-07, CA-Q4
            moves[k] = 1 << card | TRAIL << KIND
            k += 1
    ascending(moves, k)
    return k
