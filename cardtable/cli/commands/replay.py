"""`replay`: checks a record move by move, and prints the result of each deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardtable.base.languages import tr
from cardtable.base.message import Message, Seat, Sentence, mark
from cardtable.cli import saves
from cardtable.cli.common import as_json, json_option, reading, tell

if TYPE_CHECKING:
    from cardtable.match.match import Match


@click.command()
@click.argument("file", type=click.Path())
@click.option("--step", is_flag=True, help="Show every move.")
@json_option
def replay(file: str, step: bool, in_json: bool) -> None:
    """Check a record move by move, and print the result of each deal.

    A record that breaks the rules, or that is cut off, is refused with deal, move number and rule (exit code 1).
    """
    from cardtable.cli.terminal import tell as terminal
    from cardtable.match.match import Record

    click.get_current_context().with_resource(reading(file))
    record = Record.load(file)
    click.get_current_context().with_resource(saves.checking(record))
    m = record.replay()
    if in_json:
        as_json(as_dict(m))
        return
    names = terminal.names_in(record)
    width = max(map(len, names))
    heading = mark("{title}, {n} {n:seat|seats}, seed {seed}: {names}")
    reader = terminal.reader(names)
    names = list(reader.names)
    tell(Message(heading, title=Message(m.title), n=m.seats, seed=m.seed, names=", ".join(names)))
    for deal in m.deals:
        if step:
            for act in deal.acts:
                forced = f"  {tr('(forced)')}" if act.forced else ""
                click.echo(f"  {act.number:>3}  {names[act.seat]:<{width}}  {act.move}{forced}")
        came = Message(
            "deal {deal}: {n} {n:move|moves}, {outcome}", deal=deal.number, n=len(deal.acts), outcome=_outcome(m, deal)
        )
        click.echo(reader.plain(came))
    if m.result:
        winners = ", ".join(names[seat] for seat in m.result.winners)
        scores = " ".join(map(str, m.result.scores))
        outcome = Message(
            "result: scores {scores}; {n:winner|winners}: {winners}",
            scores=scores,
            n=len(m.result.winners),
            winners=winners,
        )
        if m.result.resigned is not None:
            outcome = Message("{told}; {source} resigned", told=outcome, source=Seat(m.result.resigned))
        click.echo(reader.plain(outcome))
    else:
        tell(Message("unfinished: scores {scores}", scores=" ".join(map(str, m.scores))))


def _outcome(m: Match, deal: Any) -> Message:
    from cardtable.cli.terminal import tell as terminal

    if deal.result:
        payoff = " ".join(f"{x:+}" for x in deal.result.payoff)
        wins = terminal.wins(deal.result.winner)
        return Message(
            "{wins}, payoff {payoff}", wins=wins if deal.result.winner is None else Sentence(wins), payoff=payoff
        )
    turn = [Seat(seat) for seat in m.actors]
    return Message("not over; {seats} to act", seats=turn) if turn else Message("not over")


def as_dict(m: Match) -> dict[str, Any]:
    """A replayed match for `--json`."""
    deals = []
    for deal in m.deals:
        won = deal.result
        deals.append(
            {
                "deal": deal.number,
                "moves": len(deal.acts),
                "winner": won.winner if won else None,
                "payoff": list(won.payoff) if won else None,
            }
        )
    result = (
        {"scores": list(m.result.scores), "winners": list(m.result.winners), "resigned": m.result.resigned}
        if m.result
        else None
    )
    return {
        "game": m.game.name,
        "rules": m.rules,
        "title": m.title,
        "seats": m.seats,
        "seed": m.seed,
        "deals": deals,
        "result": result,
        "unfinished": not m.over,
    }
