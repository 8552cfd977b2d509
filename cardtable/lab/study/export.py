"""The rows of a study for other programs: columns, a table of Arrow's, files in Parquet, Arrow, CSV and JSON Lines."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from cardtable.base.errors import OptionError
from cardtable.base.files import need_arrow, replacing
from cardtable.lab.study.rows import Rows
from cardtable.search.playouts import DEAL, ELDEST, LENGTH, MATCH, PASSES, PAYOFF, WINNER

if TYPE_CHECKING:
    import pyarrow

    from cardtable.lab.study.cells import Cell
    from cardtable.lab.study.figures import Figures

Column = np.ma.MaskedArray
INSTEAD = ", or write .csv or .jsonl"
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


def _batches(figures: Figures) -> Iterator[pyarrow.Table]:
    import pyarrow as pa

    for cell, block in figures.blocks():
        given = columns(figures, cell, block)
        arrays = {name: pa.array(column.data, mask=np.ma.getmaskarray(column)) for name, column in given.items()}
        yield pa.table(arrays)


def table(figures: Figures) -> pyarrow.Table:
    """All rows as a table. Raises OptionError without pyarrow."""
    need_arrow("found.arrow()", INSTEAD)
    import pyarrow as pa

    return pa.concat_tables(_batches(figures))


def write(figures: Figures, path: str | os.PathLike[str]) -> int:
    """Write all rows to a file, in the format of its extension; return their number. An existing file is replaced at
    the end.

    Raises OptionError (unknown extension, or pyarrow is missing), SaveError.
    """
    way = writer(path)
    with replacing(path) as name:
        return way(figures, str(name))


def writer(path: str | os.PathLike[str]) -> Callable[[Figures, str], int]:
    """What writes rows to a file, by its ending. Raises OptionError (another ending, or pyarrow is missing)."""
    ways: Mapping[str, Callable[[Figures, str], int]] = {
        ".parquet": _parquet,
        ".arrow": _arrow_file,
        ".csv": _csv,
        ".jsonl": _jsonl,
    }
    target = Path(path)
    way = ways.get(target.suffix.lower())
    if way is None:
        raise OptionError(
            f"rows in {target}",
            "the ending says which format",
            f"end the name in one of {', '.join(ways)}",
            code="study/frames",
        )
    if way in (_parquet, _arrow_file):
        need_arrow(f"rows in {target}", INSTEAD)
    return way


def _parquet(figures: Figures, name: str) -> int:
    import pyarrow.parquet as pq

    return _tables(figures, lambda schema: pq.ParquetWriter(name, schema, compression="zstd"))


def _arrow_file(figures: Figures, name: str) -> int:
    import pyarrow as pa

    return _tables(figures, lambda schema: pa.ipc.new_file(name, schema))


def _tables(figures: Figures, begin: Callable[[pyarrow.Schema], Any]) -> int:
    """Write rows as tables; `begin` creates the writer."""
    count, out = 0, None
    for batch in _batches(figures):
        out = out or begin(batch.schema)
        out.write_table(batch)
        count += batch.num_rows
    if out:
        out.close()
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
