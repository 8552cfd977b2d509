"""How much faster a decision is in several threads: `python bench/threads.py [GAME ...] [--threads N]`.

One thread and N search the same positions for the same iterations, in turn, and choose the same. Of each decision it
takes the time on the clock, which other programs lengthen, and the processor time of each thread in each round between
two looks at the standings. From that follows what the clock would show on a machine with nothing else to do: the
longest thread of each round, and all that is done between the rounds. Each speed-up is that of all decisions together.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from cardtable.bots.team import Part, Team
from cardtable.kernel import bits, prng
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.views.observed import Past

KEY = prng.key_of("threads")
GAMES = ("fan-tan", "oh-hell", "crazy-eights", "scopa")


class Timed(Team):
    """A team that notes the processor time of its threads."""

    parallel = longest = 0.0  #: seconds of all threads, and of the longest of each round

    def _each(self, work: Callable[[int, Part], None]) -> None:
        spent = [0.0] * len(self.parts)

        def timed(k: int, part: Part) -> None:
            began = time.thread_time()
            work(k, part)
            spent[k] = time.thread_time() - began

        super()._each(timed)
        groups = [sum(spent[k] for k in group) for group in self._groups]
        self.parallel += sum(groups)
        self.longest += max(groups)


def positions(name: str, wanted: int, choices: int) -> list[tuple[State, int, Past]]:
    """Redacted positions with a choice, each after some moves of a deal of its own, and what the seat has seen."""
    game = catalog.variant(name).game
    _, seats, options = game.options.make(game.presets[0], None, {})
    moves, cards = np.empty(game.rules.MAX_MOVES + 1, np.int64), np.empty(112, np.int64)
    found: list[tuple[State, int, Past]] = []
    number = 0
    while len(found) < wanted:
        s = game.new_state(options, seats)
        prng.derive(s.seed, KEY, number, prng.MATCH)
        number += 1
        contract.open_match(s)
        contract.next_deal(s, cards)
        pasts = [Past(game.rules.State, seat) for seat in range(seats)]
        left = choices
        while mask := int(contract.actors(s)):
            seat = bits.lowest(mask)
            n = int(contract.legal(s, seat, moves))
            if n > 1 and left == 0:
                seen = s.copy()
                contract.redact(seen, seat)
                found.append((seen, seat, pasts[seat]))
                break
            left -= n > 1
            move = int(contract.heuristic(s, seat, moves, n)) if n > 1 else int(moves[0])
            for past in pasts:
                past.saw(s, seat, move)
            contract.play(s, seat, move)
    return found


def measure(name: str, threads: int, iterations: int, decisions: int) -> dict[str, float | str | int]:
    """The figures of a game."""
    game = catalog.variant(name).game
    teams = (Timed(game, 1), Timed(game, threads))
    could, serial, thought, same = 0.0, 0.0, 0.0, 0
    walls = [0.0, 0.0]
    for k, (seen, seat, past) in enumerate(positions(name, decisions + 1, 4)):
        took, best = [], []
        for team in teams:
            team.parallel = team.longest = 0.0
            spent, began = time.thread_time(), time.perf_counter()
            best.append(team(seen, seat, KEY, iterations=iterations, past=past))
            took.append(time.perf_counter() - began)
            if team.threads == 1:
                alone = time.thread_time() - spent
                between = max(alone - team.parallel, 0.0)
        same += best[0].values == best[1].values
        if k == 0:
            continue  # it warms up
        walls = [wall + each for wall, each in zip(walls, took, strict=True)]
        could += between + teams[1].longest * (alone - between) / teams[1].parallel
        serial, thought = serial + between, thought + alone
    return {
        "game": name,
        "threads": threads,
        "iterations": iterations,
        "decisions": decisions,
        "same": same - 1,
        "wall": walls[0] / walls[1],
        "possible": thought / could,
        "serial": serial / thought,
        "seconds": thought / decisions,
    }


def main() -> None:
    """Measure the games named and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20_000)
    parser.add_argument("--decisions", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    run = partial(measure, threads=given.threads, iterations=given.iterations, decisions=given.decisions)
    for name in given.games:
        found = run(name)
        text = (
            f"{name:<14} {found['threads']} threads, {found['iterations']} iterations: {found['wall']:.2f} x on the "
            f"clock, {found['possible']:.2f} x by processor time, {found['serial']:.1%} between the rounds, "
            f"{found['seconds']:.2f} s a decision in one thread; {found['same']} of {found['decisions']} the same\n"
        )
        sys.stdout.write(json.dumps(found) + "\n" if given.json else text)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
