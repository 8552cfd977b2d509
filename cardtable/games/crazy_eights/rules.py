"""The rules of Crazy Eights (CE), compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.crazy_eights.knowledge import add_token, clear, give, leave, open_pool, prove
from cardtable.games.crazy_eights.places import held_before, may_hold, odds_before, put, unseen
from cardtable.games.crazy_eights.policy import heuristic, slip
from cardtable.games.crazy_eights.possible import fill_world
from cardtable.games.crazy_eights.state import (
    ACTIONS,
    BATCHES,
    CARDS,
    DRAW,
    EIGHTS,
    JOKERS,
    MAX_MOVES,
    NAME,
    NAMED_8,
    PASS,
    WILD,
    State,
    can_draw,
    hand,
    playable,
)
from cardtable.games.shared.scores import everyone, open_deal, score
from cardtable.kernel import cite, prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.contract import (
    DEAL,
    LAY,
    OWN,
    TABLE,
    VOID,
    WIN,
    clear_events,
    emit,
    emit_at,
    emit_card,
    emit_card_to,
    implement,
    list_cards,
    list_if,
    redact_events,
)
from cardtable.rules.contract import DRAW as DREW
from cardtable.rules.contract import PASS as PASSED

__all__ = ["ACTIONS", "MAX_MOVES", "State", "reshuffle"]

TURNED_UP, BURIED, RESHUFFLED, NAMED = OWN, OWN + 1, OWN + 2, OWN + 3  # events; NAMED at a suit


@rule
def pack(s: State, cards: Any) -> int:
    """CE-03: shuffle one or two packs, each with its jokers."""
    k = 0
    for _ in range(s.rules.decks):
        k = list_cards(cards, k, (1 << 52 + s.rules.jokers) - 1)
    return k


@rule
def deal(s: State, cards: Any) -> None:
    """CE-04, CE-05: deal the hands one card at a time from eldest, then the stock and the upcard."""
    clear_events(s)
    n = s.seats
    open_deal(s, everyone(s))
    s.naming = s.named = s.free = s.turns = s.pile_size = s.stock_size = 0
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("CE-04"))
    clear(s)
    for i in range(CARDS):
        s.stock[i] = s.pile[i] = s.sure[i] = 0
    s.pools = 1
    s.turn = p = (s.dealer + 1) % n  # CE-06
    dealt = s.rules.hand_size * n
    for i in range(dealt):
        add_token(s, 0, cards[i], 1)
        give(s, p, cards[i], 0)
        p = p + 1 if p + 1 < n else 0
    lay_out(s, cards, dealt, s.rules.decks * (52 + s.rules.jokers))


@rule
def lay_out(s: State, cards: Any, top: int, bottom: int) -> None:
    """CE-05: turn the upcard, above the stock. A wild card is buried, for all to see (CE-Q1)."""
    sure = np.zeros(CARDS, np.int64)
    while s.rules.starter_wild_bury and WILD >> cards[top] & 1:
        wild = cards[top]
        emit_card(s, BURIED, TABLE, TABLE, wild, cite("CE-Q1"))
        above = (bottom - top - 1) // 2
        for i in range(top, top + above):
            cards[i] = cards[i + 1]
            sure[i] = sure[i + 1]
        cards[top + above] = wild
        sure[top + above] = 1
    turn_up(s, cards[top])
    for i in range(top + 1, bottom):
        k = bottom - 1 - i
        s.stock[k] = cards[i]
        if sure[i]:
            s.sure[k] = cards[i] + 1
        else:
            add_token(s, 0, cards[i], 1)
    s.stock_size = bottom - top - 1


@rule
def turn_up(s: State, card: int) -> None:
    """CE-05, CE-Q1: turn the upcard; a wild card lets eldest play anything, or the dealer names a suit for an eight."""
    emit_card(s, TURNED_UP, TABLE, TABLE, card, cite("CE-05"))
    s.pile[0] = card
    s.pile_size = 1
    if WILD >> card & 1:
        if s.rules.starter_wild_dealer_names and EIGHTS >> card & 1:
            s.naming = 1
            s.turn = s.dealer
        else:
            s.free = 1


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    if s.naming:
        for suit in range(4):
            moves[suit] = NAME + suit
        return 4
    fits = playable(s) & hand(s, seat)
    able = fits != 0
    eights = fits & EIGHTS if s.counts[seat] > 1 else 0  # no suit is named with the last card (CE-E6)
    fits &= ~eights
    k = list_cards(moves, 0, fits)
    while eights:  # CE-09
        first = NAMED_8 + 4 * suit_of(lowest(eights))
        eights &= eights - 1
        for suit in range(4):
            moves[k] = first + suit
            k += 1
    if can_draw(s):  # CE-11, CE-Q2, CE-Q3
        return list_if(moves, k, DRAW, s.rules.draw_willing or not able)
    return list_if(moves, k, PASS, not able)  # CE-Q5


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move >= NAME:
        s.named = move - NAME + 1
        emit_at(s, NAMED, seat, TABLE, -1, move - NAME, 0, cite("CE-Q1"))
        s.naming = 0
        s.turn = (s.dealer + 1) % s.seats
    elif move == DRAW:
        draw(s, seat)
    elif move == PASS:
        emit(s, PASSED, seat, TABLE, 0, cite("CE-Q5"))
        prove(s, seat)
        to_the_left(s)
    else:
        lay(s, seat, move)


@rule
def draw(s: State, seat: int) -> None:
    """CE-11: draw the top card of the stock; the same seat continues."""
    if not s.rules.draw_willing:
        prove(s, seat)
    if s.stock_size == 0:  # CE-Q4
        reshuffle(s)
    s.stock_size -= 1
    top = s.stock_size
    card = s.stock[top]
    known = 1 if s.sure[top] else 0
    s.stock[top] = s.sure[top] = 0
    give(s, seat, card, known)
    if known:  # its place was public
        emit_card(s, DREW, seat, TABLE, card, cite("CE-11"))
    else:
        emit_card_to(s, seat, DREW, seat, TABLE, card, cite("CE-11"))


@rule
def reshuffle(s: State) -> None:
    """CE-12: keep the upcard, and turn the other discards into the new stock; a named suit or a free choice stays in
    force.
    """
    e = open_pool(s)
    top = s.pile_size - 1
    for i in range(top):
        s.stock[i] = s.pile[i]
        add_token(s, e, s.pile[i], 1)
    s.stock_size = top
    prng.shuffle_stock(s.rng, s.stock, top)
    s.pile[0] = s.pile[top]
    for i in range(1, top + 1):
        s.pile[i] = 0
    s.pile_size = 1
    emit(s, RESHUFFLED, TABLE, TABLE, top, cite("CE-12"))


@rule
def lay(s: State, seat: int, move: int) -> None:
    """CE-07 to CE-10."""
    kind = move if move < NAMED_8 else 7 + 13 * ((move - NAMED_8) // 4)
    leave(s, seat, kind)
    s.pile[s.pile_size] = kind
    s.pile_size += 1
    emit_card(
        s,
        LAY,
        seat,
        TABLE,
        kind,
        cite("CE-10") if kind >= 52 else cite("CE-08") if rank_of(kind) == 7 else cite("CE-07"),
    )
    s.named = 0
    s.free = 1 if kind >= 52 else 0  # CE-10, CE-Q8
    if move >= NAMED_8:
        s.named = (move - NAMED_8) % 4 + 1
        emit_at(s, NAMED, seat, TABLE, -1, s.named - 1, 0, cite("CE-09"))
    if s.counts[seat] == 0:
        win(s, seat)
    else:
        to_the_left(s)


@rule
def to_the_left(s: State) -> None:
    """CE-06; after the last turn allowed the deal is void (CE-Q7)."""
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.turns += 1
    if s.turns >= s.rules.turn_cap:
        s.over = 1
        emit(s, VOID, TABLE, TABLE, 0, cite("CE-Q7"))


@rule
def win(s: State, seat: int) -> None:
    """CE-13: the first seat without cards wins."""
    s.over = 1
    s.winner = seat
    emit(s, WIN, seat, TABLE, 0, cite("CE-13"))
    points = 1
    if s.rules.scoring_points:
        points = 0
        for p in range(s.seats):
            points += value(s.hands[p, 0]) + 2 * value(s.hands[p, 1])
    score(s, seat, points, cite("CE-13"))


@rule
def value(cards: int) -> int:
    """The count of a set of cards against its holder: wild cards 50, T J Q K 10, the others their number."""
    total = 50 * count(cards & WILD)
    cards &= ~WILD
    while cards:
        total += min(rank_of(lowest(cards)) + 1, 10)
        cards &= cards - 1
    return total


@rule
def shown(s: State) -> bool:
    """Whether the hands are face up: at the end of a deal, as on a real table."""
    return bool(s.over)


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for i in range(s.stock_size):
        s.stock[i] = 0
    if not shown(s):
        for p in range(s.seats):
            if p != seat:
                s.hands[p, 0] = s.hands[p, 1] = 0
                for b in range(BATCHES):
                    s.has[p, b, 0] = s.has[p, b, 1] = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    fill_world(s, seat, shown(s), work)


@rule
def is_pass(s: State, move: int) -> int:
    return 1 if move in (DRAW, PASS) else 0


@rule
def bounds(s: State, out: Any) -> None:
    cards = s.rules.decks * (52 + s.rules.jokers)
    out[0] = 1 + s.rules.turn_cap * (cards + 1)
    out[1] = 0.0
    out[2] = float(s.rules.decks * (value((1 << 52) - 1) + value(JOKERS))) if s.rules.scoring_points else 1.0


implement(
    State,
    pack,
    deal,
    legal,
    play,
    redact,
    resample,
    is_pass,
    bounds,
    heuristic,
    slip,
    unseen,
    may_hold,
    put,
    held_before,
    odds_before,
)
