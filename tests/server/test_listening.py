"""Where a server listens besides a port: Unix sockets, and sockets of the service manager, at which a restart refuses
nobody.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import unix_connect

from cardtable.base import platform
from cardtable.cli.admin_requests import OperatorClient, OperatorError
from cardtable.server import one_process
from cardtable.server.net import listening
from cardtable.server.net.listening import ListenError
from cardtable.server.people import admin_token
from tests.support.commands import call, leave_process_alone
from tests.support.server.served import OPERATOR, Served

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@contextlib.contextmanager
def at(bound: socket.socket, file: Path, **settings: Any) -> Iterator[Served]:
    """A server at a bound socket; the socket itself stays open afterwards."""
    one = Served(file, listening=bound.dup(), **settings)
    one.start()
    try:
        yield one
    finally:
        one.stop()


@contextlib.contextmanager
def client(path: Path | str, **headers: str) -> Iterator[httpx.Client]:
    """A client of a server at a Unix socket."""
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://localhost", headers=headers) as c:
        yield c


async def test_a_unix_socket_serves_pages_and_tables(tmp_path: Path) -> None:
    """A client that may open the socket is on this machine, like a proxy that is trusted: it names the player's
    address."""
    path = tmp_path / "http.sock"

    with (
        listening.at_path(str(path)) as bound,
        at(bound, tmp_path / "t.db", proxies=frozenset({"127.0.0.1"}), request_rate=(3, 600.0)) as running,
        client(path) as ours,
    ):
        assert stat.S_ISSOCK(path.stat().st_mode)
        assert listening.addresses(bound) == [f"unix:{path}"]
        assert "<title>Cardtable</title>" in ours.get("/").text
        made = ours.post("/api/tables", json={"game": "fan-tan"}).json()
        cookie = {"Cookie": f"cardtable={running.token()}"}
        told = {"X-Forwarded-For": "198.51.100.7"}
        async with unix_connect(str(path), "ws://localhost/ws", additional_headers=cookie | told) as line:
            await line.send(json.dumps({"type": "hello", "table": made["id"]}))
            assert json.loads(await line.recv())["type"] == "table"
            assert {peer.client for peer in running.app.hall.sockets} == {"198.51.100.7"}
        assert [ours.get("/api/games").status_code for _ in range(5)] == [200] * 5  # this machine is free
        far = {"X-Forwarded-For": "198.51.100.9"}
        assert [ours.get("/api/games", headers=far).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert ours.get("/metrics").status_code == 200
        assert ours.get("/metrics", headers=far).status_code == 403
    assert not path.exists()


def test_the_operator_reaches_a_unix_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_token, "read", lambda path: OPERATOR)
    path = tmp_path / "http.sock"
    with listening.at_path(str(path)) as bound, at(bound, tmp_path / "t.db", prefix="/cards"):
        assert OperatorClient.of(f"unix:{path}:/cards", tmp_path).ask("GET", "/api/admin/tables") == {"tables": []}
    with pytest.raises(OperatorError, match="it does not answer"):
        OperatorClient.of(f"unix:{path}", tmp_path).ask("GET", "/api/admin/tables")


def test_a_socket_that_a_server_left_behind_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "http.sock"
    with platform.local_socket() as dead:
        dead.bind(str(path))
    with listening.at_path(str(path)) as bound:
        bound.listen()
        with pytest.raises(ListenError, match="another program uses it"), listening.at_path(str(path)):
            pass
        path.unlink()
        with listening.at_path(str(path)):  # another one's, which stays when the first ends
            bound.close()
            assert path.exists()


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["--host", "{}/no/such/place"], 3, "No such file or directory"),
        (["--host", "unix:{}/no/such/place"], 3, "No such file or directory"),
        (["--uds", "{}/file"], 3, "there is a file that is not a socket"),
        (["--uds", "{}"], 3, "there is a file that is not a socket"),
        (["--uds", "{}/" + 200 * "x"], 3, "too long"),
        (["--uds", "{}/a", "--port", "8000"], 2, "has no port"),
        (["--host", "{}/a", "--port", "8000"], 2, "has no port"),
        (["--uds", "{}/a", "--host", "::"], 2, "give one of them"),
        (["--uds", ""], 2, "is empty"),
        (["--host", "unix:"], 2, "is empty"),
    ],
)
def test_where_nobody_can_listen_is_told(
    words: list[str], code: int, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("kept")
    found, _, told = call(capsys, "serve", *(word.replace("{}", str(tmp_path)) for word in words))
    assert (found, why in told) == (code, True), told
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("words", [["--host", "{}"], ["--host", "unix:{}"], ["--uds", "{}"], ["--config", "{}.toml"]])
def test_each_way_to_name_a_unix_socket(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_process_alone(monkeypatch)
    path = tmp_path / "s"
    Path(f"{path}.toml").write_text(f'host = "{path}"\nport = 8517\n')

    def serve(bound: socket.socket, database: str, answering: Any, *_: Any) -> None:
        bound.listen()
        answering()
        assert bound.getsockname() == str(path)

    monkeypatch.setattr(one_process, "serve", serve)
    code, out, told = call(capsys, "serve", *(word.replace("{}", str(path)) for word in words))
    assert (code, out) == (0, f"Cardtable is at unix:{path}  (Ctrl-C stops it; tables are kept)\n"), told
    assert not path.exists()


# Sockets of the service manager


def given(monkeypatch: pytest.MonkeyPatch, bound: socket.socket, **told: str) -> dict[str, str]:
    """The environment in which a service manager has passed a socket on."""
    monkeypatch.setattr(listening, "FIRST", bound.dup().detach())
    return {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"} | told


def test_the_server_listens_where_the_service_manager_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the settings say of host and port; no process that it starts takes the socket for its own."""
    leave_process_alone(monkeypatch)
    (tmp_path / "c.toml").write_text('host = "0.0.0.0"\nport = 1\n')

    def serve(bound: socket.socket, database: str, answering: Any, *_: Any) -> None:
        answering()
        assert not bound.get_inheritable()
        assert not {name for name in os.environ if name.startswith("LISTEN_")}

    monkeypatch.setattr(one_process, "serve", serve)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        for name, value in given(monkeypatch, bound, LISTEN_FDNAMES="cardtable.socket").items():
            monkeypatch.setenv(name, value)
        code, out, told = call(capsys, "serve", "--config", str(tmp_path / "c.toml"))
        address = f"http://127.0.0.1:{bound.getsockname()[1]}/"
    assert (code, out) == (0, f"Cardtable is at {address}  (Ctrl-C stops it; tables are kept)\n"), told


