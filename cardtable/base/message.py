"""Messages: texts in parts, formatted only for display.

A message is a template with named fields, and their values: seats, cards, numbers, rule IDs, other messages.

    Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H"))

* `{name}` is the value: for a seat its player's name, or `you`; several values are joined by `and`.
* `{name:one|other}` is the word form that agrees with it. For a seat: the form for one player | for you and for
  several; a language in which these differ gives three forms, or a fourth one for several with you. For a number: its
  plural forms, in the order of the language. `@` in a form stands for the value: `{target:@'s|your} claim`.

The template is English and is looked up in the reader's language (`Language`) before it is filled in. No program ever
has to take a sentence apart, so a player may be called `KC` or `seat 3`.

A word that has several meanings needs a translation for each. `context` distinguishes them; English does not show it:

    Message("claim", context="Pirate")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from cardtable.base.types import CardText, Json, JsonObject, RuleID, SeatNumber

CARD = re.compile(r"\b(?:[A2-9TJQK][SHDC]|X[12])\b")  #: a card in the notation of moves
FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
CONTEXT_END = "\x04"  #: between a context and a template in the key of a catalogue, as gettext has it
#: control characters but tabs and line breaks, and characters that reorder the text around them
UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of a seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Card:
    """A card: `7H`."""

    card: CardText


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards side by side: `5H 6H KC`."""

    cards: str


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves in notation, as they are typed: `7H takes 5D 2C`, `7H, pass`.

    They are not translated; cards in them are shown as cards.
    """

    moves: str


@dataclass(frozen=True, slots=True)
class Either:
    """One of several values: `a or b`."""

    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a rulebook page, by its ID: `FT-22`."""

    rule: RuleID


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Message:
    """A template and the values of its fields. As a string it is English, with `seat 1` for a player."""

    template: str
    values: Mapping[str, Value]
    context: str  #: which meaning of the template; empty: it has only one

    # context is a string; its type is wider because many messages get their values as `**values`
    def __init__(self, template: str, /, *, context: Value = "", **values: Value) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "context", str(context))
        # also NumPy's integers; and no list, which has no hash
        whole = {
            name: int(value) if hasattr(value, "__index__") else tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        }
        object.__setattr__(self, "values", whole)

    def __hash__(self) -> int:
        return hash((self.template, self.context, tuple(self.values.items())))

    def __repr__(self) -> str:
        context = f", context={self.context!r}" if self.context else ""
        return f"Message(template={self.template!r}, values={self.values!r}{context})"

    def __str__(self) -> str:
        return plain(self)

    def __bool__(self) -> bool:
        return bool(self.template)


@dataclass(frozen=True, slots=True)
class Continued:
    """A message that continues a sentence with the same subject: it leaves out `{source}` if it begins with that."""

    message: Message


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message that begins with a capital letter although it is not the first."""

    message: Value


#: The value of a field. A string is shown as it is in every language: a name, or text that somebody typed.
Value: TypeAlias = (
    "Message | Sentence | Continued | Seat | Card | Cards | Moves | Either | Rule | int | str | Sequence[Value]"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence."""

    text: str
    is_a: Message | Seat | Card | Rule | None = None  #: the value that it shows; None: words


@dataclass(frozen=True)
class Language:
    """How messages are looked up. The plain one is English, the language of the templates."""

    code: str = "en"
    look_up: Callable[[str], str] = str  #: the template of this language for an English one
    plural: Callable[[int], int] = lambda n: int(n != 1)  #: index of the form that goes with a number

    def template(self, template: str, context: str = "") -> str:
        """The template of this language for an English one: the one for the context, or else the one for all."""
        if context:
            key = in_context(template, context)
            if (found := self.look_up(key)) != key:
                return found
        return self.look_up(template)


ENGLISH = Language()


