"""How many deals of Spider with three suits a solver wins with all cards known: `python bench/three_suits.py`.

The house rules have one, two and four suits, since these are in the sources; three are not played at Cardtable. A deal
here is the four-suit deal of the same seed in which the clubs are exchanged: the first one of each rank is a spade, the
second a heart. So each spade and each heart is there three times, each diamond twice. Solutions are replayed by the
rules.
"""

from __future__ import annotations

import argparse
import contextlib
import json

import numpy as np

from cardtable import Match
from cardtable.base.cards import RANKS, SUITS
from cardtable.lab.winnability import Solved, Study
from cardtable.rules import catalog
from cardtable.rules.contract import State
from cardtable.rules.solver import Limits
from cardtable.rules.solving import solve


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
    """Solve, and print what `cardtable solve --json` prints. Ctrl-C prints what was solved so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1, help="seed of the first deal")
    parser.add_argument("--seconds", type=float, default=10.0, help="most processor time for a deal")
    asked = parser.parse_args()
    game = catalog.variant("spider").game
    found: list[Solved] = []
    with contextlib.suppress(KeyboardInterrupt):
        for number in range(asked.first, asked.first + asked.deals):
            s = with_three_suits(Match("spider", seed=number).snapshot())
            answer = solve(game, s, Limits(asked.seconds))
            found.append(Solved(number, answer.status, len(answer.moves), answer.states, answer.seconds))
    if not found:
        parser.exit(1, "No deal was tried.\n")
    told = Study("spider", "Spider with three suits", "three suits", {}, tuple(found), len(found) < asked.deals)
    print(json.dumps(told.as_dict(), indent=1))


if __name__ == "__main__":
    main()
