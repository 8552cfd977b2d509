"""`cardtable`, `cardtable serve` and `cardtable verify` as a person at a terminal meets them."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ROOT, call, run, surroundings
from live import Driven
from served import served

from cardtable import server
from cardtable.table import commands as cm
from cardtable.table.archive import record_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Terminal:
    """A command at a terminal: what it wrote so far, and Ctrl-C."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process, self._screen, self.text = process, screen, ""

    def until(self, pattern: str, seconds: float = 60.0) -> str:
        """Read until a pattern comes; its first group."""
        ends = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < ends, self.text
            if select.select([self._screen], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):
                    self.text += os.read(self._screen, 4096).decode(errors="replace")
            assert found or self.process.poll() is None or re.search(pattern, self.text), self.text
        return found[1]


@contextlib.contextmanager
def terminal(tmp_path: Path, *words: str) -> Iterator[Terminal]:
    """`cardtable WORDS` at a terminal. Its browser is a script that notes the address."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o755)
    keyboard, inside = pty.openpty()
    env = surroundings(CARDTABLE_DATA=str(tmp_path / "data"), BROWSER=str(browser))
    process = subprocess.Popen([sys.executable, "-m", "cardtable", *words], cwd=ROOT, env=env, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    try:
        yield Terminal(process, keyboard)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


def opened(tmp_path: Path) -> list[str]:
    """The addresses that the browser was sent to, when there is one."""
    note = tmp_path / "opened"
    ends = time.monotonic() + 20
    while not note.exists():
        assert time.monotonic() < ends, "no browser was opened"
        time.sleep(0.05)
    return note.read_text().split()


def test_cardtable_alone_opens_the_table_in_a_browser(tmp_path: Path) -> None:
    with terminal(tmp_path) as at:
        address = at.until(r"Cardtable is at (http://127\.0\.0\.1:\d+/) ")
        assert opened(tmp_path) == [address]
        with urllib.request.urlopen(address, timeout=20) as page:
            assert "Cardtable" in page.read().decode()
        assert (tmp_path / "data" / "cardtable.db").exists()
        with terminal(tmp_path) as second:  # it is running already, or its port is another's
            assert second.until(r"Cardtable is at (\S+)")
        at.process.send_signal(signal.SIGINT)
        assert at.process.wait(20) in (0, 130)


def test_through_a_pipe_it_tells_what_it_can() -> None:
    told = run(code=None)
    assert "Usage: cardtable" in told.stdout + told.stderr
    assert "serve" in told.stdout + told.stderr


def test_what_is_no_cardtable_is_not_taken_for_one(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as running:
        assert server.is_cardtable(running.url + "/")
    assert not server.is_cardtable(running.url + "/")


@pytest.mark.parametrize(
    ("words", "why"),
    [(["--database", "nonsense"], "heck --database"), (["--database", "sqlite:////no/such/place/x.db"], "heck --database"), (["--port", "70000"], "70000"), (["--host", "256.1.1.1"], "another --port")],
)  # fmt: skip
def test_what_cannot_be_served_is_told(words: list[str], why: str) -> None:
    told = run("serve", *([] if "--port" in words else ["--port", "0"]), *words, code=None)
    assert told.returncode in (2, 3)
    assert why in told.stderr


def test_verify_checks_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    t = Driven("busca", "a", seats=3, bots=("", "simple", "simple"))
    assert t.ask("a", cm.Resign) is None
    file = tmp_path / "match.toml"
    record_of(t.table).save(file)
    code, out, _ = call(capsys, "verify", str(file))
    assert code == 0
    assert t.table.commitment in out
    code, out, _ = call(capsys, "verify", str(file), "--json")
    assert json.loads(out)["commitment"] == t.table.commitment
    file.write_text(file.read_text().replace(t.table.commitment, "0" * 64))
    code, _, err = call(capsys, "verify", str(file))
    assert (code, "o not trust this deal" in err) == (1, True)
    assert call(capsys, "verify", str(tmp_path / "none.toml"))[0] == 3
    file.write_bytes(b"\xff\x00")
    assert call(capsys, "verify", str(file))[0] in (1, 3)
