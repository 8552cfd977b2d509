"""The ladder: each level of the bots against the next, in every game and preset, on duplicate deals.

A rung is one such match-up. In each deal the upper level sits once in every seat, among others of the lower level; in a
game for one, each plays the deal alone. Samples are deals, as in the league. Beside the difference of payoffs a rung
has the **score**: the share of the others whom the upper level beats in a deal, a tie counting half. From it follows a
difference in rating as Elo defines it: 400 more mean a score of 10/11 in one deal, luck included.

Blocks of deals are kept in a file of JSON Lines, so a ladder that was stopped goes on where it ended. What was measured
of a game can be written into its package (`write`); only levels that it shows to be better than the one below are
offered to people (`cardtable.bots.offered`).
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.base.files import replacing
from cardtable.base.types import JsonObject, SeatNumber, Seed
from cardtable.bots.levels import OFFERED
from cardtable.bots.offered import FILE
from cardtable.lab.intervals import Mean, mean_of
from cardtable.lab.json_lines import Lines
from cardtable.lab.league import ONE, Table, arrangements
from cardtable.lab.simulate import thinks
from cardtable.rules import catalog

QUICK, SLOW = 50, 2  #: deals that are kept at once, without and with bots that think
USUAL = 1500  #: the rating of `simple`, from which the others are counted
RUNGS = tuple(itertools.pairwise(OFFERED))  #: (lower, upper), from the bottom

#: of a rung, in a package's file
KEPT_FIGURES = (
    "game",
    "rules",
    "seats",
    "lower",
    "upper",
    "deals",
    "difference",
    "clear",
)

Key = tuple[str, str, str, str, str]  #: game, preset, lower, upper, seed
Sample = tuple[float, float]  #: of one deal: the difference of payoffs, and the score


@dataclass(frozen=True)
class Rung:
    """How much better the upper of two levels plays in a game: payoffs per deal, and the score."""

    game: str
    rules: str
    seats: int
    lower: str
    upper: str
    deals: int
    difference: Mean
    score: Mean

    @property
    def rating(self) -> Mean:
        """The difference in rating. A score of 0 or 1 counts as if half a deal had gone the other way."""
        most = 1.0 - 0.5 / (self.deals + 1)
        middle, low, high = (
            rating_of(min(max(x, 1.0 - most), most)) for x in (self.score.mean, self.score.low, self.score.high)
        )
        return Mean(middle, low, high) if self.score.known else Mean(middle, -math.inf, math.inf)

    @property
    def clear(self) -> bool:
        """Whether the upper level is better: the interval of the difference is above zero or, where there is none
        because all deals had the same difference, that is, and a sign test has a p-value of less than 0.05.
        """
        if self.difference.known:
            return self.difference.low > 0.0
        return self.difference.mean > 0.0 and 2.0 * 0.5**self.deals < 0.05

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        told = {name: getattr(self, name) for name in ("game", "rules", "seats", "lower", "upper", "deals", "clear")}
        means = {"difference": self.difference, "score": self.score, "rating": self.rating}
        return told | {name: mean.as_dict() for name, mean in means.items()}


def rating_of(score: float) -> float:
    """The difference in rating for a score between 0 and 1 (Elo 1978, "The Rating of Chessplayers")."""
    return 400.0 * math.log10(score / (1.0 - score))


class Kept:
    """Blocks that have been played, in a file or, without one, in memory. One process writes it."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what is there (`Lines`)."""
        self._lines = Lines(path)
        self._blocks: dict[Key, dict[int, list[Sample]]] = {}
        read: list[Any] = self._lines.read
        for told in read:
            self._note(tuple(told["rung"]), told["block"], [(d, s) for d, s in told["samples"]])

    def _note(self, key: Key, block: int, samples: list[Sample]) -> None:
        self._blocks.setdefault(key, {})[block] = samples

    def of(self, key: Key) -> list[Sample]:
        """The samples of a rung, up to the first block that is missing."""
        blocks = self._blocks.get(key, {})
        whole = itertools.takewhile(blocks.__contains__, itertools.count())
        return [sample for block in whole for sample in blocks[block]]

    def add(self, key: Key, block: int, samples: list[Sample]) -> None:
        """Keep a block."""
        self._note(key, block, samples)
        self._lines.add({"rung": key, "block": block, "samples": samples})


