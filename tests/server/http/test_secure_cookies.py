"""The cookie is for https only where the server is reached by https, as its settings or a trusted proxy say."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.server.served import Served, served

PROXY, OTHER = "127.0.0.9", "127.0.0.8"


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "secure"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that trusts a proxy, without and with the setting `secure`."""
    file = tmp_path_factory.mktemp("cookies") / "t.db"
    with served(file, proxies=frozenset({PROXY}), secure=request.param) as running:
        yield running


def client(server: Served, source: str, scheme: str) -> httpx.Client:
    """Requests from an address of this machine that name a scheme."""
    headers = {"X-Forwarded-Proto": scheme} if scheme else {}
    transport = httpx.HTTPTransport(local_address=source)
    return httpx.Client(base_url=server.url, transport=transport, headers=headers, timeout=120)


@pytest.mark.parametrize(
    ("source", "scheme", "https"),
    [
        (PROXY, "https", True),
        (PROXY, "HTTPS", True),
        (PROXY, "http", False),
        (PROXY, "", False),
        (PROXY, "https, http", False),
        (OTHER, "https", False),
        (OTHER, "", False),
    ],
)
def test_the_cookie_of_a_new_person(server: Served, source: str, scheme: str, https: bool) -> None:
    with client(server, source, scheme) as http:
        told = http.get("/").headers["set-cookie"]
    assert ("; Secure" in told) == (https or server.settings.secure)


@pytest.mark.parametrize(("source", "https"), [(PROXY, True), (OTHER, False)])
def test_the_cookies_of_a_linked_and_of_a_deleted_person(server: Served, source: str, https: bool) -> None:
    expected = https or server.settings.secure
    with client(server, source, "https") as first, client(server, source, "https") as second:
        token = first.get("/").headers["set-cookie"].partition(";")[0].partition("=")[2]
        name = "__Host-cardtable" if expected else "cardtable"
        mine = {"Cookie": f"{name}={token}"}  # httpx would not send a secure cookie here, as the address is http
        made = first.post("/api/me/link", json={"name": "Ann"}, headers=mine).json()
        assert urlsplit(made["link"]).scheme == ("https" if expected else "http")
        taken = second.post("/api/link/take", json={"token": urlsplit(made["link"]).fragment})
        assert taken.status_code == 200, taken.text
        assert ("; Secure" in taken.headers["set-cookie"]) == expected
        gone = first.delete("/api/me/data", headers=mine)
        assert gone.status_code == 200, gone.text
        assert "Max-Age=0" in gone.headers["set-cookie"]
        assert ("; Secure" in gone.headers["set-cookie"]) == expected
