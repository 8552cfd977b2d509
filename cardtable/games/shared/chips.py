"""What games for chips share: chips, the pot, the first dealer, matches of several deals."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of
from cardtable.games.shared.table_options import CUT_ACE, CUT_HIGH, RANDOM
from cardtable.kernel import Ints, field, prng, rule
from cardtable.kernel.bits import lowest
from cardtable.rules.contract import CUT, MAX_SEATS, PAY, TABLE, TAKE, Table, clear_events, defaults, emit, emit_card

SEATS = MAX_SEATS  #: the most seats of a game for chips


class ChipTable(Table):
    """The fields of a game for chips."""

    pot: int = field()
    stacks: Ints = field("i8", SEATS)
    before: Ints = field("i8", SEATS)  #: stacks when this deal began
    won: Ints = field("i8", SEATS)  #: deals won


@rule
def transfer(s: Any, seat: int, to: int, amount: int) -> int:
    """Move chips from a seat to a seat or to the pot (TABLE), as far as its credit goes; return how many, for the
    caller's event.
    """
    if s.rules.stakes_chips == 0:
        return 0
    if s.rules.credit_table:
        amount = min(amount, s.stacks[seat])
    s.stacks[seat] -= amount
    if to == TABLE:
        s.pot += amount
    else:
        s.stacks[to] += amount
    return amount


@rule
def pay(s: Any, seat: int, to: int, amount: int, why: int) -> None:
    """Pay chips from a seat to a seat or to the pot (TABLE), as far as its credit goes."""
    paid = transfer(s, seat, to, amount)
    if paid:
        emit(s, PAY, seat, to, paid, why)


@rule
def take_pot(s: Any, seat: int, why: int) -> None:
    """Give the pot to a seat."""
    if s.pot:
        s.stacks[seat] += s.pot
        emit(s, TAKE, TABLE, seat, s.pot, why)
        s.pot = 0


@rule
def share_rest(s: Any, why: int) -> None:
    """After the last deal, share a pot without a winner equally; odd chips go one each from the dealer's left."""
    n = s.seats
    each, odd = s.pot // n, s.pot % n
    for i in range(n):
        seat = (s.dealer + 1 + i) % n
        share = each + (1 if i < odd else 0)
        if share:
            s.stacks[seat] += share
            emit(s, TAKE, TABLE, seat, share, why)
    s.pot = 0


@rule
def begin(s: Any, why: int) -> None:
    """Open a match: stacks, and the first dealer by lot, by cut (ace low, except for CUT_ACE; ties cut again) or by
    name.
    """
    n = s.seats
    for p in range(n):
        s.stacks[p] = s.rules.stack[p] if s.rules.stakes_chips else 0
        s.before[p] = s.stacks[p]
        s.won[p] = 0
    s.pot = 0
    s.deal_number = 0
    s.direction = 1
    s.over = 1
    s.winner = -1
    if s.rules.first_dealer == RANDOM:
        s.dealer = prng.below(s.rng, n)
    elif s.rules.first_dealer > RANDOM:
        s.dealer = s.rules.first_dealer - 1
    else:
        s.dealer = cut(s, why)


@rule
def holder(s: Any, held: Ints, card: int) -> int:
    """The seat that holds a card; -1: none."""
    for p in range(s.seats):
        if held[p] >> card & 1:
            return p
    return -1


@rule
def find_dealer(s: Any) -> None:
    """Open a match by `s.rules.cut_cite`, the rule ID by which cards are cut for the dealer."""
    clear_events(s)
    begin(s, s.rules.cut_cite)


@rule
def cut(s: Any, why: int) -> int:
    """Let each seat draw a card; the highest or lowest deals, and ties draw again from a new shuffle."""
    cards = np.empty(52, np.int64)
    for c in range(52):
        cards[c] = c
    among = (1 << s.seats) - 1
    while among & (among - 1):
        prng.shuffle(s.rng, cards, 52)
        best = 99
        chosen = 0
        for p in range(s.seats):
            if among >> p & 1:
                emit_card(s, CUT, p, TABLE, cards[p], why)
                rank = rank_of(cards[p])
                if s.rules.first_dealer == CUT_HIGH:
                    rank = 12 - rank
                elif s.rules.first_dealer == CUT_ACE:
                    rank = 12 - (rank + 12) % 13
                if rank < best:
                    best = rank
                    chosen = 0
                if rank == best:
                    chosen |= 1 << p
        among = chosen
    return lowest(among)


@rule
def open_deal(s: Any) -> None:
    """Begin the next deal: the deal passes to the left, and the stacks are noted."""
    if s.deal_number:
        s.dealer = (s.dealer + 1) % s.seats
    s.deal_number += 1
    s.over = 0
    s.winner = -1
    s.in_play = (1 << s.seats) - 1
    for p in range(s.seats):
        s.before[p] = s.stacks[p]


@rule
def gain(s: Any, out: Any) -> None:
    """The payoff of this deal: chips won since it began, or without chips 1 for the winner."""
    for p in range(s.seats):
        out[p] = s.stacks[p] - s.before[p] if s.rules.stakes_chips else (1.0 if s.winner == p else 0.0)


@rule
def within(s: Any, out: Any, cost: int) -> None:
    """The payoffs of `bounds` where no seat can pay more than `cost` in a deal."""
    if s.rules.stakes_chips:
        out[1], out[2] = -float(cost), float(cost * s.seats + max(s.pot, 0))
    else:
        out[1], out[2] = 0.0, 1.0


@rule
def tally(s: Any, out: Any) -> int:
    """The match's scores, chips or deals won, and whether its last deal is over."""
    for p in range(s.seats):
        out[p] = s.stacks[p] if s.rules.stakes_chips else s.won[p]
    return 1 if s.over and s.deal_number >= s.rules.deals else 0


defaults(ChipTable, start=find_dealer, payoff=gain, standing=tally)
