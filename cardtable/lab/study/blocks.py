"""A block of a study: a pure function of its parameters that any process on any machine can play."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cardtable.base.message import Message
from cardtable.lab.simulate import USUAL, Tables, compiled
from cardtable.lab.study.cells import Cell
from cardtable.lab.study.rows import Rows, Sums, summed
from cardtable.precompile import warm
from cardtable.rules import catalog, contract, first_deals
from cardtable.rules.options import Options
from cardtable.search import playouts

DEALS = 200_000  #: deals of a block over all cells, about, at most: half a second in a game of middling length
MOVES = 80_000_000  #: moves of a block if every deal were as long as it can be: games with long deals have fewer
KEPT = 8  #: studies whose tables a process keeps
NO_LIMIT = 2**62


@dataclass(frozen=True)
class Work:
    """What is the same for every block of a study."""

    game: str
    cells: tuple[Cell, ...]
    seed: str
    columns: tuple[str, ...]
    matches: int  #: of a block

    def tables(self) -> list[tuple[Tables, int]]:
        """A table for each cell, made once in each process, and the usual number of deals in a match."""
        with _lock:
            if self not in _tables:
                _tables[self] = [self._table(cell) for cell in self.cells]
                if len(_tables) > KEPT:
                    _tables.popitem(last=False)
            return _tables[self]

    def _table(self, cell: Cell) -> tuple[Tables, int]:
        game = catalog.find(self.game)
        preset, seats, options = game.options.make(cell.rules, cell.seats, dict(cell.given))
        start = game.new_state(options, seats)
        first_deals.check(game, start)
        return Tables(game, start, cell.bots, self.seed, preset), usual_deals(options)

    def warm(self, say: Callable[[Message], object] = str) -> None:
        """Compile what the study needs."""
        levels = {level for cell in self.cells for level in cell.bots}
        warm(catalog.find(self.game), search=not compiled(sorted(levels)), study=True, say=say)

    def stop(self) -> None:
        """Let bots of this process that are thinking about a move of this study stop after it."""
        with _lock:
            for table, _ in _tables.pop(self, []):
                table.stopped = True


_tables: OrderedDict[Work, list[tuple[Tables, int]]] = OrderedDict()
_lock = threading.Lock()


@dataclass
class Block:
    """What was played of a block."""

    number: int
    limits: tuple[int, ...]  #: the most deals of each cell; a cell that has all its deals has 0
    sums: Sums
    rows: list[Rows] | None  #: of each cell, where they were asked for

    @property
    def cut(self) -> bool:
        """Whether a limit may have cut it short, so that a longer study would play more of it."""
        return any(deals >= limit for deals, limit in zip(self.sums.deals, self.limits, strict=True))


def usual_deals(options: Options) -> int:
    """How many deals a match has, about."""
    return int(getattr(options, "deals", 0) or USUAL)


def size(game: str, cells: tuple[Cell, ...]) -> int:
    """How many matches a block has. It follows from the game, the cells and the bots alone."""
    if not all(compiled(cell.bots) for cell in cells):
        return 1
    found, most, usual = catalog.find(game), 1.0, 1
    for cell in cells:
        _, seats, options = found.options.make(cell.rules, cell.seats, dict(cell.given))
        bounds = np.zeros(3)
        contract.bounds(found.new_state(options, seats), bounds)
        most = max(most, float(bounds[0]))
        usual = max(usual, usual_deals(options))
    deals = min(DEALS, MOVES / most)
    return max(1, round(deals / len(cells) / usual))


def play(work: Work, number: int, limits: tuple[int, ...], keep: bool) -> Block:
    """Play a block in every cell, at most so many deals in each."""
    work.warm()
    first = number * work.matches
    with np.errstate(over="ignore"):  # plain rules rely on integers that wrap around, as in compiled code
        rows = [
            _rows(table, usual, first, work.matches, limit)
            for (table, usual), limit in zip(work.tables(), limits, strict=True)
        ]
    seats = [cell.seats for cell in work.cells]
    return Block(number, limits, summed(rows, seats, work.columns, first, work.matches), rows if keep else None)


def _rows(table: Tables, usual: int, first: int, matches: int, limit: int) -> Rows:
    """The rows of a cell in a block."""
    room = min(limit, matches * (usual + 1) + 16)
    while True:
        rows = np.zeros((room, playouts.COLUMNS))
        deals = int(table.play(first, matches, limit, rows).deals) if limit else 0
        if deals <= room:
            return rows[:deals]
        room = min(limit, deals)  # matches were longer than usual
