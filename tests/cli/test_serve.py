"""`cardtable`, `cardtable serve` and `cardtable verify` as a person at a terminal meets them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtable.cli.commands import serve as cli_serve
from cardtable.server.net import listening
from cardtable.server.store import database
from cardtable.table import commands as cm
from cardtable.table.archive import record_of
from tests.support.commands import ROOT, attentive, call, leave_process_alone, run, surroundings
from tests.support.programs import needs
from tests.support.server.live import Driven
from tests.support.server.served import served
from tests.support.terminal import Terminal
from tests.support.waiting import until

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@contextlib.contextmanager
def terminal(**more: str) -> Iterator[Terminal]:
    """`cardtable` at a terminal, until the context ends."""
    at = Terminal(**more)
    try:
        yield at
    finally:
        at.process.kill()
        at.close()


def address_at(terminal: Terminal, rest: str) -> str:
    """The address shown at a terminal, with the rest of its line."""
    match = re.search(r"Cardtable is at (\S+)  ", terminal.until(rest))
    assert match, terminal.told
    return match[1]


def opened(tmp_path: Path) -> list[str]:
    """The addresses that the browser was sent to, when there is one."""
    note = tmp_path / "opened"
    until(lambda: note.exists() and note.read_text(), "no browser was opened")
    return note.read_text().split()


@contextlib.contextmanager
def process(*command: str, **more: str) -> Iterator[Any]:
    """A command without a terminal: nothing to read, a pipe to write into."""
    running = subprocess.Popen(
        command,
        cwd=ROOT,
        env=surroundings(**more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=attentive,
    )
    try:
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)  # make and what it started
        running.wait()
        if running.stdout:
            running.stdout.close()


def address_in(running: Any) -> tuple[str, str]:
    """The address shown by a process without a terminal, and its earlier output."""
    output = ""
    while not (match := re.search(r"Cardtable is at (\S+)", output)):
        line = running.stdout.readline()
        assert line, output
        output += line
    return match[1], output


def free_ports() -> int:
    """A free port whose successor is also free; below the ports that the system gives out."""
    for first in random.sample(range(20_000, 30_000, 2), 1000):
        with (
            contextlib.suppress(OSError),
            socket.create_server(("127.0.0.1", first)),
            socket.create_server(("127.0.0.1", first + 1)),
        ):
            return first
    raise AssertionError("no port is free")


def page_at(address: str) -> str:
    """The page there: it must answer at once."""
    with urllib.request.urlopen(address, timeout=90) as page:
        return str(page.read().decode())


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """Data, port and browser of a separate server; the browser notes its target."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o755)
    return {"CARDTABLE_DATA": str(tmp_path / "data"), "CARDTABLE_PORT": str(free_ports()), "BROWSER": str(browser)}


@needs("make")
def test_make_play_answers_without_a_terminal(places: dict[str, str], tmp_path: Path) -> None:
    """As in a container, under nohup, or at an editor's button; with the virtual environment of this test, so that
    nothing is installed.
    """
    if not (Path(sys.prefix) / "bin" / "cardtable").exists():
        pytest.skip("Cardtable is not installed in a virtual environment")
    with process("make", f"--old-file={sys.prefix}/.play", f"VENV={sys.prefix}", "play", **places) as running:
        address, output = address_in(running)
        assert output.endswith(f"Cardtable is at {address}  (Ctrl-C stops it; tables are kept)\n")
        assert address == f"http://127.0.0.1:{places['CARDTABLE_PORT']}/"
        assert "<title>Cardtable</title>" in page_at(address)  # at the first asking
        assert (tmp_path / "data" / "cardtable.db").exists()
        os.killpg(running.pid, signal.SIGTERM)
        running.stdout.read()
    assert not (tmp_path / "opened").exists()  # a browser is for somebody at a terminal


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_server_ends_in_order(sign: signal.Signals, code: int, places: dict[str, str]) -> None:
    with process(sys.executable, "-m", "cardtable", **places) as running:
        address_in(running)
        running.send_signal(sign)
        rest = running.stdout.read()
        assert running.wait(90) == code
    assert "Traceback" not in rest
    assert not (Path(places["CARDTABLE_DATA"]) / "cardtable.db-wal").exists()  # the database was closed


def test_one_process_is_not_replaced(places: dict[str, str]) -> None:
    """SIGUSR1 is for several processes; a single one continues, and prints the alternative."""
    with process(sys.executable, "-m", "cardtable", **places) as running:
        address, _ = address_in(running)
        running.send_signal(signal.SIGUSR1)
        assert "<title>Cardtable</title>" in page_at(address)
        running.send_signal(signal.SIGTERM)
        rest = running.stdout.read()
        assert running.wait(90) == 0
    assert "restart the server" in rest


def test_cardtable_alone_opens_the_table_in_a_browser(tmp_path: Path, places: dict[str, str]) -> None:
    with terminal(**places) as at:
        address = address_at(at, "(Ctrl-C stops it")
        assert opened(tmp_path) == [address]
        assert "<title>Cardtable</title>" in page_at(address)
        (tmp_path / "opened").unlink()
        with terminal(**places) as second:  # it is running already: that one is shown
            assert address_at(second, "(it was running already)") == address
            assert opened(tmp_path) == [address]
            assert second.process.wait(90) == 0
        done = run(code=0, **places)  # without a terminal too, but no browser
        assert done.stdout == f"Cardtable is at {address}  (it was running already)\n"
        assert opened(tmp_path) == [address]
        at.process.send_signal(signal.SIGINT)
        assert at.process.wait(90) == 130


