"""The figures of a study: of each cell, and differences between cells."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import ExitStack

from cardtable import __version__
from cardtable.base.errors import OptionError, meant
from cardtable.base.types import Json, JsonObject
from cardtable.lab.study import blocks, effects
from cardtable.lab.study.blocks import Block, StudyWork
from cardtable.lab.study.cells import Cell, Labels, RefusedCell, text_of
from cardtable.lab.study.effects import CellMean, Effect
from cardtable.lab.study.engines import engine
from cardtable.lab.study.rows import Rows, Sums, seat_of
from cardtable.rules import catalog


class Figures:
    """The figures of a study, computed from `sums` alone."""

    def __init__(
        self,
        work: StudyWork,
        title: str,
        asked: int,
        refused: tuple[RefusedCell, ...] = (),
        executor: Executor | str | None = None,
        threads: int = 1,
    ) -> None:
        """asked: the deals of each cell that were asked for."""
        self.work, self.title, self.asked, self.refused = work, title, asked, refused
        self.sums = Sums.zero(len(work.cells), len(work.columns))
        self.limits: list[tuple[int, ...]] = []  #: of each block that was added
        self.seconds = 0.0
        self.partial = False  #: it was stopped before all deals were played
        self.reached = False  #: it ended early because its intervals were short enough
        self._where = (executor, threads)
        self._kept_rows: dict[int, list[Rows]] = {}

    def add(self, block: Block) -> None:
        """Add the next block."""
        if block.rows is not None:
            self._kept_rows[block.number] = block.rows
        self.sums.add(block.sums)
        self.limits.append(block.limits)

    def __repr__(self) -> str:
        lines = [
            f"<{self.title}: {self.deals:,} deals in {len(self.cells)} cells{', partial' if self.partial else ''}>"
        ]
        lines += [f"  left out: {each.label}: {each.error}" for each in self.refused]
        lines += [
            f"  {e.measure}, {e.cell}: {e.mean:.4f} ({e.low:.4f} to {e.high:.4f})"
            for e in (self.estimates() if self.sums.deals.all() else [])
        ]
        return "\n".join(lines)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, in the order of the grid."""
        return self.work.cells

    @property
    def measures(self) -> tuple[str, ...]:
        """The figures: `eldest`, `payoff_0`, `payoff_1`, ..."""
        return self.work.columns

    @property
    def deals(self) -> int:
        """The deals of all cells together."""
        return int(self.sums.deals.sum())

    @property
    def digest(self) -> str:
        """The SHA-256 of the parameters and all sums, as hexadecimal digits: equal for equal figures."""
        parts = json.dumps([self.work.game, self.work.seed, [cell.lasting() for cell in self.cells], self.measures])
        return hashlib.sha256(parts.encode() + self.sums.to_bytes()).hexdigest()

    # Figures

    def mean(self, cell: str | Mapping[str, Json] = "", measure: str = "eldest") -> CellMean:
        """A figure of a cell, named by its label (`ante=1, dead_hand=no`); empty: of the only cell.

        Raises OptionError if several cells are meant, or none.
        """
        cells = self._matching(cell)
        if len(cells) > 1:
            raise OptionError(
                f"cell {str(cell)[:60]!r}",
                f"{len(cells)} cells are meant",
                f"name one of: {'; '.join(self.cells[c].label for c in cells[:8])}",
                code="study/cell",
            )
        return effects.estimate(self.sums, self._column(measure), cells[0], self.cells[cells[0]].label, measure)

    def estimates(self) -> list[CellMean]:
        """Every figure of every cell; seats that a cell does not have are left out."""
        return [
            effects.estimate(self.sums, k, c, cell.label, column)
            for k, column in enumerate(self.measures)
            for c, cell in enumerate(self.cells)
            if seat_of(column) < cell.seats
        ]

    def compare(self, a: str | Mapping[str, Json], b: str | Mapping[str, Json], *, measure: str = "eldest") -> Effect:
        """How much higher a figure is in `b` than in `a`, by the deals that both played.

        a, b: values of factors, `ante=1` or `ante=1, dead_hand=no`. Factors that they do not name are averaged over,
        with equal weights, where both have the same values of them. Raises OptionError.
        """
        k, sides, labels = self._column(measure), (self._matching(a), self._matching(b)), (_label(a), _label(b))
        pairs = self._pairs(*sides, k, {name for side in (a, b) for name, _ in _labels(side)})
        if not pairs:
            raise OptionError(
                f"{labels[0]} and {labels[1]}",
                "no two cells differ in this alone",
                "name whole cells",
                code="study/cell",
            )
        return effects.effect(self.sums, k, [x for x, _ in pairs], [y for _, y in pairs], labels, measure)

    def intervals(self, adjust: str | None = None, factor: str | None = None) -> list[Effect]:
        """For every figure and factor, or for one factor, each further value compared with the factor's first one.

        adjust: "holm" for all of them as one family (`effects.adjusted`); None: separately. Raises OptionError.
        """
        if adjust not in (None, "holm"):
            raise OptionError(f"adjust={repr(adjust)[:40]}", "there is no such adjustment", "take holm or leave it out")
        differences: list[Effect] = []
        for k, column in enumerate(self.measures):
            for name, values in self._factors().items():
                for value in values[1:] if factor in (None, name) else ():
                    a, b = {name: values[0]}, {name: value}
                    if self._pairs(self._matching(a), self._matching(b), k, {name}):
                        differences.append(self.compare(a, b, measure=column))
        return effects.adjusted(differences) if adjust else differences

    def _factors(self) -> dict[str, list[str]]:
        """The values of each factor that some cell has."""
        values: dict[str, list[str]] = {}
        for cell in self.cells:
            for name, value in cell.labels:
                if value not in values.setdefault(name, []):
                    values[name].append(value)
        return values

    def _column(self, measure: str) -> int:
        if measure in self.measures:
            return self.measures.index(measure)
        raise OptionError(
            f"measure {measure[:40]!r}",
            "the study did not measure it",
            meant([], list(self.measures)),
            code="study/measure",
        )

    def _matching(self, wanted: str | Mapping[str, Json]) -> list[int]:
        """The cells with these values. Raises OptionError if there is none."""
        if isinstance(wanted, str) and wanted == "" and len(self.cells) == 1:
            return [0]
        labels = _labels(wanted)
        chosen = [
            c for c, cell in enumerate(self.cells) if cell.label == wanted or (labels and labels <= set(cell.labels))
        ]
        if not chosen:
            raise OptionError(
                f"cell {_label(wanted)[:60]!r}",
                "the study has no such cell",
                meant([], [cell.label for cell in self.cells[:8]]),
                code="study/cell",
            )
        return chosen

    def _pairs(self, a: list[int], b: list[int], k: int, named: set[str]) -> list[tuple[int, int]]:
        """Cells of two sides that have the same values of the factors that are not named, and figure k."""
        if len(a) == len(b) == 1:
            pairs = [(a[0], b[0])]
        else:
            rest = {_without(self.cells[y], named): y for y in b}
            pairs = [(x, rest[key]) for x in a if (key := _without(self.cells[x], named)) in rest]
        seat = seat_of(self.measures[k])
        return [(x, y) for x, y in pairs if seat < min(self.cells[x].seats, self.cells[y].seats)]

    # Rows

    def blocks(self) -> Iterator[tuple[Cell, Rows]]:
        """The rows of each cell, block by block: arrays with the columns of `cardtable.search.playouts`.

        Rows that were not kept are played again.
        """
        missing = deque(number for number in range(len(self.limits)) if number not in self._kept_rows)
        coming: dict[int, Future[Block]] = {}
        with ExitStack() as stack:
            where = stack.enter_context(engine(*self._where)) if missing else None
            for number in range(len(self.limits)):
                while where and missing and len(coming) < where.workers + 1:
                    k = missing.popleft()
                    coming[k] = where.executor.submit(blocks.play, self.work, k, self.limits[k], True)
                rows = coming.pop(number).result().rows if number in coming else self._kept_rows[number]
                yield from zip(self.cells, rows or [], strict=True)

    def as_dict(self) -> JsonObject:
        """For `--json`."""
        work = self.work
        return {
            "game": work.game,
            "title": self.title,
            "version": catalog.find(work.game).version,
            "cardtable": __version__,
            "seed": work.seed,
            "asked": self.asked,
            "deals": self.deals,
            "seconds": round(self.seconds, 4),
            "matches_in_a_block": work.matches,
            "digest": self.digest,
            "partial": self.partial,
            "reached": self.reached,
            "cells": [
                cell.as_dict() | {"deals": int(deals), "matches": int(matches)}
                for cell, deals, matches in zip(self.cells, self.sums.deals, self.sums.matches, strict=True)
            ],
            "refused": [each.as_dict() for each in self.refused],
            "measures": [each.as_dict() for each in self.estimates()],
            "effects": [each.as_dict() for each in self.intervals("holm")],
        }


def _labels(wanted: str | Mapping[str, Json]) -> set[tuple[str, str]]:
    """The values of factors that are named. Raises OptionError."""
    if not isinstance(wanted, str):
        return {(name, text_of(value)) for name, value in wanted.items()}
    pairs = set()
    for part in filter(str.strip, wanted.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise OptionError(
                f"cell {wanted[:60]!r}",
                "a cell is named by the values of its factors",
                "write for instance ante=1, dead_hand=no",
                code="study/cell",
            )
        pairs.add((name.strip(), text_of(value)))
    return pairs


def _label(wanted: str | Mapping[str, Json]) -> str:
    if isinstance(wanted, str):
        return wanted
    return ", ".join(f"{name}={text_of(value)}" for name, value in wanted.items())


def _without(cell: Cell, names: set[str]) -> Labels:
    return tuple((name, value) for name, value in cell.labels if name not in names)
