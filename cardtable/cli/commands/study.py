"""`study` and `skill`: comparing house rules, seats and bots on the same deals, and telling skill from luck."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.errors import SaveError
from cardtable.base.files import replacing
from cardtable.base.languages import figure, tr, translated
from cardtable.base.message import Message, mark
from cardtable.bots.words import in_words, label_in_words
from cardtable.cli.commands.simulate import Count, Estimate, any_thinks, bar, can_draw, print_result, stoppable
from cardtable.cli.common import TableOptions, named_bots, table_options, tell, tell_beside, threads_option

if TYPE_CHECKING:
    from cardtable.lab.luck import Skill
    from cardtable.lab.study import effects
    from cardtable.lab.study.result import StudyResult

USUAL, THINKING = 100_000, 200  #: default number of deals: with compiled bots, and with bots that think


def factors(given: tuple[str, ...], option: str) -> dict[str, list[str]]:
    """The factors of `--grid ante=1,2,3`; bots of several seats are joined by +. Raises UsageError."""
    found: dict[str, list[str]] = {}
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
        if name in found:
            raise click.UsageError(tr("{given} is given twice: give it once", given=f"{option} {name}"))
        found[name] = [value.strip().replace("+", " ") for value in values.split(",")]
    return found


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
@click.option("--save", type=click.Path(dir_okay=False), help="A file from which the study goes on if it is stopped.")
@threads_option
@click.option("--executor", metavar="ADDRESS", help="A cluster of Dask's in place of threads: dask:tcp://host:8786.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    help="Write a row for each deal of each cell: .parquet, .arrow, .csv or .jsonl.",
)
@click.option("--report", type=click.Path(dir_okay=False), help="Write a report in HTML, with pictures.")
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def study(
    game: tuple[str, ...],
    grid: tuple[str, ...],
    compare: str | None,
    measures: tuple[str, ...],
    bots: str,
    wanted: TableOptions,
    in_json: bool,
    out: str | None,
    report: str | None,
    **how: Any,
) -> None:
    """Compare house rules, presets, numbers of seats or bots: every combination plays the same deals.

    The output is each figure with its 95 % interval, and the differences from the first value of each factor. The same
    seed gives the same figures on any number of threads and machines; the default seed is 0. At Ctrl-C the deals played
    so far are summed up and marked as partial (exit code 130); with --save the same command then goes on.
    """
    from cardtable import lab
    from cardtable.lab.study import export
    from cardtable.rules import catalog

    named = factors(grid, "--grid") | factors((compare,) if compare else (), "--compare")
    if compare and len(named[next(reversed(named))]) != 2:
        raise click.UsageError(tr("--compare takes two values of one factor: write for instance --compare ante=1,3"))
    if out:
        export.check(out)
    for file in filter(None, (out, report)):  # said now, not after hours
        if not os.access(Path(file).absolute().parent, os.W_OK):
            raise SaveError(
                Message("saving {target}", target=file),
                Message("its directory is not there, or cannot be written to"),
                Message("make it, or name another file"),
            )
    levels = named_bots(bots.replace(",", "+").split("+"))
    named_too = named_bots(word for each in named.get("bots", []) for word in each.split())
    thinks = any_thinks([*levels, *named_too], catalog.variant(" ".join(game), wanted.preset).game.name)
    house = {name.replace("-", "_"): value for name, value in wanted.house_rules().items()}
    described = lab.Study(
        " ".join(game),
        wanted.seats,
        deals=how["deals"] or (THINKING if thinks else USUAL),
        rules=wanted.preset,
        bots=levels,
        seed="0" if wanted.seed is None else wanted.seed,
        executor=how["executor"],
        threads=how["threads"],
        save=how["save"],
        options=house,
    ).grid(**named)
    asked = [name.strip() for word in measures for name in word.split(",")] or ["eldest", "length"]
    run = partial(described.run, asked, until=how["until"], keep=bool(out) and thinks)
    with stoppable() as work:
        work.found = _watched(run, 0 if how["until"] else described.deals * len(described.cells))
    found: StudyResult | None = work.found
    if found is not None:
        if report:
            _written(report, found.html())
        if out and not work.stopped:
            count = found.write(out)
            tell_beside(Message("{file}: {n} {n:row|rows}", file=out, n=count))
    show = partial(_compared, next(reversed(named))) if compare else _report
    print_result(work, in_json, show, Message("Stopped before a block of deals was played."))


def _written(path: str, text: str) -> None:
    """Write a report."""
    with replacing(path) as written:
        written.write_text(text, "utf-8")
    tell_beside(Message("{file}: the report is written", file=path))


def _watched(run: Callable[..., StudyResult], deals: int) -> StudyResult:
    """Run a study, with a progress bar on a terminal; in a script, a long one says how long it will take.

    deals: of all cells together; 0: not known.
    """
    if not sys.stderr.isatty():
        return run(say=tell_beside, progress=Estimate(deals)) if deals else run(say=tell_beside)
    with bar() as shown:
        task = shown.add_task("deals", total=deals or None)
        return run(progress=partial(shown.advance, task), say=lambda message: shown.console.print(translated(message)))


def _head(found: StudyResult) -> None:
    """What was studied."""
    head = Message(
        "{title}, {n} {n:cell|cells} on the same deals, seed {seed}",
        title=Message(found.title),
        n=len(found.cells),
        seed=found.work.seed,
    )
    tell(Message("{head} (stopped early: partial)", head=head) if found.partial else head)
    tell(Message("{deals} deals in {seconds} s", deals=figure(found.deals), seconds=figure(found.seconds, ".2f")))
    for each in found.refused:
        tell(Message("left out: {cell}: {error}", cell=label_in_words(each.label), error=each.error.message))
    if found.reached:
        tell(Message("The intervals are as short as was asked for."))


def _report(found: StudyResult) -> None:
    """Print a study for people."""
    from cardtable.cli import charts
    from cardtable.lab.study.rows import meaning

    _head(found)
    estimates = found.estimates()
    wide = max(len(label_in_words(cell.label)) for cell in found.cells)
    for measure in found.measures:
        mine = [each for each in estimates if each.measure == measure]
        click.echo(f"\n{measure}: {translated(meaning(measure))}")
        labels = [label_in_words(each.cell) for each in mine]
        for label, each in zip(labels, mine, strict=True):
            click.echo(f"  {label:<{wide}}  {figure(each.mean, '+.4f'):>12}  {_span(each)}")
        if can_draw():
            drawn = charts.intervals([(each.low, each.mean, each.high) for each in mine])
            for label, line in zip(labels, drawn, strict=True):
                click.echo(f"  {label:<{wide}}  {line}".rstrip())
    _effects(found)


def _effects(found: StudyResult) -> None:
    """Print the differences, as one family."""
    told = found.intervals("holm")
    if not told:
        return
    click.echo("\n" + tr("differences, with intervals that hold all together at 95 %, and p adjusted by Holm"))
    names = [f"{each.measure}: {label_in_words(each.a)} → {label_in_words(each.b)}" for each in told]
    wide = max(map(len, names))
    for name, each in zip(names, told, strict=True):
        line = f"  {name:<{wide}}  {figure(each.difference, '+.4f'):>10}"
        if not each.error or not math.isfinite(each.low):
            click.echo(f"{line}  {_span(each)}")
            continue
        line += f"  {_span(each)}  p {figure(each.p, '.2g'):<8}"
        click.echo(f"{line}  {tr('worth {n} times the deals', n=figure(each.saving, ',.1f'))}")


def _compared(factor: str, found: StudyResult) -> None:
    """Print the difference between the two values of a factor in each measure, as one family."""
    _head(found)
    values = list(dict.fromkeys(dict(cell.labels)[factor] for cell in found.cells))
    if len(values) < 2:
        tell(
            Message(
                "There is nothing to compare: only {value} is allowed.", value=label_in_words(f"{factor}={values[0]}")
            )
        )
        return
    told = found.intervals("holm", factor)
    between = mark("  difference {difference}, 95 % interval {interval}, standard error {error}")
    if len(told) > 1:
        click.echo("\n" + tr("The intervals hold all together at 95 %."))
        between = mark("  difference {difference}, interval {interval}, standard error {error}")
    for each in told:
        click.echo(f"\n{each.measure}: {label_in_words(each.a)} → {label_in_words(each.b)}")
        if not each.error:
            tell(Message("  difference {difference}, in every match", difference=figure(each.difference, "+.4f")))
            continue
        if not math.isfinite(each.low):
            click.echo(f"  {tr('difference')} {figure(each.difference, '+.4f')} {_span(each)}")
            continue
        tell(
            Message(
                between,
                difference=figure(each.difference, "+.4f"),
                interval=_span(each),
                error=figure(each.error, ".4f"),
            )
        )
        tell(
            Message(
                "  {standardised} standard deviations of a deal; the same cards are worth {saving} times the deals",
                standardised=figure(each.standardised, "+.4f"),
                saving=figure(each.saving, ",.1f"),
            )
        )


def _span(each: effects.CellMean | effects.Effect) -> str:
    """An interval, or why there is none."""
    if not each.error:
        return tr("the same in every match")
    if math.isinf(each.low):
        return tr("(too few matches for an interval)")
    return f"{figure(each.low, '+.4f'):>10} {tr('to')} {figure(each.high, '+.4f'):>10}"


@click.command()
@click.argument("game", nargs=-1, required=True)
@click.option("--strong", default="hard:2000", show_default=True, metavar="LEVEL", help="The stronger player.")
@click.option("--weak", default="medium", show_default=True, metavar="LEVEL", help="The weaker player.")
@click.option(
    "--deals",
    type=Count(40, 10**8),
    metavar="K",
    help="Deals, each played once more than there are seats.  [default: 10000; 200 with bots that think]",
)
@threads_option
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def skill(
    game: tuple[str, ...],
    strong: str,
    weak: str,
    deals: int | None,
    threads: int,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Tell skill from luck: how much of a seat's result is due to the cards, the seat and the player.

    Every deal is played with a strong player in each seat in turn, and with weak ones only, always with the same cards.
    """
    from cardtable import lab

    thinks = any_thinks(named_bots((strong, weak)))
    count = deals or (200 if thinks else 10_000)
    house = {name.replace("-", "_"): value for name, value in wanted.house_rules().items()}
    run = partial(
        lab.skill,
        " ".join(game),
        strong,
        weak,
        deals=count,
        seats=wanted.seats,
        rules=wanted.preset,
        seed="0" if wanted.seed is None else wanted.seed,
        threads=threads,
        say=tell_beside,
        options=house,
    )
    with stoppable() as work:
        if sys.stderr.isatty():
            with bar() as shown:
                task = shown.add_task("deals", total=count)
                work.found = run(progress=lambda done: shown.update(task, completed=done))
        else:
            work.found = run()
    print_result(work, in_json, _shares, Message("Stopped before there were enough deals."))


