"""How fast this machine plays: every game of the catalog on one core, and OpenSpiel beside it, as ratios.

Machines are noisy and shared, so a figure alone says little: all that is compared is run in turns, round after round, a
value is the median over the rounds, and a ratio the median of the rounds' own ratios. Seconds are the thread's own on its
core, so that what else runs there does not count. A decision is a player's move; a
chance node (a card dealt) is none, on either side. OpenSpiel is measured by the fastest that it offers from Python:

* its plain loop, `random()` over `legal_actions()` at every node, the deal's chance nodes included in the time;
* its C++ rollouts, `MCTSBot` with `RandomRolloutEvaluator`, from the first decision on, so without the deal;
* its `ISMCTSBot`, from the first decision on.
"""

from __future__ import annotations

import importlib
import importlib.util
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cardtable import contract
from cardtable.catalog import find, games
from cardtable.game import Game
from cardtable.kernel import luck
from cardtable.search import playouts

RIVALS = {"crazy_eights": {"players": 4}, "oh_hell": {"players": 4, "num_tricks_fixed": 10}}
KEY = luck.key_of("bench")
#: Ours, theirs, and the least ratio that the project promises (None: told, not promised).
BARS: tuple[tuple[str, str, float | None], ...] = (
    ("fan-tan random play", "crazy_eights python loop", 30.0),
    ("fan-tan random play", "crazy_eights c++ rollouts", 5.0),
    ("fan-tan random play", "oh_hell python loop", None),
    ("fan-tan random play", "oh_hell c++ rollouts", None),
    ("fan-tan search", "oh_hell is-mcts", 5.0),
)


@dataclass(frozen=True)
class Row:
    """One figure: `name` did `what`, `value` of `unit` (median over the rounds)."""

    name: str
    what: str
    value: float
    unit: str


@dataclass(frozen=True)
class Ratio:
    """Ours over theirs, the median of the rounds' ratios; `bar` is the least that is promised, or None."""

    name: str
    value: float
    bar: float | None


@dataclass(frozen=True)
class Report:
    """What `bench` found. `ratios` is empty where OpenSpiel is not installed."""

    machine: str
    rows: tuple[Row, ...]
    ratios: tuple[Ratio, ...]

    def as_dict(self) -> dict[str, Any]:
        """The report for `bench --json`."""
        return asdict(self)


@dataclass(frozen=True)
class Rate:
    """What one run did in its seconds, by unit: decisions and deals, or simulations."""

    seconds: float
    done: dict[str, float]


@dataclass(frozen=True)
class Runner:
    """Something to be timed: `run(n)` does n units of work (deals, rollouts, simulations) and tells what it did."""

    name: str
    what: str
    run: Callable[[int], Rate]

    @property
    def label(self) -> str:
        """`fan-tan random play`."""
        return f"{self.name} {self.what}"


def play_runner(game: Game) -> Runner:
    """Random legal play of a game's default preset at its default seats, deals and settlements included."""
    _, seats, options = game.options.make(None, None, {})
    rules = game.rules
    s = rules.State.new()
    rules.setup(s, game.name, options, seats)
    players, moves, cards = np.full(contract.MAX_SEATS, playouts.RANDOM), np.empty(rules.MAX_MOVES + 1, np.int64), np.empty(112, np.int64)

    def run(deals: int) -> Rate:
        total = playouts.Totals.new()
        began = time.thread_time()
        playouts.simulate(s, KEY, 0, deals, deals, players, moves, cards, total)
        return Rate(time.thread_time() - began, {"decisions/s": float(total.moves), "deals/s": float(total.deals)})

    return Runner(game.name, "random play", run)


def search_runner(game: Game) -> Runner:
    """The tree search of the bot `search`, for the first seat to act in the first deal, a new tree each time."""
    thinker = importlib.import_module("cardtable.bots.thinking").Thinker(game)
    _, seats, options = game.options.make(None, None, {})
    rules = game.rules
    s = rules.State.new()
    rules.setup(s, game.name, options, seats)
    s.seed[:] = KEY
    contract.open_match(s)
    contract.next_deal(s, np.empty(112, np.int64))
    mask = int(contract.actors(s))
    seat = (mask & -mask).bit_length() - 1
    contract.redact(s, seat)

    def run(iterations: int) -> Rate:
        began = time.thread_time()
        thinker(s, seat, KEY, iterations=iterations)
        return Rate(time.thread_time() - began, {"simulations/s": float(iterations)})

    return Runner(game.name, "search", run)


def has_search() -> bool:
    """Whether the search bot is part of this installation."""
    return importlib.util.find_spec("cardtable.bots") is not None and importlib.util.find_spec("cardtable.bots.thinking") is not None


def openspiel() -> Any:
    """OpenSpiel's module, or None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def loop_runner(spiel: Any, name: str) -> Runner:
    """OpenSpiel's fastest loop in Python. All its chance is uniform with one pack, so `random()` serves for it too."""
    game = spiel.load_game(name, RIVALS[name])

    def loop(n: int, uniform: Callable[[], float] = random.random) -> None:
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
            state.returns()

    def run(n: int) -> Rate:
        random.seed(7)
        began = time.thread_time()
        loop(n)
        seconds = time.thread_time() - began
        random.seed(7)
        decisions = sum(_decisions(game.new_initial_state()) for _ in range(n))  # the same games again, counted outside the clock
        return Rate(seconds, {"decisions/s": float(decisions), "deals/s": float(n)})

    return Runner(name, "python loop", run)


