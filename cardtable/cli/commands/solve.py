"""`solve`: looks for moves that win, with all cards known, in one deal, in many, or in a file."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardtable.base import platform
from cardtable.base.digits import Form
from cardtable.base.languages import figure, tr, translated
from cardtable.base.message import Message, mark
from cardtable.cli.common import (
    INTERRUPTED,
    TableOptions,
    as_json,
    json_option,
    reading,
    table_options,
    tell,
    tell_beside,
)
from cardtable.cli.runs import Count, bar, print_result, stoppable

if TYPE_CHECKING:
    from cardtable.lab.winnability import TriedDeal, WinnabilityStudy
    from cardtable.match.match import Match
    from cardtable.rules.solver import Solution

MOVES_A_LINE = 12
SECONDS = 60.0


@click.command()
@click.argument("game", metavar="GAME|FILE")
@click.option("--deals", type=Count(1, 10**7), metavar="K", help="Solve this number of deals, and only sum them up.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.0, 86400.0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="T",
    help="Most processor time for a deal.",
)
@click.option(
    "--keep",
    type=click.Path(dir_okay=False),
    metavar="STUDY",
    help="Save the deals in a file, and continue where it ends.",
)
@click.option("--again", is_flag=True, help="Try deals in that file again that are not solved yet.")
@table_options
@json_option
def solve(
    game: str,
    deals: int | None,
    seconds: float,
    keep: str | None,
    again: bool,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Look for moves that win, with all cards known, including those that are hidden from the player.

    GAME is a game with a solver; --seed names its deal, and the moves are printed. With --deals, the deals of the seeds
    SEED, SEED + 1, ... are solved (default: from 1), and counted. FILE is a record or a position; the moves continue
    from its end.

    A deal is only called unwinnable if that is proved. At Ctrl-C the deals solved so far are summed up (exit code 130).
    """
    if (keep or again) and not (deals and keep):
        raise click.UsageError(tr("--keep is for many deals: write --deals K --keep STUDY."))
    if _names_file(game):
        if deals or wanted != TableOptions():
            raise click.UsageError(tr("A file has its own house rules and cards: leave the other options out."))
        with reading(game):
            m = _from_file(game)
        _one(m, seconds, in_json)
    elif deals is None:
        from cardtable.match.match import Match

        m = Match(game, wanted.seats, wanted.preset, wanted.seed, **wanted.house_rules())
        _one(m, seconds, in_json)
    else:
        from cardtable.lab import winnability
        from cardtable.rules.solver import Limits

        run = partial(
            winnability.study,
            game,
            deals,
            seats=wanted.seats,
            rules=wanted.preset,
            options=wanted.house_rules(),
            seed=wanted.seed or "1",
            limits=Limits(seconds),
            keep=keep,
            again=again,
        )
        with stoppable() as work:
            work.result = _watched(run, deals)
        print_result(work, in_json, _report, Message("Stopped before a deal was solved."))


def _names_file(text: str) -> bool:
    """Whether a text is a file name, existing or not, rather than a game."""
    path = Path(text)
    return path.suffix in (".toml", ".json") or path.name != text or path.is_file()


def _from_file(name: str) -> Match:
    """The match of a record or a position, at its end; a finished match restarts its last deal."""
    from cardtable.base.errors import CardtableError, RecordError
    from cardtable.match.match import Match, Record

    data = None
    with contextlib.suppress(OSError):  # `load` gives the reason
        data = platform.read_named(name)
    try:
        record = Record.load(name, data=data)
    except RecordError as error:
        if data is None or error.code == "record/file":
            raise
        return Match.from_position(platform.text_of(data))
    if "deals" not in record.keys:
        with contextlib.suppress(CardtableError):
            return Match.from_position(record.keys)
    m = Match.from_record(record)
    return Match.from_record(record.before(m.deal)) if m.over else m


def _one(m: Match, seconds: float, in_json: bool) -> None:
    try:
        solution = m.solve(seconds=seconds)
    except KeyboardInterrupt:
        tell_beside(Message("Stopped before a solution was found."))
        raise SystemExit(INTERRUPTED) from None
    if in_json:
        as_json({"game": m.game.name, "rules": m.rules, "seed": m.seed} | solution.as_dict())
    else:
        _show(m, solution)


def _show(m: Match, solution: Solution) -> None:
    title = translated(Message(m.title))
    click.echo(tr("{title}, seed {seed}", title=title, seed=m.seed))
    tell(solution.message)
    width = max(map(len, solution.moves), default=0)
    for k in range(0, len(solution.moves), MOVES_A_LINE):
        line = "  ".join(f"{move:<{width}}" for move in solution.moves[k : k + MOVES_A_LINE])
        click.echo(f"  {k + 1:>4}  {line}".rstrip())


def _watched(run: partial[WinnabilityStudy], deals: int) -> WinnabilityStudy:
    """Run a study, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        return run()
    from cardtable.rules.solver import SOLVED

    with bar(mark("solved")) as progress:
        task = progress.add_task("deals", total=deals, solved=0)

        def shown(one: TriedDeal) -> None:
            progress.update(task, advance=1, solved=progress.tasks[task].fields["solved"] + (one.status == SOLVED))

        return run(seen=shown)


def _report(study: WinnabilityStudy) -> None:
    from cardtable.rules.solver import NOT_FOUND, UNWINNABLE

    first, last = study.results[0].deal, study.results[-1].deal
    head = Message("{title}, seeds {first} to {last}", title=Message(study.title), first=str(first), last=str(last))
    tell(Message("{head} (stopped early: partial)", head=head) if study.partial else head)
    low, high = study.interval
    shown = Form.of([(high - low) / 2.0], share=True)
    share = Message(
        "{solved} of {deals} deals solved: {share} (winnable, 95% interval: {low} to {high})",
        solved=figure(study.solved),
        deals=figure(study.deals),
        share=shown(study.solved / study.deals),
        low=shown(low),
        high=shown(high),
    )
    tell(share)
    if lost := study.named(UNWINNABLE):
        tell(Message("proved to be unwinnable: {seeds}", seeds=", ".join(map(str, lost))))
    if still := study.named(NOT_FOUND):
        tell(Message("not found within the limit, which proves nothing: {seeds}", seeds=", ".join(map(str, still))))
    mean, median, most = study.seconds
    tell(
        Message(
            "processor time for a deal: mean {mean} s, median {median} s, most {most} s",
            mean=figure(mean, ".3f"),
            median=figure(median, ".3f"),
            most=figure(most, ".2f"),
        )
    )
