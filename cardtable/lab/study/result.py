"""The result of a study: its figures, the rows of all deals, and its report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardtable.base.types import JsonObject
from cardtable.lab.study import export, report
from cardtable.lab.study.figures import Figures

if TYPE_CHECKING:
    import pyarrow


class StudyResult(Figures):
    """The result of a study, computed from `sums` alone."""

    def rows(self) -> Iterator[JsonObject]:
        """Every deal of every cell as a dict: the factors, then match, deal, eldest, winner, length, passes, payoff_0,
        ... What does not apply (a winner, a seat) is None.
        """
        for cell, block in self.blocks():
            columns = export.columns(self, cell, block)
            names = list(columns)
            for values in zip(*(column.tolist() for column in columns.values()), strict=True):
                yield dict(zip(names, values, strict=True))

    def arrow(self) -> pyarrow.Table:
        """`rows` as a table of Arrow's. Needs the extra `frames`; raises OptionError without it."""
        return export.table(self)

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write `rows` to a file, by its ending .parquet, .arrow, .csv or .jsonl; return how many there are.

        The first two need the extra `frames`. Raises OptionError, SaveError.
        """
        return export.write(self, path)

    def html(self) -> str:
        """A report as one HTML page with charts and methods."""
        return report.page(self)

    def _repr_html_(self) -> str:
        """The tables and pictures of the report, for notebooks."""
        return report.body(self)
