"""`league`: bots play duplicate deals against each other. At Ctrl-C the results so far are printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from cardtable.base.languages import tr
from cardtable.base.message import Message
from cardtable.bots.words import difference_in_words
from cardtable.cli.common import TableOptions, as_json, named_bots, study_options, tell_beside
from cardtable.cli.runs import Count, any_thinks, can_draw, counted, end, stoppable

if TYPE_CHECKING:
    from cardtable.lab.league import Duel


@click.command()
@click.argument("game")
@click.argument("levels", nargs=-1, required=True)
@click.option(
    "--deals",
    type=Count(2, 10**7),
    metavar="K",
    help="Duplicate deals for each pair of bots.  [default: 1000; 100 with bots that think]",
)
@study_options
def league(
    game: str,
    levels: tuple[str, ...],
    deals: int | None,
    threads: int,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Let bots play duplicate deals with seats rotated, each pair of LEVELS in turn; in a game for one, each plays
    every deal alone.

    The output is the difference between what the two get in a deal, with its 95% interval and p. With more than two
    levels the intervals hold all together, p is adjusted by Holm, and a ranking follows. At Ctrl-C the deals played so
    far are summed up and marked as partial (exit code 130).
    """
    from cardtable.base.errors import OptionError
    from cardtable.bots import parse_level
    from cardtable.lab import league as lab
    from cardtable.precompile import warm as compile_game

    if len(set(levels)) < 2:
        raise OptionError(
            Message("a league"),
            Message("it needs two levels or more"),
            Message("write for instance: cardtable league {game} easy random", game=game),
        )
    levels = tuple(named_bots(levels))
    playing = wanted.ruleset(game).game  # refuse before anything is compiled
    for level in levels:
        parse_level(level, playing.name)
    compile_game(playing, study=True, say=tell_beside)
    count = deals or (100 if any_thinks(levels) else 1000)
    run = partial(lab.league, game, levels, deals=count, threads=threads, **wanted.of_study())
    with stoppable() as work:
        work.result = counted(run, count)
    if in_json:
        rated = lab.ratings(work.result) if len(work.result) > 1 else {}
        sides = ("a", "b") if rated else ()
        as_json(
            [
                duel.as_dict() | {f"rating_{side}": rated[getattr(duel, side)].as_dict() for side in sides}
                for duel in work.result
            ]
        )
    elif work.result:
        click.echo(lab.table(work.result))
        if len(work.result) > 1:
            click.echo(lab.ranking(work.result))
        if can_draw():
            _duels(work.result)
    else:
        tell_beside(Message("Stopped before two deals were played out."))
    end(work)


def _duels(duels: Sequence[Duel]) -> None:
    """Draw the differences with their intervals, on one axis."""
    from cardtable.cli import charts

    who = [difference_in_words(duel.a, duel.b) for duel in duels]
    wide = max(map(len, who))
    click.echo("\n" + tr("difference in a deal, with its 95% interval; ┊ is 0"))
    for name, line in zip(who, charts.intervals([(d.low, d.difference, d.high) for d in duels]), strict=True):
        click.echo(f"  {name:<{wide}}  {line}".rstrip())
