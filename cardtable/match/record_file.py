"""Many records in one file: appended, indexed, compressed, each read by its number.

The file is an SQLite database: other tools can read it, a record is found without reading the ones before it, and
appending is atomic, even after a crash. `matches` has a row for each record, with the searchable fields; `blocks`
contains the records in groups of about 100 KB: a JSON list, compressed with zlib.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self, overload

from cardtable.base import platform
from cardtable.base.errors import OptionError, RecordError, SaveError
from cardtable.base.files import need_arrow, replacing
from cardtable.base.types import Json, JsonObject
from cardtable.match.match import Record
from cardtable.match.record import FORMAT as RECORD

if TYPE_CHECKING:
    import pyarrow

APPLICATION = 0x43544344  #: "CTCD", the magic number of such a file
FORMAT = 1
MAGIC = b"SQLite format 3\0"
BLOCK = 100_000  #: bytes of records in a block, before they are compressed
ROWS = 200_000  #: records in a transaction, at most
COLUMNS = ("game", "rules", "title", "seats", "seed", "version", "deals", "moves", "unfinished")
TABLES = """
CREATE TABLE matches (number INTEGER PRIMARY KEY, block INTEGER NOT NULL, place INTEGER NOT NULL, game TEXT NOT NULL,
 rules TEXT, title TEXT, seats INTEGER, seed TEXT, version INTEGER, deals INTEGER NOT NULL, moves INTEGER NOT NULL,
 unfinished INTEGER NOT NULL);
