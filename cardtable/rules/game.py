"""A game: its names, its options, and access to its rules and its presentation."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

from cardtable.base.errors import OptionError, Text, meant
from cardtable.base.message import ENGLISH, Language, Message, Reader, mark
from cardtable.base.names import plain, slug
from cardtable.base.types import Json, JsonObject, MoveCode, MoveText, RuleID, SeatNumber
from cardtable.rules import rulebook
from cardtable.rules.options import Options, PresetWords, Words
from cardtable.rules.pages import Pages
from cardtable.rules.timing import RealTime, Timing, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardtable.kernel import prng
    from cardtable.rules.contract import State
    from cardtable.rules.events import Event, Reason, Teller, Told
    from cardtable.rules.features import Feature
    from cardtable.rules.moves import Advice, Move, Prompt
    from cardtable.rules.solver import Answer, DealEffort, Limits
    from cardtable.rules.zones import Zone


_HOW_TO_PLAY = Message("How to play")
_PRESET = mark("These are the rules of {title}.")
_PRESET_OF = mark("These are the rules of {title} for {n} players.")
_RULES_OF = mark("These are the rules for {n} players.")


@dataclass(frozen=True)
class Outlook:
    """Whether any useful move is left, from what a seat knows: True (a line of moves shows it), False (proved) or
    None (unknown).
    """

    useful: bool | None
    message: Message
    moves: tuple[MoveText, ...] = ()  #: the line, in order

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The answer as a sentence."""
        return str(self.message)

    def as_dict(self) -> JsonObject:
        """The answer as a JSON-able dict."""
        return {"useful": self.useful, "text": self.text, "moves": list(self.moves)}


class Rules(Protocol):
    """Functions of a game's `rules.py` besides the compiled contract."""

    State: type[Any]
    MAX_MOVES: int


class Prepared(Protocol):
    """Additional functions of a game's rules if a new state has more than options and zeros."""

    def prepare(self, s: State, game: str, options: Options) -> None:
        """Fill the fields that depend on several options or on the game's name, and those with a non-zero initial
        value.
        """


class Presentation(Protocol):
    """A game's `presentation.py`: its plain-Python side, text for people.

    Optional functions: prompts (`Asking`), whether any useful move is left (`Foresight`), and the refusal of some
    whole packs (`Choosy`).
    """

    #: rule ID -> the reason for a payment or a point by that rule
    REASONS: Mapping[RuleID, Reason]
    #: texts of the game's own kinds of events (from contract.OWN on), and of shared kinds that it words differently
    EVENTS: Mapping[int, Told]
    #: ID of the rule for the end of a deal
    END_RULE: RuleID
    #: ID of the rule on the order of turns
    TURN_RULE: RuleID

    def move_text(self, s: State, move: MoveCode) -> MoveText:
        """A move in notation; the inverse of `parse_move`."""

    def parse_move(self, s: State, text: str) -> MoveCode:
        """Parse a move, legal or not. Raises NotationError."""

    def why_not(self, s: State, seat: SeatNumber, move: MoveCode) -> tuple[Text, RuleID]:
        """Why a move of a seat that may act is not legal: reason, and its rule ID or decided question."""

    def automatic(self, s: State, seat: SeatNumber, move: MoveCode) -> bool:
        """Whether the rulebook calls this only legal move forced, so that Match makes it."""

    def zones(self, s: State, viewer: int, legal: Sequence[MoveCode]) -> list[Zone]:
        """The table for a viewer (-1: spectator) from a state redacted for it; legal: its moves."""

    def choices(self, s: State, viewer: int, legal: Sequence[MoveCode]) -> list[Move]:
        """The legal moves of a viewer in the form for people, from a state redacted for it; of moves that begin
        alike, the best comes first.
        """

    def position(self, s: State) -> JsonObject:
        """The keys of a position that are the game's own or that it fills: hands, turn, stacks, pot and more."""

    def set_position(self, s: State, keys: JsonObject, shuffle: Callable[[list[int]], None]) -> None:
        """Put a position into a state just set up; raise PositionError if it is invalid.

        It removes the keys that it has read from `keys`. `shuffle` puts a list (of cards that the keys do not place)
        into random order, in place.
        """


class Foresight(Protocol):
    """Addition to `Presentation` for games in which players may ask whether any useful move is left."""

    def outlook(self, s: State, seat: SeatNumber) -> Outlook:
        """The answer, within a second, for a seat that may act, from a state redacted for it."""


