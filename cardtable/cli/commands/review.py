"""`review`: grades a player's decisions in a record, each compared with the best move."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cardtable.base.languages import figure, tr
from cardtable.base.message import Message, Seat, mark
from cardtable.cli import saves
from cardtable.cli.common import as_json, json_option, reading, tell_beside

if TYPE_CHECKING:
    from cardtable.cli.terminal.screen import Screen
    from cardtable.match.match import Match, Record
    from cardtable.review.decisions import Decision
    from cardtable.review.review import Review
    from cardtable.review.where_lost import Loss

OPEN_HEAD = mark("all cards", context="column")
ALL_CARDS = mark(
    "all cards: the best move for somebody who sees all cards, including the hidden ones; it is not graded."
)
#: the number of decisions with each grade
GRADED = {
    "best": mark("{n} best"),
    "good": mark("{n} good"),
    "inaccuracy": mark("{n} {n:inaccuracy|inaccuracies}"),
    "mistake": mark("{n} {n:mistake|mistakes}"),
    "blunder": mark("{n} {n:blunder|blunders}"),
}
SECONDS = 0.5  #: for each decision, without --iterations


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--seat", type=int, metavar="K", help="Whose decisions. Default: the person's seat, if the record names it, else 0."
)
@click.option("--deal", type=int, metavar="N", help="One deal only. Default: all.")
@click.option(
    "--iterations",
    type=click.IntRange(100, 10_000_000),
    metavar="N",
    help="Deals played out for each decision. Default: 10000, or fewer if they take longer than half a second.",
)
@click.option("--open-cards", is_flag=True, help="Also name the move that was best with all cards seen.")
@json_option
def review(
    file: str, seat: int | None, deal: int | None, iterations: int | None, open_cards: bool, in_json: bool
) -> None:
    """Grade each decision of a player in a record, judging by what that player knew at the time.

    Every move is compared with the one that search would play: what each can be expected to bring in its deal, and how
    much worse the move made is. The record need not be finished; one that breaks the rules is refused (exit code 1).
    """
    from cardtable.bots.searcher import Searcher
    from cardtable.cli.terminal import tell
    from cardtable.match.match import Record
    from cardtable.precompile import warm as compile_game
    from cardtable.review.review import ITERATIONS, affordable, questions
    from cardtable.review.review import review as judged

    click.get_current_context().with_resource(reading(file))
    record = Record.load(file)
    with saves.checking(record):
        m = record.replay()
    asked = seat_of(record) if seat is None else seat
    asking = questions(m, asked, deal)  # a wrong seat or deal is refused before anything is compiled
    compile_game(m.game, say=tell_beside, open_cards=open_cards)
    if iterations is None:
        first = next(asking, None)
        iterations = affordable(Searcher(m.game), first, SECONDS) if first else ITERATIONS
    counter = _Counter(m.title)
    result = judged(m, asked, iterations, deal=deal, each=counter.one, open_cards=open_cards)
    counter.clear()
    losses = [one for one in (_lost(m, asked, n) for n in ([deal] if deal else range(1, len(m.deals) + 1))) if one]
    if in_json:
        as_json(result.as_dict() | ({"lost": [one.as_dict() for one in losses]} if m.game.solvable else {}))
    else:
        _report(result, file, tell.names_in(record), losses)


def _lost(m: Match, seat: int, deal: int) -> Loss | None:
    """Where the seat lost a deal, in games with a solver."""
    from cardtable.review.where_lost import LOOKING, lost

    if m.game.solvable and sys.stderr.isatty():
        tell_beside(Message(LOOKING))
    return lost(m, seat, deal)


def seat_of(record: Record) -> int:
    """The person's seat, if the record contains it, as those of the terminal do; otherwise 0."""
    table = record.keys.get("table")
    seat = table.get("seat") if isinstance(table, dict) else None
    return seat if isinstance(seat, int) and not isinstance(seat, bool) else 0


