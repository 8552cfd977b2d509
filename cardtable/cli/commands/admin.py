"""`admin`: the operator's commands for a server on this machine or another one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtable.base.languages import tr
from cardtable.base.message import Message, from_data, mark, printable
from cardtable.cli.common import as_json, json_option, tell

if TYPE_CHECKING:
    from cardtable.cli.admin_requests import OperatorClient

SPAN = re.compile(r"(\d{1,6})\s*(m|min|h|d|w)")
SECONDS = {"m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}
FOREVER = "forever"
STAGES = {
    "lobby": mark("not begun", context="table"),
    "playing": mark("playing", context="table"),
    "between": mark("between deals", context="table"),
    "over": mark("over", context="table"),
    "closed": mark("closed", context="table"),
}
KINDS = {"ban": mark("ban"), "mute": mark("mute"), "kick": mark("kick")}


def seconds_of(_: click.Context, param: click.Parameter, given: str) -> int:
    """A length of time in seconds; 0: for good."""
    text = given.strip().lower()
    span = SPAN.fullmatch(text)
    if text != FOREVER and (not span or not int(span[1])):
        why = tr("{value} is not a length of time: write 30m, 12h, 7d, 2w or forever", value=given[:40])
        raise click.BadParameter(why, param=param)
    return int(span[1]) * SECONDS[span[2]] if span else 0


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def admin() -> None:
    """Look after a running server: see its tables, close them, kick, mute and ban.

    Without --url it is the server on this machine. The operator's token is read from the server's data directory.
    docs/admin.md has more.
    """


def asks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that select the server, and pass that server on."""

    @wraps(command)
    def run(url: str | None, token_file: Path | None, **given: Any) -> Any:
        from cardtable.cli.admin_requests import OperatorClient, usual_url

        return command(OperatorClient.of(url or usual_url(), token_file), **given)

    for add in (
        click.option(
            "--url", metavar="URL", help="The server's address, or unix:PATH. Default: the server on this machine."
        ),
        click.option(
            "--token-file",
            type=click.Path(dir_okay=False, path_type=Path),
            help="The file with the operator's token. Default: admin-token in your data directory.",
        ),
        json_option,
    ):
        run = add(run)
    return run


