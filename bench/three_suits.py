"""How many deals of Spider with three suits a solver wins with all cards known: `python bench/three_suits.py`.

The house rules have one, two and four suits, since these are in the sources; three are not played at Cardtable. A deal
here is the four-suit deal of the same seed in which the clubs are exchanged: the first one of each rank is a spade, the
second a heart. So each spade and each heart is there three times, each diamond twice. Solutions are replayed by the
rules.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics

import numpy as np

from cardtable import Match, catalog
from cardtable.cards import RANKS, SUITS
from cardtable.contract import State
from cardtable.lab.winnable import wilson
from cardtable.solve import SOLVED, Limits, solve


def with_three_suits(s: State) -> State:
    """The same deal with spades and hearts in place of clubs."""
    met = np.zeros(len(RANKS), np.int64)

    def exchanged(card: int) -> int:
        suit, rank = divmod(card, len(RANKS))
        if SUITS[suit] != "C":
            return card
        met[rank] += 1
        return int((met[rank] - 1) * len(RANKS) + rank)

    made = s.copy()
    for column, height in zip(made.columns, made.height, strict=True):
        for i in range(height):
            column[i] = exchanged(int(column[i]))
    for i, card in enumerate(made.stock):
        made.stock[i] = exchanged(int(card))
    return made


def main() -> None:
    """Solve, and print how many deals were won. Ctrl-C prints what was solved so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1, help="seed of the first deal")
    parser.add_argument("--seconds", type=float, default=10.0, help="most processor time for a deal")
    asked = parser.parse_args()
    game, seconds, moves, unsolved = catalog.variant("spider").game, [], [], []
    with contextlib.suppress(KeyboardInterrupt):
        for number in range(asked.first, asked.first + asked.deals):
            s = with_three_suits(Match("spider", seed=number).snapshot())
            answer = solve(game, s, Limits(asked.seconds))
            seconds.append(answer.seconds)
            if answer.status == SOLVED:
                moves.append(len(answer.moves))
            else:
                unsolved.append(number)
    if not seconds:
        parser.exit(1, "No deal was tried.\n")
    low, high = wilson(len(moves), len(seconds))[0], wilson(len(seconds), len(seconds))[1]
    print(f"{len(moves)} of {len(seconds)} deals solved; between {100 * low:.2f} and {100 * high:.1f} % are winnable")
    print(f"open: {', '.join(map(str, unsolved)) or 'none'}")
    print(
        f"mean {statistics.fmean(seconds):.3f} s, median {statistics.median(seconds):.3f} s, most {max(seconds):.1f} s"
    )
    if moves:
        print(f"moves: median {statistics.median(moves):.0f}")


if __name__ == "__main__":
    main()
