"""Shared by commands that play many deals: numbers of deals, progress, and the result at Ctrl-C."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cardtable.base.languages import figure, tr, translated
from cardtable.base.message import Message
from cardtable.cli.common import INTERRUPTED, as_json, tell_beside

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
NUMBER = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(?:e\+?(\d{1,2}))?([km])?", re.ASCII)
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
        parts = NUMBER.fullmatch(str(value).strip().lower().replace("_", "").replace(",", ""))
        exact = Fraction(parts[1]) * 10 ** (int(parts[2] or 0) + ZEROS[parts[3] or ""]) if parts else Fraction(1, 2)
        if exact.denominator != 1:
            self.fail(
                tr(
                    "{value} is not a whole number: write for instance {ways}",
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


@dataclass
class LabRun:
    """The result of a study so far, and whether it was stopped."""

    result: Any = None
    stopped: bool = False


@contextlib.contextmanager
def stoppable() -> Iterator[LabRun]:
    """Catch Ctrl-C in a study, and keep its result so far."""
    from cardtable.lab.simulate import Stopped

    work = LabRun()
    try:
        yield work
    except Stopped as stopped:
        work.result, work.stopped = stopped.found, True


def print_result(work: LabRun, in_json: bool, show: Callable[[Any], object], nothing: Message) -> None:
    """Print a result, as JSON or by `show`, or the message `nothing` if there is none; then exit if the study was
    stopped.
    """
    if work.result is None:
        tell_beside(nothing)
    elif in_json:
        as_json(work.result.as_dict())
    else:
        show(work.result)
    end(work)


def end(work: LabRun) -> None:
    """Exit with the code of Ctrl-C if that ended a study."""
    if work.stopped:
        sys.stdout.flush()
        raise SystemExit(INTERRUPTED)


def watched(run: Callable[..., T], deals: int) -> T:
    """Run a study, with a progress bar on a terminal, or a note on its expected duration in a script.

    run: calls its `progress` with the number of deals just played. deals: of all cells together; 0: unknown.
    """
    if not sys.stderr.isatty():
        return run(say=tell_beside, progress=TimeEstimate(deals)) if deals else run(say=tell_beside)
    with bar() as shown:
        task = shown.add_task("deals", total=deals or None)
        return run(progress=partial(shown.advance, task), say=lambda message: shown.console.print(translated(message)))


def counted(run: Callable[..., T], deals: int) -> T:
    """Run a function that passes the total number of deals played to `progress`, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        return run()
    with bar() as shown:
        task = shown.add_task("deals", total=deals)
        return run(progress=lambda done: shown.update(task, completed=done))


class TimeEstimate:
    """Reports once how long a study will take, if it takes long. The time counts from the first deals, before which
    rules may have been compiled.
    """

    def __init__(self, deals: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.deals, self.clock, self.done, self.said = deals, clock, 0, False
        self.first, self.began = 0, 0.0  #: the deals that were played first, and when that was

    def __call__(self, more: int) -> None:
        self.done += more
        if not self.first:
            self.first, self.began = self.done, self.clock()
            return
        spent = self.clock() - self.began
        remaining = spent * (self.deals - self.done) / (self.done - self.first)
        if not self.said and spent > 2.0 and remaining > 20.0:
            self.said = True
            minutes, seconds = (
                Message("{n} {n:minute|minutes}", n=round(remaining / 60)),
                Message("{n} {n:second|seconds}", n=round(remaining)),
            )
            done = Message("{done} of {deals} deals are played", done=figure(self.done), deals=figure(self.deals))
            about = minutes if remaining > 90 else seconds
            tell_beside(
                Message("{done}; the rest takes about {time} (Ctrl-C shows what there is)", done=done, time=about)
            )


def bar(count: str = "") -> Progress:
    """A progress bar on standard error, removed when the work is done; its times have labels. count: a field of the
    task that is shown instead of the remaining time, `solved`.
    """
    from rich import progress
    from rich.console import Console

    counted = (tr(count), progress.TextColumn(f"{{task.fields[{count}]}}")) if count else ()
    remaining = () if count else (tr("remaining"), progress.TimeRemainingColumn())
    done = progress.BarColumn(), progress.MofNCompleteColumn()
    columns = tr("deals"), *done, *counted, tr("time"), progress.TimeElapsedColumn(), *remaining
    return progress.Progress(*columns, console=Console(stderr=True), transient=True)


def can_draw() -> bool:
    """Whether the output is a terminal that can write the signs of pictures; programs get plain text."""
    if not sys.stdout.isatty():
        return False
    try:
        "┊─●█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
