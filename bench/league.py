"""Run duels of the league and print them: `python bench/league.py GAME A B [--deals K] [--setting one|half] ...`."""

from __future__ import annotations

import argparse
import json
import sys

from cardtable.lab.league import duel


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
    parser.add_argument(
        "--budget",
        type=float,
        default=0.0,
        help="seconds of processor time a decision, instead of the usual iterations",
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    options = dict(pair.split("=", 1) for pair in given.set)
    how = {name: getattr(given, name) for name in ("deals", "seed", "seats", "rules", "setting", "threads", "budget")}
    result = duel(given.game, given.a, given.b, options=options, **how)
    line = f"{result.text()}; a decision {result.decision_a * 1000:.1f} and {result.decision_b * 1000:.1f} ms"
    sys.stdout.write((json.dumps(result.as_dict()) if given.json else line) + "\n")


if __name__ == "__main__":
    main()
