"""The rules of Scopa (SC), compiled.

A move is the set of the cards it involves: the card from the hand, and those it takes; that card alone is a trail.
The moves open to a seat reveal nothing about its other cards, so all deals of the unseen cards are equally likely.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_40, RANK, SUIT_40, rank_of
from cardtable.games.scopa.options import ScopaOptions
from cardtable.games.scopa.policy import heuristic, of_value, slip
from cardtable.games.scopa.values import BY_SEVENS, COINS, FIFTEEN, KINGS, NAPOLA, PRIME, RE_BELLO, SETTE_BELLO, VALUES
from cardtable.games.shared.captures import (
    LEFT,
    MOST_DEALS,
    PLAYERS,
    SCORED,
    CaptureTable,
    after_turn,
    ahead,
    ascending,
    begin_deal,
    capture,
    give,
    in_hands,
    lay_down,
    restock,
    side,
    sides,
    sums,
    sweep,
    worth_of,
)
from cardtable.games.shared.scores import begin, score, show_scores
from cardtable.games.shared.stock import put, unseen
from cardtable.kernel import prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import worlds
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import (
    TABLE,
    UNKNOWN,
    HouseRules,
    cite,
    clear_events,
    emit,
    emit_card,
    implement,
    list_cards,
    won_by,
)

MAX_MOVES = 972  #: three aces and sums of 15, with all cards of even values on the table: 324 sets each
# events
MISDEAL, MOST_CARDS, MOST_COINS, HAS_SETTE, HAS_PRIME, HAS_SEVENS, HAS_RE, HAS_NAPOLA, ALL_COINS, FIRST_15 = range(
    SCORED, SCORED + 10
)
FIRST_TABLE = 4  #: cards; only these can share a rank, because a card that can pair may not be trailed


class State(CaptureTable):
    """A table of Scopa."""

    rules: HouseRules = rules_of(ScopaOptions)


@rule
def pack(s: State, cards: Any) -> int:
    return list_cards(cards, 0, ALL_40)


@rule
def start(s: State) -> None:
    clear_events(s)
    begin(s, 1 if s.seats == 2 else -1)  # SC-Q2: to the right


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    begin_deal(s, cite("SC-06"))
    while s.rules.king_misdeal and kings_turned_up(s, cards) >= 3:  # SC-07, SC-Q9: reshuffled, the same dealer
        emit(s, MISDEAL, s.dealer, TABLE, kings_turned_up(s, cards), cite("SC-07"))
        prng.shuffle(s.rng, cards, 40)
    s.stock_size = 40
    for i in range(40):
        s.stock[i] = cards[i]
    give(s, s.rules.deal, 1)  # SC-06, SC-C5, SC-C6
    for _ in range(on_first_table(s)):
        s.board |= 1 << s.stock[s.drawn]
        s.stock[s.drawn] = 0
        s.drawn += 1
    if s.rules.capture_fifteen:
        take_first_table(s)


@rule
def take_first_table(s: State) -> None:
    """The dealer takes a first table of 15, or of two groups of 15 (SC-C13)."""
    total = worth_of(s.board, VALUES)
    if total == FIFTEEN:
        take_fifteen(s, s.board)
    elif total == 2 * FIFTEEN:
        group = s.board & (s.board - 1)  # a group without the lowest card: the other group has it
        while group and worth_of(group, VALUES) != FIFTEEN:
            group = (group - 1) & s.board & (s.board - 1)
        if group:
            take_fifteen(s, s.board & ~group)
            take_fifteen(s, group)


@rule
def take_fifteen(s: State, cards: int) -> None:
    """The dealer takes cards of the first table, a sweep."""
    emit(s, FIRST_15, s.dealer, TABLE, count(cards), cite("SC-C13"))
    capture(s, s.dealer, lowest(cards), cards, cite("SC-C13"))
    s.board &= ~cards
    s.sweeper[s.sweeps] = s.dealer
    s.sweep_card[s.sweeps] = lowest(cards)
    s.sweeps += 1


@rule
def on_first_table(s: State) -> int:
    """How many cards are dealt to the table: none where ten each are dealt (SC-C6)."""
    return 0 if s.rules.deal == 10 else FIRST_TABLE


@rule
def kings_turned_up(s: State, cards: Any) -> int:
    """The number of kings among the cards that this pack would put on the table."""
    kings = 0
    for i in range(on_first_table(s)):
        kings += KINGS >> cards[s.rules.deal * s.seats + i] & 1
    return kings


@rule
def takes_all(s: State, card: int) -> bool:
    """Whether a card is an ace that takes everything on the table (SC-C7, SC-C9)."""
    if s.rules.aces_normal or rank_of(card):
        return False
    return not (s.rules.ace_on_table_pairs and s.board & RANK)


@rule
def captures(s: State, card: int, moves: Any, k: int) -> int:
    """Write the captures of a card from moves[k] on; return the new k."""
    if s.rules.capture_fifteen:  # SC-C12
        wanted = FIFTEEN - VALUES[rank_of(card)]
        cards = s.board & of_value(wanted)
        while cards:
            moves[k] = 1 << card | cards & -cards
            cards &= cards - 1
            k += 1
        return sums(s.board, wanted, VALUES, 1 << card, moves, k)
    if s.board and takes_all(s, card):
        moves[k] = 1 << card | s.board
        return k + 1
    pairs = s.board & RANK << rank_of(card)
    if pairs:  # SC-10, SC-12: one card of its rank, and no sum
        while pairs:
            moves[k] = 1 << card | pairs & -pairs
            pairs &= pairs - 1
            k += 1
        return k
    return sums(s.board, VALUES[rank_of(card)], VALUES, 1 << card, moves, k)  # SC-11, SC-Q4


@rule
def makes_sweep(s: State, move: int) -> bool:
    """Whether a capture that clears the table is a sweep, if it is not the last play: not by an ace that takes all,
    unless that counts (SC-13, SC-C8).
    """
    card = lowest(move & ~s.board)
    return move & s.board == s.board and (s.rules.aces_take_all_sweep == 1 or not takes_all(s, card))


@rule
def to_own_pile(s: State, card: int) -> bool:
    """Whether a card played to an empty table goes to the player's pile (SC-C10)."""
    return s.board == 0 and s.rules.ace_on_empty_own_pile == 1 and takes_all(s, card)


