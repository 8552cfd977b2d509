"""The commands of `admin` that are about the server itself, as those in `cardtable.cli.commands.admin` are about
people.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardtable.base.languages import tr, translated
from cardtable.base.message import Message, from_data, mark
from cardtable.cli.commands.admin import admin as admin
from cardtable.cli.commands.admin import asks, seconds_of, show, when
from cardtable.cli.common import as_json, tell

if TYPE_CHECKING:
    from cardtable.cli.admin_requests import OperatorClient

QUEUES = {
    "commands": mark("moves and other commands"),
    "questions": mark("questions and requests"),
    "hints": mark("hints"),
    "records": mark("records"),
    "saving": mark("writing to the database"),
}
REPORTED = {"name": mark("name of a person"), "line": mark("line of the chat")}
STATES = {"ok": mark("well"), "warning": mark("look at it"), "wrong": mark("wrong")}
CHECKS = {
    "database": mark("database"),
    "version": mark("version"),
    "disk": mark("disk"),
    "clock": mark("clock"),
    "files": mark("limit of files"),
    "proxy": mark("proxy"),
}


@admin.command()
@click.option("--clock-is-right", is_flag=True, help="Say that the clock is right: old tables are deleted again.")
@asks
def check(server: OperatorClient, clock_is_right: bool, in_json: bool) -> None:
    """Check that the server is well: database, version, disk, clock, limit of files, proxy.

    Do it before and after an upgrade. The exit code is 1 if something is wrong.
    """
    from cardtable import __version__

    if clock_is_right:
        server.ask("POST", "/api/admin/clock")
    answer = server.ask("GET", "/api/admin/check")
    if in_json:
        as_json(answer)
    else:
        rows = [
            [
                tr(CHECKS.get(one["name"], one["name"])),
                tr(STATES[one["state"]]),
                ". ".join(translated(from_data(part), sentence=True) for part in (one["says"], one["can"]) if part),
            ]
            for one in answer["checks"]
        ]
        show((mark("Check"), mark("State"), mark("What was found")), rows)
        if answer["version"] != __version__:
            older = mark("The server runs Cardtable {server}, and {here} is installed: restart it.")
            tell(Message(older, server=answer["version"], here=__version__))
    if any(one["state"] == "wrong" for one in answer["checks"]):
        raise SystemExit(1)


@admin.command()
@click.option(
    "--within",
    "seconds",
    default="30m",
    callback=seconds_of,
    metavar="TIME",
    help="The server ends after this time at the latest: 30m, 12h. Default: 30m.",
)
@click.option("--cancel", is_flag=True, help="Cancel the planned end of the server.")
@asks
def drain(server: OperatorClient, seconds: int, cancel: bool, in_json: bool) -> None:
    """End the server when its last match is over, before a restart.

    Meanwhile no new table or match begins, and everybody sees when the server ends at the latest. Tables are kept.
    """
    answer = (
        server.ask("DELETE", "/api/admin/drain")
        if cancel
        else server.ask("POST", "/api/admin/drain", {"seconds": seconds})
    )
    if in_json:
        return as_json(answer)
    if cancel:
        return tell(Message("The server continues."))
    ends = mark(
        "The server ends when {n} {n:match is|matches are} over, at {time} at the latest. No new tables until then."
    )
    return tell(Message(ends, n=answer["matches"], time=when(answer["until"])))


@admin.command()
@click.argument("text", required=False, default="")
@asks
def notice(server: OperatorClient, text: str, in_json: bool) -> None:
    """Show everybody a notice, TEXT, above every page; without TEXT: no notice any more."""
    answer = server.ask("POST", "/api/admin/notice", {"text": text})
    if in_json:
        return as_json(answer)
    return tell(Message("Everybody sees: {text}", text=answer["notice"]) if answer["notice"] else Message("No notice."))


@admin.command()
@click.argument("state", type=click.Choice(["on", "off"]))
@asks
def chat(server: OperatorClient, state: str, in_json: bool) -> None:
    """Switch the chat of all tables on or off."""
    answer = server.ask("POST", "/api/admin/chat", {"on": state == "on"})
    if in_json:
        return as_json(answer)
    return tell(Message("The chat is on.") if answer["chat"] else Message("The chat is off."))


@admin.command()
@click.option("--all", "everything", is_flag=True, help="Include reports that have been dealt with.")
@asks
def reports(server: OperatorClient, everything: bool, in_json: bool) -> None:
    """List the names and lines of the chat that people have reported, the latest first."""
    answer = server.ask("GET", f"/api/admin/reports?all={int(everything)}")["reports"]
    if in_json:
        return as_json(answer)
    rows = [
        [
            str(one["id"]),
            when(one["at"]),
            tr(REPORTED[one["kind"]]),
            one["text"],
            one["about"],
            one["table"],
            one["by"],
            one["done"],
        ]
        for one in answer
    ]
    heads = (
        mark("No."),
        mark("Time"),
        mark("What"),
        mark("Text"),
        mark("Whose"),
        mark("Table"),
        mark("Reported by"),
        mark("Dealt with by"),
    )
    return show(heads, rows, mark("Nothing is reported."))


@admin.command()
@click.argument("number", type=click.IntRange(1))
@asks
def settle(server: OperatorClient, number: int, in_json: bool) -> None:
    """Note that the report with this NUMBER is dealt with; `cardtable admin reports` lists them."""
    done = server.ask("POST", f"/api/admin/reports/{number}/done")
    if in_json:
        return as_json(done)
    return tell(Message("Report {n} is dealt with.", n=number))


@admin.command()
@asks
def acts(server: OperatorClient, in_json: bool) -> None:
    """List what the operator and the moderators did, the latest first."""
    answer = server.ask("GET", "/api/admin/acts")["acts"]
    if in_json:
        return as_json(answer)
    rows = [[when(one["at"]), one["who"], one["what"]] for one in answer]
    return show((mark("Time"), mark("Who"), mark("What")), rows, mark("Nobody has done anything yet."))


@admin.command()
@click.option("--add", metavar="NAME", help="Make somebody a moderator, with a separate token.")
@click.option("--remove", metavar="NAME", help="Remove this moderator.")
@asks
def moderators(server: OperatorClient, add: str | None, remove: str | None, in_json: bool) -> None:
    """List the moderators, who may use these commands besides the operator; add or remove one.

    A moderator may do everything except appoint moderators, delete people's data, end the server and accept its clock.
    """
    from cardtable.cli.admin_requests import part

    if add and remove:
        raise click.UsageError(tr("Give --add or --remove, not both."))
    if add:
        answer = server.ask("POST", "/api/admin/moderators", {"name": add})
        if in_json:
            return as_json(answer)
        tell(
            Message(
                "{name} is a moderator. This is the token for --token-file; it is shown only once:", name=answer["name"]
            )
        )
        return click.echo(answer["token"])
    if remove:
        done = server.ask("DELETE", f"/api/admin/moderators/{part(remove)}")
        return as_json(done) if in_json else tell(Message("{name} is no longer a moderator.", name=remove))
    names = server.ask("GET", "/api/admin/moderators")["moderators"]
    if in_json:
        return as_json(names)
    return show((mark("Name"),), [[name] for name in names], mark("There are no moderators."))


@admin.command()
@click.argument("backup", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--database", metavar="URL", help="The database, as in `cardtable serve`.")
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="The server's file of settings.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(backup: Path, database: str | None, config: Path | None, yes: bool) -> None:
    """Replace the database with a BACKUP, while no server runs.

    The backup is checked before anything is changed, and the previous database is kept next to it.
    """
    from cardtable.cli.saves import directory
    from cardtable.server.configuration import load as settings
    from cardtable.server.store.database import name_of
    from cardtable.server.store.restoring import restore as restored

    url = database or settings(config, os.environ).database or f"sqlite:///{directory() / 'cardtable.db'}"
    if not yes:
        asked = mark("Everything in {database} is replaced by {backup}. Continue?")
        click.confirm(tr(asked, database=name_of(url), backup=str(backup)), abort=True, err=True)
    previous = restored(backup, url)
    tell(Message("{backup} is restored into {database}.", backup=str(backup), database=name_of(url)))
    if previous:
        tell(Message("What was there before is in {place}.", place=str(previous)))


@admin.command()
@asks
def load(server: OperatorClient, in_json: bool) -> None:
    """Show what waits, and which addresses have used the most of the processor in the last minute."""
    answer = server.ask("GET", "/api/admin/load")
    if in_json:
        return as_json(answer)
    rows = [
        [tr(QUEUES.get(one["queue"], one["queue"])), str(one["many"]), tr("{n} s", n=f"{one['oldest']:.1f}")]
        for one in answer["queues"]
    ]
    show((mark("Queue"), mark("Waiting"), mark("Oldest")), rows)
    rows = [
        [one["address"] or tr("all others"), f"{100 * one['share']:.1f} %", str(one["messages"])]
        for one in answer["addresses"]
    ]
    heads = (mark("Address"), mark("Of a processor"), mark("Messages in a minute"))
    return show(heads, rows, mark("Nobody has asked for anything in the last minute."))