class _Counter:
    """Shows a person at a terminal how many decisions have been judged; in a script it prints nothing."""

    def __init__(self, title: str) -> None:
        self._title, self._judged, self._shown = title, 0, sys.stderr.isatty()

    def one(self, _: Decision) -> None:
        self._judged += 1
        if self._shown:
            progress = tr("{title}: {n} {n:decision|decisions}", title=Message(self._title), n=self._judged)
            click.echo(f"\r{progress}", nl=False, err=True)

    def clear(self) -> None:
        if self._shown and self._judged:
            click.echo("\r\x1b[K", nl=False, err=True)


def _report(review: Review, file: str, names: Sequence[str], losses: Sequence[Loss]) -> None:
    """Print a review: a table for each deal, then a summary. names: of the seats; losses: where deals were lost."""
    from cardtable.cli.terminal.screen import Look, Screen, console

    m, seat = review.match, Seat(review.seat)
    screen = Screen(console(), names, Look(faces=m.ruleset.faces()))
    screen.say(
        Message("{title}: what {seat} decided, judged by what {seat} knew", title=Message(m.title), seat=seat), "bold"
    )
    if not review.decisions:
        screen.say(Message("{seat} had nothing to decide.", seat=seat))
        return
    for deal in dict.fromkeys(decision.deal for decision in review.decisions):
        screen.say()
        screen.rule(_deal_title(m, deal, review.seat))
        _table(screen, [decision for decision in review.decisions if decision.deal == deal])
    screen.say()
    screen.say(screen.words(summary(review)), "bold")
    for one in losses:
        screen.say(one.message)
    worst = max(review.decisions, key=lambda decision: decision.sure)
    if worst.sure:
        command = f"cardtable play --resume {file} --at {worst.deal}.{worst.number}"
        screen.say(Message("Try again from the worst one: {command}", command=command))
    screen.say(Message("Up to {n} deals were played out for each decision.", n=figure(review.iterations)), "dim")
    expected = Message("expected: what the move can be expected to bring in its deal.")
    loss = Message("loss: how much less that is than the best move brings, ± its standard error.")
    screen.say(screen.words(Message("{expected} {loss}", expected=expected, loss=loss)), "dim")
    if any(one.seen for one in review.decisions):
        screen.say(Message(ALL_CARDS), "dim")


def _deal_title(m: Match, deal: int, seat: int) -> Message:
    result = next((result for result in m.results if result.deal == deal), None)
    if result is None:
        return Message("deal {n}: not over", n=deal)
    got = figure(result.payoff[seat], "+") if result.payoff[seat] else "0"
    return Message("deal {n}: {seat} got {payoff}", n=deal, seat=Seat(seat), payoff=got)


def _table(screen: Screen, decisions: list[Decision]) -> None:
    """Write the decisions of a deal, one on each line; the worst of all are marked."""
    from rich.text import Text

    from cardtable.review.page import COLUMNS

    exact = any(one.seen for one in decisions)
    rows = [[Text(tr(name, context="column"), style="dim") for name in ("", *COLUMNS, *(OPEN_HEAD,) * exact)]]
    for one in decisions:
        same = one.move == one.best
        cells = [
            Text("▸" if one.worst else ""),
            Text(str(one.number)),
            screen.pretty(one.move),
            Text("") if same else screen.pretty(one.best),
            Text(figure(one.estimate, "+.2f")),
            Text(tr(one.grade), style="bold" if one.worst else "dim" if same else ""),
            Text("" if same else f"{figure(one.loss, '.2f')} ± {figure(one.error, '.2f')}"),
        ]
        if exact:
            cells.append(screen.pretty(one.seen.best) if one.seen else Text(""))
        rows.append(cells)
    screen.grid(rows, right=(1, 4))


def summary(review: Review) -> Message:
    """A summary of a review: how many decisions got each grade, and what they cost on average."""
    grades = ", ".join(tr(GRADED[grade], n=count) for grade, count in review.grades.items() if count)
    template = mark("{n} {n:decision|decisions}: {grades}; average loss {loss}")
    return Message(template, n=len(review.decisions), grades=grades, loss=figure(review.loss, ".3f"))
