"""Handling of notices from other processes over the same database (`Cluster.tell`)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cardtable.server.rooms import drain, moderation
from cardtable.server.rooms.hall import Hall
from cardtable.server.store.faults import StoreError

log = logging.getLogger("cardtable.server")
LONGEST_DELETION = 300.0  #: seconds after which a deletion that was begun elsewhere is taken to be over


async def refresh(hall: Hall) -> None:
    """Reload cached data of the database, other than tables."""
    await hall.restrictions.load()
    await hall.devices.load()
    await of_site(hall)
    moderation.dismiss_banned(hall)


async def restricted(hall: Hall, what: Mapping[str, Any]) -> None:
    """The operator has banned, muted or kicked somebody, or lifted that."""
    await hall.restrictions.load()
    moderation.tell_those_concerned(hall, int(what["id"]))


async def of_site(hall: Hall) -> None:
    """The operator has decided something about the whole site or about moderators, or there is a report."""
    await hall.site.load()
    await hall.moderators.load()


async def draining(hall: Hall, what: Mapping[str, Any]) -> None:
    """The processes of a machine end when their last match is over, or at the time `until`; 0: they do not."""
    if what["machine"] != hall.cluster.node.machine:
        return
    if until := int(what["until"]):
        drain.begin(hall, until)
    else:
        drain.cancel(hall)


async def deleting(hall: Hall, what: Mapping[str, Any]) -> None:
    """A person's data is being deleted, or is deleted now: they get no connection meanwhile."""
    owner = str(what["owner"])
    if not what["on"]:
        hall.deleting.discard(owner)
        return
    hall.deleting.add(owner)
    asyncio.get_running_loop().call_later(LONGEST_DELETION, hall.deleting.discard, owner)
    hall.disconnect(owner)


async def wanted(hall: Hall, what: Mapping[str, Any]) -> None:
    """Handle another process's request for one of our tables."""
    if what["of"] == hall.cluster.node.id:
        await hall.give(str(what["table"]), str(what["by"]))


KINDS: dict[str, Callable[[Hall, Mapping[str, Any]], Awaitable[None]]] = {
    "again": lambda hall, _: refresh(hall),
    "restrictions": restricted,
    # one was linked to a person, or is no longer
    "devices": lambda hall, _: hall.devices.load(),
    "deleting": deleting,
    "wanted": wanted,
    "site": lambda hall, _: of_site(hall),
    "drain": draining,
}


def hear(hall: Hall, kind: str, what: Mapping[str, Any]) -> None:
    """Handle a notice in the background. A process of another version may send an unknown one."""
    if kind in KINDS:
        hall.spawn(_done(hall, kind, what))


async def _done(hall: Hall, kind: str, what: Mapping[str, Any]) -> None:
    try:
        await KINDS[kind](hall, what)
    except StoreError as error:  # it is read again regularly
        log.warning("the notice %r has no effect yet: %s", kind, error)
    except Exception:
        log.exception("the notice %r", kind)
