"""How many decisions a second the environments make, on one core.

    python bench/envs.py                 # every game, and Fan Tan in detail
    python bench/envs.py --threads 2     # the threads of an environment

What is compared is run in turn, round after round; a figure is the median of its rounds. Seconds are the processor time
of the process, so with several threads the speed is that of one core. A decision is an action for one table; with
`auto=False` every move of the game is one. bench/peers.py compares with other libraries.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from cardtable.envs import VectorTable
from cardtable.rules import catalog

SECONDS = 0.5  #: of a round
WITHIN = 10.0  #: how much slower than Fan Tan's another game may be
BARS = {"masks": 8.0, "features": 2.0}  #: millions of decisions a second at a table of Fan Tan with four seats

Step = Callable[[], int]  #: does some work, and says how many decisions it was


def rate(step: Step, seconds: float) -> float:
    """Decisions a second."""
    began, made = time.process_time(), 0
    while (passed := time.process_time() - began) < seconds:
        made += step()
    return made / passed


def stepping(env: VectorTable, *, sees: str = "masks") -> Step:
    """Steps by chance, with the choice of the actions and what is read after them."""
    actions = np.empty(env.n, np.int64)
    rows = env.features()

    def step() -> int:
        env.sample(actions)
        env.step(actions)
        if sees == "features":
            env.features(rows)
        elif sees == "states":
            env.obs.seen  # noqa: B018
        return env.n

    return step


def choosing(env: VectorTable) -> float:
    """Seconds that the choice of an action takes, which `stepping` includes."""
    actions = np.empty(env.n, np.int64)

    def step() -> int:
        env.sample(actions)
        return env.n

    return 1.0 / rate(step, SECONDS)


def without(step: Step, choice: float) -> float:
    """The speed of steps without the choice of their actions."""
    return 1.0 / (1.0 / rate(step, SECONDS) - choice)


def details(n: int, rounds: int, threads: int) -> Iterator[tuple[str, float]]:
    """Fan Tan with four seats in millions of decisions a second, by what is read."""
    env = VectorTable("fan-tan", n, seats=4, rules="british", seed=1, threads=threads, auto=False)
    env.reset()
    steps = {sees: stepping(env, sees=sees) for sees in ("masks", "features", "states")}
    speeds: dict[str, list[float]] = {}
    for _ in range(rounds):
        choice = choosing(env)
        for sees, step in steps.items():
            speeds.setdefault(sees, []).append(without(step, choice))
        speeds.setdefault("masks and the choice", []).append(rate(steps["masks"], SECONDS))
    for name, rates in speeds.items():
        yield name, statistics.median(rates) / 1e6


def games(n: int, rounds: int, threads: int) -> Iterator[tuple[str, float, int, int]]:
    """Every game with its usual seats: millions of decisions a second with masks, its actions and features."""
    for name in catalog.games():
        env = VectorTable(name, n, seed=1, threads=threads, auto=False)
        env.reset()
        step = stepping(env)
        rates = [without(step, choosing(env)) for _ in range(rounds)]
        yield name, statistics.median(rates) / 1e6, env.actions, env.features_width
        env.close()


def main() -> int:
    """The command line; return how many bars were missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1024, help="in an environment (1024)")
    parser.add_argument("--threads", type=int, default=1, help="of an environment (1)")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    missed = 0
    for name, millions in details(given.tables, given.rounds, given.threads):
        missed += millions < BARS.get(name, 0.0)
        print(f"{millions:9.3f} M decisions/s  fan-tan 4 seats, {name}")
    rows = list(games(given.tables, given.rounds, given.threads))
    best = next(millions for name, millions, _, _ in rows if name == "fan-tan")
    for name, millions, actions, width in rows:
        missed += millions * WITHIN < best
        print(f"{millions:9.3f} M decisions/s  {name}: {actions} actions, {width} bytes of features")
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
