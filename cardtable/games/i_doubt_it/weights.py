"""Worlds of I Doubt It weighted by the others' claims: hands, and the sets in the pile.

A player who follows the heuristic lays all the cards of the rank due, or one card of another rank if there is none.
So a seat's claimed ranks and sizes are evidence of its hand and of the cards laid. Worlds are drawn in proportion to
how likely they make all sets that the others have laid since the pile was last empty (`cardtable.rules.likelihood`).
Earlier claims, and what the others believed, are not used.

As in `cardtable.search.chain`, a Markov chain begins with a uniform world. A step exchanges cards of two hands, or of
three in a circle, as these were when the pile was last empty, unless the viewer knows better. Then it redraws the sets
laid by these seats: mostly the intended cards, if their number equals the claim, otherwise any cards. The step is
accepted or rejected by the probabilities of both directions (Hastings 1970). No world is impossible: cards go only
where the viewer's mind allows them (`knowledge`), and a set is drawn from what its seat held.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import RANK
from cardtable.games.i_doubt_it.knowledge import imagine_mind
from cardtable.games.i_doubt_it.policy import planned
from cardtable.games.i_doubt_it.state import DONE, SEATS, State, due
from cardtable.kernel import Ints, Record, field, prng, rule
from cardtable.kernel.bits import count, lowest
from cardtable.rules import contract
from cardtable.rules.game import Witness
from cardtable.rules.likelihood import likelihood
from cardtable.rules.likelihood import tables as faithful_tables
from cardtable.rules.worlds import Work

MOST_SETS = 52  #: in the pile, with one pack
CHAINS = 4
SETTLING = 4000  #: steps before a chain's first world, as if the others surely followed the heuristic,
BURN_IN = 1000  #: and then with the weights
THINNING = 16  #: steps between two worlds of a chain
POOL = 512  #: worlds drawn at a time
SURPRISE = 0.05  #: the probability of redrawing a set as any cards, although the intended cards have its size
CIRCLES = 4  #: one step in four exchanges cards of three hands
#: Parameters of the weights (`likelihood.tables`). A seat makes some hundred choices in a deal, of which only those
#: since the pile was last empty are looked at; with the default values worlds would contain too many lies.
STRAYS, FAITHFUL, RANDOM = 0.5, 99.5, 0.01
WEIGHTS = faithful_tables(STRAYS, FAITHFUL, RANDOM)
#: ε is as good as known: a chain finds what explains all claims, and not that its seats stray from the heuristic
FIRM = faithful_tables(50.0, 950.0, 1e-12)
LOG_FACTORIALS = np.array([math.lgamma(n + 1.0) for n in range(53)])


class ClaimChain(Record):
    """One chain: a world, and the likelihood of each seat's claims in it."""

    held: Ints = field("i8", SEATS)  #: the cards of each seat when the pile was last empty; 0 of the viewer
    sets: Ints = field("i8", MOST_SETS)  #: the cards of each set in the pile; 0 of the viewer's own
    fits: NDArray[np.float64] = field("f8", SEATS)  #: log-likelihoods of the sets laid by the seats
    drawn: NDArray[np.float64] = field("f8", SEATS)  #: logarithms of the probabilities of redrawing their sets


class WeigherState(Record):
    """Shared data of the chains."""

    seat: int = field()  #: the viewer
    places: int = field()  #: of a world: the hands, then the sets in the pile
    tried: int = field()  #: steps that the viewer's mind allows
    made: int = field()  #: of these, accepted
    rng: prng.Words = field("u8", 4)


@rule
def put(s: Any, place: int, cards: int) -> None:
    """Put cards into a hand (its seat), or into a set of the pile (seats + its number); one pack only."""
    owner = place
    if place < s.seats:
        s.hands[place, 0], s.hands[place, 1] = cards, 0
    else:
        owner = s.set_by[place - s.seats]
        s.set_cards[place - s.seats, 0], s.set_cards[place - s.seats, 1] = cards, 0
    imagine_mind(s, owner)


