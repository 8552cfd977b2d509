"""Events: what moves brought about, as typed data and as messages.

Rules emit events as integers (`contract.emit`); a game's texts (`EVENTS`, `REASONS` in its presentation.py) give each
kind its name and its message. Programs find out what happened from the fields, never from the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import msgspec

from cardtable.base import card_names
from cardtable.base.cards import RANKS, SUITS, card_text
from cardtable.base.message import FIELD, Card, Message, Reader, Rule, Seat, Value, as_data
from cardtable.base.types import CardText, JsonObject, RuleID, SeatNumber
from cardtable.rules import contract

POT = Message("the pot")
CHIPS = Message("{n} {n:chip|chips}")
CARDS = Message("{n} {n:card|cards}")
SHARED_EVENTS = 4096  #: different events of a game that are kept to be shared

#: How a kind of event is shown at a table (docs/server.md): the set is closed, so that a client can show every event of
#: every game without game-specific code.
Beat = Literal[
    "deal",  #: cards are dealt
    "flip",  #: a card is turned up
    "draw",  #: a card goes from a stock or a pile to a player
    "play",  #: a card goes from a player, or from one place to another
    "capture",  #: cards gather, and go to the capturing player
    "trick",  #: a complete trick goes to its winner
    "chips",  #: chips go from a player or the pot to another
    "call",  #: an announcement: a bid, a claim, a suit
    "knock",
    "doubt",
    "reveal",  #: hidden cards are revealed
    "sunk",  #: a ship sinks
    "removed",  #: a run leaves the table
    "pass",
    "score",  #: points are counted
    "win",
    "none",  #: there is nothing to see but the sentence
]
BEATS: frozenset[str] = frozenset(get_args(Beat))


@dataclass(frozen=True)
class Places:
    """The places of a kind of event: their public keys, such as the suits' letters, and their names in a sentence."""

    keys: Sequence[str | int]
    names: Sequence[Message]


SUIT_PLACES = Places(SUITS, card_names.SUITS)
RANK_PLACES = Places(RANKS, card_names.RANKS)
MANY_PLACES = Places(RANKS, card_names.PLURALS)  #: ranks, of which there are several cards


@dataclass(frozen=True)
class Told:
    """The name of a kind of event, and its message.

    The message may have the fields `{source}` and `{target}` (seats, or the pot), `{amount}`, `{chips}` and `{cards}`
    (the amount with its noun), `{card}` and `{place}`. If a card and an amount belong together, `{item}` replaces
    both, and `item` is its template.
    """

    kind: str
    message: Message
    places: Places | None = None
    item: Message | None = None
    spread: Message | None = None  #: the message of several cards at several places, without `{place}`; None: one each
    to_pot: Message | None = None  #: the message where the target is the pot; None: the same with `{target}`
    title: Message | None = None  #: the name of points for it on a bill; None: its kind
    joins: bool = False  #: it continues the sentence about what its source did just before: `and takes 5H`
    beat: Beat | Literal[""] = ""  #: how it is shown; "": as the beat that is called like its kind
    context: str = "event"  #: which meaning of its kind: that of events, or where games differ the game's name
    each: Message | None = None  #: the message of {n} items with an amount of 1 each; None: they are listed

    @cached_property
    def name(self) -> Message:
        """Its name on a bill."""
        return self.title or Message(self.kind, context=self.context)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of the message, in their order."""
        names = [one[1] for one in FIELD.finditer(self.message.template)] + (["amount", "card"] if self.item else [])
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True)
class Reason:
    """The reason for a payment or a point: in a sentence (`for passing`), and as a line of a bill (`passing`)."""

    message: Message
    name: Message


def reason(clause: str, name: str, **values: Value) -> Reason:
    """A reason from its two templates and the values of their fields."""
    return Reason(Message(clause, **values), Message(name, **values))


NO_REASON = reason("", "")

#: The kinds of events that games share.
SHARED: Mapping[int, Told] = {
    contract.DEAL: Told("deal", Message("deal {amount}: {source} {source:deals|deal}")),
    contract.CUT: Told("cut", Message("{source} {source:cuts|cut} {card}"), beat="flip"),
    contract.LAY: Told("lay", Message("{source} {source:lays|lay} {card}"), beat="play"),
    contract.PASS: Told("pass", Message("{source} {source:passes|pass}")),
    contract.DRAW: Told("draw", Message("{source} {source:draws|draw} {card}")),
    contract.DONE: Told("done", Message("{source} {source:is|are} done"), beat="call"),
    contract.PAY: Told(
        "pay",
        Message("{source} {source:pays|pay} {chips}{source:|| each} to {target}"),
        to_pot=Message("{source} {source:pays|pay} {chips}{source:|| each} to the pot"),
        joins=True,
        beat="chips",
    ),
    contract.TAKE: Told("take", Message("{target} {target:takes|take} {chips} from the pot"), beat="chips"),
    contract.WIN: Told("win", Message("{source} {source:wins|win} the deal")),
    contract.VOID: Told("void", Message("the deal is dead"), beat="none"),
    contract.SHOW: Told("show", Message("{source} {source:shows|show} {card}"), beat="reveal"),
    contract.SCORE: Told("score", Message("{source} {source:scores|score} {amount}")),
}
PAID = frozenset(("pay", "take", "score"))  #: kinds whose sentence contains the reason


class EventSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a move, as this viewer may know it. docs/server.md explains messages."""

    deal: int  #: the number of the deal, from 1
    kind: str  #: deal, cut, lay, pass, draw, done, pay, take, win, void, show, score, or one of the game's own
    source: int | None  #: the seat that acts or pays; null: the table
    target: int | None  #: the seat to which it goes; null: the table
    amount: int | None  #: of chips, cards or points; null: there is none
    card: str | None  #: in notation; null: there is none, or this viewer may not know it
    place: str | int | None  #: where: a suit (`H`), a rank (`7`), a column (3), as the game defines it; null: nowhere
    rule: str  #: the ID of the rule behind it
    says: Any  #: what happened, a message
    reason: Any  #: for a payment, a message; empty: none
    beat: str = ""  #: how it is shown (`events.Beat`); omitted if equal to `kind`


