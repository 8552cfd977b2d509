"""Requests and answers over HTTP, as typed structures for validation and for the API's description."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from starlette.responses import Response

from cardtable.base.message import Message
from cardtable.server.people.site import SiteSeen
from cardtable.server.thinking.review_answers import Grade
from cardtable.table import Setup

BIGGEST_ID = 1 << 31
MOST_FRAMES = 100  #: of a replay, in one answer
Id = Annotated[int, msgspec.Meta(ge=1, lt=BIGGEST_ID)]
Count = Annotated[int, msgspec.Meta(ge=0, le=999_999_999)]
Word = Annotated[str, msgspec.Meta(max_length=60)]
Span = tuple[int, int]  #: lowest and highest
Values = dict[str, Any]  #: house rules by name: numbers and words, or a list with one for each seat


# The parts of a request: of its address, its query, its body. A refusal calls the thing named `what`.


class OfGame(msgspec.Struct, frozen=True):
    """A game, by any of its names."""

    what: ClassVar[Message] = Message("this game")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class OfTable(msgspec.Struct, frozen=True):
    """A table, by id or code."""

    what: ClassVar[Message] = Message("this table")
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class OfMatch(msgspec.Struct, frozen=True):
    """A match that the server has kept."""

    what: ClassVar[Message] = Message("this match")
    id: Id


class RulesQuery(msgspec.Struct, frozen=True):
    """Rules at a table; all other parameters of the query are house rules."""

    preset: Word = ""
    seats: Count | None = None
    language: Word = ""


class RulesPageQuery(RulesQuery, frozen=True):
    """Rules at a table, or, with `whole=1`, those of all presets."""

    whole: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


class OfPreset(msgspec.Struct, frozen=True):
    """The rules under which a game is learned: a preset, by default the game's own."""

    preset: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Wanted(msgspec.Struct, frozen=True):
    """Languages by their codes, separated by colons."""

    of: str = ""


class Before(msgspec.Struct, frozen=True):
    """Only matches older than this one."""

    before: Count = 0


class DealPortion(msgspec.Struct, frozen=True):
    """A portion of a deal, from 1, as a seat or a spectator sees it: its first frame, from 0, and how many."""

    deal: Count = 1
    seat: Count | None = None
    first: Count = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_FRAMES)] = MOST_FRAMES


class DealOfSeat(msgspec.Struct, frozen=True):
    """A deal, from 1, and a seat."""

    deal: Count = 1
    seat: Count = 0


class NewTable(Setup, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A setup, and how the maker sits down."""

    what: ClassVar[Message] = Message("this setup")
    name: str = ""  #: of the maker
    entropy: str = ""  #: clients of an older protocol send it; it has no effect
    sit: bool = True  #: take the first free seat


class Retry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The move before which a match is tried again (both numbers from 1), and the player's name."""

    what: ClassVar[Message] = Message("this move")
    deal: Id
    number: Id
    name: str = ""


# Answers that are not JSON


class Html(Response):
    """A page, or a part of one."""

    media_type = "text/html"


class Svg(Response):
    """A picture."""

    media_type = "image/svg+xml"


class Toml(Response):
    """A record."""

    media_type = "application/toml"


class PrometheusText(Response):
    """Figures in Prometheus's format."""

    media_type = "text/plain; version=0.0.4"


# Answers in JSON


class ProblemDetail(msgspec.Struct, frozen=True):
    """Why something is refused: a stable code, what was asked, why not, what to do instead; and all of it as a message
    (docs/server.md).
    """

    code: str
    what: str
    why: str
    can: str
    message: dict[str, Any]


class Problem(msgspec.Struct, frozen=True):
    """The answer to a request that is refused."""

    error: ProblemDetail


class LanguageName(msgspec.Struct, frozen=True):
    """A language, and its name in that language."""

    code: str
    name: str


class Languages(msgspec.Struct, frozen=True):
    """All languages."""

    languages: list[LanguageName]


class LanguageMessages(msgspec.Struct, frozen=True):
    """The messages of a language."""

    code: str
    name: str
    plural: str
    messages: dict[str, str]


class GameName(msgspec.Struct, frozen=True):
    """A name that opens a game, and the presets that it opens."""

    name: str
    title: str
    presets: list[str]


class Pictured(msgspec.Struct, frozen=True):
    """A picture of a game: cards in groups ("" is face down), arranged in a shape."""

    shape: str
    cards: list[list[str]]


class FamilyName(msgspec.Struct, frozen=True):
    """A family of games, and what it is called."""

    name: str
    title: str


class GameTold(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    name: str
    title: str
    names: list[GameName]
    aliases: list[str]
    presets: list[str]
    titles: dict[str, str]
    seats: Span
    best: Span
    summary: str
    difficulty: str
    length: str
    fines: Values
    family: str
    minutes: int
    effort: int
    levels: list[str]
    preset_levels: dict[str, list[str]]
    starts: str
    picture: Pictured
    solvable: bool
    ready: bool


class Games(msgspec.Struct, frozen=True):
    """All games, and what the server is doing for them."""

    games: list[GameTold]
    families: list[FamilyName]
    warming: str
    warming_message: dict[str, Any]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A house rule and its possible values."""

    name: str
    text: str
    rules: str
    values: list[str]
    low: int
    high: int
    per_seat: bool
    default: str
    also: str
    label: str
    words: dict[str, Any]
    only: dict[str, list[str]]


class Opens(msgspec.Struct, frozen=True):
    """What a name opens."""

    name: str
    title: str
    preset: str


class WholeGame(GameTold, frozen=True, kw_only=True):
    """A game with its options, presets and rulebook page."""

    opens: Opens
    options: list[Option]
    values: dict[str, Values]
    seat_range: dict[str, Span]
    best_seats: dict[str, Span]
    phrases: dict[str, str]
    page: str


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules at a table."""

    name: str
    title: str
    presets: list[str]
    titles: dict[str, str]
    preset: str
    seats: int | None
    options: dict[str, str]
    page: str


class InviteSeat(msgspec.Struct, frozen=True):
    """Who has a seat of a table."""

    seat: int
    name: str
    kind: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["person", "bot", "free"]})]
    level: str