def _decisions(state: Any) -> int:
    """Play a state out as `loop_runner` does; return the decisions of players, without chance nodes."""
    k = 0
    while not state.is_terminal():
        k += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[int(random.random() * len(actions))])
    return k


def _dealt(spiel: Any, name: str, seed: int) -> tuple[Any, Any]:
    """An OpenSpiel game and a state of it at the first decision (its search crashes on a chance node)."""
    game = spiel.load_game(name, RIVALS[name])
    chance = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    return game, state


def rollout_runner(spiel: Any, name: str) -> Runner:
    """OpenSpiel's rollouts within C++: one iteration of search is no more than n rollouts. Decisions by their mean length."""
    game, root = _dealt(spiel, name, 5)
    random.seed(11)
    length = statistics.mean(_decisions(root.clone()) for _ in range(1000))

    def run(n: int) -> Rate:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(n, 7), 1.0, 1, 1000, False, 1, False)
        began = time.thread_time()
        bot.mcts_search(root)
        return Rate(time.thread_time() - began, {"decisions/s": n * length, "rollouts/s": float(n)})

    return Runner(name, "c++ rollouts", run)


def ismcts_runner(spiel: Any, name: str) -> Runner:
    """OpenSpiel's information-set search at the first decision."""
    _, root = _dealt(spiel, name, 5)
    final = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def run(n: int) -> Rate:
        bot = spiel.ISMCTSBot(1, spiel.RandomRolloutEvaluator(1, 5), 2.0, n, -1, final, False, False)
        began = time.thread_time()
        bot.step(root)
        return Rate(time.thread_time() - began, {"simulations/s": float(n)})

    return Runner(name, "is-mcts", run)


def runners(names: Sequence[str] = (), rivals: bool = True) -> list[Runner]:
    """All that can be timed here: the games named (default: all of the catalog), and OpenSpiel's if it is installed."""
    chosen = [find(name) for name in names] or list(games().values())
    found = [play_runner(game) for game in chosen]
    if has_search():
        found += [search_runner(game) for game in chosen]
    if rivals and (spiel := openspiel()):
        found += [loop_runner(spiel, name) for name in RIVALS]
        found += [rollout_runner(spiel, name) for name in RIVALS]
        found.append(ismcts_runner(spiel, "oh_hell"))
    return found


def bench(names: Sequence[str] = (), *, rounds: int = 5, seconds: float = 0.25, rivals: bool = True, say: Callable[[str], None] = lambda text: None) -> Report:
    """Time everything in turns. rounds: at least 1, 5 for figures to be told; seconds: length of one run; say: what is being done.

    Raises UnknownGame.
    """
    timed = runners(names, rivals)
    sizes = {}
    for runner in timed:
        say(f"{runner.label}: warming up")
        sizes[runner.label] = _size(runner, seconds)
    rates: dict[str, list[Rate]] = {runner.label: [] for runner in timed}
    for k in range(rounds):
        say(f"round {k + 1} of {rounds}")
        for runner in timed:
            rates[runner.label].append(runner.run(sizes[runner.label]))
    rows = tuple(Row(runner.name, runner.what, statistics.median(rate.done[unit] / rate.seconds for rate in rates[runner.label]), unit)
                 for runner in timed for unit in rates[runner.label][0].done)  # fmt: skip
    ratios = tuple(Ratio(f"{ours} / {theirs}", _ratio(rates[ours], rates[theirs]), bar) for ours, theirs, bar in BARS if ours in rates and theirs in rates)
    return Report(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}", rows, ratios)


def _size(runner: Runner, seconds: float) -> int:
    """How much work takes so many seconds; the runner is warm (compiled) afterwards."""
    runner.run(2)
    n = 8
    while (took := runner.run(n).seconds) < seconds / 8:
        n *= 4
    return max(2, int(n * seconds / took))


def _ratio(ours: list[Rate], theirs: list[Rate]) -> float:
    """The median of the rounds' ratios, in the first unit of each."""

    def rate(one: Rate) -> float:
        return next(iter(one.done.values())) / one.seconds

    return statistics.median(rate(a) / rate(b) for a, b in zip(ours, theirs, strict=True))


def table(report: Report) -> str:
    """The report as text for people, one figure a line."""
    lines = [report.machine, ""]
    lines += [f"{row.name:<18}{row.what:<16}{_short(row.value):>10} {row.unit}" for row in report.rows]
    lines.append("")
    for ratio in report.ratios:
        bar = f"(bar {ratio.bar:g}: {'reached' if ratio.value >= ratio.bar else 'missed'})" if ratio.bar else ""
        lines.append(f"{ratio.name:<50}{ratio.value:>8.1f} x  {bar}".rstrip())
    if not report.ratios:
        lines.append("With open_spiel installed, its speed stands beside ours.")
    return "\n".join(lines) + "\n"


def _short(value: float) -> str:
    """12345678 as 12.3 M."""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:.1f}{unit}"
    return f"{value:.0f}  "
