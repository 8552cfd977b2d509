"""The glossary and the tasks for a class, over HTTP."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any, ClassVar
from urllib.parse import quote, urlencode

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message, as_data
from cardtable.match.lesson import names_of
from cardtable.match.task import PUPIL, Task, tasks
from cardtable.rules.glossary import glossary
from cardtable.server.http import lessons
from cardtable.server.http.answers import Svg
from cardtable.server.http.operations import operation
from cardtable.server.http.problems import missing, qr_code, site_of
from cardtable.server.rooms.hall import Hall


class TermTold(msgspec.Struct, frozen=True):
    """A term of the glossary, in English; the catalogue has it in other languages."""

    name: str  #: for programs
    words: str  #: the forms of the term in English, separated by commas; the first is the one that is listed
    means: str  #: what it means, in English; the catalogue has the translations
    games: list[str]  #: the games whose texts use it; empty: all
    everyday: bool  #: texts use its words in their everyday sense too


class GlossaryTold(msgspec.Struct, frozen=True):
    """The terms of the glossary."""

    terms: list[TermTold]  #: in the order in which they are listed


class OfTask(msgspec.Struct, frozen=True):
    """The task in an address."""

    what: ClassVar[Message] = Message("this task")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]  #: the name of a task, from `GET /api/tasks`


class TaskListed(msgspec.Struct, frozen=True, kw_only=True):
    """A task for a class, in the list of all."""

    name: str  #: for requests
    game: str  #: the name of the game, for requests
    preset: str  #: the preset of the game
    game_title: str  #: of the game, for people
    title: str  #: in English; the catalogue has it in other languages
    seats: int  #: the number of players
    minutes: int  #: how long a class needs for it
    age: int  #: the age in years from which it is suitable


class Tasks(msgspec.Struct, frozen=True):
    """The tasks for a class."""

    tasks: list[TaskListed]  #: in the order of the games


class FigureTold(msgspec.Struct, frozen=True):
    """The average result of the deal for the pupil's seat after one of its moves."""

    move: str  #: in notation
    label: Any  #: the move's name, as a message; null: its notation
    mean: float  #: the average result of the deal, in chips or points


class TaskTold(TaskListed, frozen=True, kw_only=True):
    """A task for a class, with its cards, question and solution."""

    number: str  #: of the deal
    path: str  #: of the page on which these cards can be played
    seat: int  #: the pupil's seat
    names: list[str]  #: of the seats; the pupil's is empty
    question: Any  #: a message
    solution: list[Any]  #: paragraphs, each a message
    figures: list[FigureTold]  #: the best move first
    iterations: int  #: deals played out for the figures, at most
    view: dict[str, Any]  #: the cards as the pupil's seat sees them (docs/api.md §3)


class TeachingApi:
    """The endpoints for the glossary and the tasks, over a hall."""

    hall: Hall

    @operation("GET /api/glossary", shared=True)
    async def glossary(self, request: Request) -> GlossaryTold:
        """The terms of the glossary, with the forms that texts use."""
        return GlossaryTold(
            [TermTold(one.name, one.words, one.means, list(one.games), one.everyday) for one in glossary()]
        )

    @operation("GET /api/tasks", shared=True)
    async def tasks(self, request: Request) -> Tasks:
        """The tasks for a class."""
        return Tasks([TaskListed(**_listed(task)) for task in tasks().values()])

    @operation("GET /api/tasks/{name}", refusals=(404,), shared=True)
    async def task(self, request: Request, path: OfTask) -> TaskTold:
        """A task for a class: the cards as the pupil's seat sees them, the question and the solution.

        `path` leads to a table with the same cards, at which that seat decides first.
        """
        return await asyncio.to_thread(_told, _task(path).name)

    @operation("GET /api/tasks/{name}/qr.svg", refusals=(404,))
    async def task_qr(self, request: Request, path: OfTask) -> Svg:
        """The link to the cards of a task as a QR code (SVG)."""
        return Svg(qr_code(site_of(request, self.hall.settings) + _path(_task(path))))


def _task(path: OfTask) -> Task:
    """Raises HttpProblem (404)."""
    task = tasks().get(path.name)
    if task is None:
        raise missing(OfTask.what)
    return task


def _listed(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "game": task.game.name,
        "preset": task.preset,
        "game_title": task.game.titles[task.preset],
        "title": task.title,
        "seats": task.seats,
        "minutes": task.minutes,
        "age": task.age,
    }


def _path(task: Task) -> str:
    """The page of the deal, as `web/net/share.js` makes it for a table."""
    asked = {"game": task.game.titles[task.preset], "preset": task.preset, "seats": task.seats}
    return f"/deal/{quote(task.number, safe='')}?{urlencode(asked)}"


@lru_cache(64)
def _told(name: str) -> TaskTold:
    task = tasks()[name]
    m = task.match()
    figures = sorted(task.means.items(), key=lambda one: -one[1])
    return TaskTold(
        **_listed(task),
        number=task.number,
        path=_path(task),
        seat=PUPIL,
        names=names_of(PUPIL, task.seats, ""),
        question=as_data(task.question),
        solution=[as_data(text) for text in task.solution],
        figures=[FigureTold(move, lessons.label_of(m, PUPIL, move), mean) for move, mean in figures],
        iterations=task.iterations,
        view=lessons.view_of(m, PUPIL, True),
    )
