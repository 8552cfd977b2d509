"""The command line as a person or a script meets it: in a process of its own, the rules as plain Python so that nothing
is compiled.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from cardtable import cli

ROOT = Path(__file__).resolve().parent.parent
DATA = tempfile.TemporaryDirectory(prefix="cardtable-test-")  # where matches are saved
PLAIN = {"CARDTABLE_DATA": DATA.name, "NUMBA_DISABLE_JIT": "1", "PYTHONUTF8": "1", "COLUMNS": "80", "TERM": "dumb"}


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a command; without colours, and without pytest's own terminal."""
    dropped = (
        "FORCE_COLOR",
        "CLICOLOR_FORCE",
        "CARDTABLE_DEBUG",
        "MAKEFLAGS",
        "MAKEOVERRIDES",
        "MFLAGS",
        "ARGS",
    )  # of a make that runs the tests
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | PLAIN | more


def attentive() -> None:
    """Hear Ctrl-C, also when the tests run in the background of a shell, where it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def run(*words: str, given: str | bytes = "", code: int | None = 0, **more: str) -> subprocess.CompletedProcess[str]:
    """What `cardtable WORDS` does with `given` on its standard input; it must end with `code` (None: whatever) and no
    traceback.
    """
    data = given.encode() if isinstance(given, str) else given
    done: Any = subprocess.run(
        [sys.executable, "-m", "cardtable", *words],
        cwd=ROOT,
        env=surroundings(**more),
        input=data,
        capture_output=True,
        timeout=120,
    )
    told = subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    )
    assert "Traceback" not in told.stdout + told.stderr, told.stderr
    assert code is None or told.returncode == code, (
        f"exit code {told.returncode}\n{told.stdout[-2000:]}\n{told.stderr[-2000:]}"
    )
    return told


def leave_process_alone(patch: pytest.MonkeyPatch) -> None:
    """`cardtable serve`, run in this process, shall leave its log and its limits as they are."""
    from cardtable.server import logs, serving

    patch.setattr(logs, "set_up", lambda settings: None)
    patch.setattr(serving, "raise_open_files", lambda most: None)


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """A command run in this process: exit code, standard output and error."""
    with pytest.raises(SystemExit) as left:
        cli.main(list(words))
    told = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, told.out, told.err
