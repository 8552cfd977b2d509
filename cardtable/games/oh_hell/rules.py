"""The rules of Oh Hell! (OH), compiled.

A move is a card to play (0..51) or BID + k. Undealt cards are not stored, because they are never seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.oh_hell.following import learn, playable
from cardtable.games.oh_hell.options import SEATS, OhHellOptions
from cardtable.games.oh_hell.policy import heuristic, slip
from cardtable.games.oh_hell.scoring import exact, missed, points
from cardtable.games.oh_hell.trump import lowest_of, pack_of, shown, trump_of, turned, whole_pack
from cardtable.games.shared.scores import after, begin, everyone, leaders, open_deal, score, show_scores
from cardtable.games.shared.tricks import (
    NO_TRUMP,
    TrickTable,
    deal_out,
    fill_around,
    gather,
    hands_and_rest,
    lay,
    no_void,
)
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
    emit_at,
    emit_card,
    implement,
    list_cards,
    won_by,
)

MAX_MOVES = 28
BID = 52  #: the move BID + k bids k
ACTIONS = 80  #: at most 26 cards are dealt to a seat, and the dealer may have to bid one more (OH-C10, OH-Q3)
TURN_UP, BIDS, TRUMPS, NO_TRUMPS = OWN + 1, OWN + 2, OWN + 3, OWN + 4  # events (OWN: a trick won)
MAX_TIEBREAKS = 50  #: one-card deals after which a tie at the top stands (OH-Q11)


class State(TrickTable):
    """A table of Oh Hell!."""

    rules: HouseRules = rules_of(OhHellOptions)
    # more seats than most games of tricks (OH-C12)
    trick: Ints = field("i8", SEATS)
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    voids: Ints = field("i8", SEATS)
    tricks: Ints = field("i8", SEATS)
    each: int = field()  #: cards dealt to each seat, which is the number of tricks
    upcard: int = field()  #: the card turned up, whose suit is trump; -1: none
    bids: Ints = field("i8", SEATS)  #: -1: not yet
    lacks: Ints = field("i8", SEATS)  #: fact: cards that a seat is known not to hold, besides its voids (OH-C18)
    contenders: int = field()  #: mask of the seats that may still win the match


@rule
def at_ends(s: State) -> int:
    """How often in a row the smallest and the largest deal are played (OH-Q6, OH-C11)."""
    return s.seats if s.rules.ends_each else 1


@rule
def schedule(s: State) -> int:
    """The number of deals in a match: from one end to the other (OH-C9), and back again (OH-16, OH-Q6)."""
    between = s.rules.max_cards - 2
    once = between + 2 * at_ends(s)
    return once if s.rules.plan_down or s.rules.plan_up else once + between + at_ends(s)


@rule
def cards_in_deal(s: State, number: int) -> int:
    """The number of cards dealt to each seat in deal `number` (from 1); one card in the deals that break a tie (OH-16,
    OH-18, OH-C9).
    """
    if number > schedule(s):
        return 1
    ends, most = at_ends(s), s.rules.max_cards
    back = max(number - most + 2 - 2 * ends, 0)
    steps = max(min(max(number - ends, 0), most - 1) - back, 0)  # from the size of the first deal
    return 1 + steps if s.rules.plan_up or s.rules.plan_up_down else most - steps


@rule
def pack(s: State, cards: Any) -> int:
    return list_cards(cards, 0, pack_of(s))


@rule
def start(s: State) -> None:
    clear_events(s)
    begin(s, -1 if s.rules.direction_counter_clockwise else 1)  # OH-C20
    s.contenders = everyone(s)


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    breaking = s.deal_number >= schedule(s) and s.rules.tiebreak_tied_only
    open_deal(s, s.contenders if breaking else everyone(s))  # OH-Q2, OH-Q5
    s.each = cards_in_deal(s, s.deal_number)
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("OH-05") if s.deal_number == 1 else cite("OH-16"))
    dealt = deal_out(s, cards, s.each)
    for p in range(s.seats):
        s.bids[p], s.lacks[p] = -1, 0
    s.upcard = -1
    if not s.rules.trump_turned:
        tell_trump(s)
    elif not whole_pack(s):
        s.upcard = cards[dealt]  # OH-06
        emit_card(s, TURN_UP, s.dealer, TABLE, s.upcard, cite("OH-06"))
    elif s.rules.top_trump_dealers_last:
        s.upcard = cards[dealt - 1]  # OH-C16
        emit_card(s, TURN_UP, s.dealer, TABLE, s.upcard, cite("OH-C16"))
    else:
        emit(s, NO_TRUMPS, s.dealer, TABLE, 0, cite("OH-C15"))


@rule
def tell_trump(s: State) -> None:
    """Announce a trump that no card tells (OH-C13, OH-C14)."""
    trump = trump_of(s)
    why = cite("OH-C13") if s.rules.trump_rotate else cite("OH-C14")
    if trump == NO_TRUMP:
        emit(s, NO_TRUMPS, s.dealer, TABLE, 0, why)
    else:
        emit_at(s, TRUMPS, s.dealer, TABLE, -1, trump, 0, why)


@rule
def bidding(s: State) -> bool:
    """Whether bids are still being made; the dealer bids last (OH-08)."""
    return bool(s.bids[s.dealer] < 0)


@rule
def bids_made(s: State) -> int:
    """The sum of the bids so far."""
    total = 0
    for p in range(s.seats):
        total += max(s.bids[p], 0)
    return total


@rule
def lowest_bid(s: State, seat: int) -> int:
    """The lowest legal bid of a seat; the dealer's must bring the sum above the number of tricks (OH-08, OH-Q3)."""
    if seat == s.dealer and s.rules.dealer_rule_exceed:
        return int(max(s.each + 1 - bids_made(s), 0))
    return 0


