"""`simulate`: bots play many deals. At Ctrl-C the results so far are printed."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from cardtable.base.digits import Form, number
from cardtable.base.languages import figure, tr
from cardtable.base.message import Message
from cardtable.bots.words import in_words
from cardtable.cli.common import TableOptions, named_bots, study_options, tell, tell_beside
from cardtable.cli.runs import Count, any_thinks, can_draw, print_result, stoppable, watched

if TYPE_CHECKING:
    from cardtable.base.types import JsonObject
    from cardtable.lab.notes import Notes
    from cardtable.lab.records.recorded import Recorder
    from cardtable.lab.simulate import Simulation

USUAL, THINKING = 10_000, 200  #: default number of deals: with compiled bots, and with bots that think
WAITING = 2000  #: records that wait until they are written


@click.command()
@click.argument("game", nargs=-1, required=True)
@click.option(
    "--deals",
    type=Count(1, 10**10),
    metavar="K",
    help="How many deals, for instance 5000, 1e6 or 1m.  [default: 10000; 200 with bots that think]",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=("random",),
    show_default=True,
    metavar="LEVEL",
    help="random, easy, medium:N, hard:N or your own bot (package.module:Class), for all seats; or one for each: "
    "repeated, or separated by commas.",
)
@click.option(
    "--records", type=click.Path(dir_okay=False), help="Append the record of every match to this file, move by move."
)
@study_options
def simulate(
    game: tuple[str, ...],
    deals: int | None,
    bots: tuple[str, ...],
    threads: int,
    records: str | None,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Let bots play many deals, and show what each seat gets, with 95% intervals.

    The same seed gives the same figures on any number of threads; the default seed is 0. At Ctrl-C the deals played so
    far are summed up and marked as partial (exit code 130).
    """
    from cardtable.lab import simulate as lab

    levels = named_bots(level for word in bots for level in word.split(","))
    count = deals or (THINKING if any_thinks(levels) else USUAL)
    run = partial(lab.simulate, " ".join(game), count, bots=levels, threads=threads, **wanted.of_study())
    with _records(records, lambda: _recorder(" ".join(game), levels, wanted)) as noted, stoppable() as work:
        work.result = watched(partial(run, noted=noted), count)
    print_result(work, in_json, _report, Message("Stopped before a deal was played out."))


def _recorder(game: str, levels: Sequence[str], wanted: TableOptions) -> Recorder:
    """The recorder of a simulation's matches. Raises OptionError."""
    from cardtable.lab.records.recorded import Recorder

    ruleset = wanted.ruleset(game)
    each = list(levels) * ruleset.seats if len(levels) == 1 else list(levels)
    return Recorder(ruleset, each, wanted.study_seed)


@contextlib.contextmanager
def _records(file: str | None, recorder: Callable[[], Recorder]) -> Iterator[Callable[[Notes], object] | None]:
    """Append the records of matches to a collection as they are played, in steps of WAITING; yield the recorder, if
    there is a file. After an error or Ctrl-C the file contains the matches played so far.
    """
    if file is None:
        yield None
        return
    from cardtable.match.record_file import Collection

    made, count = recorder(), 0
    waiting: list[JsonObject] = []
    with Collection(file, create=True) as collection:

        def put(least: int) -> None:
            nonlocal count
            if len(waiting) >= least:
                count += collection.add(waiting)
                waiting.clear()

        def noted(notes: Notes) -> None:
            waiting.extend(made.told(notes))
            put(WAITING)

        try:
            yield noted
        finally:
            put(1)
    tell_beside(Message("{file}: {n} {n:record|records}", file=file, n=count))


def _report(study: Simulation) -> None:
    from cardtable.lab.intervals import Z95
    from cardtable.rules import catalog

    game = catalog.find(study.game)
    mean, deviation, shortest, longest = study.length
    head = Message(
        "{title}, {n} {n:seat|seats}, seed {seed}", title=Message(study.title), n=study.seats, seed=study.seed
    )
    tell(Message("{head} (stopped early: partial)", head=head) if study.partial else head)
    many, moves, rate = figure(study.deals), figure(study.moves), figure(study.moves_per_second, ",.0f")
    tell(
        Message(
            "{deals} deals, {moves} moves in {seconds} s: {rate} moves a second",
            deals=many,
            moves=moves,
            seconds=figure(study.seconds, ".2f"),
            rate=rate,
        )
    )
    spread = Message("sd {deviation}, {low} to {high}", deviation=number(deviation), low=shortest, high=longest)
    moves_shown = Form.of([Z95 * deviation / math.sqrt(study.deals)])
    parts = [tr("a deal: {mean} moves ({spread})", mean=moves_shown(mean), spread=spread)]
    if study.seats > 1 and study.passes:
        parts.append(tr("{n} passes", n=number(study.passes)))
    wins = game.deals_won
    drawn = (
        "; " + tr("{n} deals without a single winner", n=figure(study.void))
        if wins and study.void and study.seats > 1
        else ""
    )
    click.echo(", ".join(parts) + drawn + "\n")
    bots = [in_words(level) for level in study.bots]
    width = max(6, *map(len, bots))
    heads = f"  {tr('seat'):>6}  {tr('bot'):<{width}}  {tr('payoff a deal'):>13}  {tr('95% interval'):>15}      "
    click.echo(heads + (f"  {tr('deals won')}" if wins else ""))
    shares = [each / study.deals for each in study.wins]
    won_shown = Form.of((Z95 * math.sqrt(share * (1.0 - share) / study.deals) for share in shares), share=True)
    rows = [
        (str(seat), bots[seat], x, f"{won_shown(shares[seat]):>9}" if wins else "")
        for seat, x in enumerate(study.payoff)
    ]
    if study.seats > 1:
        rows.append((tr("eldest"), "", study.eldest, ""))
    shown = Form.of(((x.high - x.low) / 2.0 for _, _, x, _ in rows), signed=True)
    for name, level, x, won in rows:
        between = f"{shown(x.low) if x.known else '':>10} {tr('to')} {shown(x.high) if x.known else '':>9}"
        none = tr("(one match only)") if study.matches < 2 else tr("the same in every match")
        interval = between if x.known else f"      {none}"
        click.echo(f"  {name:>6}  {level:<{width}}  {shown(x.mean):>13}  {interval}  {won}".rstrip())
    if can_draw():
        _pictures(study)


def _pictures(study: Simulation) -> None:
    """Draw the payoffs with their intervals, and the lengths of the deals."""
    from cardtable.cli import charts

    rows = list(study.payoff)
    if study.seats > 1:
        rows.append(study.eldest)
        click.echo("\n" + tr("payoff a deal, with its 95% interval; ┊ is 0"))
        names = [*map(str, range(study.seats)), tr("eldest")]
        for name, picture in zip(names, charts.intervals([(x.low, x.mean, x.high) for x in rows]), strict=True):
            click.echo(f"  {name:>6}  {picture}".rstrip())
    drawn = charts.histogram(study.lengths)
    if len(drawn) > 1:
        click.echo("\n" + tr("moves a deal"))
        spans = [str(low) if low == high else f"{low}–{high}" for low, high, _, _ in drawn]
        wide = max(6, *map(len, spans))
        for span, (_, _, share, bar) in zip(spans, drawn, strict=True):
            click.echo(f"  {span:>{wide}}  {figure(share, '.1%'):>6}  {bar}".rstrip())
