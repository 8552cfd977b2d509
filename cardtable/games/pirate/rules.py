"""The rules of Pirate (PI), compiled: the tick engine, which also replays live games.

Each tick both seats choose a move, WAIT, DRAW_CARD, PLAY or CLAIM; the first choice waits hidden in `chosen`, the
second resolves both. The only other secret is the order of a stock during its first pass: all players have seen every
card turned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.pirate.options import PirateOptions
from cardtable.games.pirate.policy import heuristic, slip, slipped
from cardtable.games.pirate.state import (
    CLAIM,
    CLOSED,
    DRAW_CARD,
    MOST_SHIPS,
    PACK,
    PLAY,
    PLAYERS,
    SUITS,
    WAIT,
    State,
    exhausted,
    fits,
    gap,
    may_claim,
    rises,
    side,
    target,
    top,
)
from cardtable.kernel import prng, rule
from cardtable.rules import worlds
from cardtable.rules.contract import (
    CUT,
    OWN,
    SCORE,
    TABLE,
    cite,
    clear_events,
    emit,
    emit_at,
    emit_card,
    implement,
    list_if,
    redact_events,
    won_by,
)

MAX_MOVES = 4
ACTIONS = 4
LEVEL_CUTS = 40  #: cuts of equal rank after which a lot decides (PI-Q2)
LEAST_PACE = 100  #: assumed minimum length of a tick in a live game, in milliseconds (PI-Q15)

# Events
IS_LOW, IS_HIGH, TURN, OVER_AGAIN, CLAIMED, TWINS, CONTESTED, TARGET, STALLED, WON, DRAWN, SHUFFLED, BUILT = range(
    OWN, OWN + 13
)
CAPTURED, SUNK, EXCHANGED, SHUT = range(OWN + 13, OWN + 17)  # at a suit


@rule
def pack(s: State, cards: Any) -> int:
    for i in range(PLAYERS * PACK):
        cards[i] = i % PACK
    return PLAYERS * PACK


@rule
def start(s: State) -> None:
    """Each player cuts their own pack and shows a card: the lower is LOW (PI-05, PI-06)."""
    clear_events(s)
    s.direction = 1
    s.deal_number = 0
    s.over = 1
    s.winner = -1
    if s.rules.first_dealer:
        s.dealer = s.rules.first_dealer - 1
    else:
        cut_for_roles(s)
    emit(s, IS_LOW, 1 - s.dealer, TABLE, 0, cite("PI-06"))
    emit(s, IS_HIGH, s.dealer, TABLE, 0, cite("PI-06"))


@rule
def cut_for_roles(s: State) -> None:
    """Cut until the ranks differ; the ace is low (PI-Q2)."""
    for _ in range(LEVEL_CUTS):
        first, second = prng.below(s.rng, PACK), prng.below(s.rng, PACK)
        emit_card(s, CUT, 0, TABLE, first, cite("PI-05"))
        emit_card(s, CUT, 1, TABLE, second, cite("PI-05"))
        if rank_of(first) != rank_of(second):
            s.dealer = 1 if rank_of(first) < rank_of(second) else 0
            return
    s.dealer = prng.below(s.rng, PLAYERS)


@rule
def deal(s: State, cards: Any) -> None:
    """Each player's pack becomes their stock: the first 52 cards are seat 0's, the other 52 seat 1's (PI-07)."""
    clear_events(s)
    s.deal_number += 1
    s.in_play = 3
    s.over = s.tick = s.last = s.sunk = s.sunk_cards = 0
    if not first_is_whole(cards):
        shuffle_apart(s, cards)
    for p in range(PLAYERS):
        s.chosen[p] = s.turned[p] = s.fresh[p] = s.captured[p] = 0
        s.held[p] = PACK
        s.unseen[p] = (1 << PACK) - 1
        for i in range(PACK):
            s.cards[p, i] = cards[p * PACK + i]
    for suit in range(SUITS):
        s.gone[suit] = s.rising[suit] = s.falling[suit] = 0
        for p in range(PLAYERS):
            s.left[p, suit] = 13
    emit(s, SHUFFLED, TABLE, TABLE, PACK, cite("PI-07"))


@rule
def first_is_whole(cards: Any) -> bool:
    """Whether the first 52 of the 104 cards are a whole pack: if so, the others are one too."""
    different = 0
    for i in range(PACK):
        different |= 1 << cards[i]
    return bool(different == (1 << PACK) - 1)


@rule
def shuffle_apart(s: State, cards: Any) -> None:
    """Keep the two packs apart (PI-03): if a shuffle mixed them, shuffle again, pack by pack.

    Packs that are already whole keep their order.
    """
    for p in range(PLAYERS):
        for i in range(PACK):
            cards[p * PACK + i] = i
        prng.shuffle(s.rng, cards[p * PACK :], PACK)


