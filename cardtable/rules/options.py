"""House rules: typed options with ranges and presets, checked once and then fixed for a match.

A game's `options.py` declares a frozen dataclass that extends `Options`, each field made by `number` or `choice`.
`None` means "as in the rule"; `resolve` replaces it, from the seats and the other options.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self, cast, get_args

from cardtable.base.cards import ALL_52
from cardtable.base.errors import OptionError, meant
from cardtable.base.message import Message
from cardtable.base.names import span
from cardtable.base.types import Json, JsonObject, OptionValue

OF_RULES = "house rule"  #: the context of the words for options
OF_VALUES = "value of a house rule"  #: the context of the words for values
#: the words for values of switches, where a game has none
SWITCHES: Mapping[str, Message] = {
    "on": Message("on", context="value of a house rule"),
    "off": Message("off", context="value of a house rule"),
    "yes": Message("yes", context="value of a house rule"),
    "no": Message("no", context="value of a house rule"),
}
LEAVE_OUT = Message("leave it out to play by the preset")


@dataclass(frozen=True)
class Kind:
    """What an option may be, and how it is described: `values` for a choice, `low..high` for a number."""

    text: str  #: one line in plain words
    rules: str  #: the rule IDs it comes from
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    per_seat: bool = False  #: a number for each seat is also allowed
    default: str = ""  #: what None becomes, in words
    read: Callable[[str], str] | None = (
        None  #: puts text other than `values` into its standard form, or raises ValueError
    )
    also: str = ""  #: a description of such text
    #: the value for rules instead of a word
    numbers: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def domain(self) -> Message:
        """`a / b / c`, or `1 to 100`."""
        numbers = Message("{low} to {high}", low=self.low, high=self.high)
        if self.read:
            return Message("{values} / {also}", values=" / ".join(self.values), also=Message(self.also))
        if self.values:
            values = " / ".join(self.values)
            return (
                Message("{values} / {numbers}", values=values, numbers=numbers)
                if self.high
                else Message("{values}", values=values)
            )
        return Message("{numbers}, or one for each seat", numbers=numbers) if self.per_seat else numbers

    @property
    def _needed(self) -> Message:
        """`from 1 to 1000`, or `one of cut, seat 0 or a number from 1 to 8`."""
        numbers = Message("from {low} to {high}", low=self.low, high=self.high)
        if self.per_seat:
            numbers = Message("{numbers}, or one for each seat", numbers=numbers)
        return (
            Message("one of {values}, or a number {numbers}", values=", ".join(self.values), numbers=numbers)
            if self.values
            else numbers
        )

    def parse(self, name: str, value: object) -> OptionValue:
        """The value in its type. Raises OptionError (value, range)."""
        if isinstance(value, bool):
            value = "yes" if value else "no"
        text = str(value).strip().lower() if not isinstance(value, (list, tuple)) else ""
        for known in self.values:
            if text == known.lower():
                return known
        if self.read:
            try:
                return self.read(text)
            except ValueError as error:
                raise OptionError(
                    Message("{name}={value}", name=name, value=str(value)[:60]),
                    str(error),
                    Message("give {also}", also=self.also),
                    code="options/value",
                ) from None
        if self.per_seat and (isinstance(value, (list, tuple)) or len(text.replace(",", " ").split()) > 1):
            parts = value if isinstance(value, (list, tuple)) else text.replace(",", " ").split()
            return tuple(self._number(name, str(part)) for part in parts)
        if self.values and not self.high:
            close = difflib.get_close_matches(text, self.values, 1)
            hint = (
                Message("did you mean {value}?", value=close[0])
                if close
                else Message("choose {domain}", domain=self.domain)
            )
            raise OptionError(
                Message("{name}={value}", name=name, value=str(value)[:60]),
                Message("{name} is one of {domain}", name=name, domain=self.domain),
                hint,
                code="options/value",
            )
        return self._number(name, text)

    def _number(self, name: str, text: str) -> int:
        why = Message("must be {needed}", needed=self._needed)
        try:
            number = int(text)
        except ValueError:
            whole = why if self.values else Message("must be a whole number {needed}", needed=self._needed)
            raise OptionError(
                Message("{name}={text}", name=name, text=text[:40]), whole, LEAVE_OUT, code="options/value"
            ) from None
        if not self.low <= number <= self.high:
            raise OptionError(
                Message("{name}={number}", name=name, number=number), why, LEAVE_OUT, code="options/range"
            )
        return number


#: what a house rule is about
Group = Literal["deal", "turn", "score", "end"]
DEAL, TURN, SCORE, END = GROUPS = cast("tuple[Group, ...]", get_args(Group))


@dataclass(frozen=True)
class Words:
    """An option in the words in which people choose it, as templates of messages (`mark`): in a game's `wording.py`,
    which no rules import, so that a change in it recompiles nothing.
    """

    label: str
    values: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: a value -> its words
    #: other options -> the values under which this one has an effect
    only: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    group: Group = TURN
    #: the values that are common practice (a rule `XY-C1` of the page), each with where it is played; "" for a number
    played: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def value(self, text: str) -> Message:
        """The words for a value: a seat is a player, and a word without an entry stays as it is."""
        if (seat := text.removeprefix("seat ")) != text and seat.isdecimal():
            return Message("player {n}", n=int(seat) + 1)
        if text in self.values:
            return Message(self.values[text], context=OF_VALUES)
        return SWITCHES.get(text) or Message("{value}", value=text)


@dataclass(frozen=True)
class PresetWords:
    """A preset in the words in which people choose it, as templates of messages (`mark`): in a game's `wording.py`."""

    phrase: str = ""  #: its name in a sentence about a table; empty: its title
    about: str = ""  #: how it differs from the game's other presets, in one sentence
    played: str = ""  #: where it is played, if it is common practice and no source's rules
    faces: str = "french"  #: whose suits its cards have there: one of `cardtable.base.faces.FACES`


