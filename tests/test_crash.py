"""A server killed at random moments loses nothing that it acknowledged (bench/crash.py has the big run)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import crash
import pytest


@pytest.mark.exhaustive
def test_kill_minus_nine_loses_nothing(tmp_path: Path) -> None:
    outcome = asyncio.run(
        asyncio.wait_for(crash.run(tables=6, kills=4, directory=tmp_path, every=(0.3, 1.2), most=25), 90)
    )
    assert outcome.kills >= 2
    assert outcome.acknowledged > 6 * 25
    assert (outcome.lost, outcome.doubled, outcome.unfinished, outcome.disagreeing) == (0, 0, 0, 0), outcome
    assert outcome.connections > 12
