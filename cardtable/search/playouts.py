"""Plays deals and matches with compiled players: the engine of simulations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import Record, field, prng, rule
from cardtable.kernel.bits import lowest
from cardtable.kernel.policies import decide
from cardtable.rules import contract
from cardtable.search.softened import DEEPEST, SLIPS, advised, is_one

RANDOM, MEDIUM, SOFT = 0, 1, 2  #: compiled players
POLICY = 3  #: the first of the policies from outside, if the totals have some (`kernel.policies`)


LENGTHS = 1024  #: lengths of deals that are counted one by one

# The columns of a row for one deal; from PAYOFF on, the payoff of each seat.
MATCH, DEAL, ELDEST, WINNER, LENGTH, PASSES, PAYOFF = range(7)
COLUMNS = PAYOFF + contract.MAX_SEATS
NO_ROWS = np.zeros((0, COLUMNS))

# The columns of a log entry for one move: includes whether it consumed random numbers, and from WORDS on the random
# words before it.
SEAT, MOVE, CHANCE, WORDS = range(4)
LOGGED = WORDS + 4
NO_LOG = np.zeros((0, LOGGED), np.uint64)

# The columns of an end for one match: the result of `contract.standing`; from SCORES on, the score of each seat.
DEALER, OVER, SCORES = range(3)
ENDED = SCORES + contract.MAX_SEATS
NO_ENDS = np.zeros((0, ENDED), np.int64)


class Workspace(NamedTuple):
    """The buffers and outputs of `simulate`: includes notes besides totals.

    The first deals, moves and matches are written one into each row; no rows: none are needed.
    """

    moves: NDArray[np.int64]  #: a buffer for legal moves
    cards: NDArray[np.int64]  #: a buffer for a pack
    rows: NDArray[np.float64] = NO_ROWS  #: deals: (deals, COLUMNS)
    log: NDArray[np.uint64] = NO_LOG  #: moves: (moves, LOGGED)
    ends: NDArray[np.int64] = NO_ENDS  #: matches: (matches, ENDED)


class Totals(Record):
    """Sums over a block of matches. Blocks are added in order, so the number of threads does not change any figure."""

    matches: int = field()
    deals: int = field()
    moves: int = field()
    won: NDArray[np.int64] = field("i8", contract.MAX_SEATS)
    paid: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: payoff of each seat
    square: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: sum over matches of (payoff of the match) squared
    cross: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: sum over matches of payoff x deals of the match
    deals_square: float = field("f8")
    eldest_paid: float = field("f8")
    eldest_square: float = field("f8")  #: sum over matches of the squared total payoff of the eldest of each deal
    eldest_cross: float = field("f8")
    eldest_match: float = field("f8")  #: of the match that is being played
    void: int = field()
    passes: int = field()
    shortest: int = field()
    longest: int = field()
    length_square: float = field("f8")
    lengths: NDArray[np.int64] = field("i8", LENGTHS)  #: number of deals by number of moves; the last: more than that
    wrong: int = field()  #: 1 + the seat whose policy chose a move that is not legal; nothing was played after that
    wrong_move: int = field()


@rule
def played(s: Any, players: Any, moves: Any, total: Totals, log: Any) -> int:
    """Play the deal to its end with compiled players, or until a policy is wrong; return the number of moves.

    log: of shape (moves, LOGGED); move k of the deal is written into row `total.moves` + k, if it has that row.
    """
    k = 0
    mask = contract.actors(s)
    while mask:
        seat = lowest(mask)
        n = contract.legal(s, seat, moves)
        move = moves[0]
        if n > 1:
            if players[seat] == RANDOM:
                move = moves[prng.below(s.rng, n)]
            elif players[seat] < POLICY:
                move = advised(s, seat, moves, n, SLIPS if players[seat] == SOFT else 0, DEEPEST, s.rng)
            else:
                move = decide(total, players[seat] - POLICY, s, seat, moves, n)
                if not is_one(moves, n, move):
                    total.wrong, total.wrong_move = seat + 1, move
                    return k
        total.passes += contract.is_pass(s, move)
        row = total.moves + k
        if row < len(log):
            write_move(log[row], s, seat, move)
        contract.play(s, seat, move)
        if row < len(log):
            note_chance(log[row], s)
        k += 1
        mask = contract.actors(s)
    return k


@rule
def write_move(row: Any, s: Any, seat: int, move: int) -> None:
    """Write a move before it is made into a row of a log."""
    row[SEAT] = seat
    row[MOVE] = move
    row[CHANCE] = 0
    for i in range(4):
        row[WORDS + i] = s.rng[i]


@rule
def note_chance(row: Any, s: Any) -> None:
    """Record in a row of a log whether the last move consumed random numbers."""
    for i in range(4):
        if row[WORDS + i] != s.rng[i]:
            row[CHANCE] = 1


@rule
def replayed(s: Any, seats: Any, codes: Any, moves: Any) -> int:
    """Play moves one after another, up to the first illegal one; return the number played."""
    for k in range(len(codes)):
        if not contract.actors(s) >> seats[k] & 1:
            return k
        n = contract.legal(s, seats[k], moves)
        legal = False
        for i in range(n):
            if moves[i] == codes[k]:
                legal = True
        if not legal:
            return k
        contract.play(s, seats[k], codes[k])
    return len(codes)


@rule
def simulate(
    s: Any, key: Any, first: int, matches: int, limit: int, players: Any, total: Totals, room: Workspace
) -> None:
    """Play matches first, first + 1, ... of the study `key` and add them to `total`, up to `limit` deals.

    s: a state set up with the rules; players: RANDOM, MEDIUM, SOFT or a policy (POLICY and so on) for each seat. An
    invalid policy move ends it; `s.deal_number` and `total.matches` give the place.
    """
    moves, cards, rows, log, ends = room.moves, room.cards, room.rows, room.log, room.ends
    s.untracked = 1
    out = np.zeros(contract.MAX_SEATS)
    scores = np.zeros(contract.MAX_SEATS, np.int64)
    mine = np.zeros(contract.MAX_SEATS)
    for m in range(first, first + matches):
        if total.deals == limit:
            return
        prng.derive(s.seed, key, m, prng.MATCH)
        contract.open_match(s)
        mine[:] = 0.0
        deals = dealer = over = 0
        while total.deals < limit and not over:
            contract.next_deal(s, cards)
            if deals == 0:
                dealer = s.dealer
            eldest = (s.dealer + s.direction) % s.seats
            passes = total.passes
            length = played(s, players, moves, total, log)
            if total.wrong:
                return
            contract.payoff(s, out)
            deals += 1
            if total.deals < len(rows):
                write_row(rows[total.deals], s, m, eldest, length, total.passes - passes, out)
            note_deal(total, s, eldest, length, out)
            for p in range(s.seats):
                mine[p] += out[p]
            over = contract.standing(s, scores)
        if m - first < len(ends):
            write_end(ends[m - first], dealer, over, scores)
        note_match(total, s.seats, deals, mine)


@rule
def write_row(row: Any, s: Any, match: int, eldest: int, length: int, passes: int, out: Any) -> None:
    """Write a finished deal into a row; seats that are not at the table have a payoff of 0."""
    row[MATCH] = match
    row[DEAL] = s.deal_number
    row[ELDEST] = eldest
    row[WINNER] = s.winner
    row[LENGTH] = length
    row[PASSES] = passes
    for p in range(s.seats):
        row[PAYOFF + p] = out[p]


@rule
def write_end(row: Any, dealer: int, over: int, scores: Any) -> None:
    """Write a match that is over, or was left, into a row. dealer: of its first deal."""
    row[DEALER] = dealer
    row[OVER] = over
    for p in range(contract.MAX_SEATS):
        row[SCORES + p] = scores[p]


@rule
def note_deal(total: Totals, s: Any, eldest: int, length: int, out: Any) -> None:
    """Add a finished deal."""
    total.deals += 1
    total.moves += length
    total.length_square += float(length) * length
    total.shortest = length if total.shortest == 0 else min(total.shortest, length)
    total.longest = max(total.longest, length)
    total.lengths[min(length, LENGTHS - 1)] += 1
    total.eldest_match += out[eldest]
    if s.winner < 0:
        total.void += 1
    else:
        total.won[s.winner] += 1


@rule
def note_match(total: Totals, seats: int, deals: int, mine: Any) -> None:
    """Add a finished match of `deals` deals, in which each seat won `mine`."""
    total.matches += 1
    total.deals_square += float(deals) * deals
    for p in range(seats):
        total.paid[p] += mine[p]
        total.square[p] += mine[p] * mine[p]
        total.cross[p] += mine[p] * deals
    total.eldest_paid += total.eldest_match
    total.eldest_square += total.eldest_match * total.eldest_match
    total.eldest_cross += total.eldest_match * deals
    total.eldest_match = 0.0
