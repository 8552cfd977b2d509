"""Learn what cards promise in Oh Hell! (`cardtable/games/oh_hell/card_weights.py`), by policy iteration.

    python bench/oh_hell_tuning.py --rounds 4 --deals 6000 --write

In each round the policy plays deals with itself, for the most part of four seats with ten cards or fewer. At one
decision in three every card is tried in the same worlds, which the policy plays out, with one move in twelve at random,
so that what is learnt does not hang on everybody playing alike. The payoffs are fitted by least squares to the figures
of the cards (`policy.best_of_suit`), in each situation (`policy.situation`), drawn towards what similar situations show. A bid
that is made counts five points more than it pays.

After each round the new weights play the old ones and the weights of the beginning: duplicate deals, half of the seats
each, with the mean and its 95 % interval.
"""

from __future__ import annotations

import argparse
import math
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable import catalog, contract
from cardtable.bots.searcher import Searcher
from cardtable.contract import State
from cardtable.games.oh_hell import policy
from cardtable.games.oh_hell.card_weights import WEIGHTS
from cardtable.kernel import prng, rule, words
from cardtable.kernel.bits import lowest
from cardtable.lab.simulate import Z95
from cardtable.search.tree import copy

Rows = NDArray[np.float64]

#: seats, the dealer's rule, the number of the deal in a match, and the share of the deals
TABLES = [
    (4, "exceed", 1, 0.2), (4, "not_equal", 1, 0.25), (4, "exceed", 4, 0.15), (4, "exceed", 7, 0.1),
    (5, "off", 1, 0.15), (3, "not_equal", 1, 0.15),
]  # fmt: skip
WORLDS = 50  #: in which every card is tried
SELDOM = 3  #: one decision in so many is learnt from
SLIPS = 8  #: moves at random, in a hundred
MADE = 5.0  #: points that a bid made counts more
RIDGE = 3.0  #: of a kind of situation in all sizes of hands
CLOSER = 20.0  #: of a situation, towards that
FEWEST = 30  #: rows from which a situation learns by itself
DECISION, SITUATION, FIGURE, PAID = 0, 1, 2, 2 + policy.FIGURES  #: columns
HEAD = Path(policy.__file__).with_name("card_weights.py")
MOST = 64  #: moves, and cards

best_card, bid, TRICKY = policy.best_card, policy.bid, policy.BID


@rule
def choose(s: Any, seat: int, moves: Any, n: int, weights: Any) -> int:
    """What the policy does with these weights."""
    if moves[0] >= TRICKY:
        return bid(s, seat, moves, n)
    card, _, _ = best_card(s, seat, contract.listed_cards(moves, n), weights)
    return card


@rule
def finish(s: Any, weights: Any, turn: Any, slips: int, moves: Any) -> None:
    """Play the deal to its end. weights: sets of them; turn[seat]: which of them a seat plays by."""
    mask = contract.actors(s)
    while mask:
        seat = lowest(mask)
        n = contract.legal(s, seat, moves)
        move = moves[0]
        if n > 1:
            if slips and prng.below(s.rng, 100) < slips:
                move = moves[prng.below(s.rng, n)]
            else:
                move = choose(s, seat, moves, n, weights[turn[seat]])
        contract.play(s, seat, move)
        mask = contract.actors(s)


@rule
def note(
    box: Any, states: Any, at: int, seat: int, cards: Any, n: int, weights: Any, units: Any, nobody: Any, work: Any,
    rows: Any,
) -> None:  # fmt: skip
    """Try every card of a seat in the same worlds, and note the figures and the payoffs. at: the state; the two rows
    of the box behind it are room for worlds.
    """
    s, world, played = box[at], box[at + 1], box[at + 2]
    moves, paid = np.empty(MOST, np.int64), np.zeros(contract.MAX_SEATS)
    for a in range(n):
        for j in range(policy.FIGURES):
            _, rows[a, FIGURE + j], rows[a, SITUATION] = best_card(s, seat, 1 << cards[a], units[j])
    for _ in range(WORLDS):
        copy(states[at], states[at + 1])
        contract.redact(world, seat)
        prng.next64(s.rng)
        copy(s.rng, world.rng)
        contract.resample(world, seat, work)
        for a in range(n):
            copy(states[at + 1], states[at + 2])
            contract.play(played, seat, cards[a])
            finish(played, weights, nobody, SLIPS, moves)
            contract.payoff(played, paid)
            rows[a, PAID] += (paid[seat] + MADE * (played.bids[seat] == played.tricks[seat])) / WORLDS


