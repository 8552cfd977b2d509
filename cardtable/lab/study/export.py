"""The rows of a study for other programs: columns, a table of Arrow's, files in Parquet, Arrow, CSV and JSON Lines."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from cardtable.base.errors import OptionError
from cardtable.base.files import replacing
from cardtable.lab.study.rows import Rows
from cardtable.search.playouts import DEAL, ELDEST, LENGTH, MATCH, PASSES, PAYOFF, WINNER

if TYPE_CHECKING:
    import pyarrow

    from cardtable.lab.study.cells import Cell
    from cardtable.lab.study.figures import Figures

Column = np.ma.MaskedArray
PLAIN = {"match": MATCH, "deal": DEAL, "eldest": ELDEST, "winner": WINNER, "length": LENGTH, "passes": PASSES}


def numeric(figures: Figures) -> dict[str, bool]:
    """The factors of a study, and whether all their values are whole numbers."""
    values: dict[str, list[str]] = {}
    for cell in figures.cells:
        for name, value in cell.labels:
            values.setdefault(name, []).append(value)
    return {name: all(value.lstrip("-").isdecimal() for value in texts) for name, texts in values.items()}


def columns(figures: Figures, cell: Cell, block: Rows) -> dict[str, Column]:
    """Rows of a cell as columns with whole numbers, or texts for factors; what does not apply is masked."""
    arrays: dict[str, Column] = {}
    labels = dict(cell.labels)
    for name, numbers in numeric(figures).items():
        value = int(labels[name]) if numbers else labels[name]
        arrays[name] = np.ma.masked_array(np.full(len(block), value), mask=False)
    for name, place in PLAIN.items():
        data = block[:, place].astype(np.int64)
        # A factor may be called like a column: it keeps the name.
        arrays.setdefault(name, np.ma.masked_array(data, mask=(data < 0) if place == WINNER else False))
    for seat in range(max(each.seats for each in figures.cells)):
        data = block[:, PAYOFF + seat].astype(np.int64)
        arrays[f"payoff_{seat}"] = np.ma.masked_array(data, mask=seat >= cell.seats)
    return arrays


def _arrow(what: str) -> None:
    """Raise OptionError if Arrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise OptionError(
            what,
            "pyarrow is not installed",
            "install it in Cardtable's folder: pip install '.[frames]', or write .csv or .jsonl",
            code="study/frames",
        ) from None


def _batches(figures: Figures) -> Iterator[pyarrow.Table]:
    import pyarrow as pa

    for cell, block in figures.blocks():
        given = columns(figures, cell, block)
        arrays = {name: pa.array(column.data, mask=np.ma.getmaskarray(column)) for name, column in given.items()}
        yield pa.table(arrays)


def table(figures: Figures) -> pyarrow.Table:
    """All rows as a table. Raises OptionError without pyarrow."""
    _arrow("found.arrow()")
    import pyarrow as pa

    return pa.concat_tables(_batches(figures))


def write(figures: Figures, path: str | os.PathLike[str]) -> int:
    """Write all rows to a file, by its ending; return how many. What was there before is replaced at the end.

    Raises OptionError (another ending, or pyarrow is missing), SaveError.
    """
    target = Path(path)
    ways: Mapping[str, Callable[[Figures, str], int]] = {
        ".parquet": _parquet,
        ".arrow": _arrow_file,
        ".csv": _csv,
        ".jsonl": _jsonl,
    }
    way = writer(target, ways)
    with replacing(target) as name:
        return way(figures, str(name))


def check(path: str | os.PathLike[str]) -> None:
    """Raise OptionError if rows cannot be written to such a file."""
    writer(Path(path), dict.fromkeys((".parquet", ".arrow", ".csv", ".jsonl"), _csv))


def writer(target: Path, ways: Mapping[str, Callable[[Figures, str], int]]) -> Callable[[Figures, str], int]:
    """The function for a file's ending. Raises OptionError."""
    ending = target.suffix.lower()
    if ending not in ways:
        raise OptionError(
            f"rows in {target}",
            "the ending says which format",
            f"end the name in one of {', '.join(ways)}",
            code="study/frames",
        )
    if ending in (".parquet", ".arrow"):
        _arrow(f"rows in {target}")
    return ways[ending]


def _parquet(figures: Figures, name: str) -> int:
    import pyarrow.parquet as pq

    count, writer = 0, None
    for batch in _batches(figures):
        writer = writer or pq.ParquetWriter(name, batch.schema, compression="zstd")
        writer.write_table(batch)
        count += batch.num_rows
    if writer:
        writer.close()
    return count


def _arrow_file(figures: Figures, name: str) -> int:
    import pyarrow as pa

    count, writer = 0, None
    for batch in _batches(figures):
        writer = writer or pa.ipc.new_file(name, batch.schema)
        writer.write_table(batch)
        count += batch.num_rows
    if writer:
        writer.close()
    return count


def _lines(figures: Figures, name: str, begin: Callable[[TextIO, list[str]], Callable[[list[object]], object]]) -> int:
    """Write rows as text; `begin` writes a heading and returns what writes a row."""
    count, put = 0, None
    with open(name, "w", encoding="utf-8", newline="") as file:
        for cell, block in figures.blocks():
            arrays = columns(figures, cell, block)
            put = put or begin(file, list(arrays))
            for row in zip(*(column.tolist() for column in arrays.values()), strict=True):
                put(list(row))
            count += len(block)
    return count


def _csv(figures: Figures, name: str) -> int:
    def begin(file: TextIO, names: list[str]) -> Callable[[list[object]], object]:
        to = csv.writer(file, lineterminator="\n")
        to.writerow(names)
        return to.writerow

    return _lines(figures, name, begin)


def _jsonl(figures: Figures, name: str) -> int:
    def begin(file: TextIO, names: list[str]) -> Callable[[list[object]], object]:
        return lambda row: file.write(json.dumps(dict(zip(names, row, strict=True))) + "\n")

    return _lines(figures, name, begin)
