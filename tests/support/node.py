"""The browser client's tests that need no browser: Node runs a file of tests/client, with data that Python makes."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.programs import found, require

CLIENT = Path(__file__).resolve().parents[1] / "client"
FILES = sorted(path.name.removesuffix(".test.js") for path in CLIENT.glob("*.test.js"))


def run(name: str, folder: Path, data: Any = None) -> None:
    """Run a file of JavaScript tests, in one process; folder: for its data. If one fails, Node says why."""
    require("Node")
    file = folder / f"{name}.json"
    file.write_bytes(msgspec.json.encode(data))
    done = subprocess.run(
        [str(found("node")), "--test-reporter=spec", str(CLIENT / f"{name}.test.js")],
        env={**os.environ, "CLIENT_DATA": str(file), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    counted = {word: int(n) for word, n in re.findall(r"^\S+ (tests|pass) (\d+)$", done.stdout, re.MULTILINE)}
    if done.returncode or not counted.get("tests") or counted["tests"] != counted["pass"]:
        pytest.fail(f"{name}.test.js:\n{done.stdout}{done.stderr}", pytrace=False)
