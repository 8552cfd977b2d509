"""The state of a table of I Doubt It: house rules, hands, the pile with its sets, and each seat's mind.

A set of cards is a row of two masks of kinds, because there may be two packs: `hands[p, 0]` are the kinds of which p
holds at least one card, `hands[p, 1]` those with two.

**Mind.** The pile grows until somebody takes it; the time in between is a *round of the pile*. Cards leave a hand only
for the pile, and enter a hand only when it is taken. So for each viewer and each of the two cards of a kind `may`
keeps the hands in which that card may have been when the pile was last empty; it changes only when the pile is taken
(`knowledge`).
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import ALL_52
from cardtable.games.i_doubt_it.options import DoubtOptions
from cardtable.games.shared.scores import ScoreTable, added
from cardtable.kernel import Ints, field, rule
from cardtable.kernel.bits import count
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import MAX_SEATS, HouseRules

SEATS = MAX_SEATS
PACKS = 2
CARDS = 52 * PACKS
PUBLIC = SEATS  #: the row of `may` for public knowledge
DONE, ACCEPT, DOUBT, NAME = 52, 53, 54, 55  #: moves; 0..51 put a card of this kind into the set, NAME + r names a rank
MAX_MOVES = 53
ACTIONS = 68
ANY_RANK = -1  #: `first_rank` before eldest has named it
WAITING, ACCEPTED, DOUBTED = 0, 1, 2  # `chosen`


class State(ScoreTable):
    """A table of I Doubt It. Its scores are deals won."""

    rules: HouseRules = rules_of(DoubtOptions)
    turn: int = field()  #: who lays the next set, or laid the set that may be doubted now
    t: int = field()  #: sets laid before that one in this deal
    first_rank: int = field()  #: the rank of the deal's first set, 0..12, or ANY_RANK
    window: int = field()  #: 1: the last set may be doubted now
    asked: int = field()  #: the seat asked now, when the others are asked one after another
    counts: Ints = field("i8", SEATS)  #: cards in each hand, those put into a set not yet laid included
    absent: Ints = field("i8", PACKS)  #: cards that are out of this deal (positions only)
    sets: int = field()  #: in the pile
    set_by: Ints = field("i8", CARDS)  #: of each set: who laid it
    set_size: Ints = field("i8", CARDS)  #: of each set: how many cards
    #: secret answers: WAITING, ACCEPTED or DOUBTED; hidden, including the fact that they were given
    chosen: Ints = field("i8", SEATS)
    hands: Any = field("i8", SEATS, PACKS)
    draft: Ints = field("i8", PACKS)  #: the cards in the set in preparation; private
    set_cards: Any = field("i8", CARDS, PACKS)  #: of each set: its cards, known to the seat that laid them
    #: [viewer, hand, copy]: kinds whose copy may be there, when the pile was last empty
    may: Any = field("i8", SEATS + 1, SEATS, PACKS)


@rule
def due(s: Any) -> int:
    """The rank that must be declared, or was declared with the last set while it may be doubted (DB-05, DB-06)."""
    return (s.first_rank + s.t) % 13


@rule
def size(low: int, high: int) -> int:
    """How many cards two masks of a set hold."""
    return count(low) + count(high)


@rule
def pile_size(s: Any) -> int:
    """Cards in the pile."""
    return added(s.set_size, s.sets)


@rule
def laid_by(s: Any, seat: int) -> int:
    """How many cards of the pile a seat laid."""
    total = 0
    for i in range(s.sets):
        if s.set_by[i] == seat:
            total += s.set_size[i]
    return total


@rule
def whole(s: Any, copy: int) -> int:
    """The kinds whose copy is in this deal."""
    return ALL_52 & ~s.absent[copy] if copy < s.rules.decks else 0


@rule
def add_into(row: Any, low: int, high: int) -> None:
    """Add cards (two masks) to a set; at most two of a kind."""
    both = row[0] & low
    row[1] |= high | both
    row[0] |= low


@rule
def take_from(row: Any, low: int, high: int) -> None:
    """Take cards (two masks) out of a set that contains them."""
    once, twice = row[0], row[1]
    row[1] = twice & ~low
    row[0] = once & ~(low & ~twice) & ~high
