"""The page of results to quote, docs/results.md: entries of results.toml with the figures that are kept."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.lab.intervals import share_interval
from findings import pages, plan, strength, tables
from findings.surprises import Surprise, at, figure, holds, sentence

Data = Mapping[str, Any]

PAGE = plan.ROOT / "docs/results.md"
SPEED = plan.ROOT / "docs/benchmarks/history.csv"
SPIDER = plan.BOOK / "spider.md"
RUNS = "Speed"  #: the subject whose ranges are those of the recorded runs: they have no 95% interval
FIGURE = re.compile(r"\{(\w+):([^}]*)\}(%?)")  #: of a sentence: name, format, and a unit that follows


@dataclass(frozen=True)
class Result:
    """An entry: a sentence to quote, and what belongs to it."""

    quote: Surprise
    deals: tuple[str, ...]
    commands: tuple[str, ...]
    page: str
    winnable: bool = False  #: whether the interval is that of the deals that can be won, and not of those solved


RESULTS: Mapping[str, tuple[Result, ...]] = {
    subject: tuple(
        Result(
            Surprise(each["text"], each["figures"], tuple(each["claims"])),
            tuple(each["deals"]),
            tuple(each["commands"]),
            each["page"],
            each.get("winnable", False),
        )
        for each in every
    )
    for subject, every in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def whole(every: Mapping[str, Data], strengths: Data) -> dict[str, Any]:
    """All figures that entries quote. every: those of the games; strengths: those of `strength.json`."""
    study = strengths["study"]
    solved, deals = study["solved"], study["deals"]
    # an open deal counts as lost at the lower end, and as won at the upper one
    low, high = share_interval(solved, deals)[0], share_interval(deals, deals)[1]
    share = {"mean": solved / deals, "low": low, "high": high}
    return {
        **every,
        "winnable": {"solved": solved, "deals": deals, "share": share},
        "counted": counted(SPIDER.read_text("utf-8")),
        "ladder": rungs(strengths["ladder"]),
        "speed": speeds(),
    }


def counted(text: str) -> dict[str, Data]:
    """The shares that a page gives as counts: `94 of 600 = **15.7%**`."""
    found: dict[str, Data] = {}
    for hits, n in re.findall(r"(\d+) of (\d+) = ", text):
        low, high = share_interval(int(hits), int(n))
        found[f"{hits} of {n}"] = {"mean": int(hits) / int(n), "low": low, "high": high, "deals": int(n)}
    return found


def rungs(ladder: list[Data]) -> dict[str, Any]:
    """The ladder by game, rules and upper level; under `played` and `clear`, how many presets with opponents each level
    was measured in, and in how many it is clearly better than the level below.
    """
    found: dict[str, Any] = {"played": {}, "clear": {}}
    for each in ladder:
        upper, gain = each["upper"], each["difference"]
        low, high = gain["ci95"]
        row = {"mean": gain["mean"], "low": low, "high": high, "deals": each["deals"]}
        found.setdefault(each["game"], {}).setdefault(each["rules"], {})[upper] = row
        if each["seats"] > 1 and each["deals"] >= strength.FEWEST:
            found["played"][upper] = found["played"].get(upper, 0) + 1
            found["clear"][upper] = found["clear"].get(upper, 0) + (low is not None and low > 0)
    return found


def speeds() -> dict[str, Data]:
    """The ratios of `cardtable bench`: of the latest run, with the lowest and the highest of all recorded runs."""
    ratios: dict[str, list[float]] = {}
    with SPEED.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["unit"] == "x":
                name = line["what"].replace(" / ", " to ").removesuffix("/s")  # paths are divided by slashes
                ratios.setdefault(name, []).append(float(line["value"]))
    return {name: {"mean": all_[-1], "low": min(all_), "high": max(all_)} for name, all_ in ratios.items()}


def ranges(quote: Surprise, data: Data) -> list[str]:
    """The interval of each figure of a sentence, in its order and with its digits; a count has none."""
    found = []
    for name, spec, unit in FIGURE.findall(quote.text):
        middle, low, high = at(data, quote.figures[name])
        if low < middle or middle < high:
            found.append(f"{figure(low, spec).removesuffix('%')} to {figure(high, spec)}{unit}")
    return found


def vague(quote: Surprise, data: Data) -> list[str]:
    """The figures of a sentence with more digits than their intervals bear out (at most two digits of its half), or
    with so few that the interval vanishes.
    """
    found = []
    for name, spec, _ in FIGURE.findall(quote.text):
        middle, low, high = at(data, quote.figures[name])
        digits = -1 if spec == "tens" else int(re.findall(r"\d+", spec)[-1]) + 2 * spec.endswith("%")
        reach = (high - low) / 2.0 * 10.0**digits
        if (low < middle or middle < high) and not 0.5 <= reach < 100.0:
            found.append(f"{quote.text}: {name} is {middle:g} [{low:g}, {high:g}]")
    return found


def page(data: Data, csv_tables: Mapping[str, list[tables.Row]]) -> str:
    """The page, from what `whole` gives."""
    parts = []
    for subject, every in RESULTS.items():
        parts += [f"## {subject}\n", *(entry(subject, each, data) for each in every)]
    anchors = {subject: subject.lower().replace(" ", "-") for subject in RESULTS}
    return pages.text(
        "results",
        subjects=", ".join(
            f"[{name if name == 'Spider' else name.lower()}](#{anchor})" for name, anchor in anchors.items()
        ),
        results="\n".join(parts),
        tables=pages.table(["file", "a line for each", "lines"], tables.described(csv_tables)),
    )


def entry(subject: str, each: Result, data: Data) -> str:
    """An entry of the page."""
    facts = []
    if every := ranges(each.quote, data):
        kind = "Range of all recorded runs" if subject == RUNS else "95% interval"
        facts.append(
            f"{kind}{'' if len(every) == 1 else 's'}{' of the share that can be won' if each.winnable else ''}: "
            f"{'; '.join(every)}."
        )
    if each.deals:
        counts = [f"{found(data, path):,}" for path in each.deals]
        facts.append(f"Deals: {'; '.join(counts if len(set(counts)) > 1 else counts[:1])}.")
    path = plan.ROOT / "docs" / each.page
    facts.append(f"Details: [{path.read_text('utf-8').partition('# ')[2].splitlines()[0]}]({each.page}).")
    commands = (line.removeprefix("$ ") if line.startswith("$ ") else found(data, line) for line in each.commands)
    shell = pages.shell(dict.fromkeys(commands))
    return f"> {sentence(each.quote, data)}\n\n{' '.join(facts)}\n\n```console\n{shell}\n```\n"


def found(data: Data, path: str) -> Any:
    """What is at a path."""
    for part in path.split("/"):
        data = data[part]
    return data


def untrue(data: Data) -> list[str]:
    """What is wrong with the entries."""
    return [f"{x.quote.text}: {why}" for every in RESULTS.values() for x in every for why in holds(x.quote, data)]
