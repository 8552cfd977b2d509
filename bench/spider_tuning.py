"""Tune weights of Spider by the cross-entropy method (De Boer et al. 2005).

    python bench/spider_tuning.py player --rules two-suits --generations 20 --keep player.jsonl
    python bench/spider_tuning.py solver --generations 20 --size 24 --games 150 --keep solver.jsonl

Each generation draws weights from normal distributions, plays the same deals with each of them, and moves the
distributions towards the best quarter. A game's score is the runs removed, and 8 more if it is won. The deals are
others in each generation, and others than those of bench/spider_player.py. A break stays at 2,000: only the ratios of
weights count.

`player` knows no hidden cards and plays without playouts, which takes a few hundredths of a second a game. Two suits
tell good weights from bad ones soonest, since about half of the games are won; the weights serve with one and four
suits, too. `solver` knows all cards, and makes one run of a narrow beam without noise, which solves about half of the
four-suit deals.

What is kept goes on where it ended. The mean of the last generation is printed as it stands in player_weights.json or
weights.json in cardtable/games/spider; whether it is better is for bench/spider_player.py or `cardtable solve` to say.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from spider_player import play

from cardtable import Match
from cardtable.games.spider import player, solver
from cardtable.games.spider.solver_piles import BREAK, Weights
from cardtable.games.spider.state import RUNS

ELITE = 0.25  #: share of a generation that the next one follows
SMOOTHING = 0.7  #: how far it follows
LEAST = 0.05  #: least deviation, as a share of the one at the beginning, so that the search does not stop early
WIDTH = 40  #: of the solver's beam
Play = Callable[[str], int]  #: the runs removed in the deal of a seed


def playing(rules: str) -> tuple[Weights, Callable[[Weights], Play]]:
    """The player's weights, and how to play with others."""
    made = player.Player()

    def use(weights: Weights) -> Play:
        made.use(weights)
        return lambda seed: play(made, rules, seed, 0)[0]

    return player.WEIGHTS, use


def solving(rules: str) -> tuple[Weights, Callable[[Weights], Play]]:
    """The solver's weights, and how to solve with others."""

    def use(weights: Weights) -> Play:
        return lambda seed: solver.try_once(Match("spider", rules=rules, seed=seed).snapshot(), WIDTH, weights)

    return solver.WEIGHTS, use


class Search:
    """Normal distributions of weights, and how they came about."""

    def __init__(self, weights: Weights, use: Callable[[Weights], Play], keep: Path | None) -> None:
        self.use, self.keep, self.done = use, keep, 0
        self.mean = weights.astype(float)
        self.first = 0.3 * np.abs(self.mean) + 200
        self.deviation = self.first.copy()
        if keep and keep.exists():
            for line in keep.read_text("utf-8").splitlines():
                told = json.loads(line)
                self.mean, self.deviation = np.array(told["mean"]), np.array(told["deviation"])
                self.done = told["generation"]
        self.deviation[BREAK] = 0

    def generation(self, size: int, games: int) -> dict[str, object]:
        """Play one generation more; what happened."""
        rng = np.random.default_rng([self.done, size, games])
        tried = np.rint(rng.normal(self.mean, self.deviation, (size, len(self.mean)))).astype(np.int64)
        tried[0] = np.rint(self.mean)
        deals = range(self.done * games, (self.done + 1) * games)
        found = [score(self.use(each), deals) for each in tried]
        best = tried[np.argsort(found)[::-1][: max(2, int(ELITE * size))]]
        self.mean += SMOOTHING * (best.mean(0) - self.mean)
        spread = np.maximum(best.std(0, ddof=1), LEAST * self.first)
        self.deviation += SMOOTHING * (spread - self.deviation)
        self.deviation[BREAK] = 0
        self.done += 1
        told = {
            "generation": self.done,
            "of_mean": found[0],
            "best": max(found),
            "median": float(np.median(found)),
            "mean": self.mean.round(1).tolist(),
            "deviation": self.deviation.round(1).tolist(),
        }
        if self.keep:
            with self.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
        return told


def score(play: Play, deals: range) -> float:
    """The mean score of some games."""
    runs = [play(f"tuning-{deal}") for deal in deals]
    return sum(removed + 8 * (removed == RUNS) for removed in runs) / len(runs)


def main() -> None:
    """Tune, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("player", "solver"))
    parser.add_argument("--rules", help="two-suits for the player and four-suits for the solver, unless given")
    parser.add_argument("--generations", type=int, default=20, help="in all, with those that are kept")
    parser.add_argument("--size", type=int, default=24, help="weights tried in each")
    parser.add_argument("--games", type=int, default=60, help="that each of them plays")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    make, rules = (playing, "two-suits") if asked.what == "player" else (solving, "four-suits")
    search = Search(*make(asked.rules or rules), asked.keep)
    with contextlib.suppress(KeyboardInterrupt):
        while search.done < asked.generations:
            told = search.generation(asked.size, asked.games)
            print(*(f"{name} {told[name]:.2f}" for name in ("generation", "of_mean", "median", "best")), flush=True)
    print(json.dumps(search.mean.round().astype(int).tolist()))


if __name__ == "__main__":
    main()
