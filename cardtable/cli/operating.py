"""The commands of `admin` that are about the server itself, as those in `cardtable.cli.admin` are about people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.cli.admin import admin as admin
from cardtable.cli.admin import asks, show
from cardtable.cli.common import as_json
from cardtable.languages import tr
from cardtable.message import mark

if TYPE_CHECKING:
    from cardtable.cli.operator import Server

QUEUES = {
    "commands": mark("moves and other commands"),
    "questions": mark("questions and requests"),
    "hints": mark("hints"),
    "records": mark("records"),
    "saving": mark("saving"),
}


@admin.command()
@asks
def load(server: Server, in_json: bool) -> None:
    """Show what waits, and which addresses have used the most of the processor in the last minute."""
    told = server.ask("GET", "/api/admin/load")
    if in_json:
        return as_json(told)
    rows = [
        [tr(QUEUES.get(one["queue"], one["queue"])), str(one["many"]), tr("{n} s", n=f"{one['oldest']:.1f}")]
        for one in told["queues"]
    ]
    show((mark("Queue"), mark("Waiting"), mark("Oldest")), rows)
    rows = [
        [one["address"] or tr("all others"), f"{100 * one['share']:.1f} %", str(one["messages"])]
        for one in told["addresses"]
    ]
    heads = (mark("Address"), mark("Of a processor"), mark("Messages in a minute"))
    return show(heads, rows, mark("Nobody has asked for anything in the last minute."))
