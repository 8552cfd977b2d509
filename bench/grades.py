"""The share of each grade that a review gives to players of each level: `python bench/grades.py [GAME ...]`.

One seat of the level plays the first deal of each match among others of the level medium, each match in another seat;
its decisions are reviewed as a person's are. A good ladder of levels gives a table in which the better level has more
of the best moves, and fewer blunders. But levels come into different positions: whoever has lost a deal early makes no
mistakes any more. So `--same` asks all levels in the same positions, those of a seat of the level medium, and grades
what they answer. `--quick`: three deals for each level.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardtable import Match, bot
from cardtable.base.types import MoveCode, SeatNumber
from cardtable.bots.levels import OFFERED, WORDS
from cardtable.bots.searcher import Searcher
from cardtable.lab.ladder import houses
from cardtable.review.decisions import Decision
from cardtable.review.review import GRADES, Question, judge, questions, review
from cardtable.rules import catalog


def matches(game: str, rules: str, deals: int, seconds: float) -> Iterator[tuple[int, Match, SeatNumber]]:
    """New matches with their numbers, and the seat that is looked at. seconds: after which none is begun any more."""
    began = time.perf_counter()
    for number in range(deals):
        m = Match(game, rules=rules, seed=f"grades {number}")
        yield number, m, number % m.seats
        if time.perf_counter() - began > seconds:
            break


def play(
    m: Match, seat: SeatNumber, level: str, number: int, asked: Sequence[str] = ()
) -> dict[int, dict[str, MoveCode]]:
    """Play the first deal of a match, one seat by a level and the others by medium; what the levels that are asked
    would do in place of the seat, by the number of the act.
    """
    players = {p: bot(level if p == seat else "simple", f"{number} {p}") for p in range(m.seats)}
    bots = {each: bot(each, f"{number} {each}") for each in asked}
    found = {}
    while not m.over and len(m.deals) == 1:
        p = m.actors[0]
        view = m.view(p)
        if bots and p == seat:
            codes = dict(zip(view.legal, view.moves, strict=True))
            found[len(m.deals[0].acts) + 1] = {each: codes[it.choose(view)] for each, it in bots.items()}
        m.play(players[p].choose(view), p)
    return found


def counted(game: str, rules: str, level: str, deals: int, iterations: int, seconds: float) -> Counter[str]:
    """The grades of a level's decisions. seconds: after which no further deal is begun."""
    found: Counter[str] = Counter()
    for number, m, seat in matches(game, rules, deals, seconds):
        play(m, seat, level, number)
        found.update(review(m, seat, iterations, deal=1).grades)
    return found


def answered(
    game: str, rules: str, levels: list[str], deals: int, iterations: int, seconds: float
) -> dict[str, Counter[str]]:
    """The grades of what levels answer in the same positions. seconds: after which no further deal is begun."""
    found: dict[str, Counter[str]] = {level: Counter() for level in levels}
    for number, m, seat in matches(game, rules, deals, seconds):
        answers, think, scale = play(m, seat, "simple", number, levels), Searcher(m.game), 0.0
        for question in questions(m, seat, 1):
            codes = answers[question.act.number]
            judged = {code: of_move(think, question, code, iterations, scale) for code in set(codes.values())}
            scale = max(decision.scale for decision in judged.values())
            for level, code in codes.items():
                found[level][judged[code].grade] += 1
    return found


def of_move(think: Searcher, question: Question, code: MoveCode, iterations: int, scale: float) -> Decision:
    """What a review says of a move in the position of a question. scale: that of the decision before it."""
    return judge(think, replace(question, act=replace(question.act, code=code)), iterations, scale)


def line(game: str, rules: str, level: str, grades: Counter[str]) -> str:
    """A row of the table."""
    total = max(sum(grades.values()), 1)
    shares = " | ".join(f"{100 * grades[grade] / total:.0f} %" for grade in GRADES)
    return f"| {game} `{rules}` | {WORDS[level]} | {shares} | {sum(grades.values())} |"


def main() -> None:
    """Play, review, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="all with more than one seat, if none is named")
    parser.add_argument("--levels", default="random,soft,simple,expert")
    parser.add_argument("--deals", type=int, default=30)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each level of each game")
    parser.add_argument("--same", action="store_true", help="the same positions for all levels, in so many seconds")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    levels = [level for level in OFFERED if level in given.levels.split(",")]
    told = {}
    if not given.json:
        sys.stdout.write("| game | level | " + " | ".join(GRADES) + " | decisions |\n" + "|---" * 8 + "|\n")
    for game, rules in houses(given.games, every=False):
        if catalog.find(game).best[1] == 1:
            continue
        deals = 3 if given.quick else given.deals
        if given.same:
            graded = answered(game, rules, levels, deals, given.iterations, given.seconds)
        for level in levels:
            grades = (
                graded[level] if given.same else counted(game, rules, level, deals, given.iterations, given.seconds)
            )
            told[f"{game} {level}"] = dict(grades)
            if not given.json:
                sys.stdout.write(line(game, rules, level, grades) + "\n")
                sys.stdout.flush()
    if given.json:
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
