"""`games` and `rules`: what can be played, and how; and single clauses of a rulebook page."""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli import as_json
from cardtable.text import span

if TYPE_CHECKING:
    from cardtable.game import Game

ID = re.compile(r"[A-Z]{2}-[A-Z]?\d{1,3}[a-z]?", re.IGNORECASE)


@click.command()
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def games(in_json: bool) -> None:
    """List the games by all their names, with their presets (sets of rules) and seats."""
    from cardtable import catalog

    found = list(catalog.games().values())
    if in_json:
        as_json([game.as_dict() for game in found])
        return
    width = max(len(game.name) for game in found)
    for game in found:
        low, high = game.seats
        seats = f"{low} player{'s' * (low > 1)}" if low == high else f"{low} to {high} players"
        seats += f", best {span(*game.best)}" if game.best != game.seats else ""
        seats += f"; difficulty {game.difficulty}, length {game.length}" if game.difficulty else ""
        lines = [game.summary, seats, *names_of(game)]
        columns, indent = shutil.get_terminal_size().columns, " " * (width + 2)
        first, *others = [click.wrap_text(line, columns, indent, indent + "  ") for line in lines]
        click.echo("\n".join([click.style(game.name.ljust(width), bold=True) + first[width:], *others]))
    click.echo("\nPlay one, by any of its names: cardtable play NAME    Its rules: cardtable rules NAME")


def names_of(game: Game) -> list[str]:
    """What else a game is called, and what its presets are, as lines for people."""
    others = [name for name in game.names if name.title not in game.titles.values()]
    only = {preset: [name.title for name in others if name.presets == (preset,)] for preset in game.presets[1:]}
    rest = [name.title for name in others if not any(name.title in titles for titles in only.values())]
    lines = [f"also called {', '.join(rest)}"] if rest else []
    if only:
        shown = [game.titles[preset] + (f" ({', '.join(titles)})" if titles else "") for preset, titles in only.items()]
        lines.append(f"presets: {', '.join([game.title, *shown])}")
    return lines


@click.command()
@click.argument("game")
@click.argument("clause", required=False)
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def rules(game: str, clause: str | None, in_json: bool) -> None:
    """Show a game's rulebook page and its house rules with values and rule IDs; or one CLAUSE of it, such as FT-25."""
    from cardtable import catalog
    from cardtable.errors import OptionError

    found = catalog.find(game)
    if clause is not None:
        lines = clauses(found, clause)
        if not lines:
            raise OptionError(f"clause {clause[:40]!r}", "no page has it", f"write: cardtable rules {found.name}", code="rules/unknown")
        for line in lines:
            click.echo(line)
    elif in_json:
        as_json(
            {
                "name": found.name,
                "title": found.title,
                "page": found.rulebook,
                "presets": presets(found),
                "options": option_rows(found),
                "fines": dict(found.options.fines),
            }
        )
    elif sys.stdout.isatty():
        from cardtable.cli.screen import page

        page(markdown(found))
    else:
        click.echo(found.rulebook)
        click.echo(option_text(found))


def presets(game: Game) -> dict[str, dict[str, Any]]:
    """Every option's value in each preset; None: as the rule says."""
    found = {}
    for name, values in game.options.presets.items():
        options = game.options(**values).as_dict()
        found[name] = {option: list(value) if isinstance(value, tuple) else value for option, value in options.items()}
    return found


def option_rows(game: Game) -> list[dict[str, Any]]:
    """The house rules, with the default of the first preset."""
    plain = next(iter(presets(game).values()))
    return [{"name": name, "values": kind.domain, "default": kind.default if plain[name] is None else plain[name], "rules": kind.rules, "text": kind.text}
            for name, kind in game.options.kinds().items()]  # fmt: skip


def option_text(game: Game) -> str:
    """The house rules as text: values, rule IDs, meaning, and the default, also of the presets that differ."""
    table = presets(game)
    first, *others = table
    lines = ["", "House rules (--set option=value)", ""]
    for row in option_rows(game):
        name = row["name"]
        differ = [f"{other}: {table[other][name]}" for other in others if table[other][name] != table[first][name]]
        lines.append(f"{name} = {row['values']}")
        lines.append(f"    {row['text']} ({row['rules']})")
        lines.append(f"    default: {row['default']}" + "".join(f"; {word}" for word in differ))
    if game.options.fines:
        meaning = ", ".join(f"{name}={value}" for name, value in game.options.fines.items())
        lines += ["", f"Fines, as in the book: --fines makes mistakes possible, and they cost chips ({meaning})"]
    seats = ", ".join(_seats(game, preset) for preset in game.presets)
    return "\n".join([*lines, "", f"Seats: {seats}"])


def _seats(game: Game, preset: str) -> str:
    """How many may play by a preset, and how many its source calls best."""
    low, high = game.options.seat_range[preset]
    best = f" (best {span(*game.best_for(preset))})" if game.best_for(preset) != (low, high) else ""
    return f"{preset} {low}" + (f" to {high}" if high > low else "") + best


def markdown(game: Game) -> Any:
    """Page and house rules, to be printed by Rich."""
    from rich.console import Group
    from rich.markdown import Markdown
    from rich.text import Text

    text = Text(option_text(game))
    text.highlight_regex(r"(?m)^\w+(?= = )", "bold")
    text.highlight_regex(r"(?m)^House rules.*$", "bold")
    return Group(Markdown(game.rulebook), text)


def clauses(game: Game, wanted: str) -> list[str]:
    """What the rulebook says under a rule ID; games that share rules share their pages. Empty if nothing is found."""
    from cardtable import catalog

    if not ID.fullmatch(wanted):
        return []
    pages = [game, *(other for other in catalog.games().values() if other.package == game.package and other is not game)]
    pages += [other for other in catalog.games().values() if other.package != game.package]
    for other in pages:
        if found := _clause(other.rulebook, wanted.upper()):
            return found if other is game else [f"(from the page of {other.title})", *found]
    return []


def _clause(page: str, wanted: str) -> list[str]:
    """A table's row, a list's item or a whole section of a page that begins with an ID."""
    found: list[str] = []
    section = False
    for line in page.splitlines():
        plain = re.sub(r"\*\*|`", "", line).strip()
        if section:
            if plain.startswith("#"):
                break
            if plain and not re.fullmatch(r"[|:\- ]+", plain):
                found.append(_cells(plain))
        elif re.match(rf"(\| *|[-*] +|#+ +){re.escape(wanted)}\b(?!-)", plain, re.IGNORECASE):
            found.append(_cells(plain.lstrip("#-* ")))
            section = plain.startswith("#")
            if not section:
                break
    return found


def _cells(line: str) -> str:
    return " · ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
