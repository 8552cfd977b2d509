"""A position: any situation in mid-deal, as readable text (TOML) or as a dict; each can be turned into the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardtable.base import toml
from cardtable.base.errors import PositionError
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject, SeatNumber


@dataclass(frozen=True)
class Position:
    """Everything on the table. `keys` are those of docs/api.md §4 and of the game."""

    keys: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def parse(cls, given: str | Mapping[str, Json] | Position) -> Position:
        """A position from text or a dict. Raises PositionError (`position/syntax`)."""
        if isinstance(given, Position):
            return given
        if isinstance(given, Mapping):
            return cls(dict(given))
        if not isinstance(given, str):
            raise PositionError(
                Message("a position given as {kind}", kind=type(given).__name__),
                Message("a position is text or a dict"),
                Message('write lines such as: hands = ["9S KS", "8S JS"]'),
                code="position/syntax",
            )
        try:
            return cls(toml.loads(given))
        except toml.NotToml as error:
            raise PositionError(
                Message("this text is no position"),
                error.why,
                Message('write lines such as: hands = ["9S KS", "8S JS"]'),
                code="position/syntax",
            ) from None

    @property
    def text(self) -> str:
        """The position as TOML."""
        return toml.dumps(self.keys)

    def svg(self, seat: SeatNumber | None = None) -> str:
        """The position as a picture, an SVG document: as a seat knows it; None: with all hands open.

        Raises PositionError, OptionError (no such seat).
        """
        from cardtable.match.match import Match
        from cardtable.match.pictures import scene_at
        from cardtable.picture.table import svg

        return svg(scene_at(Match.from_position(self, auto=False, pause=True), 1, seat=seat))

    def _repr_svg_(self) -> str:
        """The picture with all hands open, for notebooks."""
        return self.svg()

    def as_dict(self) -> JsonObject:
        """The position as a JSON-able dict."""
        return dict(self.keys)

    def __str__(self) -> str:
        return self.text
