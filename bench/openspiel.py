"""Our search against OpenSpiel's players at equal time: `python bench/openspiel.py [GAME ...] [--rival is-mcts|flat]`.

A line for each duel, with the figures so far after every ten deals. OpenSpiel must be installed (the extra `bench`).
"""

from __future__ import annotations

import argparse
import json
import sys

from cardtable.lab.spiel_duel import SpielDuel, pairings, spiel_duel


def main() -> None:
    """Play the duels and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rival")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--budget", type=float, default=0.02, help="seconds of processor time a decision")
    parser.add_argument("--seed", default="openspiel")
    parser.add_argument("--uniform", action="store_true", help="our search with worlds that are not weighted")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()

    def show(found: SpielDuel) -> None:
        if found.deals % 10 == 0:
            sys.stderr.write(found.text() + "\n")

    for game, rival in pairings():
        if (not given.games or game in given.games) and given.rival in (None, rival):
            found = spiel_duel(
                game,
                rival,
                budget=given.budget,
                deals=given.deals,
                seed=given.seed,
                uniform=given.uniform,
                progress=show,
            )
            sys.stdout.write((json.dumps(found.as_dict()) if given.json else found.text()) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
