"""A position: any situation in mid-deal, as readable text (TOML) or as a dict; each can be turned into the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from cardtable.base import toml
from cardtable.base.errors import PositionError
from cardtable.base.types import Json, JsonObject


@dataclass(frozen=True)
class PositionKeys:
    """Everything on the table, as data. `keys` are those of docs/api.md §4 and of the game."""

    keys: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def parse(cls, given: str | Mapping[str, Json] | Self) -> Self:
        """A position from text or a dict. Raises PositionError (`position/syntax`)."""
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            return cls(dict(given))
        if not isinstance(given, str):
            what = f"a position given as {type(given).__name__}"
            why = "a position is text or a dict"
            raise PositionError(what, why, 'write lines such as: hands = ["9S KS", "8S JS"]', code="position/syntax")
        try:
            return cls(toml.loads(given))
        except toml.NotToml as error:
            can = 'write lines such as: hands = ["9S KS", "8S JS"]'
            raise PositionError("this text is no position", error.why, can, code="position/syntax") from None

    @property
    def text(self) -> str:
        """The position as TOML."""
        return toml.dumps(self.keys)

    def as_dict(self) -> JsonObject:
        """The position as a JSON-able dict."""
        return dict(self.keys)

    def __str__(self) -> str:
        return self.text
