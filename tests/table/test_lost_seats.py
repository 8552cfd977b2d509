"""A person who lost the seat by withholding their entropy can have it again for the next match; otherwise the bot
stays."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cardtable.client import Client, TableClient
from cardtable.server.http.descriptions import invite_of
from cardtable.server.net.guard import hashed
from cardtable.server.people.personal_data import without
from cardtable.server.rooms.hall import Glance
from cardtable.table import LiveTable, Refusal, fair, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.shuffling import REVEAL_WITHIN
from tests.support.server.live import Driven
from tests.support.server.operating import ask, done
from tests.support.server.served import Served
from tests.table.tables import Shuffles


def lost() -> Driven:
    """A match of Ann's, in which a bot has the seat of Ben, who has withheld his entropy."""
    t = Driven("fan-tan", "ab", shuffles="a", seats=2, preset="british")
    t.ask("b", cm.Commit, commitment=fair.committed("entropy-that-is-not-shown"))
    t.follow()
    t.wait(REVEAL_WITHIN / 1000)
    assert t.table.stage == "playing"
    assert t.table.places[1].level == "medium"
    return t


def over(t: Driven) -> None:
    assert t.ask("a", cm.Resign) is None
    assert t.table.stage == "over"


def seen(t: Driven, owner: str) -> projection.TableSeen:
    return projection.table_seen(t.table, owner, "ab")


def next_match(t: Driven, people: str) -> None:
    """Another match, for which all who have a seat are ready."""
    t.shuffles = people
    for owner in people:
        assert t.table.stage == "over"
        assert t.ask(owner, cm.GetReady) is None
    assert (t.table.stage, t.table.number) == ("playing", 2)


def test_the_bot_stays_if_nobody_comes_back() -> None:
    t = lost()
    over(t)
    assert (seen(t, "b").you, seen(t, "b").lost) == (None, 1)
    next_match(t, "a")
    assert t.table.places[1].level == "medium"
    assert seen(t, "b").lost == 1, "for a later match"


@pytest.mark.parametrize("seat", [-1, 1])
def test_after_the_match_the_seat_is_taken_again(seat: int) -> None:
    t = lost()
    over(t)
    assert "sit" in seen(t, "b").may
    assert t.ask("b", cm.Sit, seat=seat) is None
    place = seen(t, "a").seats[1]
    assert (place.name, place.kind, place.level, place.present) == ("b", "person", "", True)
    assert (seen(t, "b").you, seen(t, "b").lost) == (1, None)
    assert "sit" not in seen(t, "b").may
    next_match(t, "ab")
    assert t.table.entropy == [t.entropy("a").replace("3", "2"), t.entropy("b").replace("3", "2")]


def test_during_the_match_it_is_asked_for() -> None:
    """The bot plays on with the cards that were dealt. When the match is over, the others wait until all are ready."""
    t = lost()
    assert "sit" in seen(t, "b").may
    assert t.ask("b", cm.Sit) is None
    assert (t.table.places[1].owner, seen(t, "a").seats[1].returning) == ("", True)
    assert "sit" not in seen(t, "b").may
    again = t.ask("b", cm.Sit)
    assert isinstance(again, Refusal)
    assert "asked for it already" in str(again.why)
    happening = t.table.happenings[-1]
    assert (happening.kind, happening.by) == ("returning", "b")
    over(t)
    assert (t.table.places[1].owner, seen(t, "a").seats[1].returning) == ("b", False)
    next_match(t, "ab")


def test_nobody_else_can_have_the_seat() -> None:
    t = lost()
    over(t)
    for owner, seat in (("c", 1), ("c", -1), ("b", 0)):
        answer = t.ask(owner, cm.Sit, seat=seat)
        assert isinstance(answer, Refusal)
        assert answer.code == "table/stage"
    assert "sit" not in seen(t, "c").may
    t.happen(ev.Closed("spam"))
    answer = t.ask("b", cm.Sit)
    assert isinstance(answer, Refusal)
    assert "the table is closed" in str(answer.why)
    assert "sit" not in seen(t, "b").may