def because(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for the reason."""
    return click.option("--reason", required=True, help="Why. The people concerned see it.")(command)


def lasting(default: str | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the option for a duration. default: None if it is required."""
    more: dict[str, Any] = {"default": default} if default else {"required": True}
    return click.option(
        "--for",
        "seconds",
        callback=seconds_of,
        **more,
        metavar="TIME",
        help="How long: 30m, 12h, 7d, 2w or forever.",
    )


@admin.command()
@click.option("--all", "everything", is_flag=True, help="Also tables that nobody has open, at most 500.")
@asks
def tables(server: OperatorClient, everything: bool, in_json: bool) -> None:
    """List the tables that somebody has open or had open lately: who sits there, and who is connected since when."""
    listed = server.ask("GET", f"/api/admin/tables?all={int(everything)}")["tables"]
    if in_json:
        return as_json(listed)
    rows = [
        [
            grouped(one["code"]),
            tr(one["title"]),
            tr(STAGES[one["stage"]], context="table"),
            seats(one),
            connected(one),
            when(one["changed"]),
        ]
        for one in listed
    ]
    heads = (mark("Code"), mark("Game"), mark("State"), mark("Seats"), mark("Connected"), mark("Last change"))
    return show(heads, rows, mark("Nobody has a table open."))


@admin.command()
@click.argument("table")
@asks
def table(server: OperatorClient, table: str, in_json: bool) -> None:
    """Show one TABLE, by its code or id: who is there, what happened lately, and the chat.

    Of a match that is not over it shows only what a spectator sees.
    """
    from cardtable.cli.admin_requests import part

    answer = server.ask("GET", f"/api/admin/tables/{part(table)}")
    if in_json:
        return as_json(answer)
    one = answer["table"]
    names = [seat["name"] or tr("Seat {n}", n=seat["seat"] + 1) for seat in one["seats"]]
    head = mark("{title} {code}: {state}, made {made}")
    code = grouped(one["code"])
    tell(
        Message(
            head,
            title=tr(one["title"]),
            code=code,
            state=tr(STAGES[one["stage"]], context="table"),
            made=when(one["created"]),
        )
    )
    rows = [
        [str(seat["seat"] + 1), seat["name"], seat["person"], tr(presence(seat), context="player")]
        for seat in one["seats"]
    ]
    show((mark("Seat"), mark("Name"), mark("Person"), mark("State")), rows)
    rows = [[line["person"], line["address"], when(line["since"])] for line in one["connections"]]
    show((mark("Person"), mark("Address"), mark("Connected since")), rows, mark("Nobody is connected."))
    show((mark("Time"), mark("What happened")), happenings(answer, names), mark("Nothing has happened yet."))
    rows = [[when(line["at"]), names[line["seat"]], line["text"]] for line in answer["chat"]]
    return show((mark("Time"), mark("Name"), mark("Chat")), rows, mark("Nobody has said anything yet."))


@admin.command()
@click.argument("table")
@because
@asks
def close(server: OperatorClient, table: str, reason: str, in_json: bool) -> None:
    """Close a TABLE, by its code or id. A match that is not over ends without a result."""
    from cardtable.cli.admin_requests import part

    done = server.ask("POST", f"/api/admin/tables/{part(table)}/close", {"reason": reason})
    if in_json:
        return as_json(done)
    return tell(Message("Table {table} is closed.", table=table))


@admin.command()
@click.argument("table")
@click.argument("person")
@lasting(FOREVER)
@because
@asks
def kick(server: OperatorClient, table: str, person: str, seconds: int, reason: str, in_json: bool) -> None:
    """Remove a PERSON from a TABLE; they may not come back. If the match has begun, a bot plays for them.

    PERSON is an id as `cardtable admin tables` shows it.
    """
    from cardtable.cli.admin_requests import part

    body = {"person": person, "seconds": seconds, "reason": reason}
    made(server.ask("POST", f"/api/admin/tables/{part(table)}/kick", body), in_json)


@admin.command()
@click.argument("who", metavar="PERSON|NETWORK")
@lasting(None)
@because
@asks
def ban(server: OperatorClient, who: str, seconds: int, reason: str, in_json: bool) -> None:
    """Ban a person, by their id, or a network: an address, 192.0.2.0/24, 2001:db8::/32.

    Their connections are closed. A single IPv6 address means its /64. A banned network gets no new identities either.
    """
    about = {"network": who} if "." in who or ":" in who else {"person": who}
    made(restricted(server, "ban", seconds, reason, about), in_json)


@admin.command()
@click.argument("person")
@lasting(None)
@because
@asks
def mute(server: OperatorClient, person: str, seconds: int, reason: str, in_json: bool) -> None:
    """Keep a PERSON, by their id, from using the chat."""
    made(restricted(server, "mute", seconds, reason, {"person": person}), in_json)


@admin.command()
@asks
def bans(server: OperatorClient, in_json: bool) -> None:
    """List the bans, mutes and kicks that are in force."""
    restrictions = server.ask("GET", "/api/admin/restrictions")["restrictions"]
    if in_json:
        return as_json(restrictions)
    rows = [
        [
            str(one["id"]),
            tr(KINDS[one["kind"]]),
            one["person"] or one["network"],
            one["table"],
            when(one["at"]),
            ends(one),
            one["reason"],
        ]
        for one in restrictions
    ]
    heads = (mark("No."), mark("What"), mark("Whom"), mark("Table"), mark("Since"), mark("Until"), mark("Reason"))
    return show(heads, rows, mark("Nothing is in force."))


@admin.command()
@click.argument("number", type=click.IntRange(1))
@asks
def lift(server: OperatorClient, number: int, in_json: bool) -> None:
    """Lift the ban, mute or kick with this NUMBER; `cardtable admin bans` lists them."""
    lifted = server.ask("DELETE", f"/api/admin/restrictions/{number}")
    if in_json:
        return as_json(lifted)
    return tell(Message("The {kind} of {whom} is lifted.", kind=tr(KINDS[lifted["kind"]]), whom=whom(lifted)))


@admin.command()
@click.argument("person")
@asks
def person(server: OperatorClient, person: str, in_json: bool) -> None:
    """Show what the server keeps about a PERSON, by their id."""
    from cardtable.cli.admin_requests import part

    answer = server.ask("GET", f"/api/admin/people/{part(person)}")
    if in_json:
        return as_json(answer)
    tell(described(answer))
    rows = [
        [str(one["id"]), tr(KINDS[one["kind"]]), one["table"], ends(one), one["reason"]]
        for one in answer["restrictions"]
    ]
    return show((mark("No."), mark("What"), mark("Table"), mark("Until"), mark("Reason")), rows)


@admin.command()
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do not ask.")
@asks
def delete(server: OperatorClient, person: str, yes: bool, in_json: bool) -> None:
    """Delete all data of a PERSON, by their id. It cannot be undone.

    Tables and finished matches of other people stay, without the person's name and what they said.
    """
    from cardtable.cli.admin_requests import part

    path = f"/api/admin/people/{part(person)}"
    if not yes:
        answer = server.ask("GET", path)
        click.confirm(tr("{person} Delete all of it?", person=described(answer)), abort=True, err=True)
    deleted = server.ask("DELETE", path)
    if in_json:
        return as_json(deleted)
    done = mark(
        "Deleted: {tables} {tables:table|tables} and {matches} finished {matches:match|matches}. Without the name "
        "stay: {kept_tables} {kept_tables:table|tables} and {kept_matches} finished {kept_matches:match|matches}."
    )
    return tell(Message(done, **deleted))


def described(answer: Any) -> Message:
    """A person, in a sentence."""
    names = ", ".join(answer["names"]) or Message("no name")
    says = mark("{person} ({names}) has {tables} {tables:table|tables} and {matches} finished {matches:match|matches}.")
    return Message(says, person=answer["person"], names=names, tables=answer["tables"], matches=answer["matches"])


def restricted(server: OperatorClient, kind: str, seconds: int, reason: str, about: dict[str, str]) -> Any:
    """A new ban or mute."""
    body = {"kind": kind, "seconds": seconds, "reason": reason} | about
    return server.ask("POST", "/api/admin/restrictions", body)


def made(one: Any, in_json: bool) -> None:
    """Report a new ban, mute or kick."""
    if in_json:
        return as_json(one)
    template = mark("No. {id}: {kind} of {whom}, {until}. Lift it with: cardtable admin lift {id}")
    return tell(Message(template, id=one["id"], kind=tr(KINDS[one["kind"]]), whom=whom(one), until=ends(one)))


def whom(one: Any) -> str:
    """Whom a ban, mute or kick is about."""
    return str(one["person"] or one["network"])


def ends(one: Any) -> str:
    """The end of a ban, mute or kick."""
    return tr("until {time}", time=when(one["until"])) if one["until"] else tr("for good")


def when(milliseconds: int) -> str:
    """A time, by this machine's clock."""
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")


def grouped(code: str) -> str:
    """A table's code as people read it."""
    return f"{code[:4]}-{code[4:]}"


def presence(seat: Any) -> str:
    """Whether somebody is at a seat."""
    if seat["kind"] != "person":
        return mark("bot", context="player") if seat["kind"] == "bot" else mark("free", context="player")
    if not seat["name"]:
        return mark("taken", context="player")
    return (
        mark("connected", context="player")
        if seat["online"]
        else mark("away", context="player")
        if seat["present"]
        else mark("gone", context="player")
    )


def seats(one: Any) -> str:
    """Who sits at a table, a line for each person."""
    people = [f"{seat['name']} {seat['person']}".strip() for seat in one["seats"] if seat["kind"] == "person"]
    bots = sum(seat["kind"] == "bot" for seat in one["seats"])
    free = sum(seat["kind"] == "free" for seat in one["seats"])
    more = [tr("{n} {n:bot|bots}", n=bots)] * bool(bots) + [tr("{n} free", n=free)] * bool(free)
    return "\n".join(people + [", ".join(more)] * bool(more))


def connected(one: Any) -> str:
    """The connections to a table and their start times, one a line."""
    seated = {seat["person"]: seat["name"] for seat in one["seats"]}
    return "\n".join(
        f"{seated.get(line['person']) or line['person']} {when(line['since'])}" for line in one["connections"]
    )


def happenings(answer: Any, names: Sequence[str]) -> list[list[str]]:
    """What happened at a table lately: times and sentences."""
    from cardtable.base.message import Reader

    reader = Reader(names)
    rows = []
    for one in answer["happened"]:
        events = [reader.plain(from_data(event["says"]), sentence=True) for event in one.get("events", ())]
        name = names[one["seat"]] if one.get("seat") is not None else ""
        by = f"({one['by']})" if one.get("by") else ""
        rows.append([when(one["at"]), "\n".join([" ".join(filter(None, (one["kind"], name, by))), *events])])
    return rows


def show(heads: Sequence[str], rows: Sequence[Sequence[str]], empty: str = "") -> None:
    """Print a table, or a sentence if it is empty. What people typed is never rich's markup, and reaches the
    terminal without control characters.
    """
    from rich.table import Table
    from rich.text import Text

    from cardtable.cli.terminal.screen import console

    if not rows:
        return tell(tr(empty)) if empty else None
    out = Table(*(tr(head) for head in heads), box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        out.add_row(*(Text(printable(cell)) for cell in row))
    screen = console()
    if not screen.is_terminal:  # a file or a pipe has no width
        screen.width = max(screen.width, math.ceil(sum(map(_width, zip(*[heads, *rows], strict=True)))))
    screen.print(out)
    return None


def _width(column: Sequence[str]) -> int:
    """The width of a column, with the space behind it."""
    return 2 + max(len(line) for cell in column for line in [*cell.split("\n"), ""])
