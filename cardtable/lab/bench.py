"""The speed of this machine: every game of the catalog on one core, compared with OpenSpiel.

Machines are noisy and shared, so a single figure is unreliable. Everything is run in turn, round after round; a value
is the median over the rounds, and a ratio is the median of the rounds' ratios. Seconds are the thread's CPU time, which
excludes other programs, and compared runs follow one another directly. A decision is a player's move; a chance node (a
card dealt) does not count as one, on either side. `lab.rivals` measures OpenSpiel.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.base.languages import tr
from cardtable.base.names import slug
from cardtable.base.types import JsonObject, SeatNumber
from cardtable.bots.searcher import Searcher
from cardtable.kernel import bits, prng
from cardtable.lab import rivals as spiels
from cardtable.lab.simulate import Stopped
from cardtable.lab.stopwatch import Rate, Runner
from cardtable.match.match import Match
from cardtable.rules import contract
from cardtable.rules.catalog import games
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import Limits
from cardtable.rules.solving import solve
from cardtable.search import playouts

KEY = prng.key_of("bench")
PLAY, SEARCH, ABLE = "random play", "search", "play, drawing only if unable"
#: number of choices in a deal of Oh Hell! (ten cards each, as OpenSpiel's) before search is timed
STEPS = (0, 6, 12, 18, 24)
PACE = 30.0  #: Fan Tan's speed in millions of moves a second, the unit of the other games' bars
SLOWER = {"cassino": 1.0, "spider": 1.0}  #: bars of random play; 5 for every other game
#: Ours, theirs, the unit, and the lowest ratio that the project promises (None: shown, not promised).
BARS: tuple[tuple[str, str, str, float | None], ...] = (
    (f"fan-tan {PLAY}", "crazy_eights python loop", "decisions/s", 30.0),
    (f"fan-tan {PLAY}", "crazy_eights c++ rollouts", "decisions/s", 5.0),
    (f"crazy-eights {PLAY}", "crazy_eights c++ rollouts", "decisions/s", 4.0),
    (f"crazy-eights {ABLE}", f"crazy_eights {spiels.ABLE}", "deals/s", 30.0),
    (f"oh-hell {PLAY}", "oh_hell python loop", "decisions/s", 30.0),
    (f"oh-hell {PLAY}", "oh_hell c++ rollouts", "decisions/s", 4.0),
    (f"fan-tan {SEARCH}", f"oh_hell {spiels.after(0)}", "simulations/s", 5.0),
    (f"oh-hell {SEARCH}", f"oh_hell {spiels.after(0)}", "simulations/s", 4.0),
    (f"spider {spiels.SOLVING}", f"kpat {spiels.SOLVING}", "deals/s", None),
)
MEDIAN_BAR = 3.0  #: for search over a deal of Oh Hell!


@dataclass(frozen=True)
class BenchFigure:
    """One figure: the speed of `name` in `what`, `value` in `unit` (median over the rounds)."""

    name: str
    what: str
    value: float
    unit: str


@dataclass(frozen=True)
class Ratio:
    """Ours over theirs, the median of the rounds' ratios; `bar` is the lowest that is promised, or None."""

    name: str
    value: float
    bar: float | None


@dataclass(frozen=True)
class BenchReport:
    """What `bench` found. `ratios` is empty where OpenSpiel is not installed."""

    machine: str
    rows: tuple[BenchFigure, ...]
    ratios: tuple[Ratio, ...]
    partial: bool = False  #: it was stopped before all rounds were run

    def as_dict(self) -> JsonObject:
        """The report for `bench --json`."""
        return asdict(self)


def play_runner(chosen: Ruleset, what: str = PLAY) -> Runner:
    """Random legal play, deals and settlements included."""
    game, s = chosen.game, _table(chosen)
    players = np.full(contract.MAX_SEATS, playouts.RANDOM)
    room = playouts.Workspace(np.empty(game.rules.MAX_MOVES + 1, np.int64), np.empty(112, np.int64))

    def run(deals: int) -> Rate:
        total = playouts.Totals.new()
        began = time.thread_time()
        playouts.simulate(s, KEY, 0, deals, deals, players, total, room)
        return Rate(time.thread_time() - began, {"decisions/s": float(total.moves), "deals/s": float(total.deals)})

    return Runner(label_of(chosen), what, run)


def label_of(chosen: Ruleset) -> str:
    """The label of a row: the game's name, or for a preset other than its first that preset's."""
    return chosen.game.name if chosen.preset == chosen.game.presets[0] else slug(chosen.game.titles[chosen.preset])


