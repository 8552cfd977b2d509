"""Reviews of finished matches, a deal at a time: judged in the bots' threads when no player needs these, and kept for
later requests.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from cardtable.bots.searcher import Searcher
from cardtable.errors import CardtableError
from cardtable.game import Game
from cardtable.message import Message
from cardtable.review import Decision, Question, affordable, average, counted, judge, marked, questions, scale_after
from cardtable.server.bots import SearchPool, plain
from cardtable.server.replay import loaded
from cardtable.server.settings import Settings

LONGEST_YIELD = 1.0  #: most seconds that a decision waits for bots that play
GLANCE = 0.05  #: seconds between two checks whether they are still busy


class NotReady(CardtableError):
    """The game is still being compiled, so there is no search yet."""

    code = "server/warming"


@dataclass
class Sheet:
    """The review of one deal so far."""

    game: Game
    deal: int
    deals: int
    seat: int
    of: int  #: the number of all decisions
    questions: Iterator[Question]
    iterations: int = 0  #: for each decision; 0: not known before the first
    owner: str = ""  #: the person who asked for it last
    asked: float = 0.0  #: when they asked
    decisions: list[Decision] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def complete(self) -> bool:
        """Whether every decision has been judged."""
        return len(self.decisions) == self.of

    def as_dict(self) -> dict[str, Any]:
        """The review so far, as it is sent to the client."""
        found = marked(self.decisions)
        told: dict[str, Any] = {
            "deal": self.deal,
            "deals": self.deals,
            "seat": self.seat,
            "iterations": self.iterations,
            "complete": self.complete,
            "of": self.of,
        }
        told |= {
            "decisions": [decision.as_dict() for decision in found],
            "loss": round(average(found), 3),
            "grades": counted(found),
        }
        return told


class Reviews:
    """The reviews of a server.

    Each person has one in progress at a time: asking for another one interrupts the first.
    """

    def __init__(self, search_pool: SearchPool, settings: Settings) -> None:
        self._brains = search_pool
        self._settings = settings
        self._kept: OrderedDict[tuple[int, int, int], Sheet] = OrderedDict()
        self._wanted: dict[str, Sheet] = {}  # by person: the review in progress
        self._turn = asyncio.Semaphore(settings.review_threads)
        self._opening = ThreadPoolExecutor(
            1, thread_name_prefix="review"
        )  # records are replayed in this thread, not in those that read the store

    async def ask(self, owner: str, match: int, text: str, deal: int, seat: int) -> dict[str, Any]:
        """The review of a deal of a match, for a person who may read it: complete, or what there is after
        `review_wait`.

        Asking again gives more. Reviews are kept by the number of the match. Raises RecordError, OptionError, NotReady.
        """
        key = (match, deal, seat)
        if key not in self._kept:
            if plain():
                raise NotReady(
                    Message("a review"), Message("this game is still being compiled"), Message("try again in a minute")
                )
            here = contextvars.copy_context()
            sheet = await asyncio.get_running_loop().run_in_executor(self._opening, here.run, opened, text, deal, seat)
            self._kept.setdefault(key, sheet)  # another request may have been faster
        sheet = self._kept[key]
        self._kept.move_to_end(key)
        if len(self._kept) > self._settings.reviews_kept:
            self._kept.popitem(last=False)
        sheet.owner, sheet.asked = owner, time.monotonic()
        if not sheet.complete:
            self._wanted[owner] = sheet
            if sheet.task is None or sheet.task.done():
                sheet.task = asyncio.create_task(self._judge(sheet))
            done, _ = await asyncio.wait({sheet.task}, timeout=self._settings.review_wait)
            if done and not sheet.task.cancelled() and (fault := sheet.task.exception()):
                self._kept.pop(key, None)
                raise fault
        return sheet.as_dict()

    async def _judge(self, sheet: Sheet) -> None:
        """Judge the remaining decisions of a sheet, until it is complete or nobody asks for it any more."""
        try:
            while (
                not sheet.complete
                and self._wanted.get(sheet.owner) is sheet
                and time.monotonic() - sheet.asked < self._settings.review_patience
            ):
                async with self._turn:
                    await self._yield()
                    await self._brains.lend(sheet.game, lambda think: self._next(sheet, think))
        finally:
            for owner in [owner for owner, wanted in self._wanted.items() if wanted is sheet]:
                del self._wanted[owner]

    async def _yield(self) -> None:
        """Wait while every thread is busy with a bot that plays, but not longer than LONGEST_YIELD."""
        until = time.monotonic() + LONGEST_YIELD
        while self._brains.waiting >= self._settings.bot_threads and time.monotonic() < until:
            await asyncio.sleep(GLANCE)

    def _next(self, sheet: Sheet, think: Searcher) -> None:
        """In a thread: judge the next decision of a sheet."""
        question, s = next(sheet.questions), self._settings
        sheet.iterations = sheet.iterations or affordable(think, question, s.review_think, s.review_iterations)
        sheet.decisions.append(judge(think, question, sheet.iterations, scale_after(sheet.decisions, question)))

    async def close(self) -> None:
        """Stop judging."""
        tasks = [sheet.task for sheet in self._kept.values() if sheet.task and not sheet.task.done()]
        for task in tasks:
            task.cancel()
        self._opening.shutdown(wait=False, cancel_futures=True)
        await asyncio.gather(*tasks, return_exceptions=True)


def opened(text: str, deal: int, seat: int) -> Sheet:
    """The review of a deal before its first decision. Raises RecordError, OptionError."""
    _, m = loaded(text)
    count = sum(1 for _ in questions(m, seat, deal))
    return Sheet(m.game, deal, len(m.deals), seat, count, questions(m, seat, deal))
