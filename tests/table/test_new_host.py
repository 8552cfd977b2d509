"""Before the match somebody must be able to begin it: a host who is away for too long makes room for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardtable.server.app import build
from cardtable.server.rooms import room as rooms
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from cardtable.table import LiveTable, Setup, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.decide import new_host
from cardtable.table.setup import checked
from tests.support.server.live import Driven
from tests.table.tables import Viewer, settled


def lobby(people: str = "abc") -> Driven:
    """A table of four whose match has not begun."""
    return Driven(people=people, seats=4, begins="host")


def test_the_next_person_who_is_here_is_host() -> None:
    t = lobby()
    assert new_host(t.table, [*"abc"]) is None, "the host is here"
    assert new_host(t.table, [*"bc"]) == ev.Hosted(1)
    assert new_host(t.table, [*"c"]) == ev.Hosted(2)
    assert new_host(t.table, [*""]) is None
    assert new_host(t.table, [*"x"]) is None, "who has no seat does not wait for the match"
    t.happen(ev.Hosted(2))
    assert new_host(t.table, [*"ab"]) == ev.Hosted(0), "from the host's seat on"
    may = [projection.may(t.table, seat, t.table.places[seat].owner == t.table.host) for seat in range(3)]
    assert ["start" in can for can in may] == [False, False, True]
    assert [place.host for place in projection.places_seen(t.table, "abc")] == [False, False, True, False]
    assert LiveTable.fold(t.log).host == "c"
    refusal = t.ask("a", cm.Start)
    assert refusal is not None
    assert (refusal.code, str(refusal.why)) == ("table/host", "only the host of the table may")
    assert t.ask("c", cm.Start) is None
    assert new_host(t.table, [*"ab"]) is None, "the match has begun"


def test_a_host_without_a_seat_makes_room_too() -> None:
    t = lobby("")
    assert t.ask("b", cm.Sit) is None
    assert new_host(t.table, [*"b"]) == ev.Hosted(0)


def test_a_host_can_get_up() -> None:
    t = lobby()
    assert "leave" in projection.may(t.table, 0, True)
    assert t.ask("a", cm.Leave) is None
    assert t.table.host == "b"


class Absences:
    """What a room waits for, as far as it is about people who are away; their time passes by hand."""

    def __init__(self, room: Room, patch: pytest.MonkeyPatch) -> None:
        self.waits: list[tuple[float, Callable[..., object], Any]] = []
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def call_later(delay: float, does: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
            if delay == room.ports.settings.absence:
                handle = later(10**6, does, *args)
                self.waits.append((delay, does, (handle, args)))
                return handle
            return later(delay, does, *args)

        patch.setattr(loop, "call_later", call_later)

    def end(self) -> None:
        """The time of absence is over, for all who are away now."""
        waits, self.waits = self.waits, []
        for _, does, (handle, args) in waits:
            if not handle.cancelled():
                handle.cancel()
                does(*args)


async def test_at_a_table_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's page is closed in the lobby; the others can begin, also one who sits down later."""
    monkeypatch.setattr(rooms, "now", lambda: 1_000_000)

    store = Store(f"sqlite:///{tmp_path / 'host.db'}")
    hall = build(store, Settings()).hall
    table, _ = await hall.create(checked(Setup("fan-tan", seats=4, begins="host")), "a", name="Ann")
    room = hall.rooms[table]
    absences = Absences(room, monkeypatch)
    ann, ben, cat = Viewer("a"), Viewer("b"), Viewer("c")
    for peer in (ann, ben):
        room.hello(peer, 0)
    room.command(ben, cm.Sit(1, name="Ben"))
    room.bye(ann)
    await settled(room)
    assert ben.tables[-1]["table"]["seats"][0]["leaves"] == 1_030_000, "the page can say until when"
    assert not ben.tables[-1]["table"]["host"]
    room.bye(ben)
    await settled(room)
    absences.end()  # nobody is here
    await settled(room)
    assert room.table.host == "a"

    room.hello(cat, 0)
    await settled(room)
    absences.end()  # somebody is here, without a seat
    await settled(room)
    assert room.table.host == "a"
    room.command(cat, cm.Sit(1, name="Cat"))
    await settled(room)
    absences.end()
    await settled(room)
    assert cat.tables[-1]["table"]["host"]
    assert cat.tables[-1]["happened"][-1]["kind"] == "hosted"
    assert "start" in cat.tables[-1]["table"]["may"]

    room.hello(ann, 0)
    await settled(room)
    assert not ann.tables[-1]["table"]["host"], "who comes back is no longer host"
    room.command(cat, cm.Leave(2))
    await settled(room)
    assert ann.tables[-1]["table"]["host"], "but a host who gets up makes room"
    await hall.close()
    store.close()
