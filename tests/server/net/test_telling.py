"""Peers receive what is new: each once, viewers of the same with one text, and a deal's sheet bit by bit."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardtable.server.app import build
from cardtable.server.rooms.broadcast import GULP, Telling
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from cardtable.table import commands as cm
from cardtable.table import projection
from tests.support.server.live import Driven
from tests.support.server.peers import Ear
from tests.support.server.served import keep

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Joining(Ear):
    """A peer that joins the sheet as a client does."""

    def __init__(self, owner: str) -> None:
        super().__init__(owner)
        self.joined: list[Any] = []

    def send(self, message: str) -> None:
        super().send(message)
        told = json.loads(message)
        if told["type"] == "table" and (view := told["view"]):
            self.joined = self.joined[: view["sheet_since"]] + view["sheet"]


def tell(t: Driven, *ears: Ear) -> None:
    """Tell them the table as it is."""
    telling = Telling(t.table, {ear.owner for ear in ears}, {})
    for ear in ears:
        telling.one(ear)


def whole(t: Driven, ear: Ear) -> list[Any]:
    view = projection.view_seen(t.table, t.table.viewer_of(ear.owner))
    assert view is not None
    assert view.sheet_since == 0
    return list(msgspec.to_builtins(view.sheet))


def table(game: str) -> Driven:
    """A table of two people and a bot, or of one person."""
    return Driven(game, "a") if game == "spider" else Driven(game, "ab", seats=3, bots=("", "", "medium"))


@pytest.mark.parametrize("game", ["fan-tan", "i-doubt-it", "oh-hell", "spider", "play-or-pay"])
def test_the_parts_of_a_sheet_make_the_whole(game: str) -> None:
    """Also after something was taken back, in the next deal and the next match, and for viewers who come late."""
    t = table(game)
    ears = [Joining("a"), Joining("x")]
    taken = 0
    for turn in range(200):
        if t.table.stage == "over":
            for seat in t.table.people:
                t.ask(t.table.places[seat].owner, cm.GetReady)
        elif turn % 20 == 19 and t.ask("a", cm.Undo) is None:
            taken += 1
            t.ask("b", cm.AnswerUndo, yes=True)
        else:
            t.step()
        tell(t, *ears)
        if turn == 60:
            ears.append(late := Joining("y"))
            tell(t, late)
        for ear in ears:
            assert ear.joined == whole(t, ear)
    assert taken
    assert t.table.match is not None
    assert any(json.loads(text)["view"]["sheet_since"] for text in ears[0].heard)


def test_those_who_see_the_same_are_sent_the_same_text() -> None:
    t = table("fan-tan")
    spectators = [Ear(f"x{n}") for n in range(3)]
    devices = [Ear("a"), Ear("a")]
    tell(t, *spectators, *devices)
    assert spectators[0].heard[0] is spectators[1].heard[0] is spectators[2].heard[0]
    assert devices[0].heard[0] is devices[1].heard[0]
    assert devices[0].heard[0] != spectators[0].heard[0]
    t.step()
    late = Ear("late")
    tell(t, *spectators, late)
    assert spectators[0].heard[1] is spectators[1].heard[1]
    assert json.loads(late.heard[0])["since"] == 0
    assert json.loads(spectators[0].heard[1])["since"] > 0


class On:
    def __init__(self, t: Driven, path: Path) -> None:
        self.store = Store(f"sqlite:///{path / 't.db'}")
        keep(self.store, t.log)
        self.hall = build(self.store, Settings(bot_pace=1000.0)).hall
        self.room: Room = self.hall._enter(t.table, "ABCDEF")

    async def __aenter__(self) -> On:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.room.close()
        self.hall.thinking.bots.close()
        self.store.close()

    async def settle(self) -> None:
        """Wait until the room has done what it was asked."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.room.post(lambda: done.set_result(None))
        await done

    async def come(self, owner: str) -> Ear:
        self.room.hello(ear := Ear(owner), 0)
        await self.settle()
        return ear


async def test_only_people_with_seats_and_the_first_spectator_are_announced(tmp_path: Path) -> None:
    async with On(table("fan-tan"), tmp_path) as on:
        ann = await on.come("a")
        heard = len(ann.heard)
        first = await on.come("x")
        assert len(ann.heard) == heard + 1
        assert json.loads(ann.heard[-1])["table"]["watching"]
        heard = len(ann.heard)
        for owner in ("y", "x", "a"):  # another spectator, and other devices of the first one and of Ann
            await on.come(owner)
        on.room.bye(first)
        await on.settle()
        assert len(ann.heard) == heard
        ben = await on.come("b")
        assert len(ann.heard) > heard
        assert json.loads(ann.heard[-1])["table"]["seats"][1]["online"]
        heard = len(ann.heard)
        on.room.bye(ben)
        await on.settle()
        assert len(ann.heard) > heard
        assert not json.loads(ann.heard[-1])["table"]["seats"][1]["online"]


async def test_other_tasks_have_a_turn_while_many_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the texts are."""
    monkeypatch.setattr("cardtable.server.rooms.broadcast.GULP", GULP // 100)
    turns: list[int] = []

    t = table("fan-tan")
    ears = [Ear(f"x{n}") for n in range(50)]

    async def other() -> None:
        while True:
            turns.append(sum(bool(ear.heard) for ear in ears))
            await asyncio.sleep(0.0)

    task = asyncio.create_task(other())
    await Telling(t.table, set(), {}).all(ears)
    task.cancel()
    assert all(len(ear.heard) == 1 for ear in ears)
    assert len(set(turns)) > 10