@rule
def collect(box: Any, states: Any, deals: int, weights: Any, units: Any, nobody: Any, work: Any, rows: Any) -> int:
    """Play the deals in the first rows of the box, learning from one decision in SELDOM; return how many rows of
    `rows` are filled.
    """
    moves, cards = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    filled = decisions = 0
    s = box[deals]
    for i in range(deals):
        copy(states[i], states[deals])
        mask = contract.actors(s)
        while mask:
            seat = lowest(mask)
            n = contract.legal(s, seat, moves)
            move = moves[0]
            if n > 1:
                move = choose(s, seat, moves, n, weights[0])
                if moves[0] < TRICKY:
                    if filled + n <= len(rows) and prng.below(s.rng, SELDOM) == 0:
                        copy(moves, cards)
                        note(
                            box, states, deals, seat, cards, n, weights, units, nobody, work, rows[filled : filled + n]
                        )
                        rows[filled : filled + n, DECISION] = decisions
                        filled += n
                        decisions += 1
                    if prng.below(s.rng, 100) < SLIPS:
                        move = moves[prng.below(s.rng, n)]
            contract.play(s, seat, move)
            mask = contract.actors(s)
    return filled


@rule
def duel(box: Any, states: Any, deals: int, weights: Any, turns: Any, gains: Any) -> None:
    """What the first of two sets of weights gets more than the second in each deal, in all arrangements of seats."""
    moves, paid = np.empty(MOST, np.int64), np.zeros(contract.MAX_SEATS)
    s = box[deals]
    for i in range(deals):
        for turn in turns:
            copy(states[i], states[deals])
            finish(s, weights, turn, 0, moves)
            contract.payoff(s, paid)
            ours = theirs = 0.0
            seats = 0
            for p in range(s.seats):
                seats += turn[p] == 0
                ours += paid[p] * (turn[p] == 0)
                theirs += paid[p] * (turn[p] != 0)
            gains[i] += (ours / seats - theirs / (s.seats - seats)) / len(turns)


def dealt(seats: int, dealer_rule: str, number: int, deals: int, seed: str) -> State:
    """Deals of one kind, in a box with three more rows."""
    variant = catalog.variant("oh-hell")
    game = variant.game
    _, _, options = game.options.make(variant.preset, seats, {"dealer_rule": dealer_rule})
    box: Any = game.rules.State.row(deals + 3)
    key, cards = prng.key_of(seed), np.empty(MOST, np.int64)
    box[:] = game.new_state(options, seats)
    for i in range(deals):
        s = box[i]
        prng.derive(s.seed, key, i, prng.MATCH)
        contract.open_match(s)
        s.deal_number = number - 1
        contract.next_deal(s, cards)
    box["record_events"] = box["event_count"] = 0
    return box


def learnt(weights: Rows, deals: int, seed: str) -> Rows:
    """The rows of one round."""
    game = catalog.variant("oh-hell").game
    work, rows = Searcher(game)._buffers.work, np.zeros((deals * 100, PAID + 1))
    units, nobody = np.zeros((policy.FIGURES, *weights.shape)), np.zeros(contract.MAX_SEATS, np.int64)
    for j in range(policy.FIGURES):
        units[j, :, j] = 1.0
    filled = 0
    for seats, dealer_rule, number, share in TABLES:
        many = int(deals * share)
        box = dealt(seats, dealer_rule, number, many, f"{seed} {seats} {dealer_rule} {number}")
        more = collect(box, words(box).view(np.uint64), many, weights[None], units, nobody, work, rows[filled:])
        rows[filled : filled + more, DECISION] += rows[:filled, DECISION].max(initial=-1) + 1
        filled += more
    return rows[:filled]


