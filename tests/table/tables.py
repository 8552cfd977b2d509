"""Tables, their viewers, and what is asked about them: for several tests of this folder."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from cardtable.server.net.budgets import Charge
from cardtable.server.rooms.broadcast import Sheet
from cardtable.server.rooms.room import Room
from cardtable.table import LiveTable, Refusal, projection, shuffling
from tests.support.server.live import Driven
from tests.support.server.served import Served
from tests.support.waiting import eventually

HOUR = 3_600_000  #: milliseconds


def picture(table: LiveTable) -> bytes:
    """All that every viewer may know of a table, as bytes."""
    viewers = range(len(table.places) + 1)
    owners = [place.owner for place in table.places] + [""]
    shown = [
        (projection.table_seen(table, owner), projection.view_seen(table, viewer))
        for owner, viewer in zip(owners, viewers, strict=True)
    ]
    return msgspec.json.encode((table.version, table.numbers, table.turns, shown))


def refused(answer: Refusal | None) -> str:
    """The code of a refusal, which there must be."""
    assert isinstance(answer, Refusal), answer
    return answer.code


def two(**setup: Any) -> Driven:
    """Two people at Fan Tan."""
    return Driven(people="ab", seats=2, preset="british", **setup)


def acting(t: Driven) -> tuple[str, str]:
    """Of two people, who is to act, and who is not."""
    assert t.table.match is not None
    return ("a", "b") if t.table.match.actors == (0,) else ("b", "a")


def moved(t: Driven) -> tuple[str, str]:
    """Of two people, who has just made a move, and who has not."""
    me, other = acting(t)
    assert t.move(me, t.advised(t.table.seat_of(me) or 0)) is None
    return me, other


def turn_of(t: Driven, seat: int) -> None:
    """Play until it is the turn of a seat."""
    while t.table.match and t.table.match.actors != (seat,):
        t.step()


class Viewer:
    """Somebody connected to a room, who keeps what is sent."""

    address, version, sender = "", 0, ""
    sheet: Sheet | None = None
    charge: Charge | None = None

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.heard: list[dict[str, Any]] = []

    def send(self, message: str) -> None:
        self.heard.append(json.loads(message))

    def owes(self, seconds: float) -> None:
        """It owes nothing."""

    def close(self, code: int) -> None:
        """The end."""

    @property
    def answers(self) -> list[str]:
        """The answers to commands, in short."""
        return [
            f"{m['type']} {m['seq']}" + (f" {m['code']} {m['rule']}" if m["type"] == "refused" else "")
            for m in self.heard
            if m["type"] in ("done", "refused")
        ]

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The messages about the table."""
        return [message for message in self.heard if message["type"] == "table"]


async def settled(room: Room) -> None:
    """A room has done all that it has been given."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    room.post(lambda: done.set_result(None))
    await done


class Shuffles:
    """The times that shuffles at a server wait for: an hour, until a test says that one of them is over."""

    def __init__(self, server: Served, patch: pytest.MonkeyPatch) -> None:
        self._server, self._patch = server, patch
        for name in ("COMMIT_WITHIN", "REVEAL_WITHIN"):
            patch.setattr(shuffling, name, HOUR)

    async def over(self, table: str, name: str, when: Callable[[shuffling.Shuffle], object]) -> None:
        """Let a time be over as soon as a table's shuffle has come so far; return when its match has begun."""
        room = self._server.app.hall.rooms[table]
        await eventually(lambda: room.table.shuffle and when(room.table.shuffle), "the shuffle comes so far")
        self._patch.setattr(shuffling, name, 0)
        self._server.loop.call_soon_threadsafe(room.post, room.follow)
        await eventually(lambda: room.table.stage == "playing", "the match begins")
        self._patch.setattr(shuffling, name, HOUR)

    async def withheld(self, table: str) -> None:
        """Let the time be over in which seat 1 does not reveal, when all others have."""
        await self.over(table, "REVEAL_WITHIN", lambda shuffle: shuffle.revealing and shuffle.hidden == [1])
