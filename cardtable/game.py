"""What a game is to everything above it: a card with its name, its options, and where its rules and words are."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol, cast

from cardtable.cards import card_text
from cardtable.options import Options


@dataclass(frozen=True)
class Zone:
    """A place on the table, to be drawn: a client needs nothing else and knows no rules.

    `kind` is hand, row, column, trick, pile, pot, stock, score or action; `seat` its owner or None. `cards` are the visible cards in order (None:
    a face-down card or a gap), `count` how many there are, `text` what is written on it, `notes` more to say.
    `clicks` tells which legal move a click on a card (its text) or on the zone ("") makes.
    """

    kind: str
    name: str
    label: str
    seat: int | None = None
    cards: tuple[str | None, ...] = ()
    count: int = 0
    text: str = ""
    notes: Mapping[str, Any] = field(default_factory=dict)
    clicks: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The zone as a JSON-able dict."""
        return {"kind": self.kind, "name": self.name, "label": self.label, "seat": self.seat, "cards": list(self.cards),
                "count": self.count, "text": self.text, "notes": dict(self.notes), "clicks": dict(self.clicks)}  # fmt: skip


@lru_cache(4096)
def row(laid: int, suit: int) -> tuple[str | None, ...]:
    """The cards of a zone that is a suit from ace to king, with gaps. laid: a set of cards, bit r for rank r."""
    return tuple(card_text(13 * suit + rank) if laid >> rank & 1 else None for rank in range(13))


@dataclass(frozen=True)
class Outlook:
    """Whether anything useful is left to do, from what a seat knows: True, a line of moves shows it; False, proved; None, not known."""

    useful: bool | None
    text: str
    moves: tuple[str, ...] = ()  #: the line, in order

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, Any]:
        """The answer as a JSON-able dict."""
        return {"useful": self.useful, "text": self.text, "moves": list(self.moves)}


class Rules(Protocol):
    """What a game's `rules.py` gives beside the compiled contract."""

    State: type[Any]
    MAX_MOVES: int

    def setup(self, s: Any, game: str, options: Any, seats: int) -> None:
        """Fill a new state's rules from resolved options."""


class Words(Protocol):
    """A game's `words.py`: its plain-Python side, text for people.

    A game that can tell whether anything useful is left has one name more (`Foresight`), and so has one whose moves need to be
    spelled out (`Spelling`).
    """

    #: rule ID -> what a payment of that rule is for ("for passing")
    REASONS: Mapping[str, str]
    #: the game's own kinds of events (from contract.OWN on): name, sentence with {source} {target} {amount} {card} {chips} {cards}
    SAYS: Mapping[int, tuple[str, str]]
    #: rule ID that says when a deal is over
    END_RULE: str
    #: rule ID of the order of turns
    TURN_RULE: str

    def move_text(self, s: Any, move: int) -> str:
        """A move in notation; the pair of `parse_move`."""

    def parse_move(self, s: Any, text: str) -> int:
        """The move that text names, legal or not. Raises NotationError."""

    def why_not(self, s: Any, seat: int, move: int) -> tuple[str, str]:
        """Why a move of a seat that may act is not legal: reason, and its rule ID or decided question."""

    def automatic(self, s: Any, seat: int, move: int) -> bool:
        """Whether the rulebook calls this only legal move forced, so that Match makes it."""

    def zones(self, s: Any, viewer: int, legal: Sequence[int]) -> list[Zone]:
        """The table for a viewer (-1: spectator) from a state redacted for him; legal: his moves."""

    def position(self, s: Any) -> dict[str, Any]:
        """The keys of a position that are the game's own or that it fills: hands, turn, stacks, pot and more."""

    def set_position(self, s: Any, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
        """Put a position into a state just set up; raise PositionError if it cannot be.

        It pops from `keys` what it understands. `shuffle` puts a list into random order in place (cards unlisted).
        """


class Foresight(Protocol):
    """What the words of a game give beside `Words` if players may ask whether anything useful is left."""

    def outlook(self, s: Any, seat: int) -> Outlook:
        """The honest answer, within a second, for a seat that may act, from a state redacted for it."""


class Spelling(Protocol):
    """What the words of a game give beside `Words` if its notation does not tell which cards a move is about."""

    def spelled(self, s: Any, move: int) -> str:
        """The cards of a move and where they go, to stand behind its notation, from a state redacted for who may make it."""


@dataclass(frozen=True)
class Game:
    """One game of the catalog. Importing it imports no rules: `rules` and `words` do, when asked for."""

    name: str
    title: str
    package: str  #: the family's package, which has `rules` and `words`
    options: type[Options]
    best: tuple[int, int]  #: fewest and most seats that the sources call best
    version: int  #: of the rules; changes only when behaviour does
    summary: str
    aliases: tuple[str, ...] = ()
    page: str = ""  #: file of the rulebook page within the package; default rules.md
    lowest_wins: bool = False  #: the lowest score is the best
    module: str = "rules"  #: the module of the package with the game's `State` and rules
    deals_won: bool = True  #: a deal is won by somebody; where it is only lost, or each seat gets its score, there is nothing to count
    wait: str = ""  #: in a game played in ticks: the move that lets one pass

    @property
    def presets(self) -> tuple[str, ...]:
        """The names of the presets; the first is the default."""
        return tuple(self.options.presets)

    @property
    def seats(self) -> tuple[int, int]:
        """Fewest and most seats over all presets."""
        ranges = self.options.seat_range.values()
        return min(low for low, _ in ranges), max(high for _, high in ranges)

    @cached_property
    def rules(self) -> Rules:
        """The game's compiled rules (imports Numba)."""
        return cast(Rules, importlib.import_module(f"{self.package}.{self.module}"))

    @cached_property
    def words(self) -> Words:
        """The game's plain-Python side."""
        return cast(Words, importlib.import_module(self.package + ".words"))

    @property
    def outlook(self) -> Callable[[Any, int], Outlook] | None:
        """Whether anything useful is left, from a redacted state and its seat (`Match.outlook`); most games do not tell."""
        return cast(Foresight, self.words).outlook if hasattr(self.words, "outlook") else None

    @property
    def spelled(self) -> Callable[[Any, int], str] | None:
        """What a move means where its notation does not tell; most games' notation does."""
        return cast(Spelling, self.words).spelled if hasattr(self.words, "spelled") else None

    @property
    def rulebook(self) -> str:
        """The rulebook page, Markdown."""
        from importlib.resources import files

        return (files(self.package) / (self.page or "rules.md")).read_text("utf-8")

    def as_dict(self) -> dict[str, Any]:
        """The game for `games --json`."""
        return {"name": self.name, "title": self.title, "aliases": list(self.aliases), "presets": list(self.presets),
                "seats": list(self.seats), "best": list(self.best), "summary": self.summary}  # fmt: skip
