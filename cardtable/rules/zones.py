"""Zones: the places on the table. A client needs nothing else to draw them, in particular no rules.

They are a closed family of shapes: `Hand`, `Row`, `Column`, `Trick`, `Pile`, `Stock`, `Pot`, `Score` and `Actions`.
docs/reference/view.md lists their names in each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal, cast

import msgspec

from cardtable.base.cards import RANKS, card_text, cards_in
from cardtable.base.message import Cards, Message, Seat, as_data, mark
from cardtable.base.types import CardText, Json, JsonObject, MoveText, SeatNumber

NOTHING = Message("")
Stamp = Literal["", "made", "broken"]


@dataclass(frozen=True)
class Fact:
    """A fact about a zone: words for people, and a named value for programs (docs/api.md §3)."""

    message: Message = NOTHING  #: in a few words; empty: people see it in some other way
    name: str = ""  #: empty: the fact is not for programs
    value: Json = None
    coins: bool = False  #: `value` is the seat's number of chips, markers or the like; people also see the name
    others: bool = False  #: only for others: the owner of the zone knows it anyway
    #: a memory aid: public knowledge of a player who keeps count, such as cards that a seat must hold
    aid: bool = False
    stamp: Stamp = ""  #: what a seat has announced, and has now done or can do no more
    #: what players look for most, shown in large: a number, or one and its goal (None: not known yet)
    figure: tuple[int | None, ...] = ()

    @cached_property
    def data(self) -> JsonObject:
        """The fact as people see it, as plain JSON."""
        data: JsonObject = {"message": as_data(self.message)}
        data |= ({"coins": self.value} if self.coins else {}) | ({"aid": True} if self.aid else {})
        data |= {"figure": list(self.figure)} if self.figure else {}
        return data | ({"stamp": self.stamp} if self.stamp else {})


@lru_cache(4096)
def chips(n: int) -> Fact:
    """The chips of a seat or in a pot; below 0, the seat owes them."""
    return Fact(
        Message("{n} {n:chip|chips}", n=n) if n >= 0 else Message("owes {n} {n:chip|chips}", n=-n),
        mark("chips"),
        n,
        coins=True,
    )


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
    """Cards that a seat is known not to hold."""
    return Fact(Message("has no {cards}", cards=Cards(which)), "lacks", which, others=True, aid=True)


@dataclass(frozen=True)
class Together:
    """Cards of a hand that a seat chooses together, in any order.

    The move consists of steps: these cards, in the order of `cards`, then `done`.
    """

    #: cards to choose from, in the order of notation; a card twice if there are two of it
    cards: tuple[CardText, ...]
    least: int
    most: int
    done: MoveText  #: the last step
    ask: Message  #: the question to the seat
    labels: tuple[Message, ...]  #: the effect of the whole move, with `least` cards, with one more, ..., with `most`

    def as_dict(self) -> JsonObject:
        """The choice as a JSON-able dict."""
        return {
            "cards": list(self.cards),
            "least": self.least,
            "most": self.most,
            "done": self.done,
            "ask": as_data(self.ask),
            "labels": [as_data(label) for label in self.labels],
        }


@dataclass(frozen=True)
class Spread:
    """Chips that a seat spreads over pots: `moves` has the legal move for each way to do it, by the chips on each pot
    (`1 0 3`).
    """

    on: tuple[str, ...]  #: the pots' names
    chips: int  #: how many to put down in all
    start: tuple[int, ...]  #: the suggestion to start from
    moves: Mapping[str, MoveText]
    ask: Message  #: the question to the seat
    then: Message  #: what follows
    label: Message  #: the effect of the move

    def as_dict(self) -> JsonObject:
        """The choice as a JSON-able dict."""
        return {
            "on": list(self.on),
            "chips": self.chips,
            "start": list(self.start),
            "moves": dict(self.moves),
            "ask": as_data(self.ask),
            "then": as_data(self.then),
            "label": as_data(self.label),
        }


def _plain(value: Json) -> Json:
    """A field of a shape as plain JSON."""
    return (
        value.as_dict() if isinstance(value, (Together, Spread)) else list(value) if isinstance(value, tuple) else value
    )


class ZoneSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the table, to be drawn.

    Only some kinds of zones have the fields below `facts`. A field is omitted if it has its default value. `together`
    and `spread` are moves of many parts, only for a viewer who can make them.
    """

    kind: str  #: hand, row, column, trick, pile, stock, pot, score or action
    name: str  #: for programs: `hand-0`
    label: Any  #: a message
    seats: tuple[int, ...]  #: its owners; none: everybody
    cards: tuple[str | None, ...]  #: in order; null: face down, or a gap
    count: int  #: of cards; in a pot of chips, in a score of points
    #: `message`, `coins` for a number of chips, markers or the like, `aid` for a help to the memory, `stamp` for a bid:
    #: `made` or `broken`, `figure` for what counts most: `[n]`, or `[n, goal]`, where the goal may be null
    facts: list[dict[str, Any]]
    chosen: list[str] = []  #: cards already put into the set in preparation
    #: cards of which some can be chosen together, in any order: `{cards, least, most, done, ask, labels}`. They are
    #: sent as one move of several steps, `5H 6C done`, in the order of `cards`. labels: the effect of the move with
    #: `least` cards, with one more, and so on (messages)
    together: dict[str, Any] | None = None
    #: how the player of this game sorts the hand, if not by suit with the ace low: `{by, ranks, suits, apart}`. by:
    #: "suit" or "rank"; ranks: from low to high; suits: trumps last; apart: ranks that stand after all others
    order: dict[str, str] | None = None
    suit: str = ""  #: of a row from ace to king; of a pile: the suit in play, if it is not the top card's
    founders: list[str] = []  #: cards that may open the row
    sides: list[int] = []  #: of a suit that two seats fill: who begins at the ace, and who at the king
    grows: bool = False  #: a sequence, whose cards also lie with the players who laid them
    due: list[str] = []  #: the only cards that can be laid here next
    leader: int | None = None  #: of a trick
    by: list[int] | None = None  #: who played each card of a trick
    side_by_side: bool = False  #: all cards of the pile can be seen
    won: bool = False  #: the pile is face down and only counted
    on: list[str] = []  #: the cards on which the chips of a pot lie
    #: chips to be put on pots: `{on, chips, start, moves, ask, then, label}`. moves: the move for each distribution, by
    #: the chips on each pot of `on` (`"1 0 3 0"`); ask, then and label are messages
    spread: dict[str, Any] | None = None