def number(
    low: int, high: int, default: int | None, rules: str, text: str, *, per_seat: bool = False, resolved: str = ""
) -> Any:
    """A whole number from low to high."""
    return dataclasses.field(default=default, metadata={"kind": Kind(text, rules, (), low, high, per_seat, resolved)})


def choice(
    values: Sequence[str],
    default: str | int | None,
    rules: str,
    text: str,
    *,
    low: int = 0,
    high: int = 0,
    resolved: str = "",
    numbers: Mapping[str, int] | None = None,
) -> Any:
    """One of some words (or, if `high` is given, a number from low to high).

    numbers: the numeric value of each word for rules; without it, each word has a field that is 1 if it was chosen
    (`house_rules`).
    """
    return dataclasses.field(
        default=default,
        metadata={"kind": Kind(text, rules, tuple(values), low, high, False, resolved, numbers=numbers or {})},
    )


def written(
    examples: Sequence[str],
    default: str | None,
    rules: str,
    text: str,
    read: Callable[[str], str],
    also: str,
    *,
    resolved: str = "",
) -> Any:
    """Text in the game's own format: common examples, and any other text that `read` accepts."""
    return dataclasses.field(
        default=default, metadata={"kind": Kind(text, rules, tuple(examples), default=resolved, read=read, also=also)}
    )


def flag(default: str | None, rules: str, text: str, *, resolved: str = "") -> Any:
    """`yes` or `no`."""
    return choice(("no", "yes"), default, rules, text, resolved=resolved)


def as_given(house_rules: Mapping[str, Json]) -> str:
    """House rules as they are given: `stack=20, ante=1`."""
    return ", ".join(f"{name}={value}" for name, value in house_rules.items())


FINES = "fines"  #: the house rule that turns on fines as in the book
YES_OR_NO = Kind("", "", ("no", "yes"))


