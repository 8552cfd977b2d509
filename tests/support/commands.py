"""The command line as a person or a script meets it, the rules as plain Python so that nothing is compiled: in this
process (`here`), or, where the process itself is tested, in a separate one (`run`), which takes a second to start.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable import cli
from cardtable.base import languages, platform
from cardtable.kernel import Switch, cache
from cardtable.rules import catalog

ROOT = Path(__file__).resolve().parents[2]
DATA = tempfile.TemporaryDirectory(prefix="cardtable-test-")  # where matches are saved
PLAIN = {"CARDTABLE_DATA": DATA.name, "NUMBA_DISABLE_JIT": "1", "PYTHONUTF8": "1", "COLUMNS": "80", "TERM": "dumb"}


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a command; without colours, and without pytest's own terminal."""
    # of a make that runs the tests
    dropped = ("FORCE_COLOR", "CLICOLOR_FORCE", "CARDTABLE_DEBUG", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "ARGS")
    inherited = {name: value for name, value in os.environ.items() if name not in dropped}
    return inherited | PLAIN | more


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
    answer = subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    )
    assert "Traceback" not in answer.stdout + answer.stderr, answer.stderr
    assert code is None or answer.returncode == code, (
        f"exit code {answer.returncode}\n{answer.stdout[-2000:]}\n{answer.stderr[-2000:]}"
    )
    return answer


def leave_process_alone(patch: pytest.MonkeyPatch) -> None:
    """`cardtable serve`, run in this process, must leave its log and its limits as they are."""
    from cardtable.server import logs, serving

    patch.setattr(logs, "set_up", lambda settings: None)
    patch.setattr(serving, "raise_open_files", lambda most: None)


@contextlib.contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Within the context, the packages of a folder are installed in this process; what was found of them is forgotten
    once they are not.
    """

    def forget() -> None:
        for cached in (catalog.games, catalog._names, languages._of_packages, languages.catalogue):
            cached.cache_clear()

    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.syspath_prepend(folder)
            forget()
            yield
    finally:
        forget()


@contextlib.contextmanager
def _as_a_process(given: bytes, more: dict[str, str]) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Within the context, this process has the surroundings, the streams and the plain rules of a command in a
    separate process; what it writes to standard output and error.
    """
    written = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(raw, "utf-8", write_through=True) for raw in (io.BytesIO(given), *written)]
    heard = {number: signal.getsignal(number) for number in platform.ENDING}
    handle, environment = warnings.showwarning, dict(os.environ)
    try:
        with pytest.MonkeyPatch.context() as patched:
            wanted = surroundings(**more)
            os.environ.clear()
            os.environ.update(wanted)
            patched.setattr(tempfile, "tempdir", None)  # it is looked up again: TMPDIR may be another
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                patched.setattr(sys, name, stream)
            patched.setattr(sys, "path", sys.path.copy())
            patched.setattr(Switch, "plain", True)
            patched.setattr(cache, "ready", lambda name: True)
            cli.load()
            for name in ("load", "_translate_click"):  # what they translate stays so
                patched.setattr(cli, name, lambda *_: None)
            yield written
    finally:
        os.environ.clear()
        os.environ.update(environment)
        warnings.showwarning = handle
        languages.use("en")
        for number, handler in heard.items():
            signal.signal(number, handler)


def here(*words: str, given: str | bytes = "", code: int | None = 0, **more: str) -> subprocess.CompletedProcess[str]:
    """As `run`, in this process. The help of commands, and what click says, stay English in every language."""
    with _as_a_process(given.encode() if isinstance(given, str) else given, more) as (out, errors):
        with pytest.raises(SystemExit) as ended:
            cli.main(list(words))
        output = [raw.getvalue().decode(errors="replace") for raw in (out, errors)]
    assert isinstance(ended.value.code, int)
    done = subprocess.CompletedProcess(words, ended.value.code, *output)
    assert code is None or done.returncode == code, (
        f"exit code {done.returncode}\n{output[0][-2000:]}\n{output[1][-2000:]}"
    )
    return done


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """A command run in this process: exit code, standard output and error."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(words))
    output = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, output.out, output.err
