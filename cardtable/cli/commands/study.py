"""`study`: comparing house rules, seats and bots on the same deals."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardtable.base.digits import Form, number, p_value
from cardtable.base.errors import SaveError
from cardtable.base.files import replacing
from cardtable.base.languages import figure, tr, translated
from cardtable.base.message import Message, mark
from cardtable.bots.words import label_in_words
from cardtable.cli.common import (
    TableOptions,
    json_option,
    named_bots,
    one_argument,
    table_options,
    tell,
    tell_beside,
    threads_option,
)
from cardtable.cli.runs import Count, any_thinks, can_draw, print_result, stoppable, watched

if TYPE_CHECKING:
    from cardtable.lab.study import effects
    from cardtable.lab.study.result import StudyResult

USUAL, THINKING = 100_000, 200  #: default number of deals: with compiled bots, and with bots that think


def factors(given: tuple[str, ...], option: str) -> dict[str, list[str]]:
    """The factors of `--grid ante=1,2,3`; bots of several seats are joined by +. Raises UsageError."""
    values_of: dict[str, list[str]] = {}
    for word in given:
        name, equals, values = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name or not values.strip():
            raise click.UsageError(
                tr(
                    "{given}: write {example}, for instance {instance}",
                    given=f"{option} {word}",
                    example="factor=value,value",
                    instance=f"{option} ante=1,2,3",
                )
            )
        if name in values_of:
            raise click.UsageError(tr("{given} is given twice: give it once", given=f"{option} {name}"))
        values_of[name] = [value.strip().replace("+", " ") for value in values.split(",")]
    return values_of


@dataclass(frozen=True)
class StudyOptions:
    """Cells, measurements, number of deals and output of a study."""

    grid: tuple[str, ...]
    compare: str | None
    measures: tuple[str, ...]
    deals: int | None
    bots: str
    until: float | None
    save: str | None
    executor: str | None
    out: str | None
    report: str | None


@click.command()
@click.argument("game", nargs=-1, required=True)
@click.option(
    "--grid",
    multiple=True,
    metavar="FACTOR=VALUES",
    help="A house rule, `rules`, `seats` or `bots` with its values, separated by commas; may be repeated.",
)
@click.option(
    "--compare",
    metavar="FACTOR=A,B",
    help="As --grid, and print only the difference between the two values.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="eldest, payoff, won, length, passes, void or spread; may be repeated.  [default: eldest, length]",
)
@click.option(
    "--deals",
    type=Count(1, 10**12),
    metavar="K",
    help="Deals in each cell, for instance 5000, 1e6 or 1m.  [default: 100000; 200 with bots that think]",
)
@click.option(
    "--bots",
    default="medium",
    show_default=True,
    metavar="LEVEL",
    help="random, easy, medium:N or hard:N, for all seats; or one for each, joined by +.",
)
@click.option(
    "--until",
    type=click.FloatRange(0.0, min_open=True),
    metavar="X",
    help="Stop when every interval reaches no further than this to each side.",
)
@click.option("--save", type=click.Path(dir_okay=False), help="A file from which the study can resume.")
@threads_option
@click.option("--executor", metavar="ADDRESS", help="A Dask cluster instead of threads: dask:tcp://host:8786.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    help="Write a row for each deal of each cell: .parquet, .arrow, .csv or .jsonl.",
)
@click.option("--report", type=click.Path(dir_okay=False), help="Write a report in HTML, with pictures.")
@table_options
@one_argument(StudyOptions, "plan")
@json_option
def study(game: tuple[str, ...], plan: StudyOptions, threads: int, wanted: TableOptions, in_json: bool) -> None:
    """Compare house rules, presets, numbers of seats or bots: every combination plays the same deals.

    The output is each figure with its 95% interval, and the differences from the first value of each factor. The same
    seed gives the same figures on any number of threads and machines; the default seed is 0. At Ctrl-C the deals played
    so far are summed up and marked as partial (exit code 130); with --save, the same command then continues.
    """
    from cardtable import lab
    from cardtable.lab.study import export
    from cardtable.rules import catalog

    named = factors(plan.grid, "--grid") | factors((plan.compare,) if plan.compare else (), "--compare")
    if plan.compare and len(named[next(reversed(named))]) != 2:
        raise click.UsageError(tr("--compare takes two values of one factor: write for instance --compare ante=1,3"))
    if plan.out:
        export.writer(plan.out)  # refuse before hours of play
    for file in filter(None, (plan.out, plan.report)):  # fail now, not after hours
        if not os.access(Path(file).absolute().parent, os.W_OK):
            raise SaveError(
                Message("saving {target}", target=file),
                Message("its directory is not there, or cannot be written to"),
                Message("make it, or name another file"),
            )
    levels = named_bots(plan.bots.replace(",", "+").split("+"))
    named_too = named_bots(word for each in named.get("bots", []) for word in each.split())
    thinks = any_thinks([*levels, *named_too], catalog.find(" ".join(game)).name)
    described = lab.Study(
        " ".join(game),
        deals=plan.deals or (THINKING if thinks else USUAL),
        bots=levels,
        executor=plan.executor,
        threads=threads,
        save=plan.save,
        **wanted.of_study(),
    ).grid(**named)
    asked = [name.strip() for word in plan.measures for name in word.split(",")] or ["eldest", "length"]
    run = partial(described.run, asked, until=plan.until, keep=bool(plan.out) and thinks)
    with stoppable() as work:
        work.result = watched(run, 0 if plan.until else described.deals * len(described.cells))
    result: StudyResult | None = work.result
    if result is not None:
        if plan.report:
            _written(plan.report, result.html())
        if plan.out and not work.stopped:
            count = result.write(plan.out)
            tell_beside(Message("{file}: {n} {n:row|rows}", file=plan.out, n=count))
    show = partial(_compared, next(reversed(named))) if plan.compare else _report
    print_result(work, in_json, show, Message("Stopped before a block of deals was played."))


def _written(path: str, text: str) -> None:
    with replacing(path) as written:
        written.write_text(text, "utf-8")
    tell_beside(Message("{file}: the report is written", file=path))


def _head(result: StudyResult) -> None:
    head = Message(
        "{title}, {n} {n:cell|cells} on the same deals, seed {seed}",
        title=Message(result.title),
        n=len(result.cells),
        seed=result.work.seed,
    )
    tell(Message("{head} (stopped early: partial)", head=head) if result.partial else head)
    tell(Message("{deals} deals in {seconds} s", deals=figure(result.deals), seconds=figure(result.seconds, ".2f")))
    for each in result.refused:
        tell(Message("left out: {cell}: {error}", cell=label_in_words(each.label), error=each.error.message))
    if result.reached:
        tell(Message("The intervals are as short as was asked for."))


def _report(result: StudyResult) -> None:
    from cardtable.cli import charts
    from cardtable.lab.study.rows import meaning
    from cardtable.lab.study.words import form, reach_of

    _head(result)
    estimates = result.estimates()
    wide = max(len(label_in_words(cell.label)) for cell in result.cells)
    for measure in result.measures:
        mine = [each for each in estimates if each.measure == measure]
        click.echo(f"\n{measure}: {translated(meaning(measure))}")
        labels, shown = [label_in_words(each.cell) for each in mine], form(measure, map(reach_of, mine))
        for label, each in zip(labels, mine, strict=True):
            click.echo(f"  {label:<{wide}}  {shown(each.mean):>8}  {_span(each, shown)}")
        if can_draw():
            drawn = charts.intervals([(each.low, each.mean, each.high) for each in mine])
            for label, line in zip(labels, drawn, strict=True):
                click.echo(f"  {label:<{wide}}  {line}".rstrip())
    _effects(result)


def _effects(result: StudyResult) -> None:
    """Print the differences, as one family."""
    from cardtable.lab.study.words import difference_unit, form, reach_of

    effects = result.intervals("holm")
    if not effects:
        return
    click.echo("\n" + tr("differences, with intervals that hold all together at 95%, and p adjusted by Holm"))
    names = [f"{each.measure}: {label_in_words(each.a)} → {label_in_words(each.b)}" for each in effects]
    wide = max(map(len, names))
    for name, each in zip(names, effects, strict=True):
        shown = form(each.measure, [reach_of(each)], difference=True)
        unit = f" {difference_unit(each.measure)}".rstrip()
        line = f"  {name:<{wide}}  {shown(each.difference):>8}"
        if not each.error or not math.isfinite(each.low):
            click.echo(f"{line}{unit if each.difference else ''}  {_span(each, shown)}")
            continue
        line += f"  {_span(each, shown)}{unit}  p {p_value(each.p):<8}"
        click.echo(f"{line}  {tr('worth {n} times the deals', n=number(each.saving))}")


def _compared(factor: str, result: StudyResult) -> None:
    """Print the difference between the two values of a factor in each measure, as one family."""
    from cardtable.lab.study.words import difference_unit, form, reach_of

    _head(result)
    values = list(dict.fromkeys(dict(cell.labels)[factor] for cell in result.cells))
    if len(values) < 2:
        tell(
            Message(
                "There is nothing to compare: only {value} is allowed.", value=label_in_words(f"{factor}={values[0]}")
            )
        )
        return
    effects = result.intervals("holm", factor)
    between = mark("  difference {difference}, 95% interval {interval}, standard error {error}")
    if len(effects) > 1:
        click.echo("\n" + tr("The intervals hold all together at 95%."))
        between = mark("  difference {difference}, interval {interval}, standard error {error}")
    for each in effects:
        click.echo(f"\n{each.measure}: {label_in_words(each.a)} → {label_in_words(each.b)}")
        shown = form(each.measure, [reach_of(each)], difference=True)
        difference = f"{shown(each.difference)} {difference_unit(each.measure)}".rstrip()
        if not each.error:
            tell(Message("  difference {difference}, in every match", difference=difference))
            continue
        if not math.isfinite(each.low):
            click.echo(f"  {tr('difference')} {difference} {_span(each, shown)}")
            continue
        error = 100.0 * each.error if shown.share else each.error
        said = Message(between, difference=difference, interval=_span(each, shown, 0), error=Form.of([error])(error))
        tell(said)
        tell(
            Message(
                "  {standardised} standard deviations of a deal; the same cards are worth {saving} times the deals",
                standardised=number(each.standardised, signed=True),
                saving=number(each.saving),
            )
        )


def _span(each: effects.CellMean | effects.Effect, shown: Form, wide: int = 8) -> str:
    """An interval, or why there is none."""
    if not each.error:
        return tr("the same in every match")
    if math.isinf(each.low):
        return tr("(too few matches for an interval)")
    return f"{shown(each.low):>{wide}} {tr('to')} {shown(each.high):>{wide}}"
