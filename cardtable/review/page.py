"""A review as HTML: its decisions as a table, and pictures of the worst ones as their seat saw them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cardtable.base.languages import current, figure, tr
from cardtable.base.message import Message, Reader, Seat, mark
from cardtable.base.types import SeatNumber
from cardtable.match.match import Match
from cardtable.match.pictures import scene_at
from cardtable.picture.table import svg
from cardtable.review.decisions import Decision

#: the headings of a table of decisions, here and in the terminal
COLUMNS = (
    mark("move", context="column"),
    mark("played", context="column"),
    mark("best", context="column"),
    mark("expected", context="column"),
    mark("grade", context="column"),
    mark("loss", context="column"),
)


def part(m: Match, seat: SeatNumber, decisions: Sequence[Decision]) -> str:
    """The review of a seat's decisions as a part of a page. Texts are in the language of this process."""
    reader = Reader(language=current())
    about = Message(
        "{title}: what {seat} decided, judged by what {seat} knew",
        title=Message(m.title),
        seat=Seat(seat),
    )
    if not decisions:
        nothing = reader.plain(Message("{seat} had nothing to decide.", seat=Seat(seat)), sentence=True)
        return f"<div><h3>{_text(reader.plain(about))}</h3><p>{_text(nothing)}</p></div>"
    heads = (tr(name, context="column") for name in (mark("deal", context="column"), *COLUMNS))
    head = "".join(f"<th{_LOOKS}>{_text(words)}</th>" for words in heads)
    rows = "".join(_row(one) for one in decisions)
    pictures = "".join(_picture(m, seat, one) for one in decisions if one.worst)
    return (
        f'<div lang="{current().code}"><h3>{_text(reader.plain(about))}</h3>'
        f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"{pictures}</div>"
    )


_LOOKS = ' style="text-align:left;padding:.2em .7em"'


def _text(words: str) -> str:
    return escape(words, quote=False)


def _row(one: Decision) -> str:
    """A decision as a row; the worst ones are bold and have a mark."""
    same = one.move == one.best
    cells = (
        str(one.deal),
        str(one.number),
        one.move,
        "" if same else one.best,
        figure(one.estimate, "+.2f"),
        ("▸ " if one.worst else "") + tr(one.grade),
        "" if same else f"{figure(one.loss, '.2f')} ± {figure(one.error, '.2f')}",
    )
    row = "".join(f"<td{_LOOKS}>{_text(cell)}</td>" for cell in cells)
    return f'<tr style="font-weight:bold">{row}</tr>' if one.worst else f"<tr>{row}</tr>"


def _picture(m: Match, seat: SeatNumber, one: Decision) -> str:
    """A decision with the table as its seat saw it."""
    where = f"{tr('deal {n}', n=one.deal)}, {tr('move')} {one.number}: {one.move} – {tr(one.grade)}"
    drawn = svg(scene_at(m, one.deal, one.number, seat))
    return f"<details><summary>{_text(where)}</summary>{drawn}</details>"
