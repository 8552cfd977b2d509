"""`games` and `rules`: the games, their rulebook pages, and single clauses of these."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cardtable.base import languages
from cardtable.base.languages import tr, translated
from cardtable.base.message import Message, mark
from cardtable.base.names import span
from cardtable.cli.common import as_json, house_rules, json_option
from cardtable.cli.rulebook_text import below_title, clauses, markdown, noted
from cardtable.rules.options import as_given

if TYPE_CHECKING:
    from cardtable.rules.game import Game
    from cardtable.rules.options import Kind, Options, Words


@click.command()
@json_option
def games(in_json: bool) -> None:
    """List the games by all their names, with their presets (sets of rules) and seats."""
    from cardtable.rules import catalog

    listed = list(catalog.games().values())
    if in_json:
        as_json([game.as_dict() for game in listed])
        return
    width = max(len(game.name) for game in listed)
    for game in listed:
        low, high = game.seats
        seats = (
            Message("{n} {n:player|players}", n=low)
            if low == high
            else Message("{low} to {high} players", low=low, high=high)
        )
        if game.best != game.seats:
            seats = Message("{players}, best {best}", players=seats, best=span(*game.best))
        if game.difficulty:
            hard = mark("{players}; difficulty {difficulty}, length {length}")
            seats = Message(
                hard,
                players=seats,
                difficulty=Message(game.difficulty, context="difficulty"),
                length=Message(game.length, context="length"),
            )
        lines = [tr(game.summary), translated(seats), *names_of(game)]
        columns, indent = shutil.get_terminal_size().columns, " " * (width + 2)
        first, *others = [click.wrap_text(line, columns, indent, indent + "  ") for line in lines]
        click.echo("\n".join([click.style(game.name.ljust(width), bold=True) + first[width:], *others]))
    play, page = "cardtable play NAME", "cardtable rules NAME"
    click.echo("\n" + tr("Play one, by any of its names: {play}    Its rules: {rules}", play=play, rules=page))


def names_of(game: Game) -> list[str]:
    """A game's other names and its presets, as display lines."""
    others = [name for name in game.names if name.title not in game.titles.values()]
    only = {preset: [tr(name.title) for name in others if name.presets == (preset,)] for preset in game.presets[1:]}
    rest = [tr(name.title) for name in others if not any(tr(name.title) in titles for titles in only.values())]
    lines = [tr("also called {names}", names=", ".join(rest))] if rest else []
    if only:
        shown = [
            tr(game.titles[preset]) + (f" ({', '.join(titles)})" if titles else "") for preset, titles in only.items()
        ]
        lines.append(tr("presets: {names}", names=", ".join([tr(game.title), *shown])))
    return lines


@click.command()
@click.argument("game")
@click.argument("clause", required=False)
@click.option("--rules", "preset", metavar="PRESET", help="The rules of this preset. Default: the game's first.")
@click.option("--set", "house", multiple=True, metavar="OPTION=VALUE", help="With this house rule; may be repeated.")
@click.option("--seats", type=int, metavar="N", help="For this number of players. Default: for any.")
@click.option(
    "--all",
    "whole",
    is_flag=True,
    help="The whole rulebook page with all presets, their house rules, and how positions are written.",
)
@json_option
def rules(
    game: str,
    clause: str | None,
    preset: str | None,
    house: tuple[str, ...],
    seats: int | None,
    whole: bool,
    in_json: bool,
) -> None:
    """Show the rules of a game under a preset and house rules, or only one CLAUSE, by the ID that refusals name."""
    from cardtable.base.errors import OptionError
    from cardtable.rules.ruleset import Ruleset

    if whole and (preset or house or seats is not None):
        raise click.UsageError(tr("--all shows the rules of all presets: leave out --rules, --set and --seats"))
    ruleset = Ruleset.parse(game, preset, seats, house_rules(house))
    entry, name, options = ruleset.game, ruleset.preset, ruleset.options
    asked = bool(house or seats is not None) or name != entry.presets[0]
    here = entry.rulebook if whole else entry.rules_here(name, options, seats)
    if clause is not None:
        lines = clauses(entry, clause, here if asked else None)
        if not lines:
            raise OptionError(
                Message("clause {clause}", clause=repr(clause[:40])),
                Message("no page has it"),
                Message("write: cardtable rules {name}", name=entry.name),
                code="rules/unknown",
            )
        for line in lines:
            click.echo(line)
    elif in_json:
        table = {} if whole else {"rules": name, "seats": seats, "values": _listed(options)}
        facts = {
            "name": entry.name,
            "title": ruleset.title,
            **table,
            "page": here,
            "presets": presets(entry),
            "options": option_rows(entry),
        }
        as_json(facts | {"fines": dict(entry.options.fines)})
    else:
        text = option_text(entry) if whole else ""
        if not whole:
            here = _with_others(entry.rules_here(name, options, seats, languages.current()), entry, name)
        here = noted(here, entry, whole)
        if sys.stdout.isatty():
            from cardtable.cli.terminal.screen import page

            page(markdown(here, text))
        else:
            click.echo(here + (f"\n{text}" if text else ""))