def _table(chosen: Ruleset) -> State:
    """A state set up; no cards are dealt."""
    s = chosen.state()
    s.seed[:] = KEY
    return s


def search_runner(chosen: Ruleset, what: str = SEARCH, choices: int = 0) -> Runner:
    """The bot `search` at the first choice of a deal, or after `choices` random ones; each time it starts afresh, with
    new chance.
    """
    game, s = chosen.game, _table(chosen)
    searcher = Searcher(game)
    contract.open_match(s)
    contract.next_deal(s, np.empty(112, np.int64))
    seat = _advance(s, np.empty(game.rules.MAX_MOVES + 1, np.int64), choices)
    contract.redact(s, seat)
    key = KEY.copy()

    def run(iterations: int) -> Rate:
        done, k = 0, 0
        began = time.thread_time()
        while done < iterations:  # a search ends early when one move is left
            prng.derive(key, KEY, k, prng.BOT)
            done += searcher(s, seat, key, iterations=iterations - done).iterations
            k += 1
        return Rate(time.thread_time() - began, {"simulations/s": float(done)})

    return Runner(label_of(chosen), what, run)


def _advance(s: State, moves: NDArray[np.int64], choices: int) -> SeatNumber:
    """Make `choices` random choices and all forced moves; return the seat that chooses next, or that moved last."""
    seat = 0
    while mask := int(contract.actors(s)):
        seat = bits.lowest(mask)
        n = contract.legal(s, seat, moves)
        if n > 1 and choices == 0:
            break
        contract.play(s, seat, int(moves[prng.below(s.rng, n) if n > 1 else 0]))
        choices -= n > 1
    return seat


def solve_runner(chosen: Ruleset, what: str) -> Runner:
    """The solver on the deals of the seeds 1, 2, ..., each until it is solved, or for ten seconds."""
    limits = Limits()

    def run(deals: int) -> Rate:
        states = [Match(chosen.game, rules=chosen.preset, seed=k + 1).snapshot() for k in range(deals)]
        spent = sum(solve(chosen.game, s, limits).seconds for s in states)
        return Rate(spent, {"deals/s": float(deals)})

    return Runner(label_of(chosen), what, run)


def runners(names: Sequence[str] = (), rivals: bool = True) -> list[Runner]:
    """Everything to time: the games named (default: all of the catalog, with their first preset), and OpenSpiel's if it
    is installed.
    """
    asked = [Ruleset.parse(name) for name in names or games().values()]
    chosen = list({label_of(one): one for one in asked}.values())
    timed = [play_runner(one) for one in chosen]
    timed += [search_runner(one) for one in chosen]
    if rivals and (program := spiels.kpat()):
        solvable = [one for one in chosen if label_of(one) == "spider"]
        timed += [solve_runner(one, spiels.SOLVING) for one in solvable]
        timed += [spiels.kpat_runner(program)] if solvable else []
    if rivals and (spiel := spiels.openspiel()):
        for one in chosen:
            if one.game.name == "crazy-eights":
                able = Ruleset.parse(one.title, one.preset, 4, {"hand_size": 5, "draw_willing": "no"})
                timed.append(play_runner(able, ABLE))
            if one.game.name == "oh-hell":
                timed += [search_runner(one, over_a_deal(k), k) for k in STEPS[1:]]
        timed += [spiels.loop_runner(spiel, name) for name in spiels.RIVALS]
        timed.append(spiels.able_runner(spiel))
        timed += [spiels.rollout_runner(spiel, name) for name in spiels.RIVALS]
        timed += [spiels.ismcts_runner(spiel, "oh_hell", k) for k in STEPS]
    return timed


def over_a_deal(choices: int) -> str:
    """The label of a search that is timed after a number of choices."""
    return f"{SEARCH}, choice {choices + 1}" if choices else SEARCH


