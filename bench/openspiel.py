"""Our search against OpenSpiel's players at equal time: `python bench/openspiel.py [GAME ...] [--rival is-mcts|flat]`.

A line for each duel, with the figures so far after every ten deals. OpenSpiel must be installed (the extra `bench`).
Duplicate deals: in each arrangement half of the seats are ours, and over all arrangements each side has had every hand.
The time is the processor time of the thread that decides, so other programs do not count. OpenSpiel's players:

* `is-mcts`: its information-set search, the one in C++ for Oh Hell!. Crazy Eights lacks what that needs, so it is the
  one in Python there, with worlds from `spiel_games`, and with states told apart by what may be done, too.
* `flat`: flat Monte Carlo, made of OpenSpiel's states: each move in turn, in a world of its own, with play at random
  after it.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
from spiel_games import COURSES, SEATED, Course, SpielState, made, move_for, names_suit

from cardtable.base.types import JsonObject, MoveCode, SeatNumber, Seed
from cardtable.bots.searcher import Searcher, SearchResult
from cardtable.kernel import bits, prng
from cardtable.lab.intervals import mean_of
from cardtable.lab.league import HALF, arrangements
from cardtable.lab.rivals import openspiel
from cardtable.lab.study.effects import finite
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.views.observed import Past

T = TypeVar("T")
IS_MCTS, FLAT = "is-mcts", "flat"
CAPACITY = 1 << 14  #: moves in our tree: more than fit into these short times
FIRST = 32  #: simulations before a speed is known
SETTLED = 0.3  #: how much the last speed counts
EXPLORE = {"oh-hell": 30.0, "crazy-eights": 1.0}  #: IS-MCTS's weight of exploration, of the size of payoffs


@dataclass(frozen=True)
class SpielDuel:
    """The result: payoffs per deal, averaged over seats; `difference` is ours minus theirs, with its 95 % interval."""

    game: str
    rival: str
    budget: float  #: seconds a decision
    deals: int
    seed: str
    uniform: bool  #: whether our worlds were not weighted
    difference: float
    low: float
    high: float
    our_seconds: float  #: mean of a decision
    their_seconds: float
    our_simulations: float  #: mean of a decision
    their_simulations: float
    void: int  #: deals, counted once for each arrangement, in which the stock ran out

    def as_dict(self) -> JsonObject:
        """The duel as a JSON-able dict: what is not finite is null."""
        return finite(asdict(self))

    def text(self) -> str:
        """One line of a table."""
        ours = "search:uniform" if self.uniform else "search"
        return (
            f"{self.game:<13} {ours} - {self.rival:<8} {self.difference:+.3f} [{self.low:+.3f}, {self.high:+.3f}]  "
            f"{self.deals} deals, {self.void} void; a decision {self.our_seconds * 1000:.1f} and "
            f"{self.their_seconds * 1000:.1f} ms, {self.our_simulations:.0f} and {self.their_simulations:.0f} "
            "simulations"
        )


class Clock:
    """The processor time and the simulations of one side's decisions."""

    def __init__(self) -> None:
        self.decisions = self.simulations = 0
        self.seconds = 0.0

    def timed(self, decide: Callable[[], tuple[T, int]]) -> T:
        """What a decision comes to."""
        began = time.thread_time()
        found, simulations = decide()
        self.seconds += time.thread_time() - began
        self.decisions += 1
        self.simulations += simulations
        return found

    def means(self) -> tuple[float, float]:
        """Seconds and simulations of a decision."""
        return self.seconds / max(self.decisions, 1), self.simulations / max(self.decisions, 1)


class Ours:
    """Our search by processor time."""

    def __init__(self, course: Course, budget: float, seed: Seed, uniform: bool = False) -> None:
        self._searcher, self._uniform = Searcher(course.game, CAPACITY), uniform
        self._budget, self._key = budget, prng.key_of(f"{seed} ours")

    def decide(self, s: State, seat: SeatNumber, past: Past) -> tuple[MoveCode, int]:
        """The move of a seat, and the simulations."""
        began = time.thread_time()
        found: SearchResult | None = None
        seen = s.copy()
        contract.redact(seen, seat)

        def limits() -> Iterator[int]:
            yield FIRST
            while found and not found.decided:
                spent = time.thread_time() - began
                if spent >= self._budget:
                    return
                yield found.iterations + max(int(found.iterations / spent * (self._budget - spent) / 2), FIRST)

        for each in self._searcher.grow(seen, seat, self._key, limits(), past=None if self._uniform else past):
            found = each
        assert found
        return found.best, found.iterations


