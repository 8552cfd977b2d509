"""How much of what could be won a bot that thinks wins: realised against modelled gain, and the ceiling.

    python bench/ceiling.py --quick                      # the first preset of each game, few deals
    python bench/ceiling.py --keep ceiling.jsonl         # hours; stopped, it goes on where it ended

In each deal one seat is looked at, each in turn; all others play the heuristic (`simple`). What that seat gets with the
heuristic is compared, in the very same deal, with what it gets

* with **search**, from its redacted states: the *realised* gain;
* according to search itself: the *modelled* gain, that of each move over the heuristic's, measured in new worlds,
  added up over the deal;
* as a **player who sees all cards** and the shuffles to come: the *ceiling*. It is the exact best response to the
  heuristic where that is found within a limit, else the best line that playouts in the true world find, which is a
  lower bound.

Modelled far above realised means wrong worlds or wrong opponents; both small below a high ceiling means that little can
be known, or that the search is too short. It prints a table in Markdown, whatever has been measured so far at Ctrl-C;
games for one are left out, because nobody else plays there.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ladder import houses, usual_seats

from cardtable.analysis.endgame import SIMPLE, OpenCards
from cardtable.base.types import JsonObject, SeatNumber, Seed
from cardtable.bots.searcher import Searcher
from cardtable.kernel import bits, prng
from cardtable.lab.intervals import Mean, mean_of
from cardtable.lab.json_lines import Lines
from cardtable.lab.league import Table
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import Limits
from cardtable.search import playouts
from cardtable.views.observed import Past

ITERATIONS = 1_000  #: of search for a decision
STATES = 100_000  #: for the first decision of a deal; later ones get a tenth
DEALS, QUICK = 400, 40


@dataclass(frozen=True)
class Sample:
    """One deal for one seat: what it got, by how it played."""

    number: int  #: of the deal's match
    seat: SeatNumber
    simple: float
    search: float
    modelled: float  #: gain
    open: float  #: with all cards seen
    exact: bool  #: whether that is the best that there is


@dataclass(frozen=True)
class Ceiling:
    """The gains over the heuristic in a game, per deal."""

    game: str
    rules: str
    seats: int
    iterations: int
    deals: int
    realised: Mean
    modelled: Mean
    ceiling: Mean
    exact: float  #: share of the deals in which the ceiling is exact

    @property
    def share(self) -> float | None:
        """Realised gain as a share of the ceiling; None if there is nothing to win."""
        return self.realised.mean / self.ceiling.mean if self.ceiling.mean > 0 else None

    def as_dict(self) -> JsonObject:
        """As JSON-able data."""
        told = {name: getattr(self, name) for name in ("game", "rules", "seats", "iterations", "deals", "exact")}
        means = {name: getattr(self, name).as_dict() for name in ("realised", "modelled", "ceiling")}
        return told | means | {"share": self.share}


class Gauge:
    """Measures deals of one game and preset, at its usual number of seats."""

    def __init__(self, game: str, rules: str | None, *, seed: Seed, iterations: int, states: int = STATES) -> None:
        """iterations: of search for a decision; states: of the exact search. Raises UnknownGame, OptionError."""
        ruleset = Ruleset.parse(game, rules)
        self.game, self.rules, self.seats = ruleset.game, ruleset.preset, ruleset.seats
        self.deal = Table(self.game, ruleset.state(), "simple", "simple", seed, self.rules).deal
        self._seed, self.iterations, self._states = seed, iterations, states
        self._search, self._open = Searcher(self.game), OpenCards(self.game)
        self._moves = np.empty(self.game.rules.MAX_MOVES + 1, np.int64)
        self._out = np.zeros(contract.MAX_SEATS)
        self._weighs = contract.makes_sets(self.game.rules.State)

    def sample(self, number: int) -> Sample:
        """Measure the first deal of match `number`, for the seat whose turn it is to be looked at."""
        s, seat = self.deal(number), number % self.seats
        return Sample(number, seat, self._by_thumb(s, seat), *self._searched(s, seat, number), *self.best_seen(s, seat))

    def _paid(self, s: State, seat: SeatNumber) -> float:
        contract.payoff(s, self._out)
        return float(self._out[seat])

    def _by_thumb(self, s: State, seat: SeatNumber) -> float:
        """What the seat gets if everybody plays the heuristic to the end."""
        t = s.copy()
        t.record_events = 0
        players = np.full(contract.MAX_SEATS, playouts.SIMPLE, np.int64)
        playouts.played(t, players, self._moves, playouts.Totals.new(), playouts.NO_LOG)
        return self._paid(t, seat)

    def _next(self, s: State, seat: SeatNumber, past: Past | None = None) -> list[int]:
        """Play the heuristic and forced moves up to the seat's next choice; its legal moves, the heuristic's first;
        none: the deal is over.
        """
        while mask := int(contract.actors(s)):
            mover = bits.lowest(mask)
            n = int(contract.legal(s, mover, self._moves))
            legal = [int(move) for move in self._moves[:n]]
            move = int(contract.heuristic(s, mover, self._moves, n)) if n > 1 else legal[0]
            if mover == seat and n > 1:
                return sorted(legal, key=lambda each: each != move)
            if past is not None:
                past.saw(s, mover, move)
            contract.play(s, mover, move)
        return []

    def _searched(self, s: State, seat: SeatNumber, number: int) -> tuple[float, float]:
        """What the seat gets with search, and what search thinks that its moves bring more than the heuristic's."""
        s, modelled = s.copy(), 0.0
        past = Past(self.game.rules.State, seat) if self._weighs else None
        key = prng.key_of(f"{self._seed} {number}")
        while legal := self._next(s, seat, past):
            seen = s.copy()
            contract.redact(seen, seat)
            found = self._search(seen, seat, key, iterations=self.iterations, past=past)
            if found.best != legal[0]:
                modelled += self._search.pair(found.best, legal[0], self.iterations).more
            contract.play(s, seat, found.best)
        return self._paid(s, seat), modelled

    def best_seen(self, s: State, seat: SeatNumber) -> tuple[float, bool]:
        """The most that the seat can get if it sees all cards and the others play the heuristic, and whether that is
        exact; else it is the best that was found.
        """
        s = s.copy()
        best, line, states = -math.inf, [], self._states
        while legal := self._next(s, seat):
            self._open.start(s)
            found = self._open.find(seat, Limits(None, states), SIMPLE, foresee=True)
            if found.exact:
                return max(found.value, best), states == self._states
            states = self._states // 10
            tries = []
            for move in legal:
                t = s.copy()
                contract.play(t, seat, move)
                tries.append(self._by_thumb(t, seat))
            if max(tries) > best:
                best, line = max(tries), [legal[tries.index(max(tries))]]
            contract.play(s, seat, line.pop() if line else legal[0])
        return max(best, self._paid(s, seat)), states == self._states


