"""Requests and answers over HTTP, as typed structures for validation and for the API's description."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from starlette.responses import Response

from cardtable.base.message import Message
from cardtable.rules.options import Group
from cardtable.rules.ruleset import FacesSeen
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
    """The game in an address."""

    what: ClassVar[Message] = Message("this game")
    #: the name of a game, or of one of its presets: any of its names
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class OfTable(msgspec.Struct, frozen=True):
    """The table in an address."""

    what: ClassVar[Message] = Message("this table")
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]  #: the id or the code of a table


class OfMatch(msgspec.Struct, frozen=True):
    """The match in an address."""

    what: ClassVar[Message] = Message("this match")
    id: Id  #: the id of a match, from `GET /api/matches`


class RulesQuery(msgspec.Struct, frozen=True):
    """Rules at a table; all other parameters of the query are house rules."""

    preset: Word = ""  #: a preset of the game; default: the one that the name opens
    seats: Count | None = None  #: the number of players; default: the page is for any number
    #: codes of languages, separated by colons (`pl:en-GB`); the first available one is used, or else English
    language: Word = ""


class RulesPageQuery(RulesQuery, frozen=True):
    """Rules at a table, or, with `whole=1`, those of all presets."""

    #: 1: the rules of all presets, in English; the other parameters have no effect then
    whole: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


class OfPreset(msgspec.Struct, frozen=True):
    """The rules under which a game is learned."""

    #: a preset of the game; default: the one that the name opens
    preset: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Wanted(msgspec.Struct, frozen=True):
    """The requested languages."""

    of: str = ""  #: codes of languages, separated by colons (`pl:en-GB`)


class Before(msgspec.Struct, frozen=True):
    """A portion of a list of matches."""

    before: Count = 0  #: the id of a match; default: begin with the latest match


class DealPart(msgspec.Struct, frozen=True):
    """A portion of a deal."""

    deal: Count = 1  #: the number of the deal, from 1; default: 1
    first: Count = 0  #: the number of the first frame, from 0; default: 0
    #: the number of frames, at most; default: 100
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_FRAMES)] = MOST_FRAMES


class DealPortion(DealPart, frozen=True):
    """A portion of a deal, as a seat or a spectator sees it."""

    seat: Count | None = None  #: the seat whose view is shown; default: a spectator who sees all hands


class DealOfSeat(msgspec.Struct, frozen=True):
    """A deal and a seat."""

    deal: Count = 1  #: the number of the deal, from 1; default: 1
    seat: Count = 0  #: the seat, from 0; default: 0


class NewTable(Setup, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A setup, and how the maker sits down."""

    what: ClassVar[Message] = Message("this setup")
    name: str = ""  #: of the maker
    entropy: str = ""  #: clients of an older protocol send it; it has no effect
    sit: bool = True  #: take the first free seat


class Retry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The move before which a match is tried again."""

    what: ClassVar[Message] = Message("this move")
    deal: Id  #: the number of the deal, from 1
    number: Id  #: the number of the move in its deal, from 1
    name: str = ""  #: the player's name; empty: `Player 1` and so on, by the seat


class PlayOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first hand that is played on."""

    what: ClassVar[Message] = Message("this hand")
    #: a preset of the game; default: the one that the name opens
    preset: Annotated[str, msgspec.Meta(max_length=60)] = ""
    name: str = ""  #: the player's name; empty: `Player 1` and so on, by the seat


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
    """Why something is refused."""

    code: str  #: a stable code for programs, such as `http/rate`
    what: str  #: what was asked, in English
    why: str  #: why it is refused, in English
    can: str  #: what can be done instead, in English; empty: nothing is suggested
    message: dict[str, Any]  #: the whole error as a message (docs/server.md)


class Problem(msgspec.Struct, frozen=True):
    """The answer to a request that is refused."""

    error: ProblemDetail  #: why the request is refused


class LanguageName(msgspec.Struct, frozen=True):
    """A language, and its name in that language."""

    code: str  #: BCP 47: `pl`, `pt-BR`
    name: str  #: in the language itself: `polski`


