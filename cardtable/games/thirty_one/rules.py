"""The rules of Thirty-One (TO), compiled.

A turn is two moves: STOCK or UPCARD, and the card to discard; or it is one, KNOCK. BLITZ is the only move of a seat
that has 31.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of
from cardtable.games.shared.scores import after, begin, everyone, open_deal, show_scores
from cardtable.games.thirty_one.facts import age_of, held_before, may_hold, put, redraw, unseen
from cardtable.games.thirty_one.policy import heuristic, slip
from cardtable.games.thirty_one.state import (
    ACTIONS,
    BLITZ,
    BLITZED,
    BY_BLITZ,
    BY_KNOCK,
    COUNTED,
    DISCARD,
    ENOUGH,
    EXHAUSTED,
    FOLDED,
    FROM_PILE,
    FROM_STOCK,
    KNOCK,
    KNOCKED,
    LEFT,
    LEVEL,
    MAX_LEVEL,
    MAX_MOVES,
    MAX_TAKEN,
    NEW_STOCKS,
    NO_CARD,
    NOTES,
    OUT,
    POINT,
    RESHUFFLE,
    STOCK,
    TAKEN,
    THREES,
    UPCARD,
    State,
    count_of,
    is_blitz,
    may_knock_with,
    pack_of,
    strength,
    threes,
    turn_of,
)
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.contract import (
    DEAL,
    DRAW,
    PAY,
    SHOW,
    TABLE,
    cite,
    clear_events,
    emit,
    emit_at,
    emit_card,
    emit_card_to,
    hide_hands,
    implement,
    list_cards,
    list_if,
    redact_events,
    won_by,
)

__all__ = ["ACTIONS", "MAX_MOVES", "State"]


@rule
def pack(s: State, cards: Any) -> int:
    return list_cards(cards, 0, pack_of(s))


@rule
def start(s: State) -> None:
    clear_events(s)
    begin(s, 1)  # TO-Q2
    s.alive = everyone(s)
    s.pot = s.level = 0
    for p in range(s.seats):
        s.scores[p] = s.rules.lives  # TO-04, TO-05, TO-C1


@rule
def deal(s: State, cards: Any) -> None:
    """TO-06: three cards each, singly from eldest; the next is the upcard, the others are the stock."""
    clear_events(s)
    open_deal(s, s.alive)
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("TO-06"))
    clear(s)
    s.drawn = s.showing = s.stocks = s.takes = s.played = s.turn_count = 0
    s.taken = NO_CARD
    s.knocker = -1
    k = 0
    p = s.dealer
    for _ in range(3 * count(s.alive)):
        p = after(s, p, s.alive)
        s.hands[p] |= 1 << cards[k]
        s.hidden[p, 0] += 1
        k += 1
    s.pile[0] = cards[k]
    s.pile_count = 1
    last = s.rules.pack - 1
    s.stock_count = last - k
    for i in range(s.stock_count):
        s.stock[i] = cards[last - i]
    s.turn = after(s, s.dealer, s.alive)  # TO-08
    p = s.dealer
    for _ in range(count(s.alive)):  # TO-Q3: a blitz on the deal is shown before the first turn
        p = after(s, p, s.alive)
        if not s.showing and is_blitz(s.hands[p]):
            s.showing = 1
            s.turn = p


@rule
def clear(s: State) -> None:
    """Gather the cards, and erase the facts of the last deal."""
    s.hands[:] = 0
    s.known[:] = 0
    s.hidden[:, :] = 0
    s.restocked[:] = 0
    s.pile[:] = 0
    s.turns[: s.turn_count] = 0


@rule
def may_knock(s: State, seat: int) -> bool:
    """TO-11, TO-Q11, TO-Q12, TO-C9: whether the seat whose turn begins may knock."""
    early = s.rules.first_round_knock_forbidden and s.played < count(s.in_play)
    return bool(s.knocker < 0 and not early and may_knock_with(s, s.hands[seat]))


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    if s.showing:
        moves[0] = BLITZ
        return 1
    if s.drawn:  # TO-09, TO-Q4
        return list_cards(moves, 0, s.hands[seat] & ~(1 << s.taken))
    moves[0] = STOCK
    k = list_if(moves, 1, UPCARD, s.takes < MAX_TAKEN)  # TO-Q15
    return list_if(moves, k, KNOCK, may_knock(s, seat))


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move == STOCK:
        draw(s, seat)
    elif move == UPCARD:
        take(s, seat)
    elif move == KNOCK:
        emit(s, KNOCKED, seat, TABLE, 0, cite("TO-11"))
        s.knocker = seat
        s.played += 1
        to_the_left(s, seat)
    elif move == BLITZ:
        emit(s, BLITZED, seat, TABLE, 0, cite("TO-10"))
        showdown(s, BY_BLITZ)
    else:
        discard(s, seat, move)


@rule
def draw(s: State, seat: int) -> None:
    """TO-09, TO-Q5: draw the top card of the stock, of a new one if need be."""
    if s.stock_count == 0:
        if s.stocks == NEW_STOCKS:
            emit(s, ENOUGH, TABLE, TABLE, 0, cite("TO-Q5"))
            showdown(s, EXHAUSTED)
            return
        restock(s)
    s.stock_count -= 1
    card = s.stock[s.stock_count]
    s.stock[s.stock_count] = 0
    s.hands[seat] |= 1 << card
    s.hidden[seat, s.stocks] += 1
    s.drawn = FROM_STOCK
    emit_card_to(s, seat, DRAW, seat, TABLE, card, cite("TO-09"))


@rule
def restock(s: State) -> None:
    """TO-Q5: all discards but the upcard are shuffled and become the stock."""
    s.stocks += 1
    n = s.pile_count - 1
    cards = 0
    for i in range(n):
        s.stock[i] = s.pile[i]
        cards |= 1 << s.pile[i]
        s.pile[i] = 0
    prng.shuffle_stock(s.rng, s.stock, n)
    s.stock_count = n
    s.restocked[s.stocks] = cards
    s.pile[0] = s.pile[n]
    s.pile[n] = 0
    s.pile_count = 1
    emit(s, RESHUFFLE, TABLE, TABLE, n, cite("TO-Q5"))


@rule
def take(s: State, seat: int) -> None:
    """TO-09: take the upcard, in view of everybody."""
    s.pile_count -= 1
    card = s.pile[s.pile_count]
    s.pile[s.pile_count] = 0
    s.hands[seat] |= 1 << card
    s.known[seat] |= 1 << card
    s.taken = card
    s.takes += 1
    s.drawn = FROM_PILE
    emit_card(s, TAKEN, seat, TABLE, card, cite("TO-09"))


@rule
def discard(s: State, seat: int, card: int) -> None:
    """TO-09, TO-10: discard one card face up; if the three kept are a blitz, the hand ends."""
    emit_card(s, DISCARD, seat, TABLE, card, cite("TO-09"))
    was_known = s.known[seat] >> card & 1
    s.turns[s.turn_count] = turn_of(seat, s.taken, card, was_known, s.stocks)
    s.turn_count += 1
    if not was_known:
        s.hidden[seat, age_of(s, card)] -= 1
    s.hands[seat] &= ~(1 << card)
    s.known[seat] &= ~(1 << card)
    s.pile[s.pile_count] = card
    s.pile_count += 1
    s.drawn = 0
    s.taken = NO_CARD
    s.played += 1
    if is_blitz(s.hands[seat]):
        s.showing = 1
    else:
        to_the_left(s, seat)


@rule
def to_the_left(s: State, seat: int) -> None:
    """TO-08, TO-12: the next player's turn, or the end when it is the knocker's."""
    s.turn = after(s, seat, s.in_play)
    if s.turn == s.knocker:
        showdown(s, BY_KNOCK)


@rule
def showdown(s: State, cause: int) -> None:
    """TO-13 to TO-20: all hands are shown and counted, and the losers pay."""
    s.over = 1
    worth = np.zeros(s.seats, np.int64)
    p = s.dealer
    for _ in range(count(s.in_play)):
        p = after(s, p, s.in_play)
        worth[p] = strength(s, s.hands[p])
        hand = s.hands[p]
        while hand:
            emit_card(s, SHOW, p, TABLE, lowest(hand), cite("TO-13"))
            hand &= hand - 1
        if threes(s, s.hands[p]):
            emit_at(s, THREES, p, TABLE, -1, rank_of(lowest(s.hands[p])), 0, cite("TO-C4"))
        else:
            emit(s, COUNTED, p, TABLE, count_of(s.hands[p], s.rules.odd_card_best_suit), cite("TO-13"))
    losers = losers_of(s, worth, cause)
    if losers == 0:
        emit(s, LEVEL, TABLE, TABLE, 0, cite("TO-Q7"))
        s.level += 1
    else:
        s.level = 0
    p = s.dealer
    for _ in range(count(s.in_play)):
        p = after(s, p, s.in_play)
        if losers >> p & 1:
            lose(s, p, cause, losers)
    finish(s)


@rule
def losers_of(s: State, worth: Any, cause: int) -> int:
    """The losers, as a mask: TO-16, TO-Q7, TO-Q10, TO-C8; none if all are level."""
    low = 32 * POINT
    losers = 0
    if cause == BY_BLITZ and s.rules.blitz_penalty_all_others:
        for p in range(s.seats):
            if s.in_play >> p & 1 and worth[p] < 31 * POINT:
                losers |= 1 << p
        return losers
    for p in range(s.seats):
        if s.in_play >> p & 1 and worth[p] <= low:
            losers = (losers if worth[p] == low else 0) | 1 << p
            low = worth[p]
    if cause == BY_KNOCK and losers & (losers - 1) and s.rules.knock_tie_spared:
        return losers & ~(1 << s.knocker)
    return 0 if losers == s.in_play else losers


@rule
def owed(s: State, seat: int, cause: int, losers: int) -> int:
    """The markers that a loser owes, and a knocker perhaps more: TO-16, TO-17, TO-C6, TO-C7, TO-C8."""
    if seat != s.knocker:
        return 1
    if cause == BY_KNOCK:
        alone = losers & (losers - 1) == 0
        return int(s.rules.knock_loses if alone else 1 + s.rules.knock_tie_pays_two)
    return int(s.rules.blitz_loses if cause == BY_BLITZ and s.rules.blitz_penalty_all_others else 1)


@rule
def cause_of(s: State, seat: int, cause: int, losers: int) -> int:
    """The rule by which a loser loses."""
    if seat == s.knocker and cause == BY_KNOCK:
        return cite("TO-17") if losers & (losers - 1) == 0 else cite("TO-C8")
    if cause == BY_BLITZ and s.rules.blitz_penalty_all_others:
        return cite("TO-C6") if owed(s, seat, cause, losers) > 1 else cite("TO-Q10")
    return cite("TO-16")


@rule
def lose(s: State, seat: int, cause: int, losers: int) -> None:
    """TO-16 to TO-19, TO-Q8: lose markers, or the match."""
    if s.scores[seat] == 0:
        s.alive &= ~(1 << seat)
        s.gained[seat] = -1
        emit(s, OUT, seat, TABLE, 0, cite("TO-19"))
        return
    n = min(owed(s, seat, cause, losers), s.scores[seat])
    why = cause_of(s, seat, cause, losers)
    s.scores[seat] -= n
    s.gained[seat] = -n
    if s.rules.stake_banknote:
        emit(s, FOLDED, seat, TABLE, -n, why)
    else:
        s.pot += n
        emit(s, PAY, seat, TABLE, n, why)
    if s.scores[seat] == 0 and not s.rules.free_life:
        s.alive &= ~(1 << seat)
        emit(s, OUT, seat, TABLE, 0, cite("TO-C2"))


@rule
def finish(s: State) -> None:
    """TO-20, TO-Q16: see whether the match is over, and share the banknotes."""
    n = count(s.alive)
    if n > 1 and s.level < MAX_LEVEL:
        return
    why = cite("TO-20") if n == 1 else cite("TO-Q16")
    each, odd = s.seats // n, s.seats % n
    p = s.dealer
    for i in range(n):
        p = after(s, p, s.alive)
        emit(s, LEFT, p, TABLE, 0, why)
        if s.rules.stake_banknote:
            emit(s, NOTES, p, TABLE, each + (1 if i < odd else 0), why)
    if n == 1:
        s.winner = p


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for i in range(s.stock_count):
        s.stock[i] = 0
    if s.over or s.showing:  # TO-10, TO-13
        return
    hide_hands(s, seat)


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    redraw(s, seat)


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    if s.over and (count(s.alive) == 1 or s.level >= MAX_LEVEL):
        return won_by(s.alive)
    return 0


@rule
def bounds(s: State, out: Any) -> None:
    stock = s.rules.pack - 1 - 3 * count(s.in_play)
    out[0] = 2 * ((NEW_STOCKS + 1) * stock + MAX_TAKEN) + 3  # and a knock, a last call for a card or a blitz
    out[1], out[2] = -2.0, 0.0


implement(
    State,
    pack,
    start,
    deal,
    legal,
    play,
    redact,
    resample,
    unseen,
    may_hold,
    put,
    held_before,
    standing,
    bounds,
    heuristic,
    slip,
)
