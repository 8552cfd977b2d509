"""Chips on the table: stakes on the money cards, the sequence, the jackpot and the kitty, and who takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.michigan.state import FOUR, JACKPOT, PLACES, SEQUENCE, STAKE, State
from cardtable.games.shared.chips import transfer
from cardtable.kernel import cite, rule
from cardtable.rules.contract import OWN, TABLE, emit, emit_at

# Events: chips are put and taken, with the reason naming the place, or put on and taken from a money card.
PUT, TAKE_OUT, PUT_ON, TAKE_FROM = range(OWN + 8, OWN + 12)


@rule
def put_chips(s: State, seat: int, place: int, amount: int) -> int:
    """Put a seat's chips on a place, as far as its credit goes; return how many, for the caller's event."""
    put = transfer(s, seat, TABLE, amount)
    s.on[place] += put
    return put


@rule
def emit_put(s: State, seat: int, amount: int, why: int) -> None:
    """Record a seat's stake, if any, with the reason naming the place."""
    if amount:
        emit(s, PUT, seat, TABLE, amount, why)


@rule
def take_chips(s: State, seat: int, place: int, why: int) -> None:
    """Give a seat all chips of a place."""
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
    """MI-45, MI-Q9: whether this deal's winner gets the jackpot, into which nobody then pays."""
    return s.rules.jackpot == 1 and (s.deal_number - 1) % (s.seats + 1) == s.seats


@rule
def side_stakes(s: State, seat: int) -> None:
    """MI-42, MI-44, MI-C1: put one chip on the sequence, one in the jackpot, and some in the kitty."""
    if s.rules.sequence_stake:
        emit_put(s, seat, put_chips(s, seat, SEQUENCE, 1), cite("MI-42"))
    if s.rules.jackpot and not deal_off(s):
        emit_put(s, seat, put_chips(s, seat, JACKPOT, 1), cite("MI-44"))
    if s.rules.kitty:
        emit_put(s, seat, transfer(s, seat, TABLE, s.rules.kitty), cite("MI-C1"))


@rule
def kitty(s: State) -> int:
    """The chips on the table that lie on none of its places."""
    chips = s.pot
    for place in range(PLACES):
        chips -= s.on[place]
    return chips


@rule
def take_kitty(s: State, seat: int) -> None:
    """MI-C2: the first player out takes the kitty."""
    chips = kitty(s)
    if chips:
        s.pot -= chips
        s.stacks[seat] += chips
        emit(s, TAKE_OUT, TABLE, seat, chips, cite("MI-C2"))


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
