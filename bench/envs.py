"""How many decisions a second the environments make, on one core.

    python bench/envs.py                 # every game, and Fan Tan in detail
    python bench/envs.py --peers         # ... and PettingZoo, RLCard and Pgx, if they are installed
    python bench/envs.py --threads 2     # the threads of an environment

What is compared is run in turn, round after round; a figure is the median of its rounds. Seconds are the processor time
of the process, so with several threads the speed is that of one core. A decision is an action for one table; with
`auto=False` every move of the game is one.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cardtable import catalog
from cardtable.envs import VectorTable

SECONDS = 0.5  #: of a round
WITHIN = 10.0  #: how much slower than Fan Tan's another game may be
BARS = {"masks": 8.0, "features": 2.0}  #: millions of decisions a second at a table of Fan Tan with four seats
#: how many times faster than the fastest game of a library
RATIOS = {"PettingZoo": 20.0, "RLCard": 20.0, "Pgx": 3.0}

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
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        choice = choosing(env)
        for sees, step in steps.items():
            found.setdefault(sees, []).append(without(step, choice))
        found.setdefault("masks and the choice", []).append(rate(steps["masks"], SECONDS))
    for name, rates in found.items():
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


# Peers


def pettingzoo() -> dict[str, Step]:
    """PettingZoo's classic games that need nothing else, in its loop over agents."""
    found = {}
    for name in ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "gin_rummy_v4"):
        try:
            env = importlib.import_module(f"pettingzoo.classic.{name}").env()
        except ImportError:
            continue
        found[f"PettingZoo {name}"] = _agents(env)
    return found


def _agents(env: Any) -> Step:
    """Plays an episode by chance."""

    def step() -> int:
        env.reset()
        made = 0
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            action = None if over or cut else env.action_space(agent).sample(observation["action_mask"])
            made += action is not None
            env.step(action)
        return made

    return step


def rlcard() -> dict[str, Step]:
    """RLCard's games."""
    if importlib.util.find_spec("rlcard") is None:
        return {}
    library = importlib.import_module("rlcard")
    agents = importlib.import_module("rlcard.agents")
    found = {}
    for name in ("uno", "gin-rummy", "leduc-holdem", "bridge"):
        env = library.make(name)
        env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
        found[f"RLCard {name}"] = _episodes(env)
    return found


def _episodes(env: Any) -> Step:
    """Plays an episode by chance."""

    def step() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return step


def pgx(n: int) -> dict[str, Step]:
    """Pgx's games of cards on the processor, n at once, compiled."""
    if importlib.util.find_spec("pgx") is None:
        return {}
    library = importlib.import_module("pgx")
    return {f"Pgx {name}": _compiled(library.make(name), n) for name in ("leduc_holdem", "sparrow_mahjong")}


def _compiled(env: Any, n: int) -> Step:
    """Steps n games by chance, and begins anew those that are over."""
    jax = importlib.import_module("jax")
    advance = importlib.import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)

    def one(states: Any, key: Any) -> tuple[Any, Any]:
        key, choice, chance = jax.random.split(key, 3)
        weights = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choice, weights, axis=-1)
        return jax.vmap(advance)(states, actions, jax.random.split(chance, n)), key

    quick = jax.jit(one)
    state = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), n)), jax.random.PRNGKey(2)]
    state[:] = quick(*state)

    def step() -> int:
        state[:] = quick(*state)
        state[0].rewards.block_until_ready()
        return n

    return step


def main() -> int:
    """The command line; return how many bars were missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="compare with other libraries that are installed")
    parser.add_argument("--tables", type=int, default=1024, help="in an environment (1024)")
    parser.add_argument("--threads", type=int, default=1, help="of an environment (1)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    given = parser.parse_args()
    missed = 0
    told: dict[str, float] = {}
    for name, millions in details(given.tables, given.rounds, given.threads):
        bar = BARS.get(name)
        missed += bar is not None and millions < bar
        told[f"fan-tan 4 seats, {name}"] = millions
    rows = list(games(given.tables, given.rounds, given.threads))
    best = next(millions for name, millions, _, _ in rows if name == "fan-tan")
    for name, millions, actions, width in rows:
        missed += millions * WITHIN < best
        told[f"{name}: {actions} actions, {width} bytes of features"] = millions
    if given.peers:
        env = VectorTable("fan-tan", given.tables, seats=4, rules="british", seed=1, auto=False)
        env.reset()
        ours = stepping(env)
        ratios: dict[str, list[float]] = {}
        for label, step in {**pettingzoo(), **rlcard(), **pgx(given.tables)}.items():
            for _ in range(given.rounds):
                theirs, mine = rate(step, SECONDS), rate(ours, SECONDS)
                ratios.setdefault(label, []).append(mine / theirs)
            told[f"{label} (fan-tan with the choice is {statistics.median(ratios[label]):.1f} times as fast)"] = (
                theirs / 1e6
            )
        for library, bar in RATIOS.items():
            mine_over = [statistics.median(found) for label, found in ratios.items() if label.startswith(library)]
            missed += bool(mine_over) and min(mine_over) < bar
    if given.json:
        print(json.dumps(told, indent=1))
    else:
        for name, millions in told.items():
            print(f"{millions:9.3f} M decisions/s  {name}")
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
