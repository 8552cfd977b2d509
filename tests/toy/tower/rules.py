"""The rules of Tower (TW), compiled. A move is a card (0..51), or REST."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of
from cardtable.games.shared.scores import SEATS, ScoreTable, after, everyone, leaders, open_deal, score, show_scores
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import (
    DEAL,
    LAY,
    OWN,
    TABLE,
    WIN,
    HouseRules,
    cite,
    clear_events,
    emit,
    emit_card,
    hide_hands,
    implement,
    list_if,
    redact_events,
)

from .options import TowerOptions

REST = 52
MAX_MOVES = 10
RESTED, CLEARED = OWN, OWN + 1  # events


class State(ScoreTable):
    """A table of Tower."""

    rules: HouseRules = rules_of(TowerOptions)
    turn: int = field()
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    tower: Ints = field("i8", 52)  #: its cards, the first laid first
    height: int = field()
    last: int = field()  #: who laid the top card
    laid: int = field()  #: every card laid in this deal


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s, everyone(s))
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("TW-02"))
    k = 0
    for p in range(SEATS):
        s.hands[p] = s.counts[p] = 0
    for p in range(s.seats):
        s.counts[p] = s.rules.hand
        for _ in range(s.rules.hand):
            s.hands[p] |= 1 << cards[k]
            k += 1
    clear(s)
    s.laid = 0
    s.turn = after(s, s.dealer, s.in_play)
    s.last = s.turn


@rule
def clear(s: State) -> None:
    """The tower is taken away."""
    for i in range(s.height):
        s.tower[i] = 0
    s.height = 0


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    k = 0
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if s.height == 0 or rank_of(card) >= rank_of(s.tower[s.height - 1]):  # TW-03
            moves[k] = card
            k += 1
    return list_if(moves, k, REST, s.height > 0)  # TW-04


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move == REST:
        emit(s, RESTED, seat, TABLE, 0, cite("TW-04"))
    else:
        emit_card(s, LAY, seat, TABLE, move, cite("TW-03"))
        s.tower[s.height] = move
        s.height += 1
        s.laid |= 1 << move
        s.hands[seat] &= ~(1 << move)
        s.counts[seat] -= 1
        s.last = seat
    s.turn = after(s, seat, s.in_play)
    if s.counts[s.last] == 0 or s.turn == s.last:  # TW-05, TW-06
        emit(s, CLEARED, s.last, TABLE, s.height, cite("TW-05"))
        score(s, s.last, s.height, cite("TW-05"))
        clear(s)
        if s.counts[s.last] == 0:
            s.over = 1
            best = leaders(s, s.gained, everyone(s), 1)
            s.winner = lowest(best) if count(best) == 1 else -1
            if s.winner >= 0:
                emit(s, WIN, s.winner, TABLE, 0, cite("TW-06"))


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    hide_hands(s, seat)


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    n = s.seats
    own = s.hands[seat] if seat >= 0 else 0
    unseen = ((1 << 52) - 1) & ~s.laid & ~own
    room, bars, hands = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    room[n] = count(unseen)
    for p in range(n):
        if p != seat:
            room[p] = s.counts[p]
            room[n] -= s.counts[p]
    worlds.fill(s.rng, unseen, hands, bars, room, n + 1, work)
    for p in range(n):
        if p != seat:
            s.hands[p] = hands[p]


@rule
def is_pass(s: State, move: int) -> int:
    return int(move == REST)


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    return int(s.over and s.deal_number > 0)


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = s.seats * s.rules.hand * s.seats
    out[1], out[2] = 0.0, float(s.seats * s.rules.hand)


@rule
def heuristic(s: State, seat: int, moves: Any, n: int) -> int:
    """The lowest card that may be laid."""
    best = moves[0]
    for i in range(n):
        if moves[i] != REST and rank_of(moves[i]) < rank_of(best):
            best = moves[i]
    return int(best)


implement(State, deal, legal, play, redact, resample, is_pass, standing, bounds, heuristic)