def climb(
    game: str,
    rules: str | None,
    lower: str,
    upper: str,
    *,
    deals: int,
    seconds: float = math.inf,
    seed: Seed = "ladder",
    kept: Kept | None = None,
) -> Rung:
    """Play one rung, at the preset's usual number of seats: up to `deals` deals, those that are kept included, and no
    new block after so many seconds; but two deals at least.

    Raises UnknownGame, OptionError.
    """
    variant = catalog.variant(game, rules)
    found = variant.game
    preset, seats, resolved = found.options.make(variant.preset, None, {})
    kept = Kept() if kept is None else kept
    key = (found.name, preset, lower, upper, str(seed))
    table = Table(found, found.new_state(resolved, seats), upper, lower, seed, preset)
    ways = arrangements(seats, ONE)
    began = time.perf_counter()
    samples, size = kept.of(key), SLOW if thinks(lower) or thinks(upper) else QUICK
    while len(samples) < 2 or (len(samples) < deals and time.perf_counter() - began < seconds):
        first = len(samples)
        block = [sample(table, number, ways) for number in range(first, first + size)]
        kept.add(key, first // size, block)
        samples += block
    return rung_of(key, seats, samples)


def sample(table: Table, number: int, ways: Sequence[tuple[SeatNumber, ...]]) -> Sample:
    """One deal, in every arrangement: the mean payoff of side 0 less that of side 1, and the score of side 0."""
    s = table.deal(number)
    paid: tuple[list[float], list[float]] = [], []
    scores = []
    for way in ways:
        sides = [0 if seat in way else 1 for seat in range(int(s.seats))]
        payoffs = [float(x) for x in table.payoffs(s, sides, number)]
        both = [[x for x, side in zip(payoffs, sides, strict=True) if side == k] for k in (0, 1)]
        for k in (0, 1):
            paid[k].extend(both[k])
        scores += [score(mine, theirs) for mine in both[0] for theirs in both[1]]
    if not scores:  # a game for one
        scores = [score(mine, theirs) for mine in paid[0] for theirs in paid[1]]
    return float(np.mean(paid[0]) - np.mean(paid[1])), float(np.mean(scores))


def score(mine: float, theirs: float) -> float:
    """1 for more, ½ for as much, 0 for less."""
    return 0.5 if mine == theirs else float(mine > theirs)


def rung_of(key: Key, seats: int, samples: Sequence[Sample]) -> Rung:
    """The figures of the samples of a rung."""
    game, rules, lower, upper, _ = key
    differences, scores = (np.array(column) for column in zip(*samples, strict=True))
    return Rung(game, rules, seats, lower, upper, len(samples), mean_of(differences), mean_of(scores))


def houses(games: Iterable[str] = (), *, every: bool = True) -> Iterator[tuple[str, str]]:
    """Games (all, if none is named), each with its presets; every: else the first preset only. Raises UnknownGame."""
    for game in [catalog.find(name) for name in games] or catalog.games().values():
        for preset in game.presets if every else game.presets[:1]:
            yield game.name, preset


def write(rungs: Iterable[JsonObject]) -> list[Path]:
    """Put rungs (`Rung.as_dict`) into the files of their games' packages, in place of the same rungs measured before;
    the files. Raises UnknownGame, SaveError.
    """
    by_file: dict[Path, list[JsonObject]] = {}
    for rung in rungs:
        package = catalog.find(str(rung["game"])).package
        by_file.setdefault(Path(str(files(package))) / FILE, []).append(rung)
    order = {house: k for k, house in enumerate(houses())}
    for path, new in by_file.items():
        old = json.loads(path.read_text("utf-8")) if path.exists() else []
        both = {(each["game"], each["rules"], each["upper"]): each for each in [*old, *new]}
        ranked = sorted(
            both.values(), key=lambda each: (order[each["game"], each["rules"]], OFFERED.index(each["upper"]))
        )
        lines = ",\n".join(json.dumps({name: each[name] for name in KEPT_FIGURES}) for each in ranked)
        with replacing(path) as written:
            written.write_text(f"[\n{lines}\n]\n", "utf-8")
    return list(by_file)


def usual_seats(game: str, rules: str) -> int:
    """How many seats a preset has unless somebody asks for another number. Raises UnknownGame, OptionError."""
    return int(catalog.find(game).options.make(rules, None, {})[1])


def ratings(rungs: Sequence[Rung]) -> Mapping[str, float]:
    """The rating of each level of one game and preset, of rungs that hang together; `simple` has 1500."""
    return rated({(rung.lower, rung.upper): rung.rating.mean for rung in rungs})


def rated(differences: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    """The rating of each level that hangs together with `simple`, from the differences between levels, the lower one
    named first.
    """
    found = {"simple": float(USUAL)}
    for _ in differences:
        for (lower, upper), difference in differences.items():
            if lower in found:
                found.setdefault(upper, found[lower] + difference)
            elif upper in found:
                found[lower] = found[upper] - difference
    return {level: found[level] for level in OFFERED if level in found}