@rule
def barred_bid(s: State, seat: int) -> int:
    """The bid that would make the sum equal to the number of tricks, if that is forbidden; otherwise -1."""
    return s.each - bids_made(s) if seat == s.dealer and s.rules.dealer_rule_not_equal else -1


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    k = 0
    if bidding(s):
        low = lowest_bid(s, seat)
        barred = barred_bid(s, seat)
        # OH-07, OH-Q7; all other bids 0: just one more than the tricks (OH-Q3)
        for bid in range(low, max(s.each, low) + 1):
            if bid != barred:
                moves[k] = BID + bid
                k += 1
        return k
    return list_cards(moves, 0, playable(s, seat))  # OH-10, OH-11, OH-C17, OH-C18


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move >= BID:
        s.bids[seat] = move - BID
        s.turn = after(s, seat, s.in_play)  # after the dealer, eldest leads (OH-07, OH-10)
        emit(s, BIDS, seat, TABLE, move - BID, cite("OH-07"))
        return
    learn(s, seat, move)
    lay(s, seat, move, cite("OH-11") if s.laid else cite("OH-10"))
    if s.laid == count(s.in_play):
        winner = gather(s, lowest_of(s), trump_of(s), cite("OH-12"))  # and leads (OH-Q4)
        if s.counts[winner] == 0:
            settle(s)


@rule
def reason(s: State, bid: int, tricks: int) -> int:
    """The rule by which a bid scores."""
    if bid == tricks:
        return cite("OH-14") if bid or s.rules.zero_as_scored else cite("OH-C8")
    if s.rules.scoring_bonus:
        return cite("OH-C1")
    return cite("OH-C2") if s.rules.scoring_tricks else cite("OH-15")


@rule
def settle(s: State) -> None:
    """Score the deal, from eldest; after the last of the schedule, determine the seats still in the match."""
    s.over = 1
    p = s.dealer
    for _ in range(count(s.in_play)):
        p = after(s, p, s.in_play)
        score(s, p, points(s, s.bids[p], s.tricks[p]), reason(s, s.bids[p], s.tricks[p]))
    top = leaders(s, s.gained, s.in_play, 1)
    s.winner = lowest(top) if count(top) == 1 else -1
    if s.deal_number >= schedule(s):  # OH-17, OH-18: in a tie-break those left out stay out
        s.contenders = leaders(s, s.scores, s.in_play, 1)


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    if s.over:
        return
    own = s.hands[seat] if seat >= 0 else 0
    known = shown(s) if seat != s.dealer else 0
    s.counts[s.dealer] -= count(known)
    bars = np.zeros(s.seats + 1, np.int64)
    for p in range(s.seats):
        bars[p] = s.lacks[p]
    fill_around(s, seat, pack_of(s) & ~s.played & ~own & ~turned(s) & ~known, bars, work)
    s.counts[s.dealer] += count(known)
    s.hands[s.dealer] |= known


@rule
def unseen(s: State, seat: int, sets: Any) -> int:
    return hands_and_rest(s, seat, pack_of(s) & ~s.played & ~turned(s), sets)


@rule
def may_hold(s: State, seat: int, place: int, cards: int) -> bool:
    if place < s.seats and s.lacks[place] & cards:
        return False
    return bool(no_void(s, seat, place, cards) and (place != s.dealer or shown(s) & ~cards == 0))


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    last = schedule(s)
    if not s.over or s.deal_number < last:
        return 0
    if s.rules.tiebreak_shared or count(s.contenders) == 1 or s.deal_number >= last + MAX_TIEBREAKS:
        return won_by(s.contenders)
    return 0


@rule
def bounds(s: State, out: Any) -> None:
    most = s.rules.max_cards
    out[0] = s.seats * (most + 1)
    # a bid of one more than the tricks, and none taken; all bid and taken, or none
    out[1] = missed(s, 0, most + 1)
    out[2] = max(exact(s, most), 5 + most)


implement(State, pack, start, deal, legal, play, resample, unseen, may_hold, standing, bounds, heuristic, slip)


def prepare(s: State, game: str, options: OhHellOptions) -> None:
    s.contenders = everyone(s)
