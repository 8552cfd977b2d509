"""The state of a Thirty-One table, the count of a hand, and what everybody has seen of the hands.

A card in a hand is **known** if its holder took it as the upcard, else **hidden**. Hidden cards have an **age**: the
number of the last new stock (1 to 3) they were shuffled into, 0 if none. A player can hold a card of a new stock only
by drawing it from there, so the number of hidden cards of each age in a hand is public too. `turns` records each turn
of the deal: it shows which cards a hand has held, and none of these hands was a blitz (TO-10).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_32, ALL_40, ALL_52, RANK, SUIT, rank_of
from cardtable.games.shared.scores import ScoreTable
from cardtable.games.thirty_one.options import SEATS, ThirtyOneOptions
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import OWN, HouseRules

# Moves: a card to discard (0..51), or one of these
STOCK, UPCARD, KNOCK, BLITZ = 52, 53, 54, 55
MAX_MOVES = 5
ACTIONS = 56
# events
TAKEN, DISCARD, KNOCKED, BLITZED, COUNTED, LEVEL, OUT, ENOUGH, NOTES, LEFT, RESHUFFLE, FOLDED = range(OWN, OWN + 12)
THREES = OWN + 12
BY_KNOCK, BY_BLITZ, EXHAUSTED = 1, 2, 3  # why a hand ended
FROM_STOCK, FROM_PILE = 1, 2  # the source of the card drawn this turn

NEW_STOCKS = 3  #: new stocks in one deal (TO-Q5)
MAX_TAKEN = 100  #: upcards that may be taken in one deal (TO-Q15)
MAX_LEVEL = 20  #: hands in a row without a loser that end the match (TO-Q16)
TURNS = 4 * 45 + MAX_TAKEN + 4  #: room for all turns of a deal: with two players 45 cards to draw, four times

NO_CARD = 62  #: in `taken` and `turn_of`: no upcard
VALUES = np.array([11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], np.int64)  #: of each rank (TO-07)
POINT = 32  #: what a point of a hand's count is worth at the showdown
HALF_POINT = 30 * POINT + POINT // 2  #: three of a kind (TO-C4)
ACE, TENS = 1, 0b1111000000000  #: within a suit: the cards of a blitz


class State(ScoreTable):
    """A table of Thirty-One.

    Its scores are the markers left, or the corners not yet folded (m); a deal loses some, or going out -1.
    """

    rules: HouseRules = rules_of(ThirtyOneOptions)
    alive: int = field()  #: mask of the seats still in the match
    pot: int = field()  #: markers in the middle
    level: int = field()  #: number of hands in a row without a loser, up to the last finished one
    turn: int = field()
    hands: Ints = field("i8", SEATS)
    known: Ints = field("i8", SEATS)  #: fact: cards taken as upcards and still held
    hidden: Any = field("i8", SEATS, NEW_STOCKS + 1)  #: fact: how many hidden cards of each age
    drawn: int = field()  #: 0 the turn begins, FROM_STOCK, FROM_PILE: a card was drawn, and one must be discarded
    taken: int = field()  #: the upcard taken in this turn; NO_CARD none
    knocker: int = field()  #: -1 none
    showing: int = field()  #: 1: the seat to act has a blitz, the hand has ended and all hands are shown
    stock: Ints = field("i8", 52)  #: the top card is the last
    stock_count: int = field()
    pile: Ints = field("i8", 52)  #: discards, the upcard last; each was seen by all
    pile_count: int = field()
    stocks: int = field()  #: number of new stocks made in this deal
    restocked: Ints = field("i8", NEW_STOCKS + 1)  #: the cards of each new stock (index 1 to 3)
    takes: int = field()  #: upcards taken in this deal
    played: int = field()  #: turns finished in this deal
    turns: Ints = field("i8", TURNS)  #: fact: see `turn_of`
    turn_count: int = field()


@rule
def turn_of(seat: int, taken: int, card: int, was_known: int, age: int) -> int:
    """A finished turn as an integer: the seat, the card it took (NO_CARD: the top of stock number `age`) and its
    discard.

    was_known: 1 if the discard was known to be in its hand before this turn.
    """
    return seat | taken << 4 | card << 10 | was_known << 16 | age << 17


@rule
def count_of(hand: int, best_suit: int) -> int:
    """The count of a hand, 0 if it is empty: TO-07, TO-14, TO-15, TO-Q6.

    Four cards count as their best suit.
    """
    best = most = pair = 0
    for suit in range(4):
        cards = hand >> 13 * suit & SUIT
        total = held = 0
        while cards:
            total += VALUES[lowest(cards)]
            held += 1
            cards &= cards - 1
        best = max(best, total)
        if held > 1 and total > pair:
            pair = total
        most = max(most, held)
    return pair if most > 1 and not best_suit else best


@rule
def threes(s: State, hand: int) -> bool:
    """Whether three cards are of one rank, and the rules count them 30 1/2 (TO-C4)."""
    rank = RANK << rank_of(lowest(hand))
    return bool(s.rules.three_of_a_kind and hand & ~rank == 0 and count(hand) == 3)


@rule
def strength(s: State, hand: int) -> int:
    """What a hand is worth at the showdown: POINT for each point of its count, HALF_POINT for three of a kind; of two
    such hands the higher rank is worth more, where ranks decide (TO-C5).
    """
    if hand and threes(s, hand):
        return HALF_POINT + ((rank_of(lowest(hand)) + 12) % 13 if s.rules.threes_tie_by_rank else 0)
    return POINT * count_of(hand, s.rules.odd_card_best_suit)


@rule
def pack_of(s: State) -> int:
    """The cards of the pack (TO-03, TO-C3)."""
    if s.rules.pack == 52:
        return ALL_52
    return ALL_40 if s.rules.pack == 40 else ALL_32


@rule
def may_knock_with(s: State, hand: int) -> bool:
    """Whether a hand counts enough to knock with (TO-C9)."""
    return s.rules.min_knock == 0 or strength(s, hand) >= POINT * s.rules.min_knock


@rule
def is_blitz(hand: int) -> int:
    """1 if three cards are 31 in one suit: an ace with two of ten, jack, queen and king (TO-10)."""
    for suit in range(4):
        cards = hand >> 13 * suit & SUIT
        tens = cards & TENS
        if cards & ACE and tens & (tens - 1):
            return 1
    return 0