@rule
def first_card(s: State) -> bool:
    """Whether no card of the deal has been played."""
    piles = 0
    for p in range(sides(s)):
        piles |= s.piles[p]
    return piles == 0 and in_hands(s) == s.seats * s.rules.deal and count(s.board) == on_first_table(s)


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    k = 0
    hand = s.hands[seat]
    if not s.rules.aces_normal and s.rules.first_ace_barred and first_card(s):
        hand &= ~RANK  # SC-C11
    while hand:  # SC-Q3: any card
        card = lowest(hand)
        hand &= hand - 1
        end = captures(s, card, moves, k)
        if end == k:  # SC-14, SC-15
            moves[end] = 1 << card
            end += 1
        k = end
    ascending(moves, k)
    return k


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    taken = move & s.board
    card = lowest(move & ~s.board)
    clears = taken and makes_sweep(s, move)
    if taken:
        lay_down(s, seat, card, cite("SC-09"))
        why = cite("SC-10") if count(taken) == 1 else cite("SC-11")
        why = cite("SC-C12") if s.rules.capture_fifteen else why
        capture(s, seat, card, taken, cite("SC-C7") if takes_all(s, card) else why)
        s.board &= ~taken
    elif to_own_pile(s, card):
        lay_down(s, seat, card, cite("SC-C10"))
        capture(s, seat, card, 0, cite("SC-C10"))
    else:
        lay_down(s, seat, card, cite("SC-14"))
        s.board |= 1 << card
    spent = in_hands(s) == 0
    if clears and not (spent and s.drawn == s.stock_size):  # SC-13; not with the last card (SC-20)
        sweep(s, seat, card, cite("SC-13"))
    s.turn = after_turn(s, seat)
    if spent:
        if s.drawn < s.stock_size:
            give(s, s.rules.deal, 1)  # SC-16, SC-17
        else:
            finish(s)


@rule
def finish(s: State) -> None:
    """The cards left on the table go to the last capturer (SC-18, SC-19, SC-Q11); then the points are counted."""
    if s.last >= 0 and s.board:  # SC-Q10: without a capture they stay on the table
        emit(s, LEFT, s.last, TABLE, count(s.board), cite("SC-19"))
        s.piles[side(s, s.last)] |= s.board
        s.board = 0
    s.over = 1
    settle(s)
    s.winner = ahead(s, s.gained)


@rule
def target_reached(s: State) -> bool:
    """Whether a seat has reached the target."""
    done = False
    for p in range(s.seats):
        done = done or s.scores[p] >= s.rules.target
    return done


@rule
def reached(s: State) -> bool:
    """Whether counting stops because a seat has reached the target (SC-24)."""
    return not s.rules.counting_full_deal and target_reached(s)


@rule
def credit(s: State, who: int, points: int, why: int) -> None:
    """Give a side, so each partner, points one by one; none once counting has stopped."""
    if not reached(s):
        if not s.rules.counting_full_deal:
            points = min(points, s.rules.target - s.scores[who])
        for p in range(s.seats):
            if side(s, p) == who:
                score(s, p, points, why)


@rule
def most(s: State, among: int) -> int:
    """The side that captured the most cards of a set; -1: a tie (SC-22)."""
    row = np.empty(PLAYERS, np.int64)
    for p in range(sides(s)):
        row[p] = count(s.piles[p] & among)
    return ahead(s, row)


@rule
def primiera(pile: int) -> int:
    """The best card of each suit by primiera values, added up; 0 if a suit is missing (SC-23)."""
    total = 0
    for suit in range(4):
        best = 0
        cards = pile >> 13 * suit & SUIT_40
        while cards:
            best = max(best, PRIME[lowest(cards)])
            cards &= cards - 1
        if best == 0:
            return 0
        total += best
    return total


