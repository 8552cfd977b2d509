"""Solving Spider with all cards known: a ladder of beams, and exhaustive searches for the proof that nothing wins.

The **ladder** is a list of runs of `solver_beam`, narrow ones first. Many short runs with other noise solve more deals
in the same time than one long run. A narrow run that fails costs a hundredth of a second, so wide ones are only needed
for the few hard deals, and much noise helps with them. Noise averages out over the tables of a wide beam, so every
second wide run also has a bias: each card face down costs more, all tables of the run alike, and so it prefers some
columns to dig in. Beyond the ladder wide runs follow, each with other noise, while there is time.

Memory: at most 170 MB, for the widest beam; 30 MB until a run of width 1,500 is needed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain, cycle, repeat
from typing import NamedTuple

import numpy as np

from cardtable.games.spider import solver_beam as beam
from cardtable.games.spider import solver_piles, solver_proof
from cardtable.kernel import prng
from cardtable.rules.contract import State
from cardtable.rules.solver import NOT_FOUND, SOLVED, UNWINNABLE, Answer, DealEffort, Limits


class Runs(NamedTuple):
    """Runs of a beam."""

    width: int
    times: int
    noise: int = 6000  #: most that is added to a cost; a break costs 2,000
    bias: int = 0  #: most that is added to the cost of each card face down, in all tables of a run alike


class Exhaustive(NamedTuple):
    """An exhaustive search."""

    most: int  #: tables reached at most


LADDER: tuple[Runs | Exhaustive, ...] = (
    Runs(40, 1, 0),
    Runs(40, 2),
    Exhaustive(1 << 14),
    Runs(80, 2),
    Runs(150, 4),
    Runs(500, 4),
    Exhaustive(1 << 17),
    Runs(1500, 2),
    Runs(1500, 2, bias=6000),
    Runs(4000, 2),
    Runs(4000, 2, bias=6000),
    Runs(12000, 1, bias=6000),
)
#: what follows again and again, if there is a limit
BEYOND = (Runs(4000, 2), Runs(4000, 2, bias=6000), Runs(12000, 1), Runs(12000, 1, bias=6000))
WEIGHTS = solver_piles.read_weights("weights.json")
#: With four suits, the first run wins an easy deal, one of the first few runs a medium one. At most 0.7 s are spent on
#: a deal, and about 98 of 100 are won.
EFFORT = DealEffort(easy=14_000, medium=60_000, most=400_000)
PATIENCE = 3  #: a stage ends after more steps than this without a better deal
PORTION = 2_000  #: tables between two looks at the clock
KEPT = 500  #: buffers of beams up to this width are kept for the next position
TRIAL = 16  #: width of a beam that only serves to compile


def solve(s: State, limits: Limits) -> Answer:
    """Look for moves that win from a state of Spider, which is not over and whose hidden cards are known.

    The same limits give the same answer, unless time runs out. The time that compiling takes does not count.
    """
    _compile(s)
    return _Search(s, limits).answer()


class _Search:
    """The search for one position."""

    def __init__(self, s: State, limits: Limits) -> None:
        self.s, self.limits = s, limits
        self.began = time.thread_time()
        self.states = 0
        self.noise_key = int(prng.key_of(limits.seed)[0])

    def answer(self) -> Answer:
        """Climb the ladder."""
        for run, step in enumerate(self._steps()):
            answer = self._beam(step, run) if isinstance(step, Runs) else self._proof(step.most)
            if answer is not None:
                return answer
            if self._over():
                break
        return self._answer(NOT_FOUND)

    def _steps(self) -> Iterator[Runs | Exhaustive]:
        """The steps of the ladder, each run separately; then, if there is a limit, the steps beyond it, for ever."""
        limited = self.limits.seconds is not None or self.limits.states is not None
        for step in chain(LADDER, cycle(BEYOND) if limited else ()):
            yield from repeat(step, step.times if isinstance(step, Runs) else 1)

    def _over(self) -> bool:
        """Whether a limit is reached."""
        seconds, states = self.limits.seconds, self.limits.states
        return (seconds is not None and time.thread_time() - self.began >= seconds) or (
            states is not None and self.states >= states
        )

    def _answer(self, status: str, moves: tuple[int, ...] = ()) -> Answer:
        return Answer(status, moves, self.states, time.thread_time() - self.began)

    def _portions(self, advance: Callable[[int], int], expanded: Callable[[], int], going: int) -> int:
        """Continue a search until its status is no longer `going`, or until a limit is reached; return the status.

        expanded: the number of positions expanded so far, including earlier searches.
        """
        status, before = going, expanded()
        earlier = self.states
        while status == going and not self._over():
            remaining = PORTION if self.limits.states is None else self.limits.states - self.states
            status = advance(min(PORTION, remaining))
            self.states = earlier + expanded() - before
        return status

    def _beam(self, runs: Runs, run: int) -> Answer | None:
        """One run of a beam; None: it did not win."""
        b = _beam_of(runs)
        beam.begin(b, self.s, np.uint64((self.noise_key + run) % 2**64))
        status = self._portions(lambda n: beam.advance(b, n), lambda: int(b.head.expanded), beam.RUNNING)
        if status != beam.SOLVED:
            return None
        return self._answer(SOLVED, tuple(b.line[: int(b.head.length)].tolist()))

    def _proof(self, most: int) -> Answer | None:
        """An exhaustive search among at most `most` tables; None: it did not finish."""
        b = solver_proof.room(most, solver_piles.room(most, WEIGHTS.copy()))
        solver_proof.start(b, self.s)
        status = self._portions(lambda n: solver_proof.go_on(b, n), lambda: int(b.head.at), solver_proof.SEARCHING)
        if status == solver_proof.WON:
            return self._answer(SOLVED, solver_proof.line_of(b))
        return self._answer(UNWINNABLE) if status == solver_proof.NO_WAY else None


_mine = threading.local()  #: each thread's buffers
_compiled = False


def _compile(s: State) -> None:
    """Compile missing parts, so that this does not count as time spent on a position."""
    global _compiled
    if not _compiled:
        b = room_for(TRIAL)
        beam.begin(b, s, np.uint64(1))
        beam.advance(b, 0)
        proof = solver_proof.room(1 << 8, solver_piles.room(1 << 10, WEIGHTS.copy()))
        solver_proof.start(proof, s)
        solver_proof.go_on(proof, 0)
        _compiled = True


def _beam_of(runs: Runs) -> beam.Beam:
    """A beam for these runs; narrow ones are reused."""
    beams: dict[int, beam.Beam] = _mine.__dict__.setdefault("beams", {})
    made = beams.get(runs.width) or room_for(runs.width)
    if runs.width <= KEPT:
        beams[runs.width] = made
    made.head.noise, made.head.patience, made.piles.bias[0] = runs.noise, PATIENCE, runs.bias
    return made


def room_for(width: int) -> beam.Beam:
    """Room for a beam: for each table of its width 16 piles, 1,000 entries of the log, 128 keys, and more for a narrow
    one.
    """

    def power(n: int) -> int:
        return 1 << (n - 1).bit_length()

    piles = solver_piles.room(power(max(1 << 15, 16 * width)), WEIGHTS.copy())
    return beam.room(width, width, piles, power(max(1 << 15, 128 * width)), max(1 << 16, 1000 * width))