def test_a_port_that_is_taken(places: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    first = int(places["CARDTABLE_PORT"])
    with socket.create_server(("127.0.0.1", first)) as other:
        other.settimeout(0.0)
        with process(sys.executable, "-m", "cardtable", **places) as running:
            address, _ = address_in(running)
            assert address == f"http://127.0.0.1:{first + 1}/"
            assert (
                running.stdout.readline() == f"Port {first} is taken by another program: this is the next free one.\n"
            )
        code, _, output = call(capsys, "serve", "--port", str(first))  # named, it is this one or none
        assert code == 3
        assert (
            output
            == f"Error: port {first}: another program uses it. Name another --port, or leave it out for the next free "
            "one\n"
        )


@pytest.mark.parametrize(
    ("named", "system", "may"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "a 1 b 2"}, "darwin", False),
        ({"SSH_CONNECTION": "a 1 b 2"}, "linux", False),
        ({"SSH_CONNECTION": "a 1 b 2", "DISPLAY": "localhost:10.0"}, "linux", True),
        ({}, "win32", True),
    ],
)
def test_where_a_browser_may_be_opened(
    named: dict[str, str], system: str, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(cli_serve, "at_terminal", lambda: True)
    assert cli_serve.may_open() == may
    monkeypatch.setattr(cli_serve, "at_terminal", lambda: False)
    assert not cli_serve.may_open()


def test_without_a_display_nothing_is_opened(places: dict[str, str]) -> None:
    with terminal(**places | {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}) as at:
        address = address_at(at, "(Ctrl-C stops it")
        assert "<title>Cardtable</title>" in page_at(address)


def test_everywhere_is_told_as_addresses_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_outside", lambda family: "fd00::5" if family == socket.AF_INET6 else "192.168.1.5")
    with contextlib.closing(listening.listen("0.0.0.0", 0)) as bound:
        port = bound.getsockname()[1]
        assert listening.addresses(bound) == [f"http://192.168.1.5:{port}/", f"http://127.0.0.1:{port}/"]
    with contextlib.closing(listening.listen("localhost", 0)) as bound:
        assert listening.addresses(bound)[0].startswith(("http://127.0.0.1:", "http://[::1]:"))
    if socket.has_ipv6:
        with contextlib.suppress(OSError), contextlib.closing(listening.listen("::", 0)) as bound:
            port = bound.getsockname()[1]
            assert listening.addresses(bound) == [f"http://[fd00::5]:{port}/", f"http://[::1]:{port}/"]
    monkeypatch.setattr(listening, "_outside", lambda family: "")  # no network
    with contextlib.closing(listening.listen("0.0.0.0", 0)) as bound:
        assert listening.addresses(bound) == [f"http://127.0.0.1:{bound.getsockname()[1]}/"]


def test_a_bad_data_directory_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    data = tmp_path / "file" / "below"  # no directory can be made there, not even by root
    leave_process_alone(monkeypatch)
    monkeypatch.setenv("CARDTABLE_DATA", str(data))
    code, _, output = call(capsys, "serve", "--port", "0")
    assert code == 3
    assert output == f"Error: keeping tables in {data}: Not a directory. Name another directory with CARDTABLE_DATA\n"


def test_two_servers_do_not_share_an_sqlite_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would see half of the requests, under any name of the file. After the first one has ended, another may
    serve.
    """
    leave_process_alone(monkeypatch)
    file, other = tmp_path / "tables.db", tmp_path / "another name"
    other.symlink_to(file)
    with database.alone(f"sqlite:///{file}"):
        for name in (file, other):
            code, _, output = call(capsys, "serve", "--port", "0", "--database", f"sqlite:///{name}")
            assert code == 3
            why = f"process {os.getpid()} serves it already: stop that one, or serve another database"
            assert output.startswith(f"Error: the database {name}: {why}")
        with database.alone(f"sqlite:///{tmp_path / 'b.db'}"), database.alone("sqlite:///:memory:"):
            pass
        with database.alone("postgresql+psycopg://host/b"), database.alone("postgresql+psycopg://host/b"):
            pass
    with database.alone(f"sqlite:///{other}"):
        assert (tmp_path / "tables.db.server").read_text() == f"{os.getpid()}\n"


def test_help_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "--help")
    assert code == 0
    assert "Usage: cardtable" in out
    assert "serve" in out


def test_what_is_no_cardtable_is_not_taken_for_one(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as running:
        assert listening.is_cardtable(running.url + "/")
    assert not listening.is_cardtable(running.url + "/")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--port", "0", "--database", "nonsense"], "heck --database"),
        (["--port", "0", "--host", "256.1.1.1"], "another --host"),
        (["--port", "0", "--host", "a" * 70], "it is not the name of a host"),
        (["--host", "a..b"], "it is not the name of a host"),
        (["--port", "0", "--database", "sqlite:////no/such/place/x.db"], "heck --database"),
        (["--port", "70000"], "70000"),
    ],
)
def test_what_cannot_be_served_is_told(
    words: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_process_alone(monkeypatch)
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path))
    code, _, output = call(capsys, "serve", *words)
    assert code in (2, 3)
    assert why in output


def test_verify_checks_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    t = Driven("busca", "a", seats=3, bots=("", "medium", "medium"))
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
