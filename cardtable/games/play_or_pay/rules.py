"""The rules of Play or Pay (PP), compiled.

A move is a card to lay (0..51) or PASS. In strict play only a lead is a choice: between two leads each seat has one
move. All cards that are not laid are in the hands, so exactly one seat holds the card needed (PP-Q5). Moves prove
something about that card only; it is stored as **facts**, `lacks` and `shows`, until the card is laid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, rank_of
from cardtable.games.play_or_pay.policy import heuristic
from cardtable.games.play_or_pay.state import ACTIONS, MAX_MOVES, PASS, State, prepare
from cardtable.games.shared.chips import open_deal, pay, share_rest, take_pot, within
from cardtable.kernel import cite, rule
from cardtable.rules import worlds
from cardtable.rules.contract import (
    DEAL,
    LAY,
    TABLE,
    VOID,
    WIN,
    clear_events,
    emit,
    emit_card,
    hide_hands,
    implement,
    list_cards,
    list_if,
    redact_events,
)
from cardtable.rules.contract import PASS as PASSED

__all__ = ["ACTIONS", "MAX_MOVES", "State", "prepare"]


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s)
    n = s.seats
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("FT-14"))
    for p in range(n):
        s.hands[p] = s.counts[p] = s.offences[p] = 0
    s.layout = s.absent = 0
    await_lead(s)
    s.turn = p = (s.dealer + 1) % n  # PP-01: singly from eldest, who begins
    for i in range(52):
        s.hands[p] |= 1 << cards[i]
        s.counts[p] += 1
        p = p + 1 if p + 1 < n else 0
    for i in range(n):
        pay(s, (s.dealer + 1 + i) % n, TABLE, s.rules.ante, cite("PP-01"))


@rule
def await_lead(s: State) -> None:
    """Wait for a lead: no suit is in play."""
    s.need = -1
    s.laid = s.run = s.passes = s.lacks = s.shows = 0


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    hand = s.hands[seat]
    if s.need < 0:  # PP-03, PP-10: any card at all; a lead cannot be passed
        return list_cards(moves, 0, hand)
    able = bool(hand >> s.need & 1)
    k = list_if(moves, 0, s.need, able)  # PP-04
    # PP-06, PP-Q2, FT-Q14
    return list_if(moves, k, PASS, not able or (s.rules.enforce_penalise and s.run == 0 and s.passes < s.seats))


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move == PASS:
        skip(s, seat)
    else:
        lay(s, seat, move)


@rule
def after(card: int) -> int:
    """The next card of the suit, round the corner (PP-05)."""
    return card + 1 if rank_of(card) < 12 else card - 12


@rule
def lay(s: State, seat: int, card: int) -> None:
    """PP-03 to PP-05, PP-07 to PP-11."""
    emit_card(s, LAY, seat, TABLE, card, cite("PP-03") if s.need < 0 else cite("PP-04"))
    if s.rules.enforce_penalise and not s.rules.detect_immediate and s.passes >= s.seats:
        s.offences[seat] += 1  # the seat has passed this card before
    s.hands[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    s.layout |= 1 << card
    s.laid += 1
    s.run += 1
    s.need = after(card)
    s.passes = s.lacks = s.shows = 0
    collect(s, seat)
    if s.counts[seat] == 0:  # PP-11, PP-Q7
        settle(s, seat)
    elif s.laid == 13:  # PP-09, PP-10
        await_lead(s)
    # PP-07: the seat continues, and everybody knows that it can
    elif s.rules.continue_run and s.hands[seat] >> s.need & 1:
        s.shows = seat + 1
    else:  # PP-07: a seat that does not continue shows that it cannot; PP-08: nothing is shown
        if s.rules.continue_run:
            s.lacks = 1 << seat
        to_the_left(s)


@rule
def collect(s: State, seat: int) -> None:
    """PP-07, PP-Q1: the others pay for the card just laid, number `run` of the run."""
    if s.rules.run_bonus_none or s.rules.continue_run == 0 or s.run < 2:
        return
    chips = 2 if s.rules.run_bonus_whole_run and s.run == 2 else 1
    for i in range(1, s.seats):
        pay(s, (seat + i) % s.seats, seat, chips, cite("PP-07"))


@rule
def to_the_left(s: State) -> None:
    """PP-01: pass the turn clockwise."""
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.run = 0


@rule
def skip(s: State, seat: int) -> None:
    """A pass: PP-06, PP-Q6."""
    emit(s, PASSED, seat, TABLE, 0, cite("PP-06"))
    pay(s, seat, TABLE, s.rules.pass_chip, cite("PP-06"))
    doubtful = s.rules.enforce_penalise and s.passes < s.seats  # the seat may have been able
    if doubtful and s.rules.detect_immediate and s.hands[seat] >> s.need & 1:
        pay(s, seat, TABLE, s.rules.fine_pot, cite("PP-Q6"))
        s.shows = seat + 1
    elif not doubtful or s.rules.detect_immediate:
        s.lacks |= 1 << seat
    s.passes += 1
    # PP-Q5: only in positions from which cards are missing
    if s.passes == (2 * s.seats if s.rules.enforce_penalise else s.seats):
        settle(s, -1)
    else:
        to_the_left(s)


@rule
def settle(s: State, winner: int) -> None:
    """PP-11 to PP-14: end the deal. winner -1: no player has the card needed."""
    s.over = 1
    s.winner = winner
    n = s.seats
    for i in range(n):
        p = (s.dealer + 1 + i) % n
        for _ in range(s.offences[p]):
            pay(s, p, TABLE, s.rules.fine_pot, cite("PP-Q6"))
    if winner < 0:
        emit(s, VOID, TABLE, TABLE, 0, cite("PP-Q5"))
    else:
        emit(s, WIN, winner, TABLE, 0, cite("PP-11"))
        s.won[winner] += 1
        for i in range(n):
            p = (s.dealer + 1 + i) % n
            if p != winner and not s.rules.settlement_pot:
                pay(s, p, winner, s.counts[p], s.rules.settle_cite)
        take_pot(s, winner, cite("PP-11"))
    if s.deal_number >= s.rules.deals and s.pot:
        share_rest(s, cite("FT-Q13"))


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    if s.over:  # the remaining hands are shown
        return
    hide_hands(s, seat)


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    if s.over:
        return
    n = s.seats
    room = np.zeros(n, np.int64)
    hands = np.zeros(n, np.int64)
    barred = np.zeros(n, np.int64)
    unseen = ALL_52 & ~s.absent & ~s.layout
    if seat >= 0:
        unseen &= ~s.hands[seat]
        hands[seat] = s.hands[seat]
    for p in range(n):
        if p != seat:
            room[p] = s.counts[p]
            if s.lacks >> p & 1:
                barred[p] = 1 << s.need
            if s.shows == p + 1:
                hands[p] = 1 << s.need
                unseen &= ~hands[p]
                room[p] -= 1
    worlds.fill(s.rng, unseen, hands, barred, room, n, work)
    for p in range(n):
        s.hands[p] = hands[p]


@rule
def unseen(s: State, seat: int, sets: Any) -> int:
    for p in range(s.seats):
        sets[p] = 0 if p == seat else s.hands[p]
    return s.seats


@rule
def may_hold(s: State, seat: int, place: int, cards: int) -> bool:
    holds = s.need >= 0 and cards >> s.need & 1
    return not holds if s.lacks >> place & 1 else bool(holds) or s.shows != place + 1


@rule
def put(s: State, place: int, cards: int) -> None:
    s.hands[place] = cards


@rule
def held_before(s: State, who: int, move: int, cards: int, rng: Any) -> int:
    return cards | 1 << move if move < PASS else cards


@rule
def is_pass(s: State, move: int) -> int:
    return 1 if move == PASS else 0


@rule
def bounds(s: State, out: Any) -> None:
    n = s.seats
    rounds = 2 if s.rules.enforce_penalise else 1  # of passes, between two cards
    out[0] = 52 * (rounds * n + 1)
    r = s.rules
    bonus = 2 if r.run_bonus_whole_run else 1  # for each card; and 1 for each card left
    cost = 52 * (rounds * r.pass_chip + r.enforce_penalise * r.fine_pot + bonus + 1) + r.ante
    within(s, out, cost)


implement(State, deal, legal, play, redact, resample, unseen, may_hold, put, held_before, is_pass, bounds, heuristic)
