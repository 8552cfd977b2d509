"""Bots think in threads, off the event loop; the time of each shrinks with the number of waiting bots.

The time of a bot's answer depends neither on its cards nor on those of the bots before it. A bot without a choice
also waits for a thread. Each keeps its thread for its full time, and its move is sent at the end of that time plus a
random part of JITTER, even if it was decided earlier.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from cardtable.base.message import Message
from cardtable.bots import bot
from cardtable.bots.registry import allowed
from cardtable.kernel import Switch
from cardtable.kernel.compile import config
from cardtable.rules import contract
from cardtable.rules.game import Game
from cardtable.rules.zones import Hand
from cardtable.server.net.fair_queue import Busy, TooMany, Turns
from cardtable.server.settings import Settings
from cardtable.views.view import View

if TYPE_CHECKING:  # search is only loaded by a process that searches
    from cardtable.bots.searcher import Searcher, SearchResult

T = TypeVar("T")
QUICK = ("random", "soft", "medium")  #: levels that choose at once
SLACK = 0.05  #: seconds that a search may take longer than it should without anybody noticing
JITTER = 0.05  #: seconds, of which a bot waits a random part more: the system's timers are not exact
LATER_STEPS = 0.4  #: the part of a hint's time for each step after the first
LEAST_HASTE = 0.25  #: the least fraction of a bot's thinking time, at any pace


@dataclass(frozen=True)
class Advised:
    """A bot's move, and its expected payoff of each move; no values if it used the heuristic."""

    move: str
    values: dict[str, float]
    until: float = 0.0  #: the end of its time to think (time.monotonic, which all processes of a machine share)
    steps: tuple[str, ...] = ()  #: of a hint: the whole move, which is several steps where cards are chosen together


class Bots(ABC):
    """The bots of a server. Subclasses determine where they search. `waiting` counts the bots that think or wait for
    a thread; waiting hints do not count, so many hints do not reduce the bots' time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.waiting = 0
        self._others: ThreadPoolExecutor | None = None  #: in which bots from other packages think

    @abstractmethod
    async def think(
        self, view: View, seed: str, most: float, *, flat: bool = False, asker: str | None = None
    ) -> Advised:
        """Search for a view's seat, for at most `most` seconds, and less while many wait.

        asker: the address of the person who asks for a hint, None for a bot. Hints are worked out one at a time, so
        that bots do not wait, and addresses take turns. Raises Busy if too many wait.
        """

    def close(self) -> None:
        """End; a bot that still waits gets no answer."""
        if self._others is not None:
            self._others.shutdown(wait=False, cancel_futures=True)

    async def choose(self, view: View, level: str, seed: str, *, least: float = 0.0, haste: float = 1.0) -> str:
        """The move of a bot of some level in a view's seat, in notation, at a time that is independent of its cards.

        least: minimum seconds; haste: a factor for its thinking time.
        """
        began = time.monotonic()
        at = began + max(least, self._settings.bot_least)
        if level in allowed():
            move = await self._outside(view, level, seed)
        elif level in QUICK or plain():
            move = bot(level if level in QUICK else "medium", seed).choose(view)
        else:
            most = self._settings.think * (self._settings.think_expert if level == "expert" else 1.0)
            most *= max(haste, LEAST_HASTE)
            advice = await self.think(view, seed, most, flat=level == "flat")
            move, at = advice.move, max(at, advice.until + SLACK)
        if at > began:
            await asyncio.sleep(max(0.0, at + JITTER * random.random() - time.monotonic()))
        return move

    async def _outside(self, view: View, level: str, seed: str) -> str:
        """The move of a third-party bot, created for this decision, in a separate kind of thread.

        Raises BotError, and TimeoutError if it thinks too long; its thread cannot be ended.
        """
        if self._others is None:
            self._others = ThreadPoolExecutor(self._settings.bot_threads, thread_name_prefix="outside")
        thinking = asyncio.get_running_loop().run_in_executor(self._others, lambda: bot(level, seed).choose(view))
        async with asyncio.timeout(self._settings.answer_within):
            return await thinking

    async def hint(self, view: View, seed: str, asker: str) -> Advised:
        """The move of a good player in a view's seat, with all its steps. asker: the address of the asker. Raises
        Busy, and NoHint if the game says that no move is worth one.

        The limit is `hint_within`: then the heuristic answers, and the search leaves the queue.
        """
        if view.game.guide is not None:
            move = await asyncio.to_thread(view.guided)
            return Advised(move, {}, steps=(move,))
        thumb = bot("medium", seed)
        first: Advised | None = None
        steps: list[str] = []
        ahead: View | None = view
        try:
            async with asyncio.timeout(None if plain() else self._settings.hint_within):
                while ahead is not None and not plain():
                    most = self._settings.hint * (LATER_STEPS if steps else 1.0)
                    advice = await self.think(ahead, seed, most, asker=asker)
                    first = first or advice
                    steps.append(advice.move)
                    ahead = following(ahead, advice.move)
        except TimeoutError:
            pass
        while ahead is not None:
            steps.append(thumb.choose(ahead))
            ahead = following(ahead, steps[-1])
        return replace(first or Advised(steps[0], {}), steps=tuple(steps))


def following(view: View, move: str) -> View | None:
    """A seat's view after a step of a move, where cards are chosen together; None: the move is complete."""
    sets = [zone.together for zone in view.zones if isinstance(zone, Hand) and zone.together]
    if not sets or move == sets[0].done:
        return None
    assert view.seat is not None
    state = view.state.copy()
    contract.play(state, view.seat, view.moves[view.legal.index(move)])
    codes = np.empty(view.game.rules.MAX_MOVES + 1, np.int64)
    n = int(contract.legal(state, view.seat, codes))
    return replace(view, state=state, moves=tuple(int(code) for code in codes[:n]))


