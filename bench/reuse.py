"""Whether a search gains from what the seat's earlier searches of the deal found, and from thinking while others do.

    python bench/reuse.py fan-tan --iterations 1000 --seconds 60

Everybody plays `search`. At each decision of one seat several ways of searching choose a move, too:

* again: the same search with another seed. What the others differ by is to be compared with this;
* reuse: its tree begins with what its earlier searches in the deal have left there;
* ponder: with that, and it went on learning at each decision of the others (`--pondering` iterations for each);
* grown: its tree begins with what a search of this very position with `--more` as many iterations has left there, which
  is more than any reuse or pondering can give;
* long: a search with `--more` as many iterations, as if thinking before had been thinking about this very position.

Where a choice differs from the search's, both moves are measured again in the same new worlds. The figures are the
gains of a deal to one seat, with 95 % intervals. `visits` is how often the tree had met the position before it arose.

What may be kept: a node of the searcher's stands for all that the searcher knows there, so all worlds that met it are
still possible. A node of another seat's leaves out what only the searcher knows; if that grew (a card drawn), worlds
that met it may be impossible now. So these nodes are emptied (`--keep-all`: they are not).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable

import numpy as np

from cardtable import contract
from cardtable.bots.searcher import Searcher
from cardtable.contract import State
from cardtable.kernel import bits, prng
from cardtable.lab.ceiling import Gauge
from cardtable.lab.simulate import Z95
from cardtable.past import Past
from cardtable.search import race, tree

ROOM = 1 << 16  #: moves that a tree holds which is kept for a deal
JUDGED = 4000  #: deals played out to compare two moves
MOVES = 64  #: for a look at a node: more than it has


class Keeping(Searcher):
    """A searcher whose tree is kept until it is told to forget; for one seat of one deal."""

    def __init__(self, gauge: Gauge, keep_all: bool) -> None:
        super().__init__(gauge.game, ROOM)
        self._base = np.zeros_like(self._nowhere)
        self._buffers = self._buffers._replace(base=self._base)
        self.keep_all = keep_all
        self.visits = 0
        self._fresh = True

    def forget(self) -> None:
        """Begin a deal."""
        self._nodes[:] = 0
        self._head.edges = 1
        self._fresh = True

    def ponder(self, state: State, seat: int, key: prng.Words, iterations: int, past: Past | None) -> None:
        """Learn while another seat is to act, in a state redacted for `seat`."""
        self._box[:] = state
        self._box["record_events"] = self._box["event_count"] = 0
        self._turn(seat)
        head, run = self._head, self._race
        prng.derive(self._box[tree.WORLD].rng, key, tree.key_of(self._buffers.root, self._nowhere, seat), prng.BOT)
        weigh = past is not None and self._weighted.begin(self._box[tree.ROOT], past, self._box[tree.WORLD].rng)
        run.places, run.pooled = int(self._weighted.head.places) if weigh else 0, 0
        head.seat, head.iterations = seat, 0
        head.paid[:] = head.square[:] = head.spread[:] = 0.0
        while head.iterations < iterations:
            race.ponder(self._buffers, run, iterations)
            if head.iterations < iterations:
                self._weighted.draw()
                run.pooled = len(self._buffers.pool)

    def _turn(self, seat: int) -> None:
        """Compare keys with the first position of the deal that was thought about."""
        if self._fresh:
            self._base[:] = self._buffers.root
            self._fresh = False

    def _runner(self, n: int, seat: int, most: int, flat: bool):  # type: ignore[no-untyped-def]
        self._turn(seat)
        if not self.keep_all:
            self._nodes["first"][self._nodes["key"] & tree.OWN_NODE == 0] = 0
        self.visits = self.met(seat)
        kept, edges = self._nodes.copy(), int(self._head.edges)
        go_on = super()._runner(n, seat, ROOM, flat)
        self._nodes[:] = kept
        self._head.edges = edges
        return go_on

    def met(self, seat: int) -> int:
        """How often the tree has met the position that is thought about now."""
        self._box[tree.WORLD : tree.WORLD + 1] = self._box[tree.ROOT : tree.ROOT + 1]
        buffers = self._buffers
        key = tree.known_to_both(buffers.box, self._base, buffers.world, buffers.shared, seat, seat)
        edge, visits = int(self._nodes[tree.find(self._nodes, key)].first), 0
        while edge:
            visits += int(buffers.edges[edge].visits)
            edge = int(buffers.edges[edge].next)
        return visits


class Grown(Searcher):
    """A searcher whose tree has been grown by a search of the same position."""

    before = 0  #: iterations of that

    def _runner(self, n: int, seat: int, most: int, flat: bool):  # type: ignore[no-untyped-def]
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
        self.kept = {name: Keeping(gauge, asked.keep_all) for name in ("reuse", "ponder")}
        self.grown = Grown(gauge.game, ROOM)
        self.grown.before = asked.more * asked.iterations
        self.differ = dict.fromkeys(("again", "reuse", "ponder", "grown", "long"), 0)
        self.visits: dict[str, list[int]] = {name: [] for name in self.kept}
        self.spent = dict.fromkeys(("search", *self.differ), 0.0)
        self.decisions = 0
        self._weighs = contract.makes_sets(gauge.game.rules.State)
        self._moves = np.empty(gauge.game.rules.MAX_MOVES + 1, np.int64)

    def deal(self, number: int) -> dict[str, float]:
        """What each way gains in a deal over the search, for one seat."""
        s, asked = self.gauge.deal(number), self.asked
        seat, key = number % self.gauge.seats, prng.key_of(f"reuse {number}")
        gains = dict.fromkeys(self.differ, 0.0)
        pasts = [Past(self.gauge.game.rules.State, viewer) for viewer in range(self.gauge.seats)]
        for each in self.kept.values():
            each.forget()
        while mask := int(contract.actors(s)):
            mover = bits.lowest(mask)
            n = int(contract.legal(s, mover, self._moves))
            move = int(self._moves[0])
            if n > 1:
                past = pasts[mover] if self._weighs else None
                began = time.thread_time()
                found = self.search(seen_by(s, mover), mover, key, iterations=asked.iterations, past=past)
                if mover == seat:
                    self.spent["search"] += time.thread_time() - began
                    self.compare(seen_by(s, seat), seat, key, past, int(found.best), gains)
                else:
                    began = time.thread_time()
                    mine = pasts[seat] if self._weighs else None
                    self.kept["ponder"].ponder(seen_by(s, seat), seat, key, asked.pondering, mine)
                    self.spent["ponder"] += time.thread_time() - began
                move = int(found.best)
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
            "reuse": (self.kept["reuse"], key, asked.iterations),
            "ponder": (self.kept["ponder"], key, asked.iterations),
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
                judged[choice] = self.judge.pair(choice, best, JUDGED).more
            self.differ[name] += choice != best
            gains[name] += judged[choice]
        for name, kept in self.kept.items():
            self.visits[name].append(kept.visits)

    def lines(self, found: list[dict[str, float]]) -> Iterable[str]:
        """The figures."""
        asked, n = self.asked, max(self.decisions, 1)
        yield f"{asked.game}: {len(found)} deals, {self.decisions} decisions of one seat, {asked.iterations} iterations"
        for name in self.differ:
            gains = [each[name] for each in found]
            error = Z95 * float(np.std(gains, ddof=1)) / math.sqrt(len(gains))
            line = f"{name:<7} {np.mean(gains):+.3f} +- {error:.3f} a deal; {self.differ[name] / n:.1%} differ"
            line += f"; {self.spent[name] / n * 1000:.1f} ms a decision (search {self.spent['search'] / n * 1000:.1f})"
            if name in self.visits:
                visits = np.array(self.visits[name])
                enough = np.mean(visits >= 2 * tree.FEW)
                line += f"; visits: median {np.median(visits):.0f}, {enough:.0%} with {2 * tree.FEW} or more"
            yield line


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
    parser.add_argument("--pondering", type=int, default=1000)
    parser.add_argument("--more", type=int, default=4)
    parser.add_argument("--keep-all", action="store_true")
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
