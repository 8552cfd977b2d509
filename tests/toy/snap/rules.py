"""The rules of Snap (SN), compiled. In each moment both choose WAIT, TURN or SNAP; the second choice resolves both."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of
from cardtable.games.shared.scores import ScoreTable, everyone, leaders, open_deal, score
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import (
    DRAW,
    OWN,
    TABLE,
    WIN,
    HouseRules,
    cite,
    clear_events,
    emit,
    emit_card,
    implement,
    redact_events,
)

from .options import SnapOptions

WAIT, TURN, SNAP = range(3)
MAX_MOVES = 3
SNAPPED, TOGETHER, RESTED = OWN, OWN + 1, OWN + 2  # events
PLAYERS, QUIET = 2, 40


class State(ScoreTable):
    """A table of Snap."""

    rules: HouseRules = rules_of(SnapOptions)
    #: the move chosen for this moment + 1, hidden until both have chosen; 0: none yet
    chosen: Ints = field("i8", PLAYERS)
    stocks: Any = field("i8", PLAYERS, 26)  #: face down, the top card last
    counts: Ints = field("i8", PLAYERS)
    pile: Ints = field("i8", 52)  #: the card turned first, first
    height: int = field()
    turned: int = field()  #: every card turned in this deal
    quiet: int = field()  #: moments in a row in which nobody did anything


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s, everyone(s))
    for p in range(PLAYERS):
        s.chosen[p] = 0
        s.counts[p] = s.rules.hand
        for i in range(26):
            s.stocks[p, i] = cards[p * s.rules.hand + i] if i < s.rules.hand else 0
    clear(s)
    s.turned = s.quiet = 0


@rule
def clear(s: State) -> None:
    """The pile is taken away."""
    for i in range(s.height):
        s.pile[i] = 0
    s.height = 0


@rule
def alike(s: State) -> bool:
    """Whether the two top cards of the pile have the same rank."""
    return bool(s.height > 1 and rank_of(s.pile[s.height - 1]) == rank_of(s.pile[s.height - 2]))


@rule
def actors(s: State) -> int:
    return 0 if s.over else int((s.chosen[0] == 0) | (s.chosen[1] == 0) << 1)


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    moves[0] = WAIT
    k = 1
    if s.counts[seat]:
        moves[k] = TURN
        k += 1
    if alike(s):
        moves[k] = SNAP
        k += 1
    return k


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    s.chosen[seat] = move + 1
    if s.chosen[0] and s.chosen[1]:
        resolve(s, s.chosen[0] - 1, s.chosen[1] - 1)


@rule
def resolve(s: State, first: int, second: int) -> None:
    """A moment: snaps first, then the cards that are turned (SN-04, SN-05)."""
    s.chosen[0] = s.chosen[1] = 0
    s.quiet = s.quiet + 1 if first == WAIT and second == WAIT else 0
    if first == SNAP and second == SNAP:
        emit(s, TOGETHER, 0, 1, s.height, cite("SN-05"))
        clear(s)
    elif first == SNAP or second == SNAP:
        seat = 0 if first == SNAP else 1
        emit(s, SNAPPED, seat, TABLE, s.height, cite("SN-04"))
        score(s, seat, s.height, cite("SN-04"))
        clear(s)
    if first == TURN:
        turn(s, 0)
    if second == TURN:
        turn(s, 1)
    if s.quiet >= QUIET:
        emit(s, RESTED, TABLE, TABLE, 0, cite("SN-06"))
    if s.quiet >= QUIET or (s.counts[0] + s.counts[1] == 0 and not alike(s)):
        s.over = 1
        best = leaders(s, s.gained, everyone(s), 1)
        s.winner = lowest(best) if count(best) == 1 else -1
        if s.winner >= 0:
            emit(s, WIN, s.winner, TABLE, 0, cite("SN-06"))


@rule
def turn(s: State, seat: int) -> None:
    """The top card of a seat's stock goes face up on the pile."""
    s.counts[seat] -= 1
    card = int(s.stocks[seat, s.counts[seat]])
    s.stocks[seat, s.counts[seat]] = 0
    s.pile[s.height] = card
    s.height += 1
    s.turned |= 1 << card
    emit_card(s, DRAW, seat, TABLE, card, cite("SN-03"))


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for p in range(PLAYERS):
        if p != seat:
            s.chosen[p] = 0
        for i in range(s.counts[p]):
            s.stocks[p, i] = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    row = np.empty(worlds.MAX_CARDS, np.int64)
    worlds.spread(s.rng, ((1 << 52) - 1) & ~s.turned, row)
    k = 0
    for p in range(PLAYERS):
        for i in range(s.counts[p]):
            s.stocks[p, i] = row[k]
            k += 1


@rule
def observed(s: State, seat: int, move: int, viewer: int) -> int:
    return move if viewer == seat else -1


@rule
def is_pass(s: State, move: int) -> int:
    return int(move == WAIT)


@rule
def standing(s: State, out: Any) -> int:
    for p in range(PLAYERS):
        out[p] = s.scores[p]
    return int(s.over and s.deal_number > 0)


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = float(PLAYERS * QUIET * (4 * s.rules.hand + 1))
    out[1], out[2] = 0.0, float(2 * s.rules.hand)


@rule
def heuristic(s: State, seat: int, moves: Any, n: int) -> int:
    """Snap, or turn, or wait."""
    return int(moves[n - 1])


implement(State, deal, actors, legal, play, redact, resample, observed, is_pass, standing, bounds, heuristic)
