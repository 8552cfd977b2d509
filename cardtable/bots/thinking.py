"""Thinking about a position: buffers for one kind of game, filled by tree search or flat Monte Carlo, and what they found."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardtable import contract
from cardtable.game import Game
from cardtable.kernel import luck, words
from cardtable.search import tree
from cardtable.worlds import Work

CAPACITY = 1 << 18  #: most moves a tree may hold (10 MB); a tree that is full goes on learning, but no longer grows
CHUNK = 256  #: iterations between two looks at the clock
MOST_LOGS = 1 << 16
_LOGS = np.log(np.maximum(np.arange(MOST_LOGS), 1))


@dataclass(frozen=True)
class Value:
    """What thinking says of one legal move: `mean` payoff of the deal to the mover over `visits` tries (nan: never tried)."""

    move: int
    visits: int
    mean: float


@dataclass(frozen=True)
class Analysis:
    """The legal moves of a seat, ascending, with their values; `best` is the one to play."""

    seat: int
    values: tuple[Value, ...]
    best: int
    iterations: int
    seconds: float


class Thinker:
    """The buffers of a search, allocated once and used for every decision of one game; not for two threads at a time."""

    def __init__(self, game: Game, capacity: int = CAPACITY) -> None:
        """capacity: most moves that a tree may hold; 40 bytes each, and as much again for its hash table."""
        rules = game.rules
        self.game = game
        self.capacity = capacity
        self._box = rules.State.row(3)
        first = rules.State.dtype.fields["seats"][1] // 8  # what stands before is not knowledge
        self._rows = tuple(words(self._box).view(np.uint64)[k, first:] for k in (tree.ROOT, tree.WORLD, tree.SHARED))
        self._head = tree.Tree.new()
        self._nodes = tree.Node.row(_room(capacity))
        self._edges = tree.Edge.row(max(capacity, rules.MAX_MOVES) + 1)
        self._work = Work.new()
        self._moves = np.empty(rules.MAX_MOVES + 1, np.int64)
        self._path = np.zeros((tree.DEEPEST, 2), np.int64)
        self._nowhere = np.zeros_like(self._rows[0])
        self._grown = self._nodes

    def __call__(self, state: Any, seat: int, key: Any, *, iterations: int = 0, seconds: float = 0.0, flat: bool = False) -> Analysis:
        """Think about a state redacted for `seat`, who may act: so many iterations, or so many seconds if iterations is 0.

        key: the four words of a seed. Chance is drawn from it and from what the seat knows, so the same position, key and
        iterations give the same values. flat: flat Monte Carlo instead of a tree.
        """
        began = time.perf_counter()
        self._box[:] = state
        self._box["telling"] = self._box["told"] = 0
        contract.redact(self._box[tree.ROOT], seat)  # a second time changes nothing; a state given in the open stays unseen
        self._box[:] = self._box[tree.ROOT]
        luck.derive(self._box[tree.WORLD].rng, key, tree.key_of(self._rows[tree.ROOT], self._nowhere, seat), luck.BOT)
        n = contract.legal(self._box[tree.ROOT], seat, self._moves)
        moves = [int(move) for move in self._moves[:n]]
        grow = self._flat(moves, seat) if flat else self._tree(seat, min(iterations or self.capacity, self.capacity))
        done = 0
        while done < iterations or not iterations:
            portion = min(iterations - done, self.capacity) if iterations else CHUNK
            grow(done, portion)
            done += portion
            if not iterations and time.perf_counter() - began >= seconds:
                break
        values = tuple(self._flat_values(moves) if flat else self._tree_values(moves, seat))
        best = max(values, key=lambda value: (value.mean, -value.move) if flat else (value.visits, value.mean, -value.move))
        return Analysis(seat, values, best.move, done, time.perf_counter() - began)

    def _flat(self, moves: list[int], seat: int) -> Any:
        root, world, _ = self._rows
        for k, move in enumerate(moves):
            self._edges[k].move, self._edges[k].visits, self._edges[k].value = move, 0, 0.0
        return lambda done, more: tree.flat(self._box, root, world, seat, self._edges, len(moves), self._work, self._moves, done, more)

    def _flat_values(self, moves: list[int]) -> list[Value]:
        return [_value(move, self._edges[k]) for k, move in enumerate(moves)]

    def _tree(self, seat: int, most: int) -> Any:
        root, world, shared = self._rows
        head, nodes = self._head, self._nodes[: _room(most)]
        nodes[:] = 0
        head.seat, head.root, head.edges, head.iterations = seat, tree.key_of(root, root, seat), 1, 0
        head.paid[:] = head.square[:] = head.spread[:] = 0.0
        self._grown = nodes
        return lambda done, more: tree.grow(self._box, root, world, shared, head, nodes, self._edges, _LOGS, self._work, self._moves, self._path, more)

    def _tree_values(self, moves: list[int], seat: int) -> list[Value]:
        if len(moves) == 1:
            head = self._head
            return [Value(moves[0], int(head.iterations), float(head.paid[seat] / max(head.iterations, 1)))]
        found = {move: Value(move, 0, float("nan")) for move in moves}
        e = int(self._grown[tree.find(self._grown, self._head.root)].first)
        while e:
            edge = self._edges[e]
            found[int(edge.move)] = _value(int(edge.move), edge)
            e = int(edge.next)
        return [found[move] for move in moves]


def _room(moves: int) -> int:
    """The size of a hash table for a tree of so many moves: a power of two, at most half full."""
    return 1 << (2 * moves + 2).bit_length()


def hash_of(state: Any, seat: int) -> int:
    """63 bits that stand for what a state redacted for a seat says, events and chance left out."""
    known = words(np.array([state], state.dtype)).view(np.uint64)[0, state.dtype.fields["seats"][1] // 8 :]
    return int(tree.key_of(known, np.zeros_like(known), seat))


def _value(move: int, edge: Any) -> Value:
    return Value(move, int(edge.visits), float(edge.value / edge.visits) if edge.visits else float("nan"))
