"""The ladder: each level of the bots against the next, in every game and preset, on duplicate deals.

    python bench/ladder.py --quick                       # minutes: the first preset of each game, few deals
    python bench/ladder.py --keep ladder.jsonl           # hours; a stopped run can be resumed

A rung is one such match-up. In each deal the upper level sits once in every seat, among others of the lower level; in a
solitaire game, each plays the deal alone, and only the levels that do not search are compared. Samples are deals, as in
the league. Besides the difference of payoffs a rung has the **score**: the share of the others that the upper level
beats in a deal, a tie counting half. From it follows a difference in rating as Elo defines it: 400 more mean a score of
10/11 in one deal, luck included.

It prints a table in Markdown, whatever has been played so far at Ctrl-C. `--report` prints it from the file and plays
nothing. `--write` also puts the rungs into the games' packages: only levels that are significantly better than the
one below are offered to people (`cardtable.bots.offered`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.base.files import replacing
from cardtable.base.types import JsonObject, SeatNumber, Seed
from cardtable.bots.levels import OFFERED, WORDS
from cardtable.bots.offered import FILE
from cardtable.lab.intervals import Mean, mean_of
from cardtable.lab.json_lines import Lines
from cardtable.lab.league import ONE, DuelTable, arrangements
from cardtable.lab.simulate import thinks
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset

QUICK, SLOW = 50, 2  #: deals that are kept at once, without and with bots that think
MANY, FEW = (4000, 400), (400, 24)  #: deals of a rung without and with bots that think; the same with --quick
#: house rules under which a preset is measured: first deals are played, and these should have the most cards
FIRST_DEALS: Mapping[str, Any] = {"plan": "down_up"}
USUAL = 1500  #: the rating of `medium`, from which the others are counted
RUNGS = tuple(itertools.pairwise(OFFERED))  #: (lower, upper), from the bottom
KEPT_FIGURES = ("game", "rules", "seats", "lower", "upper", "deals", "difference", "clear")  #: in a package's file

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
        """As JSON-able data."""
        values = {name: getattr(self, name) for name in ("game", "rules", "seats", "lower", "upper", "deals", "clear")}
        return values | {name: getattr(self, name).as_dict() for name in ("difference", "score", "rating")}


def rating_of(score: float) -> float:
    """The difference in rating for a score between 0 and 1 (Elo 1978, "The Rating of Chessplayers")."""
    return 400.0 * math.log10(score / (1.0 - score))


class Kept:
    """Blocks of deals that have been played, in a file of JSON Lines or, without one, in memory."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what is there (`Lines`). One process writes it."""
        self._lines = Lines(path)
        read: list[Any] = self._lines.read
        self._blocks: dict[tuple[Key, int], list[Sample]] = {
            (tuple(line["rung"]), line["block"]): [(d, s) for d, s in line["samples"]] for line in read
        }

    def of(self, key: Key) -> list[Sample]:
        """The samples of a rung, up to the first block that is missing."""
        whole = itertools.takewhile(lambda block: (key, block) in self._blocks, itertools.count())
        return [sample for block in whole for sample in self._blocks[key, block]]

    def add(self, key: Key, block: int, samples: list[Sample]) -> None:
        """Keep a block."""
        self._blocks[key, block] = samples
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
    blocks: Kept | None = None,
) -> Rung:
    """Play one rung, at the preset's usual number of seats: up to `deals` deals, including stored ones, and no new
    block after a number of seconds; but at least two deals. Raises UnknownGame, OptionError.
    """
    ruleset = Ruleset.parse(game, rules, None, given_of(game, rules))
    blocks = Kept() if blocks is None else blocks
    key = (ruleset.game.name, ruleset.preset, lower, upper, str(seed))
    table = DuelTable(ruleset, upper, lower, seed)
    ways = arrangements(ruleset.seats, ONE)
    began = time.perf_counter()
    samples, size = blocks.of(key), SLOW if thinks(lower) or thinks(upper) else QUICK
    while len(samples) < 2 or (len(samples) < deals and time.perf_counter() - began < seconds):
        first = len(samples)
        block = [sample(table, number, ways) for number in range(first, first + size)]
        blocks.add(key, first // size, block)
        samples += block
    return rung_of(key, ruleset.seats, samples)


def sample(table: DuelTable, number: int, ways: Sequence[tuple[SeatNumber, ...]]) -> Sample:
    """One deal, in every arrangement: the mean payoff of side 0 minus that of side 1, and the score of side 0."""
    s = table.deal(number)
    paid: tuple[list[float], list[float]] = [], []
    pairs: list[tuple[float, ...]] = []
    for way in ways:
        sides = [0 if seat in way else 1 for seat in range(int(s.seats))]
        payoffs = [float(x) for x in table.payoffs(s, sides, number)]
        both = [[x for x, side in zip(payoffs, sides, strict=True) if side == k] for k in (0, 1)]
        for k in (0, 1):
            paid[k].extend(both[k])
        pairs += itertools.product(*both)
    scores = [0.5 if a == b else float(a > b) for a, b in pairs or itertools.product(*paid)]  # none: a game for one
    return float(np.mean(paid[0]) - np.mean(paid[1])), float(np.mean(scores))


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


def given_of(game: str, rules: str | None) -> dict[str, Any]:
    """The house rules under which a preset (None: the first one) is measured, where they differ from its own."""
    own = Ruleset.parse(game, rules).options.as_dict()
    return {name: value for name, value in FIRST_DEALS.items() if own.get(name, value) != value}


def usual_seats(game: str, rules: str) -> int:
    """How many seats a preset has unless somebody asks for another number. Raises UnknownGame, OptionError."""
    return Ruleset.parse(catalog.find(game), rules).seats


def write(rungs: Iterable[JsonObject]) -> list[Path]:
    """Put rungs (`Rung.as_dict`) into the files of their games' packages, replacing earlier measurements; return the
    files. Raises UnknownGame, SaveError.
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


def ratings(rungs: Sequence[Rung]) -> Mapping[str, float]:
    """The rating of each level of one game and preset, of rungs that hang together; `medium` has 1500."""
    return rated({(rung.lower, rung.upper): rung.rating.mean for rung in rungs})


def rated(differences: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    """The rating of each level that hangs together with `medium`, from the differences between levels, the lower one
    named first.
    """
    known = {"medium": float(USUAL)}
    for _ in differences:
        for (lower, upper), difference in differences.items():
            if lower in known:
                known.setdefault(upper, known[lower] + difference)
            elif upper in known:
                known[lower] = known[upper] - difference
    return {level: known[level] for level in OFFERED if level in known}


def span(mean: Mean, places: int) -> str:
    """A mean with its interval."""
    return f"{mean.mean:+.{places}f} [{mean.low:+.{places}f}, {mean.high:+.{places}f}]"


def table(rungs: list[Rung]) -> str:
    """The rungs as a table, and the ratings of each game and preset."""
    levels = [level for level in OFFERED if any(level in (rung.lower, rung.upper) for rung in rungs)]
    lines = ["| game | rung | payoff a deal | score | rating | deals |", "|---|---|---|---|---|---|"]
    for rung in rungs:
        where = f"{rung.game} `{rung.rules}`, {rung.seats} | {WORDS[rung.upper]} - {WORDS[rung.lower]}"
        figures = f"{span(rung.difference, 2)} | {100 * rung.score.mean:.0f} % | {span(rung.rating, 0)} | {rung.deals}"
        lines.append(f"| {where} | {figures} |")
    lines += ["", "| game | " + " | ".join(WORDS[level] for level in levels) + " |", "|---|" + "---|" * len(levels)]
    for (game, rules), group in itertools.groupby(rungs, lambda rung: (rung.game, rung.rules)):
        rated = ratings(list(group))
        cells = [f"{rated[level]:.0f}" if level in rated else "–" for level in levels]
        lines.append(f"| {game} `{rules}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Play the ladder and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="all, if none is named")
    parser.add_argument("--rules", help="the presets to play, joined by commas; default: all")
    parser.add_argument("--quick", action="store_true", help="the first preset of each game, and few deals")
    parser.add_argument("--deals", type=int, help="of each rung")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which a rung begins no new block")
    parser.add_argument("--rungs", help="the upper levels of those to play, joined by commas; default: all")
    parser.add_argument("--keep", type=Path, help="a file of blocks, to go on from")
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--report", action="store_true", help="play nothing")
    parser.add_argument("--write", action="store_true", help="also write ladder.json into the packages of the games")
    given = parser.parse_args()
    blocks, rungs = Kept(given.keep), []
    wanted = [rung for rung in RUNGS if given.rungs is None or rung[1] in given.rungs.split(",")]
    try:
        for (game, rules), (lower, upper) in itertools.product(houses(given.games, every=not given.quick), wanted):
            if given.rules and rules not in given.rules.split(","):
                continue
            slow, seats = any(map(thinks, (lower, upper))), usual_seats(game, rules)
            if slow and seats == 1:
                continue  # its search takes minutes for a deal, and nobody chooses a level there
            if given.report:
                key = (game, rules, lower, upper, given.seed)
                rungs += [rung_of(key, seats, samples)] if (samples := blocks.of(key)) else []
                continue
            deals = given.deals or (FEW if given.quick else MANY)[slow]
            how = {"deals": deals, "seconds": given.seconds, "seed": given.seed, "blocks": blocks}
            rungs.append(climb(game, rules, lower, upper, **how))
            sys.stderr.write(f"{game} {rules} {upper} - {lower}: {span(rungs[-1].difference, 3)}\n")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; whole blocks of deals count\n")
    for path in write([rung.as_dict() for rung in rungs]) if given.write else []:
        sys.stderr.write(f"written: {path}\n")
    sys.stdout.write(table(rungs) + "\n")


if __name__ == "__main__":
    main()
