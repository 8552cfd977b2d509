"""Judging finished matches, a deal at a time: in the bots' threads when no player needs these, and cached for later
requests. Records are replayed in separate processes, which send a deal's decisions in portions.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import msgspec

from cardtable.analysis.endgame import OpenCards
from cardtable.base.errors import RecordError
from cardtable.base.message import Message, Seat
from cardtable.bots.searcher import Searcher
from cardtable.match.history import PlayedMove
from cardtable.precompile import ready
from cardtable.review.decisions import Decision
from cardtable.review.review import Question, affordable, average, counted, judge, marked, scale_after, whole
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import SearchPool, plain
from cardtable.server.thinking.protocol import not_ready
from cardtable.server.thinking.review_answers import Reviews
from cardtable.server.thinking.workers import Workers
from cardtable.views.observed import Past

LONGEST_YIELD = 1.0  #: most seconds that a decision waits for bots that play
GLANCE = 0.05  #: seconds between two checks whether they are still busy
WHAT = Message("a review")
SEEN_ENTRIES = 1 << 14  #: states that are remembered while the best move with all cards seen is looked for
SENT = ("deal", "deals", "seat", "iterations", "complete", "of", "lowest", "highest")  #: of a sheet, as they are
PORTION = 50  #: decisions that a process sends at a time, with their states of several kilobytes each


class AskedDecision(msgspec.Struct, frozen=True):
    """A decision as a process sends it: the act, and the memory of the state before it, redacted."""

    act: PlayedMove
    state: bytes
    past: bytes  #: the others' moves seen by the seat, packed
    whole: bytes = b""  #: the memory of the state with nothing hidden


class Portion(msgspec.Struct, frozen=True):
    """Some decisions of a seat in a deal; `of`: the number of all (`cardtable.server.thinking.jobs.questioned`)."""

    game: str
    deals: int
    of: int
    lowest: float  #: bounds of the result of a deal
    highest: float
    asked: list[AskedDecision]


@dataclass
class Sheet:
    """The review of one deal so far."""

    game: Game
    deal: int
    deals: int
    seat: int
    of: int  #: the number of all decisions
    text: str  #: the record; empty once every decision is known
    questions: deque[Question]  #: the next ones to judge
    lowest: float  #: bounds of the result of the deal
    highest: float
    iterations: int = 0  #: for each decision; 0: not known before the first
    owner: str = ""  #: the person who asked for it last
    address: str = ""  #: theirs
    asked: float = 0.0  #: when they asked
    decisions: list[Decision] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def complete(self) -> bool:
        """Whether every decision has been judged."""
        return len(self.decisions) == self.of

    def as_dict(self) -> dict[str, Any]:
        """The review so far, as it is sent to the client."""
        decisions = marked(whole(self.decisions))
        fields = {name: getattr(self, name) for name in SENT}
        return fields | {
            "of": self.of - len(self.decisions) + len(decisions),
            "decisions": [decision.as_dict() for decision in decisions],
            "loss": average(decisions),
            "grades": counted(decisions),
        }


class Judge(Reviews):
    """Reviews that are judged in this process. Each person has one in progress at a time: asking for another one
    interrupts the first.
    """

    def __init__(self, search_pool: SearchPool, workers: Workers, settings: Settings) -> None:
        self._brains = search_pool
        self._workers = workers
        self._settings = settings
        self._sheets: OrderedDict[tuple[bytes, int, int], Sheet] = OrderedDict()
        self._wanted: dict[str, Sheet] = {}  # by person: the review in progress
        self._turn = asyncio.Semaphore(settings.review_threads)

    async def ask(self, owner: str, address: str, text: str, deal: int, seat: int) -> dict[str, Any]:
        key = blake2b(text.encode()).digest(), deal, seat  # the numbers of deleted matches come again
        if key not in self._sheets:
            if plain():
                raise not_ready(WHAT)
            sheet = await self._open(address, text, deal, seat)
            self._sheets.setdefault(key, sheet)  # another request may have been faster
        sheet = self._sheets[key]
        self._sheets.move_to_end(key)
        if len(self._sheets) > self._settings.reviews_kept:
            self._sheets.popitem(last=False)
        sheet.owner, sheet.address, sheet.asked = owner, address, time.monotonic()
        if not sheet.complete:
            self._wanted[owner] = sheet
            if sheet.task is None or sheet.task.done():
                sheet.task = asyncio.create_task(self._judge(sheet))
            done, _ = await asyncio.wait({sheet.task}, timeout=self._settings.review_wait)
            if done and not sheet.task.cancelled() and (fault := sheet.task.exception()):
                self._sheets.pop(key, None)
                raise fault
        return sheet.as_dict()

    async def _open(self, address: str, text: str, deal: int, seat: int) -> Sheet:
        """The review of a deal before its first decision. Raises RecordError, OptionError, TooMany, Busy."""
        portion = await self._portion(address, text, deal, seat, 0)
        if portion.of > (most := self._settings.review_decisions):
            why = Message(
                "{seat} {seat:has|have} {n} decisions, and at most {most} are reviewed here",
                seat=Seat(seat),
                n=portion.of,
                most=most,
            )
            can = Message("review it on your own machine: cardtable review FILE")
            raise RecordError(Message("a review of deal {deal}", deal=deal), why, can, code="record/size")
        game, bounds = catalog.find(portion.game), (portion.lowest, portion.highest)
        sheet = Sheet(game, deal, portion.deals, seat, portion.of, text, deque(), *bounds)
        self._add(sheet, portion)
        return sheet

    async def _portion(self, address: str, text: str, deal: int, seat: int, first: int) -> Portion:
        """Decisions from number `first` on. Raises CardtableError."""
        part = text, deal, seat, first, PORTION, self._settings.most_moves
        return msgspec.json.decode(await self._workers.do(address, "questioned", *part), type=Portion)

    def _add(self, sheet: Sheet, portion: Portion) -> None:
        """Put decisions on a sheet."""
        state = sheet.game.rules.State
        for one in portion.asked:
            past = Past.unpacked(state, sheet.seat, one.past) if one.past else None
            whole = state.of_bytes(one.whole) if one.whole else None
            sheet.questions.append(Question(one.act, state.of_bytes(one.state), past, whole))
        if len(sheet.decisions) + len(sheet.questions) == sheet.of:
            sheet.text = ""

    async def _judge(self, sheet: Sheet) -> None:
        """Judge the remaining decisions of a sheet, until it is complete or there are no more requests for it."""
        try:
            while (
                not sheet.complete
                and self._wanted.get(sheet.owner) is sheet
                and time.monotonic() - sheet.asked < self._settings.review_patience
            ):
                if not sheet.questions:
                    place = sheet.text, sheet.deal, sheet.seat, len(sheet.decisions)
                    self._add(sheet, await self._portion(sheet.address, *place))
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
        question, s = sheet.questions.popleft(), self._settings
        sheet.iterations = sheet.iterations or affordable(think, question, s.review_think, s.review_iterations)
        # Compiling would keep everybody else waiting.
        cards = OpenCards(sheet.game, SEEN_ENTRIES) if ready(sheet.game, search=False, open_cards=True) else None
        scale = scale_after(sheet.decisions, question)
        sheet.decisions.append(judge(think, question, sheet.iterations, scale, cards))

    async def close(self) -> None:
        tasks = [sheet.task for sheet in self._sheets.values() if sheet.task and not sheet.task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
