"""The game's solver on the server: deals that can be won, and whether a game still can. It runs in one of the processes
for records, which can be ended.

A deal of the day is the first of numbers that follow from the day and the server's secret whose deal the solver wins
within a fixed number of positions. So all processes and machines over one database find the same one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b

import msgspec

from cardtable.base.message import Message
from cardtable.review.where_lost import Loss
from cardtable.review.winnable import Winnable, drawn
from cardtable.rules.solver import NOT_FOUND, SOLVED, Solution
from cardtable.server.net.fair_queue import TOO_MUCH, Busy
from cardtable.server.settings import Settings
from cardtable.server.thinking.protocol import TooBig
from cardtable.server.thinking.workers import Jobs
from cardtable.table import LiveTable, Setup

CALLER = "deals of the day"  #: the caller for the deals of the day, in the queue for the processes
KEPT = 16  #: deals of the day that are remembered
LINES = 256  #: matches of which a line that wins, or where they were lost, is remembered

Match = tuple[str, int]  #: a match, by the id of its table and its number there


class WinnableDeals:
    """The deals of a server that can be won; each deal of the day is looked for once."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._days: OrderedDict[tuple[str, ...], asyncio.Task[Winnable]] = OrderedDict()

    async def any(self, caller: str, setup: Setup) -> Winnable:
        """A deal drawn by chance that can be won. Raises NotReady, NoSolver, OptionError, TooMany, Busy, WorkFault."""
        return await self._first(caller, setup, drawn())

    async def of_day(self, setup: Setup, numbers: Sequence[str]) -> Winnable:
        """The first of the numbers of a day whose deal can be won. Raises as `any`."""
        key = tuple(numbers)
        task = self._days.get(key)
        if task is None:
            task = self._days[key] = asyncio.create_task(self._first(CALLER, setup, numbers))
            if len(self._days) > KEPT:
                self._days.popitem(last=False)
        try:
            return await asyncio.shield(task)  # others may wait for it
        except BaseException:
            if task.done() and self._days.get(key) is task:
                del self._days[key]  # it is tried again when somebody asks again
            raise

    async def _first(self, caller: str, setup: Setup, numbers: Sequence[str]) -> Winnable:
        arguments = setup.game, setup.preset, setup.seats, setup.options, list(numbers)
        try:
            return msgspec.json.decode(await self._jobs.do(caller, "winnable", *arguments), type=Winnable)
        except TooBig:
            raise Busy(Message("a deal that can be won"), *TOO_MUCH) from None


class Solutions:
    """Whether matches can still be won, and lines that win them: who follows one comes nearer to its end with each
    answer, and nothing is solved again.
    """

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        self._jobs, self._settings = jobs, settings
        #: by table and match: the moves from the beginning of the match to its end
        self._lines: OrderedDict[Match, tuple[str, ...]] = OrderedDict()
        self._asked: OrderedDict[Match, tuple[str, ...]] = OrderedDict()

    def fresh(self, table: LiveTable) -> bool:
        """Whether this is another position of the match than the one that was asked about last."""
        key, played = place(table)
        before = self._asked.pop(key, None)
        self._asked[key] = played
        if len(self._asked) > LINES:
            self._asked.popitem(last=False)
        return before != played

    async def ask(self, caller: str, key: Match, played: tuple[str, ...], text: str) -> Solution:
        """Whether a match can still be won at the end of its record; key and played are those of `place`.

        Raises NotReady, NoSolver, RecordError, TooMany, Busy, WorkFault.
        """
        line = self._lines.get(key, ())
        if len(line) > len(played) and line[: len(played)] == played:
            return Solution(SOLVED, line[len(played) :], 0, 0.0)
        s = self._settings
        try:
            answer = await self._jobs.do(caller, "solved", text, s.solve_seconds, s.most_moves)
        except TooBig:
            return Solution(NOT_FOUND, (), 0, s.solve_seconds)
        solution = msgspec.json.decode(answer, type=Solution)
        if solution.status == SOLVED:
            self._lines[key] = (*played, *solution.moves)
            if len(self._lines) > LINES:
                self._lines.popitem(last=False)
        return solution


class Losses:
    """Where matches were lost, in portions: each question takes the search a little further."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._losses: OrderedDict[tuple[bytes, int, int], Loss | None] = OrderedDict()

    async def ask(self, caller: str, text: str, deal: int, seat: int, most: int) -> Loss | None:
        """The result after another portion, for a record of at most `most` moves; None if the deal was not lost, or
        the game has no solver. Raises NotReady, OptionError, RecordError, TooMany, Busy, WorkFault.
        """
        key = blake2b(text.encode()).digest(), deal, seat  # the numbers of deleted matches come again
        if key not in self._losses or ((loss := self._losses[key]) and not loss.complete):
            before = self._losses.get(key)
            answer = await self._jobs.do(caller, "lost", text, deal, seat, before and asdict(before), most)
            self._losses[key] = msgspec.json.decode(answer, type=Loss | None)
            if len(self._losses) > LINES:
                self._losses.popitem(last=False)
        return self._losses[key]


def place(table: LiveTable) -> tuple[Match, tuple[str, ...]]:
    """A table's match, by the table's id and the match's number; and the moves played in it."""
    assert table.match is not None
    return (table.id, table.number), tuple(act.move for act in table.match.moves)
