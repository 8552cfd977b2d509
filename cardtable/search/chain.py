"""Worlds weighted by the others' moves: a Markov chain over the places of the unseen cards.

A uniform world (`contract.resample`) ignores whether a hand fits a seat's past choices. Here worlds are drawn in
proportion to the likelihood of those choices given their hands (`cardtable.rules.likelihood`). Against a seat that
plays at random the weights soon fade, and worlds are nearly uniform.

The chain (Metropolis et al. 1953) begins with a uniform world and exchanges two cards of two places again and again. An
exchange that contradicts a fact is rejected, so every world is possible, however unlikely. Several chains take turns,
because the facts may keep one of them in a part of the worlds.

A seat's hand at its past choices follows from its hand in a world and from its later moves (`contract.held_before`).
If several hands are possible, one is drawn; the likelihood is then an unbiased estimate, so the chain still has the
right distribution (Andrieu and Roberts 2009).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import Record, field, prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.likelihood import TABLES, likelihood
from cardtable.rules.worlds import Work
from cardtable.views.observed import Past

MAX_PLACES = contract.MAX_SEATS + 4
CHAINS = 4
BURN_IN = 250  #: exchanges tried before a chain's first world
THINNING = 24  #: exchanges tried between two worlds of a chain
POOL = 512  #: worlds drawn at a time
NEVER = -1e300


class Chain(Record):
    """One chain: a world as the sets of cards at its places, and how well each fits what its seat did."""

    sets: NDArray[np.int64] = field("i8", MAX_PLACES)
    fits: NDArray[np.float64] = field("f8", MAX_PLACES)  #: log-likelihoods of the seats' choices


class Head(Record):
    """The shared data of the chains."""

    seat: int = field()  #: the viewer
    places: int = field()
    past: int = field()  #: how many past moves are known
    tried: int = field()  #: exchanges that the facts allow
    made: int = field()  #: of these, accepted
    rng: prng.Words = field("u8", 4)


@rule
def nth(cards: int, n: int) -> int:
    """The n-th card of a set, from 0."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


@rule
def fit(head: Head, past: Any, who: Any, made: Any, moves: Any, tables: Any, p: int, cards: int) -> float:
    """The log-likelihood of seat p's past choices if it now holds these cards."""
    agreed = strayed = 0
    other = alike = odds = 0.0
    for k in range(head.past - 1, -1, -1):
        if who[k] == p:
            s = past[k]
            after = cards
            cards = contract.held_before(s, p, made[k], cards, head.rng) if made[k] >= 0 else contract.UNKNOWN
            if cards == contract.UNKNOWN:
                break
            if cards == contract.IMPOSSIBLE:
                return NEVER
            odds += contract.odds_before(s, p, made[k], cards, after)
            contract.put(s, p, cards)
            n = contract.legal(s, p, moves)
            legal = False
            for j in range(n):
                legal = legal or moves[j] == made[k]
            if not legal:
                return NEVER
            if n > 1:
                alike += tables[3, n]
                if contract.heuristic(s, p, moves, n) == made[k]:
                    agreed += 1
                else:
                    strayed += 1
                    other += tables[3, n - 1]
    return odds + likelihood(tables, agreed, strayed, other, alike)


@rule
def begin(  # noqa: PLR0913 - with a tuple of the past, search is slower
    head: Head, chain: Chain, s: Any, work: Work, past: Any, who: Any, made: Any, moves: Any, tables: Any
) -> None:
    """Begin a chain with the uniform world that `s`, a redacted state, is filled with."""
    contract.resample(s, head.seat, work)
    head.places = contract.unseen(s, head.seat, chain.sets)
    for p in range(head.places):
        held = p < s.seats and p != head.seat and chain.sets[p] != 0
        chain.fits[p] = fit(head, past, who, made, moves, tables, p, chain.sets[p]) if held else 0.0


