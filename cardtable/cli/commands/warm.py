"""`warm`: compile games before they are needed."""

from __future__ import annotations

import time

import click

from cardtable.base.languages import figure, tr
from cardtable.base.message import Message
from cardtable.cli.common import tell, tell_beside


@click.command()
@click.argument("games", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All games.")
@click.option("--search/--no-search", default=True, help="Compile search, too.")
@click.option("--study/--no-study", default=True, help="Compile simulation, too.")
@click.option("--environments/--no-environments", default=False, help="Compile research environments, too.")
def warm(games: tuple[str, ...], every: bool, search: bool, study: bool, environments: bool) -> None:
    """Compile games now, so that nothing has to be compiled later."""
    from cardtable.precompile import ready
    from cardtable.precompile import warm as compile_game
    from cardtable.rules import catalog

    if not games and not every:
        raise click.UsageError(tr("Name games, or write --all."))
    for game in [catalog.find(name) for name in games] or catalog.games().values():
        if ready(game, search, study, environments, study):
            tell(Message("{game}: compiled already", game=game.name))
            continue
        began = time.perf_counter()
        compile_game(game, search, study, tell_beside, environments=environments, open_cards=study)
        click.echo(f"{game.name}: {figure(time.perf_counter() - began, '.1f')} s")
