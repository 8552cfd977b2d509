"""Tasks for a class: a numbered deal, a question about its first decision, and the solution.

A task is data in a game's package, `tasks/NAME.toml`. Seat 0 is the pupil's, and it decides first, so a table with the
number of the deal begins at the position of the task. In its texts `7H` is a card, as in those of a first hand
(`cardtable.match.lesson`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cardtable.base import toml
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveText
from cardtable.match.lesson import message_of
from cardtable.match.match import Match
from cardtable.rules import catalog
from cardtable.rules.game import Game

FOLDER = "tasks"
PUPIL = 0  #: the seat of the pupil
SEED = 1  #: the seed of `Match.analyse` with which `means` were found


@dataclass(frozen=True)
class Task:
    """A task for a class."""

    name: str  #: of its file, and its address in the browser: `/teach/NAME`
    game: Game
    preset: str
    seats: int
    number: str  #: of the deal
    title: str  #: a text of the catalogue
    minutes: int  #: how long a class needs for it
    age: int  #: the age from which it is suitable
    question: Message
    solution: tuple[Message, ...]  #: paragraphs
    means: Mapping[MoveText, float]  #: the average result of the deal after each of some moves, by `Match.analyse`
    iterations: int  #: deals played out for them, at most

    @property
    def texts(self) -> list[str]:
        """Its texts, as they stand in the catalogue."""
        return [self.title, self.question.template, *(each.template for each in self.solution)]

    def match(self) -> Match:
        """The match at the position of the task."""
        return Match(self.game, seats=self.seats, rules=self.preset, seed=self.number)


@cache
def tasks() -> Mapping[str, Task]:
    """All tasks, by their names, in the order of the games."""
    games = catalog.games()
    by_name = {}
    for package in dict.fromkeys(game.package for game in games.values()):
        folder = files(package) / FOLDER
        for file in sorted(folder.iterdir(), key=lambda one: one.name) if folder.is_dir() else ():
            if file.name.endswith(".toml"):
                data = toml.loads(file.read_text("utf-8"))
                name = file.name.removesuffix(".toml")
                by_name[name] = _read(name, games[str(data["game"])], data)
    return by_name


def _read(name: str, game: Game, data: JsonObject) -> Task:
    figures = data.get("figures", {"iterations": 0, "moves": []})
    return Task(
        name,
        game,
        str(data["preset"]),
        int(data["seats"]),
        str(data["number"]),
        str(data["title"]),
        int(data["minutes"]),
        int(data["age"]),
        message_of(str(data["question"])),
        tuple(message_of(str(text)) for text in data["solution"]),
        {str(one["move"]): float(one["mean"]) for one in figures["moves"]},
        int(figures["iterations"]),
    )
