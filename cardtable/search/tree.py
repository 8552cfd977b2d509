"""A tree over information sets, in which a search stores results below its root.

It follows Cowling, Powley and Whitehouse (2012). To learn, `walk` takes a world down the tree by upper confidence
bounds, adds one move, plays the deal out with the heuristic and credits the payoffs to the moves on the path. A node
begins with the heuristic's move and **widens** as it is visited (Coulom 2007; Chaslot et al. 2008). To measure, `walk`
plays the learnt policy: the heuristic's move, unless another has proved better. `search.race` compares the moves at the
root by these measurements only, never by the tree's learning visits.

A **node** represents the common knowledge of the searcher and the seat to act (it is found by a hash of that), not a
sequence of moves. So moves made face down or at the same time lead to one node, and no seat in the tree reacts to
hidden information. A node's moves differ from world to world: a bound counts how often a move was *available*, not how
often the node was visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import Record, field, prng, rule
from cardtable.kernel.bits import lowest
from cardtable.rules import contract
from cardtable.rules.worlds import Work

#: rows of the box: the redacted root, the world being played, the common knowledge of two seats, the world as drawn
ROOT, WORLD, SHARED, DRAWN = range(4)
LEARN, MEASURE, RANDOM = 0, 1, 2  #: how a walk chooses
DEEPEST = 6  #: most decisions of an iteration within the tree; the rest is a playout
EXPLORE = 4.0  #: highest weight of the exploration term, in standard deviations of the payoffs seen
#: widening: with k moves known, the searcher (another seat) tries another after OWN (THEIRS) k k visits
OWN, THEIRS = 10, 100
FEW = 8  #: a move with fewer visits has proved nothing
PROOF = 3.0  #: standard errors by which a move must beat the heuristic's to be played instead
U = np.uint64
MIX_A, MIX_B, MIX_C, MIX_D = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0x165667B19E3779F9), U(0xD6E8FEB86659FD93)
ZERO, ONE, TURN, FOLD = U(0), U(1), U(29), U(32)


class Tree(Record):
    """The head of a tree, with statistics of the payoffs seen while it grew."""

    seat: int = field()  #: the searcher
    edges: int = field()  #: edges in use; edge 0 means none
    iterations: int = field()  #: deals played out, to learn or to measure
    tried: int = field()  #: visits to the moves that `select` found in the tree
    out: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: payoffs of the deal that was played out last
    paid: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: sum of the payoffs over all iterations
    square: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: sum of their squares
    spread: NDArray[np.float64] = field("f8", contract.MAX_SEATS)  #: their standard deviation, as `weigh` last found it


class Node(Record):
    """An entry of the hash table."""

    key: int = field()  #: 0: empty
    first: int = field()  #: its first edge


class Edge(Record):
    """A move at a node."""

    move: int = field()
    next: int = field()  #: the next edge of this node
    visits: int = field()
    available: int = field()  #: how often it was legal when its node was visited
    value: float = field("f8")  #: payoffs to the seat that moves, added up


class Buffers(NamedTuple):
    """The buffers of a search, allocated once for a game."""

    box: Sequence[contract.State]  #: states, ROOT redacted for `tree.seat`
    root: NDArray[np.uint64]  #: the words of each of them from the field `seats` on
    world: NDArray[np.uint64]
    shared: NDArray[np.uint64]
    drawn: NDArray[np.uint64]
    tree: Tree
    nodes: Sequence[Node]  #: a power of two of them, more than edges
    edges: Sequence[Edge]
    logs: NDArray[np.float64]  #: the natural logarithms of 0, 1, 2, ...
    work: Work
    moves: NDArray[np.int64]
    path: NDArray[np.int64]  #: the edges walked down, and who moved
    pool: NDArray[np.int64]  #: weighted worlds, as the sets at their places (`search.chain`)


@rule
def copy(source: Any, target: Any) -> None:
    """Copy some words over others."""
    for i in range(len(source)):
        target[i] = source[i]


@rule
def key_of(words: Any, base: Any, seat: int) -> int:
    """The key (1 .. 2**63 - 1) of a state's words and the seat to act.

    Only words that differ from `base` count: there are few.
    """
    h = MIX_A ^ U(seat)
    for i in range(len(words)):
        changed = words[i] ^ base[i]
        if changed != ZERO:
            h = prng.rotl((h ^ changed) * MIX_B, TURN) + U(i) * MIX_C
    h = (h ^ h >> FOLD) * MIX_D
    h = (h ^ h >> TURN) * MIX_B
    return int(np.int64((h ^ h >> FOLD) >> ONE)) | 1


@rule
def find(nodes: Any, key: int) -> int:
    """The place of a key in the hash table, or the empty place where it belongs. The table is never full."""
    last = len(nodes) - 1
    at = key >> 8 & last
    while nodes[at].key != 0 and nodes[at].key != key:
        at = at + 1 & last
    return at


@rule
def select(rng: Any, tree: Tree, edges: Any, logs: Any, first: int, mover: int, moves: Any, n: int) -> int:
    """Find the edge with the best bound among the n legal moves; return edge << 32 | k if k of the moves have an edge.

    These k moves are put first in `moves`, and `tree.tried` becomes the sum of their visits.

    Each bound has a random weight (Vaswani et al. 2020, "Old dog learns new tricks: randomized UCB"): with fixed
    weights, two seats that learn in step would answer each other's hidden choices as if they saw them.
    """
    weight = EXPLORE * tree.spread[mover]
    best, top, known = 0, -1e300, 0
    tree.tried = 0
    e = first
    while e:
        edge = edges[e]
        for j in range(known, n):
            if moves[j] == edge.move:
                moves[j] = moves[known]
                moves[known] = edge.move
                known += 1
                edge.available += 1
                tree.tried += edge.visits
                bound = edge.value / edge.visits + weight * prng.unit(rng) * np.sqrt(
                    logs[min(edge.available, len(logs) - 1)] / edge.visits
                )
                if bound > top:
                    best, top = e, bound
                break
        e = edge.next
    return best << 32 | known


@rule
def known_to_both(box: Any, root: Any, world: Any, shared: Any, searcher: int, mover: int) -> int:
    """The key of the node at which `mover` decides in this world."""
    copy(world, shared)
    contract.redact(box[SHARED], searcher)
    if mover != searcher:
        contract.redact(box[SHARED], mover)
    return key_of(shared, root, mover)


@rule
def proved(tree: Tree, edges: Any, first: int, mover: int, moves: Any, n: int, advised: int) -> int:
    """The legal move that has proved better than `advised` by the widest margin, else `advised`.

    -1: too little is known here, and so about everything that follows.
    """
    e = first
    while e and edges[e].move != advised:
        e = edges[e].next
    if e == 0 or edges[e].visits < FEW:
        return -1
    thumb = edges[e]
    mean, doubt = thumb.value / thumb.visits, PROOF * tree.spread[mover]
    most, best = 0.0, advised
    e = first
    while e:
        edge = edges[e]
        if edge.visits >= FEW:
            gain = edge.value / edge.visits - mean - doubt * np.sqrt(1.0 / edge.visits + 1.0 / thumb.visits)
            if gain > most:
                for j in range(n):
                    if moves[j] == edge.move:
                        most, best = gain, edge.move
        e = edge.next
    return best


@rule
def branch(tree: Tree, nodes: Any, at: int, key: int, edges: Any, move: int) -> int:
    """Add an edge without visits to the node `key`, whose place is `at`; return it."""
    e = tree.edges
    tree.edges += 1
    edges[e].move = move
    edges[e].next = nodes[at].first
    edges[e].visits = 0
    edges[e].available = 1
    edges[e].value = 0.0
    nodes[at].key = key
    nodes[at].first = e
    return e


@rule
def walk(buffers: Buffers, move: int, how: int) -> float:
    """Play the world to the end of the deal, beginning with a move of the searcher's; return the searcher's payoff.

    how: LEARN goes down the tree by upper confidence bounds, to the first new move, and credits the path; MEASURE
    plays the tree's policy; beyond the tree both play the heuristic, in some games with slips; RANDOM plays at random.
    """
    tree, edges, moves, path = buffers.tree, buffers.edges, buffers.moves, buffers.path
    s = buffers.box[WORLD]
    inside, depth = 1, 0
    s.untracked = 1 if how == RANDOM else 0
    mover = tree.seat
    while True:
        contract.play(s, mover, move)
        mask = contract.actors(s)
        if mask == 0:
            break
        mover = lowest(mask)
        n = contract.legal(s, mover, moves)
        move = moves[0]
        if n == 1:
            continue
        if how == RANDOM:
            move = moves[prng.below(s.rng, n)]
            continue
        move = contract.heuristic(s, mover, moves, n)
        if not inside:
            move = contract.slipped(s, mover, move)
            continue
        key = known_to_both(buffers.box, buffers.root, buffers.world, buffers.shared, tree.seat, mover)
        at = find(buffers.nodes, key)
        first = buffers.nodes[at].first
        if how == LEARN:
            chosen = select(s.rng, tree, edges, buffers.logs, first, mover, moves, n)
            e, known = chosen >> 32, chosen & 0xFFFFFFFF
            if (
                known < n
                and tree.edges < len(edges)
                and tree.tried >= (OWN if mover == tree.seat else THEIRS) * known * known
            ):
                e = branch(
                    tree,
                    buffers.nodes,
                    at,
                    key,
                    edges,
                    moves[known + prng.below(s.rng, n - known)] if known else move,
                )
            inside = 1 if e and edges[e].visits and depth + 1 < DEEPEST else 0
            if e:  # 0: there is no room for a new edge
                move = edges[e].move
                path[depth, 0] = e
                path[depth, 1] = mover
                depth += 1
        else:
            better = proved(tree, edges, first, mover, moves, n, move)
            inside = 1 if better >= 0 else 0
            move = better if better >= 0 else move
        s.untracked = 1 - inside
    contract.payoff(s, tree.out)
    for d in range(depth):
        edges[path[d, 0]].visits += 1
        edges[path[d, 0]].value += tree.out[path[d, 1]]
    note(tree, s.seats)
    return tree.out[tree.seat]


@rule
def note(tree: Tree, seats: int) -> None:
    """Add the payoffs of a deal played out."""
    tree.iterations += 1
    for p in range(seats):
        tree.paid[p] += tree.out[p]
        tree.square[p] += tree.out[p] * tree.out[p]


@rule
def weigh(tree: Tree, seats: int) -> None:
    """Find the standard deviation of each seat's payoffs."""
    for p in range(seats):
        mean = tree.paid[p] / tree.iterations
        tree.spread[p] = np.sqrt(max(tree.square[p] / tree.iterations - mean * mean, 0.0))
