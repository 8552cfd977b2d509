"""Offences of Fan Tan: passing or drawing while able to play (FT-34 to FT-40), what they cost, and what they reveal.

Undiscovered offences are not stored. They follow from the public history and the hands (see `retell`), so there is
nothing to leak. `held` are the hands at the time of the offence, and `fits` the cards that could be laid then.
"""

from __future__ import annotations

import numpy as np

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.fan_tan.layout import founding, playable
from cardtable.games.fan_tan.state import FanTanTable
from cardtable.games.shared.chips import SEATS, holder, pay
from cardtable.kernel import Ints, cite, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules.contract import TABLE


@rule
def withheld(s: FanTanTable, held: Ints, seat: int, fits: int) -> int:
    """The founding cards for which a seat is fined: F of the offence record (FT-35, FT-38, FN-Q2)."""
    able = fits & held[seat]
    founders = founding(s)
    if s.rules.fine_when_forced and able & ~founders:
        return 0
    return able & founders


@rule
def creditor_card(s: FanTanTable, held: Ints, seat: int, founder: int, side: int) -> int:
    """The card on one side (+1 or -1) of a withheld founding card whose holder is paid; -1 if there is none (FT-37,
    FT-Q6).
    """
    card = founder + side
    while s.rules.fine_beyond_run and suit_of(card) == suit_of(founder) and held[seat] >> card & 1:
        card += side
    return card if card >= 0 and suit_of(card) == suit_of(founder) else -1


@rule
def fine(s: FanTanTable, held: Ints, seat: int, fits: int) -> None:
    """Pay what an offence costs: first to the pot, then to the creditors, clockwise from the payer's left."""
    if not fits & held[seat]:
        return
    pay(s, seat, TABLE, s.rules.fine_pot, cite("FT-34"))
    sevens = withheld(s, held, seat, fits)
    owed = np.zeros(SEATS, np.int64)
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        for side in range(-1, 2, 2):
            card = creditor_card(s, held, seat, founder, side)
            if card >= 0:
                to = holder(s, held, card)
                if to >= 0 and to != seat:  # FT-Q5
                    owed[to] += s.rules.fine_neighbour
    for i in range(1, s.seats):
        to = (seat + i) % s.seats
        pay(s, seat, to, owed[to], s.rules.neighbour_cite)


@rule
def show(s: FanTanTable, held: Ints, seat: int, fits: int) -> None:
    """Make public the cards revealed by an offence that is found out at once: the withheld founding cards, and the
    holders of the creditor cards.
    """
    sevens = withheld(s, held, seat, fits)
    founders = fits & founding(s)
    others = fits & ~founders
    if s.rules.fine_when_forced:
        if sevens:
            s.lacks[seat] |= others
    elif founders:
        s.lacks[seat] |= founders & ~sevens
    if sevens:
        s.shows[seat] |= sevens
        if s.rules.fine_when_forced:
            s.lacks[seat] |= founders & ~sevens
    elif not s.one_of[seat]:  # another open fact implies this one, because what fits stays fitting
        s.one_of[seat] = others
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        for side in range(-1, 2, 2):
            card = founder + side
            last = creditor_card(s, held, seat, founder, side)
            while card >= 0 and suit_of(card) == suit_of(founder) and card != last:
                s.shows[seat] |= 1 << card
                card += side
            if last >= 0:
                to = holder(s, held, last)
                if to >= 0:
                    s.shows[to] |= 1 << last


@rule
def finding(s: FanTanTable, held: Ints, seat: int, fits: int) -> int:
    """The facts found out at once about a draw, as a number: the same that `show` would make public.

    0: the draw was clean. Otherwise 1 | the suits of the withheld founding cards << 1 | five bits for each side << 5:
    the distance of the creditor card from the founding card (0 if there is none), and whether it was paid for.
    """
    if not fits & held[seat]:
        return 0
    result = 1
    sevens = withheld(s, held, seat, fits)
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        suit = suit_of(founder)
        result |= 2 << suit
        for side in range(2):
            card = creditor_card(s, held, seat, founder, 2 * side - 1)
            if card >= 0:
                to = holder(s, held, card)
                paid = 1 if to >= 0 and to != seat else 0
                result |= (abs(card - founder) | paid << 4) << 5 + 5 * (2 * suit + side)
    return result


@rule
def rewind(s: FanTanTable, held: Ints) -> None:
    """The hands as they were where the history begins."""
    for p in range(s.seats):
        held[p] = s.hands[p] | s.laid_by[p]
    for i in range(s.drawn):
        held[s.drew[i] & 15] &= ~(1 << s.stock[i])


@rule
def retell(s: FanTanTable, fining: int) -> int:
    """Replay the history with the current hands of `s` as the final hands.

    fining 1: pay for each offence, in the order committed. fining 0: pay nothing; return 0 if the findings about the
    draws contradict these hands, otherwise 1.
    """
    held = np.zeros(SEATS, np.int64)
    rewind(s, held)
    layout, rank = s.layout, s.set_rank
    s.layout = s.origin
    first = s.opener
    if s.origin == 0 and count(s.rules.start_ranks) > 1:
        s.set_rank = 0
    drawn = 0
    fits_all = 1
    for k in range(s.laid_count + 1):
        fits = playable(s)
        while drawn < s.drawn and s.drew[drawn] >> 4 == k:
            seat = s.drew[drawn] & 15
            if fining:
                fine(s, held, seat, fits)
            elif s.found[drawn] != finding(s, held, seat, fits):
                fits_all = 0
            held[seat] |= 1 << s.stock[drawn]
            drawn += 1
        if fining and s.skipped[k]:
            for i in range(s.seats):
                seat = (first + i) % s.seats
                if s.skipped[k] >> seat & 1:
                    fine(s, held, seat, fits)
        if k < s.laid_count:
            card = s.laid[k]
            for p in range(s.seats):
                if s.laid_by[p] >> card & 1:
                    held[p] &= ~(1 << card)
                    first = (p + 1) % s.seats
            if s.set_rank == 0:
                s.set_rank = rank_of(card) + 1
            s.layout |= 1 << card
    s.layout, s.set_rank = layout, rank
    return fits_all