@rule
def exchange(  # noqa: PLR0913 - with a tuple of the past, search is slower
    head: Head, chain: Chain, root: Any, steps: int, past: Any, who: Any, made: Any, moves: Any, tables: Any
) -> None:
    """Try this number of exchanges of two cards between two places."""
    for _ in range(steps):
        p, q = prng.below(head.rng, head.places), prng.below(head.rng, head.places)
        mine, its = chain.sets[p], chain.sets[q]
        if p == q or p == head.seat or q == head.seat or mine == 0 or its == 0:
            continue
        a, b = nth(mine, prng.below(head.rng, count(mine))), nth(its, prng.below(head.rng, count(its)))
        mine, its = mine & ~(1 << a) | 1 << b, its & ~(1 << b) | 1 << a
        if not (contract.may_hold(root, head.seat, p, mine) and contract.may_hold(root, head.seat, q, its)):
            continue
        head.tried += 1
        mines = fit(head, past, who, made, moves, tables, p, mine) if p < root.seats else 0.0
        itss = fit(head, past, who, made, moves, tables, q, its) if q < root.seats else 0.0
        more = mines + itss - chain.fits[p] - chain.fits[q]
        if more >= 0.0 or prng.unit(head.rng) < np.exp(more):
            head.made += 1
            chain.sets[p], chain.sets[q], chain.fits[p], chain.fits[q] = mine, its, mines, itss


@rule
def draw(  # noqa: PLR0913 - with a tuple of the past, search is slower
    head: Head,
    chains: Any,
    root: Any,
    pool: Any,
    thinning: int,
    past: Any,
    who: Any,
    made: Any,
    moves: Any,
    tables: Any,
) -> None:
    """Draw as many worlds as there is room for, as the sets at their places; the chains take turns."""
    for i in range(len(pool)):
        chain = chains[i % len(chains)]
        exchange(head, chain, root, thinning, past, who, made, moves, tables)
        for p in range(head.places):
            pool[i, p] = chain.sets[p]


class Weighted:
    """Weighted worlds of one game, with separate buffers."""

    def __init__(
        self,
        kind: type[State],
        most_moves: int,
        table: NDArray[np.float64] = TABLES,
        chains: int = CHAINS,
        pool: int = POOL,
    ) -> None:
        """kind: of the game's states; most_moves: its MAX_MOVES; table: from `likelihood.tables`; pool: the number of
        worlds drawn at a time.
        """
        self._table = table
        self.head = Head.new()
        self.chains = Chain.row(chains)
        self.pool = np.zeros((pool, MAX_PLACES), np.int64)
        self._moves = np.empty(most_moves + 1, np.int64)
        self._box: Any = kind.row(2)  # the redacted root, and a world
        self._work = Work.new()
        self._past: Past | None = None

    def begin(self, root: State, past: Past, key: prng.Words) -> bool:
        """Begin the chains for a state redacted for the seat whose past this is. key: four words.

        Returns whether there are any: not every game can determine earlier hands, and without choices of the others
        all weights are equal.
        """
        head = self.head
        self._past = past
        head.seat, head.past, head.tried, head.made = past.seat, past.count, 0, 0
        head.rng[:] = key
        if not past.count:
            return False
        self._box[0] = root
        for chain in self.chains:
            self._box[1] = root
            self._box[1].rng[:] = [prng.next64(head.rng) for _ in range(4)]
            begin(head, chain, self._box[1], self._work, *self._evidence())
            if not head.places:
                return False
            exchange(head, chain, self._box[0], BURN_IN, *self._evidence())
        return True

    def draw(self, thinning: int = THINNING) -> NDArray[np.int64]:
        """The next worlds, as the sets of cards at their places (`contract.unseen`): POOL x places."""
        draw(self.head, self.chains, self._box[0], self.pool, thinning, *self._evidence())
        return self.pool

    def _evidence(self) -> tuple[Any, ...]:
        past = self._past
        assert past
        return past.rows, past.who, past.made, self._moves, self._table
