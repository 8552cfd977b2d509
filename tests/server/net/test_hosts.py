"""By which names the server may be reached: a page of another site must not reach it by one of its names (DNS
rebinding).
"""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cardtable.server.configuration import SettingsError, load
from cardtable.server.net.host_names import Hosts
from cardtable.server.settings import Settings
from tests.support.server.served import Served

PUBLIC = "cards.example.org"

pytestmark = pytest.mark.server(allowed_hosts=frozenset({PUBLIC}))
HERE = socket.gethostname().lower()


def asked(server: Served, host: str, method: str = "GET", path: str = "/api/games", **more: Any) -> httpx.Response:
    """A request to the server as a browser sends it that was led here by a name."""
    return httpx.request(method, server.url + path, headers={"Host": host} | more.pop("headers", {}), **more)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8517",
        "LOCALHOST",
        "localhost.",
        "127.0.0.1:8517",
        "192.0.2.7",
        "[::1]:8517",
        "[2001:db8::1]",
        "localhost:",
        HERE,
        f"{HERE.partition('.')[0]}.local:8517",
        PUBLIC,
        f"{PUBLIC.upper()}:443",
    ],
)
def test_own_names_addresses_and_public_names_are_served(server: Served, host: str) -> None:
    assert asked(server, host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.{PUBLIC}",
        f"{PUBLIC}.evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        f"{HERE}.evil.example",
        "",
        "[",
        "[::1",
        "::1",
        "localhost@evil.example",
        "evil.example#localhost",
        "0x7f000001",
        "2130706433",
        "127.1",
        "a" * 3000,
        "\xff",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    assert not Hosts({PUBLIC}).allows(host)


def test_the_attack(server: Served) -> None:
    """A page at http://evil.example:PORT lets its name lead to this machine; then Origin and Host agree."""
    evil = f"evil.example:{server.port}"
    before = server.refused("host")
    for method, path in (
        ("GET", "/"),
        ("GET", "/api/me"),
        ("GET", "/static/main.js"),
        ("GET", "/metrics"),
        ("GET", "/healthz"),
        ("POST", "/api/tables"),
    ):
        told = asked(server, evil, method, path, headers={"Origin": f"http://{evil}"}, content=b'{"game": "fan-tan"}')
        assert (told.status_code, told.json()["error"]["code"]) == (403, "request/host"), path
        assert "set-cookie" not in told.headers
        assert "allowed_hosts" in told.json()["error"]["can"]
        assert "evil.example" in told.json()["error"]["why"]
    headers = {"Host": evil, "Cookie": f"cardtable={server.token()}"}
    with pytest.raises(InvalidStatus, match="403"), knocked(server, headers):
        pass
    assert server.refused("host") == before + 7


def knocked(server: Served, headers: dict[str, str]) -> Any:
    host = headers.pop("Host")
    line = socket.create_connection(("127.0.0.1", server.port), 90)
    return connect(f"ws://{host}/ws", sock=line, additional_headers=headers, proxy=None)


def test_a_socket_by_the_public_name_is_served(server: Served) -> None:
    with knocked(server, {"Host": PUBLIC, "Cookie": f"cardtable={server.token()}", "Origin": f"http://{PUBLIC}"}):
        pass


def test_people_are_told_in_words(server: Served) -> None:
    """A person who opens the page by a name that is missing in the settings sees a sentence."""
    told = asked(server, "box.example.net:8517", path="/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (told.status_code, told.headers["content-type"]) == (403, "text/plain; charset=utf-8")
    assert "box.example.net" in told.text
    assert "allowed_hosts" in told.text
    long = asked(server, "<b>" + "a" * 3000, path="/", headers={"Accept": "text/html"})
    assert long.status_code == 403
    assert len(long.text) < 500


def test_programs_without_a_host_are_served(server: Served) -> None:
    """Old health checks; browsers always send one."""
    with socket.create_connection(("127.0.0.1", server.port), 90) as line:
        line.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert line.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("word", ["https://cards.example.org", "cards.example.org:443", "*", "", "a b", "cards/x", "é"])
def test_a_wrong_name_in_the_settings_is_refused(word: str) -> None:
    with pytest.raises(SettingsError, match="is not the name of a host"):
        load(None, {"CARDTABLE_SERVER_ALLOWED_HOSTS": f'["{word}"]'})


def test_names_in_the_settings() -> None:
    found = load(None, {"CARDTABLE_SERVER_ALLOWED_HOSTS": "Cards.Example.org, box.lan"}).settings.allowed_hosts
    assert found == {"Cards.Example.org", "box.lan"}
    assert Hosts(found).allows("cards.example.org")
    # as `cardtable serve --host table.lan` does
    more = Settings(allowed_hosts=found).also_at("table.lan").allowed_hosts
    assert more == found | {"table.lan"}
