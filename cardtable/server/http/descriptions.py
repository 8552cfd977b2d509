"""Descriptions of games, tables and matches for the HTTP part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, cast

from starlette.datastructures import QueryParams

from cardtable.base import languages
from cardtable.base.message import as_data
from cardtable.base.names import slug
from cardtable.bots.cast import of_seat
from cardtable.bots.offered import offered
from cardtable.match import lesson
from cardtable.precompile import ready
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.rules.options import Kind, Words
from cardtable.rules.ruleset import Ruleset
from cardtable.server.http import answers, lessons
from cardtable.server.http.lessons import LessonTold
from cardtable.server.http.pages import html_of
from cardtable.server.rooms.hall import Glance
from cardtable.table import Setup, projection


def _fields(game: Game) -> dict[str, Any]:
    fields = game.as_dict()
    levels = {preset: list(offered(game, preset)) for preset in game.presets}
    fields |= {"levels": levels[game.presets[0]], "preset_levels": levels}
    return fields | {
        "picture": answers.Pictured(**cast(dict[str, Any], fields["picture"])),
        "solvable": game.solvable,
        "ready": ready(game),
    }


def game_told(game: Game) -> answers.GameTold:
    """A game, and whether it is compiled."""
    return answers.GameTold(**_fields(game))


def whole_game(asked: Ruleset) -> answers.WholeGame:
    """A game with its options, presets and rulebook page, and the variant of the requested name."""
    game = asked.game
    return answers.WholeGame(
        **_fields(game),
        opens=answers.Opens(slug(asked.title), asked.title, asked.preset),
        options=[option_told(name, kind, game.words[name]) for name, kind in game.options.kinds().items()],
        values={preset: Ruleset.parse(game, preset).options.as_dict() for preset in game.presets},
        seat_range=dict(game.options.seat_range),
        best_seats={preset: game.best_for(preset) for preset in game.presets},
        phrases=game.phrases,
        about={preset: words.about for preset, words in game.preset_words.items() if words.about},
        played={preset: words.played for preset, words in game.preset_words.items() if words.played},
        page=game.rulebook,
    )


def rules_told(called: str, query: answers.RulesQuery, words: QueryParams) -> answers.TableRules:
    """A game's rules for a query. words: all parameters of the query. Raises UnknownGame, OptionError."""
    ruleset, house = ruleset_of(called, query, words)
    game = ruleset.game
    return answers.TableRules(
        name=game.name,
        title=ruleset.title,
        presets=list(game.presets),
        titles=dict(game.titles),
        preset=ruleset.preset,
        seats=query.seats,
        options={key: house[key] for key in game.options.kinds() if key in house},
        page="\n".join(filter(None, rules_in(ruleset, query.seats, language_of(query)))),
    )


def ruleset_of(called: str, query: answers.RulesQuery, words: QueryParams) -> tuple[Ruleset, dict[str, str]]:
    """The rules that a query asks for, and its house rules. Raises UnknownGame, OptionError."""
    house = {name: value for name, value in words.items() if name not in query.__struct_fields__}
    return Ruleset.parse(called, query.preset or None, query.seats, house), house


def language_of(query: answers.RulesQuery) -> str:
    """The code of the language that a query asks for: the first available one, or else English."""
    return languages.best(query.language.split(":"))


@lru_cache(256)
def rules_in(ruleset: Ruleset, seats: int | None, code: str) -> tuple[str, str]:
    """The rules of a game, as such a table plays them: the part in a language, and the one in English. seats None: with
    any number of players.
    """
    language = languages.catalogue(code).language
    return ruleset.game.rules_in(language, ruleset.preset, ruleset.options, seats)


rulebook_html = lru_cache(256)(html_of)


@lru_cache(64)
def lesson_told(game: str, preset: str) -> LessonTold | None:
    """The first hand of a game's preset, if it has one."""
    first_hand = lesson.lesson(catalog.games()[game], preset)
    return lessons.for_browser(first_hand) if first_hand else None


def lesson_setup(game: str, preset: str) -> Setup | None:
    """The setup of a table that plays on the first hand of a game's preset, if it has one. Raises CardtableError."""
    first_hand = lesson.lesson(catalog.games()[game], preset)
    return lessons.played_on(first_hand) if first_hand else None


def option_told(name: str, kind: Kind, words: Words) -> answers.Option:
    """An option: its name, its words, and the fields of its kind that can be written as JSON."""
    fields = {key: value for key, value in asdict(kind).items() if key not in ("read", "numbers")}
    only = {other: list(values) for other, values in words.only.items()}
    values = {value: as_data(words.value(value)) for value in kind.values}
    fields |= {"group": words.group, "played": dict(words.played)}
    return answers.Option(name=name, label=words.label, words=values, only=only, **fields)


def invite_of(glance: Glance) -> answers.Invite:
    """The public data of a table before people sit down."""
    table, setup = glance.table, glance.table.setup
    seats = [projection.seat_seen(table, seat, ()) for seat in range(len(table.places))]
    return answers.Invite(
        id=table.id,
        code=glance.code,
        path=f"/t/{table.id}",
        title=setup.known_as,
        stage=glance.stage,
        **{name: getattr(setup, name) for name in ("game", "preset", "options", "clock", "window", "undo", "watched")},
        seats=[answers.InviteSeat(place.seat, place.name, place.kind, place.level) for place in seats],
        free=sum(place.kind == "free" for place in seats),
    )


def match_told(match: Mapping[str, Any], owner: str) -> answers.MatchTold:
    """A finished match, without anybody's secret."""
    fields = {name: match[name] for name in ("id", "game", "preset", "at", "deals", "resigned", "counts")}
    players = [
        answers.MatchPlayer(p["seat"], name_of(p), p["level"], p["score"], p["won"], p["owner"] == owner)
        for p in match["players"]
    ]
    game = catalog.games().get(match["game"])
    return answers.MatchTold(
        **fields, title=title_of(match), players=players, solvable=game is not None and game.solvable
    )


def name_of(player: Mapping[str, Any]) -> str:
    """The name of a player of a stored match; for a bot stored only by level (`bot: medium`), the name of the bot at
    its seat.
    """
    if player["level"] and player["name"].startswith("bot: "):
        return of_seat(player["level"], player["seat"]).name
    return str(player["name"])


def title_of(match: Mapping[str, Any]) -> str:
    """The title of a kept match; the name of its game, if the game or the preset no longer exists."""
    game = catalog.games().get(match["game"])
    return str(match["title"] or (game.titles.get(match["preset"], game.title) if game else match["game"]))


def by_title(rows: Sequence[Mapping[str, Any]]) -> list[answers.TitleStatistics]:
    """Rows of statistics, added up by title."""
    by_name: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        sums = by_name.setdefault((row["game"], title_of(row)), Counter())
        sums.update({name: value for name, value in row.items() if isinstance(value, int)})
    return [answers.TitleStatistics(game=game, title=title, **sums) for (game, title), sums in by_name.items()]


def reviewed_told(reviewed: dict[str, Any]) -> answers.ReviewedGame:
    """What reviews found in one preset of a game (`decisions.statistics`)."""
    moves = {
        name: [answers.ReviewedMove(number=row["act"], **{key: row[key] for key in _OF_MOVE}) for row in reviewed[name]]
        for name in ("best", "worst")
    }
    return answers.ReviewedGame(title=title_of(reviewed | {"title": ""}), **(reviewed | moves))


_OF_MOVE = [name for name in answers.ReviewedMove.__struct_fields__ if name != "number"]