@dataclass(frozen=True)
class Event:
    """One event of a move, with its rule."""

    deal: int  #: its number, from 1
    kind: str  #: deal, cut, lay, pass, draw, done, pay, take, win, void, show, score, or one of the game's own
    source: SeatNumber | None  #: seat, or None: the table
    target: SeatNumber | None  #: the same for where it goes
    amount: int | None  #: a number of chips, cards, points; None if the event has only a card
    card: CardText | None  #: also None if the viewer may not know it
    place: str | int | None  #: where: a suit (`H`), a rank (`7`), a column (3), as the game defines it
    rule: RuleID  #: the rule behind it
    viewer: SeatNumber | None = None  #: the only seat that may know the card; None: all
    told_as: Told = field(default=SHARED[contract.VOID], repr=False, compare=False)  #: the form of its message
    why: Reason = field(default=NO_REASON, repr=False, compare=False)  #: the reason for a payment, as messages

    def seen_by(self, seat: SeatNumber | None) -> Event:
        """The event as a seat (None: a spectator) may know it."""
        return self if self.viewer is None or self.viewer == seat else self._hidden

    @cached_property
    def _hidden(self) -> Event:
        return replace(self, card=None)

    @property
    def beat(self) -> str:
        """How it is shown at a table: one of BEATS."""
        return self.told_as.beat or self.kind

    @property
    def reason(self) -> str:
        """The reason for a payment, in words."""
        return str(self.why.message)

    @cached_property
    def says(self) -> Message:
        """What happened, as a message."""
        return says_of([self])

    @cached_property
    def data(self) -> EventSeen:
        """The event as sent to viewers who may know its card; created once, because all tables share their events."""
        says, reason = as_data(self.says), as_data(self.why.message) if self.for_something else ""
        facts = self.deal, self.kind, self.source, self.target, self.amount, self.card, self.place, self.rule
        return EventSeen(*facts, says, reason, self.told_as.beat)

    @property
    def message(self) -> Message:
        """The event, with the reason for a payment or points."""
        return message_of([self])

    @property
    def for_something(self) -> bool:
        """Whether its sentence contains the reason for a payment or points."""
        return self.kind in PAID and bool(self.why.message)

    @property
    def cites(self) -> bool:
        """Whether its sentence is followed by its rule: a card laid and a deal dealt need none."""
        return bool(self.rule) and self.kind not in ("lay", "deal")

    def told(self, names: Sequence[str] | None = None) -> str:
        """The event as a sentence, with names for the seats."""
        return Reader(names or ()).plain(with_rule(self.message, self))

    @property
    def text(self) -> str:
        """The event as a sentence."""
        return self.told()

    def as_dict(self) -> JsonObject:
        """The event as a JSON-able dict."""
        return {
            "deal": self.deal,
            "kind": self.kind,
            "source": self.source,
            "target": self.target,
            "amount": self.amount,
            "card": self.card,
            "place": self.place,
            "rule": self.rule,
            "beat": self.beat,
            "text": self.text,
            "says": self.data.says,
            "reason": self.data.reason,
        }


