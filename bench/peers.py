"""Cardtable compared with OpenSpiel, RLCard, PettingZoo and Pgx: decisions a second on one core, in one run and one
table.

    python bench/peers.py                # all of them that are installed; the others are named
    python bench/peers.py --only Pgx     # one library

All players choose at random among the allowed actions, and the time of the choice counts. A library's figure is the
median of its rounds; each round is followed by one of Fan Tan in `VectorTable`, and the ratio is the median of the
ratios of such pairs, so a machine that is busy for a while does not favour one side. Seconds are the processor time of
the process, which is kept on one core. The exit status is the number of bars that are missed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.metadata
import os
import platform
import random
import statistics
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import envs
from envs import Step, rate, stepping

from cardtable.envs import VectorTable
from cardtable.lab import rivals
from cardtable.rules import catalog

LIBRARIES = {"OpenSpiel": "open_spiel", "RLCard": "rlcard", "PettingZoo": "pettingzoo", "Pgx": "pgx"}
#: how many times the speed of a library's fastest comparable game Fan Tan must reach
BARS = {"PettingZoo": 20.0, "RLCard": 20.0, "Pgx": 3.0}
BATCHES = (64, 1024, 4096)  #: of Pgx, shown at its best
ROLLOUTS = 200  #: of OpenSpiel in one step

#: games of cards for which no package or file is missing in an ordinary installation
CARDS = {
    "OpenSpiel": ("crazy_eights", "oh_hell", "gin_rummy", "hearts", "leduc_poker"),
    "RLCard": ("uno", "gin-rummy", "bridge", "doudizhu", "leduc-holdem", "limit-holdem"),
    "PettingZoo": ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5"),
    "Pgx": ("leduc_holdem", "sparrow_mahjong", "kuhn_poker"),
}
#: too small to be comparable: a pack of three cards of which each player holds one
TINY = ("kuhn_poker",)
HEAD = ("library", "game", "timed", "decisions/s", "Fan Tan is faster by", "rounds", "the same game is faster by")
#: the game of Cardtable that has the same rules, or nearly
SAME = {"crazy_eights": "crazy-eights", "oh_hell": "oh-hell", "uno": "crazy-eights"}


class Peer(NamedTuple):
    """A game of another library, ready to be stepped. how: what is timed."""

    library: str
    game: str
    how: str
    step: Step


class Row(NamedTuple):
    """What was measured of a peer: decisions a second, and how many times as fast Fan Tan is, round by round."""

    library: str
    game: str
    how: str
    speed: float
    ratio: float
    least: float
    most: float
    same: str = ""  #: the game of Cardtable of the same kind ...
    same_ratio: float = 0.0  #: ... and how many times as fast that is

    def cells(self) -> tuple[str, ...]:
        """Its cells in the table, under `HEAD`."""
        game = self.game + (" (not counted)" if self.game in TINY else "")
        ratios = times(self.ratio), f"{times(self.least)} to {times(self.most)}"
        same = f"{times(self.same_ratio)} ({self.same})" if self.same else ""
        return self.library, game, self.how, round3(self.speed), *ratios, same


@dataclass
class Report:
    """Everything measured in one run."""

    about: str  #: the day, the machine and the versions
    peers: list[Row] = field(default_factory=list)
    ours: dict[str, float] = field(default_factory=dict)  #: decisions a second of each game of Cardtable
    missing: list[str] = field(default_factory=list)  #: what could not be run, and why

    def fastest(self) -> list[Row]:
        """Of each library with a bar, the fastest game that is comparable."""
        rows = {
            library: [row for row in self.peers if row.library == library and row.game not in TINY] for library in BARS
        }
        return [min(of, key=lambda row: row.ratio) for of in rows.values() if of]

    def slow(self) -> list[str]:
        """The games of Cardtable that are slower than a tenth of Fan Tan."""
        return [name for name, speed in self.ours.items() if speed * envs.WITHIN < self.ours["fan-tan"]]

    def missed(self) -> int:
        """How many bars are missed."""
        return len(self.slow()) + sum(row.ratio < BARS[row.library] for row in self.fastest())

    def lines(self) -> Iterator[str]:
        """The report, with its table in Markdown."""
        yield from (self.about, "")
        yield from (
            f"| {' | '.join(cells)} |" for cells in (HEAD, ("---",) * len(HEAD), *(row.cells() for row in self.peers))
        )
        yield ""
        for row in self.fastest():
            bar = BARS[row.library]
            word = "reached" if row.ratio >= bar else "missed"
            yield f"{row.library}: {times(row.ratio)} x its fastest, {row.game} (bar {bar:g}: {word})"
        if self.ours:
            yield ", ".join(f"{name} {round3(speed)}" for name, speed in self.ours.items())
            yield f"slower than a tenth of Fan Tan: {', '.join(self.slow()) or 'none'}"
        yield from (f"not run: {what}" for what in self.missing)


def round3(x: float) -> str:
    """Three significant digits, in words where it is large."""
    size, word = next(((size, word) for size, word in ((1e6, " M"), (1e3, " k")) if x >= size), (1.0, ""))
    return f"{x / size:.3g}{word}"


def times(x: float) -> str:
    """A ratio: one decimal below 10, none above, thousands apart."""
    return f"{x:,.1f}" if x < 10 else f"{x:,.0f}"


# The libraries


def openspiel(game: str) -> Iterator[tuple[str, Step]]:
    """Its loop in Python over the C++ game, and, of the games with a table in `rivals`, its rollouts in C++."""
    spiel = importlib.import_module("pyspiel")
    loaded = spiel.load_game(game, rivals.RIVALS.get(game, {}))

    def loop(uniform: Callable[[], float] = random.random) -> int:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(uniform() * len(actions))])
        return sum(made.player >= 0 for made in state.full_history())

    yield "loop in Python", loop
    if game in rivals.RIVALS:
        rollouts = rivals.rollout_runner(spiel, game)
        yield "rollouts in C++", lambda: int(rollouts.run(ROLLOUTS).done["decisions/s"])


def rlcard(game: str) -> Iterator[tuple[str, Step]]:
    """Its `env.run` with its random agents."""
    library, agents = importlib.import_module("rlcard"), importlib.import_module("rlcard.agents")
    env = library.make(game)
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def episode() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    yield "env.run", episode


def pettingzoo(game: str) -> Iterator[tuple[str, Step]]:
    """Its loop over agents."""
    env = importlib.import_module(f"pettingzoo.classic.{game}").env()

    def episode() -> int:
        env.reset()
        made = 0
        for agent in env.agent_iter():
            observation, _, over, cut, info = env.last()
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            action = None if over or cut else env.action_space(agent).sample(mask)
            made += action is not None
            env.step(action)
        return made

    episode()
    yield "agent_iter", episode


def pgx(game: str) -> Iterator[tuple[str, Step]]:
    """Batches of games on the processor, compiled, each restarted when it is over."""
    library, jax = importlib.import_module("pgx"), importlib.import_module("jax")
    env = library.make(game)
    advance = importlib.import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)

    def choose(n: int, states: Any, key: Any) -> tuple[Any, Any]:
        key, choice, chance = jax.random.split(key, 3)
        weights = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choice, weights, axis=-1)
        return jax.vmap(advance)(states, actions, jax.random.split(chance, n)), key

    for n in BATCHES:
        quick = jax.jit(partial(choose, n))
        first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), n))
        state = [*quick(first, jax.random.PRNGKey(2))]

        def step(n: int = n, quick: Any = quick, state: list[Any] = state) -> int:
            state[:] = quick(*state)
            state[0].rewards.block_until_ready()
            return n

        yield f"batch of {n:,}", step


MAKERS = {"OpenSpiel": openspiel, "RLCard": rlcard, "PettingZoo": pettingzoo, "Pgx": pgx}


def peers(library: str, missing: list[str]) -> Iterator[Peer]:
    """The games of a library, one by one; what cannot be made is added to `missing`."""
    for game in CARDS[library]:
        try:
            for how, step in MAKERS[library](game):
                yield Peer(library, game, how, step)
        except Exception as wrong:  # a library's installation may fail in any way, and the others must be measured
            missing.append(f"{library} {game}: {type(wrong).__name__}: {str(wrong).partition(chr(10))[0]}")


# Measuring


def table(game: str, n: int) -> Step:
    """Steps by chance at n tables of a game of Cardtable: Fan Tan with four seats, the others as they come."""
    seats, rules = (4, "british") if game == "fan-tan" else (None, None)
    env = VectorTable(game, n, seats=seats, rules=rules, seed=1, auto=False)
    env.reset()
    return stepping(env)


def beside(peer: Peer, ours: Step, kin: Step | None, rounds: int, seconds: float) -> Row:
    """Measure a peer and Fan Tan in turn, and the game of the same kind if there is one."""
    speeds, ratios, same = [], [], []
    for _ in range(rounds):
        speeds.append(theirs := rate(peer.step, seconds))
        ratios.append(rate(ours, seconds) / theirs)
        same += [rate(kin, seconds) / theirs] if kin is not None else []
    figures = statistics.median(speeds), statistics.median(ratios), min(ratios), max(ratios)
    others = (SAME[peer.game], statistics.median(same)) if same else ("", 0.0)
    return Row(peer.library, peer.game, peer.how, *figures, *others)


def best(rows: list[Row]) -> list[Row]:
    """Of Pgx's batches of a game, the fastest."""
    fastest: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = (row.library, row.game, "" if row.library == "Pgx" else row.how)
        fastest[key] = max(fastest.get(key, row), row, key=lambda each: each.speed)
    return list(fastest.values())