@rule
def nth(cards: int, n: int) -> int:
    """The n-th card of a set, from 0, as a set."""
    for _ in range(n):
        cards &= cards - 1
    return cards & -cards


@rule
def any_of(rng: Any, cards: int, k: int) -> int:
    """Any k cards of a set."""
    drawn = 0
    for _ in range(k):
        card = nth(cards, prng.below(rng, count(cards)))
        drawn |= card
        cards &= ~card
    return drawn


@rule
def meant(s: Any, p: int, hand: int) -> int:
    """The set that a seat with this hand means to lay now."""
    s.hands[p, 0] = hand
    cards = planned(s, p)
    first = 0
    for _ in range(min(count(cards), s.rules.max_set)):
        first |= cards & -cards
        cards &= cards - 1
    return first


@rule
def anew(rng: Any, hand: int, plan: int, size: int) -> int:
    """Draw a set of this size. plan: what its seat means to lay."""
    if count(plan) == size and prng.unit(rng) >= SURPRISE:
        return plan
    return any_of(rng, hand, size)


@rule
def log_chance(hand: int, plan: int, cards: int) -> float:
    """The logarithm of the probability with which `anew` draws these cards."""
    n, k = count(hand), count(cards)
    ways = LOG_FACTORIALS[n] - LOG_FACTORIALS[k] - LOG_FACTORIALS[n - k]
    if count(plan) != k:
        return -ways
    chance = SURPRISE * np.exp(-ways)
    return np.log(chance + 1.0 - SURPRISE if cards == plan else chance)


@rule
def trace(head: WeigherState, chain: ClaimChain, s: Any, p: int, fresh: int, tables: Any) -> None:
    """Compute the likelihood of a seat's laid sets, and the probability of redrawing them; first redraw them if
    `fresh` is 1. s: the root, of which the hand of p and `t` are overwritten.
    """
    hand = chain.held[p]
    now = s.t
    first = now - s.sets + s.window  # the sets laid before the first one in the pile
    agreed = strayed = 0
    other = alike = drawn = 0.0
    for i in range(s.sets):
        if s.set_by[i] == p:
            s.t = first + i
            plan = meant(s, p, hand)
            if fresh:
                chain.sets[i] = anew(head.rng, hand, plan, s.set_size[i])
            cards = chain.sets[i]
            drawn += log_chance(hand, plan, cards)
            honest = hand & RANK << due(s)
            rest, open_cards, k = cards, hand, 0
            while k <= count(cards):
                n = (count(open_cards) if k < s.rules.max_set else 0) + (1 if k else 0)
                made = lowest(rest) if rest else DONE
                wanted = honest & open_cards if honest else (plan if k == 0 else 0)
                if n > 1:
                    alike += tables[3, n]
                    if made == (lowest(wanted) if wanted else DONE):
                        agreed += 1
                    else:
                        strayed += 1
                        other += tables[3, n - 1]
                if rest:
                    open_cards &= ~((2 << made) - 1)
                    rest &= rest - 1
                k += 1
            hand &= ~cards
    s.t = now
    chain.fits[p] = likelihood(tables, agreed, strayed, other, alike)
    chain.drawn[p] = drawn


@rule
def begin(head: WeigherState, chain: ClaimChain, s: Any, work: Work) -> None:
    """Begin a chain with the uniform world that `s`, a redacted state, is filled with."""
    contract.resample(s, head.seat, work)
    for p in range(s.seats):
        chain.held[p] = 0 if p == head.seat else s.hands[p, 0]
    for i in range(s.sets):
        chain.sets[i] = 0 if s.set_by[i] == head.seat else s.set_cards[i, 0]
        chain.held[s.set_by[i]] |= chain.sets[i]


@rule
def weigh(head: WeigherState, chain: ClaimChain, s: Any, tables: Any) -> None:
    """Compute the likelihood of every other seat's laid sets."""
    for p in range(s.seats):
        if p != head.seat:
            trace(head, chain, s, p, 0, tables)