class Guiding(Foresight, Protocol):
    """Addition to `Foresight` for games in which search finds no better move for a hint than the game itself."""

    def guide(self, s: State, seat: SeatNumber) -> MoveCode | None:
        """The move of a hint, within a second, for a seat that may act, from a state redacted for it; None: nothing
        useful is left, and no move leads anywhere.
        """


class Asking(Protocol):
    """Addition to `Presentation` for games with prompts."""

    def prompt(self, s: State, viewer: SeatNumber, legal: Sequence[MoveCode]) -> Prompt:
        """The prompt for a seat that may act, from a state redacted for it: the effects and costs of its moves, and
        expected moves that are illegal.
        """


class OwnPlayer(Protocol):
    """The player of a game that is not searched like the others (`Game.player`).

    It may follow a plan from an earlier position. So it is reproducible only if asked for all moves of a match in
    order, with the same key and budget.
    """

    def move(self, s: State, key: prng.Words, iterations: int, seconds: float) -> MoveCode:
        """The move of the seat that may act, from a state redacted for it. key: of its chance. iterations and seconds:
        the most that a decision may take, as for a `Searcher`; 0: no limit of that kind.
        """


class Witness(Protocol):
    """A weigher's input about a seat's past (`observed.Past`): the seat."""

    seat: SeatNumber


class HasPlaces(Protocol):
    """How many places a world has."""

    places: int


class OwnWeigher(Protocol):
    """What weights the worlds of a game whose hidden cards are not only hands, each a set of cards
    (`Game.weigher`): `search.chain.Weighted` for that game.
    """

    @property
    def head(self) -> HasPlaces:
        """What its chains share."""

    pool: NDArray[np.int64]  #: a buffer of worlds, each as the sets of cards at its places (`contract.put`)

    def begin(self, root: State, past: Witness, key: prng.Words) -> bool:
        """Begin for a state redacted for the seat whose past this is; return whether worlds are weighted there."""

    def draw(self) -> NDArray[np.int64]:
        """Fill the pool with the next worlds."""


class Choosy(Protocol):
    """Addition to `Presentation` for games in which not every order of the pack can be dealt."""

    def why_not_pack(self, s: State, pack: Sequence[int]) -> tuple[Text, Text]:
        """Why a whole pack, top card first, cannot be the next deal's: reason, and what one can do; ("", "") if it
        can.
        """


def _of_package(package: str, name: str) -> Game:
    """The game of that name in a family's package."""
    games: Sequence[Game] = importlib.import_module(package).GAMES
    return next(game for game in games if game.name == name)