class Languages(msgspec.Struct, frozen=True):
    """All languages."""

    languages: list[LanguageName]  #: English first


class LanguageMessages(msgspec.Struct, frozen=True):
    """The messages of a language."""

    code: str  #: BCP 47: `pl`, `pt-BR`
    name: str  #: in the language itself: `polski`
    plural: str  #: which plural form belongs to a number n, as an expression of gettext
    messages: dict[str, str]  #: the template in this language for each English template; empty for English


class GameName(msgspec.Struct, frozen=True):
    """A name that opens a game."""

    name: str  #: for requests: small letters and hyphens
    title: str  #: for people
    presets: list[str]  #: the presets that it opens; the first is the default


class Pictured(msgspec.Struct, frozen=True):
    """A picture of a game in the middle of a deal: groups of cards in an arrangement, and a hand."""

    shape: str  #: the arrangement: ladder, rows, columns, fan, trick, table or piles
    cards: list[list[str]]  #: groups of cards in notation; "" is face down
    hand: list[str]  #: the cards of the player, below them


class FamilyName(msgspec.Struct, frozen=True):
    """A family of games."""

    name: str  #: as in `family` of a game
    title: str  #: for people, in English


class GameTold(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    name: str  #: for requests: small letters and hyphens
    title: str  #: for people, in English
    names: list[GameName]  #: every name that opens the game, its title first
    aliases: list[str]  #: the names for requests except the first
    presets: list[str]  #: the first is the default
    titles: dict[str, str]  #: the title of each preset
    seats: Span  #: the smallest and the largest number of players
    best: Span  #: the smallest and the largest number of players that the sources call best
    summary: str  #: one sentence, in English
    pitch: str  #: what makes one want to play it, in a few English words
    difficulty: str  #: `low`, `medium` or `high`; empty: no source gives it
    length: str  #: `short`, `medium` or `long`; empty: no source gives it
    #: house rules for "mistakes are possible and cost chips, as in the book"; empty: the rules have no fines
    fines: Values
    family: str  #: one of `families`
    minutes: int  #: how long a match against bots usually takes; 0: not known
    effort: int  #: how much there is to learn, from 1 (little) to 3; 0: not known
    levels: list[str]  #: the levels of bots for the first preset
    #: the levels of bots for each preset, weakest first: each was measured to be better than the one before
    preset_levels: dict[str, list[str]]
    starts: str  #: the preset for somebody who plays the game for the first time
    picture: Pictured  #: the game in the middle of a deal
    solvable: bool  #: it has a solver (Spider)
    ready: bool  #: it is compiled; false: it can be played, but bots think less


class Games(msgspec.Struct, frozen=True):
    """All games, and whether the server is compiling."""

    games: list[GameTold]  #: in the order in which they are shown
    families: list[FamilyName]  #: the families, in the order in which they are shown
    warming: str  #: what the server is compiling, in English; empty: nothing
    warming_message: dict[str, Any]  #: the same as a message


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """An option: a house rule and its possible values."""

    name: str  #: for requests
    text: str  #: what it does, in one English line
    rules: str  #: the IDs of its rules
    values: list[str]  #: the words that it can be; empty for a number
    low: int  #: the smallest number
    high: int  #: the largest number
    per_seat: bool  #: a list with one number for each seat is also possible
    default: str  #: its value if it is not given, in words; empty: see `values` of the game
    also: str  #: what can be written besides `values`, in English; empty: nothing
    label: str  #: its name for people, a template of the catalogue
    words: dict[str, Any]  #: for each of `values`, a message with its name for people
    only: dict[str, list[str]]  #: other options, with the values under which this one has an effect
    group: Group  #: what it is about
    played: dict[str, str]  #: its values that no source has but people play, with where; "" for a number


class Opens(msgspec.Struct, frozen=True):
    """The game that a name opens."""

    name: str  #: for requests
    title: str  #: for people
    preset: str  #: its default preset


class WholeGame(GameTold, frozen=True, kw_only=True):
    """A game with its options, presets and rulebook page."""

    opens: Opens  #: what the requested name opens
    options: list[Option]  #: its house rules
    values: dict[str, Values]  #: the value of each option under each preset
    seat_range: dict[str, Span]  #: the smallest and the largest number of players of each preset
    best_seats: dict[str, Span]  #: the best numbers of players of each preset
    phrases: dict[str, str]  #: how each preset is called in a sentence
    about: dict[str, str]  #: how a preset differs from the others, in one sentence
    played: dict[str, str]  #: the presets that no source has but people play, with where
    page: str  #: the whole rulebook page (Markdown), with the rules of all presets


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules at a table."""

    name: str  #: of the game, for requests
    title: str  #: of what the requested name opens, for people
    presets: list[str]  #: of the game
    titles: dict[str, str]  #: the title of each preset
    preset: str  #: the one that applies
    seats: int | None  #: as requested; null: any number
    options: dict[str, str]  #: the house rules as requested
    page: str  #: the rulebook page (Markdown) for these rules


class InviteSeat(msgspec.Struct, frozen=True):
    """A seat of a table, and who has it."""

    seat: int  #: from 0
    name: str  #: of the person or bot; empty: the seat is free
    kind: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["person", "bot", "free"]})]  #: who has the seat
    level: str  #: of a bot; empty for a person


class Invite(msgspec.Struct, frozen=True, kw_only=True):
    """What people may know about a table before they sit down."""

    id: str  #: for requests
    code: str  #: the short code that people type
    path: str  #: of its page
    title: str  #: of the game, for people
    stage: str  #: as `stage` of the table (`TableSeen`)
    game: str  #: the name of the game, for requests
    preset: str  #: the preset of the game
    options: Values  #: house rules that differ from the preset's
    clock: str  #: none, relaxed (60 s a turn) or brisk (15 s)
    window: int  #: seconds until the clock answers where several seats answer at the same time; 0: it waits for all
    undo: str  #: consent (if the others agree) or never
    watched: bool  #: anybody with the address may watch
    seats: list[InviteSeat]  #: in their order
    free: int  #: the number of free seats


class Invites(msgspec.Struct, frozen=True):
    """Tables of a person."""

    tables: list[Invite]  #: the latest first


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tables with a free seat, and the state of the whole site."""

    tables: list[Invite]  #: the newest first
    site: SiteSeen | None = None  #: as in `GET /api/site`; omitted if nothing is out of the ordinary


class Made(msgspec.Struct, frozen=True):
    """A new table."""

    id: str  #: for requests
    code: str  #: the short code that people type; empty: the table existed already
    path: str  #: of its page


class MatchPlayer(msgspec.Struct, frozen=True):
    """A player of a match that is over."""

    seat: int  #: from 0
    name: str  #: of the person or bot
    level: str  #: of a bot; empty for a person
    score: int  #: at the end of the match
    won: bool  #: also if several share the win
    you: bool  #: it is you


class MatchTold(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over."""

    id: int  #: for requests
    game: str  #: the name of the game, for requests
    title: str  #: for people
    preset: str  #: the preset of the game
    at: int  #: when it ended, milliseconds since 1970
    players: list[MatchPlayer]  #: in the order of seats
    deals: int  #: the number of deals
    resigned: int | None  #: the seat that gave up; null: none did
    counts: bool  #: it counts in the statistics: it was played here, from the beginning
    solvable: bool  #: the game has a solver (Spider)


class Matches(msgspec.Struct, frozen=True):
    """A portion of a person's finished matches."""

    matches: list[MatchTold]  #: the latest first


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The table after a move."""

    number: int  #: of the move in its deal, from 1; 0 before the first move
    seat: int | None  #: who made it; null before the first move
    move: str  #: in notation; empty before the first move
    label: Any  #: the name of the move, a message; null: its notation
    forced: bool  #: the rules left no other move
    events: list[Any]  #: of the move
    view: dict[str, Any]  #: the table after it (docs/api.md §3)


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A portion of a deal, step by step."""

    deal: int  #: the number of the deal, from 1
    deals: int  #: the number of deals in the match
    faces: FacesSeen  #: of the cards
    seat: int | None  #: whose view it is; null: a spectator who sees all hands
    first: int  #: the number of the first of `frames`, from 0
    moves: int  #: the number of moves of the deal; it has a frame before the first one, and one after each of them
    frames: list[Frame]  #: this portion


class LostDeal(msgspec.Struct, frozen=True, kw_only=True):
    """Where a deal was lost, as far as it is known. Positions are numbered from 1."""

    lost: bool  #: false: the seat won the deal, or the game has no solver
    complete: bool  #: no position is left to solve; false: ask again
    positions: int = 0  #: the number of positions of the deal
    won: int = 0  #: the number of the last position from which the solver wins; 0: none
    open: int = 0  #: the number of the first later position from which it does not
    proved: bool = False  #: nothing wins from `open` on; false: the solver found no win within its limit
    move: str = ""  #: the move made at `won`; empty: the deal was given up there
    best: str = ""  #: the first move of the solution from `won`
    says: Any = None  #: the result in a sentence, a message; null if the deal was not lost


class Kept(msgspec.Struct, frozen=True):
    """A record that has been kept."""

    id: int  #: of the match, as in `GET /api/matches`


class ShuffleProof(msgspec.Struct, frozen=True, kw_only=True):
    """A valid proof of a shuffle."""

    ok: Literal[True] = True  #: the proof is valid
    table: str  #: the id of the table
    match: int  #: the number of the match at its table, from 1
    commitment: str  #: the SHA-256 of the secret, shown before the match
    secret: str  #: in hexadecimal digits
    entropy: list[str]  #: of each seat; empty: it gave none
    commitments: list[str]  #: the SHA-256 of the entropy of each seat; an empty list: the shuffle had none
    seed: str  #: from which the cards were dealt
    moves: int  #: the number of moves in the record


class TitleStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """A person's matches of one title."""

    game: str  #: the name of the game, for requests
    title: str  #: for people
    matches: int  #: the number of matches that count
    won: int  #: the number of wins
    clean: int  #: the number of wins without help
    undone: int  #: the number of wins with moves taken back
    hinted: int  #: the number of wins with hints
    deals: int  #: the number of deals in all matches
    score: int  #: the total of your scores


class ReviewedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A person's own decision that a review has judged: where it was made, and what it was worth."""

    match: int  #: its id
    deal: int  #: the number of the deal, from 1
    number: int  #: of the move in its deal, from 1
    move: str  #: in notation
    move_label: Any  #: its name, a message; null: its notation
    best: str  #: the search's move, in notation
    best_label: Any  #: its name, a message; null: its notation
    grade: Grade  #: of the move
    loss: Annotated[float, msgspec.Meta(ge=0)]  #: by how many points of the deal it was worse than the best
    error: float  #: the standard error of the loss
    scale: float  #: the standard deviation of the deal's result, to compare losses of different deals


class ReviewedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A person's own decisions in one preset of a game, as far as reviews have judged them."""

    game: str  #: the name of the game, for requests
    preset: str  #: the preset of the game
    title: str  #: for people
    grades: dict[Grade, int]  #: the number of decisions with each grade
    loss: float  #: the average loss of a decision, in points of the deal
    best: list[ReviewedMove]  #: your best moves where the most was at stake, one of each deal, five at most
    worst: list[ReviewedMove]  #: your worst moves, five at most


class Statistics(msgspec.Struct, frozen=True):
    """A person's matches, by title, and their judged decisions, by game and preset."""

    games: list[TitleStatistics]  #: by title
    reviewed: list[ReviewedGame]  #: by game and preset


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the server works."""

    ok: bool  #: the server works
    why: str = ""  #: why not, in English; omitted if it works
