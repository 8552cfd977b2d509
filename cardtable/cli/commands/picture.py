"""`picture`: draws the table of a record or a position as SVG, or a record as a page that steps through its moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardtable.base.languages import tr
from cardtable.base.message import Message
from cardtable.cli.common import as_json, json_option, reading, tell

if TYPE_CHECKING:
    from cardtable.match.match import Record

PICTURE, PAGE = ".svg", ".html"


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--out",
    "-o",
    required=True,
    type=click.Path(dir_okay=False),
    help="The file to write: .svg for a picture, .html for a page that shows a record move by move.",
)
@click.option("--deal", type=int, metavar="N", help="The deal of a record. Default: the last; in a page, all.")
@click.option("--move", type=int, metavar="N", help="Draw the table before this move. Default: after the last one.")
@click.option("--seat", type=int, metavar="K", help="Show only what this seat may know. Default: all hands, open.")
@json_option
def picture(file: str, out: str, deal: int | None, move: int | None, seat: int | None, in_json: bool) -> None:
    """Draw the table of a record or a position.

    FILE is a record, finished or not, or a position. The picture needs only a browser, and loads nothing.
    """
    from cardtable.base.files import replacing
    from cardtable.kernel import Switch
    from cardtable.match.match import Record
    from cardtable.precompile import ready
    from cardtable.rules import catalog

    ending = Path(out).suffix.lower()
    if ending not in (PICTURE, PAGE):
        raise click.UsageError(tr("{file}: write .svg or .html at its end", file=out))
    if ending == PAGE and move is not None:
        raise click.UsageError(tr("A page shows every move: leave {option} out.", option="--move"))
    click.get_current_context().with_resource(reading(file))
    record = Record.load(file)
    if _is_position(record) and (ending == PAGE or deal is not None or move is not None):
        raise click.UsageError(tr("A position has no moves: draw it as .svg, without --deal and --move."))
    name = record.keys.get("game")
    if isinstance(name, str) and not ready(catalog.find(name), search=False):
        Switch.plain = True  # drawing takes less time than compiling the rules
    text = _drawn(record, ending, deal, move, seat)
    with replacing(out) as written:
        written.write_text(text, encoding="utf-8")
    if in_json:
        as_json({"file": out, "characters": len(text)})
    else:
        tell(Message("Written: {file}", file=out))


def _drawn(record: Record, ending: str, deal: int | None, move: int | None, seat: int | None) -> str:
    """Choose what to write. Raises RecordError, PositionError, OptionError."""
    from cardtable.match.match import Position

    if _is_position(record):
        return Position(record.keys).svg(seat)
    return record.html(deal, seat=seat) if ending == PAGE else record.svg(deal, move, seat=seat)


def _is_position(record: Record) -> bool:
    """Whether a file has the keys of a position rather than those of a record."""
    return "deals" not in record.keys and "cardtable" not in record.keys
