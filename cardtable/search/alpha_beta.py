"""Endgames with all cards open: alpha-beta between two seats, and the best response of one seat to the heuristic of the
others.

The rules are those of the game, compiled in; a state is copied for each move. Levels are decisions of the seats that
choose: in a best response only the seat itself, in alpha-beta both. Forced moves and the heuristic's are played between
two levels. The heuristic's move is tried first. A transposition table stores results by a hash of the whole state, so a
game's memory of the past (the number of passes of each seat) distinguishes states.

A search continues until it has an exact value or gives up: then `stopped` gives the reason, and no result is exact.
Future shuffles and other random events are not visible cards: unless `foresee` is set, a search gives up where a move
would draw a random number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import Record, field, rule
from cardtable.kernel.bits import lowest
from cardtable.rules import contract
from cardtable.search.tree import copy, key_of

NOBODY = -1  #: `rival` in a best response
LEVELS = 256  #: most decisions one after another
WIDEST = 1e300  #: beyond all payoffs

GOING, DONE, STATES, DEEP, CHANCE, TOGETHER = range(6)
"""Why a search stopped: not yet; it is exact; too many states; more than LEVELS decisions; a move would draw a random
number; two seats choose at the same time, of which neither may know what the other does."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  #: meaning of an entry of the table


class AlphaBeta(Record):
    """A search."""

    seat: int = field()  #: for whom payoffs count
    rival: int = field()  #: the other seat of an alpha-beta search, or NOBODY
    foresee: int = field()  #: 1: random events are known as well
    states: int = field()  #: in which a decision was searched
    limit: int = field()  #: most of them
    level: int = field()  #: the place of the decision now searched
    stopped: int = field()
    best: int = field()  #: the best move of the root, once it is DONE
    value: float = field("f8")  #: its value: the seat's payoff, minus the rival's if there is one
    paid: float = field("f8")  #: the seat's payoff then


class Level(Record):
    """A decision on the path that is searched."""

    key: int = field()
    seat: int = field()
    n: int = field()  #: moves
    k: int = field()  #: of them tried
    best: int = field()
    low: float = field("f8")  #: the window: exact values outside it are not needed
    high: float = field("f8")
    floor: float = field("f8")  #: the window as it was at first
    roof: float = field("f8")
    value: float = field("f8")  #: of the best move so far
    paid: float = field("f8")


class Transposition(Record):
    """The stored result for a state."""

    key: int = field()  #: 0: empty
    kind: int = field()
    best: int = field()
    value: float = field("f8")
    paid: float = field("f8")


class AlphaBetaBuffers(NamedTuple):
    """The buffers of a search, allocated once for a game."""

    box: Sequence[contract.State]  #: states: that of each level, and an additional one
    words: NDArray[np.uint64]  #: the memory of each from the field `rng` on
    head: AlphaBeta
    levels: Sequence[Level]
    moves: NDArray[np.int64]  #: of each level
    entries: Sequence[Transposition]  #: a power of two of them
    out: NDArray[np.float64]


@rule
def begin(room: AlphaBetaBuffers, n: int) -> None:
    """Begin with the first n moves of level 0, of the seat `levels[0].seat` in the state box[0]."""
    head, level = room.head, room.levels[0]
    head.level, head.stopped, head.states = 0, GOING, head.states + 1
    level.key, level.n, level.k, level.best = 0, n, 0, -1
    level.floor = level.low = -WIDEST
    level.roof = level.high = WIDEST
    level.value = -WIDEST if level.seat == head.seat else WIDEST


@rule
def search(room: AlphaBetaBuffers, upto: int) -> None:
    """Continue until the search has stopped, or has searched `upto` states."""
    head = room.head
    while head.stopped == GOING and head.states < upto:
        level = room.levels[head.level]
        if level.k == level.n or level.low >= level.high:
            finish(room)
        else:
            move = room.moves[head.level, level.k]
            level.k += 1
            copy(room.words[head.level], room.words[head.level + 1])
            step(room, level.seat, move)
    if head.stopped == GOING and head.states >= head.limit:
        head.stopped = STATES


