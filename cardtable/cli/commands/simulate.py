"""`simulate`, `bench`, `league`, `warm`: the commands of the lab. At Ctrl-C they print the results so far."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.languages import figure, tr, translated
from cardtable.base.message import Message
from cardtable.bots.words import in_words
from cardtable.cli.common import (
    INTERRUPTED,
    TableOptions,
    as_json,
    named_bots,
    table_options,
    tell,
    tell_beside,
    threads_option,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from cardtable.base.types import JsonObject
    from cardtable.lab.league import Duel
    from cardtable.lab.notes import Notes
    from cardtable.lab.records.recorded import Recorder
    from cardtable.lab.simulate import Simulation


USUAL, THINKING = 10_000, 200  #: default number of deals: with compiled bots, and with bots that think
NUMBER = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(?:e\+?(\d{1,2}))?([km])?", re.ASCII)
WAITING = 2000  #: records that wait until they are written
ZEROS = {"": 0, "k": 3, "m": 6}


def any_thinks(levels: Iterable[str], game: str = "") -> bool:
    """Whether some of these bots think about their moves, and so are not compiled.

    Raises OptionError, also for a bot that does not play the game, if it is named.
    """
    from cardtable.bots import parse_level
    from cardtable.lab.simulate import compiled

    wanted = list(levels)
    for level in wanted:
        parse_level(level, game)
    return not compiled(wanted)


class Count(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.4
    """A whole number such as 5000, 5_000, 5,000, 1e6, 20k or 1m."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = NUMBER.fullmatch(str(value).strip().lower().replace("_", "").replace(",", ""))
        exact = Fraction(found[1]) * 10 ** (int(found[2] or 0) + ZEROS[found[3] or ""]) if found else Fraction(1, 2)
        if exact.denominator != 1:
            self.fail(
                tr(
                    "{value} is no whole number: write for instance {ways}",
                    value=repr(value),
                    ways=tr("5000, 5_000, 1e6, 20k or 1m"),
                ),
                param,
                ctx,
            )
        if not self.low <= exact <= self.high:
            self.fail(
                tr(
                    "{value} is out of range: take {low} to {high}",
                    value=str(value),
                    low=figure(self.low),
                    high=figure(self.high),
                ),
                param,
                ctx,
            )
        return int(exact)


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
    help="random, easy, medium:N, hard:N or a bot of your own (package.module:Class), for all seats; or one for each: "
    "repeated, or separated by commas.",
)
@threads_option
@click.option(
    "--records", type=click.Path(dir_okay=False), help="Append the record of every match to this file, move by move."
)
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def simulate(
    game: tuple[str, ...],
    deals: int | None,
    bots: tuple[str, ...],
    threads: int,
    records: str | None,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Let bots play many deals, and show what each seat gets, with 95 % intervals.

    The same seed gives the same figures on any number of threads; the default seed is 0. At Ctrl-C the deals played so
    far are summed up and marked as partial (exit code 130).
    """
    from cardtable.lab import simulate as lab

    levels = named_bots(level for word in bots for level in word.split(","))
    count = deals or (THINKING if any_thinks(levels) else USUAL)
    run = partial(
        lab.simulate,
        " ".join(game),
        count,
        seats=wanted.seats,
        rules=wanted.preset,
        options=wanted.house_rules(),
        bots=levels,
        seed="0" if wanted.seed is None else wanted.seed,
        threads=threads,
    )
    with _records(records, lambda: _recorder(" ".join(game), levels, wanted)) as noted, stoppable() as work:
        work.found = _watched(partial(run, noted=noted), count)
    print_result(work, in_json, _report, Message("Stopped before a deal was played out."))


def _recorder(game: str, levels: Sequence[str], wanted: TableOptions) -> Recorder:
    """What makes the records of a simulation's matches. Raises OptionError."""
    from cardtable.lab.records.recorded import Recorder
    from cardtable.rules.ruleset import Ruleset

    ruleset = Ruleset.parse(game, wanted.preset, wanted.seats, wanted.house_rules())
    each = list(levels) * ruleset.seats if len(levels) == 1 else list(levels)
    return Recorder(ruleset, each, "0" if wanted.seed is None else wanted.seed)


@contextlib.contextmanager
def _records(file: str | None, recorder: Callable[[], Recorder]) -> Iterator[Callable[[Notes], object] | None]:
    """Append the records of matches to a collection as they are played, in steps of WAITING; yield what takes their
    notes, if there is a file. After an error or Ctrl-C the file has what was played until then.
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


@dataclass
class _Work:
    """The result of a study so far, and whether it was stopped."""

    found: Any = None
    stopped: bool = False


@contextlib.contextmanager
def stoppable() -> Iterator[_Work]:
    """Catch Ctrl-C in a study, and keep its result so far."""
    from cardtable.lab.simulate import Stopped

    work = _Work()
    try:
        yield work
    except Stopped as stopped:
        work.found, work.stopped = stopped.found, True


def print_result(work: _Work, in_json: bool, show: Callable[[Any], object], nothing: Message) -> None:
    """Print a result, as JSON or by `show`, or the message `nothing` if there is none; then exit if the study was
    stopped.
    """
    if work.found is None:
        tell_beside(nothing)
    elif in_json:
        as_json(work.found.as_dict())
    else:
        show(work.found)
    end(work)


def end(work: _Work) -> None:
    """Exit with the code of Ctrl-C if that ended a study."""
    if work.stopped:
        sys.stdout.flush()
        raise SystemExit(INTERRUPTED)


def _watched(run: Callable[..., Simulation], deals: int) -> Simulation:
    """Run a study, with a progress bar on a terminal; in a script, a long one says how long it will take."""
    if not sys.stderr.isatty():
        return run(say=tell_beside, progress=Estimate(deals))
    with bar() as shown:
        task = shown.add_task("deals", total=deals)
        return run(progress=partial(shown.advance, task), say=lambda message: shown.console.print(translated(message)))


class Estimate:
    """Says once how long a study will take, if it takes long. The time counts from the first deals, before which rules
    may have been compiled.
    """

    def __init__(self, deals: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.deals, self.clock, self.done, self.told = deals, clock, 0, False
        self.first, self.began = 0, 0.0  #: the deals that were played first, and when that was

    def __call__(self, more: int) -> None:
        self.done += more
        if not self.first:
            self.first, self.began = self.done, self.clock()
            return
        spent = self.clock() - self.began
        left = spent * (self.deals - self.done) / (self.done - self.first)
        if not self.told and spent > 2.0 and left > 20.0:
            self.told = True
            minutes, seconds = (
                Message("{n} {n:minute|minutes}", n=round(left / 60)),
                Message("{n} {n:second|seconds}", n=round(left)),
            )
            done = Message("{done} of {deals} deals are played", done=figure(self.done), deals=figure(self.deals))
            about = minutes if left > 90 else seconds
            tell_beside(
                Message("{done}; the rest takes about {time} (Ctrl-C shows what there is)", done=done, time=about)
            )


def bar() -> Progress:
    """A progress bar on standard error, removed when the work is done; its times have labels."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        tr("deals"),
        BarColumn(),
        MofNCompleteColumn(),
        tr("time"),
        TimeElapsedColumn(),
        tr("remaining"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _report(study: Simulation) -> None:
    """Print a study for people."""
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
    spread = Message("sd {deviation}, {low} to {high}", deviation=figure(deviation, ".2f"), low=shortest, high=longest)
    parts = [tr("a deal: {mean} moves ({spread})", mean=figure(mean, ".2f"), spread=spread)]
    if study.seats > 1 and study.passes:
        parts.append(tr("{n} passes", n=figure(study.passes, ".2f")))
    wins = game.deals_won
    drawn = (
        "; " + tr("{n} deals without a single winner", n=figure(study.void))
        if wins and study.void and study.seats > 1
        else ""
    )
    click.echo(", ".join(parts) + drawn + "\n")
    bots = [in_words(level) for level in study.bots]
    width = max(6, *map(len, bots))
    heads = f"  {tr('seat'):>6}  {tr('bot'):<{width}}  {tr('payoff a deal'):>13}  {tr('95 % interval'):>15}      "
    click.echo(heads + (f"  {tr('deals won')}" if wins else ""))
    rows = [
        (str(seat), bots[seat], x, f"{figure(study.wins[seat] / study.deals, '.2%'):>9}" if wins else "")
        for seat, x in enumerate(study.payoff)
    ]
    if study.seats > 1:
        rows.append((tr("eldest"), "", study.eldest, ""))
    for name, level, x, won in rows:
        between = f"{figure(x.low, '+.4f'):>10} {tr('to')} {figure(x.high, '+.4f'):>9}"
        none = tr("(one match only)") if study.matches < 2 else tr("the same in every match")
        interval = between if x.known else f"      {none}"
        click.echo(f"  {name:>6}  {level:<{width}}  {figure(x.mean, '+.4f'):>13}  {interval}  {won}".rstrip())
    if can_draw():
        _pictures(study)


def can_draw() -> bool:
    """Whether the output is a terminal that can write the signs of pictures; programs get plain text."""
    if not sys.stdout.isatty():
        return False
    try:
        "┊─●█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _pictures(study: Simulation) -> None:
    """Draw the payoffs with their intervals, and the lengths of the deals."""
    from cardtable.cli import charts

    rows = list(study.payoff)
    if study.seats > 1:
        rows.append(study.eldest)
        click.echo("\n" + tr("payoff a deal, with its 95 % interval; ┊ is 0"))
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


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="Number of rounds; figures are medians over them.",
)
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def bench(games: tuple[str, ...], rounds: int, in_json: bool) -> None:
    """Measure the speed of every game, and of OpenSpiel in the same run if it is installed."""
    from cardtable.lab import bench as lab
    from cardtable.precompile import warm as compile_game
    from cardtable.rules import catalog

    names = list(games)
    for name in names or catalog.games():
        compile_game(catalog.find(name), study=True, say=tell_beside)
    with stoppable() as work:
        work.found = lab.bench(names, rounds=rounds, say=lambda text: click.echo(text, err=True))
    print_result(
        work, in_json, lambda report: click.echo(lab.table(report)), Message("Stopped before anything was timed.")
    )


@click.command()
@click.argument("game")
@click.argument("levels", nargs=-1, required=True)
@click.option(
    "--deals",
    type=Count(2, 10**7),
    metavar="K",
    help="Duplicate deals for each pair of bots.  [default: 1000; 100 with bots that think]",
)
@threads_option
@table_options
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
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

    The output is the difference between what the two get in a deal, with its 95 % interval and p. With more than two
    levels the intervals hold all together, p is adjusted by Holm, and a ranking follows. At Ctrl-C the deals played so
    far are summed up and marked as partial (exit code 130).
    """
    from cardtable.base.errors import OptionError
    from cardtable.bots import parse_level
    from cardtable.lab import league as lab
    from cardtable.precompile import warm as compile_game
    from cardtable.rules import catalog
    from cardtable.rules.ruleset import Ruleset

    if len(set(levels)) < 2:
        raise OptionError(
            Message("a league"),
            Message("it needs two levels or more"),
            Message("write for instance: cardtable league {game} easy random", game=game),
        )
    levels = tuple(named_bots(levels))
    found = catalog.variant(game, wanted.preset)
    for level in levels:
        parse_level(level, found.game.name)
    house = wanted.house_rules()
    Ruleset.of(found, wanted.seats, house)  # refuse before anything is compiled
    compile_game(found.game, study=True, say=tell_beside)
    count = deals or (100 if any_thinks(levels) else 1000)
    run = partial(
        lab.league,
        game,
        levels,
        deals=count,
        seats=wanted.seats,
        rules=wanted.preset,
        seed=wanted.seed or "0",
        threads=threads,
        options=house,
    )
    with stoppable() as work:
        if sys.stderr.isatty():
            with bar() as shown:
                task = shown.add_task("deals", total=count)
                work.found = run(progress=lambda done: shown.update(task, completed=done))
        else:
            work.found = run()
    if in_json:
        rated = lab.ratings(work.found) if len(work.found) > 1 else {}
        sides = ("a", "b") if rated else ()
        as_json(
            [
                duel.as_dict() | {f"rating_{side}": rated[getattr(duel, side)].as_dict() for side in sides}
                for duel in work.found
            ]
        )
    elif work.found:
        click.echo(lab.table(work.found))
        if len(work.found) > 1:
            click.echo(lab.ranking(work.found))
        if can_draw():
            _duels(work.found)
    else:
        tell_beside(Message("Stopped before two deals were played out."))
    end(work)


def _duels(duels: Sequence[Duel]) -> None:
    """Draw the differences with their intervals, on one axis."""
    from cardtable.cli import charts

    who = [f"{in_words(duel.a)} - {in_words(duel.b)}" for duel in duels]
    wide = max(map(len, who))
    click.echo("\n" + tr("difference in a deal, with its 95 % interval; ┊ is 0"))
    for name, line in zip(who, charts.intervals([(d.low, d.difference, d.high) for d in duels]), strict=True):
        click.echo(f"  {name:<{wide}}  {line}".rstrip())


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
