"""What search wins, what it thinks that it wins, and what a player who sees all cards would win, in every game.

    python bench/ceiling.py --quick                      # the first preset of each game, few deals
    python bench/ceiling.py --keep ceiling.jsonl         # hours; stopped, it goes on where it ended

It prints a table in Markdown (`cardtable.lab.ceiling`), whatever has been measured so far at Ctrl-C; games for one are
left out, because nobody else plays there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from cardtable.lab.ceiling import ITERATIONS, STATES, Ceiling, Kept, key_of, measure, summed
from cardtable.lab.intervals import Mean
from cardtable.lab.ladder import houses, usual_seats
from cardtable.rules import catalog

DEALS, QUICK = 400, 40


def span(mean: Mean) -> str:
    """A mean with half of its interval."""
    return f"{mean.mean:+.2f} ± {mean.high - mean.mean:.2f}"


def table(found: list[Ceiling]) -> str:
    """The figures as a table."""
    lines = [
        "| game | seats | realised | modelled | ceiling | exact | share | deals |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        share = "–" if math.isnan(each.share) else f"{100 * each.share:.0f} %"
        gains = " | ".join(map(span, (each.realised, each.modelled, each.ceiling)))
        where = f"{catalog.variant(each.game, each.rules).title} | {each.seats}"
        lines.append(f"| {where} | {gains} | {100 * each.exact:.0f} % | {share} | {each.deals} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="all, if none is named")
    parser.add_argument("--quick", action="store_true", help="the first preset of each game, and few deals")
    parser.add_argument("--deals", type=int, help="of each preset")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which a preset begins no new deal")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of search for a decision")
    parser.add_argument("--states", type=int, default=STATES, help="most of the exact search")
    parser.add_argument("--keep", type=Path, help="a file of deals, to go on from")
    parser.add_argument("--seed", default="ceiling")
    parser.add_argument("--report", action="store_true", help="play nothing")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    kept, found = Kept(given.keep), []
    try:
        for game, rules in houses(given.games, every=not given.quick):
            seats = usual_seats(game, rules)
            if seats == 1:
                continue
            if given.report:
                samples = kept.of(key_of(game, rules, given.iterations, given.states, given.seed))
                if len(samples) > 1:
                    found.append(summed(game, rules, seats, given.iterations, samples))
                continue
            how = {name: getattr(given, name) for name in ("iterations", "states", "seconds", "seed")}
            found.append(measure(game, rules, deals=given.deals or (QUICK if given.quick else DEALS), kept=kept, **how))
            sys.stderr.write(table(found[-1:]).splitlines()[-1] + "\n")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; whole deals count\n")
    sys.stdout.write((json.dumps([each.as_dict() for each in found]) if given.json else table(found)) + "\n")


if __name__ == "__main__":
    main()
