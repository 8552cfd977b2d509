"""The rules of one table: a game, a preset, the seats and all house rules, resolved once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import msgspec

from cardtable.base.faces import Faces
from cardtable.base.types import JsonObject
from cardtable.rules import catalog
from cardtable.rules.catalog import Variant
from cardtable.rules.game import Game
from cardtable.rules.options import Options
from cardtable.rules.timing import RealTime, Window

if TYPE_CHECKING:
    from cardtable.rules.contract import State


class FacesSeen(msgspec.Struct, frozen=True):
    """What the cards of a table look like, if the player does not want other faces."""

    suits: str  #: french, italian, spanish or german
    short: bool  #: the pack has no 8, 9 and 10
    counts: tuple[int, ...]  #: what jack, queen and king count, where cards are added up; else empty


@dataclass(frozen=True)
class Ruleset(Variant):
    """A variant with the number of seats and the resolved house rules."""

    seats: int
    options: Options

    def __hash__(self) -> int:
        # The options are of one game's class, so that nothing is gained by its other fields.
        return hash((self.game.name, self.preset, self.title, self.seats, self.options))

    @classmethod
    def parse(
        cls,
        game: str | Game,
        preset: str | None = None,
        seats: int | None = None,
        house_rules: Mapping[str, object] | None = None,
    ) -> Self:
        """The ruleset of a game's name, a preset (None: the one that the name opens), a number of seats (None: the
        usual one) and house rules. Raises UnknownGame, OptionError.
        """
        opened = catalog.variant(game, preset)
        _, seats, options = opened.game.options.make(opened.preset, seats, house_rules or {})
        return cls(opened.game, opened.preset, opened.title, seats, options)

    @property
    def changed(self) -> JsonObject:
        """The fewest house rules from which it comes again."""
        return self.options.changed(self.preset, self.seats)

    @property
    def faces_seen(self) -> FacesSeen:
        """What the cards look like where these rules are played."""
        return FacesSeen(self._faces, self.faces().short, self.game.counts)

    def faces(self, name: str = "") -> Faces:
        """Those of `cardtable.base.faces` for the pack of these rules; "": the one that they are played with."""
        return Faces.of(name or self._faces, self.options.cards(self.seats))

    @property
    def _faces(self) -> str:
        return self.game.preset_words[self.preset].faces

    @property
    def real_time(self) -> RealTime | None:
        """How it is played in real time, if it is."""
        return self.game.real_time(self.options)

    @property
    def window(self) -> Window | None:
        """When seats answer at the same time, if they ever do."""
        return self.game.window(self.options)

    def state(self) -> State:
        """A new state; the match is not yet opened, and there is no key."""
        return self.game.new_state(self.options, self.seats)
