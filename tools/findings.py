"""Measures the games and writes the book of numbers: docs/findings (`make findings`).

    python tools/findings.py                   measure what is missing, then write all pages
    python tools/findings.py fan-tan scopa     ... of these games
    python tools/findings.py --again           ... measure anew also what is there
    python tools/findings.py --size 20         ... with twenty times as many deals (hours)
    python tools/findings.py --pages           write pages and pictures from the figures that are kept
    python tools/findings.py --quick           measure with few deals, and compare with what is kept

Figures are kept in docs/findings/data, one file for each game. A run that was stopped goes on: parts of a game that are
finished are in its file, and of the study that was under way each block is in build/findings.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import findings_answers as answers
import findings_measure as measure
import findings_pages as pages
import findings_plan as plan
import findings_questions as questions
import findings_quick as quick
import findings_strength as strength
import findings_surprises as surprises

import cardtable
from cardtable.rules import catalog

Data = dict[str, Any]


def read(game: str, data: Path = plan.DATA) -> Data:
    """The figures of a game; empty if there are none."""
    path = data / f"{game}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def keep(game: str, kept: Data, data: Path = plan.DATA) -> None:
    """Write the figures of a game."""
    data.mkdir(parents=True, exist_ok=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    text = re.sub(r"[{\[][^{}\[\]]*[}\]]", lambda inner: " ".join(inner[0].split()), text)  # a figure on a line
    (data / f"{game}.json").write_text(text + "\n", "utf-8")


def parts(game: str, size: float) -> dict[str, Callable[[], Data]]:
    """What is measured of a game, by its name in the file."""
    every = plan.presets(game)
    thinking = plan.thought_of(game, size)
    found: dict[str, Callable[[], Data]] = {
        "presets": lambda: {rules: measure.preset(game, rules, size) for rules in every},
        "rules": lambda: measure.house_rules(game, size, say),
        "skill of rules": lambda: measure.skill_of_rules(game, size, say),
        "seats": lambda: measure.numbers_of_seats(game, size, say),
        "skill": lambda: {rules: measure.skill(game, rules, size) for rules in every},
        "stronger": lambda: {rules: measure.stronger(game, rules, size) for rules in every} if thinking else {},
        "stronger skill": lambda: (
            measure.skill(game, every[0], size, plan.THINKING, plan.STRONG, max(40, thinking))
            if thinking and plan.thinking_of(game) == plan.THINKING
            else {}
        ),
    }
    return found


def measured(game: str, size: float, again: bool) -> Data:
    """Measure a game; parts of this size that are there are not measured again."""
    kept = {} if again else read(game)
    head = measure.header(game, size)
    if {name: kept.get(name) for name in head} != head:
        kept = head
    for name, part in parts(game, size).items():
        if name not in kept:
            began = time.perf_counter()
            kept[name] = part()
            keep(game, kept)
            say(f"{game}: {name}, {time.perf_counter() - began:.0f} s")
    return kept


def answered(size: float, again: bool) -> Data:
    """Measure the questions, in the same way."""
    kept = {} if again else read("questions")
    head = {"cardtable": cardtable.__version__, "seed": plan.SEED, "size": size}
    if {name: kept.get(name) for name in head} != head:
        kept = dict(head)
    for name, question in questions.QUESTIONS.items():
        if name not in kept:
            kept[name] = question(size)
            keep("questions", kept)
            say(f"questions: {name}")
    return kept


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


def written() -> dict[Path, str]:
    """All pages and pictures, from the figures that are kept."""
    every = {game: kept for game in catalog.games() if "stronger skill" in (kept := read(game))}
    found = {plan.BOOK / f"games/{game}.md": pages.page(kept) for game, kept in every.items()}
    found |= {plan.BOOK / f"pictures/{game}.svg": pages.picture(kept) for game, kept in every.items()}
    found[plan.BOOK / "README.md"] = pages.first_page(every)
    found[plan.BOOK / "skill.md"] = pages.skill_page(every)
    found[plan.BOOK / "pictures/skill.svg"] = pages.skill_picture(every)
    if set(questions.QUESTIONS) <= set(kept := read("questions")):
        found[plan.BOOK / "questions.md"] = answers.page(kept, every)
        found[plan.BOOK / "pictures/bids.svg"] = answers.bids_picture(kept)
    return found | strength.written(read(strength.NAME))


def write() -> None:
    """Write them."""
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def main() -> None:
    """The command."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", nargs="*", metavar="GAME", help="or `questions`; all without any")
    words.add_argument("--size", type=float, default=1.0, help="how many times the usual number of deals")
    words.add_argument("--again", action="store_true", help="measure anew what is there")
    words.add_argument("--pages", action="store_true", help="only write the pages")
    words.add_argument("--quick", action="store_true", help="compare few deals with what is kept")
    given = words.parse_args()
    wanted = given.games or [*catalog.games(), "questions"]
    if given.quick:
        wrong = [line for game in wanted if game != "questions" for line in quick.differences(read(game), say)]
        sys.exit("\n".join(wrong) if wrong else 0)
    for game in () if given.pages else wanted:
        if game == "questions":
            answered(given.size, given.again)
        else:
            measured(game, given.size, given.again)
    write()
    if wrong := [line for game in catalog.games() for line in surprises.untrue(game, read(game))]:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