@dataclass(frozen=True)
class Reader:
    """The reader: the players' names, the reader's own seat (None: no seat), and the language."""

    names: Sequence[str] = ()
    you: int | None = None
    language: Language = ENGLISH

    def parts(self, message: Value, *, sentence: bool = False) -> list[Part]:
        """A message as parts. sentence: begin with a capital letter, unless it begins with a name or a card."""
        joined = _joined(self._of(Sentence(message) if sentence else message))
        return [Part(printable(part.text), part.is_a) for part in joined]

    def plain(self, message: Value, *, sentence: bool = False) -> str:
        """A message as plain text."""
        return "".join(part.text for part in self.parts(message, sentence=sentence))

    @property
    def _self(self) -> Seat | None:
        return None if self.you is None else Seat(self.you)

    def _of(self, value: Value) -> Iterable[Part]:
        match value:
            case Message():
                yield from self._filled(value)
            case Continued(message):
                yield from self._filled(message, continued=True)
            case Sentence(message):
                yield from self._begun(message)
            case Seat(seat):
                yield Part(self._name(seat), value)
            case Card(text) | Rule(text):
                yield Part(text, value)
            case Moves(text):
                yield from self._notation(text)
            case Cards(text):
                for k, card in enumerate(text.split()):
                    yield from [Part(" ")] * bool(k) + [Part(card, Card(card))]
            case str() | int():
                yield Part(str(value))
            case Either(values):
                yield from self._list(values, mark("or"))
            case list() | tuple():
                yield from self._list(value, mark("and"))
            case _:
                yield Part(str(value))

    def _notation(self, text: str) -> Iterable[Part]:
        end = 0
        for match in CARD.finditer(text):
            yield from (Part(text[end : match.start()]), Part(match[0], Card(match[0])))
            end = match.end()
        yield Part(text[end:])

    def _begun(self, value: Value) -> Iterable[Part]:
        """A value with a capital letter first, unless it begins with a name or a card."""
        begun = False
        for part in self._of(value):
            if not begun and part.text and (part.is_a is None or part.is_a == self._self):
                part = Part(part.text[0].upper() + part.text[1:], part.is_a)
            begun |= bool(part.text)
            yield part

    def _name(self, seat: int) -> str:
        if seat == self.you:
            return self.language.look_up(mark("you"))
        return self.names[seat] if 0 <= seat < len(self.names) else plain(Message("seat {n}", n=seat), self.language)

    def _filled(self, message: Message, continued: bool = False) -> Iterable[Part]:
        template = self.language.template(message.template, message.context)
        for k, (words, name, forms) in enumerate(
            _pieces(template.removeprefix("{source} ") if continued else template)
        ):
            if words:
                yield Part(words)
            if not name:
                continue
            value = message.values[name]
            if forms is None:
                follows = continued and k == 0 and not words  # in "{told} {reason}" the first part has the subject
                yield from self._of(Continued(value) if follows and isinstance(value, Message) else value)
                continue
            before, at, after = forms[min(self._form(value), len(forms) - 1)].partition("@")
            yield Part(before)
            if at:
                yield from self._of(value)
                yield Part(after)

    def _form(self, value: Value) -> int:
        """Which form agrees with a value: a number's plural form; 0 with one player or thing, 1 with you, 2 with
        several, 3 with several of whom you are one.
        """
        if isinstance(value, int):
            return self.language.plural(value)
        if isinstance(value, Seat):
            return int(value.seat == self.you)
        if isinstance(value, (list, tuple)) and value:
            return 2 + (self._self in value) if len(value) > 1 else self._form(value[0])
        return 0

    def _list(self, values: Sequence[Value], joint: str) -> Iterable[Part]:
        """`a`, `a and b`, `a, b and c`."""
        for k, value in enumerate(values):
            if k:
                yield Part(", " if k < len(values) - 1 else f" {self.language.look_up(joint)} ")
            yield from self._of(value)


def printable(text: str) -> str:
    """Escape control characters, which a terminal would obey, and marks of direction, as in `\\x1b`. Tabs and line
    breaks stay.
    """
    return UNPRINTED.sub(lambda match: repr(match[0])[1:-1], text)