class Kept:
    """Samples in a file of JSON Lines or, without one, in memory. One process writes it."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what is there (`Lines`)."""
        self._lines = Lines(path)
        self._samples: dict[str, list[Sample]] = {}
        read: list[Any] = self._lines.read
        for told in read:
            self._samples.setdefault(told.pop("of"), []).append(Sample(**told))

    def of(self, key: str) -> list[Sample]:
        """What is kept under a key, in the order of the deals."""
        return list(self._samples.get(key, ()))

    def add(self, key: str, sample: Sample) -> None:
        """Keep a sample."""
        self._samples.setdefault(key, []).append(sample)
        self._lines.add({"of": key} | asdict(sample))


def measure(
    game: str,
    rules: str | None,
    *,
    deals: int,
    iterations: int = ITERATIONS,
    states: int = STATES,
    seconds: float = math.inf,
    seed: Seed = "ceiling",
    kept: Kept | None = None,
) -> Ceiling:
    """Measure up to `deals` deals of a preset, those that are kept included; no new one after so many seconds, but
    two deals at least. Raises UnknownGame, OptionError.
    """
    gauge = Gauge(game, rules, seed=seed, iterations=iterations, states=states)
    kept = Kept() if kept is None else kept
    key = key_of(gauge.game.name, gauge.rules, iterations, states, seed)
    samples, began = kept.of(key), time.perf_counter()
    while len(samples) < 2 or (len(samples) < deals and time.perf_counter() - began < seconds):
        samples.append(gauge.sample(len(samples)))
        kept.add(key, samples[-1])
    return summed(gauge.game.name, gauge.rules, gauge.seats, iterations, samples)


def key_of(game: str, rules: str, iterations: int, states: int, seed: Seed) -> str:
    """Under which samples are kept."""
    return f"{game} {rules} {iterations} {states} {seed}"


def summed(game: str, rules: str, seats: int, iterations: int, samples: Sequence[Sample]) -> Ceiling:
    """The gains of two samples or more."""
    realised = mean_of([each.search - each.simple for each in samples])
    modelled = mean_of([each.modelled for each in samples])
    ceiling = mean_of([each.open - each.simple for each in samples])
    exact = sum(each.exact for each in samples) / len(samples)
    return Ceiling(game, rules, seats, iterations, len(samples), realised, modelled, ceiling, exact)


def table(found: list[Ceiling]) -> str:
    """The figures as a table."""
    lines = [
        "| game | seats | realised | modelled | ceiling | exact | share | deals |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        share = "–" if each.share is None else f"{100 * each.share:.0f} %"
        means = (each.realised, each.modelled, each.ceiling)
        gains = " | ".join(f"{mean.mean:+.2f} ± {mean.high - mean.mean:.2f}" for mean in means)
        where = f"{catalog.variant(each.game, each.rules).title} | {each.seats}"
        lines.append(f"| {where} | {gains} | {100 * each.exact:.0f} % | {share} | {each.deals} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="all, if none is named")
    parser.add_argument("--quick", action="store_true", help="the first preset of each game, and few deals")
    parser.add_argument("--deals", type=int, help="of each preset")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which a preset begins no new deal")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of search for a decision")
    parser.add_argument("--states", type=int, default=STATES, help="most of the exact search")
    parser.add_argument("--keep", type=Path, help="a file of deals, to go on from")
    parser.add_argument("--seed", default="ceiling")
    parser.add_argument("--report", action="store_true", help="play nothing")
    given = parser.parse_args()
    kept, found = Kept(given.keep), []
    try:
        for game, rules in houses(given.games, every=not given.quick):
            seats = usual_seats(game, rules)
            if given.report:
                samples = kept.of(key_of(game, rules, given.iterations, given.states, given.seed))
                found += [summed(game, rules, seats, given.iterations, samples)] if len(samples) > 1 else []
            elif seats > 1:
                how = {name: getattr(given, name) for name in ("iterations", "states", "seconds", "seed")}
                deals = given.deals or (QUICK if given.quick else DEALS)
                found.append(measure(game, rules, deals=deals, kept=kept, **how))
                sys.stderr.write(table(found[-1:]).splitlines()[-1] + "\n")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; whole deals count\n")
    sys.stdout.write(table(found) + "\n")


if __name__ == "__main__":
    main()
