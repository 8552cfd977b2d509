"""Play a match of Oh Hell! between bots, and print the score after each deal.

python examples/play_match.py [DEALS]
"""

from __future__ import annotations

import sys

from cardtable import Match, bot


def main(deals: int = 5) -> None:
    """Play at most this number of deals; the match may be over before."""
    match = Match("oh-hell", seats=4, seed="example", pause=True)
    players = [bot("medium", seed=seat) for seat in range(match.seats)]
    print(f"{match.title}, rules {match.rules}, seed {match.seed}")
    while not match.over and len(match.results) < deals:
        if not match.actors:  # with pause=True the match waits between two deals
            match.next_deal()
        while match.actors:
            seat = match.actors[0]
            match.play(players[seat].choose(match.view(seat)), seat)
        result = match.results[-1]
        gained = ", ".join(f"seat {seat}: {points:+g}" for seat, points in enumerate(result.gained))
        print(f"deal {result.deal}: {gained}; scores {match.scores}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