@rule
def step(room: AlphaBetaBuffers, seat: int, move: int) -> None:
    """Play a move in the state above the current level, and all that follows up to the next decision: begin with that,
    or credit the payoff if the deal is over.
    """
    head, place = room.head, room.head.level + 1
    s, moves = room.box[place], room.moves[place]
    while True:
        contract.play(s, seat, move)
        if head.foresee == 0 and drawn(s, room.box[0]):
            head.stopped = CHANCE
            return
        mask = contract.actors(s)
        if mask == 0:
            contract.payoff(s, room.out)
            paid = room.out[head.seat]
            credit(room, paid if head.rival < 0 else paid - room.out[head.rival], paid, move)
            return
        seat = lowest(mask)
        n = contract.legal(s, seat, moves)
        move = moves[0]
        if n == 1:
            continue
        move = contract.heuristic(s, seat, moves, n)
        if head.foresee == 0 and drawn(s, room.box[0]):
            head.stopped = CHANCE
            return
        if seat == head.seat or head.rival >= 0:
            if head.rival >= 0 and mask & mask - 1:
                head.stopped = TOGETHER
            elif place >= LEVELS - 1:
                head.stopped = DEEP
            else:
                enter(room, place, seat, n, move)
            return


@rule
def drawn(s: Any, root: Any) -> bool:
    """Whether random numbers were drawn since the root."""
    changed = False
    for i in range(4):
        changed = changed or s.rng[i] != root.rng[i]
    return changed


@rule
def enter(room: AlphaBetaBuffers, place: int, seat: int, n: int, first: int) -> None:
    """Begin with a decision, unless the table has enough about it. first: the heuristic's move."""
    head, above, level = room.head, room.levels[place - 1], room.levels[place]
    key = key_of(room.words[place], room.words[0], seat)
    low, high = above.low, above.high
    entry = room.entries[key >> 8 & len(room.entries) - 1]
    if entry.key == key:
        known = entry.kind == EXACT or (entry.kind == AT_LEAST and entry.value >= high)
        if known or (entry.kind == AT_MOST and entry.value <= low):
            credit(room, entry.value, entry.paid, 0)
            return
        first = entry.best
    head.states += 1
    head.level = place
    level.key, level.seat, level.n, level.k, level.best = key, seat, n, 0, first
    level.low = level.floor = low
    level.high = level.roof = high
    level.value = -WIDEST if seat == head.seat else WIDEST
    moves = room.moves[place]
    for k in range(n):
        if moves[k] == first:
            while k > 0:  # the other moves stay in order
                moves[k] = moves[k - 1]
                k -= 1
            moves[0] = first
            return


@rule
def credit(room: AlphaBetaBuffers, value: float, paid: float, move: int) -> None:
    """Credit the value of the move last tried at the current level."""
    head, level = room.head, room.levels[room.head.level]
    mine = level.seat == head.seat
    if value > level.value if mine else value < level.value:
        level.value, level.paid = value, paid
        level.best = room.moves[head.level, level.k - 1]
    if head.rival >= 0:
        if mine:
            level.low = max(level.low, level.value)
        else:
            level.high = min(level.high, level.value)


@rule
def finish(room: AlphaBetaBuffers) -> None:
    """Leave the current level, whose value is known as well as its window needs it."""
    head, level = room.head, room.levels[room.head.level]
    if head.level == 0:
        head.best, head.value, head.paid, head.stopped = level.best, level.value, level.paid, DONE
        return
    kind = EXACT
    if level.value >= level.roof:
        kind = AT_LEAST
    elif level.value <= level.floor:
        kind = AT_MOST
    entry = room.entries[level.key >> 8 & len(room.entries) - 1]
    entry.key, entry.kind, entry.best = level.key, kind, level.best
    entry.value, entry.paid = level.value, level.paid
    head.level -= 1
    credit(room, level.value, level.paid, 0)
