"""The setup of a table: its rules and options. It is chosen when the table is made, checked once, and then fixed."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any

import msgspec

from cardtable.base.errors import NoSolver, OptionError
from cardtable.base.message import Message
from cardtable.bots.levels import FORMER, LEVELS, level_called
from cardtable.bots.registry import allowed
from cardtable.match.match import Record
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.timing import Timing, Window

#: seconds that a seat has for each of its turns; 0: as long as it likes
CLOCKS = {"none": 0, "relaxed": 60, "brisk": 15}
UNDO = ("consent", "never")
BEGINS = ("full", "host")
LONGEST_NAME = 24  #: letters of a person's name; `names.py` has further rules
LONGEST_CHAT = 240
MOST_MARKS = 3  #: accents and other marks on one letter; more of them would cover the lines above and below
#: letters without a shape, with which a name could look empty, or like another's
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for first, last in ((0xFE00, 0xFE0D), (0xE0100, 0xE01EF)) for code in range(first, last + 1)
}
PRESENTATION = "\ufe0e\ufe0f"  #: after a symbol: shown as text, or as a picture
JOINERS = "\u200c\u200d"  #: between letters that would join, or would not, and between the parts of a picture
LONGEST_WINDOW = 60  #: seconds
LONGEST_START = 3_000  #: most moves of a continued match

Whole = Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**31)]
#: the value of a house rule; a list has one for each seat
OptionValue = str | Whole | float | bool | list[str | Whole | float | bool] | None


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choices with which a table is made; `checked` fills in the rest."""

    game: str  #: any of its names
    preset: str = ""  #: empty: the one that the game's name opens
    seats: Whole | None = None  #: null: 4, or the nearest number that the preset allows
    options: dict[str, OptionValue] = {}  #: house rules that differ from the preset's
    title: str = ""  #: of the table: one of the game's names; empty: the preset's own title
    bots: tuple[str, ...] = ()  #: the level of the bot at each seat; "" is a seat for a person
    fill: str = "medium"  #: the level of bots that take empty seats and replace people who leave
    clock: str = "none"  #: none, relaxed (60 s a turn) or brisk (15 s)
    #: seconds until the clock answers for the silent seats, where several answer at the same time; 0: it waits for them
    window: Whole = 0
    undo: str = "consent"  #: taking back: consent (if the others agree) or never
    hints: bool = True  #: whether players may ask for hints, for answers of the solver, and for reviews between deals
    aids: bool = True  #: whether players may switch on aids to the memory (`zones.Fact.aid`)
    #: where several people sit down: `full`, the match begins as soon as every seat is taken; or `host`, when the host
    #: starts it
    begins: str = "full"
    listed: bool = False  #: shown among the open tables
    watched: bool = True  #: anybody with the address may watch
    number: str = ""  #: a numbered deal: the match's seed is public; only for one person against bots
    #: the number is that of a deal that the game's solver wins, chosen by the table; without a number, it is not chosen
    #: yet
    winnable: bool = False
    #: the day of a deal of the day, whose number the server has drawn and keeps to itself until the match is over
    daily: str = ""
    #: the record of an unfinished match to continue from its end, with its title, preset, seats and options; only for
    #: one person against bots
    start: str = ""

    def __post_init__(self) -> None:
        if self.fill in FORMER or not FORMER.keys().isdisjoint(self.bots):
            msgspec.structs.force_setattr(self, "bots", tuple(FORMER.get(level, level) for level in self.bots))
            msgspec.structs.force_setattr(self, "fill", FORMER.get(self.fill, self.fill))

    @property
    def ruleset(self) -> Ruleset:
        """The rules of play, in a checked setup."""
        return Ruleset.parse(self.title or self.game, self.preset, self.seats, self.options)

    @property
    def timing(self) -> Timing | None:
        """The timing, in a checked setup: real time for all play; or windows that the clock closes."""
        if catalog.find(self.game).timing is None:
            return None
        ruleset = self.ruleset
        return ruleset.real_time or (ruleset.window if self.window else None)

    @property
    def known_as(self) -> str:
        """The name of the table: its title, or its preset's."""
        return self.title or catalog.variant(self.game, self.preset).title

    @property
    def open_seed(self) -> bool:
        """Whether the person who made the table can know the cards, so that there is no commitment and no proof."""
        return bool(self.number.strip() or self.start)

    @property
    def turn(self) -> int:
        """Milliseconds for a turn; 0: no limit."""
        return CLOCKS[self.clock] * 1000


def one_of(what: str, value: str, values: tuple[str, ...]) -> str:
    """The value, if it is one of the values. Raises OptionError."""
    if value not in values:
        raise OptionError(
            Message("{what} {value}", what=what, value=repr(value[:40])),
            Message("{what} is one of {listed}", what=what, listed=", ".join(values)),
            Message("choose one of them"),
        )
    return value


def _house_rules(given: Setup, game: Game) -> dict[str, Any]:
    """The requested house rules, with the rules that a timed window needs. Raises OptionError."""
    if not given.window:
        return given.options
    if not isinstance(game.timing, Window):
        why = Message("in {title} there is nothing that several answer at the same time", title=game.title)
        raise OptionError(Message("a window"), why, Message("leave it out"), code="options/combination")
    if not 1 <= given.window <= LONGEST_WINDOW:
        raise OptionError(
            Message("a window of {window} s", window=given.window),
            Message("it is open for 1 to {longest_window} s", longest_window=LONGEST_WINDOW),
            Message("choose a time between"),
            code="options/range",
        )
    return dict(game.timing.house_rules) | given.options