@dataclass(frozen=True)
class Name:
    """A name of a game: the title as the sources print it, and the presets of the sources that use it.

    It opens the first of these presets, or the game's first if none is listed.
    """

    title: str
    presets: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name as it is written in addresses and commands: `pope-joan`."""
        return slug(self.title)


#: families of games, by which people choose one
FAMILIES: Mapping[str, str] = {
    "sequences": mark("Sequences"),
    "tricks": mark("Tricks"),
    "captures": mark("Captures"),
    "shedding": mark("Draw and shed"),
    "patience": mark("Patience"),
}


@dataclass(frozen=True)
class Picture:
    """A game in the middle of a deal: cards in an arrangement.

    shape: ladder (rows of suits, a place for each rank), rows, columns, fan, trick, table (cards side by side) or
    piles; cards: groups, separated by `/`, of cards from left to right or from above, `??` for one that is face down;
    hand: the cards of the player, below them.
    """

    shape: str
    cards: str
    hand: str = ""

    @property
    def groups(self) -> list[list[str]]:
        """The cards of each group; "" for one that is face down."""
        return [_shown(group) for group in self.cards.split("/")]

    def as_dict(self) -> JsonObject:
        """The picture for `games --json`."""
        return {"shape": self.shape, "cards": self.groups, "hand": _shown(self.hand)}


def _shown(cards: str) -> list[str]:
    return [card.replace("??", "") for card in cards.split()]


@dataclass(frozen=True)
class Game:
    """One game of the catalog. Importing it does not import rules: `rules` and `presentation` do so when first
    used."""

    name: str
    title: str
    package: str  #: the family's package, which has `rules` and `presentation`
    options: type[Options]
    best: tuple[int, int]  #: fewest and most seats that the sources call best
    version: int  #: of the rules; changes only when behaviour does
    summary: str
    aliases: tuple[
        Name, ...
    ] = ()  #: every other name; the first that only one preset's source uses is that preset's title
    page: str = ""  #: file of the rulebook page within the package; default rules.md
    lowest_wins: bool = False  #: the lowest score is the best
    module: str = "rules"  #: the module of the package with the game's `State` and rules
    #: somebody wins each deal; False: deals are only lost, or each seat gets a score, so there are no wins to count
    deals_won: bool = True
    difficulty: str = ""  #: low, medium or high, if a source gives it
    length: str = ""  #: short, medium or long, if a source gives it
    #: before anything is seen, in worlds weighted in the usual way: ε as Beta(first, second), and the chance that a
    #: seat plays at random (`likelihood.tables`)
    prior: tuple[float, float, float] = (0.5, 9.5, 0.3)
    #: standard errors by which search, in worlds that are not weighted, must find a move better than the leading one to
    #: prefer it: less than the usual 3 where a league shows a gain (docs/findings/strength.md)
    gate: float = 3.0
    family: str = ""  #: one of FAMILIES
    minutes: int = 0  #: that a match against bots usually takes, at the usual number of seats; 0: not known
    effort: int = 0  #: how much there is to learn and to think of, from 1 (little) to 3; 0: not known
    starts: str = ""  #: the preset for somebody who plays it for the first time; empty: the first
    picture: Picture = Picture("fan", "AS KH QD")  #: shown with the game where people choose one
    counts: tuple[int, ...] = ()  #: what jack, queen and king count, where cards are added up
    by_hand: bool = False  #: nearly all its moves are forced, so at a table people make their own
    pitch: str = ""  #: what makes one want to play it, in a few words

    def __deepcopy__(self, _: object) -> Game:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _of_package, (self.package, self.name)

    @property
    def presets(self) -> tuple[str, ...]:
        """The names of the presets; the first is the default."""
        return tuple(self.options.presets)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each preset: the game's for the first; for one without its own name, both names (`British
        Fan Tan`).
        """
        titles = {self.presets[0]: self.title}
        for name in self.aliases:
            if len(name.presets) == 1:
                titles.setdefault(name.presets[0], name.title)
        return {
            preset: titles.get(preset, f"{preset.replace('-', ' ').title()} {self.title}") for preset in self.presets
        }

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name that opens the game, each with its presets: the game's title first, and last the presets' titles
        that are not listed.
        """
        names = {self.title: Name(self.title, self.presets[:1])}
        names |= {name.title: Name(name.title, name.presets or self.presets[:1]) for name in self.aliases}
        for preset, title in self.titles.items():
            names.setdefault(title, Name(title, (preset,)))
        return tuple(names.values())

    @cached_property
    def _presets(self) -> dict[str, str]:
        """The presets by all their normalised names; a preset's own name takes precedence over another's title."""
        return {plain(name.title): name.presets[0] for name in self.names} | {
            plain(preset): preset for preset in self.presets
        }

    def preset(self, text: str) -> str:
        """Find a preset by its name or by a title; case, blanks and hyphens do not matter.

        Raises OptionError.
        """
        asked = plain(text)
        if asked in self._presets:
            return self._presets[asked]
        close = difflib.get_close_matches(asked, self._presets, 1)
        raise OptionError(
            Message("preset {text}", text=repr(text[:60])),
            Message("there is no such preset"),
            meant([self._presets[each] for each in close], self.presets),
            code="options/preset",
        )

    def _has(self, module: str) -> bool:
        """Whether the package has a module of that name; it is not imported."""
        try:
            return importlib.util.find_spec(f"{self.package}.{module}") is not None
        except ModuleNotFoundError:
            # The game is in a module that is no package.
            return False

    def _module(self, name: str) -> Any:
        """A module of the package; None if there is none of that name."""
        return importlib.import_module(f"{self.package}.{name}") if self._has(name) else None

    @cached_property
    def words(self) -> dict[str, Words]:
        """Each option in the words in which people choose it; without any, its description."""
        words: Mapping[str, Words] = getattr(self._module("wording"), "WORDS", {})
        return {name: words.get(name) or Words(kind.text) for name, kind in self.options.kinds().items()}

    @cached_property
    def preset_words(self) -> dict[str, PresetWords]:
        """Each preset in the words in which people choose it."""
        words: Mapping[str, PresetWords] = getattr(self._module("wording"), "PRESETS", {})
        return {name: words.get(name, PresetWords()) for name in self.presets}

    @property
    def phrases(self) -> dict[str, str]:
        """What each preset is called in a sentence about a table."""
        return {name: words.phrase or self.titles[name] for name, words in self.preset_words.items()}

    @property
    def seats(self) -> tuple[int, int]:
        """Fewest and most seats over all presets."""
        ranges = self.options.seat_range.values()
        return min(low for low, _ in ranges), max(high for _, high in ranges)

    def best_for(self, preset: str) -> tuple[int, int]:
        """Fewest and most seats that a preset's source calls best, or any source of the game."""
        return self.options.best_seats.get(preset, self.best)

    @cached_property
    def rules(self) -> Rules:
        """The game's compiled rules (imports Numba)."""
        return cast(Rules, importlib.import_module(f"{self.package}.{self.module}"))

    def new_state(self, options: Options, seats: int) -> State:
        """A state for house rules, which are resolved for this number of seats.

        The match is not yet opened; the state has no key and does not record events.
        """
        from cardtable.rules import compiled_options

        s: State = self.rules.State.new()
        s.seats = seats
        compiled_options.fill(s.rules, options, seats)
        if hasattr(self.rules, "prepare"):
            cast(Prepared, self.rules).prepare(s, self.name, options)
        return s

    @cached_property
    def presentation(self) -> Presentation:
        """The game's plain-Python side."""
        return cast(Presentation, importlib.import_module(self.package + ".presentation"))

    @cached_property
    def timing(self) -> Timing | None:
        """What can be timed in the game; None: nothing."""
        module = self._module("timing")
        return cast(Timing, module.TIMING) if module else None

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features of a state for machine learning; empty: the package defines none."""
        module = self._module("features")
        return tuple(module.FEATURES) if module else ()

    @property
    def wait(self) -> MoveText:
        """The move that lets a moment pass, in a game in which all seats choose for each moment; "": none."""
        return self.timing.silence if isinstance(self.timing, RealTime) else ""

    def real_time(self, options: Options) -> RealTime | None:
        """How the game is played in real time, if it is with these resolved options."""
        return self.timing if isinstance(self.timing, RealTime) and self.timing.applies(options) else None

    def window(self, options: Options) -> Window | None:
        """When seats answer at the same time, if they ever do with these resolved options."""
        return self.timing if isinstance(self.timing, Window) and self.timing.applies(options) else None

    def events_of(self, s: State) -> list[Event]:
        """The events that the last act on a state brought about."""
        return self._teller.events_of(s)

    @cached_property
    def _teller(self) -> Teller:
        from cardtable.rules.events import Teller

        return Teller(self.presentation.EVENTS, self.presentation.REASONS)

    @property
    def prompt(self) -> Callable[[State, SeatNumber, Sequence[MoveCode]], Prompt] | None:
        """The prompt for a seat that may act, from its redacted state and its legal moves; None: the game defines
        none.
        """
        return cast(Asking, self.presentation).prompt if hasattr(self.presentation, "prompt") else None

    @cached_property
    def advice(self) -> Callable[[State, SeatNumber, Sequence[MoveCode]], Advice] | None:
        """A move of a seat that may act as advice, with the most telling reason, from its redacted state (`advice.py`
        of the package). The move is several codes where cards are chosen together. None: the game defines none.
        """
        module = self._module("advice")
        return cast("Callable[[State, SeatNumber, Sequence[MoveCode]], Advice]", module.advice) if module else None

    @property
    def outlook(self) -> Callable[[State, SeatNumber], Outlook] | None:
        """Whether any useful move is left, from a redacted state and its seat (`Match.outlook`); None: unknown, as in
        most games.
        """
        return cast(Foresight, self.presentation).outlook if hasattr(self.presentation, "outlook") else None

    @property
    def guide(self) -> Callable[[State, SeatNumber], MoveCode | None] | None:
        """The game's own move for a hint, from a redacted state and its seat; it is None where nothing useful is left.
        None: search finds it.
        """
        return cast(Guiding, self.presentation).guide if hasattr(self.presentation, "guide") else None

    @cached_property
    def solvable(self) -> bool:
        """Whether it can be solved with all cards known: the package has a `solver`."""
        return self._has("solver")

    @cached_property
    def solver(self) -> Callable[[State, Limits], Answer] | None:
        """What solves a position with all cards known (`cardtable.rules.solver`); None: the game has no solver."""
        module = self._module("solver")
        return cast("Callable[[State, Limits], Answer]", module.solve) if module else None

    @cached_property
    def solver_effort(self) -> DealEffort | None:
        """The solver's limit for a winnable deal; None: the game has no solver."""
        module = self._module("solver")
        return cast("DealEffort", module.EFFORT) if module else None

    @cached_property
    def player(self) -> Callable[[], OwnPlayer] | None:
        """The factory of the player for search levels; None: the game is searched like the others."""
        module = self._module("player")
        return cast("Callable[[], OwnPlayer]", module.GamePlayer) if module else None

    @cached_property
    def weigher(self) -> Callable[[int, int], OwnWeigher] | None:
        """The weigher of the game's worlds, with a number of chains and of worlds at a time; None: the default
        weigher.
        """
        module = self._module("weights")
        return cast("Callable[[int, int], OwnWeigher]", module.Weigher) if module else None

    @cached_property
    def weighs(self) -> bool:
        """Whether worlds of the game can be weighted by the others' moves."""
        from cardtable.rules import contract  # imported when it is used, as rules are

        return self._has("weights") or contract.makes_sets(self.rules.State)

    @cached_property
    def pages(self) -> Pages:
        """The rulebook page, and its parts in other languages."""
        return Pages(self.package, self.page or "rules.md")

    @property
    def rulebook(self) -> str:
        """The whole rulebook page with the rules of all presets, Markdown."""
        return self.pages.whole

    def rules_here(self, preset: str, options: Options, seats: int | None, language: Language = ENGLISH) -> str:
        """The rulebook page as it is under a preset with resolved options, Markdown. seats None: for any number of
        players.

        House rules that differ from the preset's are listed at its top, with the preset's values. A language other than
        English has its own head of the page and *How to play*, if they are translated; a line says that the rest
        is in English.
        """
        return "\n".join(filter(None, self.rules_in(language, preset, options, seats)))

    def rules_in(self, language: Language, preset: str, options: Options, seats: int | None) -> tuple[str, str]:
        """The two parts of `rules_here`: the one in the language ("" if there is none), and the one in English."""
        plain = self.options.make(preset, seats, {})[2].as_dict()
        values, shown = options.as_dict(), options.as_dict()
        if seats is None:
            unresolved = self.options(**self.options.presets[preset]).as_dict()
            for name in [
                name
                for name, value in values.items()
                if unresolved[name] is None and value is not None and value == plain[name]
            ]:
                values[name], shown[name] = rulebook.UNKNOWN, self.options.kinds()[name].default
        values["seats"] = rulebook.UNKNOWN if seats is None else seats
        page = rulebook.render(self.pages.rules, values)
        page = rulebook.with_values(rulebook.unlabelled(page, self.presets), self.presets, shown)
        own = rulebook.render(self.pages.parts(language.code), values)
        reader = Reader(language=language if own else ENGLISH)
        head = self._head(preset, options, plain, seats, reader)
        if not own:
            return "", rulebook.with_head(page, head)
        own = rulebook.in_language(own, {rulebook.HOW_TO_PLAY: reader.plain(_HOW_TO_PLAY)})
        note = reader.plain(Message("The rest of the rulebook is in English."))
        return f"{rulebook.with_head(own, head)}\n\n*{note}*\n", rulebook.rest(page)

    def _head(
        self, preset: str, options: Options, plain: Mapping[str, Json], seats: int | None, reader: Reader
    ) -> list[str]:
        """What a page's rules are for: the preset, the number of players, the house rules that are not the plain."""
        differ = [
            reader.plain(
                Message(
                    "- `{name}`: **{value}** instead of {plain} ({meaning})",
                    name=name,
                    value=rulebook.shown(value),
                    plain=rulebook.shown(plain[name]),
                    meaning=Message(kind.text),
                )
            )
            for name, kind in self.options.kinds().items()
            if (value := getattr(options, name)) != plain[name]
        ]
        several = bool(seats and seats > 1 and self.seats[0] < self.seats[1])
        which = (_PRESET_OF if several else _PRESET) if len(self.presets) > 1 else _RULES_OF if several else None
        rules = reader.plain(Message(which, title=Message(self.titles[preset]), n=seats or 0)) if which else ""
        if differ:
            return [f"{rules} {reader.plain(Message('House rules at this table:'))}".strip(), "", *differ, ""]
        return [rules, ""] if rules else []

    def help_here(self, options: Options, seats: int, language: Language = ENGLISH) -> str:
        """Help for a player at the table in the terminal: the game, its moves and its marks, Markdown; in English, if
        it is not translated.
        """
        return rulebook.render(self.pages.help(language.code), {**options.as_dict(), "seats": seats})

    def as_dict(self) -> JsonObject:
        """The game for `games --json`."""
        names = [{"name": name.name, "title": name.title, "presets": list(name.presets)} for name in self.names]
        return {
            "name": self.name,
            "title": self.title,
            "names": names,
            "aliases": [name["name"] for name in names[1:]],
            "presets": list(self.presets),
            "titles": self.titles,
            "seats": list(self.seats),
            "best": list(self.best),
            "summary": self.summary,
            "pitch": self.pitch,
            "difficulty": self.difficulty,
            "length": self.length,
            "family": self.family,
            "minutes": self.minutes,
            "effort": self.effort,
            "starts": self.starts or self.presets[0],
            "picture": self.picture.as_dict(),
            "fines": dict(self.options.fines),
        }