CREATE TABLE blocks (number INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE INDEX matches_by_game ON matches (game, rules, seats);
CREATE INDEX matches_by_seed ON matches (seed);
"""

#: the meanings of SQLite's errors for a file, by the beginning of their names
SQLITE = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "another program keeps the file locked",
    "SQLITE_LOCKED": "another program keeps the file locked",
    "SQLITE_READONLY": "the file cannot be written to",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_IOERR": "the disk cannot be read or written",
}


class Collection:
    """A file of records, open to be read or appended to. Numbers count from 0; use it in a `with`, or `close` it."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        """Open a file. create: create it if it is missing.

        Raises RecordError (no such file, or not a collection), SaveError (it cannot be created).
        """
        self.path = Path(path)
        self._block: tuple[int, list[JsonObject]] = (-1, [])  #: the block read last
        new = not self.path.exists() or not self.path.stat().st_size
        if new and not create:
            why = "there is no such file" if not self.path.exists() else "the file is empty"
            raise RecordError(f"records {self.path}", why, "check its name", code="record/file")
        with contextlib.ExitStack() as failing:
            try:
                self._base = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
                failing.callback(self._base.close)
                self._base.execute("PRAGMA synchronous = NORMAL")
                if new:
                    self._base.execute("PRAGMA journal_mode = DELETE")
                    self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._base.execute(f"PRAGMA user_version = {FORMAT}")
                    self._base.executescript(f"BEGIN; {TABLES} COMMIT;")
                kind = self._base.execute("PRAGMA application_id").fetchone()[0]
                version = self._base.execute("PRAGMA user_version").fetchone()[0]
            except sqlite3.Error as error:
                if new:
                    raise self._unsaved(error) from None
                raise self._strange(no_base(error)) from None
            if (kind, version) != (APPLICATION, FORMAT):
                raise self._strange("it is no collection of records of this version")
            failing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def _strange(self, why: str) -> RecordError:
        return RecordError(f"records {self.path}", why, "name a collection of records", code="record/file")

    def _damaged(self, block: int) -> RecordError:
        why = f"block {block} is damaged or missing"
        return RecordError(f"records {self.path}", why, "get the whole file", code="record/damaged")

    def _unsaved(self, error: sqlite3.Error) -> SaveError:
        return SaveError(f"saving {self.path}", no_base(error), "free some space, or name another file")

    # Reading

    def __len__(self) -> int:
        return int(self._ask("SELECT count(*) FROM matches")[0][0])

    def __iter__(self) -> Iterator[Record]:
        return (Record(keys) for keys in self.dicts())

    @overload
    def __getitem__(self, number: int, /) -> Record: ...
    @overload
    def __getitem__(self, number: slice, /) -> list[Record]: ...
    def __getitem__(self, number: int | slice, /) -> Record | list[Record]:
        chosen = range(len(self))[number]
        if isinstance(chosen, int):
            return Record(next(self.dicts([chosen])))
        return [Record(keys) for keys in self.dicts(chosen)]

    def dicts(self, numbers: Sequence[int] | None = None) -> Iterator[JsonObject]:
        """Records as dicts, in order, or those with some numbers. Raises RecordError where the file is damaged."""
        if numbers is None:
            for block, count in self._ask("SELECT block, count(*) FROM matches GROUP BY block ORDER BY block"):
                records = self._read(int(block))
                if len(records) != count:
                    raise self._damaged(int(block))
                yield from records
            return
        for number in numbers:
            places = self._ask("SELECT block, place FROM matches WHERE number = ?", (number,))
            if not places:
                raise self._damaged(-1)
            block, place = places[0]
            records = self._read(block)
            if place >= len(records):
                raise self._damaged(block)
            yield records[place]

    def where(self, **wanted: Json) -> list[int]:
        """The numbers of the records with these values of COLUMNS, in order. Raises OptionError."""
        for name in wanted:
            if name not in COLUMNS:
                why = "records are not found by it"
                raise OptionError(f"{name}", why, f"take one of {', '.join(COLUMNS)}")
        terms = " AND ".join(f"{name} = ?" for name in wanted) or "1"
        rows = self._ask(f"SELECT number FROM matches WHERE {terms} ORDER BY number", tuple(wanted.values()))
        return [int(row[0]) for row in rows]

    def values(self, column: str) -> list[Json]:
        """The different values of one of COLUMNS."""
        assert column in COLUMNS
        return [row[0] for row in self._ask(f"SELECT DISTINCT {column} FROM matches ORDER BY {column}")]

    def _ask(self, statement: str, values: Sequence[Json] = ()) -> list[tuple[Json, ...]]:
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._strange(no_base(error)) from None

    def _read(self, number: int) -> list[JsonObject]:
        """The records of a block."""
        import msgspec

        if self._block[0] != number:
            rows = self._ask("SELECT records FROM blocks WHERE number = ?", (number,))
            try:
                records: list[JsonObject] = msgspec.json.decode(zlib.decompress(rows[0][0]), type=list[dict[str, Json]])
            except (IndexError, TypeError, zlib.error, msgspec.DecodeError):
                raise self._damaged(number) from None
            self._block = (number, records)
        return self._block[1]

    # Writing

    def add(self, records: Iterable[Record | Mapping[str, Json]]) -> int:
        """Append records; return their number. Each step of ROWS is atomic, also after an error.

        Raises RecordError for an invalid record, SaveError.
        """
        import msgspec

        encode = msgspec.json.Encoder().encode
        count, number, block = 0, len(self), self._ask("SELECT coalesce(max(number), -1) + 1 FROM blocks")[0][0]
        rows: list[tuple[Json, ...]] = []
        texts: list[bytes] = []
        size = saved = 0
        begun = False
        try:
            for record in records:
                if not begun:
                    self._base.execute("BEGIN IMMEDIATE")
                    begun = True
                keys = record.keys if isinstance(record, Record) else record
                rows.append((number + count, block, len(texts), *summary(keys)))
                texts.append(encode(keys))
                size += len(texts[-1])
                count += 1
                if size >= BLOCK:
                    self._put(block, texts, rows)
                    block, size, texts, rows = block + 1, 0, [], []
                    if count - saved >= ROWS:
                        saved = count
                        self._base.execute("COMMIT")
                        begun = False
            if texts:
                self._put(block, texts, rows)
            if begun:
                self._base.execute("COMMIT")
                begun = False
        except sqlite3.Error as error:
            raise self._unsaved(error) from None
        finally:
            if begun and self._base.in_transaction:
                self._base.execute("ROLLBACK")
            self._block = (-1, [])
        return count

    def _put(self, block: int, texts: Sequence[bytes], rows: Sequence[tuple[Json, ...]]) -> None:
        """Write a block and its rows."""
        data = zlib.compress(b"[" + b",".join(texts) + b"]", 1)
        self._base.execute("INSERT INTO blocks VALUES (?, ?)", (block, data))
        self._base.executemany(f"INSERT INTO matches VALUES ({', '.join('?' * (3 + len(COLUMNS)))})", rows)

    # Tables

    def arrow(self) -> pyarrow.Table:
        """All records as a table of Arrow's: a row for each, its deals as a list of structures.

        Values without a fixed shape (house rules, a position, the result) are JSON text. `of_arrow` restores the
        records. Needs the extra `frames`; raises OptionError without it.
        """
        return to_arrow(self.dicts())


def no_base(error: sqlite3.Error) -> str:
    """Why a file that is an SQLite database cannot be used."""
    if isinstance(error, sqlite3.ProgrammingError):
        return "the file has been closed"
    name = getattr(error, "sqlite_errorname", None) or ""
    known = (why for start, why in SQLITE.items() if name.startswith(start))
    return next(known, "the file is damaged, or was made by another program")


def summary(keys: Mapping[str, Json]) -> tuple[Json, ...]:
    """The values of COLUMNS of a record. Raises RecordError if it is none."""
    what, mend = "a record to be collected", "mend the record"
    deals = keys.get("deals")
    if keys.get("cardtable") != RECORD or not isinstance(keys.get("game"), str) or not isinstance(deals, list):
        why = "it does not say which game and format it is of, or has no deals"
        raise RecordError(what, why, "give records as docs/api.md says")
    try:
        moves = sum(len(deal["moves"]) for deal in deals)
    except (TypeError, KeyError):
        raise RecordError(what, "a deal has no moves", mend) from None
    values = {name: keys.get(name) for name in COLUMNS[:6]}
    for name, kind in (("rules", str), ("title", str), ("seats", int), ("seed", str)):
        if values[name] is not None and not isinstance(values[name], kind):
            raise RecordError(what, f"its {name} is {repr(values[name])[:40]}", mend)
    if not isinstance(values["version"], int):
        values["version"] = None
    return (*values.values(), len(deals), moves, int(keys.get("unfinished") is True))


def read(path: str | os.PathLike[str]) -> Iterator[JsonObject]:
    """The records of a file: a collection, JSON Lines (one record in each line), or one record in TOML.

    Raises RecordError.
    """
    import msgspec

    file = Path(path)
    piped: bytes | None = None
    try:
        if file.is_file() or not file.exists():
            with file.open("rb") as data:
                start = data.read(len(MAGIC))
        else:  # a pipe can be read only once
            piped = platform.read_named(file)
            start = piped[: len(MAGIC)]
    except OSError as error:
        why = error.strerror or str(error)
        raise RecordError(f"records {file}", why, "check its name", code="record/file") from None
    if start == MAGIC:
        with Collection(file) as collection:
            yield from collection.dicts()
    elif start.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"{":
        decode = msgspec.json.Decoder(dict[str, Json]).decode
        with file.open("rb") if piped is None else io.BytesIO(piped) as lines:
            for number, line in enumerate(lines, 1):
                try:
                    if line := line.removeprefix(codecs.BOM_UTF8).strip():
                        yield decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    why = _no_json(error, line)
                    raise RecordError(f"records {file}, line {number}", why, "write one record in each line") from None
    else:
        yield Record.load(file, data=piped).as_dict()


def _no_json(error: Exception, line: bytes) -> str:
    """Why a line is not a JSON object, and where: msgspec names a byte, unless the line is cut off."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    place = re.search(r"\(byte (\d+)\)|truncated", str(error))
    if place is None:
        return "it is no JSON object"
    right = line[: int(place[1])] if place[1] else line
    return f"it is no JSON from column {len(right.decode(errors='replace')) + 1} on"


def write_lines(path: str | os.PathLike[str], records: Iterable[Mapping[str, Json]]) -> int:
    """Write records as JSON Lines; return how many. Raises SaveError."""
    import msgspec

    count = 0
    with replacing(path) as temporary, temporary.open("wb") as file:
        for keys in records:
            file.write(msgspec.json.encode(keys) + b"\n")
            count += 1
    return count


TEXT = ("options", "position", "result", "cuts")  #: keys of a record that are JSON text in a table


def to_arrow(records: Iterable[Mapping[str, Json]]) -> pyarrow.Table:
    """Records as a table of Arrow's (`Collection.arrow`). Raises OptionError without pyarrow."""
    need_arrow("records as Arrow")
    import msgspec
    import pyarrow as pa

    deal = pa.struct(
        {
            "deal": pa.int32(),
            "pack": pa.string(),
            "reshuffles": pa.list_(pa.string()),
            "moves": pa.list_(pa.string()),
            "winner": pa.int8(),
            "payoff": pa.list_(pa.int64()),
        }
    )
    plain = {
        "cardtable": pa.int32(),
        "game": pa.string(),
        "version": pa.int32(),
        "rules": pa.string(),
        "title": pa.string(),
        "seats": pa.int8(),
        "seed": pa.string(),
        "dealer": pa.int8(),
        "unfinished": pa.bool_(),
    }
    schema = pa.schema(plain | dict.fromkeys((*TEXT, "more"), pa.string()) | {"deals": pa.list_(deal)})
    rows = []
    for keys in records:
        row = {name: keys.get(name) for name in (*plain, "deals")}
        row |= {name: msgspec.json.encode(keys[name]).decode() for name in TEXT if name in keys}
        if more := {name: value for name, value in keys.items() if name not in schema.names}:
            row["more"] = msgspec.json.encode(more).decode()
        rows.append(row)
    try:
        return pa.Table.from_pylist(rows, schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        why = "a value is not of the kind that its column has"
        raise RecordError("records as Arrow", why, "mend the record: docs/api.md says its form") from None


def of_arrow(table: pyarrow.Table) -> Iterator[Record]:
    """The records of a table made by `to_arrow`."""
    import msgspec

    for batch in table.to_batches(1000):
        for row in batch.to_pylist():
            keys = {name: value for name, value in row.items() if value is not None and name != "more"}
            keys |= {name: msgspec.json.decode(keys[name]) for name in TEXT if name in keys}
            keys |= msgspec.json.decode(row["more"]) if row["more"] else {}
            keys["deals"] = [
                {name: value for name, value in deal.items() if value is not None} for deal in keys["deals"]
            ]
            yield Record(keys)
