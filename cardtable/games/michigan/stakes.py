"""Chips on the table: what is put on the money cards, the sequence and the jackpot, and who takes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.contract import OWN, TABLE, emit, emit_at
from cardtable.games.chips import transfer
from cardtable.games.michigan.state import FOUR, JACKPOT, SEQUENCE, STAKE, State
from cardtable.kernel import cite, rule

# Events: chips put and taken where the reason says, or put on and taken from a money card.
PUT, TAKE_OUT, PUT_ON, TAKE_FROM = range(OWN + 8, OWN + 12)


@rule
def put_chips(s: State, seat: int, place: int, amount: int) -> int:
    """A seat puts chips on a place, as far as its credit goes: how many it puts, to be told by the caller."""
    put = transfer(s, seat, TABLE, amount)
    s.on[place] += put
    return put


@rule
def emit_put(s: State, seat: int, card: int, amount: int, why: int) -> None:
    """What a seat has put down, if it is anything; on a money card, or (-1) where the reason says."""
    if amount:
        emit_at(s, PUT if card < 0 else PUT_ON, seat, TABLE, card, -1, amount, why)


@rule
def take_chips(s: State, seat: int, place: int, why: int) -> None:
    """A seat takes all chips of a place."""
    amount = s.on[place]
    if amount:
        s.on[place] = 0
        s.pot -= amount
        s.stacks[seat] += amount
        if place < s.rules.m:
            emit_at(s, TAKE_FROM, TABLE, seat, s.rules.money[place], -1, amount, why)
        else:
            emit(s, TAKE_OUT, TABLE, seat, amount, why)


@rule
def deal_off(s: State) -> bool:
    """MI-45, MI-Q9: this deal's winner gets the jackpot, and nobody pays into it."""
    return s.rules.jackpot == 1 and (s.deal_number - 1) % (s.seats + 1) == s.seats


@rule
def side_stakes(s: State, seat: int) -> None:
    """MI-42, MI-44: one chip each on the sequence and for the jackpot."""
    if s.rules.sequence_stake:
        emit_put(s, seat, -1, put_chips(s, seat, SEQUENCE, 1), cite("MI-42"))
    if s.rules.jackpot and not deal_off(s):
        emit_put(s, seat, -1, put_chips(s, seat, JACKPOT, 1), cite("MI-44"))


@rule
def to_spread(s: State, seat: int) -> int:
    """How many chips a seat spreads over the money cards."""
    return min(FOUR, max(s.stacks[seat], 0)) if s.rules.credit_table else FOUR


@rule
def splits(s: State, seat: int, moves: Any) -> int:
    """MI-51: every way to spread the chips, as ascending codes."""
    m = s.rules.m
    digits = np.zeros(5, np.int64)
    digits[m - 1] = to_spread(s, seat)
    k = 0
    while True:
        code = 0
        at = -1  # the last money card with chips
        for i in range(m):
            code = 5 * code + digits[i]
            if digits[i]:
                at = i
        moves[k] = STAKE + code
        k += 1
        if at <= 0:
            return k
        chips = digits[at]
        digits[at] = 0
        digits[at - 1] += 1
        digits[m - 1] = chips - 1
