"""Zones: the places on the table. Whoever draws them needs nothing else and knows no rules.

They are a closed family of shapes: `Hand`, `Row`, `Column`, `Trick`, `Pile`, `Stock`, `Pot`, `Score` and `Actions`.
Docs/api.md §3 lists the names under which the games have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from cardtable.cards import card_text
from cardtable.message import Cards, Message, Seat, as_data, mark
from cardtable.types import CardText, Json, JsonObject, MoveText, SeatNumber

NOTHING = Message("")


@dataclass(frozen=True)
class Fact:
    """Something to be known about a zone: words for people, and for programs a value by its name (docs/api.md §3)."""

    message: Message = NOTHING  #: in a few words; empty: people see it in another way
    name: str = ""  #: empty: nothing for programs
    value: Json = None
    coins: bool = False  #: `value` is a number of chips, markers or the like, which the seat has; people are told the name, too
    others: bool = False  #: it is no news to the player whose zone it is

    @cached_property
    def data(self) -> JsonObject:
        """What people are told, as plain JSON."""
        return {"message": as_data(self.message)} | ({"coins": self.value} if self.coins else {})


@lru_cache(4096)
def chips(n: int) -> Fact:
    """The chips of a seat or in a pot; below 0 a seat owes them."""
    return Fact(Message("{n} {n:chip|chips}", n=n) if n >= 0 else Message("owes {n} {n:chip|chips}", n=-n), mark("chips"), n, coins=True)


@lru_cache(1024)
def won(n: int) -> Fact:
    """The deals that a seat has won."""
    return Fact(Message("{n} {n:deal|deals} won", n=n), "won", n)


@lru_cache(4096)
def score(n: int) -> Fact:
    """The score of a seat."""
    return Fact(Message("score {n}", n=n), "score", n)


@lru_cache(4096)
def points(n: int) -> Fact:
    """The points of a seat."""
    return Fact(Message("{n} {n:point|points}", n=n), "points", n)


@lru_cache(1024)
def lacks(which: str) -> Fact:
    """Cards that a seat has shown not to hold."""
    return Fact(Message("has no {cards}", cards=Cards(which)), "lacks", which, others=True)


@dataclass(frozen=True)
class Together:
    """Cards of a hand that a seat chooses together, in any order it likes. The move is made of steps: these cards, in the order of `cards`, then `done`."""

    cards: tuple[CardText, ...]  #: that may be chosen, in the order in which a move names them; one twice if there are two of it
    least: int
    most: int
    done: MoveText  #: the last step
    ask: Message  #: what is asked of the seat
    labels: tuple[Message, ...]  #: what the whole move does, with `least` cards, with one more, ..., with `most`

    def as_dict(self) -> JsonObject:
        """The choice as a JSON-able dict."""
        return {"cards": list(self.cards), "least": self.least, "most": self.most, "done": self.done, "ask": as_data(self.ask),
                "labels": [as_data(label) for label in self.labels]}  # fmt: skip


@dataclass(frozen=True)
class Spread:
    """Chips that a seat spreads over pots: `moves` has the legal move for each way to do it, by the chips on each pot (`1 0 3`)."""

    on: tuple[str, ...]  #: the pots' names
    chips: int  #: to be put down in all
    start: tuple[int, ...]  #: what is offered first
    moves: Mapping[str, MoveText]
    ask: Message  #: what is asked of the seat
    then: Message  #: what follows
    label: Message  #: what the move does

    def as_dict(self) -> JsonObject:
        """The choice as a JSON-able dict."""
        return {"on": list(self.on), "chips": self.chips, "start": list(self.start), "moves": dict(self.moves), "ask": as_data(self.ask),
                "then": as_data(self.then), "label": as_data(self.label)}  # fmt: skip


def _plain(value: Json) -> Json:
    """A field of a shape as plain JSON."""
    return value.as_dict() if isinstance(value, (Together, Spread)) else list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Zone:
    """A place on the table. Which moves can be made there, the moves tell (`Move.source`)."""

    kind: ClassVar[str] = ""  #: hand, row, column, trick, pile, stock, pot, score or action
    _own: ClassVar[tuple[str, ...]] = ()  #: the fields that only its shape has

    name: str
    seats: tuple[SeatNumber, ...] = ()  #: whose it is: a seat's, a side's; empty: everybody's
    cards: tuple[CardText | None, ...] = ()  #: in order; None: a card face down, or a gap
    count: int = 0  #: cards; of a pot chips, of a score points
    facts: tuple[Fact, ...] = ()
    label: Message = NOTHING  #: what it is, without whose

    @property
    def seat(self) -> SeatNumber | None:
        """Whose it is; None: everybody's, or a side's."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def notes(self) -> dict[str, Any]:
        """The values of its facts, by their names."""
        return {fact.name: fact.value for fact in self.facts if fact.name}

    @property
    def text(self) -> str:
        """Its facts in English."""
        return ", ".join(str(fact.message) for fact in self.facts if fact.message)

    def told(self, viewer: SeatNumber | None) -> list[Fact]:
        """The facts that a viewer (None: a spectator) is told in words."""
        mine = viewer is not None and self.seats == (viewer,)
        return [fact for fact in self.facts if fact.message and not (mine and fact.others)]

    @property
    def shape(self) -> JsonObject:
        """What only its shape has, as plain JSON; what is empty is left out."""
        found = {name: getattr(self, name) for name in self._own}
        return {name: _plain(value) for name, value in found.items() if value}

    def as_dict(self) -> JsonObject:
        """The zone as a JSON-able dict."""
        told: JsonObject = {"kind": self.kind, "name": self.name, "label": str(self.label), "seat": self.seat, "seats": list(self.seats),
                                "cards": list(self.cards), "count": self.count, "text": self.text, "notes": self.notes}  # fmt: skip
        return told | self.shape


