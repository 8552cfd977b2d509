"""A regular player: tells the truth if possible, otherwise gets rid of the cards needed last, and doubts unlikely
claims.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK
from cardtable.games.i_doubt_it.state import ACCEPT, DONE, DOUBT, NAME, due, laid_by, pile_size
from cardtable.kernel import rule
from cardtable.kernel.bits import count, lowest

LIKELY = 0.3  #: a claim of one card is doubted if it is less likely than this


@rule
def heuristic(s: Any, seat: int, moves: Any, n: int) -> int:
    """The answer to a set, or the next card of the set that the seat means to lay."""
    if s.window:
        return DOUBT if doubtful(s, seat) else ACCEPT
    if moves[0] >= NAME:
        return NAME + longest(s, seat)
    true = s.hands[seat, 0] & RANK << due(s)
    plan = planned(s, seat)
    for i in range(n):
        move = moves[i]
        if move == DONE:
            break
        if plan >> move & 1 and (true or s.draft[0] == 0):
            return int(move)
    return int(moves[n - 1]) if s.draft[0] else int(moves[0])


@rule
def planned(s: Any, seat: int) -> int:
    """The cards that the seat intends to lay: those of the rank due, or one that it needs last."""
    true = int(s.hands[seat, 0] & RANK << due(s))
    return true if true else 1 << needed_last(s, seat)


@rule
def slip(s: Any, seat: int, meant: int, made: int) -> bool:
    """Another card of the same truth as the intended one; another rank to name; accepting a set that should be
    doubted, unless it wins the deal.
    """
    if meant >= NAME:
        return made >= NAME
    if meant == DOUBT:
        return bool(made == ACCEPT and s.counts[s.turn])
    true = RANK << due(s)
    return bool(meant < 52 and made < 52 and true >> meant & 1 == true >> made & 1)


@rule
def longest(s: Any, seat: int) -> int:
    """The rank of which the seat holds most cards."""
    best, top = 0, -1
    for r in range(13):
        held = own_of(s, seat, r)
        if held > top:
            best, top = r, held
    return best


@rule
def own_of(s: Any, seat: int, rank: int) -> int:
    """The number of cards of a rank in the seat's hand."""
    return count(s.hands[seat, 0] & RANK << rank) + count(s.hands[seat, 1] & RANK << rank)


@rule
def needed_last(s: Any, seat: int) -> int:
    """The card whose rank the seat must claim last; preferably one of few."""
    best, top = lowest(s.hands[seat, 0]), -1
    rank = due(s)
    for turns in range(1, 13):  # 13 is prime: a seat's next twelve turns cover each other rank once
        rank = (rank + s.seats) % 13
        held = own_of(s, seat, rank)
        if held:
            worth = 4 * turns - held
            if worth > top:
                best, top = lowest(s.hands[seat, 0] & RANK << rank), worth
    return best


@rule
def doubtful(s: Any, seat: int) -> bool:
    """Whether the seat doubts the last set: the claim is impossible or unlikely, or the set would win the deal."""
    if s.counts[s.turn] == 0:
        return True
    claimed = s.set_size[s.sets - 1]
    where = RANK << due(s)
    # cards of the rank that may have been with the player when the pile was last empty
    could = count(s.may[seat, s.turn, 0] & where) + count(s.may[seat, s.turn, 1] & where)
    if claimed > could:
        return True
    if claimed > 1:  # a player rarely lies that boldly
        return False
    unseen = pile_size(s) - laid_by(s, seat)
    for p in range(s.seats):
        if p != seat:
            unseen += s.counts[p]
    share = (s.counts[s.turn] + laid_by(s, s.turn)) / unseen
    return at_least(claimed, could, share) < LIKELY


@rule
def at_least(k: int, n: int, chance: float) -> float:
    """The chance that k or more of n cards are with a seat, each independently with the same chance."""
    if chance >= 1.0:
        return 1.0
    exactly = 1.0
    for _ in range(n):
        exactly *= 1.0 - chance
    below = 0.0
    for i in range(k):
        below += exactly
        exactly *= (n - i) / (i + 1) * chance / (1.0 - chance)
    return 1.0 - below
