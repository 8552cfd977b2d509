"""What a search could gain from the seat's earlier searches of the deal, and from thinking while others do.

    python bench/reuse.py oh-hell --seconds 60

Everybody plays `search`. At each decision of one seat, other ways of searching choose a move, too:

* again: the same search with another seed. What the others differ by is to be compared with this;
* grown: its tree begins with what a search of this very position with `--more` times as many iterations has left there,
  so it knows more than the trees of earlier searches can tell;
* long: a search with `--more` times as many iterations, as if all thinking before had been about this very position.

Where a choice differs from the search's, both moves are measured again in the same new worlds. The figures are the
gains of a deal to one seat, with 95 % intervals.

`met` is how often the tree of the seat's last search had come to the position before it arose: as it was left (last),
and after `--pondering` more deals that went on from the move that was made (ahead).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable

import numpy as np

from cardtable.bots.searcher import NEVER, Searcher
from cardtable.kernel import bits, prng
from cardtable.lab.ceiling import Gauge
from cardtable.lab.intervals import mean_of
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.search import tree
from cardtable.views.observed import Past

ROOM = 1 << 16  #: moves that a tree holds
ENOUGH = 2 * tree.FEW  #: visits without which no move at a node has proved better than another


class Followed(Searcher):
    """A searcher that tells how often its tree came to a position that arose after the move."""

    def _runner(self, n: int, seat: int, most: int, flat: bool) -> Callable[[int], tuple[int, bool]]:
        return super()._runner(n, seat, ROOM, flat)  # with room for what `go_on` adds

    def go_on(self, move: int, deals: int) -> None:
        """Go on learning in so many deals after a move in the position that was searched last."""
        arms, run = self._arms, self._race
        arms[:1] = 0
        arms[0].move = move
        run.incumbent, run.in_turn, run.alive, run.worlds, run.look = 0, 0, 1, 0, NEVER
        self._go_on(1, int(self._head.iterations) + 2 * deals)  # it learns in every second deal

    def met(self, seen: State, seat: int) -> int:
        """How often the tree came to a position of the searcher's, redacted for it."""
        buffers = self._buffers
        self._box[tree.WORLD : tree.WORLD + 1] = seen
        key = tree.known_to_both(buffers.box, buffers.root, buffers.world, buffers.shared, seat, seat)
        edge, visits = int(buffers.nodes[tree.find(buffers.nodes, key)].first), 0
        while edge:
            visits += int(buffers.edges[edge].visits)
            edge = int(buffers.edges[edge].next)
        return visits


class Grown(Searcher):
    """A searcher whose tree has been grown by a search of the same position."""

    before = 0  #: iterations of that

    def _runner(self, n: int, seat: int, most: int, flat: bool) -> Callable[[int], tuple[int, bool]]:
        go_on = super()._runner(n, seat, most + self.before, flat)
        go_on(self.before)
        kept, edges, arms = self._nodes.copy(), int(self._head.edges), self._arms[:n]
        moves = arms["move"].copy()
        arms[:] = 0
        arms["move"] = moves
        self._moves[:n] = moves
        go_on = super()._runner(n, seat, most + self.before, flat)
        self._nodes[:] = kept
        self._head.edges = edges
        return go_on