def fitted(rows: Rows) -> tuple[Rows, float]:
    """The weights, and which part of the differences between cards they explain."""
    decision, where = rows[:, DECISION].astype(int), rows[:, SITUATION].astype(int)
    values = rows[:, FIGURE:].copy()
    many = np.maximum(np.bincount(decision), 1)
    for column in values.T:  # only differences within a decision count
        column -= (np.bincount(decision, column) / many)[decision]
    figures, paid = values[:, :-1], values[:, -1]

    def solve(chosen: Any, ridge: float, about: Rows) -> Rows:
        x, y = figures[chosen], paid[chosen]
        return about + np.linalg.solve(x.T @ x + ridge * np.eye(policy.FIGURES), x.T @ (y - x @ about))

    weights, total, left = np.zeros(WEIGHTS.shape), 0.0, 0.0
    for row in range(len(weights)):
        place, kind = row // (policy.SIZES * policy.KINDS), row % policy.KINDS
        alike = (where // (policy.SIZES * policy.KINDS) == place) & (where % policy.KINDS == kind)
        weights[row] = solve(alike, RIDGE, np.zeros(policy.FIGURES))
        own = where == row
        if own.sum() >= FEWEST:
            weights[row] = solve(own, CLOSER, weights[row])
        total += float((paid[own] ** 2).sum())
        left += float(((paid[own] - figures[own] @ weights[row]) ** 2).sum())
    return weights, 1.0 - left / total


def compared(weights: Rows, other: Rows, deals: int) -> str:
    """How weights play against others, at tables of each kind."""
    said = []
    for seats, dealer_rule, number, _ in TABLES:
        box = dealt(seats, dealer_rule, number, deals, "compared")
        halves = list(combinations(range(seats), seats // 2))
        turns = np.array([[seat not in half for seat in range(contract.MAX_SEATS)] for half in halves], np.int64)
        gains = np.zeros(deals)
        duel(box, words(box).view(np.uint64), deals, np.stack([weights, other]), turns, gains)
        error = Z95 * float(gains.std(ddof=1)) / math.sqrt(deals)
        said.append(f"{gains.mean():+.2f} ± {error:.2f}")
    return ", ".join(said)


def module(weights: Rows) -> str:
    """The text of card_weights.py."""
    lines = ["        [" + ", ".join(f"{weight:.2f}" for weight in row) + "]," for row in weights]
    return "\n".join([
        '"""The weights of `policy.best_of_suit`, a row for each situation (`policy.situation`): written by',
        "`bench/oh_hell_tuning.py`.",
        '"""',
        "", "import numpy as np", "", "WEIGHTS = np.array(", "    [", *lines, "    ]", ")", "",
    ])  # fmt: skip


def main() -> None:
    """Learn, and write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--deals", type=int, default=6000, help="of each round")
    parser.add_argument("--compared", type=int, default=2000, help="deals of each kind in which weights are compared")
    parser.add_argument("--seed", default="weights")
    parser.add_argument("--write", action="store_true", help="write cardtable/games/oh_hell/card_weights.py")
    given = parser.parse_args()
    weights = np.array(WEIGHTS)
    for number in range(given.rounds):
        began = time.perf_counter()
        rows = learnt(weights, given.deals, f"{given.seed} {number}")
        new, part = fitted(rows)
        print(
            f"round {number + 1}: {len(rows)} cards in {time.perf_counter() - began:.0f} s, {part:.3f} explained\n"
            f"  - the round before: {compared(new, weights, given.compared)}\n"
            f"  - at the beginning: {compared(new, np.array(WEIGHTS), given.compared)}",
            flush=True,
        )
        weights = new
    if given.write:
        HEAD.write_text(module(weights), "utf-8")


if __name__ == "__main__":
    main()