def bench(
    names: Sequence[str] = (),
    *,
    rounds: int = 5,
    seconds: float = 0.25,
    rivals: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> BenchReport:
    """Time everything in turn. rounds: at least 1, 5 for publication; seconds: length of one run; say: called with
    progress.

    Raises UnknownGame, and at Ctrl-C Stopped with the timings so far.
    """
    timed = runners(names, rivals)
    sizes = {}
    rates: dict[str, list[Rate]] = {runner.label: [] for runner in timed}
    in_turn = sorted(timed, key=lambda runner: _turn(runner.label))
    try:
        for runner in timed:
            say(f"{runner.label}: warming up")
            sizes[runner.label] = _size(runner, seconds)
        for k in range(rounds):
            say(f"round {k + 1} of {rounds}")
            for runner in in_turn:
                rates[runner.label].append(runner.run(sizes[runner.label]))
    except KeyboardInterrupt:
        raise Stopped(_report(timed, rates, partial=True) if any(rates.values()) else None) from None
    return _report(timed, rates)


def _report(timed: Sequence[Runner], rates: dict[str, list[Rate]], partial: bool = False) -> BenchReport:
    """The report. A ratio uses rounds that both sides have run; runners without a run are left out."""
    rates = {label: ran for label, ran in rates.items() if ran}
    rows = tuple(
        BenchFigure(
            runner.name,
            runner.what,
            statistics.median(rate.done[unit] / rate.seconds for rate in rates[runner.label]),
            unit,
        )
        for runner in timed
        if runner.label in rates
        for unit in rates[runner.label][0].done
    )
    return BenchReport(
        f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}",
        rows,
        tuple(_ratios(rates)),
        partial,
    )


def _turn(label: str) -> int:
    """A runner's place in a round: next to its rival, as the machine's speed changes from second to second."""
    pairs = [(ours, theirs) for ours, theirs, _, _ in BARS] + _over_a_deal()
    order = list(dict.fromkeys(each for ours, theirs in pairs for each in (theirs, ours)))
    return order.index(label) if label in order else len(order)


def _over_a_deal() -> list[tuple[str, str]]:
    """Ours and theirs at each point of a deal of Oh Hell! where search is timed."""
    return [(f"oh-hell {over_a_deal(k)}", f"oh_hell {spiels.after(k)}") for k in STEPS]


def _ratios(rates: dict[str, list[Rate]]) -> list[Ratio]:
    """Ours over theirs, search over a deal of Oh Hell!, and each game's speed over Fan Tan's, where both were timed."""
    ratios = [
        Ratio(f"{ours} / {theirs}, {unit}", _ratio(rates[ours], rates[theirs], unit), bar)
        for ours, theirs, unit, bar in BARS
        if ours in rates and theirs in rates
    ]
    steps = _over_a_deal()
    if all(label in rates for pair in steps for label in pair):
        each = [_ratio(rates[ours], rates[theirs], "simulations/s") for ours, theirs in steps]
        ratios.append(
            Ratio("oh-hell search / oh_hell is-mcts, median over a deal", statistics.median(each), MEDIAN_BAR)
        )
    pace = rates.get(f"fan-tan {PLAY}")
    for label in rates if pace else ():
        name, _, what = label.partition(" ")
        if what == PLAY and name != "fan-tan":
            ratios.append(
                Ratio(
                    f"{label} / fan-tan {PLAY}",
                    _ratio(rates[label], pace or [], "decisions/s"),
                    SLOWER.get(name, 5.0) / PACE,
                )
            )
    return ratios


def _size(runner: Runner, seconds: float) -> int:
    """How much work takes about `seconds`; the runner is warm (compiled) afterwards."""
    runner.run(2)
    n = 8
    while (took := runner.run(n).seconds) < seconds / 8:
        n *= 4
    return max(2, int(n * seconds / took))


def _ratio(ours: list[Rate], theirs: list[Rate], unit: str) -> float:
    """The median of the rounds' ratios."""
    # one may have a round fewer
    return statistics.median(
        a.done[unit] / a.seconds / (b.done[unit] / b.seconds) for a, b in zip(ours, theirs, strict=False)
    )


def table(report: BenchReport) -> str:
    """The report as text for people, one figure on each line."""
    lines = [report.machine + (" " + tr("(stopped early)") if report.partial else ""), ""]
    lines += [f"{row.name:<20} {row.what:<32}{_short(row.value):>10} {row.unit}" for row in report.rows]
    lines.append("")
    for ratio in report.ratios:
        bar = ""
        if ratio.bar:
            bar = tr(
                "(bar {bar}: reached)" if ratio.value >= ratio.bar else "(bar {bar}: missed)", bar=f"{ratio.bar:.3g}"
            )
        value = f"{ratio.value:.1f}" if ratio.value >= 1.0 else f"{ratio.value:.3f}"
        lines.append(f"{ratio.name:<92}{value:>8} x  {bar}".rstrip())
    if not report.ratios:
        lines.append(tr("Install open_spiel to compare its speed with Cardtable's."))
    return "\n".join(lines) + "\n"


def _short(value: float) -> str:
    """12345678 as 12.3 M."""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:.1f}{unit}"
    return f"{value:.0f}  "