class Trial:
    """Plays deals and compares the ways of searching at the decisions of one seat in each."""

    def __init__(self, gauge: Gauge, asked: argparse.Namespace) -> None:
        self.gauge, self.asked = gauge, asked
        self.search, self.judge = Searcher(gauge.game, ROOM), Searcher(gauge.game, ROOM)
        self.followed = {name: Followed(gauge.game, ROOM) for name in ("last", "ahead")}
        self.grown = Grown(gauge.game, ROOM)
        self.grown.before = asked.more * asked.iterations
        self.differ = dict.fromkeys(("again", "grown", "long"), 0)
        self.met: dict[str, list[int]] = {name: [] for name in self.followed}
        self.spent = dict.fromkeys(("search", *self.differ), 0.0)
        self.decisions = 0
        self._weighs = contract.makes_sets(gauge.game.rules.State)
        self._moves = np.empty(gauge.game.rules.MAX_MOVES + 1, np.int64)

    def deal(self, number: int) -> dict[str, float]:
        """What each way gains in a deal over the search, for one seat."""
        s, first = self.gauge.deal(number), True
        seat, key = number % self.gauge.seats, prng.key_of(f"reuse {number}")
        gains = dict.fromkeys(self.differ, 0.0)
        pasts = [Past(self.gauge.game.rules.State, viewer) for viewer in range(self.gauge.seats)]
        while mask := int(contract.actors(s)):
            mover = bits.lowest(mask)
            n = int(contract.legal(s, mover, self._moves))
            move = int(self._moves[0])
            if n > 1:
                past = pasts[mover] if self._weighs else None
                began = time.thread_time()
                found = self.search(seen_by(s, mover), mover, key, iterations=self.asked.iterations, past=past)
                move = int(found.best)
                if mover == seat:
                    self.spent["search"] += time.thread_time() - began
                    self.compare(seen_by(s, seat), seat, key, past, move, gains)
                    self.follow(seen_by(s, seat), seat, key, past, move, first)
                    first = False
            for past in pasts:
                past.saw(s, mover, move)
            contract.play(s, mover, move)
        return gains

    def compare(
        self, seen: State, seat: int, key: prng.Words, past: Past | None, best: int, gains: dict[str, float]
    ) -> None:
        """Let each way choose at one decision, and add what its choice gains over `best`."""
        asked, other = self.asked, prng.key_of(f"other {key[0]}")
        ways = {
            "again": (self.search, other, asked.iterations),
            "grown": (self.grown, key, asked.iterations),
            "long": (self.search, key, asked.more * asked.iterations),
        }
        self.decisions += 1
        judged: dict[int, float] = {best: 0.0}
        for name, (searcher, chance, iterations) in ways.items():
            began = time.thread_time()
            choice = int(searcher(seen, seat, chance, iterations=iterations, past=past).best)
            self.spent[name] += time.thread_time() - began
            if choice not in judged:
                self.judge(seen, seat, prng.key_of(f"judge {key[0]}"), iterations=asked.iterations, past=past)
                judged[choice] = self.judge.pair(choice, best, asked.judged).more
            self.differ[name] += choice != best
            gains[name] += judged[choice]

    def follow(self, seen: State, seat: int, key: prng.Words, past: Past | None, move: int, first: bool) -> None:
        """Note how often the trees had come to this position, and search it. first: it is the seat's first decision."""
        for name, searcher in self.followed.items():
            if not first:
                self.met[name].append(searcher.met(seen, seat))
            searcher(seen, seat, key, iterations=self.asked.iterations, past=past)
            if name == "ahead":
                searcher.go_on(move, self.asked.pondering)

    def lines(self, found: list[dict[str, float]]) -> Iterable[str]:
        """The figures."""
        asked, n = self.asked, max(self.decisions, 1)
        yield f"{asked.game}: {len(found)} deals, {self.decisions} decisions of one seat, {asked.iterations} iterations"
        for name in self.differ:
            gain = mean_of([each[name] for each in found])
            told = f"{gain.mean:+.3f} +- {gain.high - gain.mean:.3f}"
            line = f"{name:<5} {told} a deal; {self.differ[name] / n:.1%} differ"
            mine, usual = (self.spent[each] / n * 1000 for each in (name, "search"))
            yield f"{line}; {mine:.1f} ms a decision (search {usual:.1f})"
        for name, met in self.met.items():
            often = f"{np.mean(np.array(met) >= ENOUGH):.0%} {ENOUGH} times or more"
            yield f"met   {name}: median {np.median(met):.0f}; {often}"


def seen_by(s: State, seat: int) -> State:
    """What a seat may know of a state."""
    seen = s.copy()
    contract.redact(seen, seat)
    return seen


def main() -> None:
    """Play, and print the figures; Ctrl-C prints those of the deals played so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=math.inf, help="of processor time, after which no deal begins")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--pondering", type=int, default=3000)
    parser.add_argument("--more", type=int, default=4)
    parser.add_argument("--judged", type=int, default=4000, help="deals played out to compare two moves")
    parser.add_argument("--seed", default="reuse")
    asked = parser.parse_args()
    trial = Trial(Gauge(asked.game, asked.rules, seed=asked.seed, iterations=asked.iterations), asked)
    found: list[dict[str, float]] = []
    try:
        while len(found) < asked.deals and (len(found) < 2 or time.thread_time() < asked.seconds):
            found.append(trial.deal(len(found)))
    except KeyboardInterrupt:
        pass
    print("\n".join(trial.lines(found)))


if __name__ == "__main__":
    main()