@rule
def by_sevens(pile: int) -> int:
    """A number that is higher for more sevens, then sixes, and so on (SC-C2)."""
    total = 0
    for i in range(7):
        total = total * 5 + count(pile & RANK << BY_SEVENS[i])
    return total


@rule
def best_primiera(s: State) -> int:
    """The side with the highest primiera; -1: a tie, or no side has all suits (SC-Q7)."""
    row = np.empty(PLAYERS, np.int64)
    for p in range(sides(s)):
        if s.rules.primiera_points:
            row[p] = primiera(s.piles[p])
        else:
            row[p] = by_sevens(s.piles[p]) if s.rules.primiera_sevens else count(s.piles[p] & RANK << 6)
    return ahead(s, row)


@rule
def napola(pile: int) -> int:
    """The number of diamonds from the ace on without a gap, if the 3 is among them; otherwise 0 (SC-C4)."""
    if pile & NAPOLA != NAPOLA:
        return 0
    missing = COINS & ~pile
    return count(COINS & (missing & -missing) - 1) if missing else 10


@rule
def with_all_coins(s: State) -> int:
    """The side whose diamonds win the match; -1: none (SC-C4)."""
    for p in range(sides(s)):
        if s.rules.napola_wins_all and s.piles[p] & COINS == COINS:
            return p
    return -1


@rule
def settle(s: State) -> None:
    """Credit the points in the order of SC-21; the king and the napola come before the sweeps."""
    who = with_all_coins(s)
    if who >= 0:
        emit(s, ALL_COINS, who, TABLE, 10, cite("SC-C4"))
    who = most(s, ALL_40)
    if who >= 0 and not reached(s):
        emit(s, MOST_CARDS, who, TABLE, count(s.piles[who]), cite("SC-21"))
        credit(s, who, 1, cite("SC-21"))
    who = most(s, COINS)
    if who >= 0 and not reached(s):
        emit(s, MOST_COINS, who, TABLE, count(s.piles[who] & COINS), cite("SC-21"))
        credit(s, who, 1, cite("SC-21"))
    for p in range(sides(s)):
        if s.piles[p] >> SETTE_BELLO & 1 and not reached(s):
            emit_card(s, HAS_SETTE, p, TABLE, SETTE_BELLO, cite("SC-21"))
            credit(s, p, 1, cite("SC-21"))
    who = best_primiera(s)
    if who >= 0 and not reached(s):
        if s.rules.primiera_points:
            emit(s, HAS_PRIME, who, TABLE, primiera(s.piles[who]), cite("SC-23"))
        else:
            why = cite("SC-C2") if s.rules.primiera_sevens else cite("SC-C14")
            emit(s, HAS_SEVENS, who, TABLE, count(s.piles[who] & RANK << 6), why)
        credit(s, who, 1, cite("SC-23"))
    for p in range(sides(s)):
        if s.rules.re_bello and s.piles[p] >> RE_BELLO & 1 and not reached(s):
            emit_card(s, HAS_RE, p, TABLE, RE_BELLO, cite("SC-C3"))
            credit(s, p, 1, cite("SC-C3"))
    for p in range(sides(s)):
        if not s.rules.napola_off and napola(s.piles[p]) and not reached(s):
            emit(s, HAS_NAPOLA, p, TABLE, napola(s.piles[p]), cite("SC-C4"))
            credit(s, p, napola(s.piles[p]), cite("SC-C4"))
    for i in range(s.sweeps):  # SC-Q8: in the order of capture
        credit(s, side(s, s.sweeper[i]), 1, cite("SC-13"))


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    unseen = ALL_40 & ~s.board & ~s.absent
    for p in range(s.seats):
        unseen &= ~s.piles[p] & ~s.hands[p]
    row = np.empty(worlds.MAX_CARDS, np.int64)
    worlds.spread(s.rng, unseen, row)
    restock(s, seat, row)


@rule
def held_before(s: State, who: int, move: int, cards: int, rng: Any) -> int:
    """The cards of the hand that is being played; those before it are all on the table."""
    cards |= move & ~s.board
    return cards if count(cards) == s.counts[who] else UNKNOWN


@rule
def standing(s: State, out: Any) -> int:
    show_scores(s, out)
    who = with_all_coins(s)
    if s.over and who >= 0:
        return won_by(0b101 << who if s.seats == 4 else 1 << who)
    if not s.over or not target_reached(s):
        return 0
    return 1 if ahead(s, s.scores) >= 0 or s.deal_number >= MOST_DEALS else 0  # SC-24, SC-Q12


@rule
def bounds(s: State, out: Any) -> None:
    out[0] = 40.0 - on_first_table(s)
    most = 4.0 + out[0] / 2.0  # four points, and a sweep with every second card
    most += 2.0 * s.rules.capture_fifteen  # on the first table
    most += s.rules.re_bello + 10.0 * (1 - s.rules.napola_off)
    out[1], out[2] = -most, most


implement(State, pack, start, deal, legal, play, resample, unseen, put, held_before, standing, bounds, heuristic, slip)
