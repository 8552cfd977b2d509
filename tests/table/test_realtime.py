"""A table at which people play at once: arrival decides, not order; what is held is answered when it is resolved, and
seen by nobody before.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.errors import CardtableError
from cardtable.client import Client, ServerError, TableClient
from cardtable.server.app import build
from cardtable.server.rooms import room
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store
from cardtable.table import LiveTable, Refusal, Setup, fair
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.real_time import DroppedIntent, TableClock
from cardtable.table.setup import checked
from tests.games.pirate.sea import H, run_of
from tests.support.server.live import Driven
from tests.support.server.served import Served, keep, served
from tests.table.tables import Viewer, settled

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
LIVE: dict[str, Any] = {"options": {"form": "live"}}
NEARLY = "A2345789TJQK"  #: hearts but the six


def at_once(wastes: tuple[str, str] = ("6H", "6H"), ranks: str = NEARLY) -> Driven:
    """Two people at a table in real time, in mid-game: hearts are nearly complete."""
    t = Driven("pirate", "ab", **LIVE)
    ships = ["", "", "", ""]
    ships[H] = run_of("H", ranks)
    t.table.match = Match.from_position(
        {"game": "pirate", "ships": ships, "wastes": list(wastes), "options": LIVE["options"]}, seed="sea"
    )
    t.table.match.pause = True
    t.table._look(False)
    return t


class Stage:
    """A room with two people, and a clock that the test turns."""

    def __init__(self, t: Driven, path: Path, patch: pytest.MonkeyPatch) -> None:
        self.now = 2_000_000
        patch.setattr(room, "now", lambda: self.now)
        self.store = Store(f"sqlite:///{path}")
        keep(self.store, t.log)
        self.hall = build(self.store, Settings(bot_pace=0.0)).hall
        self.room: Room = self.hall._enter(t.table, "ABCDEF")
        self.a, self.b = Viewer("a"), Viewer("b")

    async def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.now += milliseconds
        self.room.post(self.room.follow)
        await settled(self.room)


@contextlib.asynccontextmanager
async def staged(t: Driven, path: Path, patch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """Within the context, both people watch."""
    stage = Stage(t, path / "t.db", patch)
    for viewer in (stage.a, stage.b):
        stage.room.hello(viewer, 0)
    await settled(stage.room)
    try:
        yield stage
    finally:
        await stage.room.close()
        stage.hall.thinking.bots.close()
        stage.store.close()


# One arbiter after the other


@pytest.mark.rules("PIL-2", "PI-E9")
@pytest.mark.parametrize(("later", "sunk", "scores"), [(120, 1, (0, 0)), (150, 1, (0, 0)), (151, 0, (1, 0))])
def test_what_arrives_within_the_tie_window_is_at_the_same_moment(
    later: int, sunk: int, scores: tuple[int, int]
) -> None:
    t = at_once()
    assert t.table.match is not None
    arbiter = TableClock(t.table, t.now)
    first, second = ev.Numbered("a", 5, "page"), ev.Numbered("b", 7)
    assert arbiter.intend(0, first, "play", t.now + 1000) == []
    assert arbiter.waits(0)
    assert arbiter.holds(first)
    outcomes = arbiter.intend(1, second, "play", t.now + 1000 + later)
    ticks = [outcome for outcome in outcomes if isinstance(outcome, ev.Ticked)]
    for event in ticks:
        assert arbiter.fits(t.table) == (event is not ticks[0])
        t.happen(event)
    assert arbiter.fits(t.table)
    if sunk:
        assert ticks == [ev.Ticked(("play", "play"), (first, second))]
        assert (t.table.done.last("a", "page"), t.table.done.last("b")) == (5, 7)
    else:
        assert ticks == [ev.Ticked(("play", "wait"), (first,))]
        dropped = outcomes[-1]
        assert isinstance(dropped, DroppedIntent)
        assert (dropped.command, dropped.refusal.code) == (second, "move/illegal")
    assert (int(t.table.match._s.sunk), t.table.match.scores) == (sunk, scores)


def test_a_whole_game_folds_replays_and_proves_itself() -> None:
    """Two who turn and play what fits, now and then at the same time; the log gives the table again, and the record the
    match.
    """
    t = Driven("pirate", "ab", **LIVE)
    arbiter, seq = TableClock(t.table, t.now), 1000
    for step in range(4000):
        if t.table.stage == "over":
            break
        t.now += 160
        assert t.table.match is not None
        outcomes = arbiter.advance(t.now)
        for seat in (0, 1) if step % 3 else (1, 0):
            legal = t.table.match.legal(seat)
            wish = next((move for move in ("claim", "play", "draw") if move in legal), "")
            if wish and not arbiter.waits(seat) and not outcomes:
                seq += 1
                outcomes += arbiter.intend(seat, ev.Numbered("ab"[seat], seq), wish, t.now + seat)
        for outcome in outcomes:
            if isinstance(outcome, ev.Ticked):
                t.happen(outcome)
    assert t.table.stage == "over"
    assert t.table.match is not None
    assert max(t.table.match.scores) >= 4
    again = LiveTable.fold([ev.decode(ev.encode(entry)) for entry in t.log])
    assert (again.numbers, again.done, again.stage) == (t.table.numbers, t.table.done, "over")
    record = record_of(t.table)
    assert fair.verify(str(record))["moves"] == len(t.table.match.moves)


@pytest.mark.rules("PIL-7", "PI-Q15")
def test_who_does_nothing_for_too_long_ends_the_game() -> None:
    t = Driven("pirate", "ab", options={"form": "live", "stall_seconds": 30, "tie_window_ms": 500})
    arbiter = TableClock(t.table, t.now)
    assert arbiter.advance(t.now + 30_000) == []
    (event,) = arbiter.advance(t.now + 30_001)
    assert isinstance(event, ev.Ticked)
    assert event.stalled
    t.happen(event)
    assert t.table.stage == "over"
    fair.verify(str(record_of(t.table)))


def test_what_is_no_intent_is_refused() -> None:
    t = at_once()
    arbiter = TableClock(t.table, t.now)
    codes = [
        outcome.refusal.code
        for move in ("wait", "nonsense", "claim")
        for outcome in arbiter.intend(0, ev.Numbered("a", 1), move, t.now + 1000)
        if isinstance(outcome, DroppedIntent)
    ]
    assert codes == ["move/illegal", "move/syntax", "move/illegal"]
    assert not arbiter.waits(0)
    for answer in (t.move("a", "play"), t.ask("a", cm.Undo)):
        assert isinstance(answer, Refusal)
        assert answer.code in ("table/live", "table/undo")


# In a room


async def test_a_held_intent_is_answered_when_it_is_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with staged(at_once(), tmp_path, monkeypatch) as on:
        on.now += 1000
        on.room.command(on.a, cm.PlayMove(9, "play", 0))
        await settled(on.room)
        on.room.command(on.a, cm.PlayMove(9, "play", 0))  # sent again
        await on.wait(150)
        assert on.a.answers == []
        await on.wait(1)
        assert on.a.answers == ["done 9"]
        on.room.command(on.a, cm.PlayMove(9, "play", 0))
        on.room.command(on.b, cm.PlayMove(9, "play", 0))
        await settled(on.room)
        assert on.a.answers == ["done 9", "done 9"]
        assert on.a.heard[-1]["again"]
        assert on.b.answers == ["refused 9 move/illegal PI-12"]
        log = on.room.table.happenings[-1]
        assert log.kind == "ticked"


async def test_two_tabs_of_one_person_have_numbers_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while a move is held; and another move with its number is none of it."""
    async with staged(at_once(), tmp_path, monkeypatch) as on:
        tab = Viewer("a")
        on.room.hello(tab, 0, "tab")
        on.room.command(tab, cm.Say(1, "here"))
        on.now += 1000
        on.room.command(on.a, cm.PlayMove(9, "play", 0))
        on.room.command(on.a, cm.PlayMove(9, "draw", 0))
        on.room.command(tab, cm.PlayMove(1, "draw", 0))
        on.room.command(tab, cm.PlayMove(9, "claim", 0))
        await settled(on.room)
        assert on.a.answers == ["refused 9 message/number "]
        assert on.a.heard[-1]["next"] == 10
        assert tab.answers[:2] == ["done 1", "refused 1 message/number "]
        await on.wait(151)
        assert on.a.answers[-1] == "done 9"
        assert on.room.table.done.last("a") == 9
        assert on.room.table.done.last("a", "tab") in (1, 9)