@dataclass(frozen=True)
class Zone:
    """A place on the table. The moves specify their zone (`Move.source`)."""

    kind: ClassVar[str] = ""  #: hand, row, column, trick, pile, stock, pot, score or action
    _own: ClassVar[tuple[str, ...]] = ()  #: the fields of this shape only

    name: str  #: unique in a view
    seats: tuple[SeatNumber, ...] = ()  #: whose it is: a seat's, a side's; empty: everybody's
    cards: tuple[CardText | None, ...] = ()  #: in order; None: a card face down, or a gap
    count: int = 0  #: the number of cards, or of chips in a pot, or of points in a score
    facts: tuple[Fact, ...] = ()  #: its facts
    label: Message = NOTHING  #: its name, without whose it is

    @property
    def seat(self) -> SeatNumber | None:
        """Whose it is; None: everybody's, or a side's."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def notes(self) -> dict[str, Any]:
        """The values of its facts, by name."""
        return {fact.name: fact.value for fact in self.facts if fact.name}

    @property
    def text(self) -> str:
        """Its facts in English."""
        return ", ".join(str(fact.message) for fact in self.facts if fact.message)

    def told(self, viewer: SeatNumber | None) -> list[Fact]:
        """The facts that a viewer (None: a spectator) sees in words."""
        if not self.facts:
            return []
        mine = viewer is not None and self.seats == (viewer,)
        return [fact for fact in self.facts if fact.message and not (mine and fact.others)]

    @property
    def shape(self) -> JsonObject:
        """The fields of its shape as plain JSON, without empty ones."""
        return self._shaped()

    @property
    def label_data(self) -> Json:
        """Its label as plain JSON."""
        return as_data(self.label)

    def seen_by(self, viewer: SeatNumber | None, chooses: bool = False) -> ZoneSeen:
        """The zone as sent to a viewer (None: a spectator). chooses: they may make moves."""
        # Kept: a zone that looks the same to everybody is one object, at many tables. Python 3.11's `cached_property`
        # takes a lock, which costs more than most zones.
        if seen_by_all := self.__dict__.get("_seen_by_all"):
            return cast(ZoneSeen, seen_by_all)
        shape = self.shape
        moves = isinstance(self, (Actions, Hand))
        if not (moves and shape.keys() - {"order"}) and not any(fact.others for fact in self.facts):
            self.__dict__["_seen_by_all"] = seen = self._seen(None, shape)
            return seen
        if moves and not chooses:
            shape = {name: part for name, part in shape.items() if name in ("chosen", "order")}
        return self._seen(viewer, shape)

    def _seen(self, viewer: SeatNumber | None, shape: JsonObject) -> ZoneSeen:
        facts = [fact.data for fact in self.told(viewer)]
        return ZoneSeen(self.kind, self.name, self.label_data, self.seats, self.cards, self.count, facts, **shape)

    def _shaped(self) -> JsonObject:
        return {name: _plain(value) for name in self._own if (value := getattr(self, name))}

    def as_dict(self) -> JsonObject:
        """The zone as a JSON-able dict."""
        data: JsonObject = {
            "kind": self.kind,
            "name": self.name,
            "label": str(self.label),
            "seat": self.seat,
            "seats": list(self.seats),
            "cards": list(self.cards),
            "count": self.count,
            "text": self.text,
            "notes": self.notes,
        }
        return data | self._shaped()


@dataclass(frozen=True)
class HandOrder:
    """How the player of a game sorts a hand: by suit or by rank, in the order of `suits` and `ranks`."""

    by: Literal["suit", "rank"] = "suit"
    ranks: str = RANKS  #: from low to high
    suits: str = "SHCD"  #: colours alternate; trumps are the last
    apart: str = ""  #: ranks that stand after all others, such as wild cards

    def key(self, card: CardText) -> tuple[bool, int, int]:
        """What cards are sorted by. Jokers come first."""
        rank, suit = self.ranks.find(card[0]), self.suits.find(card[1])
        return card[0] in self.apart, *((rank, suit) if self.by == "rank" else (suit, rank))

    def as_dict(self) -> dict[str, str]:
        """The order as a JSON-able dict."""
        return {"by": self.by, "ranks": self.ranks, "suits": self.suits, "apart": self.apart}


BY_SUIT = HandOrder()
BY_RANK = HandOrder("rank")
ACE_HIGH = HandOrder(ranks=RANKS[1:] + "A")


@dataclass(frozen=True)
class Hand(Zone):
    """A seat's cards.

    `chosen`: cards that it has already put into a set; `together`: cards that it can choose together now; `order`: how
    its player sorts it.
    """

    kind = "hand"
    _own = ("chosen", "together")
    label: Message = Message("hand", context="zone")
    chosen: tuple[CardText, ...] = ()
    together: Together | None = None
    order: HandOrder = BY_SUIT

    def in_order(self) -> list[tuple[int, CardText]]:
        """Its open cards in its order, each with its place in `cards`."""
        open_cards = [(place, card) for place, card in enumerate(self.cards) if card]
        return sorted(open_cards, key=lambda one: self.order.key(one[1]))

    def _shaped(self) -> JsonObject:
        order = {} if self.order is BY_SUIT or not any(self.cards) else {"order": self.order.as_dict()}
        return super()._shaped() | order


@dataclass(frozen=True)
class Row(Zone):
    """Open cards side by side.

    With `suit`, a suit from ace to king with gaps (without cards while it is closed), and the cards that may open it.
    `sides`: of a suit that two seats fill, the seat that begins at the ace and the one at the king. `grows`: a
    sequence that grows at its end; its cards also lie with the players who laid them. `due`: the only cards that can
    be laid here next, by public knowledge; they are still in a hand, or in none.
    """

    kind = "row"
    _own = ("suit", "founders", "sides", "grows", "due")
    suit: str = ""
    founders: tuple[CardText, ...] = ()
    sides: tuple[SeatNumber, ...] = ()
    grows: bool = False
    due: tuple[CardText, ...] = ()


@dataclass(frozen=True)
class Column(Zone):
    """A column of a patience."""

    kind = "column"


@dataclass(frozen=True)
class Trick(Zone):
    """The current trick: who leads, and who played each card."""

    kind = "trick"
    label: Message = Message("trick", context="zone")
    leader: SeatNumber = 0
    by: tuple[SeatNumber, ...] = ()

    @property
    def shape(self) -> JsonObject:
        """The fields that only a trick has."""
        return {"leader": self.leader, "by": list(self.by)}


@dataclass(frozen=True)
class Pile(Zone):
    """A heap of cards, the top one last.

    `side_by_side`: all its cards are visible; `won`: it is face down and only counted; `suit`: the suit in play here,
    if it is not the top card's.
    """

    kind = "pile"
    _own = ("suit", "side_by_side", "won")
    label: Message = Message("pile", context="zone")
    suit: str = ""
    side_by_side: bool = False
    won: bool = False


@dataclass(frozen=True)
class Stock(Zone):
    """Cards face down, to draw or to deal from."""

    kind = "stock"
    label: Message = Message("stock", context="zone")


@dataclass(frozen=True)
class Pot(Zone):
    """Chips in the middle, perhaps on cards."""

    kind = "pot"
    _own = ("on",)
    label: Message = Message("pot", context="zone")
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score(Zone):
    """Something shown in words only: a score, a payment due."""

    kind = "score"
    label: Message = Message("score", context="zone")


@dataclass(frozen=True)
class Actions(Zone):
    """Something that the viewer puts together: chips to put down. Its facts give the notation.

    Without `spread`, an empty place on the table for moves without cards, such as a knock.
    """

    kind = "action"
    _own = ("spread",)
    label: Message = Message("actions", context="zone")
    spread: Spread | None = None


#: all shapes
SHAPES: tuple[type[Zone], ...] = (Hand, Row, Column, Trick, Pile, Stock, Pot, Score, Actions)


def labelled(zone: Zone) -> Message:
    """The name of a zone, and whose it is."""
    return (
        Message("{label} ({seats})", label=zone.label, seats=[Seat(seat) for seat in zone.seats])
        if zone.seats
        else zone.label
    )


@lru_cache(4096)
def row(laid: int, suit: int) -> tuple[CardText | None, ...]:
    """The cards of a row that is a suit from ace to king, with gaps. laid: a set of cards, bit r for rank r."""
    return tuple(card_text(13 * suit + rank) if laid >> rank & 1 else None for rank in range(13))


def cards_or_backs(cards: int, seen: bool, count: int) -> tuple[str | None, ...]:
    """The cards of a zone for viewers who see them; otherwise their backs."""
    return tuple(map(card_text, cards_in(cards))) if seen else (None,) * int(count)
