"""The memory of a live table stays small, and what is packed away comes back as it was."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, bot
from cardtable.match.history import PlayedMove
from cardtable.server.net.connections import Socket
from cardtable.server.net.mailbox import Mailbox
from tests.support.commands import ROOT
from tests.support.effort import cases
from tests.support.server.clients import new_table
from tests.support.server.served import served
from tests.support.waiting import eventually

KIB = 1024


def folded(game: str, *moves: int, tables: int) -> list[tuple[int, list[tuple[str, int]]]]:
    """The bytes of a table after some numbers of moves, and which lines hold the most. In a separate process, because
    the servers of other tests allocate in this one.
    """
    code = (
        "import json, sys, memory; game, tables, *moves = json.loads(sys.argv[1]);"
        "found = [memory.folded(game, number, tables=tables) for number in moves];"
        "print(json.dumps([(size, holders.most_common(10)) for size, holders in found]))"
    )
    paths = os.pathsep.join([str(ROOT), str(ROOT / "bench"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps([game, tables, *moves])],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[tuple[int, list[tuple[str, int]]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("game", "most"),
    cases([("fan-tan", 27 * KIB), ("spider", 30 * KIB), ("cassino", 27 * KIB), ("thirty-one", 28 * KIB)]),
)
def test_a_table_after_thirty_moves_is_small(game: str, most: int) -> None:
    (size, holders), *_ = folded(game, 30, tables=2)
    assert size < most, holders


def test_a_table_does_not_grow_with_its_deals_by_more_than_their_moves() -> None:
    (one, _), (many, holders) = folded("thirty-one", 30, 200, tables=1)
    assert many - one < 5 * KIB, holders


async def test_a_room_keeps_no_views_when_it_has_nothing_to_do(tmp_path: Path) -> None:
    with served(tmp_path / "memory.db") as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (seat,):
            async for _ in seat.states():
                if seat.legal:
                    break
            table = server.app.hall.rooms[seat.name].table
            await eventually(lambda: not any(table.views._made))
            await seat.command("say", text="hello")
            async for _ in seat.states():
                if seat.table["chat"]:
                    break
            assert seat.legal, "the views are made again for what is sent later"


def test_matches_share_their_events_and_what_is_sent_of_them() -> None:
    one, other = (Match("fan-tan", 4, seed=7) for _ in range(2))
    assert one.events
    assert all(a is b for a, b in zip(one.events, other.events, strict=True))
    seen = [event.seen_by(None).data for event in one.events]
    assert all(event.seen_by(None).data is each for event, each in zip(other.events, seen, strict=True))


def test_a_hidden_card_is_hidden_from_all_others_and_shown_to_its_seat() -> None:
    m, medium = Match("crazy-eights", 4, seed=3), bot("random", 3)
    while not (drawn := [event for event in m.events if event.viewer is not None and event.card]):
        m.play(medium.choose(m.view(m.actors[0])))
    event = drawn[0]
    mine, other = event.viewer, (event.viewer or 0) + 1
    for _ in range(2):
        assert event.seen_by(mine).data.card == event.card
        assert event.seen_by(other).data.card is None
        assert event.seen_by(None).data.card is None


def test_the_acts_of_a_deal_are_a_list_to_read() -> None:
    m = Match("fan-tan", 4, seed=7)
    for _ in range(6):
        m.play(m.legal()[0])
    acts = m.deals[-1].acts
    each = list(acts)
    assert each == [acts[i] for i in range(len(acts))]
    assert acts == each
    assert acts[-1] == each[-1]
    assert acts[2:5] == each[2:5]
    assert [act.number for act in acts] == list(range(1, len(acts) + 1))
    assert all(isinstance(act, PlayedMove) and act.deal == 1 for act in acts)
    with pytest.raises(IndexError):
        acts[len(acts)]
    m.undo()
    assert m.deals[-1].acts == each[: len(m.deals[-1].acts)]


def test_the_start_of_a_deal_is_a_copy_that_comes_back_as_it_was() -> None:
    m = Match("oh-hell", 4, seed=7)
    before = m.deals[-1].start
    first = m.snapshot().tobytes()
    before.pot = 1000
    m.play(m.legal()[0])
    m.undo()
    assert m.deals[-1].start.tobytes() == first
    assert m.snapshot().tobytes() == first


async def test_a_mailbox_gives_everything_in_order_and_loses_nothing_when_its_reader_is_cancelled() -> None:
    box: Mailbox[int] = Mailbox()
    assert box.empty()
    reader = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    box.put_nowait(1)
    reader.cancel()  # after something came, and before it was taken
    await asyncio.gather(reader, return_exceptions=True)
    box.put_nowait(2)
    assert len(box) == 2
    assert [await box.get(), box.get_nowait()] == [1, 2]
    reader = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    box.put_nowait(3)
    assert await reader == 3
    assert box.empty()


async def test_an_open_socket_keeps_neither_its_headers_nor_the_layers_around_it(tmp_path: Path) -> None:
    with served(tmp_path / "memory.db") as server:
        async with new_table(server.url, "fan-tan", seats=2, bots=["", "medium"]) as (seat,):
            await seat.command("say", text="hello")
            state = server._server.server_state
            line = next(line for line in state.connections if isinstance(line, Socket))
            assert not line.scope["headers"]
            assert not line.request.headers
            frames = [name for task in state.tasks for name in layers(task)]
            assert any("sockets" in name for name in frames)
            assert not any("starlette/routing" in name or "guard" in name for name in frames), frames


def layers(task: asyncio.Task[None]) -> Iterator[str]:
    """The files of the coroutines that a task is in."""
    waiting: Any = task.get_coro()
    while waiting is not None and hasattr(waiting, "cr_code"):
        yield waiting.cr_code.co_filename
        waiting = waiting.cr_await