class Invite(msgspec.Struct, frozen=True, kw_only=True):
    """What people may know about a table before they sit down."""

    id: str
    code: str
    path: str
    title: str
    stage: str
    game: str
    preset: str
    options: Values
    clock: str
    window: int
    undo: str
    watched: bool
    seats: list[InviteSeat]
    free: int


class Invites(msgspec.Struct, frozen=True):
    """Some tables."""

    tables: list[Invite]


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tables with a free seat; and what holds for the whole site, if it is not as usual."""

    tables: list[Invite]
    site: SiteSeen | None = None


class Made(msgspec.Struct, frozen=True):
    """A new table."""

    id: str
    code: str
    path: str


class MatchPlayer(msgspec.Struct, frozen=True):
    """A player of a match that is over."""

    seat: int
    name: str
    level: str  #: of a bot; empty for a person
    score: int
    won: bool
    you: bool


class MatchTold(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over."""

    id: int
    game: str
    title: str
    preset: str
    at: int
    players: list[MatchPlayer]
    deals: int
    resigned: int | None
    counts: bool
    solvable: bool


class Matches(msgspec.Struct, frozen=True):
    """Some matches."""

    matches: list[MatchTold]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The table after a move."""

    number: int
    seat: int | None
    move: str
    label: Any
    events: list[Any]
    view: dict[str, Any]


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A portion of a deal, step by step."""

    deal: int
    deals: int
    seat: int | None
    first: int
    numbers: list[int]
    frames: list[Frame]


class LostDeal(msgspec.Struct, frozen=True, kw_only=True):
    """Where a deal was lost, as far as it is known; `says` is a message, null if it was not lost."""

    lost: bool
    complete: bool
    positions: int = 0
    won: int = 0
    open: int = 0
    proved: bool = False
    move: str = ""
    best: str = ""
    says: Any = None


class Kept(msgspec.Struct, frozen=True):
    """A record that has been kept."""

    id: int


class ShuffleProof(msgspec.Struct, frozen=True, kw_only=True):
    """A valid proof of a shuffle."""

    ok: Literal[True] = True
    table: str
    match: int
    commitment: str
    secret: str
    entropy: list[str]
    commitments: list[str]
    seed: str
    moves: int


class TitleStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """A person's matches of one title."""

    game: str
    title: str
    matches: int
    won: int
    clean: int
    undone: int
    hinted: int
    deals: int
    score: int


class ReviewedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A person's own decision that a review has judged: where it was made, and what it was worth."""

    match: int
    deal: int
    number: int  #: of the move in its deal
    move: str
    move_label: Any
    best: str
    best_label: Any
    grade: Grade
    loss: Annotated[float, msgspec.Meta(ge=0)]
    error: float
    scale: float


class ReviewedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A person's own decisions in one preset of a game, as far as reviews have judged them."""

    game: str
    preset: str
    title: str
    grades: dict[Grade, int]
    loss: float  #: on average
    best: list[ReviewedMove]
    worst: list[ReviewedMove]


class Statistics(msgspec.Struct, frozen=True):
    """A person's matches, by title, and their judged decisions, by game and preset."""

    games: list[TitleStatistics]
    reviewed: list[ReviewedGame]


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the server works. why: why not, in plain English."""

    ok: bool
    why: str = ""
