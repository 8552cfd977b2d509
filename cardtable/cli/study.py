"""`simulate`, `bench`, `league`, `warm`: the laboratory's commands."""

from __future__ import annotations

import sys

import click

from cardtable.cli import as_json, options, table_options


def _tell(text: str) -> None:
    click.echo(text, err=True)


@click.command()
@click.argument("game")
@click.option("--deals", type=click.IntRange(1, 10**10), default=10_000, show_default=True, metavar="K", help="How many deals.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=("random",),
    show_default=True,
    metavar="LEVEL",
    help="random, simple, flat:N or search:N, for all seats; or one for each, parted by commas.",
)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, metavar="T", help="Threads; they change the speed and no figure.")
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def simulate(
    game: str, deals: int, bots: tuple[str, ...], threads: int, seats: int | None, preset: str | None, house: tuple[str, ...], seed: str | None, in_json: bool
) -> None:
    """Play many deals by bots, and say what each seat gets, with 95 % intervals."""
    from cardtable.lab import simulate as lab

    levels = tuple(level.strip() for word in bots for level in word.split(","))
    call = {"seats": seats, "rules": preset, "options": options(house), "bots": levels, "seed": "0" if seed is None else seed, "threads": threads, "say": _tell}
    if sys.stderr.isatty() and deals > 100_000 or (sys.stderr.isatty() and not set(levels) <= set(lab.COMPILED)):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        with Progress("deals", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("deals", total=deals)
            study = lab.simulate(game, deals, progress=lambda done: bar.advance(task, done), **call)  # type: ignore[arg-type]
    else:
        study = lab.simulate(game, deals, **call)  # type: ignore[arg-type]
    if in_json:
        as_json(study.as_dict())
        return
    mean, deviation, shortest, longest = study.length
    click.echo(f"{study.game} ({study.rules}), {study.seats} seats, bots {', '.join(study.bots)}, seed {study.seed}")
    click.echo(f"{study.deals:,} deals, {study.moves:,} moves in {study.seconds:.2f} s: {study.moves_per_second:,.0f} moves a second")
    click.echo(f"a deal: {mean:.2f} moves (sd {deviation:.2f}, {shortest} to {longest}), {study.passes:.2f} passes, {study.void:,} won by nobody\n")
    click.echo("  seat  bot                payoff a deal   95 % interval         deals won")
    for seat, x in enumerate(study.payoff):
        click.echo(f"  {seat:>4}  {study.bots[seat]:<16} {x.mean:>+15.4f}   {x.low:>+9.4f} .. {x.high:>+8.4f}  {study.wins[seat] / study.deals:>9.2%}")
    click.echo(f"  eldest                 {study.eldest.mean:>+15.4f}   {study.eldest.low:>+9.4f} .. {study.eldest.high:>+8.4f}")


@click.command()
@click.argument("games", nargs=-1)
@click.option("--rounds", type=click.IntRange(1, 100), default=5, show_default=True, help="Rounds in turns; the median counts.")
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def bench(games: tuple[str, ...], rounds: int, in_json: bool) -> None:
    """Measure the speed of every game here, and OpenSpiel's beside it in the same run if it is installed."""
    from cardtable import catalog
    from cardtable.lab import bench as lab
    from cardtable.warm import warm as compile_game

    names = [catalog.find(name).name for name in games] or list(catalog.games())
    for name in names:
        compile_game(catalog.find(name), say=_tell)
    report = lab.bench(names, rounds=rounds, say=_tell)
    if in_json:
        as_json(report.as_dict())
    else:
        click.echo(lab.table(report))


@click.command()
@click.argument("game")
@click.argument("levels", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1, 10**7), default=1000, show_default=True, help="Duplicate deals for each pair of bots.")
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print for programs.")
def league(
    game: str, levels: tuple[str, ...], deals: int, seats: int | None, preset: str | None, house: tuple[str, ...], seed: str | None, in_json: bool
) -> None:
    """Let bots play duplicate deals with seats rotated, each pair of LEVELS in turn."""
    from cardtable import catalog
    from cardtable.errors import OptionError
    from cardtable.lab import league as lab
    from cardtable.warm import warm as compile_game

    if len(levels) < 2 or house:
        raise OptionError(
            "a league", "it needs two levels or more, and is played by a preset's own rules", "write for instance: cardtable league fan-tan simple random"
        )
    compile_game(catalog.find(game), say=_tell)
    duels = lab.league(game, levels, deals=deals, seats=seats, rules=preset, seed="0" if seed is None else seed)
    if in_json:
        as_json([duel.as_dict() for duel in duels])
    else:
        click.echo(lab.table(duels))


@click.command()
@click.argument("games", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All games.")
def warm(games: tuple[str, ...], every: bool) -> None:
    """Compile games now, so that nothing has to be compiled later."""
    import time

    from cardtable import catalog
    from cardtable.warm import ready
    from cardtable.warm import warm as compile_game

    if not games and not every:
        raise click.UsageError("Name games, or write --all.")
    for game in [catalog.find(name) for name in games] or catalog.games().values():
        if ready(game):
            click.echo(f"{game.name}: compiled already")
            continue
        began = time.perf_counter()
        compile_game(game, say=_tell)
        click.echo(f"{game.name}: {time.perf_counter() - began:.1f} s")
