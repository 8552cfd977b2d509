"""The command of tools/findings.py: what is measured, kept, and written."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cardtable.rules import catalog
from findings import measure, pages, plan, quick, results, strength, surprises, tables

Data = dict[str, Any]


def read(game: str) -> Data:
    """The figures of a game; empty if there are none."""
    path = plan.DATA / f"{game}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def keep(game: str, data: Data) -> None:
    """Write the figures of a game."""
    plan.DATA.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1, ensure_ascii=False)
    text = re.sub(r"[{\[][^{}\[\]]*[}\]]", lambda inner: " ".join(inner[0].split()), text)  # a figure on a line
    (plan.DATA / f"{game}.json").write_text(text + "\n", "utf-8")


def parts(game: str, size: float) -> dict[str, Callable[[], Data]]:
    """What is measured of a game, by its name in the file."""
    every, thinking = plan.presets(game), plan.thought_of(game, size)
    longer = thinking and plan.thinking_of(game) == plan.THINKING
    players = plan.THINKING, plan.STRONG, max(40, thinking)
    return {
        "presets": lambda: {rules: measure.preset(game, rules, size) for rules in every},
        "rules": lambda: measure.house_rules(game, size, say),
        "skill of rules": lambda: measure.skill_of_rules(game, size, say),
        "seats": lambda: measure.numbers_of_seats(game, size, say),
        "skill": lambda: {rules: measure.skill(game, rules, size) for rules in every},
        "stronger": lambda: {rules: measure.stronger(game, rules, size) for rules in every} if thinking else {},
        "stronger skill": lambda: measure.skill(game, every[0], size, *players) if longer else {},
    }


def measured(name: str, head: Data, wanted: Mapping[str, Callable[[], Data]], again: bool) -> None:
    """Measure the parts of a file; what is there of the same head, and so of this size, is not measured again."""
    data = {} if again else read(name)
    if {key: data.get(key) for key in head} != head:
        data = dict(head)
    for part, made in wanted.items():
        if part not in data:
            began = time.perf_counter()
            data[part] = made()
            keep(name, data)
            say(f"{name}: {part}, {time.perf_counter() - began:.0f} s")


def say(text: str) -> None:
    """Print the progress."""
    print(text, file=sys.stderr, flush=True)


def written() -> dict[Path, str]:
    """All pages and pictures, from the figures that are kept."""
    every = {game: data for game in catalog.games() if "stronger skill" in (data := read(game))}
    files = {plan.BOOK / f"games/{game}.md": pages.page(data) for game, data in every.items()}
    files |= {plan.BOOK / f"pictures/{game}.svg": pages.picture(data) for game, data in every.items()}
    whole = {**every, strength.NAME: read(strength.NAME)}
    headlines = [f"* {surprises.sentence(each, whole)}" for each in surprises.SURPRISES["book"]]
    files[results.PAGE] = results.page(quoted(), csv_tables())
    files[plan.BOOK / "README.md"] = pages.first_page(every, "\n".join(headlines))
    files[plan.BOOK / "skill.md"] = pages.skill_page(every)
    files[plan.BOOK / "pictures/skill.svg"] = pages.skill_picture(every)
    return files | strength.written(read(strength.NAME))


def csv_tables() -> dict[str, list[tables.Row]]:
    """The figures that are kept as tables."""
    return tables.made({game: read(game) for game in catalog.games()}, read(strength.NAME)["ladder"])


def quoted() -> Data:
    """The figures that the page of results quotes."""
    return results.whole({game: read(game) for game in catalog.games()}, read(strength.NAME))


def main(doc: str) -> None:
    """The command line. doc: its description."""
    words = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", nargs="*", metavar="GAME", help="all without any")
    words.add_argument("--size", type=float, default=1.0, help="how many times the usual number of deals")
    words.add_argument("--again", action="store_true", help="measure anew what is there")
    words.add_argument("--pages", action="store_true", help="only write the pages")
    words.add_argument("--quick", action="store_true", help="compare few deals with what is kept")
    words.add_argument("--csv", type=Path, metavar="FOLDER", help="only write the figures that are kept as tables")
    for name in strength.FILES:
        words.add_argument(f"--{name}", type=Path, metavar="FILE", help="take over what a bench has kept")
    given = words.parse_args()
    if given.csv:
        tables.write(given.csv, csv_tables())
        return
    wanted = given.games or [*catalog.games()]
    if given.quick:
        wrong = [line for game in wanted for line in quick.differences(read(game), say)]
        sys.exit("\n".join(wrong) if wrong else 0)
    files = {name: path for name in strength.FILES if (path := getattr(given, name))}
    if files:
        keep(strength.NAME, strength.added(read(strength.NAME), files))
    for name in () if given.pages or files else wanted:
        measured(name, measure.header(name, given.size), parts(name, given.size), given.again)
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    whole = {name: read(name) for name in (*catalog.games(), strength.NAME)}
    wrong = [line for game in catalog.games() for line in surprises.untrue(game, whole[game])]
    if wrong := [*wrong, *surprises.untrue("book", whole), *results.untrue(quoted())]:
        sys.exit("\n".join(wrong))
