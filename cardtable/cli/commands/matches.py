"""`matches`: lists the saved matches, with the commands to continue or see each."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.languages import tr
from cardtable.base.message import Message, mark
from cardtable.cli import saves
from cardtable.cli.common import as_json, json_option, tell

if TYPE_CHECKING:
    from cardtable.match.match import Record


@click.command()
@click.argument("game", required=False)
@json_option
def matches(game: str | None, in_json: bool) -> None:
    """List the saved matches of GAME, or of all games, latest first."""
    from cardtable.rules.ruleset import Ruleset

    rows = [_match_row(path, record) for path, record in saves.saved(Ruleset.parse(game) if game else None)]
    if in_json:
        as_json([row | {"state": str(row["state"]), "fault": row["fault"] and str(row["fault"])} for row in rows])
        return
    for row in rows:
        template = mark("{title}, {preset} rules, {n} {n:seat|seats}: {state}; saved {when}")
        title = tr(row["title"])
        line = tr(template, title=title, preset=row["rules"], n=row["seats"], state=row["state"], when=row["saved"])
        before, title, after = line.partition(title)
        click.echo(before + click.style(title, bold=True) + after)
        file = shlex.quote(row["file"])
        if row["fault"]:
            tell(Message("  {file} cannot be continued: {why}", file=file, why=row["fault"].message))
        else:
            click.echo(f"  cardtable {'play --resume' if row['unfinished'] else 'replay'} {file}")
    if not rows:
        tell(Message("No match is saved in {place}. In a match, q saves it.", place=str(saves.directory())))


def _match_row(path: Path, record: Record) -> dict[str, Any]:
    """A saved match for the list; fields that a damaged record lacks are empty."""
    from cardtable.rules import catalog

    def value_of(name: str, kind: type) -> Any:
        value = record.keys.get(name)
        return value if isinstance(value, kind) else kind()

    name, deals = value_of("game", str), len(value_of("deals", list))
    going = record.keys.get("unfinished") is True
    game = catalog.games().get(name)
    result = value_of("result", dict).get("scores")
    state = Message("in deal {n}", n=deals) if going else Message("over", context="match")
    if not going and isinstance(result, list):
        state = Message("over, scores {scores}", scores=" ".join(map(str, result)))
    return {
        "file": str(path),
        "game": name,
        "title": game.title if game else name,
        "rules": value_of("rules", str),
        "seats": value_of("seats", int),
        "unfinished": going,
        "fault": saves.fault(record) if going else None,
        "deals": deals,
        "state": state,
        "saved": time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime)),
    }
