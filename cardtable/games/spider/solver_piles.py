"""Piles for Spider's solver: the cards of a column as one number, so that a table of ten columns is ten numbers.

A **pile** is a card on another pile, and pile 0 is the empty one. Equal piles have the same number (they are
*interned* in a hash table), so a pile's cost and other properties are computed once, from the pile below its last
card. A beam (`solver_beam`) makes piles only for the tables that it keeps: the cost of a move, and the key of the
resulting table, follow from the piles before it.

The **cost** of a pile measures the obstacles to the runs below. It is a whole number, so that compiled and plain code
agree. `solver_beam` adds the cost of the ends of the columns and the gaps. The weights of both are in `weights.json`,
found by `bench/spider_tuning.py solver` on other deals, at 8bb0574e.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import rank_of, suit_of
from cardtable.games.spider.state import LONGEST
from cardtable.kernel import Record, field, rule

U = np.uint64
Weights = np.ndarray[tuple[int], np.dtype[np.int64]]
DOWN = 64  #: added to a card that lies face down
NO_CARD = 52  #: represents an unknown face-down card
KING = 12
#: indexes of the weights: those of a pile's cards, then those of a table
NONEMPTY, HIDDEN, NOT_KING, SUITED, UNSUITED, BREAK, HIGHER, OVER_LOWER, OVER_SUIT = range(9)
HIDES, BREAK_HIDING, CLEAN = range(9, 12)
RUN, END_RANK, END_PAIR, END_ACE, END_KING, GAP, MORE_GAPS = range(12, 19)
HIDING, ORDERLY = 1 << 20, 1 << 21  #: marks in `lows`: has face-down cards; face up in order from a king
NO_LOW = 13 * 0x11111  #: `lows` of the empty pile
STEP = U(0x9E3779B97F4A7C15)
MIX_A, MIX_B, MIX_C = U(0xFF51AFD7ED558CCD), U(0xC4CEB9FE1A85EC53), U(0xD6E8FEB86659FD93)
S33, S29, S32, S40 = U(33), U(29), U(32), U(40)


POWERS = np.array([pow(int(STEP), n, 2**64) for n in range(LONGEST + 2)], np.uint64)  #: of STEP
#: [card, n]: what n cards of one suit in order, the last of which is `card`, add to the key of the pile they go to
RUN_KEYS = np.array(
    [
        [sum(int(POWERS[k]) * (card + k + 1) for k in range(n)) % 2**64 for n in range(LONGEST + 1)]
        for card in range(52)
    ],
    np.uint64,
)


class InternedPile(Record):
    """A card on another pile."""

    below: int = field()  #: the pile under it
    card: int = field()  #: with DOWN if it lies face down
    turned: int = field()  #: the same pile with this card face up: itself, if it is
    height: int = field()
    run: int = field()  #: how many cards at its end move together
    lows: int = field()  #: four bits each: the lowest rank in it, then of each suit (13: none); and marks
    cost: int = field()
    key: NDArray[np.uint64] = field("u8")


class Piles(NamedTuple):
    """All piles of a search."""

    piles: Any  #: row of InternedPile
    places: NDArray[np.int32]  #: hash table of their numbers; 0: free. A power of two, twice the number of piles
    made: NDArray[np.int64]  #: how many there are
    weights: NDArray[np.int64]
    bias: NDArray[np.int64]  #: one number: most that is added to the cost of a card face down, by its pile's key


def read_weights(name: str) -> Weights:
    """The weights in a file of this package, in thousandths, in the order of their places."""
    data = json.loads((files(__package__) / name).read_text("utf-8"))
    return np.array(list(data.values()), np.int64)


def room(most: int, weights: NDArray[np.int64]) -> Piles:
    """Room for at most `most` piles, a power of two; 72 bytes for each."""
    made, bias = np.zeros((2, 1), np.int64)
    return Piles(InternedPile.row(most), np.zeros(2 * most, np.int32), made, weights, bias)


@rule
def mix(x: Any) -> Any:
    """64 bits, stirred."""
    x ^= x >> S33
    x *= MIX_A
    x ^= x >> S29
    x *= MIX_B
    return x ^ (x >> S32)


@rule
def noise_of(most: int, key: Any) -> int:
    """What blurs a cost: 0 to `most`, by a key."""
    return int(np.int64(key >> S40)) * most >> 24


@rule
def clear(b: Piles, salt: Any) -> None:
    """Forget all piles. salt: keys of piles depend on it."""
    b.places[:] = 0
    b.made[0] = 1
    empty = b.piles[0]
    empty.below = empty.card = empty.turned = empty.height = empty.run = empty.cost = 0
    empty.lows = NO_LOW
    empty.key = mix(salt * STEP + STEP)


@rule
def intern(b: Piles, below: int, card: int) -> int:
    """The number of the pile of a card on another one."""
    at = find_pile(b, below, card)
    if b.places[at]:
        return int(b.places[at])
    i = add_pile(b, at, below, card)
    if card & DOWN:
        pile = b.piles[i]
        pile.cost += noise_of(b.bias[0], mix(pile.key))
        pile.run = 0
        at = find_pile(b, below, card & 63)
        pile.turned = b.places[at] if b.places[at] else add_pile(b, at, below, card & 63)
    return i


@rule
def find_pile(b: Piles, below: int, card: int) -> int:
    """Where the number of a pile is in `places`, or the free place for it."""
    last = len(b.places) - 1
    at = np.int64(mix(U(below * 128 + card + 1)) & U(last))
    while b.places[at] and (b.piles[b.places[at]].below != below or b.piles[b.places[at]].card != card):
        at = (at + 1) & last
    return int(at)


@rule
def add_pile(b: Piles, at: int, below: int, card: int) -> int:
    """Make a pile, as if its last card lay face up, and store its number."""
    i = int(b.made[0])
    b.made[0] = i + 1
    b.places[at] = i
    pile, under = b.piles[i], b.piles[below]
    pile.below, pile.card, pile.turned, pile.height = below, card, i, under.height + 1
    pile.key = under.key * STEP + U(card + 1)
    pile.cost = under.cost + cost_on(b, below, card)
    pile.lows = lows_on(under.lows, under.height, under.card, card)
    pile.run = 1 + (under.run if under.run and under.card == card + 1 and rank_of(card) != KING else 0)
    return i


@rule
def lows_on(lows: int, height: int, under: int, card: int) -> int:
    """`lows` after a card is added to a pile with these `lows`, this height and this last card."""
    face = card & 63
    rank, place = rank_of(face), 4 * suit_of(face) + 4
    marks = lows & (HIDING | ORDERLY)
    if card & DOWN:
        marks |= HIDING
    if height == 0:
        marks |= ORDERLY if card == face and rank == KING else 0
    elif rank_of(under & 63) != rank + 1:
        marks &= ~ORDERLY
    if rank < lows & 15:
        lows = (lows & ~15) | rank
    if rank < lows >> place & 15:
        lows = (lows & ~(15 << place)) | rank << place
    return (lows & ~(HIDING | ORDERLY)) | marks


@rule
def cost_on(b: Piles, below: int, card: int) -> int:
    """The cost that a card adds to the pile that it goes to."""
    w, under = b.weights, b.piles[below]
    face = card & 63
    rank = rank_of(face)
    cost = w[HIDDEN] if card & DOWN else 0
    if below == 0:
        cost += w[NONEMPTY] + (w[HIDES] if card & DOWN else 0) + (w[NOT_KING] if rank != KING else 0)
        return int(cost + (w[CLEAN] if rank == KING and card == face else 0))
    on = under.card & 63
    if rank_of(on) == rank + 1:
        cost += w[SUITED] if on == face + 1 else w[UNSUITED]
    elif on == NO_CARD:  # 12 of 13 ranks make a break
        cost += w[BREAK] * 12 // 13 + w[BREAK_HIDING]
    else:
        cost += w[BREAK] + (w[HIGHER] if rank > rank_of(on) else 0)
        cost += (w[BREAK_HIDING] if under.lows & HIDING else 0) - (w[CLEAN] if under.lows & ORDERLY else 0)
    if under.lows & 15 < rank:
        cost += w[OVER_LOWER]
    if under.lows >> (4 * suit_of(face) + 4) & 15 < rank:
        cost += w[OVER_SUIT]
    return int(cost)


@rule
def cost_of_run(b: Piles, pile: int, card: int, n: int) -> int:
    """What n cards of one suit, the last of which is `card`, add to the cost of a pile that takes them."""
    w, p = b.weights, b.piles[pile]
    cost = (n - 1) * w[SUITED]
    low = rank_of(card)
    high = low + n - 1
    if pile == 0:
        return int(cost + w[NONEMPTY] + (w[CLEAN] if high == KING else w[NOT_KING]))
    cost += w[SUITED] if p.card == card + n else w[UNSUITED]
    over = high - max(p.lows & 15, low - 1)
    if over > 0:
        cost += over * w[OVER_LOWER]
        over = high - max(p.lows >> (4 * suit_of(card) + 4) & 15, low - 1)
        if over > 0:
            cost += over * w[OVER_SUIT]
    return int(cost)


@rule
def lay_run(b: Piles, pile: int, card: int, n: int) -> int:
    """The pile after n cards of one suit, the last of which is `card`, go to it; a complete run leaves."""
    if completes(b, pile, card, n):
        return int(b.piles[beneath(b, pile, b.piles[pile].run)].turned)
    for each in range(card + n - 1, card - 1, -1):
        pile = intern(b, pile, each)
    return pile


@rule
def completes(b: Piles, pile: int, card: int, n: int) -> bool:
    """Whether n cards of one suit, the last of which is `card`, complete a run on a pile."""
    return n + b.piles[pile].run == 13 and b.piles[pile].card == card + n


@rule
def pile_of(b: Piles, s: Any, column: int) -> int:
    """The pile of a column of a state of Spider."""
    pile = 0
    for i in range(s.height[column]):
        pile = intern(b, pile, int(s.columns[column, i]) + (DOWN if i < s.down[column] else 0))
    return pile


@rule
def beneath(b: Piles, pile: int, n: int) -> int:
    """The pile under the last n cards of one."""
    for _ in range(n):
        pile = b.piles[pile].below
    return pile


@rule
def key_in(key: Any, column: int, ordered: int) -> Any:
    """The contribution of a pile with this key to the key of a table. ordered: the column matters."""
    return mix(key + U(column + 1) * MIX_C) if ordered else mix(key)
