"""Lessons: a real position of a game, and a few moves that teach it.

A lesson is data in the game's package, `lessons/GAME-PRESET.toml` (`lessons/GAME.toml` if the preset has the game's
name): the seat of the learner, a position (docs/api.md §4), and the following steps: the seat, the move and a sentence.
A step without a move is a pause, in which the learner looks at what has happened.
In its texts `7H` is a card and `@1` the player of seat 1; for translation, fields replace these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from cardtable.base import toml
from cardtable.base.errors import NotationError
from cardtable.base.message import CARD, Card, Message, Seat, Value
from cardtable.base.types import JsonObject, MoveText, SeatNumber
from cardtable.match.match import Match
from cardtable.rules.game import Game
from cardtable.rules.moves import Advice

FOLDER = "lessons"
SEAT = re.compile(r"@(\d+)")
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")  #: of the others, in their order round the table


@dataclass(frozen=True)
class LessonStep:
    """A move of a lesson, or a pause. says: before the learner's own move, what to try and why; in a pause, what has
    happened; of other moves, a comment; None: no comment.
    """

    seat: SeatNumber | None  #: None: a pause
    move: MoveText  #: several in a row if one turn takes several, as in `5H 6C done`; empty: a pause
    says: Message | None = None


@dataclass(frozen=True)
class Lesson:
    """A first hand."""

    game: Game
    preset: str
    seat: SeatNumber  #: the learner's
    position: JsonObject
    intro: Message
    steps: tuple[LessonStep, ...]
    ends: Message  #: shown at the end

    @property
    def title(self) -> str:
        """The title of the game under these rules."""
        return self.game.titles[self.preset]

    @property
    def own(self) -> tuple[LessonStep, ...]:
        """The learner's own moves."""
        return tuple(step for step in self.steps if step.seat == self.seat)

    @property
    def read(self) -> tuple[LessonStep, ...]:
        """The steps that wait for the learner: their own moves, and pauses."""
        return tuple(step for step in self.steps if step.seat in (self.seat, None))

    @property
    def templates(self) -> list[str]:
        """Its texts, as they stand in the catalogue."""
        said = (self.intro, *(step.says for step in self.steps), self.ends)
        return [message.template for message in said if message]

    def match(self, steps: int = 0) -> Match:
        """The match after this number of steps. Raises CardtableError if the lesson cannot be played."""
        m = Match.from_position(self.position, seed="lesson", auto=False)
        for step in self.steps[:steps]:
            if step.move:
                m.play(step.move, step.seat)
        return m

    def left_to_play(self) -> Match:
        """The match after all steps, to be played on; if its deal is over then, the match before the first step."""
        m = self.match(len(self.steps))
        return m if m.actors else self.match()

    def advice(self, m: Match, move: MoveText) -> Advice:
        """A move of the learner's in a match as advice, with a reason."""
        view = m.view(self.seat)
        try:
            return view.advice([move])
        except NotationError:
            # several moves of one turn, or cards that are chosen together
            return view.advice(move.split())

    def names(self, you: str) -> list[str]:
        """A name for each seat; the learner's is `you`."""
        return names_of(self.seat, int(self.match().seats), you)


def names_of(learner: SeatNumber, seats: int, you: str) -> list[str]:
    """A name for each seat; the learner's is `you`."""
    order = [(learner + i) % seats for i in range(seats)]
    return [you if seat == learner else NAMES[order.index(seat) - 1] for seat in range(seats)]


def lesson(game: Game, preset: str) -> Lesson | None:
    """The first hand of a game under a preset; None if it has none."""
    return _lesson(game.name, game, preset)


def file_of(game: Game, preset: str) -> str:
    """The name of a lesson's file."""
    return f"{game.name}.toml" if preset == game.name else f"{game.name}-{preset}.toml"


@cache
def _lesson(name: str, game: Game, preset: str) -> Lesson | None:
    file = files(game.package) / FOLDER / file_of(game, preset)
    return _read(game, preset, toml.loads(file.read_text("utf-8"))) if file.is_file() else None


def _read(game: Game, preset: str, data: JsonObject) -> Lesson:
    steps: Sequence[Any] = data["steps"]
    return Lesson(
        game,
        preset,
        int(data["seat"]),
        {"game": game.name, "rules": preset, **data["position"]},
        message_of(str(data["intro"])),
        tuple(LessonStep(one.get("seat"), str(one.get("move", "")), _said(one.get("says"))) for one in steps),
        message_of(str(data["ends"])),
    )


def _said(text: object) -> Message | None:
    return message_of(str(text)) if text else None


def message_of(text: str) -> Message:
    """A lesson's text as a message: its cards and seats become fields, `{card1}`, `{seat1}`."""
    values: dict[str, Value] = {}

    def card(match: re.Match[str]) -> str:
        name = f"card{len(values) + 1}"
        values[name] = Card(match[0])
        return f"{{{name}}}"

    def seat(match: re.Match[str]) -> str:
        name = f"seat{match[1]}"
        values[name] = Seat(int(match[1]))
        return f"{{{name}}}"

    return Message(SEAT.sub(seat, CARD.sub(card, text)), **values)
