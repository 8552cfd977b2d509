"""A block of a study: a pure function of its parameters that any process on any machine can play."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cardtable.base.message import Message
from cardtable.lab.simulate import BlockPlayer, compiled, usual_deals
from cardtable.lab.study.cells import Cell
from cardtable.lab.study.rows import Rows, Sums, summed
from cardtable.precompile import warm
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts

DEALS = 200_000  #: deals of a block over all cells, about, at most: half a second in a game of middling length
MOVES = 80_000_000  #: moves of a block if every deal were as long as it can be: games with long deals have fewer
KEPT = 8  #: studies whose tables a process keeps


@dataclass(frozen=True)
class StudyWork:
    """The data shared by all blocks of a study."""

    cells: tuple[Cell, ...]
    rulesets: tuple[Ruleset, ...]  #: of the cells
    seed: str
    columns: tuple[str, ...]
    matches: int  #: of a block

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rulesets[0].game.name

    def tables(self) -> list[tuple[BlockPlayer, int]]:
        """A table for each cell, created once in each process, and the typical number of deals in a match."""
        with _lock:
            if self not in _tables:
                _tables[self] = [
                    (BlockPlayer(each, cell.bots, self.seed), usual_deals(each))
                    for cell, each in zip(self.cells, self.rulesets, strict=True)
                ]
                if len(_tables) > KEPT:
                    _tables.popitem(last=False)
            return _tables[self]

    def warm(self, say: Callable[[Message], object] = str) -> None:
        """Compile the functions of the study."""
        levels = {level for cell in self.cells for level in cell.bots}
        warm(self.rulesets[0].game, search=not compiled(sorted(levels)), study=True, say=say)

    def stop(self) -> None:
        """Stop bots of this process that are thinking about a move of this study, after that move."""
        with _lock:
            for table, _ in _tables.pop(self, []):
                table.stopped = True


_tables: OrderedDict[StudyWork, list[tuple[BlockPlayer, int]]] = OrderedDict()
_lock = threading.Lock()


@dataclass
class Block:
    """The results of a block."""

    number: int
    limits: tuple[int, ...]  #: the most deals of each cell; a cell that has all its deals has 0
    sums: Sums
    rows: list[Rows] | None  #: of each cell, where they were asked for

    @property
    def cut(self) -> bool:
        """Whether a limit may have cut it short, so that a longer study would play more of it."""
        return any(deals >= limit for deals, limit in zip(self.sums.deals, self.limits, strict=True))


def size(cells: Sequence[Cell], rulesets: Sequence[Ruleset]) -> int:
    """How many matches a block has. It follows from the rules and the bots of the cells alone."""
    if not all(compiled(cell.bots) for cell in cells):
        return 1
    most = 1.0
    for ruleset in rulesets:
        bounds = np.zeros(3)
        contract.bounds(ruleset.state(), bounds)
        most = max(most, float(bounds[0]))
    return max(1, round(min(DEALS, MOVES / most) / len(cells) / max(map(usual_deals, rulesets))))


def play(work: StudyWork, number: int, limits: tuple[int, ...], keep: bool) -> Block:
    """Play a block in every cell, with at most this number of deals in each."""
    work.warm()
    first = number * work.matches
    with np.errstate(over="ignore"):  # plain rules rely on integers that wrap around, as in compiled code
        rows = [
            _rows(table, usual, first, work.matches, limit)
            for (table, usual), limit in zip(work.tables(), limits, strict=True)
        ]
    seats = [cell.seats for cell in work.cells]
    return Block(number, limits, summed(rows, seats, work.columns, first, work.matches), rows if keep else None)


def _rows(table: BlockPlayer, usual: int, first: int, matches: int, limit: int) -> Rows:
    """The rows of a cell in a block."""
    room = min(limit, matches * (usual + 1) + 16)
    while True:
        rows = np.zeros((room, playouts.COLUMNS))
        deals = int(table.play(first, matches, limit, rows).deals) if limit else 0
        if deals <= room:
            return rows[:deals]
        room = min(limit, deals)  # matches were longer than usual