def _with_others(page: str, game: Game, preset: str) -> str:
    """The page with a line below its title that lists the other presets and the whole page."""
    others = [other for other in game.presets if other != preset]
    more = []
    if others:
        how = f"`cardtable rules {game.name} --rules {others[0]}`"
        more.append(tr("Other rules: {presets} ({command}).", presets=", ".join(others), command=how))
    if game.options.fines:
        more.append(tr("Fines, as in the book: --fines."))
    more.append(tr("The whole rulebook page: {command}.", command=f"`cardtable rules {game.name} --all`"))
    return below_title(page, " ".join(more))


def _listed(options: Options) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.as_dict().items()}


def presets(game: Game) -> dict[str, dict[str, Any]]:
    """Every option's value in each preset; None: as in the rule."""
    return {name: _listed(game.options(**values)) for name, values in game.options.presets.items()}


def option_rows(game: Game) -> list[dict[str, Any]]:
    """The house rules, with the default of the first preset."""
    plain = next(iter(presets(game).values()))
    return [
        {
            "name": name,
            "values": str(kind.domain),
            "default": kind.default if plain[name] is None else plain[name],
            "rules": kind.rules,
            "text": kind.text,
        }
        for name, kind in game.options.kinds().items()
    ]


def option_text(game: Game) -> str:
    """The house rules as text: values, meaning, rule IDs, default and differing presets."""
    table = presets(game)
    first, *others = table
    lines = ["", tr("House rules (--set option=value)"), ""]
    kinds = game.options.kinds()
    for row in option_rows(game):
        name = row["name"]
        words, kind = game.words[name], kinds[name]
        differ = [
            f"{other}: {valued(words, kind, table[other][name])}"
            for other in others
            if table[other][name] != table[first][name]
        ]
        lines.append(f"{name} = {domain(words, kind)}")
        lines.append(f"    {tr(row['text'])} ({row['rules']})")
        typed = table[first][name] is not None  # a value as it is typed, or words for its source
        default = valued(words, kind, row["default"]) if typed else tr(row["default"])
        lines.append("    " + tr("default: {values}", values="; ".join([default, *differ])))
    if game.options.fines:
        meaning = as_given(game.options.fines)
        lines += [
            "",
            tr(
                "Fines, as in the book: --fines makes mistakes possible, and they cost chips ({meaning})",
                meaning=meaning,
            ),
        ]
    seats = ", ".join(translated(_seats(game, preset)) for preset in game.presets)
    return "\n".join([*lines, "", tr("Seats: {seats}", seats=seats)])


def valued(words: Words, kind: Kind, value: object) -> str:
    """A value of a house rule in the reader's language, and as it is typed where that differs: `an (on)`."""
    text = translated(words.value(str(value))) if value in kind.values and not kind.read else str(value)
    return text if text == str(value) else f"{text} ({value})"


def domain(words: Words, kind: Kind) -> str:
    """The values that a house rule can have: `an (on) | aus (off)`, `unbegrenzt (none) | 1 bis 100`."""
    values = [valued(words, kind, value) for value in kind.values]
    if kind.read:
        values.append(tr(kind.also))
    elif kind.high or not kind.values:
        values.append(translated(replace(kind, values=()).domain))
    return " | ".join(values)


def _seats(game: Game, preset: str) -> Message:
    """The number of players under a preset, and the number that its source calls best."""
    low, high = game.options.seat_range[preset]
    seats = (
        Message("{preset} {low} to {high}", preset=preset, low=low, high=high)
        if high > low
        else Message("{preset} {low}", preset=preset, low=low)
    )
    best = game.best_for(preset)
    return seats if best == (low, high) else Message("{seats} (best {best})", seats=seats, best=span(*best))
