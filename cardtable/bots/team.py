"""Multithreaded search for one decision.

A decision is divided into parts. Each has its own tree, random numbers and worlds, and all try the same moves; the
race between the moves uses their pooled measurements. Between two checks of the standings every part plays the same
number of worlds, without synchronisation.

A part's result does not depend on its thread, and the parts are added up in order. So the choice is the same for any
number of threads up to PARTS. It may differ from that of an undivided search, because a part's tree learns from its
own worlds only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import MoveCode, SeatNumber
from cardtable.bots.searcher import CAPACITY, NEVER, PORTION, Searcher, SearchResult, value_of
from cardtable.kernel import prng
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.search import chain, race
from cardtable.views.observed import Past

PARTS = chain.CHAINS  #: of a decision; one for each thread if there are more threads


class TeamPart(Searcher):
    """One part of a decision: a searcher that plays a given number of worlds."""

    def __init__(self, game: Game, capacity: int, arms: NDArray[np.void]) -> None:
        """arms: where it measures the moves, a row of `race.Arm`."""
        super().__init__(game, capacity, chains=1)
        self._arms = arms

    def start(
        self, state: State, seat: SeatNumber, key: prng.Words, past: Past | None, iterations: int
    ) -> list[MoveCode]:
        """Set the position; return the legal moves. iterations: the upper limit."""
        moves = self._sit_down(state, seat, key, past.apart() if past else None)
        self._runner(len(moves), seat, min(iterations, self.capacity), flat=False)
        self._race.look = NEVER
        return moves

    def play(self, n: int, worlds: int) -> None:
        """Measure the first n moves in this number of additional worlds, and learn between them."""
        if worlds:
            self._go_on(n, int(self._head.iterations) + worlds * race.deals(self._race))


class Team:
    """The buffers of a search in several threads, used for every decision of one game, for one decision at a time."""

    def __init__(self, game: Game, threads: int, capacity: int = CAPACITY) -> None:
        """capacity: most moves that the trees may hold together, as for a `Searcher`."""
        self.game = game
        self.threads = threads
        n = max(PARTS, threads)
        self._measured = race.Arm.row(n * (game.rules.MAX_MOVES + 1)).reshape(n, -1)
        self.parts = [TeamPart(game, max(capacity // n, 1), arms) for arms in self._measured]
        self._groups = [range(first, n, threads) for first in range(threads)]
        # Plain integers wrap around silently, as compiled ones do; NumPy has a setting for each thread.
        quiet = partial(np.seterr, over="ignore")
        self._pool = ThreadPoolExecutor(threads - 1, "part", quiet) if threads > 1 else None
        self._arms = race.Arm.row(game.rules.MAX_MOVES + 1)
        self._race = race.Race.new()

    def __call__(
        self,
        state: State,
        seat: SeatNumber,
        key: prng.Words,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        past: Past | None = None,
    ) -> SearchResult:
        """Think about a state redacted for `seat`, as a `Searcher` does. The same position, key and iterations give the
        same values.
        """
        began = time.perf_counter()
        moves = self._start(state, seat, key, past, iterations)
        n, run, size = len(moves), self._race, len(self.parts)
        done = spent = 0.0
        while run.alive > 1 or n == 1:
            cost = race.deals(run)
            allowed = max((iterations - int(done)) // cost, 0 if run.worlds else 1) if iterations else NEVER
            chunk = PORTION // cost
            if seconds:  # at most an eighth of the time, and half of what is left
                chunk = int(run.worlds / spent * min(seconds / 8, (seconds - spent) / 2)) if run.worlds else size
            share = min(run.look - run.worlds, allowed, max(chunk - chunk % size, size))
            if share <= 0:
                break
            self._each(partial(_play, n, *divmod(share, size)))
            self._add_up(n, share)
            done = sum(int(part._head.iterations) for part in self.parts)
            spent = time.perf_counter() - began
            if (seconds or not iterations) and spent >= seconds:
                break
        values = tuple(value_of(move, self._arms[k]) for k, move in enumerate(moves))
        return SearchResult(
            seat,
            values,
            values[int(run.incumbent)].move,
            int(done),
            time.perf_counter() - began,
            self._spread(seat),
            int(run.worlds),
            bool(run.alive == 1),
        )

    def _start(
        self, state: State, seat: SeatNumber, key: prng.Words, past: Past | None, iterations: int
    ) -> list[MoveCode]:
        """Turn all parts to a position; return the legal moves."""
        keys = np.zeros((len(self.parts), 4), np.uint64)
        moves: list[list[MoveCode]] = [[]] * len(self.parts)

        def start(k: int, part: TeamPart) -> None:
            prng.derive(keys[k], key, k, prng.BOT)
            most = iterations // len(self.parts) + PORTION if iterations else part.capacity
            moves[k] = part.start(state, seat, keys[k], past, most)

        self._each(start)
        n, first, run = len(moves[0]), self.parts[0]._race, self._race
        self._arms[:n] = self.parts[0]._arms[:n]
        run.incumbent, run.alive, run.gate = first.incumbent, first.alive, first.gate
        run.worlds, run.look = 0, _whole(race.FIRST_LOOK, len(self.parts))
        return moves[0]

    def _each(self, work: Callable[[int, TeamPart], None]) -> None:
        """Do some work in all parts, which the threads share."""

        def some(group: Sequence[int]) -> None:
            for k in group:
                work(k, self.parts[k])

        others = [self._pool.submit(some, group) for group in self._groups[1:]] if self._pool else []
        try:
            some(self._groups[0])
        finally:
            wait(others)  # in any case, stop all writes to the buffers
        for other in others:
            other.result()

    def _add_up(self, n: int, worlds: int) -> None:
        """Add up the measurements of the parts after n more worlds; if it is time, update the leader and drop moves."""
        run = self._race
        race.add_up(self._measured, self._arms, n)
        run.worlds += worlds
        if run.worlds < run.look:
            return
        run.look += _whole(run.look // 4, len(self.parts))
        leader, alive = int(run.incumbent), int(run.alive)
        race.judge(self._arms, n, run)
        if (int(run.incumbent), int(run.alive)) == (leader, alive):
            return
        race.tell(self._measured, self._arms, n, run.incumbent != leader)
        for part in self.parts:
            part._race.incumbent, part._race.alive = run.incumbent, run.alive

    def _spread(self, seat: SeatNumber) -> float:
        """The standard deviation of a seat's payoffs in all parts."""
        heads = [part._head for part in self.parts]
        played = sum(int(head.iterations) for head in heads)
        mean = sum(float(head.paid[seat]) for head in heads) / played
        return float(max(sum(float(head.square[seat]) for head in heads) / played - mean * mean, 0.0) ** 0.5)


def _play(n: int, each: int, more: int, k: int, part: TeamPart) -> None:
    """Let part k play `each` worlds, and the first `more` parts one additional world."""
    part.play(n, each + (k < more))


def _whole(worlds: int, parts: int) -> int:
    """Round a number of worlds up, so that all parts have the same number."""
    return -(-worlds // parts) * parts
