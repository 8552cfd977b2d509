"""Whether the server is well, as the operator asks before and after an upgrade."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

import msgspec
import sqlalchemy as sa
from starlette.requests import Request

from cardtable import __version__
from cardtable.base import platform
from cardtable.base.message import Message, as_data
from cardtable.server.clock import now, set_since
from cardtable.server.net.connections import RESERVED
from cardtable.server.rooms import retention
from cardtable.server.rooms.hall import Hall
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import StoreError
from cardtable.server.store.schema import STEPS
from cardtable.server.store.writes import NEWEST

OK, WARNING, WRONG = "ok", "warning", "wrong"
ROOMY = 4  #: times the reserve, below which the disk is soon full
DRIFT = 60_000  #: milliseconds by which the clock may have been set since the server started
DAY = 86_400_000  #: milliseconds


class Check(msgspec.Struct, frozen=True):
    """The result of a check."""

    name: str  #: of what was checked
    state: str  #: `ok`, `warning` or `wrong`
    says: Any  #: the result, a message
    can: Any = None  #: what can be done about it, a message; null: nothing needs to be done


class Checks(msgspec.Struct, frozen=True):
    """The results of all checks."""

    version: str  #: of the server
    checks: list[Check]  #: one for each thing that was checked


def checked(name: str, state: str, says: Message, can: Message | None = None) -> Check:
    """The results of all checks."""
    return Check(name, state, as_data(says), as_data(can) if can else None)


async def of(hall: Hall, request: Request) -> Checks:
    """All checks; `request` is the operator's own."""
    return Checks(
        __version__,
        [await database(hall), await version(hall), await disk(hall), await clock(hall), files(hall), proxy(hall)],
    )


async def database(hall: Hall) -> Check:
    """Whether the database is whole and can be written."""
    name = hall.store.engine.dialect.name

    def whole(connection: sa.Connection) -> str:
        if name != "sqlite":
            return str(connection.execute(sa.text("SELECT 'ok'")).scalar())
        return str(connection.execute(sa.text("PRAGMA quick_check(1)")).scalar())

    try:
        async with asyncio.timeout(hall.settings.health_within):
            await asyncio.wrap_future(hall.store.check())
        if (result := await in_database(hall.store.run, whole)) != "ok":
            can = Message("stop the server, and restore a backup: cardtable admin restore")
            return checked("database", WRONG, Message("it is damaged: {what}", what=result[:200]), can)
    except StoreError as error:
        return checked("database", WRONG, Message("it cannot be written: {why}", why=error.fault.why))
    except TimeoutError:
        return checked("database", WRONG, Message("it does not answer"))
    return checked("database", OK, Message("{kind}: it is whole and can be written", kind=name))


async def version(hall: Hall) -> Check:
    """Whether the database is of this version."""
    try:
        step = (await in_database(hall.store.column, NEWEST))[0] or 0
    except StoreError as error:
        return checked("version", WRONG, Message("the database's version cannot be read: {why}", why=error.fault.why))
    if step != len(STEPS):
        says = Message("the database is of version {n}, and this server knows {most}", n=step, most=len(STEPS))
        return checked("version", WRONG, says, Message("restart the server with the newest version"))
    return checked("version", OK, Message("Cardtable {version}, database version {n}", version=__version__, n=step))


async def disk(hall: Hall) -> Check:
    """Whether there is room for new tables."""
    await hall.site.look_at_disk()
    free, reserve = hall.site.free, hall.site.reserve
    if free is None:
        says = Message("it is not known how much is free where the database is")
        return checked("disk", OK, says, Message("name a directory there in the setting disk_watched"))
    says = Message(
        "{n} MB are free where the database is, and {reserve} MB are kept in reserve",
        n=free >> 20,
        reserve=reserve >> 20,
    )
    can = Message("make room, or let old tables be deleted sooner (keep_tables, keep_matches)")
    if free < reserve:
        return checked("disk", WRONG, Message("{disk}: no new tables are made", disk=says), can)
    return checked("disk", WARNING, says, can) if free < ROOMY * reserve else checked("disk", OK, says)


async def clock(hall: Hall) -> Check:
    """Whether the clock can be believed."""
    at = now()
    try:
        known = await in_database(hall.store.run, retention.known_time)
    except StoreError as error:
        return checked(
            "clock", WARNING, Message("the database does not say what time it was: {why}", why=error.fault.why)
        )
    off = at - known if known else 0
    if abs(off) > retention.FAR:
        says = (
            Message("it is {n} days ahead of what the database knows: nothing old is deleted", n=off // DAY)
            if off > 0
            else Message("it is {n} days behind what the database knows: nothing old is deleted", n=-off // DAY)
        )
        can = Message("set it and restart the server, or if it is right: cardtable admin check --clock-is-right")
        return checked("clock", WRONG, says, can)
    if abs(set_since()) > DRIFT:
        says = Message("it was set since the server started, and the server still uses the old time")
        return checked("clock", WARNING, says, Message("restart the server"))
    return checked("clock", OK, Message("it is near the time that the database knows"))


def files(hall: Hall) -> Check:
    """Whether the system allows the server the number of connections in the settings."""
    limit, needed = platform.open_files_limit(), hall.settings.most_connections + RESERVED
    if limit < needed:
        says = Message(
            "only {limit} files may be open, and {n} are needed for all connections", limit=int(limit), n=needed
        )
        return checked("files", WARNING, says, Message("raise the limit (LimitNOFILE in cardtable.service)"))
    return checked("files", OK, Message("enough files may be open for all connections"))


def proxy(hall: Hall) -> Check:
    """Whether people are known by their own addresses."""
    if hall.strange_proxies:
        says = Message(
            "requests come through {addresses}, which the setting proxies does not name: everybody there counts as one",
            addresses=", ".join(sorted(hall.strange_proxies)),
        )
        can = Message("name it in proxies, if it is your proxy")
        near = any(ipaddress.ip_address(one).is_private for one in hall.strange_proxies)
        return checked("proxy", WRONG if near else WARNING, says, can)  # a remote stranger can also send such headers
    if not hall.settings.proxies:
        return checked("proxy", OK, Message("none is named: people connect directly"))
    if not hall.settings.secure:
        says = Message("one is named, and cookies may be sent without https")
        return checked("proxy", WARNING, says, Message("set secure = true if people come over https"))
    return checked(
        "proxy",
        OK,
        Message("{addresses}: its X-Forwarded-For is believed", addresses=", ".join(sorted(hall.settings.proxies))),
    )
