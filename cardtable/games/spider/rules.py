"""The rules of Spider (SP), compiled.

There is one seat and one deal. The automatic consequences of a move (turning up, removing runs) belong to the move.
Hidden cards affect neither the view nor the legal moves, so all their orders are equally likely, and a world is a
shuffle of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.shared.scores import open_deal, score
from cardtable.games.spider.moves import card_moves, may_deal, stuck
from cardtable.games.spider.policy import heuristic, slip
from cardtable.games.spider.state import (
    ACTIONS,
    COLUMNS,
    DEAL,
    MAX_MOVES,
    PER_RUN,
    POINTS,
    RUNS,
    STOCK,
    State,
    end_card,
    run_length,
    way_of,
)
from cardtable.kernel import cite, prng, rule
from cardtable.rules import worlds
from cardtable.rules.contract import DEAL as DEALS
from cardtable.rules.contract import (
    NOBODY,
    OWN,
    TABLE,
    WIN,
    clear_events,
    emit,
    emit_at,
    implement,
    list_if,
    redact_events,
    won_by,
)

__all__ = ["ACTIONS", "MAX_MOVES", "State"]

# Events: a card, or a card and n more, goes to a column; a card of the stock is dealt (ten, one to each column in
# order); a card is turned up in, a run of it removed from a column; the ends.
GOES, GO, DEALT, TURNED, GONE, STUCK, CAPPED = range(OWN, OWN + 7)


@rule
def pack(s: State, cards: Any) -> int:
    k = 0
    for card in range(13 * s.rules.suits):
        for _ in range(8 // s.rules.suits):
            cards[k] = card
            k += 1
    return k


@rule
def deal(s: State, cards: Any) -> None:
    """SP-04: four rows face down, a fifth on columns 1 to 4, one row face up; 50 cards of stock. SP-C2: all face up."""
    clear_events(s)
    open_deal(s, 1)
    emit(s, DEALS, s.dealer, TABLE, s.deal_number, cite("SP-04"))
    s.columns[:, :] = 0
    s.dealt = s.removed = s.made = 0
    for c in range(COLUMNS):
        s.height[c] = 0
        s.down[c] = s.rules.face_down * (5 if c < 4 else 4)
    for i in range(54):
        c = i % 10 if i < 44 else i - 44
        s.columns[c, s.height[c]] = cards[i]
        s.height[c] += 1
    for i in range(STOCK):
        s.stock[i] = cards[54 + i]
    for i in range(RUNS):
        s.heap[i] = 0
    if s.rules.scoring_points:
        score(s, 0, POINTS, cite("SP-Q11"))


@rule
def actors(s: State) -> int:
    return 0 if s.over else 1


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    return list_if(moves, card_moves(s, moves), DEAL, may_deal(s))


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    s.made += 1
    if move == DEAL:
        deal_row(s)
    else:
        source, n, to = way_of(move)
        shift(s, source, n, to)
    if s.removed == RUNS:  # SP-14
        s.over = 1
        s.winner = 0
        emit(s, WIN, 0, TABLE, 0, cite("SP-14"))
    elif stuck(s):  # SP-Q10
        s.over = 1
        emit(s, STUCK, 0, TABLE, 0, cite("SP-Q10"))
    elif s.made >= s.rules.move_cap:
        s.over = 1
        emit(s, CAPPED, 0, TABLE, s.made, cite("SP-Q12"))


@rule
def shift(s: State, source: int, n: int, to: int) -> None:
    """The last n cards of a column go to another one, with all consequences."""
    first = s.height[source] - n
    why = cite("SP-10") if s.height[to] == 0 else (cite("SP-05") if n == 1 else cite("SP-06"))
    emit_at(s, GOES if n == 1 else GO, 0, TABLE, int(s.columns[source, first]), to, n - 1, why)
    for i in range(n):
        s.columns[to, s.height[to]] = s.columns[source, first + i]
        s.columns[source, first + i] = 0
        s.height[to] += 1
    s.height[source] = first
    if s.rules.scoring_points and s.scores[0] > 0:
        score(s, 0, -1, cite("SP-Q11"))
    turn_up(s, source)
    remove(s, to)
    turn_up(s, to)


@rule
def deal_row(s: State) -> None:
    """SP-11: ten cards of stock, one onto each column; runs are removed once all ten are dealt (SP-Q3)."""
    for c in range(COLUMNS):
        i = 10 * s.dealt + c
        s.columns[c, s.height[c]] = s.stock[i]
        s.height[c] += 1
        emit_at(s, DEALT, TABLE, TABLE, s.stock[i], c, 0, cite("SP-11"))
        s.stock[i] = 0
    s.dealt += 1
    for c in range(COLUMNS):
        remove(s, c)
    for c in range(COLUMNS):
        turn_up(s, c)


@rule
def turn_up(s: State, column: int) -> None:
    """SP-09: an exposed card that is face down is turned up."""
    if s.height[column] and s.height[column] == s.down[column]:
        s.down[column] -= 1
        emit_at(s, TURNED, TABLE, TABLE, end_card(s, column), column, 0, cite("SP-09"))


@rule
def remove(s: State, column: int) -> None:
    """SP-13, SP-Q2: a complete run at the end of a column is removed."""
    card = end_card(s, column)
    if rank_of(card) or run_length(s, column) < 13:
        return
    s.height[column] -= 13
    for i in range(13):
        s.columns[column, s.height[column] + i] = 0
    s.heap[s.removed] = suit_of(card)
    s.removed += 1
    emit_at(s, GONE, TABLE, TABLE, card + 12, column, 0, cite("SP-13"))
    score(s, 0, PER_RUN if s.rules.scoring_points else 1, cite("SP-Q11") if s.rules.scoring_points else cite("SP-13"))


@rule
def redact(s: State, seat: int) -> None:
    """Face-down cards and the order of the stock are hidden from everybody, even after the game."""
    redact_events(s, seat)
    for c in range(COLUMNS):
        for i in range(s.down[c]):
            s.columns[c, i] = 0
    for i in range(STOCK):
        s.stock[i] = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    """Shuffle the unseen cards: the columns' face-down cards, then the stock."""
    unseen = np.zeros(52, np.int64)
    cards = np.zeros(112, np.int64)
    for i in range(pack(s, cards)):
        unseen[cards[i]] += 1
    for i in range(s.removed):
        for rank in range(13):
            unseen[13 * s.heap[i] + rank] -= 1
    for c in range(COLUMNS):
        for i in range(s.down[c], s.height[c]):
            unseen[int(s.columns[c, i])] -= 1
    k = 0
    for card in range(52):
        for _ in range(unseen[card]):
            cards[k] = card
            k += 1
    prng.shuffle(s.rng, cards, k)
    k = 0
    for c in range(COLUMNS):
        for i in range(s.down[c]):
            s.columns[c, i] = cards[k]
            k += 1
    for i in range(10 * s.dealt, STOCK):
        s.stock[i] = cards[k]
        k += 1


@rule
def is_pass(s: State, move: int) -> int:
    """SP-Q6: a whole column into a gap changes nothing."""
    source, n, to = way_of(move)
    return int(move != DEAL and n == s.height[source] and s.height[to] == 0)


@rule
def standing(s: State, out: Any) -> int:
    out[0] = s.scores[0]
    if not s.over or s.deal_number == 0:
        return 0
    return won_by(1) if s.winner == 0 else NOBODY


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = s.rules.move_cap
    out[1] = 0.0
    out[2] = POINTS + PER_RUN * RUNS if s.rules.scoring_points else RUNS


implement(State, pack, deal, actors, legal, play, redact, resample, is_pass, standing, bounds, heuristic, slip)