class Theirs:
    """A player of OpenSpiel by processor time."""

    def __init__(self, course: Course, rival: str, budget: float, seed: Seed) -> None:
        self._course, self._rival, self._budget = course, rival, budget
        self._chance = random.Random(f"{seed} theirs")
        self._speeds: dict[int, float] = {}
        self._by_hand = rival == IS_MCTS and course.name == "crazy-eights"
        self._spiel = openspiel()

    def decide(self, s: State, t: SpielState, seat: SeatNumber) -> tuple[list[int], int]:
        """The actions of a seat, and the simulations: two actions if the first is an eight after which it names a
        suit.
        """
        action, simulations = self._choose(s, t, seat)
        if not names_suit(self._course, t, action):
            return [action], simulations
        suit, more = self._choose(s, t.child(action), seat)
        return [action, suit], simulations + more

    def _choose(self, s: State, t: SpielState, seat: SeatNumber) -> tuple[int, int]:
        if self._rival == FLAT:
            return self._flat(t, seat)
        if self._by_hand:
            bot = _python_ismcts(self._course, self._chance, self._budget)
            return int(bot.step(t)), int(bot.simulations)
        stage = self._course.stage(s)
        wanted = max(int(self._speeds.get(stage, FIRST / self._budget) * self._budget), 1)
        final = self._spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        seed = self._chance.randrange(1 << 30)
        rollouts = self._spiel.RandomRolloutEvaluator(1, seed)
        began = time.thread_time()
        bot = self._spiel.ISMCTSBot(seed, rollouts, EXPLORE[self._course.name], wanted, -1, final, False, False)
        action = int(bot.step(t))
        speed = wanted / (time.thread_time() - began)
        self._speeds[stage] = SETTLED * speed + (1.0 - SETTLED) * self._speeds.get(stage, speed)
        return action, wanted

    def _flat(self, t: SpielState, seat: SeatNumber) -> tuple[int, int]:
        began, actions = time.thread_time(), t.legal_actions()
        world, total, k = self._course.worlds(t, seat, self._chance), [0.0] * len(actions), 0
        while k < len(actions) or time.thread_time() - began < self._budget:
            at = world()
            at.apply_action(actions[k % len(actions)])
            total[k % len(actions)] += rolled_out(self._course, at, self._chance)[seat]
            k += 1
        tries = [k // len(actions) + (place < k % len(actions)) for place in range(len(actions))]
        best = max(range(len(actions)), key=lambda place: total[place] / tries[place])
        return int(actions[best]), k


def rolled_out(course: Course, t: SpielState, chance: random.Random) -> list[float]:
    """The payoffs after play at random. Chance of one pack is uniform, so it needs no other draw."""
    uniform = chance.random
    while not t.is_terminal():
        actions = t.legal_actions()
        t.apply_action(actions[int(uniform() * len(actions))])
    return course.values(t)


class Rollouts:
    """What OpenSpiel's search in Python asks about a position: one rollout, and no preference."""

    def __init__(self, course: Course, chance: random.Random) -> None:
        self._course, self._chance = course, chance

    def evaluate(self, state: SpielState) -> list[float]:
        """The payoffs of a rollout from a copy."""
        return rolled_out(self._course, state.clone(), self._chance)

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """All actions alike."""
        actions = state.legal_actions()
        return [(action, 1.0 / len(actions)) for action in actions]


def _python_ismcts(course: Course, chance: random.Random, budget: float) -> Any:
    """OpenSpiel's search in Python, which stops by processor time."""
    theirs = importlib.import_module("open_spiel.python.algorithms.ismcts")

    class Timed(theirs.ISMCTSBot):  # type: ignore[misc, name-defined]
        """`simulations`: of the last decision."""

        simulations = 0

        def get_state_key(self, state: SpielState) -> Any:
            return state.current_player(), state.observation_string(), tuple(state.legal_actions())

        def run_simulation(self, state: SpielState) -> Any:
            return course.values(state) if state.is_terminal() else super().run_simulation(state)

        def run_search(self, state: SpielState) -> Any:
            began = time.thread_time()
            self.reset()
            self._root_node = self.create_new_node(state)
            world = course.worlds(state, state.current_player(), chance)
            while self.simulations < 2 or time.thread_time() - began < budget:
                self.run_simulation(world())
                self.simulations += 1
            return self.get_final_policy(state, self._root_node)

    rng = np.random.RandomState(chance.randrange(1 << 30))
    return Timed(
        course.spiel, Rollouts(course, chance), EXPLORE[course.name], 1, random_state=rng, use_observation_string=True
    )


def spiel_duel(
    game: str,
    rival: str,
    *,
    budget: float = 0.02,
    deals: int = 50,
    seed: Seed = 0,
    uniform: bool = False,
    progress: Callable[[SpielDuel], None] = lambda found: None,
) -> SpielDuel:
    """Play our search against a player of OpenSpiel, which must be installed. game: `oh-hell` or `crazy-eights`; rival:
    `is-mcts` or `flat`; budget: seconds of processor time a decision; uniform: our worlds are not weighted; progress:
    called with the result so far.
    """
    course = COURSES[game](openspiel())
    ours, theirs = Ours(course, budget, seed, uniform), Theirs(course, rival, budget, seed)
    _play(course, ours, theirs, (Clock(), Clock()), (0, 2), prng.key_of(f"{seed} warm"), 0)  # rules are compiled here
    clocks, gains, void, ways = (Clock(), Clock()), [], 0, arrangements(SEATED, HALF)
    result: SpielDuel | None = None
    for number in range(deals):
        gain = 0.0
        for way in ways:
            paid, ended = _play(course, ours, theirs, clocks, way, prng.key_of(seed), number)
            void += not ended
            gain += sum(paid[seat] if seat in way else -paid[seat] for seat in range(SEATED))
        gains.append(gain / (2 * len(ways)))
        if number:
            more = mean_of(gains)
            (our_time, ours_made), (their_time, theirs_made) = (clock.means() for clock in clocks)
            figures = (more.mean, more.low, more.high, our_time, their_time, ours_made, theirs_made)
            result = SpielDuel(game, rival, budget, len(gains), str(seed), uniform, *figures, void)
            progress(result)
    assert result, "an interval needs two deals"
    return result


def _play(
    course: Course,
    ours: Ours,
    theirs: Theirs,
    clocks: tuple[Clock, Clock],
    way: tuple[SeatNumber, ...],
    key: prng.Words,
    number: int,
) -> tuple[list[float], bool]:
    """Play a deal with our search in the seats of `way`; return the payoffs, and whether it came to an end."""
    s, t = course.deal(key, number)
    moves = np.empty(course.game.rules.MAX_MOVES + 1, np.int64)
    pasts = {seat: Past(course.game.rules.State, seat) for seat in way}
    while not course.over(s, t):
        seat = bits.lowest(int(contract.actors(s)))
        legal = [int(move) for move in moves[: int(contract.legal(s, seat, moves))]]
        if len(legal) == 1:
            move = legal[0]
        elif seat in way:
            move = clocks[0].timed(lambda s=s, seat=seat: ours.decide(s, seat, pasts[seat]))  # type: ignore[misc]
        else:
            chosen = clocks[1].timed(lambda s=s, t=t, seat=seat: theirs.decide(s, t, seat))  # type: ignore[misc]
            move = move_for(course, s, legal, chosen)
        for past in pasts.values():
            past.saw(s, seat, move)
        made(course, s, t, move)
    return course.paid(s), bool(t.is_terminal())


def pairings() -> list[tuple[str, str]]:
    """Every game with every player of OpenSpiel."""
    return list(itertools.product(COURSES, (IS_MCTS, FLAT)))


def main() -> None:
    """Play the duels and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rival")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--budget", type=float, default=0.02, help="seconds of processor time a decision")
    parser.add_argument("--seed", default="openspiel")
    parser.add_argument("--uniform", action="store_true", help="our search with worlds that are not weighted")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()

    def show(found: SpielDuel) -> None:
        if found.deals % 10 == 0:
            sys.stderr.write(found.text() + "\n")

    how = {name: getattr(given, name) for name in ("budget", "deals", "seed", "uniform")}
    for game, rival in pairings():
        if (not given.games or game in given.games) and given.rival in (None, rival):
            found = spiel_duel(game, rival, progress=show, **how)
            print(json.dumps(found.as_dict()) if given.json else found.text(), flush=True)


if __name__ == "__main__":
    main()