@rule
def actors(s: State) -> int:
    if s.over:
        return 0
    return int((s.chosen[0] == 0) | (s.chosen[1] == 0) << 1)


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    moves[0] = WAIT  # always: nothing is compulsory (PI-Q4)
    k = list_if(moves, 1, DRAW_CARD, not exhausted(s, seat))
    k = list_if(moves, k, PLAY, fits(s, seat, top(s, seat)))
    return list_if(moves, k, CLAIM, may_claim(s, seat))


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    s.chosen[seat] = move + 1
    if s.chosen[0] and s.chosen[1]:
        resolve(s, s.chosen[0] - 1, s.chosen[1] - 1)


@rule
def resolve(s: State, first: int, second: int) -> None:
    """One tick: the moves of seats 0 and 1 at the same time (PI-04)."""
    s.chosen[0] = s.chosen[1] = 0
    s.tick += 1
    a, b = touched(s, 0, first), touched(s, 1, second)
    if a >= 0 and b >= 0 and suit_of(a) == suit_of(b):
        meet(s, first, second, a)
    else:  # each on its own lane
        if a >= 0:
            put(s, 0, first)
            capture(s, 0, a)
        if b >= 0:
            put(s, 1, second)
            capture(s, 1, b)
    if a >= 0 or b >= 0:
        s.last = s.tick
    if first == DRAW_CARD:  # draws come last, so that a claim beats the next draw (PI-Q9)
        turn(s, 0)
    if second == DRAW_CARD:
        turn(s, 1)
    finish(s)


@rule
def touched(s: State, seat: int, move: int) -> int:
    """The card that a move lays; -1: none."""
    if move == PLAY:
        return top(s, seat)
    return top(s, 1 - seat) if move == CLAIM else -1


@rule
def meet(s: State, first: int, second: int, card: int) -> None:
    """Both seats lay a card on the same lane (`card` is seat 0's): if that completes the ship, neither seat made the
    join, and it sinks (PI-16).
    """
    suit = suit_of(card)
    lacking = gap(s, suit)
    if lacking > 1:
        put(s, 0, first)
        put(s, 1, second)
        if lacking == 2:
            sink(s, suit, 13, cite("PI-Q6"))
    elif first == PLAY and second == PLAY:  # twins: both cards stay on their wastes
        emit_card(s, TWINS, 0, 1, card, cite("PI-16"))
        sink(s, suit, 12, cite("PI-Q5"))
    else:  # one plays the card that the other claims
        owner = 0 if first == PLAY else 1
        emit_card(s, CONTESTED, owner, 1 - owner, take(s, owner), cite("PI-20"))
        sink(s, suit, 13, cite("PI-20"))


@rule
def put(s: State, seat: int, move: int) -> None:
    """The top card of a waste goes to the seat's own side of its lane (PI-12, PI-13)."""
    card = take(s, seat if move == PLAY else 1 - seat)
    suit = suit_of(card)
    if move == CLAIM:
        emit_card(s, CLAIMED, seat, 1 - seat, card, cite("PI-19"))
    elif side(s, seat, suit):
        emit_card(s, BUILT, seat, TABLE, card, cite("PI-12"))
    else:
        emit_card(s, BUILT, seat, TABLE, card, cite("PI-09") if rank_of(card) == 0 else cite("PI-10"))
    if rises(s, seat, suit):
        s.rising[suit] += 1
    else:
        s.falling[suit] += 1


@rule
def take(s: State, owner: int) -> int:
    """Take the top card off an owner's waste; the one below is not fresh (PI-Q9)."""
    at = s.turned[owner] - 1
    card = int(s.cards[owner, at])
    s.held[owner] -= 1
    s.turned[owner] = at
    for i in range(at, s.held[owner]):
        s.cards[owner, i] = s.cards[owner, i + 1]
    s.cards[owner, s.held[owner]] = 0
    s.left[owner, suit_of(card)] -= 1
    s.fresh[owner] = 0
    return card


@rule
def capture(s: State, seat: int, card: int) -> None:
    """Give a completed ship to the seat whose card completed it (PI-15, PI-Q12)."""
    suit = suit_of(card)
    if gap(s, suit) == 0:
        s.captured[seat] += 1
        emit_at(s, CAPTURED, seat, TABLE, card, suit, 0, cite("PI-15"))
        emit(s, SCORE, seat, TABLE, 1, cite("PI-02"))
        clear(s, suit)


@rule
def sink(s: State, suit: int, cards: int, why: int) -> None:
    """Throw out a ship; from the first one on, four ships are enough to win (PI-16, PI-21)."""
    s.sunk += 1
    s.sunk_cards += cards
    emit_at(s, SUNK, TABLE, TABLE, -1, suit, cards, why)
    clear(s, suit)
    if s.sunk == 1 and s.rules.target_majority == 0:
        emit(s, TARGET, TABLE, TABLE, target(s), cite("PI-21"))


