"""What makes a table comfortable: reasons before the click, more time, the seat of one who is gone, bots' pace, help
that is counted.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cardtable.client import Client
from cardtable.server import clock
from cardtable.server.rooms import room as rooms
from cardtable.server.store import listing
from cardtable.table import LiveTable, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.decide import why_not
from tests.server.test_server import answers, play
from tests.support.server.clients import raw
from tests.support.server.live import Driven
from tests.support.server.served import Served, served
from tests.support.waiting import eventually
from tests.table.tables import acting, moved, picture, refused, turn_of, two

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


# Why a card may not be played


def test_why_is_what_the_move_would_be_answered_and_nothing_is_done() -> None:
    t = two()
    me, other = acting(t)
    view = projection.view_seen(t.table, t.table.viewer_of(me))
    assert view
    version, legal = t.table.version, view.legal
    illegal = [card for card in view.hand if card not in legal]
    assert illegal
    for move in (*illegal, "nonsense"):
        answer = why_not(t.table, me, move)
        assert answer
        assert answer == t.move(me, move)
    assert why_not(t.table, me, illegal[0]).rule  # type: ignore[union-attr]
    assert [why_not(t.table, me, move) for move in legal] == [None] * len(legal)
    assert refused(why_not(t.table, other, legal[0])) == "move/turn"
    assert refused(why_not(t.table, "a stranger", legal[0])) == "table/seat"
    assert t.table.version == version


async def test_reasons_come_over_the_socket_but_not_too_many(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", why_rate=(2, 3600.0)) as server:
        async with Client(server.url) as ann:
            made = await ann.make("fan-tan", seats=3, bots=["", "medium", "medium"])
            async with ann.table(made["id"]) as a:
                await a.until(lambda: bool(a.legal))
                assert a.view
                hand, legal, version, seq = a.view["hand"], a.legal, a.version, a.table["seq"]
                socket = await raw(server, ann.token)
                await socket.send('{"type": "why", "moves": ["7H"]}')
                assert "message/hello" in await socket.recv()
                await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
                for _ in range(3):
                    await socket.send(json.dumps({"type": "why", "moves": hand}))
                heard = [json.loads(await socket.recv()) for _ in range(5)]
                (enough,) = (message for message in heard if message["type"] == "refused")
                reasons, again = (message for message in heard if message["type"] == "because")
                assert reasons == again
                assert (reasons["type"], reasons["version"]) == ("because", version)
                assert set(reasons["reasons"]) == set(hand) - set(legal)
                assert all(reason["why"] and reason["rule"].startswith("FT-") for reason in reasons["reasons"].values())
                assert enough["code"] == "message/rate"
                (broken,) = await answers(socket, {"type": "why", "moves": ["7H"] * 41})
                assert broken["code"] == "message/syntax"
                assert (a.version, a.table["seq"]) == (version, seq), "nobody heard of it, and it was no command"
                await socket.close()


async def test_a_fault_in_a_games_words_is_an_answer_and_harms_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: Any) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr(rooms, "why_not", faulty)
    with served(tmp_path / "t.db") as server:
        async with Client(server.url) as ann:
            made = await ann.make("fan-tan", seats=3, bots=["", "medium", "medium"])
            async with ann.table(made["id"]) as a:
                await a.until(lambda: bool(a.legal))
                socket = await raw(server, ann.token)
                await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
                await socket.send('{"type": "why", "moves": ["7H"]}')
                while (data := json.loads(await socket.recv()))["type"] == "table":
                    pass
                assert data["reasons"]["7H"]["why"] == {"says": "a fault in Cardtable itself"}
                await a.move(a.legal[0])
                await socket.close()


def test_what_is_no_card_of_the_game_is_refused_as_such() -> None:
    t = Driven("cassino", "ab", seats=2)
    assert t.table.match
    for move in ("X1", "X1 takes 7H", "trail X1"):
        assert refused(why_not(t.table, "ab"[t.table.match.actors[0]], move)) == "move/syntax"


# More time


def test_more_time_is_as_long_again_and_once_a_turn() -> None:
    t = two(clock="brisk")
    me, other = acting(t)
    start = t.table.deadline
    may = [projection.may(t.table, t.table.viewer_of(owner), False) for owner in (me, other)]
    assert ["more" in one for one in may] == [True, False]
    assert refused(t.ask(other, cm.More)) == "move/turn"
    assert t.ask(me, cm.More) is None
    assert (t.table.deadline, t.table.span) == (start + 15_000, 30_000)
    assert refused(t.ask(me, cm.More)) == "table/clock"
    assert "more" not in projection.may(t.table, t.table.viewer_of(me), False)
    t.wait(20)
    assert t.move(me, t.advised(t.table.seat_of(me) or 0)) is None, "a word about time does not make a move stale"
    assert t.table.span == 15_000
    assert picture(LiveTable.fold(t.log)) == picture(t.table)
    me, _ = acting(t)
    assert t.ask(me, cm.More) is None
    t.runs_out(30)


def test_without_a_clock_there_is_no_more_time() -> None:
    t = two()
    me, _ = acting(t)
    assert refused(t.ask(me, cm.More)) == "table/clock"
    t = Driven("i-doubt-it", "abc", seats=3, window=20)
    for _ in range(200):
        if t.table.answering:
            break
        t.step()
    assert t.table.deadline
    seat = t.table.bot_seats() or t.table.match.actors  # type: ignore[union-attr]
    assert refused(t.ask("abc"[seat[0]], cm.More)) == "table/clock", "a window in which all answer is no turn"


def test_where_several_choose_nobody_learns_who_took_more_time() -> None:
    t = Driven("i-doubt-it", "abc", seats=3, clock="brisk", options={"doubt_mode": "simultaneous"})
    for _ in range(200):
        if len(t.table.actors_seen(t.table.spectator)) > 1:
            break
        t.step()
    assert t.table.match
    seat = t.table.match.actors[0]
    assert t.ask("abc"[seat], cm.More) is None
    for viewer in range(4):
        last = projection.happening_seen(t.table, t.table.happenings[-1], viewer)
        assert (last.kind, last.seat) == ("more-time", seat if viewer == seat else None)


# What can be used


def test_taking_back_is_offered_when_there_is_something_to_take_back() -> None:
    def offered(owner: str) -> bool:
        return "undo" in projection.may(t.table, t.table.viewer_of(owner), False)

    t = two()
    assert not offered("a")
    assert not offered("b")
    me, other = moved(t)
    assert offered(me)
    assert not offered(other)
    t.play("between")
    assert not offered(me), "the deal is over for two"
    t = Driven(people="a", seats=3, bots=("", "medium", "medium"))
    t.play("between")
    assert offered("a"), "alone against bots also the end of a deal is taken back"
    assert t.ask("a", cm.Undo) is None


# Who is gone


def test_a_seat_tells_since_when_its_owner_is_gone() -> None:
    t = Driven(people="abc", seats=3)
    t.wait(5)
    assert t.ask("b", cm.Leave) is None
    assert projection.seat_seen(t.table, 1, ("a",)).left == t.now
    assert picture(LiveTable.fold(t.log)) == picture(t.table)
    t.returns("b")
    assert projection.seat_seen(t.table, 1, ("a", "b")).left == 0


ABSENCE = 600.0  #: seconds that nobody waits for: the timers are let go by hand


async def absent(server: Served, table: str, owners: int) -> None:
    """Wait until the server waits for a number of people of a table; then let the time be over that it waits for
    them."""
    room = server.app.hall.rooms[table]

    def let_go() -> None:
        for owner, timer in room._absences.items():
            timer.cancel()
            room.post(partial(room._gone, owner))

    await eventually(lambda: len(room._absences) >= owners)
    server.loop.call_soon_threadsafe(let_go)
    await eventually(lambda: not room._absences)


async def test_a_lost_connection_counts_down_also_for_who_comes_later(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", absence=ABSENCE) as server:
        async with Client(server.url) as ann, Client(server.url) as ben:
            made = await ann.make("fan-tan", name="Ann", seats=2, preset="british")
            async with ann.table(made["id"]) as a:
                async with ben.table(made["id"]) as b:
                    await b.sit("Ben")
                    await a.until(lambda: a.stage == "playing")
                    assert [seat["leaves"] for seat in a.table["seats"]] == [0, 0]
                    began = clock.now()
                await a.until(lambda: not a.table["seats"][1]["online"])
                assert began <= a.table["seats"][1]["leaves"] - 1000 * ABSENCE <= clock.now()
                await absent(server, made["id"], 1)
                await a.until(lambda: a.table["seats"][1]["left"] > 0)
                assert a.table["seats"][1]["leaves"] == 0
                assert "choose" in a.table["may"]
                async with ben.table(made["id"]):
                    await a.until(lambda: a.table["seats"][1]["present"])
            await absent(server, made["id"], 2)  # both are gone, and nobody looked: nobody has left
            async with ann.table(made["id"]) as a:
                assert a.table["seats"][1]["present"]
                await absent(server, made["id"], 1)
                await a.until(lambda: a.table["seats"][1]["left"] > 0)


# The pace of bots


@pytest.mark.parametrize(
    ("speed", "people", "factor"),
    [("normal", 1, 1.0), ("slow", 1, 1.8), ("fast", 1, 0.5), ("instant", 1, 0.0), ("instant", 2, 1.0)],
)
async def test_bots_follow_the_pace_of_one_who_plays_alone(
    tmp_path: Path, speed: str, people: int, factor: float
) -> None:
    with served(tmp_path / "t.db", bot_pace=0.4) as server:
        async with Client(server.url) as ann, Client(server.url) as ben:
            made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "" if people == 2 else "medium", "medium"])
            async with ann.table(made["id"]) as a:
                socket = await raw(server, ann.token)
                await answers(socket, {"type": "hello", "table": made["id"]})
                await socket.send(json.dumps({"type": "pace", "speed": speed}))
                stranger = await raw(server, ben.token)  # a spectator has no say
                await answers(stranger, {"type": "hello", "table": made["id"]})
                await stranger.send('{"type": "pace", "speed": "instant"}')
                if people == 2:
                    async with ben.table(made["id"]) as b:
                        await b.sit("Ben")
                await a.until(lambda: a.stage == "playing")
                for one in (socket, stranger):  # what they said before is done when this is answered
                    await one.send('{"type": "say", "seq": 1, "text": ""}')
                    while json.loads(await one.recv())["type"] not in ("done", "refused"):
                        pass
                pace = server.app.hall.rooms[made["id"]]._pace(0)
                await socket.close()
                await stranger.close()
                assert pace == pytest.approx(0.4 * factor)


async def test_at_an_instant_pace_bots_do_not_wait(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", bot_pace=600.0) as server:
        async with Client(server.url) as ann:
            made = await ann.make("busca", name="Ann", seats=3)
            async with ann.table(made["id"]) as a:
                await a.until(lambda: "start" in a.table["may"] and a.seat is not None)
                socket = await raw(server, ann.token)
                await socket.send(json.dumps({"type": "hello", "table": made["id"]}))
                await socket.send('{"type": "pace", "speed": "instant"}')
                await socket.send('{"type": "ping"}')
                while "pong" not in await socket.recv():
                    pass
                await a.command("start")
                moves = await play(a, most=4)
            await socket.close()
            assert moves == 4


# Help is counted


def test_help_is_counted_for_the_seat_that_took_it() -> None:
    t = Driven("busca", "ab", bots=("", "", "medium"), seats=3)
    hinted = t.table.numbers.copy()
    t.happen(ev.Hinted(0))
    assert t.table.numbers == hinted, "nobody is told"
    assert [place.hints for place in t.table.places] == [1, 0, 0]
    turn_of(t, 1)
    assert t.move("b", t.advised(1)) is None
    assert t.ask("b", cm.Undo) is None
    assert t.ask("a", cm.AnswerUndo, yes=True) is None
    assert [place.undone for place in t.table.places] == [0, 1, 0]
    assert t.ask("a", cm.Resign) is None
    finished = listing.finished_of(LiveTable.fold(t.log[:-1]), 9)
    assert [(player.undone, player.hints) for player in finished.players] == [(0, 1), (1, 0), (0, 0)]
    for owner in "ab":
        assert t.ask(owner, cm.GetReady) is None
    assert t.table.stage == "playing"
    assert [(place.undone, place.hints) for place in t.table.places] == [(0, 0)] * 3


@pytest.mark.usefixtures("plainly")
async def test_wins_are_told_apart_by_the_help_that_was_taken(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as server:
        async with Client(server.url) as ann:
            made = await ann.make("busca", name="Ann", seats=3, bots=["", "medium", "medium"])
            async with ann.table(made["id"]) as a:
                await a.until(lambda: bool(a.legal))
                await a.hint()
                await play(a)
            await ann.make("busca")
            (row,) = (await ann.get("/api/statistics"))["games"]
            assert row["matches"] == 1
            assert (row["clean"], row["undone"], row["hinted"]) == (0, 0, row["won"])
