"""The rules of Busca (BU), compiled.

A move is a card to play (0..51) or ASIDE + a card that the dealer of three sets aside. Card points are thirds of a
point.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_40, RANK
from cardtable.games.busca.options import BuscaOptions
from cardtable.games.busca.policy import heuristic, slip
from cardtable.games.shared.scores import SEATS, after, begin, everyone, leaders, open_deal, score, show_scores
from cardtable.games.shared.tricks import NO_TRUMP, TrickTable, allowed, deal_out, fill, gather, hide, lay
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import (
    DEAL,
    OWN,
    TABLE,
    HouseRules,
    cite,
    clear_events,
    emit,
    emit_card,
    emit_card_to,
    implement,
    list_cards,
    won_by,
)

MAX_MOVES = 14
ASIDE = 52  #: the move ASIDE + c sets card c aside
ACTIONS = 104
SET_ASIDE, SHOWN_ASIDE, CAPPOTTO, OUT = OWN + 1, OWN + 2, OWN + 3, OWN + 4  # events (OWN: a trick won)
THIRDS = 0b1110000000111 * RANK  #: A 2 3 J Q K: a third of a point each, and an ace two more (BU-07)
LOW = 3  #: the 4 is the lowest card of a suit, the 3 the highest (BU-04)
WHOLE = 11  #: points of a deal (BU-09)
FEWEST = 3  #: players of a deal
MAX_EXTRA = 50  #: after this number of deals beyond the limit, a tie at the bottom stands (BU-Q10)


class State(TrickTable):
    """A table of Busca."""

    rules: HouseRules = rules_of(BuscaOptions)
    aside: int = field()  #: the card set aside + 1; 0: none, or unknown
    aside_laid: int = field()  #: 1: a card was set aside
    last: int = field()  #: the winner of the last trick, when the deal is over
    reached: int = field()  #: number of the deal in which the limit was reached; 0: not yet
    won: Ints = field("i8", SEATS)  #: thirds in the tricks won


@rule
def thirds(cards: int) -> int:
    """The card points of a set, in thirds of a point (BU-07)."""
    return count(cards & THIRDS) + 2 * count(cards & RANK)


@rule
def pack(s: State, cards: Any) -> int:
    return list_cards(cards, 0, ALL_40)


@rule
def start(s: State) -> None:
    clear_events(s)
    begin(s, -1)  # BU-Q2: counter-clockwise
    s.reached = 0


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s, remaining(s))  # BU-16
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("BU-05"))
    dealt = deal_out(s, cards, 40 // count(s.in_play))  # BU-05, BU-Q8
    s.aside = s.aside_laid = s.last = 0
    for p in range(SEATS):
        s.won[p] = 0
    if dealt < 40:  # BU-06: the dealer gets the fortieth card, and sets one aside
        s.hands[s.dealer] |= 1 << cards[dealt]
        s.counts[s.dealer] += 1
        s.turn = s.dealer


@rule
def remaining(s: State) -> int:
    """The seats that are still in the match, as a mask: with elimination, those below the limit (BU-C2)."""
    if not s.rules.elimination:
        return everyone(s)
    seats = 0
    for p in range(s.seats):
        seats |= 1 << p if s.scores[p] < s.rules.limit else 0
    return seats


@rule
def laying_aside(s: State) -> bool:
    """Whether the dealer of three must set a card aside."""
    return bool(s.aside_laid == 0 and count(s.in_play) == FEWEST)


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    if not laying_aside(s):
        return list_cards(moves, 0, allowed(s, seat))  # BU-12, BU-13
    k = list_cards(moves, 0, s.hands[seat])  # BU-Q5
    for i in range(k):
        moves[i] += ASIDE
    return k


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move >= ASIDE:
        card = move - ASIDE
        s.hands[seat] &= ~(1 << card)
        s.counts[seat] -= 1
        s.aside = card + 1
        s.aside_laid = 1
        s.turn = s.leader
        emit_card_to(s, seat, SET_ASIDE, seat, TABLE, card, cite("BU-06"))
        return
    lay(s, seat, move, cite("BU-13") if s.laid else cite("BU-12"))
    n = count(s.in_play)
    if s.laid == n:
        points = 0
        for i in range(n):
            points += thirds(1 << s.trick[i])
        winner = gather(s, LOW, NO_TRUMP, cite("BU-14"))  # and leads (BU-15)
        s.won[winner] += points
        if s.counts[winner] == 0:
            settle(s, winner)


@rule
def settle(s: State, last: int) -> None:
    """Score the deal: BU-09 to BU-11, BU-16. last: the winner of the last trick."""
    s.over = 1
    s.last = last
    if s.aside_laid:  # BU-06
        s.won[last] += thirds(1 << (s.aside - 1))
        emit_card(s, SHOWN_ASIDE, last, TABLE, s.aside - 1, cite("BU-06"))
    rest = WHOLE
    for p in range(s.seats):
        if p != last:
            rest -= s.won[p] // 3  # BU-Q4
    swept = cappotto(s, last, rest)
    if swept >= 0:
        emit(s, CAPPOTTO, swept, TABLE, 0, cite("BU-11"))
    p = s.dealer
    for _ in range(count(s.in_play)):  # from eldest
        p = after(s, p, s.in_play)
        if swept >= 0:
            score(s, p, 0 if p == swept else WHOLE, cite("BU-11"))
        elif p == last:
            score(s, p, rest, cite("BU-09"))
        else:
            score(s, p, s.won[p] // 3, cite("BU-10"))
        if s.reached == 0 and s.scores[p] >= s.rules.limit:  # BU-08, BU-Q7
            s.reached = s.deal_number
        if s.rules.elimination and s.scores[p] >= s.rules.limit:
            emit(s, OUT, p, TABLE, 0, cite("BU-C2"))
    best = leaders(s, s.gained, s.in_play, -1)
    s.winner = lowest(best) if count(best) == 1 else -1


@rule
def cappotto(s: State, last: int, rest: int) -> int:
    """The seat that has made a cappotto, or -1 (BU-11, BU-Q3). rest: the points that the winner of the last trick would
    score.
    """
    if s.rules.cappotto_score:
        return last if rest == WHOLE else -1
    if s.rules.cappotto_all_cards:
        for p in range(s.seats):
            if s.won[p] == thirds(ALL_40):
                return p
    return -1


@rule
def redact(s: State, seat: int) -> None:
    hide(s, seat)
    if s.over == 0 and seat != s.dealer:  # shown when the deal is scored
        s.aside = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    if s.over:
        return
    own = s.hands[seat] if seat >= 0 else 0
    known = 1 << (s.aside - 1) if s.aside else 0
    rest = fill(s, seat, ALL_40 & ~s.played & ~own & ~known, work)
    if s.aside_laid and s.aside == 0:
        s.aside = lowest(rest) + 1


@rule
def unseen(s: State, seat: int, sets: Any) -> int:
    """The other hands, then the card laid aside, if it is hidden."""
    n = s.seats
    for p in range(n):
        sets[p] = 0 if p == seat else s.hands[p]
    sets[n] = 1 << s.aside - 1 if s.aside_laid and seat != s.dealer else 0
    return n + 1


@rule
def put(s: State, place: int, cards: int) -> None:
    if place < s.seats:
        s.hands[place] = cards
    else:
        s.aside = lowest(cards) + 1


@rule
def observed(s: State, seat: int, move: int, viewer: int) -> int:
    return -1 if move >= ASIDE and viewer != seat else move


@rule
def payoff(s: State, out: Any) -> None:
    for p in range(s.seats):
        out[p] = -s.gained[p]


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    if not s.over or s.reached == 0:
        return 0
    if s.rules.elimination:
        left = remaining(s)
        if count(left) >= FEWEST:
            return 0
        return won_by(leaders(s, s.scores, left if left else s.in_play, -1))
    lowest_totals = leaders(s, s.scores, everyone(s), -1)
    if s.rules.tie_extra_round and count(lowest_totals) > 1 and s.deal_number < s.reached + MAX_EXTRA:
        return 0
    return won_by(lowest_totals)


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = 41
    out[1], out[2] = -float(WHOLE), 0.0


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
    put,
    observed,
    payoff,
    standing,
    bounds,
    heuristic,
    slip,
)
