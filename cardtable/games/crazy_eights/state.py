"""The complete state of a Crazy Eights table, with its house rules as integers.

Two packs have two identical cards of each **kind** (0..53), so cards are counted by kind: a **tally** is a pair of
masks, and a kind's number (0 to 3) is its bit in the first and twice its bit in the second.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK, SUIT, rank_of, suit_of
from cardtable.games.crazy_eights.options import CrazyEightsOptions
from cardtable.games.shared.scores import ScoreTable
from cardtable.kernel import Ints, field, rule
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

SEATS = 10
CARDS = 108
KINDS = 54
TOKENS = 216  #: the most cards that are not settled
POOLS = 16
BATCHES = 16
EIGHTS = RANK << 7
JOKERS = 3 << 52
WILD = EIGHTS | JOKERS
ALL_KINDS = (1 << KINDS) - 1

# Moves: a kind; NAMED_8 + 4 x suit of an eight + the suit it names; DRAW; PASS; NAME + a suit (by the dealer, before
# the first turn).
NAMED_8, DRAW, PASS, NAME = 54, 70, 71, 72
MAX_MOVES = 76
ACTIONS = 76


class State(ScoreTable):
    """A table of Crazy Eights."""

    rules: HouseRules = rules_of(CrazyEightsOptions)
    turn: int = field()
    naming: int = field()  #: 1: the dealer must name a suit for the eight that was turned up
    named: int = field()  #: the suit named + 1; 0 none
    free: int = field()  #: 1: anything may be played
    turns: int = field()  #: turns ended in this deal
    stock_size: int = field()
    pile_size: int = field()
    counts: Ints = field("i8", SEATS)
    pile: Ints = field("i8", CARDS)  #: the discards, from the bottom; the last is the upcard
    stock: Ints = field("i8", CARDS)  #: from the bottom; the last is drawn next
    hands: Any = field("i8", SEATS, 2)  #: tallies
    has: Any = field("i8", SEATS, BATCHES, 2)  #: tally: what each batch was when it came (see knowledge.py)
    # Public knowledge about the hidden cards (see knowledge.py). for each place in the stock: kind + 1 of a wild card
    # put there in view of all; 0: unknown
    sure: Ints = field("i8", CARDS)
    known: Any = field("i8", SEATS, 2)  #: tally: publicly known cards of a hand, whose place in the stock was known
    pools: int = field()
    tokens: Any = field("i8", POOLS, 2)  #: tally: the cards of a pool, except settled ones
    batches: Ints = field("i8", SEATS)
    origin: Any = field("i8", SEATS, BATCHES)  #: the pool from which a batch came
    room: Any = field("i8", SEATS, BATCHES)  #: its number of cards, except settled ones
    gone: Any = field("i8", SEATS, 2)  #: tally: laid and not settled
    least: Any = field("i8", SEATS, BATCHES, 2)  #: tally: the minimum that this seat had received up to this batch
    most: Any = field("i8", SEATS, BATCHES, 2)  #: tally: the maximum received up to this batch, plus 1; 0: not known


@rule
def hand(s: State, seat: int) -> int:
    """The kinds that a seat holds."""
    return s.hands[seat, 0] | s.hands[seat, 1]


@rule
def upcard(s: State) -> int:
    """The kind on top of the discard pile."""
    return s.pile[s.pile_size - 1]


@rule
def playable(s: State) -> int:
    """The kinds that may be played, whatever the hands (CE-07 to CE-10)."""
    if s.free:
        return ALL_KINDS
    if s.named:
        return WILD | SUIT << 13 * (s.named - 1)
    card = upcard(s)
    return WILD | SUIT << suit_of(card) * 13 | RANK << rank_of(card)


@rule
def can_draw(s: State) -> bool:
    """Whether there is a card to draw, possibly after a reshuffle (CE-11, CE-12)."""
    return bool(s.stock_size or s.pile_size > 1)


@rule
def of(low: int, high: int, kind: int) -> int:
    """The number of cards of a kind in the tally (low, high)."""
    return (low >> kind & 1) + 2 * (high >> kind & 1)


@rule
def low_of(low: int, kind: int, number: int) -> int:
    """The first mask of a tally, with a kind's number set."""
    return low & ~(1 << kind) | (number & 1) << kind


@rule
def high_of(high: int, kind: int, number: int) -> int:
    """The second mask of a tally, with a kind's number set."""
    return high & ~(1 << kind) | (number >> 1) << kind
