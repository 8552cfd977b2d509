"""Choosing among the moves at the root: a race in paired worlds, or flat Monte Carlo.

In the race every remaining move is tried in the **same** world, so that luck cancels out in the differences (common
random numbers; Maron and Moore 1994, "Hoeffding races"). The first **leader** is the heuristic's move. A move takes the
lead when it is better than the leader by the gate's number of standard errors; one that is worse by LOST drops out.
When only the leader is left, the race is over. Between the worlds in which the moves are measured are others from which
the tree learns (`search.tree`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardtable.kernel import Record, field, prng, rule
from cardtable.rules import contract
from cardtable.search.tree import DRAWN, LEARN, MEASURE, RANDOM, WORLD, Buffers, copy, walk, weigh

FIRST_LOOK = 16  #: worlds before anything is decided; then after every quarter more
WEIGHTED_GATE = 1.5  #: the same as `Game.gate`, in weighted worlds, which carry more information
LOST = 3.0  #: standard errors by which a move must be worse than the leader to drop out
LESSONS = 4  #: moves measured for each deal from which the tree learns
EQUAL = 1e-9  #: payoffs that differ by less are the same


class Arm(Record):
    """A move at the root."""

    move: int = field()
    out: int = field()  #: 1: it has dropped out
    visits: int = field()
    value: float = field("f8")  #: payoffs to the searcher, added up
    last: float = field("f8")  #: the payoff in the world now measured
    pairs: int = field()  #: worlds in which it was compared with the leader
    more: float = field("f8")  #: its total advantage over the leader there,
    square: float = field("f8")  #: and its squares


class Race(Record):
    """The state of a race."""

    #: 1: flat Monte Carlo instead, which tries the moves in turn, each in a separate world, followed by random play
    in_turn: int = field()

    incumbent: int = field()  #: place of the leader
    alive: int = field()  #: moves that have not dropped out
    worlds: int = field()  #: in which moves were measured
    look: int = field()  #: worlds after which the standings are looked at next
    gate: float = field("f8")  #: standard errors by which a move must be better than the leader to take the lead
    places: int = field()  #: of the worlds in the pool; 0: worlds are uniform
    pooled: int = field()  #: worlds in the pool that have not been used


@rule
def run(buffers: Buffers, arms: Sequence[Arm], n: int, race: Race, limit: int) -> None:
    """Continue the race among the first n arms while `limit` deals, including those for learning, allow another
    world; the first is always played. It stops early when the pool of weighted worlds has too few left.

    A race run in portions has the same result as one run at once.
    """
    tree, root, world, drawn = buffers.tree, buffers.root, buffers.world, buffers.drawn
    s = buffers.box[WORLD]
    chance = buffers.box[DRAWN].rng
    while (race.alive > 1 or n == 1) and (race.worlds == 0 or tree.iterations + deals(race) <= limit):
        training = deals(race) - tried(race)
        if race.places and race.pooled <= training:
            return
        for k in range(training + 1):
            copy(root, world)
            if race.places:
                race.pooled -= 1
                furnish(s, race.places, buffers.pool[race.pooled])
            else:
                contract.resample(s, tree.seat, buffers.work)
            copy(world, drawn)
            copy(s.rng, chance)
            how = RANDOM if race.in_turn else (LEARN if k < training else MEASURE)
            only = race.worlds % n if race.in_turn else (someone(chance, arms, n) if k < training else -1)
            for a in range(n):
                if arms[a].out == 0 and (only < 0 or only == a):
                    copy(drawn, world)
                    copy(chance, s.rng)  # each move with the same chance
                    paid = walk(buffers, arms[a].move, how)
                    if how != LEARN:
                        arms[a].visits += 1
                        arms[a].value += paid
                        arms[a].last = paid
        race.worlds += 1
        weigh(tree, s.seats)
        if race.in_turn == 0:
            compare(arms, n, race)
            if race.worlds == race.look:
                race.look += race.look // 4
                judge(arms, n, race)


@rule
def furnish(s: Any, places: int, sets: Any) -> None:
    """Fill a redacted state with a world from the pool."""
    for p in range(places):
        if sets[p]:
            contract.put(s, p, sets[p])
    prng.next64(s.rng)  # the moves after it have separate random numbers


@rule
def tried(race: Race) -> int:
    """How many moves are tried in a world that is measured."""
    return 1 if race.in_turn else race.alive


@rule
def deals(race: Race) -> int:
    """How many deals a world costs: one for each move tried, and before them those from which the tree learns."""
    return 1 if race.in_turn else race.alive + (race.alive + LESSONS - 1) // LESSONS


@rule
def someone(rng: Any, arms: Any, n: int) -> int:
    """An arm that is still in the race, at random."""
    a = prng.below(rng, n)
    while arms[a].out:
        a = prng.below(rng, n)
    return a


@rule
def compare(arms: Any, n: int, race: Race) -> None:
    """Set each arm's payoff in this world against the leader's."""
    incumbent = arms[race.incumbent].last
    for a in range(n):
        if not arms[a].out:
            more = arms[a].last - incumbent
            arms[a].pairs += 1
            arms[a].more += more
            arms[a].square += more * more


@rule
def judge(arms: Any, n: int, race: Race) -> None:
    """Who takes the lead, or who drops out."""
    best, incumbent = race.gate, race.incumbent
    for a in range(n):
        if a != race.incumbent and not arms[a].out and arms[a].pairs >= FIRST_LOOK:
            mean, error = more_by(arms[a])
            if mean > EQUAL and mean > best * error:
                best, incumbent = mean / max(error, EQUAL), a
            elif mean + LOST * error < -EQUAL:
                arms[a].out = 1
                race.alive -= 1
    if incumbent != race.incumbent:
        race.incumbent = incumbent
        for a in range(n):
            arms[a].pairs = 0
            arms[a].more = arms[a].square = 0.0


@rule
def more_by(arm: Arm) -> tuple[float, float]:
    """What an arm brings more than the leader, on average, and the standard error of that."""
    mean = arm.more / arm.pairs
    return mean, np.sqrt(max(arm.square / arm.pairs - mean * mean, 0.0) / arm.pairs)


@rule
def add_up(parts: Any, arms: Any, n: int) -> None:
    """Add up the measurements of the parts of a divided search. parts: a row of arms for each of them."""
    for a in range(n):
        arm = arms[a]
        arm.visits, arm.pairs, arm.value, arm.more, arm.square = 0, 0, 0.0, 0.0, 0.0
        for k in range(len(parts)):
            part = parts[k, a]
            arm.visits += part.visits
            arm.pairs += part.pairs
            arm.value += part.value
            arm.more += part.more
            arm.square += part.square


@rule
def tell(parts: Any, arms: Any, n: int, led: bool) -> None:
    """Pass dropouts on to the parts; after a change of leader, restart the comparisons."""
    for k in range(len(parts)):
        for a in range(n):
            part = parts[k, a]
            part.out = arms[a].out
            if led:
                part.pairs, part.more, part.square = 0, 0.0, 0.0