def about() -> str:
    """The day, the processor, and the versions of Cardtable and of each library that is installed."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    box, versions = next(names, platform.processor() or platform.machine()), [f"Python {platform.python_version()}"]
    for library, package in {"Cardtable": "cardtable", **LIBRARIES, "JAX": "jax"}.items():
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions.append(f"{library} {importlib.metadata.version(package)}")
    return f"{datetime.now(UTC):%Y-%m-%d}, {box}; {', '.join(versions)}"


def measure(libraries: list[str], *, tables: int, rounds: int, seconds: float, games: list[str]) -> Report:
    """Measure these libraries and these games of Cardtable."""
    report = Report(about())
    ours = table("fan-tan", tables)
    kin: dict[str, Step] = {}
    rows = []
    for library in libraries:
        for peer in peers(library, report.missing):
            if (same := SAME.get(peer.game)) and same not in kin:
                kin[same] = table(same, tables)
            rows.append(beside(peer, ours, kin[same] if same else None, rounds, seconds))
    report.peers = best(rows)
    for game in games:
        step = table(game, tables)
        report.ours[game] = statistics.median(rate(step, seconds) for _ in range(rounds))
    return report


def main(argv: list[str] | None = None) -> int:
    """The command line; return how many bars were missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=LIBRARIES, help="a library; may be given several times")
    parser.add_argument("--tables", type=int, default=1024, help="of Cardtable in an environment (1024)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=envs.SECONDS, help="of a round")
    parser.add_argument("--games", nargs="*", default=[*catalog.games()], help="of Cardtable; Fan Tan is one of them")
    given = parser.parse_args(argv)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for everybody, with all their threads
    warnings.simplefilter("ignore")  # of the libraries, about each other
    how = {name: getattr(given, name) for name in ("tables", "rounds", "seconds")}
    report = measure(given.only or list(LIBRARIES), **how, games=sorted({"fan-tan", *given.games}))
    print("\n".join(report.lines()))
    return report.missed()


if __name__ == "__main__":
    raise SystemExit(main())