def _shares(found: Skill) -> None:
    """Print skill and luck for people."""
    head = Message(
        "{title}, {n} {n:seat|seats}, seed {seed}: {strong} against {weak}",
        title=Message(found.title),
        n=found.seats,
        seed=found.seed,
        strong=in_words(found.strong),
        weak=in_words(found.weak),
    )
    tell(Message("{head} (stopped early: partial)", head=head) if found.partial else head)
    click.echo(
        tr("{deals} deals in {seconds} s", deals=figure(found.deals), seconds=figure(found.seconds, ".2f")) + "\n"
    )
    click.echo(tr("where the variance of a seat's result in a deal comes from, with 95 % intervals"))
    rows = (
        (tr("cards"), found.cards),
        (tr("seat"), found.seat),
        (tr("player"), found.player),
        (tr("player with these cards"), found.both),
    )
    wide = max(len(name) for name, _ in rows)
    for name, share in rows:
        of, low, high = (figure(part, ".2%") for part in (share.share, share.low, share.high))
        between = f"{low:>7} {tr('to')} {high:>7}" if math.isfinite(share.low) else tr("(no interval)")
        click.echo(f"  {name:<{wide}}  {of:>7}  {between}")
    click.echo()
    tell(
        Message(
            "The stronger player gets {difference} more in a deal ({low} to {high}).",
            difference=figure(found.difference, "+.3f"),
            low=figure(found.low, "+.3f"),
            high=figure(found.high, "+.3f"),
        )
        if math.isfinite(found.low)
        else Message(
            "The stronger player gets {difference} more, the same in every deal.",
            difference=figure(found.difference, "+.3f"),
        )
    )
    if math.isfinite(found.deals_apart):
        tell(
            Message(
                "Deals that tell the two apart at 95 %: {alone} if each has cards of its own, {same} with the same "
                "cards in all seats.",
                alone=figure(math.ceil(found.deals_apart)),
                same=figure(math.ceil(found.duplicate_apart)),
            )
        )
