"""Run duels of the league and print them: `python bench/league.py GAME A B [--deals K] [--setting one|half] ...`.

Ctrl-C prints what was played so far.
"""

from __future__ import annotations

import argparse
import sys

from cardtable.lab.league import duel
from cardtable.lab.simulate import Stopped
from cardtable.precompile import warm
from cardtable.rules import catalog


def main() -> None:
    """Play one duel and print its line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--deals", type=int, default=250)
    parser.add_argument("--setting", default="one")
    parser.add_argument("--rules")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", default="league")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--budget", type=float, default=0.0, help="seconds of processor time a decision")
    given = parser.parse_args()
    warm(catalog.variant(given.game, given.rules).game)  # so that no decision has to wait for the compiler
    options = dict(pair.split("=", 1) for pair in given.set)
    how = {name: getattr(given, name) for name in ("deals", "seed", "seats", "rules", "setting", "threads", "budget")}
    try:
        result = duel(given.game, given.a, given.b, options=options, **how)
    except Stopped as stopped:
        if not stopped.found:
            raise SystemExit(130) from None
        result = stopped.found[0]
    line = f"{result.text()}; a decision {result.decision_a * 1000:.1f} and {result.decision_b * 1000:.1f} ms"
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
