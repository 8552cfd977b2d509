"""`replay`: the check of a record, move by move, and what each deal came to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cardtable.cli.common import as_json
from cardtable.text import plural

if TYPE_CHECKING:
    from cardtable.match import Match


@click.command()
@click.argument("file", type=click.Path())
@click.option("--step", is_flag=True, help="Show every move.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def replay(file: str, step: bool, in_json: bool) -> None:
    """Check a record move by move, and print the result of each deal.

    A record that breaks the rules, or that just stops, is refused with deal, move number and rule (exit code 1).
    """
    from cardtable import catalog
    from cardtable.cli import tell
    from cardtable.kernel import Switch
    from cardtable.record import Record
    from cardtable.warm import ready

    record = Record.load(file)
    name = record.keys.get("game")
    if isinstance(name, str) and not ready(catalog.find(name), search=False):
        Switch.plain = True  # a record is checked sooner than rules are compiled
    m = record.replay()
    if in_json:
        as_json(as_dict(m))
        return
    names = tell.names_in(record)
    width = max(map(len, names))
    click.echo(f"{m.title}, {plural(m.seats, 'seat')}, seed {m.seed}: {', '.join(names)}")
    for deal in m.deals:
        if step:
            for act in deal.acts:
                click.echo(f"  {act.number:>3}  {names[act.seat]:<{width}}  {act.move}{'  (forced)' if act.forced else ''}")
        click.echo(f"deal {deal.number}: {len(deal.acts)} move{'s' * (len(deal.acts) != 1)}, " + _outcome(m, deal, names))
    if m.result:
        winners = ", ".join(names[seat] for seat in m.result.winners)
        gone = "" if m.result.resigned is None else f"; {names[m.result.resigned]} resigned"
        click.echo(f"result: scores {' '.join(map(str, m.result.scores))}; winner{'s' * (len(m.result.winners) != 1)}: {winners}{gone}")
    else:
        click.echo(f"unfinished: scores {' '.join(map(str, m.scores))}")


def _outcome(m: Match, deal: Any, names: Sequence[str]) -> str:
    from cardtable.cli import tell

    if deal.result:
        wins = tell.reader(names).plain(tell.wins(deal.result.winner), sentence=deal.result.winner is not None)
        return f"{wins}, payoff {' '.join(f'{x:+}' for x in deal.result.payoff)}"
    turn = ", ".join(names[seat] for seat in m.actors)
    return f"not over; {turn} to act" if turn else "not over"


def as_dict(m: Match) -> dict[str, Any]:
    """A replayed match for `--json`."""
    deals = []
    for deal in m.deals:
        won = deal.result
        deals.append({"deal": deal.number, "moves": len(deal.acts), "winner": won.winner if won else None, "payoff": list(won.payoff) if won else None})
    result = {"scores": list(m.result.scores), "winners": list(m.result.winners), "resigned": m.result.resigned} if m.result else None
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