@rule
def clear(s: State, suit: int) -> None:
    """Remove a ship: the suit's second ship starts with the keels exchanged; after that the lane is closed (PI-17,
    PI-Q7).
    """
    s.rising[suit] = s.falling[suit] = 0
    s.gone[suit] += 1
    if s.gone[suit] < CLOSED:
        emit_at(s, EXCHANGED, s.dealer, 1 - s.dealer, -1, suit, 0, cite("PI-17"))
    else:
        emit_at(s, SHUT, TABLE, TABLE, -1, suit, 0, cite("PI-Q7"))


@rule
def turn(s: State, seat: int) -> None:
    """Turn the next card of the stock; if it is empty, first turn the waste over, unshuffled (PI-08, PI-14, PI-Q3)."""
    if s.held[seat] == 0:  # a claim of this tick took the seat's only card
        return
    if s.turned[seat] == s.held[seat]:
        s.turned[seat] = 0
        emit(s, OVER_AGAIN, seat, TABLE, s.held[seat], cite("PI-14"))
    card = int(s.cards[seat, s.turned[seat]])
    s.turned[seat] += 1
    s.unseen[seat] &= ~(1 << card)
    s.fresh[seat] = 1
    emit_card(s, TURN, seat, TABLE, card, cite("PI-08"))


@rule
def finish(s: State) -> None:
    """See whether the game is over after a tick (PI-21, PI-Q10, PI-Q11)."""
    closed = 0
    for suit in range(SUITS):
        closed += s.gone[suit] >= CLOSED
    for p in range(PLAYERS):
        if s.captured[p] >= target(s):
            end(s, cite("PI-21"))
            return
    if closed == SUITS:
        end(s, cite("PI-Q10"))
    elif s.tick - s.last >= s.rules.stall:
        stall(s)


@rule
def stall(s: State) -> None:
    """End the game because no card was laid for too long, by the count of ticks or by the clock of a live game
    (PI-Q11).
    """
    emit(s, STALLED, TABLE, TABLE, s.tick - s.last, cite("PI-Q11"))
    end(s, cite("PI-Q11"))


@rule
def end(s: State, why: int) -> None:
    """End the game: more ships win; an equal number is a draw (PI-02, PI-Q10)."""
    s.over = 1
    s.chosen[0] = s.chosen[1] = 0
    s.winner = -1
    for p in range(PLAYERS):
        if s.captured[p] > s.captured[1 - p]:
            s.winner = p
    if s.winner >= 0:
        emit(s, WON, s.winner, TABLE, s.captured[s.winner], why)
    else:
        emit(s, DRAWN, TABLE, TABLE, s.captured[0], why)


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for p in range(PLAYERS):
        if p != seat:
            s.chosen[p] = 0  # hides even whether the seat has chosen
        if s.unseen[p]:  # first time through the stock: the order is unknown, even to its owner
            for i in range(s.turned[p], s.held[p]):
                s.cards[p, i] = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    """Shuffle the cards never turned.

    In the seat's worlds, an invisible choice counts as not yet made.
    """
    row = np.empty(worlds.MAX_CARDS, np.int64)
    for p in range(PLAYERS):
        if s.unseen[p]:
            n = worlds.spread(s.rng, s.unseen[p], row)
            for i in range(n):
                s.cards[p, s.turned[p] + i] = row[i]


@rule
def observed(s: State, seat: int, move: int, viewer: int) -> int:
    return move if viewer == seat else -1  # the outcome is revealed once both have chosen


@rule
def is_pass(s: State, move: int) -> int:
    return int(move == WAIT)


@rule
def payoff(s: State, out: Any) -> None:
    """A win is 1, a loss -1, a draw 0."""
    for p in range(PLAYERS):
        out[p] = 0.0
    if s.winner >= 0:
        out[s.winner], out[1 - s.winner] = 1.0, -1.0


@rule
def standing(s: State, out: Any) -> int:
    for p in range(PLAYERS):
        out[p] = s.captured[p]
    if not s.over or s.deal_number == 0:
        return 0
    return won_by(1 << s.winner if s.winner >= 0 else 3)


@rule
def bounds(s: State, out: Any) -> None:
    """Each card laid and each ship gone restarts the count of idle ticks (PI-Q11)."""
    out[0] = float(PLAYERS * s.rules.stall * (PLAYERS * PACK + MOST_SHIPS + 1))
    out[1], out[2] = -1.0, 1.0


implement(
    State,
    pack,
    start,
    deal,
    actors,
    legal,
    play,
    redact,
    resample,
    observed,
    is_pass,
    payoff,
    standing,
    bounds,
    heuristic,
    slip,
    slipped,
)


def prepare(s: State, game: str, options: PirateOptions) -> None:
    """Set `stall` for a live game: its arbiter sets the length of a tick, so the idle seconds become the most ticks
    they can hold (PI-Q15).
    """
    if options.form == "live":
        s.rules.stall = PLAYERS * (1000 * options.stall_seconds // max(options.tie_window_ms, LEAST_PACE) + 2)