async def test_arrival_counts_however_busy_the_room_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came in time waits behind a slow job: it is in time all the same."""
    async with staged(at_once(), tmp_path, monkeypatch) as on:
        on.now += 1000
        on.room.command(on.a, cm.PlayMove(9, "play", 0))
        await settled(on.room)

        async def slow() -> None:
            await on.room.follow()
            on.now += 400

        on.now += 140
        on.room.post(slow)
        on.room.command(on.b, cm.PlayMove(9, "play", 0))
        await settled(on.room)
        assert (on.a.answers, on.b.answers) == (["done 9"], ["done 9"])
        assert on.room.table.match is not None
        assert int(on.room.table.match._s.sunk) == 1


@pytest.mark.parametrize("wish", ["play", "draw"])
async def test_nobody_sees_a_held_intent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    heard = {}
    for intends in (False, True):
        (tmp_path / str(intends)).mkdir(exist_ok=True)
        async with staged(at_once(("6H", wish and "6H")), tmp_path / str(intends), monkeypatch) as on:
            on.now += 1000
            if intends:
                on.room.command(on.a, cm.PlayMove(9, "play", 0))
            on.room.command(on.b, cm.Say(8, "hello"))
            await on.wait(100)
            on.room.hello(on.b, 0)
            on.room.command(on.b, cm.PlayMove(9, "claim", 0))
            on.room.command(on.b, cm.Undo(9))
            on.room.hello(spectator := Viewer("e"), 0)
            await settled(on.room)
            heard[intends] = on.b.heard, spectator.heard, on.a.answers
    assert heard[True] == heard[False]


async def test_a_game_in_real_time_stands_still_while_a_player_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with staged(at_once(("2S", "6H")), tmp_path, monkeypatch) as on:
        on.room.command(on.b, cm.Leave(8))
        on.room.command(on.a, cm.PlayMove(9, "draw", 0))
        await settled(on.room)
        assert on.a.answers == ["refused 9 table/away "]
        assert on.a.heard[-2]["view"]["legal"] == []
        await on.wait(10**6)
        assert on.room.table.stage == "playing"
        on.room.hello(on.b, 0)
        on.room.command(on.a, cm.PlayMove(9, "draw", 0))
        await settled(on.room)
        assert on.a.answers[-1] == "done 9"


def acted(table: TableClient, seat: int) -> bool:
    return any(event["source"] == seat for happening in table.log for event in happening.get("events", []))


async def keep_playing(table: TableClient, most: int, enough: Callable[[], bool] = lambda: True) -> None:
    """Claim, play or turn whenever it is possible; give up after a number of moves, when it is enough."""
    moves = 0
    async for _ in table.states():
        if moves >= most and enough() and table.stage == "playing":
            await table.command("resign")
        while table.legal and table.stage == "playing":
            try:
                await table.move(next(move for move in ("claim", "play", "draw") if move in table.legal))
            except ServerError as error:
                if error.rule == "PIL-5":  # too soon: again
                    continue
                if error.code not in ("move/illegal", "match/over"):
                    raise
            moves += 1
            break


def test_bots_and_people_play_at_once_over_the_wire(tmp_path: Path) -> None:
    async def match(server: Served) -> None:
        quick = {"form": "live", "tie_window_ms": 20, "reveal_ms": 200}
        async with Client(server.url) as ann, Client(server.url) as ben:
            made = await ann.make("pirate", name="Ann", bots=["", "medium"], options=quick)
            async with ann.table(made["id"]) as a:
                await keep_playing(a, 40, lambda: acted(a, 1))
                assert a.table["live"]
                kinds = {happening["kind"] for happening in a.log}
                assert "ticked" in kinds
                assert "moved" not in kinds
                assert acted(a, 1), "the bot acts too"
            made = await ann.make("pirate", name="Ann", bots=["", ""], options=quick)
            async with ann.table(made["id"]) as a, ben.table(made["id"]) as b:
                await b.sit("Ben")
                await asyncio.gather(keep_playing(a, 60), keep_playing(b, 400))
                assert a.view is not None
                assert b.view is not None
                assert a.view["scores"] == b.view["scores"]

    with served(tmp_path / "t.db") as server:
        asyncio.run(asyncio.wait_for(match(server), 300))


# Windows that a clock closes


def test_a_last_set_is_turned_up_without_a_window() -> None:
    """A forced last challenge (DB-Q6) leaves nothing to ask and nothing for the clock to close; the deal is over, or
    goes on.
    """
    t = Driven("i-doubt-it", "ab", seats=3, bots=("", "", ""), window=5, options={"max_set": "unlimited"})
    assert t.ask("c", cm.Sit, name="c") is None
    assert t.table.match is not None
    (seat,) = t.table.match.actors
    while t.table.match.actors == (seat,):  # the whole hand at once
        assert t.move(t.table.places[seat].owner, t.table.match.legal(seat)[0]) is None
    assert not t.table.answering
    assert t.table.deadline == 0
    kinds = [event.kind for event in t.table.happenings[-1].events]
    assert "show" in kinds
    assert "pile" in kinds
    assert t.table.match.actors == ((seat + 1) % 3,), "it was not all aces, so the deal continues"


def test_a_window_closes_by_the_clock() -> None:
    t = Driven("i-doubt-it", "ab", seats=3, bots=("", "", ""), window=5)
    assert t.ask("c", cm.Sit, name="c") is None
    assert t.table.setup.options == {"doubt_mode": "simultaneous"}
    while not t.table.answering:
        t.step()
    assert t.table.match is not None
    (first, second), opened = t.table.match.actors, t.now - 250
    assert t.table.deadline == opened + 5000
    owner = t.table.places[first].owner
    assert t.ask(owner, cm.Say, text="hm") is None
    assert t.move(owner, "doubt") is None
    assert t.table.actors_seen(second) == (first, second), "nobody sees that they have answered"
    assert t.table.deadline == opened + 5000
    t.now = opened
    t.wait(4.999)
    assert t.table.answering
    t.wait(0.001)
    assert not t.table.answering
    moved = [entry.event for entry in t.log if isinstance(entry.event, ev.Moved)][-1]
    assert (moved.move, moved.by, moved.seat) == ("accept", "clock", second)
    assert any(event.kind == "doubt" or "doubt" in event.text for event in t.table.happenings[-1].events)


def test_windows_are_for_doubts_only() -> None:
    for wrong in (
        {"game": "fan-tan", "window": 5},
        {"game": "i-doubt-it", "window": 61},
        {"game": "i-doubt-it", "window": 5, "options": {"doubt_mode": "sequential"}},
    ):
        with pytest.raises(CardtableError):
            checked(Setup(**wrong))  # type: ignore[arg-type]
