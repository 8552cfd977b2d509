"""A study: a grid of house rules, seats and bots, in which every cell plays the same deals.

Matches are numbered; each has its own key, derived from the study's seed, so match 12 has the same shuffles in
every cell (common random numbers). They are played in blocks of a fixed number of matches. The figures are sums of
whole numbers, so they are independent of the executor and of the order in which blocks finish.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from typing import Self

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject, OptionValue, Seed
from cardtable.bots.registry import called, is_outside
from cardtable.kernel import outside
from cardtable.lab.simulate import Stopped
from cardtable.lab.study import blocks, rows
from cardtable.lab.study.blocks import Block, StudyWork
from cardtable.lab.study.cells import Cell, RefusedCell, make
from cardtable.lab.study.engines import Engine, ahead, engine
from cardtable.lab.study.result import StudyResult
from cardtable.lab.study.study_file import Saved
from cardtable.lab.threads import check_counts
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset

FEWEST = 30  #: matches before a study may stop because its intervals are short enough


class Study:
    """A study that is described, and then `run`."""

    def __init__(  # noqa: PLR0913 - a public interface of keywords
        self,
        game: str,
        seats: int | None = None,
        *,
        deals: int = 100_000,
        rules: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        bots: str | Sequence[str] = "medium",
        seed: Seed = 0,
        executor: Executor | str | None = None,
        threads: int = 1,
        save: str | os.PathLike[str] | None = None,
    ) -> None:
        """Describe a study of a game.

        deals: in each cell. bots: one level for all seats, or one for each. options: house rules of every cell.
        executor: runs the blocks. None: `threads` threads; an executor of `concurrent.futures`; or
        `dask:tcp://host:8786`. save: a file that stores each block, so that a stopped study can resume.
        Raises UnknownGame, OptionError.
        """
        check_counts(f"{deals} deals on {threads} threads", deals, threads)
        self.game = game
        self.deals, self.seed = int(deals), str(seed).strip()
        self.executor, self.threads, self.save = executor, threads, save
        self._asked = (seats, rules, dict(options or {}), bots)
        self.cells: tuple[Cell, ...] = ()
        self.refused: tuple[RefusedCell, ...] = ()
        self._rulesets: tuple[Ruleset, ...] = ()  # of the cells
        self.title = self.grid()._rulesets[0].title  #: of the name under which the game was asked for

    def grid(self, **factors: Sequence[Json]) -> Self:
        """Set the cells: all combinations of these values of house rules, `rules` (presets), `seats` and `bots`.

        Combinations that the game refuses are listed in `refused`, with the reason. Raises OptionError if all are.
        """
        seats, rules, options, bots = self._asked
        cells, refused = make(self.game, seats, rules, options, bots, factors)
        self.cells, self._rulesets, self.refused = tuple(cells), tuple(cells.values()), tuple(refused)
        return self

    def __repr__(self) -> str:
        left_out = "".join(f"\n  left out: {each.label}: {each.error}" for each in self.refused)
        return f"<Study of {self.title}: {len(self.cells)} cells, {self.deals:,} deals in each>{left_out}"

    def run(
        self,
        measures: str | Sequence[str] = rows.USUAL,
        *,
        until: float | None = None,
        keep: bool = False,
        progress: Callable[[int], object] = lambda deals: None,
        say: Callable[[Message], object] = str,
    ) -> StudyResult:
        """Play the deals and return the result.

        measures: of `rows.MEASURES`. until: stop as soon as every interval of `StudyResult.intervals("holm")` (of the
        means, if there is only one cell) has at most this half-width. keep: keep the rows of all deals in memory, for
        `StudyResult.rows`, which otherwise plays them again. progress: called with the number of new deals, all cells
        together. Raises OptionError, SaveError, EngineError, and at Ctrl-C Stopped with the result so far.
        """
        if until is not None and not until > 0:
            raise OptionError(
                f"until={until:g}",
                "the length of an interval is above 0",
                "take for instance 0.01",
                code="options/range",
            )
        columns = rows.columns_of(measures, max(cell.seats for cell in self.cells))
        matches = blocks.size(self.cells, self._rulesets)
        work = StudyWork(self.cells, self._rulesets, self.seed, columns, matches)
        result = StudyResult(work, self.title, self.deals, self.refused, self.executor, self.threads)
        work.warm(say)
        began = time.perf_counter()
        try:
            with self._file(work) as saved, engine(self.executor, self.threads) as where:
                _Run(result, saved, where, until, keep, progress).run()
        except KeyboardInterrupt:
            work.stop()
            result.partial, result.seconds = True, time.perf_counter() - began
            raise Stopped(result if result.sums.deals.all() else None) from None
        result.seconds = time.perf_counter() - began
        return result

    def _file(self, work: StudyWork) -> _Closing | nullcontext[None]:
        if self.save is None:
            return nullcontext()
        return _Closing(Saved(self.save, parameters(work)))


def parameters(work: StudyWork) -> JsonObject:
    """All that figures depend on except the number of deals: a file of a study with other parameters is refused."""
    return {
        "game": work.game,
        "version": catalog.find(work.game).version,
        "seed": work.seed,
        "cells": [cell.lasting() for cell in work.cells],
        "measures": list(work.columns),
        "matches in a block": work.matches,
        **sources(work),
    }


def sources(work: StudyWork) -> JsonObject:
    """Digests of the sources of third-party games and bots, whose versions may not change with their code: blocks of
    the old and of the new code must not be added up. Empty if there are none.
    """
    game = catalog.find(work.game)
    modules = {f"{game.package}.{game.module}"} if outside.is_outside(game.package) else set()
    modules |= {called(name).partition(":")[0] for cell in work.cells for name in cell.bots if is_outside(name)}
    return {f"digest of {module}": outside.digest(module) for module in sorted(modules)}


class _Closing:
    """The file of a study in a `with`."""

    def __init__(self, saved: Saved) -> None:
        self.saved = saved

    def __enter__(self) -> Saved:
        return self.saved

    def __exit__(self, *_: object) -> None:
        self.saved.close()


class _Run:
    """Plays the blocks of a study, a few at a time, and adds them up in order."""

    def __init__(
        self,
        result: StudyResult,
        saved: Saved | None,
        where: Engine,
        until: float | None,
        keep: bool,
        progress: Callable[[int], object],
    ) -> None:
        self.result, self.saved, self.where = result, saved, where
        self.until, self.keep, self.progress = until, keep, progress
        self.work, self.deals = result.work, result.asked
        self.under_way: deque[tuple[int, tuple[int, ...], Future[Block] | None]] = deque()
        self.begun = 0

    def run(self) -> None:
        """Until every cell has its deals, or the intervals are short enough."""
        try:
            while any(self._lacking()):
                self._begin()
                number, limits, future = self.under_way.popleft()
                self._add(self._finished(number, limits, future))
                if self.until is not None and self._close_enough(self.until):
                    self.result.reached = True
                    return
        finally:
            for _, _, future in self.under_way:
                if future is not None:
                    future.cancel()

    def _lacking(self) -> tuple[int, ...]:
        """How many deals each cell still lacks."""
        return tuple(self.deals - int(deals) for deals in self.result.sums.deals)

    def _begin(self) -> None:
        """Start as many blocks as are needed, judging by the size of those so far, and as keep the workers busy."""
        done = len(self.result.limits)
        lacking = self._lacking()
        played = self.result.sums.deals / done if done else [self.work.matches] * len(lacking)
        needed = max(-(-lacks // max(1, int(each))) for lacks, each in zip(lacking, played, strict=True))
        while not self.under_way or len(self.under_way) < min(needed, ahead(self.where)):
            # A match has one deal at least, so more than this is never needed of a block.
            most = max(1, self.deals - self.begun * self.work.matches)
            limits = tuple(most if lacks else 0 for lacks in lacking)
            future = None
            if self.saved is None or self.saved.block(self.begun, self.deals) is None:
                future = self.where.executor.submit(blocks.play, self.work, self.begun, limits, self.keep)
            self.under_way.append((self.begun, limits, future))
            self.begun += 1

    def _finished(self, number: int, limits: tuple[int, ...], future: Future[Block] | None) -> Block:
        """A block with the limits that it must have, from the file or played."""
        lacking = self._lacking()
        if future is None and self.saved is not None and (stored := self.saved.block(number, self.deals)):
            block = Block(number, stored[0], self.result.sums.read(stored[1]), None)
        elif future is not None:
            block = future.result()
        else:
            block = self._play(number, limits)
        if any(deals > lacks for deals, lacks in zip(block.sums.deals, lacking, strict=True)):
            block = self._play(number, lacking)
        self._save(block)
        return block

    def _play(self, number: int, limits: tuple[int, ...]) -> Block:
        return self.where.executor.submit(blocks.play, self.work, number, limits, self.keep).result()

    def _save(self, block: Block) -> None:
        if self.saved is None or self.saved.block(block.number, self.deals) is not None:
            return
        self.saved.keep(block.number, self.deals if block.cut else 0, block.limits, block.sums.to_bytes())

    def _add(self, block: Block) -> None:
        self.result.add(block)
        self.progress(int(block.sums.deals.sum()))

    def _close_enough(self, until: float) -> bool:
        result = self.result
        if not all(result.sums.matches >= FEWEST):
            return False
        intervals = result.intervals("holm") if len(result.cells) > 1 else result.estimates()
        return all((each.high - each.low) / 2.0 <= until for each in intervals)
