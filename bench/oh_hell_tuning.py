"""Learn what cards promise in Oh Hell!, and how many tricks (`cardtable/games/oh_hell/card_weights.py`), by policy
iteration.

    python bench/oh_hell_tuning.py --rounds 3 --deals 9000 --write
    python bench/oh_hell_tuning.py --only COVERED --deals 40000 --write     # these situations alone; the rest stays

In each round the policy plays deals with itself: tables of three to six seats with hands of 2 to 13 cards. At one
decision in three every card, or every bid that may be good, is tried in the same worlds, which the policy plays out,
with one move in twelve at random, so that what is learnt does not hang on everybody playing alike. What the cards
brought is fitted by least squares to their figures (`policy.best_card`), in each situation (`policy.situation`), drawn
towards what similar situations show; a bid that is made counts five points more than it pays. The numbers that bids
follow from (`card_weights.TRICKS`) are those with which the bids tried would have brought most.

After each round the new weights play the old ones and the weights of the beginning: duplicate deals, half of the seats
each, with the mean and its 95 % interval, for each kind of table.
"""

from __future__ import annotations

import argparse
import base64
import textwrap
import time
import zlib
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cardtable.bots.searcher import Searcher
from cardtable.games.oh_hell import policy
from cardtable.games.oh_hell.card_weights import TRICKS, WEIGHTS
from cardtable.kernel import prng, rule, words
from cardtable.kernel.bits import lowest
from cardtable.lab.intervals import mean_of
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.search.tree import copy

Rows = NDArray[Any]

#: seats, the dealer's rule, the number of the deal in a match, and the share of the deals
TABLES = [
    (4, "exceed", 1, 0.15),
    (4, "not_equal", 1, 0.25),
    (4, "exceed", 4, 0.15),
    (4, "not_equal", 5, 0.1),
    (4, "exceed", 7, 0.15),
    (4, "not_equal", 9, 0.1),
    (5, "off", 1, 0.15),
    (3, "not_equal", 1, 0.15),
    (6, "not_equal", 3, 0.1),
]
WORLDS = 50  #: in which every card is tried
SELDOM = 3  #: one decision in so many is learnt from
SLIPS = 8  #: moves at random, in a hundred
MADE = 5.0  #: points that a bid made counts more
RIDGE = 3.0  #: of a kind of situation in all places and sizes of hands
SCALES = np.array([0.3, 0.3, 1.0, 1.0, 0.3])  #: by which what is counted is multiplied, so that a ridge means the same
CLOSER = 20.0  #: of a situation, towards that
FEWEST = 30  #: rows from which a situation learns by itself
DECISION, SITUATION, FIGURE, PAID = 0, 1, 2, 2 + policy.FIGURES  #: columns
HEAD = Path(policy.__file__).with_name("card_weights.py")
MODULE = '''"""Numbers of `policy.bid` and `policy.best_card`, learnt and written by `bench/oh_hell_tuning.py`."""

import base64
import zlib

import numpy as np

#: for hands of 0 to 13 cards: tricks = first x expected + second + third x claimed by others; fourth x variance
TRICKS = np.array([
{tricks}
])

#: for each situation, those of the cells, then of what is counted: hundredths of a point, in 16 bits, zlib and base 85
PACKED = """
{packed}
"""
WEIGHTS = np.frombuffer(zlib.decompress(base64.b85decode("".join(PACKED.split()))), "<i2").reshape({shape})
'''
MOST = 64  #: moves, and cards
KINDS = ("DONE", "SHORT", "RIGHT", "RICH", "ALL", "COVERED")  #: of situations, as `policy` numbers them

best_card, bid, TRICKY = policy.best_card, policy.bid, policy.BID
HELD, MEAN, SPREAD, CLAIMED, BIDS = 0, 1, 2, 3, 4  #: columns of what is noted of a bid; what each bid brought follows
NOT_BID = -1e9
NEAR = 3  #: bids are tried up to so many tricks from the mean


@rule
def choose(s: Any, seat: int, moves: Any, n: int, weights: Any, tricks: Any) -> int:
    """What the policy does with these weights."""
    if moves[0] >= TRICKY:
        return bid(s, seat, moves, n, tricks)
    card, _, _ = best_card(s, seat, moves, n, weights)
    return card


