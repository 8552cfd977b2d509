"""The table of Pirate: the cards, and the visible facts - the next card of a side, the seats that have run out, the
card that may be claimed.

A player's cards are one row: the waste, bottom first, then the stock, top first. Turning the waste over restarts the
row (PI-14). A lane is two counts: cards from the ace upwards, and cards from the king downwards.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.pirate.options import PirateOptions
from cardtable.kernel import Ints, field, rule
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules, Table

PLAYERS, SUITS, PACK = 2, 4, 52
WAIT, DRAW_CARD, PLAY, CLAIM = range(4)  #: the moves
CLOSED = 2  #: ships of a suit after which its lane is closed (PI-Q7)
MOST_SHIPS = SUITS * CLOSED


class State(Table):
    """A table of Pirate; `dealer` is the seat of HIGH, the other is LOW (PI-06)."""

    rules: HouseRules = rules_of(PirateOptions)  # `stall` in a live game: see `prepare`
    tick: int = field()  #: ticks resolved
    last: int = field()  #: the last tick in which a card was laid or a ship removed
    #: the move chosen for this tick + 1, hidden until both have chosen; 0: none yet
    chosen: Ints = field("i8", PLAYERS)
    cards: Any = field("i8", PLAYERS, PACK)  #: per player: the waste from the bottom, then the stock from the top
    held: Ints = field("i8", PLAYERS)  #: number of cards in that row
    turned: Ints = field("i8", PLAYERS)  #: number of those in the waste
    #: the set of cards not yet turned: the stock on its owner's first time through it
    unseen: Ints = field("i8", PLAYERS)
    fresh: Ints = field("i8", PLAYERS)  #: 1: the top of the waste is the last card turned
    left: Any = field("i8", PLAYERS, SUITS)  #: cards of each suit in stock and waste
    gone: Ints = field("i8", SUITS)  #: ships of the suit captured or sunk, 0 to CLOSED
    rising: Ints = field("i8", SUITS)  #: cards laid from the ace upwards
    falling: Ints = field("i8", SUITS)  #: cards laid from the king downwards
    captured: Ints = field("i8", PLAYERS)  #: ships
    sunk: int = field()  #: ships
    sunk_cards: int = field()


@rule
def rises(s: State, seat: int, suit: int) -> bool:
    """Whether a seat builds upwards from the ace here: LOW on a suit's first ship, HIGH on its second (PI-09, PI-10,
    PI-17).
    """
    return (seat != s.dealer) == (s.gone[suit] == 0)


@rule
def side(s: State, seat: int, suit: int) -> int:
    """The number of cards on a seat's side of a lane."""
    return s.rising[suit] if rises(s, seat, suit) else s.falling[suit]


@rule
def gap(s: State, suit: int) -> int:
    """The number of cards missing from the ship in a lane, 1 to 13."""
    return 13 - s.rising[suit] - s.falling[suit]


@rule
def need(s: State, seat: int, suit: int) -> int:
    """The rank that a seat's side of a lane takes next, 0 (ace) to 12; -1: the lane is closed (PI-12)."""
    if s.gone[suit] >= CLOSED:
        return -1
    return s.rising[suit] if rises(s, seat, suit) else 12 - s.falling[suit]


@rule
def fits(s: State, seat: int, card: int) -> bool:
    """Whether a card is the next one for a seat's own side."""
    return bool(card >= 0 and need(s, seat, suit_of(card)) == rank_of(card))


@rule
def top(s: State, seat: int) -> int:
    """The top card of a seat's waste; -1: none."""
    return int(s.cards[seat, s.turned[seat] - 1]) if s.turned[seat] else -1


@rule
def exhausted(s: State, seat: int) -> bool:
    """Whether a seat is an observer: only dead cards are left in its stock and waste (PI-18, PI-Q8). All can see it."""
    live = 0
    for suit in range(SUITS):
        if s.gone[suit] < CLOSED:
            live += s.left[seat, suit]
    return bool(live == 0)


@rule
def may_claim(s: State, seat: int) -> bool:
    """Whether a seat may claim the card that the other has just turned (PI-19, PI-Q9)."""
    other = 1 - seat
    if s.fresh[other] == 0 or not exhausted(s, seat):
        return False
    card = top(s, other)
    return fits(s, seat, card) and side(s, seat, suit_of(card)) > 0


@rule
def target(s: State) -> int:
    """The number of ships that wins now (PI-21)."""
    if s.rules.target_majority:
        return (MOST_SHIPS - s.sunk) // 2 + 1
    return 4 if s.sunk else 5
