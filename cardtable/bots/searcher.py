"""Thinking about a position: the buffers for tree search or flat Monte Carlo in one game, and the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cardtable.base.types import MoveCode, SeatNumber
from cardtable.kernel import prng, words
from cardtable.rules import contract, likelihood
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.worlds import Work
from cardtable.search import chain, race, tree
from cardtable.views.observed import Past

CAPACITY = 1 << 18  #: most moves in a tree (10 MB); a full tree still learns, but stops growing
CHUNK = 16  #: iterations before the first look at the clock; the looks become rarer while much time is left
POOL = 128  #: weighted worlds drawn at a time: they take up to half of a search, and a race may need few
PORTION = 1 << 16  #: iterations between two points where it can be interrupted
NEVER = 1 << 62  #: worlds before a race that only measures would look at its standings: never
MOST_LOGS = 1 << 16
_LOGS = np.log(np.maximum(np.arange(MOST_LOGS), 1))
Clock = Callable[[], float]  #: seconds since some moment: of the wall's clock, or of a thread's processor time


@dataclass(frozen=True)
class Value:
    """The value found for a legal move: the `mean` payoff of the deal to the mover over `visits` tries (nan: never
    tried).
    """

    move: MoveCode
    visits: int
    mean: float


@dataclass(frozen=True)
class SearchResult:
    """The legal moves of a seat, ascending, with their values; `best` is the one to play."""

    seat: SeatNumber
    values: tuple[Value, ...]
    best: MoveCode
    iterations: int
    seconds: float
    spread: float  #: standard deviation of the seat's payoff over the deals played out
    worlds: int = 0  #: in which moves were measured
    decided: bool = False  #: whether it ended because only one move was left to consider


@dataclass(frozen=True)
class Pair:
    """Two moves measured in the same worlds: the mean payoff of each, and how much better the first is."""

    first: float
    second: float
    more: float  #: mean of the differences; negative if the second is better
    error: float  #: standard error of `more`
    worlds: int


class Searcher:
    """The buffers of a search, allocated once and used for every decision of one game, by one thread at a time."""

    def __init__(
        self,
        game: Game,
        capacity: int = CAPACITY,
        *,
        chains: int = chain.CHAINS,
        pool: int = POOL,
        clock: Clock = time.perf_counter,
    ) -> None:
        """capacity: most moves in a tree; 40 bytes each, and as much again for its hash table. chains, pool: the
        number of Markov chains of weighted worlds, and of worlds drawn at a time. clock: for time limits, in seconds.
        """
        rules = game.rules
        self.game = game
        self.capacity = capacity
        self.clock = clock
        self._box = rules.State.row(4)
        first = rules.State.dtype.fields["seats"][1] // 8  # the fields before it are not knowledge
        root, world, shared, drawn = (
            words(self._box).view(np.uint64)[k, first:] for k in (tree.ROOT, tree.WORLD, tree.SHARED, tree.DRAWN)
        )
        self._head = tree.Tree.new()
        self._weighted = (
            game.weigher(chains, pool)
            if game.weigher
            else chain.Weighted(rules.State, rules.MAX_MOVES, likelihood.tables(*game.prior), chains, pool)
        )
        self._nodes = tree.Node.row(_room(capacity))
        self._moves = np.empty(rules.MAX_MOVES + 1, np.int64)
        self._buffers = tree.Buffers(
            box=self._box,
            root=root,
            world=world,
            shared=shared,
            drawn=drawn,
            tree=self._head,
            nodes=self._nodes,
            edges=tree.Edge.row(capacity + 1),
            logs=_LOGS,
            work=Work.new(),
            moves=self._moves,
            path=np.zeros((tree.DEEPEST, 2), np.int64),
            pool=self._weighted.pool,
        )
        self._arms = race.Arm.row(rules.MAX_MOVES + 1)
        self._race = race.Race.new()
        self._nowhere = np.zeros_like(self._buffers.root)

    def __call__(
        self,
        state: State,
        seat: SeatNumber,
        key: prng.Words,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        flat: bool = False,
        past: Past | None = None,
    ) -> SearchResult:
        """Search a state redacted for `seat`, which may act, for at most `iterations`, and for at most `seconds`
        unless that is 0; for `seconds` if iterations is 0.

        A search ends early when only one move is left to consider; it tries each move at least once. key: the four
        words of a seed. Randomness depends only on it and on what the seat knows, so the same position, key and
        iterations give the same values. flat: use flat Monte Carlo instead. past: the others' moves that the seat has
        seen in this deal; worlds are weighted by them, where the game supports that.
        """
        return next(self.grow(state, seat, key, [iterations], seconds=seconds, flat=flat, past=past))

    def grow(
        self,
        state: State,
        seat: SeatNumber,
        key: prng.Words,
        limits: Iterable[int],
        *,
        seconds: float = 0.0,
        flat: bool = False,
        past: Past | None = None,
    ) -> Iterator[SearchResult]:
        """Search as a call does, and yield the result after each of these numbers of iterations, in ascending order;
        0: after `seconds`. If seconds are given as well, they limit the whole search.
        """
        began = self.clock()
        moves = self._sit_down(state, seat, key, None if flat else past)
        n, run = len(moves), self._race
        given = list(limits) if isinstance(limits, Sequence) else limits
        most = max(given) if isinstance(given, list) else self.capacity
        go_on = self._runner(n, seat, min(most or self.capacity, self.capacity), flat)
        done, over, limit, chunk = 0, False, 0, max(CHUNK, 2 * n)
        for iterations in given:
            while not over and (limit < iterations or not iterations):
                portion = limit + PORTION if not seconds else done + chunk
                limit = min(portion, iterations) if iterations else done + chunk
                done, over = go_on(limit)
                if seconds or not iterations:
                    spent = self.clock() - began
                    if spent >= seconds:
                        break
                    chunk *= 2 if spent < seconds / 8 else 1
            values = tuple(value_of(move, self._arms[k]) for k, move in enumerate(moves))
            best = max(values, key=lambda value: (value.mean, -value.move)) if flat else values[int(run.incumbent)]
            spent, spread = self.clock() - began, float(self._head.spread[seat])
            yield SearchResult(seat, values, best.move, done, spent, spread, int(run.worlds), over or n == 1)

    def _sit_down(self, state: State, seat: SeatNumber, key: prng.Words, past: Past | None) -> list[MoveCode]:
        """Turn to a position, with weighted worlds where the game allows that; return the legal moves (the arms)."""
        self._box[:] = state
        self._box["record_events"] = self._box["event_count"] = 0
        # redacting twice changes nothing, and a full state must not be seen
        contract.redact(self._box[tree.ROOT], seat)
        self._box[:] = self._box[tree.ROOT]
        prng.derive(self._box[tree.WORLD].rng, key, tree.key_of(self._buffers.root, self._nowhere, seat), prng.BOT)
        n = contract.legal(self._box[tree.ROOT], seat, self._moves)
        moves = [int(move) for move in self._moves[:n]]
        self._arms[:n] = 0
        for k, move in enumerate(moves):
            self._arms[k].move = move
        weigh = past is not None and n > 1
        if past is not None and weigh:
            weigh = self._weighted.begin(self._box[tree.ROOT], past, self._box[tree.WORLD].rng)
        run = self._race
        run.places, run.pooled = int(self._weighted.head.places) if weigh else 0, 0
        run.gate = race.WEIGHTED_GATE if weigh else self.game.gate
        return moves

    def pair(self, first: MoveCode, second: MoveCode, iterations: int) -> Pair:
        """Compare two legal moves of the position searched last in new worlds, using the tree learnt there.

        A race picks the move that looked best, so its measurements are biased towards it; here both moves get the
        same new worlds. iterations: most deals (two for each world, and some for learning), but at least 16 worlds
        are used.
        """
        arms, head, run = self._arms, self._head, self._race
        arms[:2] = 0
        arms[0].move, arms[1].move = first, second
        run.incumbent, run.in_turn, run.alive, run.worlds, run.look = 0, 0, 2, 0, NEVER
        self._go_on(2, int(head.iterations) + max(iterations, race.FIRST_LOOK * race.deals(run)))
        worlds = int(run.worlds)
        less = float(arms[1].more) / worlds
        spread = max(float(arms[1].square) / worlds - less * less, 0.0)
        return Pair(
            float(arms[0].value) / worlds, float(arms[1].value) / worlds, -less, (spread / (worlds - 1)) ** 0.5, worlds
        )

    def _runner(self, n: int, seat: SeatNumber, most: int, flat: bool) -> Callable[[int], tuple[int, bool]]:
        """Start a race; return a function that continues it up to n iterations: how many, and whether it is over."""
        head, run, nodes = self._head, self._race, self._nodes[: _room(most)]
        self._buffers = self._buffers._replace(nodes=nodes)
        nodes[:] = 0
        head.seat, head.edges, head.iterations = seat, 1, 0
        head.paid[:] = head.square[:] = head.spread[:] = 0.0
        advised = contract.heuristic(self._box[tree.ROOT], seat, self._moves, n) if n > 1 else self._moves[0]
        run.incumbent = [int(arm.move) for arm in self._arms[:n]].index(int(advised))
        run.in_turn, run.alive, run.worlds, run.look = int(flat), n, 0, race.FIRST_LOOK

        def go_on(limit: int) -> tuple[int, bool]:
            self._go_on(n, limit)
            return int(head.iterations), n > 1 and int(run.alive) == 1

        return go_on

    def _go_on(self, n: int, limit: int) -> None:
        """Run the race among the first n arms until `limit` deals have been played out since the thinking began."""
        run = self._race
        while True:
            race.run(self._buffers, self._arms, n, run, limit)
            spent = run.worlds and self._head.iterations + race.deals(run) > limit  # the first world is always played
            if not run.places or (n > 1 and run.alive == 1) or spent:
                return
            self._weighted.draw()
            run.pooled = len(self._buffers.pool)


def _room(moves: int) -> int:
    """The size of a hash table for a tree with this number of moves: a power of two, at most half full."""
    return 1 << (2 * moves + 2).bit_length()


def hash_of(state: State, seat: SeatNumber) -> int:
    """A 63-bit hash of a state redacted for a seat, without events and random state."""
    known = words(np.array([state], state.dtype)).view(np.uint64)[0, state.dtype.fields["seats"][1] // 8 :]
    return int(tree.key_of(known, np.zeros_like(known), seat))


def value_of(move: MoveCode, arm: race.Arm) -> Value:
    """What has been found for a move."""
    return Value(move, int(arm.visits), float(arm.value / arm.visits) if arm.visits else float("nan"))