class SearchPool(Bots):
    """Bots that think in threads of this process."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._pool = ThreadPoolExecutor(settings.bot_threads, thread_name_prefix="bot")
        self._slots = asyncio.Semaphore(settings.bot_threads)
        self._own = threading.local()
        self._hints = Turns(1, settings.hints_waiting_each, settings.hints_waiting)

    def close(self) -> None:
        """End the threads; a bot that still waits gets no answer."""
        super().close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def budget(self) -> float:
        """The most seconds for a decision, for the present number of waiting bots."""
        s = self._settings
        within = s.answer_within - SLACK - JITTER
        return max(s.think_least, min(s.think * s.think_expert, within * s.bot_threads / max(self.waiting, 1)))

    async def think(
        self, view: View, seed: str, most: float, *, flat: bool = False, asker: str | None = None
    ) -> Advised:
        if asker is None:
            await self._enter()
            seconds = min(most, self.budget)
            asyncio.get_running_loop().call_later(seconds, self._leave)  # also if it needs less time, or is cancelled
            return await self._searched(view, flat, seed, seconds)
        try:
            async with self._hints.turn(asker):
                await self._enter()
                try:
                    return await self._searched(view, flat, seed, min(most, self.budget))
                finally:
                    self._leave()
        except TooMany as error:  # its code means to clients at a table that they cannot come in at all
            raise Busy(Message("a hint"), *error.parts[1:]) from None

    async def _enter(self) -> None:
        """Wait for a thread in order of arrival."""
        self.waiting += 1
        try:
            await self._slots.acquire()
        except asyncio.CancelledError:
            self.waiting -= 1
            raise

    def _leave(self) -> None:
        """Release the thread."""
        self.waiting -= 1
        self._slots.release()

    async def lend(self, game: Game, work: Callable[[Searcher], T]) -> T:
        """Do some work with a searcher for a game, in a bot's thread."""
        await self._enter()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(self._thinker(game)))
        finally:
            self._leave()

    async def _searched(self, view: View, flat: bool, seed: str, seconds: float) -> Advised:
        """Search in a thread, for this number of seconds from now."""
        until = time.monotonic() + seconds
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._search, view, flat, seed, until)

    def _search(self, view: View, flat: bool, seed: str, until: float) -> Advised:
        """In a thread: search until a time; at least a first look, if another search has ended late."""
        from cardtable.bots.players import SearchBot

        assert view.seat is not None
        if len(view.moves) == 1:
            return Advised(view.legal[0], {}, until)
        player = bot("search", seed)
        assert isinstance(player, SearchBot)
        seconds = max(until - time.monotonic(), 0.0)
        result: SearchResult = self._thinker(view.game)(
            view.state, view.seat, player.key, seconds=seconds, flat=flat, past=view.past
        )
        text = view.game.presentation.move_text
        values = {text(view.state, value.move): round(value.mean, 3) for value in result.values if value.visits}
        return Advised(text(view.state, result.best), values, until)

    def _thinker(self, game: Game) -> Searcher:
        """This thread's searcher for a game."""
        from cardtable.bots.searcher import Searcher

        trees: OrderedDict[str, Searcher] = self._own.__dict__.setdefault("trees", OrderedDict())
        if game.name not in trees:
            trees[game.name] = Searcher(game, self._settings.tree_size)
            if len(trees) > self._settings.trees:
                trees.popitem(last=False)
        trees.move_to_end(game.name)
        return trees[game.name]


def plain() -> bool:
    """Whether rules run as plain Python now, so that bots do not search."""
    return Switch.plain or bool(config.DISABLE_JIT)