@lru_cache(4096)
def _pieces(template: str) -> tuple[tuple[str, str, tuple[str, ...] | None], ...]:
    """A template as pieces: the words before a field, its name, its forms; last the words after all fields."""
    pieces: list[tuple[str, str, tuple[str, ...] | None]] = []
    end = 0
    for field in FIELD.finditer(template):
        pieces.append(
            (template[end : field.start()], field[1], None if field[2] is None else tuple(field[2].split("|")))
        )
        end = field.end()
    return (*pieces, (template[end:], "", None))


def _joined(parts: Iterable[Part]) -> Iterable[Part]:
    """The parts with adjacent words joined, and without empty ones."""
    words = ""
    for part in parts:
        if part.is_a is None:
            words += part.text
            continue
        if words:
            yield Part(words)
            words = ""
        yield part
    if words:
        yield Part(words)


def in_context(template: str, context: str) -> str:
    """The key of a template with a context in a catalogue; without a context it is the template."""
    return f"{context}{CONTEXT_END}{template}" if context else template


def mark(template: str, *, context: str = "") -> str:
    """Mark a template that becomes a message elsewhere, so that it gets into the catalogue (`tools/catalogue.py`).

    The message must have the same context.
    """
    return template


def plain(message: Value, language: Language = ENGLISH) -> str:
    """A message as plain text without a reader: the players are `seat 0`, `seat 1`, ..."""
    return Reader(language=language).plain(message)


def as_data(value: Value) -> Json:
    """A value as plain JSON: a message as `{"says": template, ...values}`, `{"seat": 1}`, `{"card": "7H"}`, `{"rule":
    "FT-22"}`. A message with a context has it as `context`, which a program may ignore.
    """
    return _AS_DATA.get(type(value), str)(value)


def _message_as_data(message: Message) -> JsonObject:
    context = {"context": message.context} if message.context else {}
    return {"says": message.template, **context, **{name: as_data(each) for name, each in message.values.items()}}


def _list_as_data(values: Sequence[Value]) -> list[Json]:
    return [as_data(each) for each in values]


def _itself(value: Json) -> Json:
    return value


_AS_DATA: Mapping[type, Callable[[Any], Json]] = {
    Message: _message_as_data,
    Seat: lambda value: {"seat": value.seat},
    int: _itself,
    str: _itself,
    Card: lambda value: {"card": value.card},
    Cards: lambda value: {"cards": value.cards},
    Moves: lambda value: {"moves": value.moves},
    Rule: lambda value: {"rule": value.rule},
    Either: lambda value: {"either": _list_as_data(value.values)},
    Continued: lambda value: {"continued": as_data(value.message)},
    Sentence: lambda value: {"sentence": as_data(value.message)},
    list: _list_as_data,
    tuple: _list_as_data,
}


def from_data(data: Json) -> Value:
    """The inverse of `as_data`. Raises ValueError for anything else."""
    match data:
        case {"says": str(), "context": context} if not isinstance(context, str):
            raise ValueError(f"{str(context)[:60]!r} is no context of a message")
        case {"says": str(template), **values}:
            return Message(template, **{str(name): from_data(each) for name, each in values.items()})
        case {"seat": int(seat)}:
            return Seat(seat)
        case {"card": str(card)}:
            return Card(card)
        case {"cards": str(cards)}:
            return Cards(cards)
        case {"moves": str(moves)}:
            return Moves(moves)
        case {"either": list(several)}:
            return Either([from_data(each) for each in several])
        case {"rule": str(rule)}:
            return Rule(rule)
        case {"continued": {"says": _} as message}:
            continued = from_data(message)
            assert isinstance(continued, Message)
            return Continued(continued)
        case {"sentence": message}:
            return Sentence(from_data(message))
        case str() | int():
            return data
        case list():
            return [from_data(each) for each in data]
        case _:
            raise ValueError(f"{str(data)[:60]!r} is no part of a message")
