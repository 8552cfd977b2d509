"""A server killed at random moments loses nothing that it acknowledged (bench/crash.py has the big run)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import crash
import pytest


@pytest.mark.exhaustive
def test_kill_minus_nine_loses_nothing(tmp_path: Path) -> None:
    tables = 3
    # on a slow machine it is killed more often before so many moves are made
    outcome = asyncio.run(
        asyncio.wait_for(
            crash.run(tables=tables, kills=2, directory=tmp_path, every=(0.0, 0.1), most=10, least=2 * tables), 300
        )
    )
    assert outcome.kills >= 2
    assert outcome.acknowledged >= 2 * tables
    assert (outcome.lost, outcome.doubled, outcome.unfinished, outcome.disagreeing) == (0, 0, 0, 0), outcome
    assert outcome.connections > 2 * tables
