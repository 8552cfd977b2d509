"""How much weighted worlds bring, and how much they could: search in uniform, in weighted and in the true worlds.

    python bench/true_worlds.py michigan --deals 200
    python bench/true_worlds.py cassino --rules classic --iterations 2000 --seed h

In each deal one seat is looked at, each in turn; all others play the heuristic (`simple`). What the seat gets more than
the heuristic would in its place is measured in the very same deals with

* **uniform** worlds, as `search:N:uniform` has them;
* **eager**: uniform worlds, too, but a move takes the lead at 1.5 standard errors, as in weighted ones, and not at 3;
* **weighted** worlds, as `search:N` has them where the game can weight worlds;
* **true** worlds: the places of all cards as they are, only the order of a stock is drawn. It is a bound on what any
  weighting can bring, far above what can be known.

The last two need worlds that are sets of cards (`contract.unseen`). Each line is a mean with its 95 % interval; those
at the end are differences, deal by deal.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.bots.searcher import Searcher
from cardtable.kernel import bits, prng
from cardtable.lab.intervals import mean_of
from cardtable.lab.league import Table
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.search import chain, race
from cardtable.views.observed import Past

UNIFORM, EAGER, WEIGHTED, TRUE = "uniform", "eager", "weighted", "true"
MODES = (UNIFORM, EAGER, WEIGHTED, TRUE)


class TrueWorlds(chain.Weighted):
    """A source of worlds that are all the true one."""

    truth: State

    def begin(self, root: State, past: Past, key: prng.Words) -> bool:
        """Whether the game has places at this point."""
        sets = np.zeros(chain.MAX_PLACES, np.int64)
        self.head.places = contract.unseen(self.truth, past.seat, sets)
        self.pool[:] = sets
        return bool(self.head.places)

    def draw(self, thinning: int = chain.THINNING) -> NDArray[np.int64]:
        """The same world, as often as there is room."""
        return self.pool


class GatedSearcher(Searcher):
    """A search in uniform worlds with some gate."""

    def __init__(self, game: Any, gate: float) -> None:
        """gate: standard errors."""
        super().__init__(game)
        self._gate = gate

    def _sit_down(self, *given: Any) -> list[int]:
        moves = super()._sit_down(*given)
        self._race.gate = self._gate
        return moves


class TrueSearcher(Searcher):
    """A search that is told the true world."""

    def __init__(self, game: Any) -> None:
        """game: with sets as worlds."""
        super().__init__(game)
        self.worlds = TrueWorlds(game.rules.State, game.rules.MAX_MOVES)
        self._weighted = self.worlds
        self._buffers = self._buffers._replace(pool=self.worlds.pool)


class Gauge:
    """One game and preset, with buffers for each kind of search."""

    def __init__(self, given: argparse.Namespace) -> None:
        """given: from the command line."""
        variant = catalog.variant(given.game, given.rules)
        game = self.game = variant.game
        options = dict(pair.split("=", 1) for pair in given.set)
        rules, self.seats, resolved = game.options.make(variant.preset, given.seats, options)
        self.modes = MODES if contract.makes_sets(game.rules.State) else MODES[:2]
        self._table = Table(game, game.new_state(resolved, self.seats), "simple", "simple", given.seed, rules)
        self._given = given
        self._true = TrueSearcher(game) if TRUE in self.modes else None
        self._searchers: dict[str, Searcher] = {
            UNIFORM: GatedSearcher(game, Game.gate),
            EAGER: GatedSearcher(game, race.WEIGHTED_GATE),
            WEIGHTED: Searcher(game),
        }
        if self._true:
            self._searchers[TRUE] = self._true
        self._moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
        self._out = np.zeros(contract.MAX_SEATS)

    def gains(self, number: int) -> list[float]:
        """What the seat of a deal gets more than the heuristic, in each of the modes."""
        simple = self._paid(number, None)
        return [self._paid(number, mode) - simple for mode in self.modes]

    def _paid(self, number: int, mode: str | None) -> float:
        s, seat = self._table.deal(number), number % self.seats
        key = prng.key_of(f"{self._given.seed} {number}")
        past = Past(self.game.rules.State, seat)
        while mask := int(contract.actors(s)):
            mover = bits.lowest(mask)
            n = int(contract.legal(s, mover, self._moves))
            move = int(self._moves[0])
            if n > 1 and (mover != seat or mode is None):
                move = int(contract.heuristic(s, mover, self._moves, n))
            elif n > 1 and mode is not None:
                move = self._best(s, seat, key, past, mode)
            past.saw(s, mover, move)
            contract.play(s, mover, move)
        contract.payoff(s, self._out)
        return float(self._out[seat])

    def _best(self, s: State, seat: int, key: prng.Words, past: Past, mode: str) -> int:
        if self._true:
            self._true.worlds.truth = s
        seen = s.copy()
        contract.redact(seen, seat)
        known = None if mode in (UNIFORM, EAGER) else past
        return self._searchers[mode](seen, seat, key, iterations=self._given.iterations, past=known).best


def span(values: NDArray[np.float64]) -> str:
    """A mean with its interval."""
    found = mean_of(values)
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def main() -> None:
    """Measure, and print the gains; whole deals count at Ctrl-C and after the seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no new deal begins")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seed", default="true")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    given = parser.parse_args()
    found: list[list[float]] = []
    gauge, began = Gauge(given), time.perf_counter()
    try:
        while len(found) < given.deals and time.perf_counter() - began < given.seconds:
            found.append(gauge.gains(len(found)))
    except KeyboardInterrupt:
        sys.stderr.write("stopped; whole deals count\n")
    if len(found) < 2:
        raise SystemExit("an interval needs two deals")
    gains = np.array(found)
    sys.stdout.write(f"{given.game}, {gauge.seats} seats, {len(found)} deals, {given.iterations} iterations\n")
    for k, mode in enumerate(gauge.modes):
        sys.stdout.write(f"{mode:<9} {span(gains[:, k])}\n")
    for one, other in ((1, 0), (2, 0), (2, 1)) if WEIGHTED in gauge.modes else ((1, 0),):
        sys.stdout.write(f"{MODES[one]} - {MODES[other]} {span(gains[:, one] - gains[:, other])}\n")


if __name__ == "__main__":
    main()
