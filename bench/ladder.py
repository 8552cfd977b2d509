"""Each level of the bots against the next, in every game and preset, on duplicate deals (`cardtable.lab.ladder`).

    python bench/ladder.py --quick                       # minutes: the first preset of each game, few deals
    python bench/ladder.py --keep ladder.jsonl           # hours; stopped, it goes on where it ended

In a game for one, only the levels that do not think are compared. It prints a table in Markdown, whatever has been
played so far at Ctrl-C. `--report` prints it from the file and plays nothing.
`--write` also puts the rungs into the games' packages, where they decide which levels are offered under each preset.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from pathlib import Path

from cardtable.bots.levels import WORDS
from cardtable.lab.intervals import Mean
from cardtable.lab.ladder import RUNGS, Kept, Rung, climb, houses, ratings, rung_of, usual_seats, write
from cardtable.lab.simulate import thinks

COMPILED, THINKING = 4000, 400  #: deals of a rung without and with bots that think
QUICK = 400, 24  #: the same with --quick


def span(mean: Mean, places: int) -> str:
    """A mean with its interval."""
    return f"{mean.mean:+.{places}f} [{mean.low:+.{places}f}, {mean.high:+.{places}f}]"


def table(rungs: list[Rung]) -> str:
    """The rungs as a table, and the ratings of each game and preset."""
    lines = ["| game | rung | payoff a deal | score | rating | deals |", "|---|---|---|---|---|---|"]
    for rung in rungs:
        where = f"{rung.game} `{rung.rules}`, {rung.seats}"
        who = f"{WORDS[rung.upper]} - {WORDS[rung.lower]}"
        score = f"{100 * rung.score.mean:.0f} %"
        figures = f"{span(rung.difference, 2)} | {score} | {span(rung.rating, 0)} | {rung.deals}"
        lines.append(f"| {where} | {who} | {figures} |")
    lines += ["", "| game | " + " | ".join(WORDS[level] for level in levels(rungs)) + " |"]
    lines.append("|---|" + "---|" * len(levels(rungs)))
    for (game, rules), group in itertools.groupby(rungs, lambda rung: (rung.game, rung.rules)):
        rated = ratings(list(group))
        told = [f"{rated[level]:.0f}" if level in rated else "–" for level in levels(rungs)]
        lines.append(f"| {game} `{rules}` | " + " | ".join(told) + " |")
    return "\n".join(lines)


def levels(rungs: list[Rung]) -> list[str]:
    """The levels of some rungs, the lowest first."""
    met = {level for rung in rungs for level in (rung.lower, rung.upper)}
    return [level for level in dict.fromkeys(itertools.chain(*RUNGS)) if level in met]


def main() -> None:
    """Play the ladder and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="all, if none is named")
    parser.add_argument("--quick", action="store_true", help="the first preset of each game, and few deals")
    parser.add_argument("--deals", type=int, help="of each rung")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which a rung begins no new block")
    parser.add_argument("--rungs", help="the upper levels of those to play, joined by commas; default: all")
    parser.add_argument("--keep", type=Path, help="a file of blocks, to go on from")
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--report", action="store_true", help="play nothing")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="also write ladder.json into the packages of the games")
    given = parser.parse_args()
    kept, found = Kept(given.keep), []
    wanted = [rung for rung in RUNGS if given.rungs is None or rung[1] in given.rungs.split(",")]
    try:
        for (game, rules), (lower, upper) in itertools.product(houses(given.games, every=not given.quick), wanted):
            slow = any(map(thinks, (lower, upper)))
            if slow and usual_seats(game, rules) == 1:
                continue  # its search takes minutes for a deal, and nobody chooses a level there
            deals = given.deals or (QUICK if given.quick else (COMPILED, THINKING))[slow]
            if given.report:
                key = (game, rules, lower, upper, given.seed)
                found += [rung_of(key, usual_seats(game, rules), kept.of(key))] if kept.of(key) else []
                continue
            found.append(
                climb(game, rules, lower, upper, deals=deals, seconds=given.seconds, seed=given.seed, kept=kept)
            )
            sys.stderr.write(f"{game} {rules} {upper} - {lower}: {span(found[-1].difference, 3)}\n")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; whole blocks of deals count\n")
    for path in write([rung.as_dict() for rung in found]) if given.write else []:
        sys.stderr.write(f"written: {path}\n")
    sys.stdout.write((json.dumps([rung.as_dict() for rung in found]) if given.json else table(found)) + "\n")


if __name__ == "__main__":
    main()
