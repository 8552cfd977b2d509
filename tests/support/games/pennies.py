"""Matching pennies as a game of the contract: both seats turn a coin at the same time, unseen; seat 0 wins 1 if they
match.

A player who peeks always wins; who does not, half the time.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from cardtable.kernel import Ints, field, prng
from cardtable.rules.contract import MAX_SEATS, Table, implement, redact_events
from cardtable.rules.game import Game

MAX_MOVES = SIDES = 2


class State(Table):
    in_turn: int = field()  #: 1: seat 0 first, face down, then seat 1; 0: both at the same time
    pennies: Ints = field("i8", MAX_SEATS)  #: the side chosen + 1, hidden until both have chosen


def pack(s: State, cards: Any) -> int:
    return 0


def start(s: State) -> None:
    s.over = 1


def deal(s: State, cards: Any) -> None:
    s.over = 0
    s.pennies[0] = s.pennies[1] = 0


def actors(s: State) -> int:
    if s.over:
        return 0
    waiting = (s.pennies[0] == 0) | (s.pennies[1] == 0) << 1
    return int(waiting & -waiting) if s.in_turn else int(waiting)


def legal(s: State, seat: int, moves: Any) -> int:
    for k in range(SIDES):
        moves[k] = k
    return SIDES


def play(s: State, seat: int, move: int) -> None:
    s.pennies[seat] = move + 1
    s.over = int(s.pennies[0] > 0 and s.pennies[1] > 0)


def redact(s: State, seat: int) -> None:
    redact_events(cast(Any, s), seat)
    for p in range(2):
        if p != seat and not s.over:
            s.pennies[p] = 0


def resample(s: State, seat: int, work: Any) -> None:
    if s.in_turn and seat == 1 and not s.over:
        s.pennies[0] = 1 + prng.below(s.rng, SIDES)


def observed(s: State, seat: int, move: int, viewer: int) -> int:
    return move if viewer == seat else -1


def is_pass(s: State, move: int) -> int:
    return 0


def payoff(s: State, out: Any) -> None:
    out[0] = 1.0 if s.pennies[0] == s.pennies[1] else 0.0
    out[1] = 1.0 - out[0]


def standing(s: State, out: Any) -> int:
    return s.over


def bounds(s: State, out: Any) -> None:
    out[0], out[1], out[2] = 2.0, 0.0, 1.0


def heuristic(s: State, seat: int, moves: Any, n: int) -> int:
    return int(moves[0])


implement(
    cast(Any, State),
    pack,
    start,
    deal,
    actors,
    legal,
    play,
    redact,
    resample,
    observed,
    is_pass,
    payoff,
    standing,
    bounds,
    heuristic,
)
RULES = SimpleNamespace(State=State, MAX_MOVES=MAX_MOVES)
GAME = cast(Game, SimpleNamespace(name="pennies", rules=RULES, weigher=None, prior=Game.prior, gate=Game.gate))


def dealt(in_turn: int) -> Any:
    s = State.new()
    s.seats, s.in_turn = 2, in_turn
    s.in_play = 3
    return s
