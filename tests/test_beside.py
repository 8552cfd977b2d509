"""Attacks disturb nobody who plays (bench/attacks.py has the big run)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attacks
import pytest

BAR = 1000.0  #: milliseconds; other tests run at the same time


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_people_play_on_beside_attacks(tmp_path: Path) -> None:
    told = asyncio.run(attacks.run(list(attacks.ATTACKS), tables=5, seconds=4.0, share=None, directory=tmp_path))
    assert told["closed"] == 0
    for name in attacks.ATTACKS:
        assert told[name]["seen_p99_ms"] < BAR, told
        assert told[name]["bot_most_s"] < attacks.BOT_BAR + BAR / 1000, told
        assert sum(told[name]["answers"].values()) > 1, told
    assert told["hellos"]["answers"]["table"] < 1000
