"""False alarms of intervals and p-values without a true difference: equal bots with different random numbers.

    python bench/false_alarms.py                      # 1,000 repetitions: minutes
    python bench/false_alarms.py --repetitions 100

Each repetition is a separate study of Fan Tan, of few matches or deals, by bots that move at random. They differ only
in how many random numbers they draw for a move, so no true difference is there. It prints a table in Markdown: how many
of the intervals miss what is true, how many p are below 0.05, and how many studies had neither, because all matches or
deals were equal. 5% are to be expected where all deals are different, and fewer where many are equal.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cardtable.kernel import prng, rule
from cardtable.lab import Study, skill
from cardtable.lab.intervals import share_interval
from cardtable.lab.league import duel, league
from cardtable.lab.luck import FEWEST
from cardtable.lab.simulate import simulate

SIZES = (2, 5, 10, 30)  #: matches or deals
DEALS = 4  #: of a match
LONG = 400_000  #: deals by which the true mean of the eldest's payoff is known
GAME, SEATS = "fan-tan", 4
FIVE = ["eldest", "length", "passes", "void", "spread"]
FIRST, SECOND, THIRD = "random", "false_alarms:second", "false_alarms:third"


@rule
def second(s: Any, seat: int, moves: Any, n: int) -> int:
    """A move at random, by the second of two random numbers."""
    prng.below(s.rng, n)
    return int(moves[prng.below(s.rng, n)])


@rule
def third(s: Any, seat: int, moves: Any, n: int) -> int:
    """A move at random, by the third of three random numbers."""
    prng.below(s.rng, n)
    prng.below(s.rng, n)
    return int(moves[prng.below(s.rng, n)])


@dataclass(frozen=True)
class Outcome:
    """What a repetition said: whether an interval missed, whether a p was below 0.05 (None: there is no p), and whether
    there was an interval at all.
    """

    missed: bool
    alarm: bool | None
    known: bool


def outcome(found: Iterable[Any], true: float = 0.0) -> Outcome:
    """Of some means, effects or duels with the same true value."""
    each = list(found)
    ps = [x.p for x in each if hasattr(x, "p")]
    return Outcome(
        any(x.low > true or x.high < true for x in each),
        any(p < 0.05 for p in ps) if ps else None,
        any(math.isfinite(x.low) for x in each),
    )


def of_duel(n: int, seed: str) -> Outcome:
    """Two bots in a league."""
    return outcome([duel(GAME, SECOND, FIRST, deals=n, seed=seed, seats=SEATS)])


def of_league(n: int, seed: str) -> Outcome:
    """Three bots in a league: one error in any of the duels counts."""
    return outcome(league(GAME, [FIRST, SECOND, THIRD], deals=n, seed=seed, seats=SEATS))


def of_seat(n: int, seed: str) -> Outcome:
    """The payoff of a seat in a simulation, which is 0, since each seat deals once in a match."""
    return outcome([simulate(GAME, DEALS * n, seats=SEATS, bots=[FIRST], seed=seed).payoff[0]])


def of_eldest(true: float, n: int, seed: str) -> Outcome:
    """The payoff of the eldest in a simulation."""
    return outcome([simulate(GAME, DEALS * n, seats=SEATS, bots=[FIRST], seed=seed).eldest], true)


def of_study(measures: Sequence[str], adjust: str | None, n: int, seed: str) -> Outcome:
    """Two bots in a study, as `cardtable study --compare` shows them with adjust="holm"; with several measures, one
    error in any of them counts.
    """
    asked = Study(GAME, SEATS, deals=DEALS * n, seed=seed).grid(bots=[FIRST, SECOND])
    return outcome(asked.run(measures).intervals(adjust, "bots"))


def of_gap(n: int, seed: str) -> Outcome:
    """What the stronger of two equal bots gets more in a table of skill."""
    return outcome([skill(GAME, SECOND, FIRST, deals=n, seats=SEATS, seed=seed)])


def of_player(n: int, seed: str) -> Outcome:
    """The share of the player, if both are equal."""
    return outcome([skill(GAME, SECOND, FIRST, deals=n, seats=SEATS, seed=seed).player])


def of_share(true: float, n: int, seed: str) -> Outcome:
    """The share of deals that a solver wins."""
    low, high = share_interval(int((np.random.default_rng(prng.key_of(seed)).random(n) < true).sum()), n)
    return Outcome(not low <= true <= high, None, True)


def percent(share: float) -> str:
    """As pages write it."""
    return f"{100 * share:.1f} %"


def line(name: str, sizes: Sequence[int], test: Callable[[int, str], Outcome], repetitions: int) -> str:
    """A row of the table."""
    cells = []
    for n in sizes:
        found = [test(n, f"{name} {n} {k}") for k in range(repetitions)]
        missed = sum(each.missed for each in found) / repetitions
        alarms = [each.alarm for each in found if each.alarm is not None]
        told = percent(missed) + (f" / {percent(sum(alarms) / repetitions)}" if alarms else "")
        unknown = sum(not each.known for each in found) / repetitions
        cells.append(told + (f" ({100 * unknown:.0f} % none)" if unknown else ""))
    sys.stderr.write(f"{name}: {cells}\n")
    return f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    asked = parser.parse_args()
    true = simulate(GAME, LONG, seats=SEATS, bots=[FIRST], seed="long").eldest.mean
    tests: list[tuple[str, Callable[[int, str], Outcome]]] = [
        ("league, two bots", of_duel),
        ("league, three bots", of_league),
        ("simulation, a seat", of_seat),
        ("simulation, the eldest", partial(of_eldest, true)),
        ("study, eldest", partial(of_study, ["eldest"], "holm")),
        ("study, five measures", partial(of_study, FIVE, "holm")),
        ("each by itself", partial(of_study, FIVE, None)),
        ("share of 10%", partial(of_share, 0.1)),
        ("share of 50%", partial(of_share, 0.5)),
    ]
    lines = ["| | " + " | ".join(map(str, SIZES)) + " |", "|---" * (len(SIZES) + 1) + "|"]
    lines += [line(name, SIZES, test, asked.repetitions) for name, test in tests]
    lines += ["", f"| | {FEWEST} |", "|---|---|"]
    for name, test in (("skill, difference", of_gap), ("skill, the player's share", of_player)):
        lines.append(line(name, [FEWEST], test, asked.repetitions))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