@rule
def finish(s: Any, weights: Any, tricks: Any, turn: Any, slips: int, moves: Any) -> None:
    """Play the deal to its end. weights, tricks: sets of them; turn[seat]: which of them a seat plays by."""
    mask = contract.actors(s)
    while mask:
        seat = lowest(mask)
        n = contract.legal(s, seat, moves)
        move = moves[0]
        if n > 1:
            if slips and prng.below(s.rng, 100) < slips:
                move = moves[prng.below(s.rng, n)]
            else:
                move = choose(s, seat, moves, n, weights[turn[seat]], tricks[turn[seat]])
        contract.play(s, seat, move)
        mask = contract.actors(s)


@rule
def tried(
    box: Any, states: Any, at: int, seat: int, moves: Any, n: int, weights: Any, tricks: Any, work: Any, brought: Any
) -> None:
    """Try n moves of a seat in the same worlds, and add up in `brought` what each brought. at: the state; the two rows
    of the box behind it are room for worlds.
    """
    s, world, played = box[at], box[at + 1], box[at + 2]
    room, paid, nobody = np.empty(MOST, np.int64), np.zeros(contract.MAX_SEATS), np.zeros(contract.MAX_SEATS, np.int64)
    for _ in range(WORLDS):
        copy(states[at], states[at + 1])
        contract.redact(world, seat)
        prng.next64(s.rng)
        copy(s.rng, world.rng)
        contract.resample(world, seat, work)
        for a in range(n):
            copy(states[at + 1], states[at + 2])
            contract.play(played, seat, moves[a])
            finish(played, weights, tricks, nobody, SLIPS, room)
            contract.payoff(played, paid)
            made = moves[a] < TRICKY and played.bids[seat] == played.tricks[seat]
            brought[a] += (paid[seat] + MADE * made) / WORLDS


@rule
def note_card(s: Any, seat: int, cards: Any, n: int, units: Any, brought: Any, rows: Any) -> None:
    """Note the figures of n cards, and what they brought."""
    for a in range(n):
        for j in range(policy.FIGURES):
            _, promised, rows[a, SITUATION] = best_card(s, seat, cards[a:], 1, units[j])
            rows[a, FIGURE + j] = promised - policy.MOST
        rows[a, PAID] = brought[a]


@rule
def note_bid(s: Any, seat: int, bids: Any, n: int, brought: Any, row: Any) -> None:
    """Note what is expected of a hand, and what n bids brought."""
    row[HELD] = s.counts[seat]
    row[MEAN], row[SPREAD], row[CLAIMED] = policy.tricks_expected(s, seat)
    row[BIDS:] = NOT_BID
    for a in range(n):
        row[BIDS + bids[a] - TRICKY] = brought[a]


@rule
def near(s: Any, seat: int, moves: Any, n: int, bids: Any) -> int:
    """The legal bids that are worth a try, into `bids`; how many there are."""
    mean, _, _ = policy.tricks_expected(s, seat)
    many = 0
    for i in range(n):
        if abs(moves[i] - TRICKY - mean) <= NEAR or i == 0:
            bids[many] = moves[i]
            many += 1
    return many


@rule
def kind_of(s: Any, seat: int, moves: Any, weights: Any) -> int:
    """The kind of the situation."""
    _, _, row = best_card(s, seat, moves, 1, weights)
    return row % policy.KINDS


@rule
def collect(
    box: Any,
    states: Any,
    deals: int,
    weights: Any,
    tricks: Any,
    units: Any,
    work: Any,
    rows: Any,
    bid_rows: Any,
    only: int,
) -> tuple[int, int]:
    """Play the deals in the first rows of the box, learning from one decision in SELDOM, or from those of one kind
    (only) and no bids; return how many rows of `rows` and of `bid_rows` are filled.
    """
    moves, wanted, brought = np.empty(MOST, np.int64), np.empty(MOST, np.int64), np.empty(MOST)
    filled = decisions = bids = 0
    s = box[deals]
    for i in range(deals):
        copy(states[i], states[deals])
        mask = contract.actors(s)
        while mask:
            seat = lowest(mask)
            n = contract.legal(s, seat, moves)
            move = moves[0]
            if n > 1:
                move = choose(s, seat, moves, n, weights[0], tricks[0])
                if prng.below(s.rng, SELDOM) == 0:
                    brought[:] = 0.0
                    if moves[0] >= TRICKY:
                        if bids < len(bid_rows) and only < 0:
                            many = near(s, seat, moves, n, wanted)
                            tried(box, states, deals, seat, wanted, many, weights, tricks, work, brought)
                            note_bid(s, seat, wanted, many, brought, bid_rows[bids])
                            bids += 1
                    elif filled + n <= len(rows) and only in (-1, kind_of(s, seat, moves, weights[0])):
                        tried(box, states, deals, seat, moves, n, weights, tricks, work, brought)
                        note_card(s, seat, moves, n, units, brought, rows[filled : filled + n])
                        rows[filled : filled + n, DECISION] = decisions
                        filled += n
                        decisions += 1
                if moves[0] < TRICKY and prng.below(s.rng, 100) < SLIPS:
                    move = moves[prng.below(s.rng, n)]
            contract.play(s, seat, move)
            mask = contract.actors(s)
    return filled, bids


