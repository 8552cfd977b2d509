"""Changes to tables and connections from outside, mostly by the operator, with notices to the people concerned."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.net.fair_queue import Busy
from cardtable.server.people.restrictions import KICK, MUTE, Restriction
from cardtable.server.rooms.broadcast import dismiss, refuse
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.room import Room
from cardtable.table import events as ev
from cardtable.table.live import CLOSED, LOBBY

PATIENCE = 20.0  #: seconds allowed for an operator's request to a table


def dismiss_banned(hall: Hall) -> int:
    """Close the connections of all banned people; return their number."""
    banned = [(peer, ban) for peer in hall.sockets if (ban := hall.restrictions.ban_of(peer.owner, peer.client))]
    for peer, ban in banned:
        dismiss(peer, ban.refusal)
    return len(banned)


async def restrict(
    hall: Hall, kind: str, seconds: int, reason: str, *, owner: str = "", network: str = ""
) -> Restriction:
    """Ban a person or a network, or mute a person, from now on, with a notice to them. Raises StoreError.

    seconds: the duration; 0: for good.
    """
    added = await hall.restrictions.add(kind, owner=owner, network=network, seconds=seconds, reason=reason)
    tell_those_concerned(hall, added.id)
    return added


def tell_those_concerned(hall: Hall, id: int) -> None:
    """Close the connections of banned people, and notify the person of a mute, if it is this one."""
    dismiss_banned(hall)
    restriction = next((one for one in hall.restrictions.all() if one.id == id), None)
    for peer in hall.sockets if restriction and restriction.kind == MUTE else ():
        if restriction and peer.owner == restriction.owner:
            refuse(peer, restriction.refusal)


async def kick(hall: Hall, room: Room, owner: str, seconds: int, reason: str) -> Restriction:
    """Remove a person from a table; a bot plays for them if its match has begun. Raises StoreError, Busy.

    seconds: how long they may not come back; 0: for good.
    """
    table = room.table.id
    added = await hall.restrictions.add(KICK, owner=owner, table=table, seconds=seconds, reason=reason)
    await at_table(room, lambda: remove(room, owner, operator=True))
    for peer in hall.sockets:
        if peer.owner == owner and peer in room.peers:
            dismiss(peer, added.refusal)
    return added


async def close_table(room: Room, reason: str) -> None:
    """Close a table at any time; a match that is not over ends without a result. Raises StoreError, Busy."""

    async def close() -> None:
        if room.table.stage != CLOSED:
            await room.write(ev.Closed(reason))
            await room.follow()

    await at_table(room, close)


async def remove(room: Room, owner: str, *, operator: bool = False) -> None:
    """Remove a person from a table: before its match the seat becomes free, later a bot plays for them. Raises
    StoreError.

    It must run as a job of the room.
    """
    seat, lost = room.table.seat_of(owner), room.table.lost_by(owner)
    if room.table.stage == CLOSED:
        return
    if lost is not None:
        await room.write(ev.Left(lost, removed=operator))
        return await room.follow()
    if seat is None:
        return
    begun = room.table.stage != LOBBY
    if room.table.places[seat].present:
        await room.write(ev.Left(seat, removed=operator))
    if begun and not room.table.places[seat].stood_in:
        await room.write(ev.StoodIn(seat))
    await room.follow()


async def at_table(room: Room, job: Callable[[], Awaitable[None]]) -> None:
    """Run a function as a job of a room, and wait for it. Raises the errors of the job, and Busy."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run() -> None:
        try:
            await job()
        except Exception as error:
            if not done.done():
                done.set_exception(error)
            if not isinstance(error, CardtableError):
                raise
        else:
            if not done.done():
                done.set_result(None)

    room.post(run)
    try:
        await asyncio.wait_for(done, PATIENCE)
    except TimeoutError:
        raise Busy(Message("this table"), Message("it does not answer"), Message("try again in a moment")) from None
