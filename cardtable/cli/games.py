"""`games` and `rules`: what can be played, and how."""

from __future__ import annotations

import sys
from typing import Any

import click

from cardtable.cli import as_json


@click.command()
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def games(in_json: bool) -> None:
    """List the games, their sets of rules and seats."""
    from cardtable import catalog

    found = list(catalog.games().values())
    if in_json:
        as_json([game.as_dict() for game in found])
        return
    width = max(len(game.name) for game in found)
    for game in found:
        low, high = game.seats
        seats = f"{low} players" if low == high else f"{low} to {high} players"
        click.echo(f"{click.style(game.name.ljust(width), bold=True)}  {game.summary}")
        click.echo(f"{'':{width}}  {seats}; rules: {', '.join(game.presets)}")
    click.echo("\ncardtable play GAME   cardtable rules GAME")


def _option_rows(game: Any) -> list[dict[str, Any]]:
    plain = game.options()
    rows = []
    for name, kind in game.options.kinds().items():
        default = getattr(plain, name)
        rows.append({"name": name, "values": kind.domain, "default": kind.default if default is None else default, "rules": kind.rules, "text": kind.text})
    return rows


@click.command()
@click.argument("game")
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def rules(game: str, in_json: bool) -> None:
    """Show a game's rulebook page, and its house rules with values and rule IDs."""
    from cardtable import catalog

    found = catalog.find(game)
    rows = _option_rows(found)
    presets = {name: dict(values) for name, values in found.options.presets.items()}
    if in_json:
        as_json({"name": found.name, "title": found.title, "page": found.rulebook, "presets": presets, "options": rows})
        return
    if not sys.stdout.isatty():
        click.echo(found.rulebook)
        click.echo("\n## House rules (--set option=value)\n")
        for row in rows:
            click.echo(f"{row['name']} = {row['values']}  (default {row['default']}; {row['rules']})\n    {row['text']}")
        return
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.table import Table

    console = Console()
    table = Table(title="House rules (--set option=value)", title_justify="left")
    for heading in ("option", "values", "default", "rule", "meaning"):
        table.add_column(heading)
    for row in rows:
        table.add_row(row["name"], row["values"], str(row["default"]), row["rules"], row["text"])
    with console.pager(styles=True):
        console.print(Markdown(found.rulebook))
        console.print(table)
        for name, values in presets.items():
            console.print(f"[bold]{name}[/]: " + (", ".join(f"{k}={v}" for k, v in values.items()) or "the defaults"))