@pytest.mark.parametrize("asked", [False, True])
def test_one_who_was_removed_does_not_come_back(asked: bool) -> None:
    t = lost()
    if asked:
        t.ask("b", cm.Sit)
    t.happen(ev.Left(1, removed=True))
    assert seen(t, "b").lost is None
    over(t)
    assert t.table.places[1].level == "medium"


def test_the_log_and_its_outline_say_the_same() -> None:
    t = lost()

    def agree() -> None:
        outline, folded = LiveTable.outline(t.log), LiveTable.fold(t.log)
        assert invite_of(Glance(outline, "CODE", "over")) == invite_of(Glance(t.table, "CODE", "over"))
        assert folded.places == t.table.places

    agree()
    t.ask("b", cm.Sit)
    agree()
    over(t)
    agree()
    assert t.table.places[1].owner == "b"


def test_a_person_whose_data_is_deleted_is_not_in_the_log() -> None:
    t = lost()
    t.ask("b", cm.Sit)
    over(t)
    seats: dict[int, str] = {}
    entries = [without(entry, "b", "deleted-1", seats) for entry in t.log]
    assert LiveTable.fold(entries).places[1].owner == "deleted-1"
    assert not [entry for entry in entries if '"b"' in ev.encode(entry).decode().replace('"by":"b"', "")]


def withholds(b: TableClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a client commits and does not reveal."""
    sent = b._do

    def do(kind: str, **fields: Any) -> None:
        if kind == "commit":
            sent(kind, **fields)

    monkeypatch.setattr(b, "_do", do)


async def test_one_who_is_kicked_does_not_get_the_seat(
    server: Served, shuffles: Shuffles, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ann.make("fan-tan", seats=2, preset="british", name="Ann")
        async with ann.table(made["id"]) as a, ben.table(made["id"]) as b:
            withholds(b, monkeypatch)
            await b.sit("Ben")
            await shuffles.withheld(made["id"])
            await b.until(lambda: b.table["lost"] == 1)
            await b.sit()
            body = {"person": hashed(ben.token), "reason": "spam"}
            done(await asyncio.to_thread(ask, server, "POST", f"tables/{made['id']}/kick", body))
            await a.until(lambda: not a.table["seats"][1]["returning"])
            await a.command("resign")
            await a.until(lambda: a.stage == "over")
            assert a.table["seats"][1]["kind"] == "bot"


@pytest.mark.parametrize("watched", [True, False])
async def test_over_a_socket(
    server: Served, shuffles: Shuffles, monkeypatch: pytest.MonkeyPatch, watched: bool
) -> None:
    """Also at a table where nobody may watch, and after a new connection."""

    async with Client(server.url) as ann, Client(server.url) as ben:
        made = await ann.make("fan-tan", seats=2, preset="british", name="Ann", watched=watched)
        async with ann.table(made["id"]) as a:
            async with ben.table(made["id"]) as b:
                withholds(b, monkeypatch)
                await b.sit("Ben")
                await shuffles.withheld(made["id"])
                await b.until(lambda: b.stage == "playing" and b.seat is None)
            async with ben.table(made["id"]) as b:
                assert b.table["lost"] == 1
                await b.sit()
                await a.until(lambda: a.table["seats"][1]["returning"])
                await a.command("resign")
                await b.until(lambda: b.seat == 1)
                assert [one["kind"] for one in b.log][-2:] == ["ended", "sat"]
                numbers = [one["number"] for one in b.log]
                assert numbers == sorted(set(numbers))
                await a.command("ready")
                await b.command("ready")
                await b.until(lambda: b.stage == "playing" and b.table["match"] == 2)
                assert b.in_shuffle
                assert (await ben.get("/api/me"))["tables"]
