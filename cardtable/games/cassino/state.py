"""A table of Cassino: its house rules, its builds, and how a move is packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, SUIT
from cardtable.games.cassino.options import CassinoOptions
from cardtable.games.shared.captures import SCORED, CaptureTable, worth_of
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import lowest
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

# A move: the cards involved (bits 0..51) | kind << 52 | declared value << 56 (builds; a pair's is its rank + 1)
CARDS = ALL_52
TAKE, BUILD, PAIR, RAISE, TRAIL = range(5)
KIND, DECLARED = 52, 56
# events
BUILDS, PAIRS, RAISES, ACES, MOST_SPADES, TWO_OF_SPADES, TEN_OF_DIAMONDS, MOST_CARDS = range(SCORED, SCORED + 8)
LITTLE, BIG = 1, 35  #: Little Cassino 2S, Big Cassino TD
VALUES = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0], np.int64)  #: of each rank; courts have none (CA-11)
HIGHEST = 10  #: highest value of an addition build


class State(CaptureTable):
    """A table of Cassino. Loose cards are the `board`; a build belongs to the seat that last made or extended it
    (CA-Q6).
    """

    rules: HouseRules = rules_of(CassinoOptions)
    built: int = field()  #: the cards of all builds
    sum_build: Ints = field("i8", 11)  #: of each value 2..10: the cards of its addition build; 0 none
    sum_owner: Ints = field("i8", 11)  #: 0 where there is none
    pair_build: Ints = field("i8", 13)  #: of each rank: the cards of its pairing build; 0 none
    pair_owner: Ints = field("i8", 13)
    keys: Ints = field("i8", 2)  #: fact: the seat holds a card of each of these ranks (mask of ranks)


@rule
def table(s: Any) -> int:
    """All cards on the table."""
    return s.board | s.built


@rule
def played(s: Any, move: int) -> int:
    """The card that a move plays from the hand."""
    return lowest(move & CARDS & ~table(s))


@rule
def owned(s: Any, seat: int) -> int:
    """The ranks of the builds that a seat owns, as a mask of ranks."""
    ranks = 0
    for v in range(2, 11):
        if s.sum_build[v] and s.sum_owner[v] == seat:
            ranks |= 1 << (v - 1)
    for r in range(13):
        if s.pair_build[r] and s.pair_owner[r] == seat:
            ranks |= 1 << r
    return ranks


@rule
def ranks_of(cards: int) -> int:
    """The ranks of some cards, as a mask."""
    return (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT


@rule
def total(cards: int) -> int:
    """The values of some cards, added up."""
    return worth_of(cards, VALUES)
