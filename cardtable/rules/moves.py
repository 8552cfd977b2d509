"""Moves for people: the name of a move, its cards, its source and its target.

A client needs nothing else to offer moves, neither a game's notation nor its verbs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NotRequired, TypedDict

from cardtable.base.cards import card_text, cards_in, parse_card
from cardtable.base.errors import NotationError, no_move
from cardtable.base.message import Card, Message, Value, as_data
from cardtable.base.message import Moves as Notation
from cardtable.base.types import CardText, Json, MoveCode, MoveText, RuleID, SeatNumber


class MoveData(TypedDict):
    """A move as plain JSON. Fields that a move does not need are omitted."""

    text: MoveText  #: in notation, as it is sent and recorded
    label: NotRequired[Json]  #: its name, a message; omitted: its notation is enough
    cards: NotRequired[list[CardText]]  #: its cards, first the one that is played
    source: NotRequired[str]  #: the zone where it begins
    target: NotRequired[str]  #: the zone where its cards go, if there is a choice
    number: NotRequired[int]  #: the number that is chosen, as in a bid
    suit: NotRequired[str]  #: the suit that is named: `S`
    button: NotRequired[bool]  #: also offered as a button
    #: easily made by mistake, and costly: ask for confirmation where it cannot be taken back
    confirm: NotRequired[bool]
    does: NotRequired[Json]  #: its effect or cost, a message; omitted: it is obvious
    brief: NotRequired[Json]  #: what it does to its other cards, a message to be shown at them
    then: NotRequired[Json]  #: its name once its first card is chosen, a message; omitted: its label


class RefusedData(TypedDict):
    """A move that is not allowed now, and why, as plain JSON."""

    move: MoveData  #: the move
    why: Json  #: a message
    rule: RuleID  #: the ID of the rule


@dataclass(frozen=True)
class Move:
    """A legal move.

    People make it at its `source`: they choose its first card there, or the zone itself if it has no cards; then, if
    several moves begin like that, its other cards or its `target`. A move that remains ambiguous, or without a
    source, is offered as a button.
    """

    text: MoveText  #: in notation, as it is sent and recorded
    label: Message | None = None  #: its name; None: its notation, which is only cards and needs no words
    cards: tuple[CardText, ...] = ()  #: its cards; first the one that is played
    source: str = ""  #: the zone where it begins
    target: str = ""  #: the zone where its cards go, if there is a choice
    number: int | None = None  #: the number that is chosen, as in a bid
    suit: str = ""  #: the suit that is named: `S`
    button: bool = False  #: also offered as a button
    confirm: bool = False  #: easily made by mistake, and costly: confirm it where it cannot be taken back
    does: Message | None = None  #: its effect or cost, in a few words, if not obvious
    brief: Message | None = None  #: what it does to its other cards, in a word or two: `build 9`
    then: Message | None = None  #: its name once its first card is chosen: `build 9 with 5D`

    @property
    def told(self) -> Value:
        """Its name."""
        return self.label or Notation(self.text)

    @property
    def verb(self) -> Message | None:
        """Its name, if that begins with a verb and not with a card: `pass`, not `7H takes 5D`."""
        return self.label if self.label and not self.label.template.startswith("{") else None

    @cached_property
    def data(self) -> MoveData:
        """The move as plain JSON."""
        data = MoveData(text=self.text)
        if self.label:
            data["label"] = as_data(self.label)
        if self.cards:
            data["cards"] = list(self.cards)
        if self.source:
            data["source"] = self.source
        if self.target:
            data["target"] = self.target
        if self.number is not None:
            data["number"] = self.number
        if self.suit:
            data["suit"] = self.suit
        if self.button:
            data["button"] = True
        if self.confirm:
            data["confirm"] = True
        if self.does:
            data["does"] = as_data(self.does)
        if self.brief:
            data["brief"] = as_data(self.brief)
        if self.then:
            data["then"] = as_data(self.then)
        return data


@dataclass(frozen=True)
class Prompt:
    """The prompt for a seat that may act, made by the game from what that seat knows."""

    ask: Message  #: the prompt, in a sentence or two, of at most 120 characters in English
    rule: RuleID = ""  #: the rule behind it, for people who ask why
    does: Mapping[MoveCode, Message] = field(default_factory=dict)  #: what some of the legal moves bring about or cost
    refused: Sequence[MoveCode] = ()  #: moves that a person would expect here, but that are not allowed


@dataclass(frozen=True)
class Advice:
    """A move as advice, in the words of the prompt."""

    do: Message  #: the move in the imperative: `leave K♣ on the table`
    why: Message  #: the most telling reason for it, a fact that the seat can see; NOTHING: it is obvious

    @property
    def says(self) -> Message:
        """The advice in one sentence."""
        return Message("{do}: {why}.", do=self.do, why=self.why) if self.why else Message("{do}.", do=self.do)


def named(cards: int) -> list[Card]:
    """The cards of a set, for a sentence: `7♦ and 8♠`."""
    return [Card(card_text(card)) for card in cards_in(cards)]


CHOOSE = Prompt(Message("Choose what to do."))  #: for a game without prompts


@dataclass(frozen=True)
class Refused:
    """A move that a person would expect but may not make."""

    move: Move
    why: Value
    rule: RuleID

    @property
    def data(self) -> RefusedData:
        """The refused move as plain JSON."""
        return RefusedData(move=self.move.data, why=as_data(self.why), rule=self.rule)


@lru_cache(8192)
def of_card(seat: SeatNumber, card: CardText) -> Move:
    """The move of playing a card from a seat's hand."""
    return Move(card, cards=(card,), source=f"hand-{seat}")


@lru_cache(1024)
def bid(n: int, label: Message) -> Move:
    """The move of bidding a number. label: what it is called, because games mean different things by a bid."""
    return Move(f"bid {n}", label, number=n)


PASS = Move("pass", Message("pass", context="move"))
PASS_ANYWAY = replace(PASS, confirm=True)  #: although a card could be played
DRAW = Move("draw", Message("draw", context="move"), source="stock", button=True)


def passing(legal: Sequence[MoveCode], cards: int = 52) -> Move:
    """The move of passing. legal: all legal moves of the seat; cards: codes below this play a card."""
    return PASS_ANYWAY if any(move < cards for move in legal) else PASS


def card_named(card: str, text: str, what: Message) -> int:
    """Parse the card in the text of a move.

    Raises NotationError, with the whole text and the game's notation of moves.
    """
    try:
        return parse_card(card)
    except NotationError:
        raise NotationError(no_move(text), what, Message("write one of these")) from None