@dataclass(frozen=True)
class Hand(Zone):
    """A seat's cards. `chosen`: those that it has put into a set already; `together`: cards that it can put together now."""

    kind = "hand"
    _own = ("chosen", "together")
    label: Message = Message("hand")
    chosen: tuple[CardText, ...] = ()
    together: Together | None = None


@dataclass(frozen=True)
class Row(Zone):
    """Open cards side by side. With `suit`, a suit from ace to king with gaps (none while it is closed), and the cards that may found it."""

    kind = "row"
    _own = ("suit", "founders")
    suit: str = ""
    founders: tuple[CardText, ...] = ()


@dataclass(frozen=True)
class Column(Zone):
    """A column of a patience."""

    kind = "column"


@dataclass(frozen=True)
class Trick(Zone):
    """The current trick: who leads, and by whom each card was played."""

    kind = "trick"
    label: Message = Message("trick")
    leader: SeatNumber = 0
    by: tuple[SeatNumber, ...] = ()

    @property
    def shape(self) -> JsonObject:
        """What only a trick has."""
        return {"leader": self.leader, "by": list(self.by)}


@dataclass(frozen=True)
class Pile(Zone):
    """A heap of cards, of which the last is the top. `side_by_side`: all its cards are to be seen; `won`: it is kept face down and only counts."""

    kind = "pile"
    _own = ("side_by_side", "won")
    label: Message = Message("pile")
    side_by_side: bool = False
    won: bool = False


@dataclass(frozen=True)
class Stock(Zone):
    """Cards face down, to draw or to deal from."""

    kind = "stock"
    label: Message = Message("stock")


@dataclass(frozen=True)
class Pot(Zone):
    """Chips in the middle, perhaps on cards."""

    kind = "pot"
    _own = ("on",)
    label: Message = Message("pot")
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score(Zone):
    """What is said and not drawn: a score, what is due."""

    kind = "score"
    label: Message = Message("score")


@dataclass(frozen=True)
class Actions(Zone):
    """What the viewer is to put together: chips to be put down. Its facts tell how that is written."""

    kind = "action"
    _own = ("spread",)
    label: Message = Message("actions")
    spread: Spread | None = None


#: the whole family
SHAPES: tuple[type[Zone], ...] = (Hand, Row, Column, Trick, Pile, Stock, Pot, Score, Actions)


def labelled(zone: Zone) -> Message:
    """What a zone is called, and whose it is."""
    return Message("{label} ({seats})", label=zone.label, seats=[Seat(seat) for seat in zone.seats]) if zone.seats else zone.label


@lru_cache(4096)
def row(laid: int, suit: int) -> tuple[CardText | None, ...]:
    """The cards of a row that is a suit from ace to king, with gaps. laid: a set of cards, bit r for rank r."""
    return tuple(card_text(13 * suit + rank) if laid >> rank & 1 else None for rank in range(13))