def _of_record(given: Setup) -> Setup:
    """The setup of a continued match, with the data of its record. Raises RecordError, OptionError."""
    record = Record.parse(given.start)
    if record.length > LONGEST_START:
        can = Message("play it on in the terminal: cardtable play --resume FILE")
        raise OptionError(
            Message("the match to continue"),
            Message("it has more than {longest_start} moves", longest_start=LONGEST_START),
            can,
            code="record/size",
        )
    m = record.resumed()
    if not m.actors:
        raise OptionError(
            Message("the match to continue"),
            Message("it, or its deal, is over"),
            Message("cut its record before a move"),
            code="match/over",
        )
    if given.number or given.winnable:
        raise OptionError(
            Message("a numbered deal"),
            Message("a match that is continued has its cards"),
            Message("leave the number out"),
            code="options/combination",
        )
    of_record = {"title": m.ruleset.alias, "preset": m.rules, "seats": m.seats, "options": m.ruleset.changed}
    for name, value in of_record.items():
        if getattr(given, name) and getattr(given, name) != value:
            raise OptionError(
                Message("{name}: {value}", name=name, value=str(getattr(given, name))),
                Message("in the match to continue it is {value}", value=str(value)),
                Message("leave it out"),
                code="options/combination",
            )
    if catalog.find(given.game) is not m.game:
        raise OptionError(
            Message("game: {game}", game=given.game),
            Message("the match to continue is one of {name}", name=m.game.name),
            Message("name that"),
            code="options/combination",
        )
    return msgspec.structs.replace(given, game=m.game.name, **of_record)


def checked(given: Setup) -> Setup:
    """A setup with the game's own name, the preset, the seats and all house rules that differ.

    Raises UnknownGame, OptionError, RecordError.
    """
    if given.start:
        given = _of_record(given)
    name = catalog.known_as(given.game, given.title)
    house_rules = _house_rules(given, catalog.find(name))
    ruleset = Ruleset.parse(name, given.preset or None, given.seats, house_rules)
    game, seats = ruleset.game, ruleset.seats
    bots = tuple(map(level_called, given.bots))
    fill = level_called(given.fill)
    if len(bots) > seats:
        raise OptionError(
            Message("{value} bots' levels", value=len(bots)),
            Message("the table has {seats} seats", seats=seats),
            Message("name one for each seat, '' for a person's"),
            code="options/seats",
        )
    for level in bots:
        one_of("bot", level or LEVELS[0], (*LEVELS, *allowed()))
    one_of("bot", fill, LEVELS)
    one_of("clock", given.clock, tuple(CLOCKS))
    one_of("undo", given.undo, UNDO)
    one_of("begins", given.begins, BEGINS)
    bots += ("",) * (seats - len(bots))
    number = given.number.strip()
    if len(number) > 40 or not number.isprintable():
        raise OptionError(
            Message("the deal's number"), Message("a number or a word of at most 40 letters"), Message("shorten it")
        )
    if given.window and isinstance(game.timing, Window) and ruleset.window is None:
        can = Message("leave {names} out", names=", ".join(game.timing.house_rules))
        raise OptionError(
            Message("a window"), Message("with a clock all answer at the same time"), can, code="options/combination"
        )
    if given.winnable and not game.solvable:
        raise NoSolver(Message(game.title))
    if (given.open_seed or given.winnable) and bots.count("") > 1:
        what = Message("a match that is continued") if given.start else Message("a numbered deal")
        raise OptionError(
            what,
            Message("anybody who knows where it comes from can know its cards"),
            Message("play it alone against bots"),
            code="options/combination",
        )
    return msgspec.structs.replace(
        given,
        game=game.name,
        title=ruleset.alias,
        preset=ruleset.preset,
        seats=seats,
        options=ruleset.changed,
        bots=bots,
        fill=fill,
        number=number,
    )


def as_of(setup: Setup, version: int) -> Setup:
    """A setup recorded under a version of its game's rules, as it must be read now."""
    options = catalog.find(setup.game).options.as_of(version, setup.preset, setup.options)
    return msgspec.structs.replace(setup, options=options)


def _joins(letter: str) -> bool:
    """Whether a joiner after this letter can be seen: in Arabic script, after a virama, in a picture."""
    return (
        unicodedata.bidirectional(letter) == "AL"
        or unicodedata.combining(letter) == 9
        or unicodedata.category(letter) in ("So", "Sk")
        or letter in PRESENTATION
    )


def clean(text: str, longest: int) -> str:
    """A person's text made safe to show: one line of visible letters, without direction controls and with few marks
    on each, at most `longest` long.
    """
    shown: list[str] = []
    marks = 0
    letters = unicodedata.normalize("NFC", text[: 4 * longest])
    for letter, after in zip(letters, letters[1:] + " ", strict=False):  # nothing, where there are no letters
        before = shown[-1] if shown else " "
        if letter in JOINERS:
            joins = _joins(before) and unicodedata.category(after) in ("Lo", "So")
            shown.append(letter if joins else " ")
        elif letter in PRESENTATION:
            if unicodedata.category(before) == "So":
                shown.append(letter)
        elif unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
            if marks <= MOST_MARKS and before != " " and letter not in UNSEEN:
                shown.append(letter)
        else:
            marks = 0
            shown.append(letter if letter.isprintable() and letter not in UNSEEN else " ")
    return " ".join("".join(shown).split())[:longest].strip()
