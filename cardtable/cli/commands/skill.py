"""`skill`: telling skill from luck."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import click

from cardtable.base.digits import Form
from cardtable.base.languages import figure, tr
from cardtable.base.message import Message
from cardtable.bots.words import in_words
from cardtable.cli.common import TableOptions, named_bots, study_options, tell, tell_beside
from cardtable.cli.runs import Count, any_thinks, counted, print_result, stoppable

if TYPE_CHECKING:
    from cardtable.lab.luck import Skill


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
@study_options
def skill(
    game: tuple[str, ...],
    strong: str,
    weak: str,
    deals: int | None,
    threads: int,
    wanted: TableOptions,
    in_json: bool,
) -> None:
    """Separate skill from luck: how much of a seat's result is due to the cards, the seat and the player.

    Every deal is played with a strong player in each seat in turn, and with weak ones only, always with the same cards.
    """
    from cardtable import lab

    thinks = any_thinks(named_bots((strong, weak)))
    count = deals or (200 if thinks else 10_000)
    how = wanted.of_study()
    run = partial(lab.skill, " ".join(game), strong, weak, deals=count, threads=threads, say=tell_beside, **how)
    with stoppable() as work:
        work.result = counted(run, count)
    print_result(work, in_json, _shares, Message("Stopped before there were enough deals."))


def _shares(result: Skill) -> None:
    head = Message(
        "{title}, {n} {n:seat|seats}, seed {seed}: {strong} against {weak}",
        title=Message(result.title),
        n=result.seats,
        seed=result.seed,
        strong=in_words(result.strong),
        weak=in_words(result.weak),
    )
    tell(Message("{head} (stopped early: partial)", head=head) if result.partial else head)
    click.echo(
        tr("{deals} deals in {seconds} s", deals=figure(result.deals), seconds=figure(result.seconds, ".2f")) + "\n"
    )
    click.echo(tr("where the variance of a seat's result in a deal comes from, with 95% intervals"))
    rows = (
        (tr("cards"), result.cards),
        (tr("seat"), result.seat),
        (tr("player"), result.player),
        (tr("player with these cards"), result.both),
    )
    wide = max(len(name) for name, _ in rows)
    for name, share in rows:
        shown = Form.of([(share.high - share.low) / 2.0], share=True)
        of, low, high = (shown(part) if math.isfinite(part) else "" for part in (share.share, share.low, share.high))
        between = f"{low:>7} {tr('to')} {high:>7}" if math.isfinite(share.low) else tr("(no interval)")
        click.echo(f"  {name:<{wide}}  {of:>7}  {between}")
    click.echo()
    paid = Form.of([(result.high - result.low) / 2.0], signed=True)
    tell(
        Message(
            "The stronger player gets {difference} more in a deal ({low} to {high}).",
            difference=paid(result.difference),
            low=paid(result.low),
            high=paid(result.high),
        )
        if math.isfinite(result.low)
        else Message(
            "The stronger player gets {difference} more, the same in every deal.",
            difference=paid(result.difference),
        )
    )
    if math.isfinite(result.deals_apart):
        tell(
            Message(
                "Deals that distinguish the two at 95%: {alone} if each has different cards, {same} with the same "
                "cards in all seats.",
                alone=figure(math.ceil(result.deals_apart)),
                same=figure(math.ceil(result.duplicate_apart)),
            )
        )
