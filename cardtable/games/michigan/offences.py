"""Offences of Michigan (MI-31, MI-32, MI-Q14): what they cost, and what their discovery reveals (MI-Q16).

Undiscovered offences are not stored. They follow from the public history and the hands (see `reckon`), so there is
nothing to leak. `held` are the hands at the time of the offence.
"""

from __future__ import annotations

import numpy as np

from cardtable.base.cards import suit_of
from cardtable.games.michigan.order import after, bars, below, lowest_of, open_leads, open_suits, place_of
from cardtable.games.michigan.state import State
from cardtable.games.shared.chips import SEATS, holder, pay
from cardtable.kernel import Ints, cite, rule
from cardtable.kernel.bits import lowest
from cardtable.rules.contract import SHOW, TABLE, emit_card


@rule
def fine(s: State, seat: int) -> None:
    """MI-31: pay one chip to each other player, clockwise from the offender's left."""
    for i in range(1, s.seats):
        pay(s, seat, (seat + i) % s.seats, 1, cite("MI-31"))


@rule
def make_good(s: State, held: Ints, seat: int, start: int, paid: int) -> int:
    """MI-32: pay the players who lost by an offence, from the card that should have been played upward. Return the
    money cards paid for in this deal, including these. paid: those paid for before.
    """
    owed = np.zeros(SEATS, np.int64)
    card = after(start)
    while card >= 0:
        p = holder(s, held, card)
        if p < 0:
            break
        place = place_of(s, card)
        if place >= 0 and p != seat and s.hands[p] >> card & 1 and not paid >> place & 1:
            owed[p] += s.on[place]
            paid |= 1 << place
        card = after(card)
    for i in range(1, s.seats):
        p = (seat + i) % s.seats
        pay(s, seat, p, owed[p], cite("MI-32"))
    return paid


@rule
def reckon(s: State) -> None:
    """At the end of the deal: pay the fines in the order committed, unless they were paid at once, then the
    compensations in the same order.
    """
    if not s.rules.detect_immediate:
        retell(s, 1)
    retell(s, 0)


@rule
def retell(s: State, fining: int) -> None:
    """Go through the history with the hands that `s` now has. fining 1: pay the fines; 0: pay the compensations."""
    n = s.seats
    held = np.zeros(SEATS, np.int64)
    for p in range(n):
        held[p] = s.hands[p] | s.laid_by[p]
    cur, first, barred, paid = s.origin_cur, s.origin_last, s.origin_barred, 0
    for k in range(s.laid_count):
        seat, card = s.laid[k] >> 6, s.laid[k] & 63
        if s.leads >> k & 1:
            if cur >= 0:  # the sequence had stopped
                wanted = after(cur)
                p = holder(s, held, wanted) if wanted >= 0 else -1
                if p >= 0:  # O4: the next card was withheld
                    paid = offence(s, held, p, wanted, fining, paid)
                barred = bars(s, cur)
            whole = s.whole >> k & 1
            for i in range(n if whole else (seat - first) % n):
                p = (first + i) % n
                if open_leads(held[p], barred):  # O3: a lead passed
                    paid = offence(s, held, p, -1, fining, paid)
            low = lowest_of(held[seat], suit_of(card))
            if not whole and low != card:  # O1: not the lowest
                paid = offence(s, held, seat, low, fining, paid)
            elif not whole and barred >> suit_of(card) & 1:  # O2: a suit that may not be led
                paid = offence(s, held, seat, -1, fining, paid)
        if s.spun >> k & 1:
            barred = bars(s, cur)
            cur = -1
        else:
            cur = card
        first = seat
        held[seat] &= ~(1 << card)


@rule
def offence(s: State, held: Ints, seat: int, start: int, fining: int, paid: int) -> int:
    """Pay for one offence, and return the money cards paid for so far.

    start: the card that should have been played, -1 if nobody lost by the offence.
    """
    if fining:
        fine(s, seat)
    elif start >= 0:
        return make_good(s, held, seat, start, paid)
    return paid


# Found out at once (MI-Q16)


@rule
def show(s: State, seat: int, card: int) -> None:
    """A card that proves an offence is shown and taken back."""
    s.shows[seat] |= 1 << card
    emit_card(s, SHOW, seat, TABLE, card, cite("MI-Q16"))


@rule
def judge_lead(s: State, seat: int, card: int) -> None:
    """Judge a lead before it is laid: O1 shows the lowest card of the suit, and the card laid after O2 proves that
    the seat has no lower one.
    """
    low = lowest_of(s.hands[seat], suit_of(card))
    if low != card:
        show(s, seat, low)
        fine(s, seat)
    elif s.barred >> suit_of(card) & 1:
        fine(s, seat)
    s.lacks[seat] |= below(low)


@rule
def judge_pass(s: State, seat: int) -> None:
    """Judge a passed lead: O3 shows the cards that could have been led."""
    rest = cards = open_leads(s.hands[seat], s.barred)
    while rest:
        show(s, seat, lowest(rest))
        rest &= rest - 1
    proved_by_passing(s, seat)
    if cards:
        fine(s, seat)


@rule
def proved_by_passing(s: State, seat: int) -> None:
    """The public knowledge about a seat that has passed a lead: the cards that it could have led, and that it has no
    lower cards of their suits and no cards of the other open suits.
    """
    rest = open_leads(s.hands[seat], s.barred)
    s.shows[seat] |= rest
    lacks = open_suits(s.barred)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        lacks &= ~(open_suits(15 & ~(1 << suit_of(card))) & ~below(card))
    s.lacks[seat] |= lacks


@rule
def judge_silence(s: State, seat: int, card: int) -> bool:
    """Judge a seat that has not added the next card: O4 shows the card; otherwise the seat has proved that it lacks it.
    Return whether it was O4.
    """
    if s.hands[seat] >> card & 1:
        show(s, seat, card)
        fine(s, seat)
        return True
    s.lacks[seat] |= 1 << card
    return False