@dataclass(frozen=True)
class Options:
    """The base of every game's options."""

    #: preset name -> the options that differ from the dataclass's defaults; the first preset is the game's default
    presets: ClassVar[Mapping[str, Mapping[str, Json]]] = {}
    #: preset name -> (fewest, most) seats
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {}
    #: preset name -> (fewest, most) seats that its source calls best
    best_seats: ClassVar[Mapping[str, tuple[int, int]]] = {}
    #: what `fines=yes` sets: mistakes are possible and cost chips, as in the book; empty if the rules have no fines
    fines: ClassVar[Mapping[str, Json]] = {}
    #: earlier version of the game's rules -> preset -> the options that it had then, where they have changed since
    former: ClassVar[Mapping[int, Mapping[str, Mapping[str, Json]]]] = {}

    @classmethod
    def kinds(cls) -> dict[str, Kind]:
        """The options by name, in order."""
        return {f.name: f.metadata["kind"] for f in dataclasses.fields(cls)}

    @classmethod
    def make(cls, preset: str | None, seats: int | None, given: Mapping[str, object]) -> tuple[str, int, Self]:
        """Check a preset, a number of seats and house rules; return them resolved. Raises OptionError.

        Among the house rules, `fines` sets the options of `cls.fines`; it is not an option itself.
        """
        name = (
            _known(preset, list(cls.presets), Message("preset"), "options/preset")
            if preset
            else next(iter(cls.presets))
        )
        kinds = cls.kinds()
        values = dict(cls.presets[name])
        chosen: JsonObject = {}
        for key, value in given.items():
            key = key.replace("-", "_")
            key = (
                FINES
                if key.lower() == FINES
                else _known(key, [*kinds, *([FINES] if cls.fines else [])], Message("option"), "options/unknown")
            )
            chosen[key] = kinds.get(key, YES_OR_NO).parse(key, value)
        values.update(cls._fined(chosen))
        values.update(chosen)
        low, high = cls.seat_range[name]
        seats = min(max(4, low), high) if seats is None else seats
        if isinstance(seats, bool) or not isinstance(seats, int) or not low <= seats <= high:
            wider = [
                other
                for other, (few, many) in cls.seat_range.items()
                if other != name and isinstance(seats, int) and few <= seats <= many
            ]
            can = (
                Message("take {low} to {high}", low=low, high=high)
                if low < high
                else Message("leave --seats out, or take {low}", low=low)
            )
            if wider:
                can = Message(
                    "{can}, or other rules: {names} {n:allows|allow} {seats}",
                    can=can,
                    names=wider,
                    n=len(wider),
                    seats=seats,
                )
            least, most = (
                f(each) for f, each in zip((min, max), zip(*cls.seat_range.values(), strict=True), strict=True)
            )
            why = Message("{name} is for {players}", name=name, players=_players(low, high))
            if name in cls.best_seats:
                why = Message("{why}, best {players}", why=why, players=span(*cls.best_seats[name]))
            if (least, most) != (low, high):
                why = Message("{why} (with other rules {low} to {high})", why=why, low=least, high=most)
            raise OptionError(Message("{seats} {seats:seat|seats}", seats=seats), why, can, code="options/seats")
        options = cls(**values)
        return name, seats, options.resolve(seats)

    @classmethod
    def _fined(cls, chosen: JsonObject) -> Mapping[str, Json]:
        """Take `fines` out of the house rules chosen; return the options that it sets. Raises OptionError."""
        if chosen.pop(FINES, "no") == "no":
            return {}
        if not cls.fines:
            raise OptionError(
                Message("fines=yes"),
                Message("these rules know no fines"),
                Message("leave it out"),
                code="options/combination",
            )
        if chosen.get("enforce", "penalise") != "penalise":
            raise OptionError(
                Message("fines=yes with enforce=strict"),
                Message("a mistake that is refused costs nothing"),
                Message("leave one of them out"),
                code="options/combination",
            )
        return cls.fines

    @classmethod
    def as_of(cls, version: int, preset: str, given: Mapping[str, Json]) -> JsonObject:
        """House rules recorded under a version of the game's rules, in the current form of `make`."""
        return {**cls.former.get(version, {}).get(preset, {}), **given}

    def resolve(self, seats: int) -> Self:
        """Replace each None with the rule's value, and refuse forbidden combinations. Raises OptionError."""
        return self

    def cards(self, seats: int) -> int:
        """The cards of a pack at a table, as a set, without jokers."""
        return ALL_52

    def changed(self, preset: str, seats: int) -> JsonObject:
        """The minimal options from which `make(preset, seats, ...)` restores these, in the form of a record: rows are
        lists.

        Comparing with the preset is not enough: the default of an option may depend on another chosen one.
        """
        needed = _needed(self, preset, seats)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in needed}

    def as_dict(self) -> JsonObject:
        """All options by name."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@lru_cache(maxsize=256)
def _needed(options: Options, preset: str, seats: int) -> tuple[tuple[str, Json], ...]:
    """The options except the ones that follow from the preset and the remaining ones."""
    needed = {name: value for name, value in options.as_dict().items() if value is not None}  # None cannot be named
    for name in list(needed):
        fewer = {other: value for other, value in needed.items() if other != name}
        with contextlib.suppress(OptionError):  # without it the others cannot be combined
            if type(options).make(preset, seats, fewer)[2] == options:
                needed = fewer
    return tuple(needed.items())


def _players(low: int, high: int) -> Message:
    """`one player only`, `4 players only`, `3 to 8 players`."""
    if low == high:
        return Message("{n:one player|@ players} only", n=low)
    return Message("{low} to {high} players", low=low, high=high)


def _known(name: str, names: Sequence[str], what: Message, code: str) -> str:
    if name.lower() in names:
        return name.lower()
    close = difflib.get_close_matches(name.lower(), names, 1)
    raise OptionError(
        Message("{what} {name}", what=what, name=repr(name[:60])),
        Message("there is no such {what}", what=what),
        meant(close, list(names)),
        code=code,
    )