def test_sockets_that_are_for_nobody_here(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        for told in ({"LISTEN_PID": "1"}, {"LISTEN_FDS": "0"}, {"LISTEN_PID": ""}, {"LISTEN_FDS": ""}):
            assert listening.passed_on(given(monkeypatch, bound, **told), os.getpid()) is None
        assert listening.passed_on({}, os.getpid()) is None
        for many in ("2", "x"):
            with pytest.raises(ListenError, match="eep one line ListenStream"):
                listening.passed_on(given(monkeypatch, bound, LISTEN_FDS=many), os.getpid())
        with (
            socket.create_connection(bound.getsockname()) as line,
            pytest.raises(ListenError, match="rite ListenStream and Accept=no"),
        ):
            listening.passed_on(given(monkeypatch, line), os.getpid())
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        pytest.raises(ListenError, match="rite ListenStream"),
    ):
        listening.passed_on(given(monkeypatch, datagrams), os.getpid())


@pytest.mark.parametrize("unix", [False, True])
def test_a_restart_refuses_nobody(unix: bool, tmp_path: Path) -> None:
    """A client that comes between two servers at the same socket waits, and is answered by the second."""
    path = tmp_path / "s"
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(
            listening.at_path(str(path)) if unix else contextlib.closing(listening.listen("127.0.0.1", 0))
        )
        with at(kept, tmp_path / "t.db") as first:
            assert first.app.hall.store.fault is None
        line = platform.local_socket() if unix else socket.socket()
        stack.enter_context(line)
        line.settimeout(120)
        line.connect(kept.getsockname())  # nobody serves now
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with at(kept, tmp_path / "t.db"):
            answer = http.client.HTTPResponse(line)
            answer.begin()
            assert (answer.status, answer.read()) == (200, b'{"ok":true}')
