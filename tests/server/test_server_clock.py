"""The server's time: a wall clock that jumps changes no turn, and a log of a later time is gone on with at once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from cardtable.client import Client
from cardtable.server import clock
from tests.support.server.served import served

HOUR = 3600.0
PATIENCE = 300.0  #: seconds that a slow machine may need for a move: much less than an hour


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_wall_clock_that_jumps_changes_nothing(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    before = clock.now()
    real = time.time
    assert abs(before - 1000 * real()) < 60_000
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    assert 0 <= clock.now() - before < 1000 * HOUR / 2


def test_the_time_goes_on() -> None:
    """Never back, and with the steady clock."""
    times = [clock.now() for _ in range(1000)]
    assert times == sorted(times)
    before, here = time.monotonic(), clock.now()
    began = time.monotonic()
    while time.monotonic() < began + 0.005:
        pass
    ended = time.monotonic()
    passed, after = clock.now() - here, time.monotonic()
    assert 1000 * (ended - began) - 1 <= passed <= 1000 * (after - before) + 1


def test_nothing_else_reads_the_wall_clock() -> None:
    for folder in ("server", "table"):
        for path in (Path(clock.__file__).parent.parent / folder).rglob("*.py"):
            assert path.name == "clock.py" or "time.time()" not in path.read_text("utf-8"), path


def test_a_match_goes_on_though_the_wall_clock_was_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour back, while the server was down: forced moves, deals and bots do not wait for an hour."""

    async def play(url: str, token: str, table: str, most: int) -> str:
        async with Client(url, token=token) as ann, ann.table(table) as seat:
            for _ in range(most):
                await asyncio.wait_for(
                    seat.until(lambda: bool(seat.legal) or seat.stage not in ("shuffling", "playing")), PATIENCE
                )
                if seat.stage == "over":
                    break
                if seat.stage == "between":
                    await seat.command("ready")
                    await asyncio.wait_for(seat.until(lambda: seat.stage != "between"), PATIENCE)
                else:
                    await seat.move(seat.legal[0])
            return str(seat.stage)

    async def begin(url: str) -> tuple[str, str]:
        async with Client(url) as ann:
            made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "medium", "medium"], options={"deals": 2})
            return ann.token, made["id"]

    with monkeypatch.context() as patch:
        patch.setattr(clock, "_ZERO", clock._ZERO + HOUR)
        with served(tmp_path / "t.db", beat=0.01) as server:
            token, table = asyncio.run(begin(server.url))
            assert asyncio.run(play(server.url, token, table, 3)) == "playing"
    with served(tmp_path / "t.db", beat=0.01) as server:
        assert asyncio.run(play(server.url, token, table, 200)) == "over"
