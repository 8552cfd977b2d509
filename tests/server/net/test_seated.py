"""A larger network that has used up what it may use shuts nobody out who has a seat, and a seat is no key to more."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cardtable.client import Client
from cardtable.server.net.guard import hashed
from tests.server.net.test_networks import sixty_four
from tests.support.server.served import Served
from tests.support.waiting import eventually, until

FOREVER = 86_400.0  #: seconds in which a rate is refilled
EACH = 4  #: connections of an address
FULL = 8 * EACH  #: of an IPv4 /24
SIX = [address.partition("/")[0] for address in (sixty_four(k << 8) for k in range(200))]  #: addresses of an IPv6 /48


@contextlib.asynccontextmanager
async def seated(server: Served, connected: bool = False) -> AsyncIterator[tuple[str, str]]:
    """The token of somebody who has a seat, and the table. connected: they were connected to it a moment ago."""
    async with Client(server.url) as ann:
        made = await ann.make("busca", name="Ann", seats=3, bots=["", "medium", "medium"])
        # the host is seated after the answer
        await eventually(lambda: server.app.hall.store.has_seat(hashed(ann.token), made["id"]))
        if connected:
            async with ann.table(made["id"]) as table:
                await table.until(lambda: table.legal)
        yield ann.token, made["id"]


def behind(address: str, token: str = "") -> dict[str, str]:
    """Headers of somebody whose address a proxy names."""
    return {"X-Forwarded-For": address} | ({"Cookie": f"cardtable={token}"} if token else {})


class Behind(Client):
    """Somebody whose address a proxy names."""

    address = ""

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | ({"X-Forwarded-For": self.address} if self.address else {})


async def comes_back(server: Served, token: str, table: str, address: str = "") -> None:
    """A person with a token connects to a table again, and moves."""
    client = Behind(server.url, token)
    client.address = address
    async with client, client.table(table) as back:
        await back.until(lambda: back.legal)
        await back.move(back.legal[0])


def is_refused(answer: httpx.Response) -> bool:
    """Whether a request was refused because there were too many, with a sentence and the time to wait."""
    if answer.status_code != 429:
        return False
    error = answer.json()["error"]
    assert error["code"] == "http/rate"
    assert error["why"]
    assert error["can"].startswith("try again in ")
    assert answer.headers.get("retry-after", error["can"].split()[3]) == error["can"].split()[3]
    return True


# Rates


@pytest.mark.server(fresh=True, request_rate=(5, FOREVER), loopback_is_free=False, proxies={"127.0.0.1"})
@pytest.mark.parametrize("connected", [False, True])
async def test_requests_of_a_network_that_has_used_up_its_rate(server: Served, connected: bool) -> None:
    async with seated(server, connected) as (token, _), httpx.AsyncClient(base_url=server.url, timeout=120) as http:

        async def passes(address: str, token: str = "") -> bool:
            http.cookies.clear()
            return not is_refused(await http.get("/api/me", headers=behind(address, token)))

        assert sum([await passes(address) for address in SIX[:30]]) == 20
        stranger = server.token()
        assert not await passes(SIX[-1], stranger), "a token without a seat"
        assert not await passes(SIX[-1], token[:-2] + "xx"), "a forged one"
        assert [await passes(address, token) for address in SIX[50:57]] == [True] * 5 + [False] * 2
        assert await passes("203.0.113.1"), "others notice nothing"


@pytest.mark.server(fresh=True, guess_rate=(2, FOREVER), loopback_is_free=False, proxies={"127.0.0.1"})
async def test_whoever_has_a_seat_finds_the_table_after_wrong_codes_of_others(server: Served) -> None:
    async with seated(server) as (token, table), httpx.AsyncClient(base_url=server.url, timeout=120) as http:

        async def status(name: str, address: str, token: str = "") -> int:
            http.cookies.clear()
            answer = await http.get(f"/api/tables/{name}", headers=behind(address, token))
            return 429 if is_refused(answer) else answer.status_code

        assert [await status("ABCDEF", address) for address in SIX[:10]] == [404] * 8 + [429] * 2
        code = server.app.hall.rooms[table].code
        for name in (table, code):
            assert await status(name, SIX[-1]) == 429
            assert await status(name, SIX[-1], server.token()) == 429
            assert await status(name, SIX[-1], token) == 200
        assert await status("ABCDEF", SIX[-1], token) == 429, "a seat elsewhere is no key"
        async with connect(server.ws, additional_headers=behind(SIX[-1], server.token())) as line:
            await line.send(json.dumps({"type": "hello", "table": table, "version": 0}))
            assert json.loads(await line.recv())["code"] == "http/rate"
        await comes_back(server, token, table, SIX[-1])


# Connections


@contextlib.contextmanager
def full(server: Served) -> Iterator[None]:
    """All connections that a network may have, and some more, say nothing."""
    with contextlib.ExitStack() as stack:
        for k in range(FULL + 20):
            source = f"127.0.0.{10 + k // EACH}"
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 120, (source, 0)))
        until(lambda: len(server.gate) >= FULL)
        yield


def asking(server: Served, source: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, timeout=120, transport=httpx.AsyncHTTPTransport(local_address=source))


@pytest.mark.server(
    fresh=True, connections_per_address=EACH, loopback_is_free=False, headers_within=300.0, keep_alive=300
)
@pytest.mark.parametrize("connected", [False, True])
async def test_connections_of_a_network_that_has_all_it_may_have(server: Served, connected: bool) -> None:
    """A person with a seat comes back and moves; anybody else learns why not, and that connection ends."""
    async with seated(server, connected) as (token, table):
        with full(server):
            for cookie in ("", server.token(), token[:-2] + "xx"):
                headers = {"Cookie": f"cardtable={cookie}"} if cookie else {}
                for path in ("/", "/api/me", "/static/icon.svg", "/healthz"):
                    async with asking(server, "127.0.0.100") as http:
                        answer = await http.get(path, headers=headers)
                        assert is_refused(answer)
                        assert answer.headers["connection"] == "close"
                with pytest.raises(InvalidStatus):
                    await connect(server.ws, additional_headers=headers)
            async with asking(server, "127.0.0.101") as http:
                mine = {"Cookie": f"cardtable={token}"}
                for path in ("/api/me", "/", "/static/icon.svg", "/api/me"):
                    assert (await http.get(path, headers=mine)).status_code == 200
            await comes_back(server, token, table)
        until(lambda: len(server.gate) <= 2)
    until(lambda: len(server.gate) == 0)
    assert not server.gate._by_address


@pytest.mark.server(fresh=True, connections_per_address=EACH, loopback_is_free=False, headers_within=300.0)
def test_a_connection_on_trial_has_one_request(server: Served) -> None:
    """Also where it is answered before anybody looks who sent it, and if the next one came with it."""
    with full(server), socket.create_connection(("127.0.0.1", server.port), 120, ("127.0.0.100", 0)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n" * 2)
        heard = b""
        while chunk := line.recv(65_536):
            heard += chunk
        assert heard.startswith(b"HTTP/1.1 403")
        assert heard.count(b"HTTP/1.1 ") == 1
