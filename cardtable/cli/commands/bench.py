"""`bench`: the speed of the games."""

from __future__ import annotations

import click

from cardtable.base.message import Message
from cardtable.cli.common import json_option, tell_beside
from cardtable.cli.runs import print_result, stoppable


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="Number of rounds; figures are medians over them.",
)
@json_option
def bench(games: tuple[str, ...], rounds: int, in_json: bool) -> None:
    """Measure the speed of every game, and of OpenSpiel in the same run if it is installed."""
    from cardtable.lab import bench as lab
    from cardtable.precompile import warm as compile_game
    from cardtable.rules import catalog

    names = list(games)
    for name in names or catalog.games():
        compile_game(catalog.find(name), study=True, say=tell_beside)
    with stoppable() as work:
        work.result = lab.bench(names, rounds=rounds, say=lambda text: click.echo(text, err=True))
    print_result(
        work, in_json, lambda report: click.echo(lab.table(report)), Message("Stopped before anything was timed.")
    )