@rule
def duel(box: Any, states: Any, deals: int, weights: Any, tricks: Any, turns: Any, gains: Any) -> None:
    """What the first of two sets of weights gets more than the second in each deal, in all arrangements of seats."""
    moves, paid = np.empty(MOST, np.int64), np.zeros(contract.MAX_SEATS)
    s = box[deals]
    for i in range(deals):
        for turn in turns:
            copy(states[i], states[deals])
            finish(s, weights, tricks, turn, 0, moves)
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
    return cast(State, box)


def learnt(weights: Rows, tricks: Rows, deals: int, seed: str, only: int) -> tuple[Rows, Rows]:
    """What is noted of cards and of bids in one round."""
    game = catalog.variant("oh-hell").game
    work = Searcher(game)._buffers.work
    rows, bid_rows = np.zeros((deals * 80, PAID + 1)), np.zeros((deals * 4, BIDS + 14))
    units = np.zeros((policy.FIGURES, *weights.shape), np.int16)
    for j in range(policy.FIGURES):
        units[j, :, j] = 1
    filled = bids = 0
    for seats, dealer_rule, number, share in TABLES:
        many = int(deals * share)
        box = dealt(seats, dealer_rule, number, many, f"{seed} {seats} {dealer_rule} {number}")
        states, sets = words(box).view(np.uint64), (weights[None], tricks[None])
        more, more_bids = collect(box, states, many, *sets, units, work, rows[filled:], bid_rows[bids:], only)
        rows[filled : filled + more, DECISION] += rows[:filled, DECISION].max(initial=-1) + 1
        filled += more
        bids += more_bids
    return rows[:filled], bid_rows[:bids]


def adjusted(rows: Rows, tricks: Rows, seed: int) -> tuple[Rows, float]:
    """How tricks follow from what is expected (`card_weights.TRICKS`), for hands of each size: the numbers with which
    the bids bring most, by a random search around the ones so far. Also what they bring more than those.
    """
    dice, found, gained = np.random.default_rng(seed), tricks.copy(), 0.0
    for size in range(policy.SIZES):
        own = rows[policy.SIZE_OF[rows[:, HELD].astype(int)] == size]
        if len(own) < FEWEST:
            continue
        held = np.flatnonzero(size == policy.SIZE_OF)

        def brings(numbers: Rows, own: Rows = own) -> float:
            mean = numbers[0] * own[:, MEAN] + numbers[1] + numbers[2] * own[:, CLAIMED]
            cells = [
                np.clip(policy.CELLS_PER_TRICK * x + 0.5, 0, most - 1).astype(int)
                for x, most in ((mean, policy.MEANS), (numbers[3] * own[:, SPREAD], policy.SPREADS))
            ]
            scores = np.where(own[:, BIDS:] > NOT_BID, policy.SCORES[cells[0], cells[1]], -9999)
            return float(own[np.arange(len(own)), BIDS + scores.argmax(1)].mean())

        best = tricks[held[-1]]
        start = most = brings(best)
        for k in range(400):
            other = best + dice.normal(0, 1, 4) * (0.1, 0.1, 0.05, 0.15) * (0.99**k + 0.1)
            if other[3] > 0.1 and (value := brings(other)) > most:
                best, most = other, value
        found[held] = best
        gained += (most - start) * len(own) / len(rows)
    return found, gained


def blended() -> Rows:
    """What cells share, as columns: the kind of suit, whether the trick is beaten, how many cards are above, and pairs
    of these.
    """
    cells = [(suit, beats, above) for suit in range(policy.SUITS) for beats in (0, 1) for above in range(policy.ABOVE)]
    columns: list[Callable[[int, int, int], object]] = [
        lambda suit, beats, _: (suit, beats),
        lambda _, beats, above: (beats, above),
        lambda suit, _, above: (suit, above),
        lambda suit, beats, above: (suit == 0, beats, above),
    ]
    found = []
    for of in columns:
        for value in sorted({of(*cell) for cell in cells}):  # type: ignore[type-var]
            found.append([of(*cell) == value for cell in cells])
    return np.array(found, float).T


