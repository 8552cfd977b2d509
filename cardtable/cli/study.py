"""`simulate`, `bench`, `league`, `warm`: the laboratory's commands."""

from __future__ import annotations

import math
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from cardtable.cli import as_json, house_rules, table_options

if TYPE_CHECKING:
    from rich.progress import Progress

    from cardtable.lab.simulate import Study


def _tell(text: str) -> None:
    click.echo(text, err=True)


@click.command()
@click.argument("game", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1, 10**10), default=10_000, show_default=True, metavar="K", help="How many deals.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=("random",),
    show_default=True,
    metavar="LEVEL",
    help="random, simple, flat:N or search:N, for all seats; or one for each: repeated, or parted by commas.",
)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, metavar="T", help="Threads; they change the speed and no figure.")
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def simulate(
    game: tuple[str, ...],
    deals: int,
    bots: tuple[str, ...],
    threads: int,
    seats: int | None,
    preset: str | None,
    house: tuple[str, ...],
    seed: str | None,
    in_json: bool,
) -> None:
    """Play many deals by bots, and say what each seat gets, with 95 % intervals.

    The same seed gives the same figures on any number of threads; the default seed is 0.
    """
    from cardtable.lab import simulate as lab

    levels = [level for word in bots for level in word.split(",")]
    run = partial(
        lab.simulate,
        " ".join(game),
        deals,
        seats=seats,
        rules=preset,
        options=house_rules(house),
        bots=levels,
        seed="0" if seed is None else seed,
        threads=threads,
    )
    if sys.stderr.isatty():
        with _bar() as bar:
            task = bar.add_task("deals", total=deals)
            study = run(progress=partial(bar.advance, task), say=bar.console.print)
    else:
        study = run(say=_tell)
    if in_json:
        as_json(study.as_dict())
    else:
        _report(study)


def _bar() -> Progress:
    """A progress bar on standard error, gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    return Progress("deals", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True)


def _report(study: Study) -> None:
    """A study for people."""
    mean, deviation, shortest, longest = study.length
    click.echo(f"{study.title}, {study.seats} seats, seed {study.seed}")
    click.echo(f"{study.deals:,} deals, {study.moves:,} moves in {study.seconds:.2f} s: {study.moves_per_second:,.0f} moves a second")
    click.echo(f"a deal: {mean:.2f} moves (sd {deviation:.2f}, {shortest} to {longest}), {study.passes:.2f} passes; {study.void:,} deals won by nobody\n")
    width = max(6, *(len(level) for level in study.bots))
    click.echo(f"    seat  {'bot':<{width}}  payoff a deal    95 % interval        deals won")
    rows = [(str(seat), study.bots[seat], x, f"{study.wins[seat] / study.deals:>9.2%}") for seat, x in enumerate(study.payoff)]
    for name, level, x, won in [*rows, ("eldest", "", study.eldest, "")]:
        interval = "      (one match only)" if math.isinf(x.low) else f"{x.low:>+10.4f} to {x.high:>+9.4f}"
        click.echo(f"  {name:>6}  {level:<{width}}  {x.mean:>+13.4f}  {interval}  {won}".rstrip())


@click.command()
@click.argument("games", nargs=-1)
@click.option("--rounds", type=click.IntRange(1, 100), default=5, show_default=True, help="Rounds in turns; the median counts.")
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def bench(games: tuple[str, ...], rounds: int, in_json: bool) -> None:
    """Measure the speed of every game here, and OpenSpiel's beside it in the same run if it is installed."""
    from cardtable import catalog
    from cardtable.lab import bench as lab
    from cardtable.warm import warm as compile_game

    for game in [catalog.find(name) for name in games] or catalog.games().values():
        compile_game(game, study=True, say=_tell)
    report = lab.bench(games, rounds=rounds, say=_tell)
    if in_json:
        as_json(report.as_dict())
    else:
        click.echo(lab.table(report))


@click.command()
@click.argument("game")
@click.argument("levels", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(2, 10**7), default=1000, show_default=True, metavar="K", help="Duplicate deals for each pair of bots.")
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, metavar="T", help="Threads; they change the speed and no figure.")
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def league(
    game: str, levels: tuple[str, ...], deals: int, threads: int, seats: int | None, preset: str | None, house: tuple[str, ...], seed: str | None, in_json: bool
) -> None:
    """Let bots play duplicate deals with seats rotated, each pair of LEVELS in turn."""
    from cardtable import catalog
    from cardtable.bots import parse_level
    from cardtable.errors import OptionError
    from cardtable.lab import league as lab
    from cardtable.warm import warm as compile_game

    if len(set(levels)) < 2:
        raise OptionError("a league", "it needs two levels or more", "write for instance: cardtable league fan-tan simple random")
    for level in levels:
        parse_level(level)
    found = catalog.variant(game, preset)
    found.game.options.make(found.preset, seats, house_rules(house))
    compile_game(found.game, study=True, say=_tell)
    duels = lab.league(game, levels, deals=deals, seats=seats, rules=preset, seed="0" if seed is None else seed, threads=threads, options=house_rules(house))
    if in_json:
        as_json([duel.as_dict() for duel in duels])
    else:
        click.echo(lab.table(duels))


@click.command()
@click.argument("games", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All games.")
@click.option("--search/--no-search", default=True, help="Search too.")
@click.option("--study/--no-study", default=True, help="Simulation too.")
def warm(games: tuple[str, ...], every: bool, search: bool, study: bool) -> None:
    """Compile games now, so that nothing has to be compiled later."""
    import time

    from cardtable import catalog
    from cardtable.warm import ready
    from cardtable.warm import warm as compile_game

    if not games and not every:
        raise click.UsageError("Name games, or write --all.")
    for game in [catalog.find(name) for name in games] or catalog.games().values():
        if ready(game, search, study):
            click.echo(f"{game.name}: compiled already")
            continue
        began = time.perf_counter()
        compile_game(game, search, study, _tell)
        click.echo(f"{game.name}: {time.perf_counter() - began:.1f} s")