def message_of(events: Sequence[Event]) -> Message:
    """One message for events that differ only in their sources, or only in their cards and amounts."""
    says = says_of(events)
    return Message("{told} {reason}", told=says, reason=events[0].why.message) if events[0].for_something else says


def says_of(events: Sequence[Event]) -> Message:
    """The same message, without the reasons of the events."""
    form = events[0].told_as
    if form.spread and any(event.place != events[0].place for event in events):
        return Message(form.spread.template, card=[_card(event) for event in events])
    if form.to_pot and events[0].target is None:
        return Message(form.to_pot.template, **{k: v for k, v in _values(events).items() if k != "target"})
    return Message(form.message.template, **_values(events))


def with_rule(message: Message, event: Event) -> Message:
    """A message, followed by an event's rule if it cites one."""
    return Message("{told} ({rule})", told=message, rule=Rule(event.rule)) if event.cites else message


def _values(events: Sequence[Event]) -> dict[str, Value]:
    first = events[0]
    sources = list(dict.fromkeys(event.source for event in events))
    cards = [_card(event) for event in events] if len(sources) == 1 else [_card(first)]
    amount = first.amount or 0
    values: dict[str, Value] = {}
    for name in first.told_as.fields:
        match name:
            case "source":
                values[name] = _who(first.source) if len(sources) == 1 else [_who(source) for source in sources]
            case "target":
                values[name] = _who(first.target)
            case "amount":
                values[name] = amount
            case "chips":
                values[name] = Message(CHIPS.template, n=amount)
            case "cards":
                values[name] = Message(CARDS.template, n=amount)
            case "card":
                values[name] = cards[0] if len(cards) == 1 else cards
            case "place":
                values[name] = _place(first)
            case "item":
                assert first.told_as.item
                values[name] = [
                    Message(first.told_as.item.template, amount=event.amount or 0, card=_card(event))
                    for event in events
                ]
    if first.told_as.spread:  # for clients that join events
        values["spread"] = Message(first.told_as.spread.template, card=_card(first))
    if first.told_as.each:
        values["each"] = Message(first.told_as.each.template, source=_who(first.source), n=len(events))
    if first.told_as.item:
        del values["amount"], values["card"]
    return values


def _who(seat: SeatNumber | None) -> Value:
    return POT if seat is None else Seat(seat)


def _card(event: Event) -> Value:
    return Card(event.card) if event.card else Message("a card")


def _place(event: Event) -> Message:
    places = event.told_as.places
    assert places
    assert event.place is not None
    return places.names[list(places.keys).index(event.place)]


class Teller:
    """Converts the output of a game's rules into events. Equal events are one object, which all matches share."""

    def __init__(self, texts: Mapping[int, Told], reasons: Mapping[RuleID, Reason]) -> None:
        """texts, reasons: the game's (`EVENTS`, `REASONS`)."""
        self._texts, self._reasons = texts, reasons
        self._event = lru_cache(SHARED_EVENTS)(self._made)

    def events_of(self, s: contract.State) -> list[Event]:
        """The events that the last act on a state brought about."""
        deal = int(s.deal_number)
        return [self._event(deal, *emitted) for emitted in s.events[: s.event_count].tolist()]

    def _made(self, deal: int, what: int, amount: int, why: int) -> Event:
        code, source, target, viewer, card, place = (what >> shift & 0xFF for shift in (0, 8, 16, 24, 32, 40))
        form = self._texts.get(code) or SHARED[code]
        rule = contract.cited(why)
        return Event(
            deal,
            form.kind,
            _seat(source),
            _seat(target),
            None if card and "amount" not in form.fields and "chips" not in form.fields else amount,
            card_text(card - 1) if card and card != contract.HIDDEN else None,
            form.places.keys[place - 1] if place and form.places else None,
            rule,
            None if viewer == contract.EVERYBODY else viewer,
            form,
            self._reasons.get(rule, NO_REASON),
        )


def _seat(code: int) -> SeatNumber | None:
    return None if code == contract.TABLE else code
