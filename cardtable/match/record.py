"""The record of a match as data: a small TOML file (docs/api.md §5). `match.Record` adds what plays it again."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from cardtable.base import platform, toml
from cardtable.base.errors import (
    RecordError,
    no_such_deal,
    no_such_move,
)
from cardtable.base.files import replacing
from cardtable.base.message import Message
from cardtable.base.names import no_text
from cardtable.base.types import Json, JsonObject, MoveText, SeatNumber
from cardtable.rules import catalog

FORMAT = 1


@dataclass(frozen=True)
class RecordKeys:
    """A match as data: `keys` are those of the file."""

    keys: Mapping[str, Json]

    @classmethod
    def parse(cls, given: Self | str | Mapping[str, Json]) -> Self:
        """A record from its text or dict. Raises RecordError (`record/syntax`, `record/truncated`)."""
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            return cls(given)
        if not isinstance(given, str):
            raise RecordError(
                Message("a record given as {kind}", kind=type(given).__name__),
                Message("a record is text or a dict"),
                Message("read its file with Record.load"),
            )
        try:
            return cls(toml.loads(given))
        except toml.NotToml as error:
            raise cls._broken(given, error) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, data: bytes | None = None) -> Self:
        """Read a record from a file. data: its content, if read already. Raises RecordError."""
        try:
            text = platform.text_of(platform.read_named(path) if data is None else data)
        except FileNotFoundError:
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("there is no such file"),
                Message("check its name"),
                code="record/file",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("it cannot be read: {error}", error=error.strerror or str(error))
                if isinstance(error, OSError)
                else no_text(error),
                Message("give a text file"),
                code="record/file",
            ) from None
        if not text.strip():
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("the file is empty"),
                Message("name the file of a match"),
            )
        try:
            return cls.parse(text)
        except RecordError as error:
            raise error.of(path) from None

    @classmethod
    def _broken(cls, text: str, error: toml.NotToml) -> RecordError:
        """The error for text that is not TOML; for a truncated record, with the place where the text ends."""
        if not text.lstrip().startswith("cardtable") or not error.ended:
            return RecordError(
                Message("this text is not a record"),
                error.why,
                Message("a record is a TOML file that begins with: cardtable = 1"),
            )
        with contextlib.suppress(ValueError):
            cls(toml.loads(text[: text.rfind('",') + 1] + "]\n"))._check_truncated()
        deals = text.count("\n[[deals]]")
        return RecordError(
            Message("the record is cut off"),
            Message("its text ends in deal {deals}", deals=deals)
            if deals
            else Message("its text ends before the first deal"),
            Message("get the whole file"),
            code="record/truncated",
            deal=deals,
        )

    def _check_truncated(self) -> None:
        """Raise the error in a truncated record, if there is one other than the truncation."""

    def __str__(self) -> str:
        return toml.dumps(self.keys)

    def as_dict(self) -> JsonObject:
        """The record as a JSON-able dict."""
        return dict(self.keys)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a temporary file next to it and rename that: on a full disk the old file stays whole.

        Raises SaveError.
        """
        with replacing(path) as file:
            file.write_text(str(self), encoding="utf-8")

    @property
    def title(self) -> str:
        """The title of the match, from the name in the record. Raises RecordError, UnknownGame, OptionError."""
        game, rules = value_of(self.keys, "game", str), self.keys.get("rules")
        return catalog.variant(
            catalog.known_as(game, self.keys.get("title")), rules if isinstance(rules, str) else None
        ).title

    @property
    def length(self) -> int:
        """The number of moves in the record, as far as they can be read."""
        deals = self.keys.get("deals")
        moves = [deal.get("moves") for deal in deals if isinstance(deal, Mapping)] if isinstance(deals, list) else []
        return sum(len(one) for one in moves if isinstance(one, list))

    def before(self, deal: int, number: int = 1) -> Self:
        """The record as it was before a move of a deal (both from 1), unfinished.

        Raises RecordError if there is no such move.
        """
        texts = self._moves(deal)
        if not 1 <= number <= len(texts) + 1:
            raise no_such_move(deal, number, len(texts))
        deals = self.keys["deals"]
        cut = {name: value for name, value in deals[deal - 1].items() if name in ("deal", "pack", "reshuffles")} | {
            "moves": texts[: number - 1]
        }
        head = {name: value for name, value in self.keys.items() if name not in ("deals", "result", "unfinished")}
        return type(self)(head | {"unfinished": True, "deals": [*deals[: deal - 1], cut]})

    def acts(self, deal: int) -> list[tuple[SeatNumber, MoveText]]:
        """The moves of a deal (from 1), each with its seat. Raises RecordError."""
        return [split_act(text, deal, number) for number, text in enumerate(self._moves(deal), 1)]

    def act(self, deal: int, number: int) -> tuple[SeatNumber, MoveText]:
        """A move of a deal (both from 1) with its seat. Raises RecordError if there is no such move."""
        acts = self.acts(deal)
        if not 1 <= number <= len(acts):
            raise no_such_move(deal, number, len(acts))
        return acts[number - 1]

    def _moves(self, deal: int) -> list[Json]:
        """The moves of a deal as they are written. Raises RecordError."""
        deals = self.keys.get("deals")
        count = len(deals) if isinstance(deals, list) else 0
        if not 1 <= deal <= count:
            raise no_such_deal(deal, count)
        table = self.keys["deals"][deal - 1]
        texts = table.get("moves") if isinstance(table, Mapping) else None
        if not isinstance(texts, list):
            raise RecordError(
                Message("deal {deal} of the record", deal=deal),
                Message("it has no moves"),
                Message("write moves as docs/api.md says"),
                deal=deal,
            )
        return texts


def split_act(text: object, deal: int, number: int) -> tuple[SeatNumber, MoveText]:
    """The seat and the move of an act as it is written. Raises RecordError."""
    match = re.fullmatch(r"(\d{1,2}) (.+)", text) if isinstance(text, str) else None
    if not match:
        what = Message("deal {deal}, move {number}: {text}", deal=deal, number=number, text=repr(str(text)[:40]))
        raise RecordError(
            what,
            Message("a move is written '2 7H': seat, blank, move"),
            Message("mend the record"),
            deal=deal,
            number=number,
        )
    return int(match[1]), match[2]


_KINDS = {int: "a whole number", str: "text", list: "a list", dict: "a table", bool: "true or false"}


def value_of(keys: Mapping[str, Json], name: str, kind: type, deal: int = 0) -> Json:
    """A value of a record, or of one of its deals. Raises RecordError if it is missing or of another kind."""
    value = keys.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        what = Message("deal {deal} of the record", deal=deal) if deal else Message("the record")
        raise RecordError(
            what,
            Message("{name} is missing", name=name)
            if name not in keys
            else Message("{name} is not {kind}", name=name, kind=_KINDS[kind]),
            Message("write {name} as docs/api.md says", name=name),
            deal=deal,
        )
    return value
