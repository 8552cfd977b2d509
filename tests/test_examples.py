"""The examples run, at small sizes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT, surroundings
from served import served

EXAMPLES = ROOT / "examples"
#: What an example is called with, and what it prints then.
SCRIPTS = {
    "house_rule.py": ("40", r"(?s)one .*group .*any "),
    "own_bot.py": ("1", r"1 matches from each seat: [+-]\d"),
    "play_match.py": ("2", r"(?s)deal 1: seat 0: .*deal 2: .*scores \("),
    "review_record.py": ("100", r"(?s)is (best|good|inaccuracy|mistake|blunder).*average loss"),
    "set_up_position.py": ("20", r"(?s)may play: 8S, QD.*KD: .*FT-25.*<- best.*winner: seat \d"),
}


def told(script: str, argument: str) -> str:
    """What an example prints."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / script, argument],
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS)
def test_example_runs(script: str) -> None:
    argument, printed = SCRIPTS[script]
    assert re.search(printed, told(script, argument))


def test_client_plays_at_a_server(tmp_path: Path) -> None:
    with served(tmp_path / "tables.db") as server:
        assert "the table is over" in told("client.py", server.url)


def test_every_example_is_run_and_shown() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    assert scripts == {*SCRIPTS, "client.py"}
    page = (EXAMPLES / "README.md").read_text("utf-8")
    assert set(re.findall(r"```\{literalinclude\} (\S+)", page)) == scripts
