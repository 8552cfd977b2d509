"""The figures of the book as tables, one file each: CSV for the site and for other programs."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from findings import plan

Data = Mapping[str, Any]
Row = dict[str, Any]

#: the tables, and what each has a line for
TABLES = {
    "presets": "figure of a set of rules: mean payoff by place (place 0 plays first), moves, passes, deals nobody wins",
    "house_rules": "effect of a value of a house rule, the second minus the first, in the same deals",
    "seats": "figure of a number of players",
    "skill": "comparison of a better with a worse player: their difference, and the shares of the variance",
    "thinking_bots": "figure with bots that think, and its difference from *medium* bots in the same deals",
    "ladder": "level of the bots and set of rules: what it gains on the next lower level",
}
INTERVAL = ("low", "high")  #: the ends of a 95% interval; empty where there is none


def made(every: Mapping[str, Data], ladder: list[Data]) -> dict[str, list[Row]]:
    """All tables. every: the figures of the games; ladder: those of the levels."""
    return {
        "presets": [row for data in every.values() for row in _presets(data)],
        "house_rules": [row for data in every.values() for row in _house_rules(data)],
        "seats": [row for data in every.values() for row in _seats(data)],
        "skill": [row for data in every.values() for row in _skill(data)],
        "thinking_bots": [row for data in every.values() for row in _thinking(data)],
        "ladder": [_rung(each) for each in ladder],
    }


def write(folder: Path, tables: Mapping[str, list[Row]]) -> None:
    """Write each table as `NAME.csv`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def described(tables: Mapping[str, list[Row]]) -> list[list[str]]:
    """A line on each table: its file, what its lines are, and how many."""
    return [[f"`{name}.csv`", text, f"{len(tables[name]):,}"] for name, text in TABLES.items()]


def linked(text: str, folder: str) -> str:
    """A page whose names of tables lead to their files in a folder."""
    for name in TABLES:
        text = text.replace(f"`{name}.csv`", f'<a href="{folder}{name}.csv" download><code>{name}.csv</code></a>')
    return text


def _ends(each: Data) -> Row:
    return {end: each[end] for end in INTERVAL}


def _mean(each: Data) -> Row:
    return {"mean": each["mean"], **_ends(each)}


def _presets(data: Data) -> Iterator[Row]:
    for rules, each in data["presets"].items():
        figures = {f"place {k}": place for k, place in enumerate(each["places"])} | each["figures"]
        for name, figure in figures.items():
            head = {"game": data["game"], "rules": rules, "seats": each["seats"], "figure": name}
            yield {**head, **_mean(figure), "deals": each["deals"], "command": each["command"]}


def _house_rules(data: Data) -> Iterator[Row]:
    for option, each in data["rules"].items():
        for value, effects in each.get("values", {}).items():
            skill = data["skill of rules"].get(option, {"values": {}})
            measures = {name: (effect, each["deals"]) for name, effect in effects.items()}
            if value in skill["values"]:
                measures["player's share, percentage points"] = skill["values"][value], skill["deals"]
            for name, (effect, deals) in measures.items():
                head = {"game": data["game"], "rules": each["rules"], "seats": each["seats"], "bots": each["bots"]}
                head |= {"house_rule": option, "from": each["base"], "to": value, "figure": name}
                yield {**head, "difference": effect["difference"], **_ends(effect), "deals": deals}


def _seats(data: Data) -> Iterator[Row]:
    for n, each in (data["seats"] or {"seats": {}})["seats"].items():
        for name, figure in each["figures"].items():
            head = {"game": data["game"], "rules": plan.presets(data["game"])[0], "seats": n, "figure": name}
            yield {**head, **_mean(figure), "deals": data["seats"]["deals"], "command": data["seats"]["command"]}


def _skill(data: Data) -> Iterator[Row]:
    every = list(data["skill"].items())
    if data["stronger skill"]:
        every.append((next(iter(data["presets"])), data["stronger skill"]))
    for rules, each in every:
        row = {"game": data["game"], "rules": rules, "seats": each["seats"]}
        row |= {name: each[name] for name in ("strong", "weak", "deals")}
        row |= {"difference": each["difference"]["mean"]}
        row |= {f"difference_{end}": each["difference"][end] for end in INTERVAL}
        for part in ("cards", "seat", "player", "both"):
            row |= {part: each[part]["share"]} | {f"{part}_{end}": each[part][end] for end in INTERVAL}
        yield {**row, "deals_apart": each["apart"], "same_cards": each["duplicate"], "command": each["command"]}


def _thinking(data: Data) -> Iterator[Row]:
    for rules, each in data["stronger"].items():
        for name, figure in each["figures"].items():
            effect = each["effects"][name]
            row = {"game": data["game"], "rules": rules, "bots": each["bots"], "figure": name, **_mean(figure)}
            row |= {"difference": effect["difference"], **{f"difference_{end}": effect[end] for end in INTERVAL}}
            yield {**row, "deals": each["deals"], "command": each["command"]}


def _rung(each: Data) -> Row:
    low, high = each["difference"]["ci95"]
    row = {name: each[name] for name in ("game", "rules", "seats", "lower", "upper")}
    return {**row, "difference": each["difference"]["mean"], "low": low, "high": high, "deals": each["deals"]}
