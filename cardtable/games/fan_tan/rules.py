"""The rules of Fan Tan (FT), Five or Nine (FN) and Domino Fan-Tan (DF), compiled.

A move is a card to lay (0..51), PASS, DRAW (Domino) or DONE (end of a turn of several cards). One state serves the
three games; what differs are house rules: which ranks found a row, how many cards are dealt.

What the moves of a deal prove is stored as **facts** about the hands: `lacks`, `shows`, `one_of`, `keeps`. A playable
card stays playable until it is laid, so a seat that could not play lacks the playable cards until they are laid. Worlds
are drawn from the facts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, SUIT, rank_of, suit_of
from cardtable.games.fan_tan.layout import founding, may_pass, must_give_up, opening_card, playable, run_on
from cardtable.games.fan_tan.offences import finding, fine, retell, show
from cardtable.games.fan_tan.policy import heuristic
from cardtable.games.fan_tan.state import (
    ACTIONS,
    DONE,
    DRAW,
    FOUNDERS,
    MAX_MOVES,
    NO_GROUP,
    PASS,
    STOCK,
    FanTanTable,
    prepare,
)
from cardtable.games.shared.chips import SEATS, holder, open_deal, pay, share_rest, take_pot, within
from cardtable.games.shared.stock import put, unseen
from cardtable.kernel import cite, field, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.contract import (
    DEAL,
    LAY,
    OWN,
    TABLE,
    UNKNOWN,
    VOID,
    WIN,
    clear_events,
    emit,
    emit_card,
    emit_card_to,
    implement,
    list_cards,
    list_if,
    redact_events,
)
from cardtable.rules.contract import DONE as ENDED
from cardtable.rules.contract import DRAW as DREW
from cardtable.rules.contract import PASS as PASSED

__all__ = ["ACTIONS", "MAX_MOVES", "State", "prepare"]

LOST, LAID_OUT = OWN, OWN + 1  # events


class State(FanTanTable):
    """The state of a table of Fan Tan or Five or Nine."""

    fan_tan: int = field()  #: distinguishes this state class from Domino's; always 0


@rule
def deal(s: FanTanTable, cards: Any) -> None:
    clear_events(s)
    open_deal(s)
    n = s.seats
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("FT-14"))
    for p in range(n):
        s.hands[p] = s.counts[p] = s.lacks[p] = s.shows[p] = s.one_of[p] = s.keeps[p] = s.laid_by[p] = 0
        s.passed[p] = s.laid_out[p] = 0
    s.layout = s.absent = s.origin = s.strays = 0
    s.set_rank = lowest(s.rules.start_ranks) + 1 if count(s.rules.start_ranks) == 1 else 0
    s.group = NO_GROUP
    for k in range(s.laid_count):
        s.laid[k] = 0
    s.passes = s.drawn = s.fresh = s.laid_count = 0
    for k in range(53):
        s.skipped[k] = 0
    dealt = s.rules.hand_size * n if s.rules.hand_size else 52
    s.turn = s.opener = p = (s.dealer + 1) % n  # FT-14, FT-20: from eldest, singly
    for i in range(dealt):
        s.hands[p] |= 1 << cards[i]
        s.counts[p] += 1
        p = p + 1 if p + 1 < n else 0
    s.stock_size = 52 - dealt  # DF-02
    for i in range(s.stock_size):
        s.stock[i] = cards[dealt + i]
        s.drew[i] = s.found[i] = 0
    for i in range(n):
        p = (s.dealer + 1 + i) % n
        pay(s, p, TABLE, s.rules.ante + ante_extra(s, p), s.rules.ante_cite)
    if s.rules.open_card:
        s.turn = s.opener = holder(s, s.hands, s.rules.open_card - 1)  # FT-C1
        s.shows[s.turn] = opening_card(s)


@rule
def ante_extra(s: FanTanTable, seat: int) -> int:
    """FT-16, FT-19: 1 more for the shorter or the longer hands, where hands differ."""
    n = s.seats
    if s.rules.ante == 0 or s.stock_size or 52 % n == 0 or s.rules.ante_rule_flat:
        return 0
    longer = s.counts[seat] > 52 // n
    return 1 if longer == s.rules.ante_rule_more_extra else 0


@rule
def further(s: FanTanTable) -> int:
    """The cards that may follow in a turn of several cards (FT-30, FT-31, FT-Q9)."""
    return playable(s) & group_cards(s, s.group)


@rule
def group_cards(s: FanTanTable, group: int) -> int:
    """The cards that belong to a group: the founding cards, or a suit without its founding card; all cards where any
    card may follow.
    """
    if s.rules.plays_per_turn_any:
        return ALL_52
    founders = founding(s)
    return founders if group == FOUNDERS else SUIT << 13 * (group - 1) & ~founders


@rule
def kept(s: FanTanTable, keeps: int, hand: int) -> bool:
    """Whether a hand agrees with the fact `keeps`."""
    if s.rules.plays_per_turn_any:
        return keeps == 0 or keeps & hand != 0
    for group in range(1, FOUNDERS + 1):
        cards = keeps & group_cards(s, group)
        if cards and not cards & hand:
            return False
    return True


@rule
def legal(s: FanTanTable, seat: int, moves: Any) -> int:
    fits = (further(s) if s.group else playable(s)) & s.hands[seat]
    able = fits != 0
    k = list_cards(moves, 0, fits)
    if s.group:
        return list_if(moves, k, DONE, True)
    if s.drawn < s.stock_size:  # DF-03
        return list_if(moves, k, DRAW, not able or s.rules.enforce_penalise)
    return list_if(moves, k, PASS, not able or may_pass(s, seat))


@rule
def play(s: FanTanTable, seat: int, move: int) -> None:
    clear_events(s)
    if move == DONE:
        emit(s, ENDED, seat, TABLE, 0, cite("FT-Q9"))
        to_the_left(s)
    elif move == DRAW:
        draw(s, seat)
    elif move == PASS:
        skip(s, seat)
    else:
        lay(s, seat, move)


@rule
def to_the_left(s: FanTanTable) -> None:
    """Pass the turn to the next seat that has not lost (FT-20, FT-C2)."""
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    if s.rules.passes > 0:
        while s.laid_out[s.turn]:
            s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.group = NO_GROUP


@rule
def lay(s: FanTanTable, seat: int, card: int) -> None:
    """FT-25, FT-29 to FT-31, FT-C1, FN-03."""
    emit_card(s, LAY, seat, TABLE, card, cite("FT-C1") if opening_card(s) else cite("FT-25"))
    if s.rules.enforce_penalise:
        s.laid[s.laid_count] = card
        s.laid_by[seat] |= 1 << card
    s.laid_count += 1
    s.fresh = 0
    s.hands[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    s.shows[seat] &= ~(1 << card)
    if s.one_of[seat] >> card & 1:
        s.one_of[seat] = 0
    if s.set_rank == 0:
        s.set_rank = rank_of(card) + 1
    founder = founding(s) >> card & 1
    s.layout |= 1 << card
    if s.strays:
        run_on(s)
    s.passes = 0
    if s.counts[seat] == 0:  # FT-41
        settle(s, seat)
        return
    if s.rules.several:
        if s.group == NO_GROUP:
            s.group = FOUNDERS if founder else 1 + suit_of(card)
        if goes_on(s, seat, card):
            return
    to_the_left(s)


@rule
def goes_on(s: FanTanTable, seat: int, card: int) -> bool:
    """Whether the turn continues after a card (FT-30, FT-31). Either result is public information about the hand
    (FT-Q9).
    """
    group = group_cards(s, s.group)
    more = playable(s) & group
    if s.keeps[seat] >> card & 1:
        s.keeps[seat] &= ~group
    if more & s.hands[seat]:
        if not s.keeps[seat] & group:  # another open fact implies this one, because what fits stays fitting
            s.keeps[seat] |= more
        return True
    s.lacks[seat] |= more
    return False


@rule
def skip(s: FanTanTable, seat: int) -> None:
    """A pass: FT-22, FT-23, FT-34, FT-C2, FT-C3."""
    if must_give_up(s, seat):
        give_up(s, seat)
        return
    emit(s, PASSED, seat, TABLE, 0, s.rules.pass_cite)
    pay(s, seat, TABLE, s.rules.pass_chip, s.rules.pass_cite)
    if s.rules.passes == 0:
        fail(s, seat, may_pass(s, seat))
    else:  # a free pass proves nothing
        if not may_pass(s, seat):
            fail(s, seat, False)
        s.passed[seat] += s.rules.passes > 0
    s.fresh = 0
    s.passes += 1
    rounds = 2 if s.rules.enforce_penalise or s.rules.passes < 0 else 1
    dead = s.passes == s.seats and s.layout == 0 and s.rules.dead_hand  # FT-24
    if dead or (s.passes == rounds * s.seats and s.rules.passes <= 0):
        settle(s, -1)
    else:
        to_the_left(s)


@rule
def give_up(s: FanTanTable, seat: int) -> None:
    """FT-C2: a seat that has no pass left and cannot lay a card lays out its hand, and has no more turns."""
    emit(s, LOST, seat, TABLE, 0, cite("FT-C2"))
    cards = s.hands[seat]
    while cards:
        emit_card(s, LAID_OUT, seat, TABLE, lowest(cards), cite("FT-C2"))
        cards &= cards - 1
    s.laid_out[seat] = s.hands[seat]
    s.strays |= s.hands[seat]
    s.hands[seat] = s.counts[seat] = s.lacks[seat] = s.shows[seat] = s.one_of[seat] = s.keeps[seat] = 0
    to_the_left(s)
    last = s.turn
    for p in range(s.seats):
        if p != last and not s.laid_out[p]:
            return
    settle(s, last)


@rule
def draw(s: FanTanTable, seat: int) -> None:
    """DF-03, DF-04: pay, and take the top card of the stock; the same seat continues."""
    pay(s, seat, TABLE, s.rules.draw_chip, s.rules.draw_cite)
    s.drew[s.drawn] = seat | s.laid_count << 4
    fail(s, seat, s.rules.enforce_penalise)
    card = s.stock[s.drawn]
    s.drawn += 1
    s.fresh = 1 - s.rules.enforce_penalise
    s.hands[seat] |= 1 << card
    s.counts[seat] += 1
    emit_card_to(s, seat, DREW, seat, TABLE, card, s.rules.draw_cite)


@rule
def fail(s: FanTanTable, seat: int, doubtful: int) -> None:
    """Apply the cost of a pass or a draw, and what it proves. doubtful: the seat may have been able to play."""
    fits = playable(s)
    if not doubtful:
        s.lacks[seat] |= fits
        return
    drawing = s.drawn < s.stock_size
    if not drawing:
        s.skipped[s.laid_count] |= 1 << seat
    if not s.rules.detect_immediate:
        return
    held = np.zeros(SEATS, np.int64)
    for p in range(s.seats):
        held[p] = s.hands[p]
    if drawing:
        s.found[s.drawn] = finding(s, held, seat, fits)
    elif not fits & held[seat]:
        s.lacks[seat] |= fits
    else:
        show(s, held, seat, fits)
    fine(s, held, seat, fits)


@rule
def settle(s: FanTanTable, winner: int) -> None:
    """FT-42, FT-43: end the deal. winner -1: the deal is dead (FT-24), or no seat can act."""
    s.over = 1
    s.winner = winner
    n = s.seats
    if s.rules.enforce_penalise and not s.rules.detect_immediate:
        retell(s, 1)  # FT-40
    if winner < 0:
        dead = s.layout == 0 and s.rules.dead_hand
        emit(s, VOID, TABLE, TABLE, 0, cite("FT-24") if dead else cite("FT-Q14"))
        for p in range(n):
            pay(s, p, TABLE, 1 if dead else 0, cite("FT-24"))
    else:
        emit(s, WIN, winner, TABLE, 0, cite("FT-C2") if s.counts[winner] else cite("FT-41"))
        s.won[winner] += 1
        for i in range(n):
            p = (s.dealer + 1 + i) % n
            if p != winner:
                left = s.counts[p] + count(s.laid_out[p])
                pay(s, p, winner if s.rules.settle_direct else TABLE, left, s.rules.settle_cite)
        take_pot(s, winner, cite("FT-41"))
    close(s)


@rule
def close(s: FanTanTable) -> None:
    """Share a pot that was not won by the last deal of the match."""
    if s.deal_number >= s.rules.deals and s.pot:
        share_rest(s, cite("FT-Q13"))


@rule
def redact(s: FanTanTable, seat: int) -> None:
    redact_events(s, seat)
    if s.over:  # the remaining hands are shown
        for i in range(s.drawn, s.stock_size):
            s.stock[i] = 0
        return
    for p in range(s.seats):
        if p != seat:
            s.hands[p] = 0
        s.lacks[p] &= ~s.layout
        s.one_of[p] &= ~s.layout
        s.keeps[p] &= ~s.layout
    for i in range(s.stock_size):
        if i >= s.drawn or s.drew[i] & 15 != seat or not s.rules.enforce_penalise:
            s.stock[i] = 0


@rule
def resample(s: FanTanTable, seat: int, work: worlds.Work) -> None:
    if s.over:
        return
    n = s.seats
    room = np.zeros(n + 2, np.int64)  # the hands, the stock, and the card just drawn by another seat
    hands = np.zeros(n + 2, np.int64)
    lacks = np.zeros(n + 2, np.int64)
    unseen = ALL_52 & ~s.absent & ~s.layout & ~s.strays & ~(s.hands[seat] if seat >= 0 else 0)
    for p in range(n):
        if p != seat:
            room[p] = s.counts[p] - count(s.shows[p])
            unseen &= ~s.shows[p]
            lacks[p] = s.lacks[p]
    room[n] = s.stock_size - s.drawn
    if s.fresh and s.turn != seat:
        room[s.turn] -= 1
        room[n + 1] = 1
    while True:
        for p in range(n):
            hands[p] = s.hands[p] if p == seat else s.shows[p]
        hands[n] = hands[n + 1] = 0
        worlds.fill(s.rng, unseen, hands, lacks, room, n + 2, work)
        hands[s.turn] |= hands[n + 1]
        good = True
        for p in range(n):
            if (s.one_of[p] and not s.one_of[p] & hands[p]) or not kept(s, s.keeps[p], hands[p]):
                good = False
        if good:
            break
    for p in range(n):
        s.hands[p] = hands[p]
    stock: Any = s.stock
    worlds.spread(s.rng, hands[n], stock[s.drawn :])


@rule
def may_hold(s: FanTanTable, seat: int, place: int, cards: int) -> bool:
    if place == s.seats:
        return True
    some = s.one_of[place]
    known = s.lacks[place] & cards == 0 and s.shows[place] & ~cards == 0 and (some == 0 or some & cards != 0)
    return known and kept(s, s.keeps[place], cards)


@rule
def held_before(s: FanTanTable, who: int, move: int, cards: int, rng: Any) -> int:
    """A drawn card is hidden, so the previous hand is unknown."""
    return UNKNOWN if move == DRAW else (cards | 1 << move if move < PASS else cards)


@rule
def is_pass(s: FanTanTable, move: int) -> int:
    return 1 if move in (PASS, DRAW) else 0


@rule
def bounds(s: FanTanTable, out: Any) -> None:
    n = s.seats
    turns = 2 * n + 2  # between two cards: passes, and a `done`
    out[0] = 52 * turns + STOCK
    r = s.rules
    acts = 52 * 2 + STOCK  # passes and draws of one seat
    offence = (r.fine_pot + 8 * r.fine_neighbour) * r.enforce_penalise
    cost = acts * (max(r.pass_chip, r.draw_chip) + offence) + r.ante + 1 + 52
    within(s, out, cost)


implement(State, deal, legal, play, redact, resample, unseen, may_hold, put, held_before, is_pass, bounds, heuristic)