def fitted(rows: Rows) -> tuple[Rows, float]:
    """The weights, and which part of the differences between cards they explain."""
    decision, where = rows[:, DECISION].astype(int), rows[:, SITUATION].astype(int)
    values = rows[:, FIGURE:].copy()
    many = np.maximum(np.bincount(decision), 1)
    for column in values.T:  # only differences within a decision count
        column -= (np.bincount(decision, column) / many)[decision]
    figures, paid = values[:, :-1], values[:, -1]
    figures[:, policy.CELLS :] *= SCALES
    shared = blended()
    design = np.hstack([figures, figures[:, : policy.CELLS] @ shared])

    def solve(chosen: Any, ridge: float, about: Rows) -> Rows:
        x, y = design[chosen], paid[chosen] - figures[chosen] @ about
        found = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)
        found[: policy.CELLS] += shared @ found[policy.FIGURES :]
        return about + found[: policy.FIGURES]

    per_place = policy.SIZES * policy.KINDS
    weights, total, left = np.zeros((policy.SITUATIONS, policy.FIGURES)), 0.0, 0.0
    for row in range(len(weights)):
        kind = where % policy.KINDS == row % policy.KINDS
        lead = (where // per_place < 2) == (row // per_place < 2)
        weights[row] = solve(kind & lead, RIDGE, np.zeros(policy.FIGURES))
        for chosen in (kind & (where // per_place == row // per_place), where == row):
            if chosen.sum() >= FEWEST:
                weights[row] = solve(chosen, CLOSER, weights[row])
        own = where == row
        total += float((paid[own] ** 2).sum())
        left += float(((paid[own] - figures[own] @ weights[row]) ** 2).sum())
    weights[:, policy.CELLS :] *= SCALES
    return np.rint(100 * weights).astype(np.int16), 1.0 - left / total


def compared(weights: Rows, tricks: Rows, others: tuple[Rows, Rows], deals: int) -> str:
    """How weights play against others, at tables of each kind."""
    said = []
    for seats, dealer_rule, number, _ in TABLES:
        box = dealt(seats, dealer_rule, number, deals, "compared")
        halves = list(combinations(range(seats), seats // 2))
        turns = np.array([[seat not in half for seat in range(contract.MAX_SEATS)] for half in halves], np.int64)
        gains = np.zeros(deals)
        both = np.stack([weights, others[0]]), np.stack([tricks, others[1]])
        duel(box, words(box).view(np.uint64), deals, *both, turns, gains)
        more = mean_of(gains)
        said.append(f"{more.mean:+.2f} ± {more.high - more.mean:.2f}")
    return ", ".join(said)


def module(weights: Rows, tricks: Rows) -> str:
    """The text of card_weights.py."""
    packed = base64.b85encode(zlib.compress(weights.astype("<i2").tobytes(), 9)).decode()
    numbers = ["    [" + ", ".join(f"{x:.3f}" for x in row) + "]," for row in tricks]
    return MODULE.format(shape=weights.shape, tricks="\n".join(numbers), packed="\n".join(textwrap.wrap(packed, 118)))


def main() -> None:
    """Learn, and write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--deals", type=int, default=6000, help="of each round")
    parser.add_argument("--compared", type=int, default=2000, help="deals of each kind in which weights are compared")
    parser.add_argument("--only", choices=KINDS, help="the kind of situations to learn; default: all, and bids")
    parser.add_argument("--seed", default="weights")
    parser.add_argument("--write", action="store_true", help="write cardtable/games/oh_hell/card_weights.py")
    given = parser.parse_args()
    weights, tricks = np.array(WEIGHTS), np.array(TRICKS)
    only = -1 if given.only is None else KINDS.index(given.only)
    learns = np.isin(np.arange(len(weights)) % policy.KINDS, range(policy.KINDS) if only < 0 else [only])
    for number in range(given.rounds):
        began, before = time.perf_counter(), (weights, tricks)
        rows, bids = learnt(weights, tricks, given.deals, f"{given.seed} {number}", only)
        found, part = fitted(rows)
        weights = np.where(learns[:, None], found, weights)
        tricks, gained = adjusted(bids, tricks, number)
        print(
            f"round {number + 1}: {len(rows)} cards and {len(bids)} bids in {time.perf_counter() - began:.0f} s, "
            f"{part:.3f} explained, bids {gained:+.3f}\n"
            f"  - the round before: {compared(weights, tricks, before, given.compared)}\n"
            f"  - at the beginning: {compared(weights, tricks, (np.array(WEIGHTS), np.array(TRICKS)), given.compared)}",
            flush=True,
        )
    if given.write:
        HEAD.write_text(module(weights, tricks), "utf-8")


if __name__ == "__main__":
    main()