@rule
def steps(head: WeigherState, chain: ClaimChain, new: ClaimChain, s: Any, number: int, tables: Any) -> None:
    """Try a number of steps. new: a chain to work in; s: the root, as for `trace`."""
    seats = np.empty(3, np.int64)
    cards = np.empty(3, np.int64)
    for _ in range(number):
        n = 3 if s.seats > 3 and prng.below(head.rng, CIRCLES) == 0 else 2
        good = True
        for j in range(n):
            seats[j] = prng.below(head.rng, s.seats)
            held = chain.held[seats[j]]
            good = good and held != 0
            cards[j] = nth(held, prng.below(head.rng, count(held))) if held else 0
        if n == 2 and seats[0] == seats[1]:
            n = 1  # redraw only the laid sets
        for j in range(n):
            good = good and (n == 1 or seats[j] != seats[(j + 1) % n])
            good = good and (n == 1 or s.may[head.seat, seats[(j + 1) % n], 0] & cards[j] != 0)
        if not good:
            continue
        head.tried += 1
        more = 0.0
        for j in range(n):
            p = seats[j]
            new.held[p] = chain.held[p]
            if n > 1:
                new.held[p] = chain.held[p] & ~cards[j] | cards[(j + n - 1) % n]
            trace(head, new, s, p, 1, tables)
            more += new.fits[p] - chain.fits[p] + chain.drawn[p] - new.drawn[p]
        if more >= 0.0 or prng.unit(head.rng) < np.exp(more):
            head.made += 1
            for j in range(n):
                p = seats[j]
                chain.held[p], chain.fits[p], chain.drawn[p] = new.held[p], new.fits[p], new.drawn[p]
                for i in range(s.sets):
                    if s.set_by[i] == p:
                        chain.sets[i] = new.sets[i]


@rule
def draw(head: WeigherState, chains: Any, new: ClaimChain, s: Any, pool: Any, thinning: int, tables: Any) -> None:
    """Draw as many worlds as there is room for, as the sets of cards at their places; the chains take turns."""
    for k in range(len(pool)):
        chain = chains[k % len(chains)]
        steps(head, chain, new, s, thinning, tables)
        for p in range(s.seats):
            pool[k, p] = chain.held[p]
        for i in range(s.sets):
            pool[k, s.set_by[i]] &= ~chain.sets[i]
            pool[k, s.seats + i] = chain.sets[i]


class Weigher:
    """Weighted worlds, with separate buffers (`Game.weigher`)."""

    def __init__(self, chains: int = CHAINS, pool: int = POOL) -> None:
        """pool: how many worlds are drawn at a time."""
        self.head = WeigherState.new()
        self.pool = np.zeros((pool, SEATS + MOST_SETS), np.int64)
        self._chains: Any = ClaimChain.row(chains)
        self._new = ClaimChain.new()
        self._box: Any = State.row(2)  # the root, and a world
        self._work = Work.new()

    def begin(self, root: State, past: Witness, key: prng.Words) -> bool:
        """Begin the chains for a state redacted for the seat whose past this is. key: four words.

        Returns whether there are any: with two packs, and where the others have laid nothing since the pile was empty,
        worlds are uniform. The state contains the sets laid since then, so nothing else of the past is used.
        """
        head = self.head
        head.seat, head.tried, head.made = past.seat, 0, 0
        head.rng[:] = key
        self._box[0] = root
        s = self._box[0]
        if s.rules.decks > 1 or not any(s.set_by[i] != head.seat for i in range(s.sets)):
            return False
        head.places = s.seats + s.sets
        for chain in self._chains:
            self._box[1] = root
            self._box[1].rng[:] = [prng.next64(head.rng) for _ in range(4)]
            begin(head, chain, self._box[1], self._work)
            for tables, number in ((FIRM, SETTLING), (WEIGHTS, BURN_IN)):
                weigh(head, chain, s, tables)
                steps(head, chain, self._new, s, number, tables)
        return True

    def draw(self, thinning: int = THINNING) -> NDArray[np.int64]:
        """The next worlds, as the sets of cards at their places (`put`): worlds x places."""
        draw(self.head, self._chains, self._new, self._box[0], self.pool, thinning, WEIGHTS)
        return self.pool
