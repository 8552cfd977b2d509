"""The figures of docs/findings/strength.md and spider.md: what was kept of their measurements, as data and pictures.

Each of the options --ladder, --solver and --study writes its part of docs/findings/data/strength.json, and keeps the
rows of games that are not in its file; the ceilings stay as they were measured. Pictures and tables follow from
strength.json.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ladder

from cardtable.bots.levels import OFFERED, WORDS
from cardtable.lab import winnability
from cardtable.lab.intervals import share_interval
from cardtable.picture.figures import Bar, curve, intervals, marks
from cardtable.rules import catalog
from cardtable.rules.solver import SOLVED
from findings import pages, plan

Data = dict[str, Any]
NAME = "strength"
FILES = ("ladder", "solver", "study")
GAINS = ("realised", "modelled", "ceiling")
FEWEST = 10  #: deals without which a row is in no picture
TIMES = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 4.0, 15.0, 60.0)  #: seconds


def title(each: Mapping[str, Any]) -> str:
    """The name of a preset."""
    return catalog.variant(each["game"], each["rules"]).title


def mean(of: Data) -> str:
    """A mean with half of its interval: +1.23 ± 0.04."""
    low, high = of["ci95"]
    return pages.about({"mean": of["mean"], "low": low, "high": high}, signed=True)


def merged(old: list[Data], new: list[Data]) -> list[Data]:
    """The rows of one kind, with new ones in the place of old ones of the same rules and levels."""
    of = {row_of(row): row for row in old} | {row_of(row): row for row in new}
    order = {house: k for k, house in enumerate(ladder.houses())}
    return sorted(of.values(), key=lambda row: order[row["game"], row["rules"]])


def row_of(row: Data) -> tuple[object, ...]:
    """What a row is of."""
    return tuple(row.get(name) for name in ("game", "rules", "lower", "upper"))


def rungs(path: Path) -> list[Data]:
    """The rungs of the ladder whose deals are in a file."""
    blocks, played = ladder.Kept(path), []
    for (game, rules), (lower, upper) in itertools.product(ladder.houses(), ladder.RUNGS):
        key = (game, rules, lower, upper, "ladder")
        if blocks.of(key):
            played.append(ladder.rung_of(key, ladder.usual_seats(game, rules), blocks.of(key)).as_dict())
    return played


def solver(path: Path) -> Data:
    """What a study of winnability found, and how fast."""
    results = winnability.read(path)
    every, seconds = [one.seconds for one in results], [one.seconds for one in results if one.status == SOLVED]
    low, high = share_interval(len(seconds), len(results))
    return {"deals": len(results), "solved": len(seconds), "low": low, "high": high} | {
        "mean": statistics.fmean(every),
        "median": statistics.median(every),
        "within": [[most, sum(each <= most for each in seconds) / len(results)] for most in TIMES],
        "open": [one.deal for one in results if one.status != SOLVED],
    }


def pictures(data: Data) -> dict[str, str]:
    """The pictures of what is there, by their names."""
    drawn = {}
    if of := data.get("ceilings"):
        bars = []
        for each in of:
            top, won = each["ceiling"]["mean"], each["realised"]
            low, high = won["ci95"]
            if each["deals"] >= FEWEST and top > 0 and low is not None:
                share, least, most = (100 * x / top for x in (won["mean"], low, high))
                bars.append(Bar(title(each), share, least, most, low <= 0 <= high))
        bars.sort(key=lambda bar: -bar.rounded().middle)
        drawn["strength.svg"] = intervals(bars, "What search wins, in % of what a player who sees all cards would win")
    if of := data.get("ladder"):
        drawn["ladder.svg"] = marks(ratings(of), [WORDS[level] for level in OFFERED], "The ratings of the levels")
    if of := data.get("solver"):
        points = [(seconds, 100 * share) for seconds, share in of["within"]]
        words = ("Four-suit deals of Spider that are solved within a time", "seconds of processor time")
        drawn["spider-solver.svg"] = curve(points, *words, "% of the deals solved")
    if of := data.get("player"):
        bars = []
        for each in of:
            low, high = share_interval(each["won"], each["deals"])
            bars.append(Bar(each["how"], 100 * each["won"] / each["deals"], 100 * low, 100 * high))
        drawn["spider-player.svg"] = intervals(bars, "Games of Spider won without knowing the hidden cards, in %")
    return {name: pages.white(picture) for name, picture in drawn.items()}


def ratings(of: list[Data]) -> list[tuple[str, list[float | None]]]:
    """The rating of each level by preset, for `marks`: presets with all levels that anybody is offered there."""
    rows = []
    for _, group in itertools.groupby(of, lambda each: (each["game"], each["rules"])):
        steps = list(group)
        if steps[0]["seats"] == 1:
            continue  # nobody chooses a level there
        counted = [each for each in steps if each["deals"] >= FEWEST]
        rated = ladder.rated({(each["lower"], each["upper"]): each["rating"]["mean"] for each in counted})
        rows.append((title(steps[0]), [rated.get(level) for level in OFFERED]))
    return rows


def tables(data: Data) -> dict[str, str]:
    """The tables, by their names in the pages."""
    rendered = {}
    if of := data.get("ceilings"):
        rows = []
        for each in of:
            if each["deals"] < FEWEST:  # such a row says nothing
                continue
            # a share of the ceiling says nothing unless the gain is clear of zero
            clear = each["realised"]["ci95"][0] > 0
            shares = pages.percent(each["exact"]), f"{100 * each['share']:.0f}%" if clear else "–"
            gains = (mean(each[x]) for x in GAINS)
            rows.append([title(each), str(each["seats"]), *gains, *shares, str(each["deals"])])
        rendered["ceilings"] = pages.table(["rules", "seats", *GAINS, "exact", "share", "deals"], rows)
    if of := data.get("ladder"):
        steps = [f"{WORDS[upper]} over {WORDS[lower]}" for lower, upper in ladder.RUNGS]
        rows = []
        for _, group in itertools.groupby(of, lambda each: (each["game"], each["rules"])):
            played = {each["upper"]: each for each in group}
            first = next(iter(played.values()))
            cells = [rung(played[upper]) if upper in played else "" for _, upper in ladder.RUNGS]
            rows.append([title(first), str(first["seats"]), *cells])
        rendered["ladder"] = pages.table(["rules", "seats", *steps], rows)
    return rendered


def rung(each: Data) -> str:
    """A rung: the payoff, and how many deals."""
    return f"{mean(each['difference'])} ({each['deals']:,})"


def page(text: str, data: Data) -> str:
    """A page with updated tables, each between `<!-- table: NAME -->` and `<!-- end of table -->`."""
    for name, table in tables(data).items():
        first, end = f"<!-- table: {name} -->\n", "<!-- end of table -->"
        before, mark, after = text.partition(first)
        if mark:
            text = f"{before}{first}\n{table}\n{end}{after.partition(end)[2]}"
    return text


def written(data: Data) -> dict[Path, str]:
    """The pictures, and the page with its tables."""
    files = {plan.BOOK / f"pictures/{name}": picture for name, picture in pictures(data).items()}
    path = plan.BOOK / "strength.md"
    return files | {path: page(path.read_text("utf-8"), data)}


def added(data: Data, files: Mapping[str, Path]) -> Data:
    """What is kept, with the figures of these files."""
    for name, path in files.items():
        data[name] = merged(data.get(name, []), rungs(path)) if name == "ladder" else solver(path)
    return data
