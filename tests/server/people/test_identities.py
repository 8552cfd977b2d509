"""Who a client is: only what this server has given is an identity, whatever a client brings or was planted in it; and
people of earlier versions, and of the time before https, stay who they are.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cardtable.client import Client
from cardtable.server import logs
from cardtable.server.clock import now
from cardtable.server.net.guard import hashed
from cardtable.server.people import identities
from cardtable.server.store.schema import PARTICIPANTS, SAVED, TABLES
from tests.support.server.served import OPERATOR, Served, served

PREFIXED = "__Host-cardtable"
HTTPS = {"X-Forwarded-Proto": "https"}
PROXIES = frozenset({"127.0.0.1"})
BROUGHT = (
    "A" * 43,
    "GLxuWCgfzJ-N1mhEJFQXcDgxVjr_dwX76zQHojMoOCE",
    "",
    "x",
    "null",
    "A" * 42,
    "A" * 44,
    "../" * 14,
    "A" * 42 + "=",
    "-_" * 21 + "A",
)


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Served]:
    """A server behind a proxy that may speak https."""
    with served(tmp_path / "t.db", proxies=PROXIES) as server:
        yield server


def me(server: Served, cookie: str = "", *, path: str = "/api/me", **headers: str) -> httpx.Response:
    told = {"Cookie": cookie} if cookie else {}
    return httpx.get(f"{server.url}{path}", headers=told | headers)


def given(answer: httpx.Response) -> list[tuple[str, str, str]]:
    """The cookies that an answer gives: name, value, attributes."""
    lines = [line.partition("; ") for line in answer.headers.get_list("set-cookie")]
    return [(*line.split("=", 1), more) for line, _, more in lines]  # type: ignore[misc]


def played(server: Served, token: str, at: int = 1) -> None:
    """A table that somebody with a token made, at some time."""
    table = secrets.token_hex(8)
    row = {"id": table, "code": table[:6].upper(), "game": "busca", "stage": "over", "listed": False, "created": at}

    def keep(connection: sa.Connection) -> None:
        connection.execute(sa.insert(TABLES).values(**row, changed=at))
        connection.execute(sa.insert(PARTICIPANTS).values(table_id=table, owner=hashed(token)))

    server.store.run(keep)


def saved(server: Served, cookie: str, **headers: str) -> None:
    more = {"Cookie": cookie, **headers}
    answer = httpx.post(f"{server.url}/api/me/rules", json={"name": "x", "game": "busca"}, headers=more)
    assert answer.status_code == 201, answer.text


def keepers(server: Served) -> list[str]:
    return list(server.store.run(lambda c: c.execute(sa.select(SAVED.c.owner)).scalars().all()))


@pytest.mark.parametrize("brought", BROUGHT, ids=ascii)
def test_what_a_client_brings_is_no_identity(brought: str, behind: Served) -> None:
    """It gets one that it did not choose, and nothing is kept under the one that it brought."""
    for cookie, name, https in ((f"cardtable={brought}", "cardtable", {}), (f"{PREFIXED}={brought}", PREFIXED, HTTPS)):
        ((got, token, _),) = given(me(behind, cookie, **https))
        assert got == name
        assert token
        assert token != brought
        saved(behind, cookie.encode().decode("latin-1"), **https)
        assert hashed(brought) not in keepers(behind)
    with pytest.raises(InvalidStatus), connect(behind.ws, additional_headers={"Cookie": f"cardtable={ascii(brought)}"}):
        pass


def test_what_the_server_gave_is_an_identity(behind: Served) -> None:
    for name, https in (("cardtable", {}), (PREFIXED, HTTPS)):
        ((got, token, _),) = given(me(behind, **https))
        assert got == name
        assert given(me(behind, f"{name}={token}", **https)) == []
        saved(behind, f"{name}={token}", **https)
        assert hashed(token) in keepers(behind)
        for changed in (token[:-1] + ("A" if token[-1] != "A" else "B"), token[1:] + "A", token.swapcase(), token[:-1]):
            assert given(me(behind, f"{name}={changed}", **https)), changed


def test_another_server_does_not_know_it(behind: Served, tmp_path: Path) -> None:
    with served(tmp_path / "other.db") as other:
        token = other.token()
    assert given(me(behind, f"cardtable={token}"))


def test_the_key_stays_with_the_database(tmp_path: Path) -> None:
    with served(tmp_path / "t.db") as first:
        token = first.token()
    with served(tmp_path / "t.db") as again, served(tmp_path / "t.db") as beside:
        assert given(me(again, f"cardtable={token}")) == given(me(beside, f"cardtable={token}")) == []


def test_a_secure_cookie_is_for_this_host_alone(tmp_path: Path) -> None:
    """As the prefix requires: Secure, the path / and no Domain. The path of the site is in its name, so that two sites
    on one host do not take each other's.
    """
    kinds: list[tuple[dict[str, Any], str, str]] = [
        ({"proxies": PROXIES}, "", PREFIXED),
        ({"secure": True}, "", PREFIXED),
        ({"secure": True, "prefix": "/a/cards"}, "/a/cards", f"{PREFIXED}.a.cards"),
    ]
    for number, (settings, site, name) in enumerate(kinds):
        with served(tmp_path / f"{number}.db", **settings) as server:
            ((got, token, more),) = given(me(server, path=f"{site}/api/me", **HTTPS))
            assert got == name
            assert set(more.split("; ")) == {"Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict", "Secure"}
            assert given(me(server, f"{name}={token}", path=f"{site}/api/me", **HTTPS)) == []
            assert given(me(server, f"cardtable={token}", path=f"{site}/api/me", **HTTPS)), "without the prefix"
            gone = httpx.delete(
                f"{server.url}{site}/api/me/data", headers={"Cookie": f"{name}={token}", **HTTPS}, timeout=120
            )
            ((got, token, more),) = given(gone)
            assert (got, token, "Max-Age=0" in more) == (name, "", True)


def test_a_cookie_that_a_sibling_planted_is_not_taken(behind: Served) -> None:
    """Without the prefix over https, although the server gave it; with it, the one with the prefix counts."""
    attacker = behind.token()
    mine = given(me(behind, **HTTPS))[0][1]
    played(behind, attacker, at=2**52)
    ((name, token, _),) = given(me(behind, f"cardtable={attacker}", **HTTPS))
    assert name == PREFIXED
    assert token != attacker
    both = f"cardtable={attacker}; {PREFIXED}={mine}"
    assert given(me(behind, both, **HTTPS)) == []
    saved(behind, both, **HTTPS)
    assert keepers(behind) == [hashed(mine)]


# People of earlier versions


def test_people_of_an_earlier_version_stay_who_they_are(behind: Served) -> None:
    """Their tokens are not signed; what belongs to them shows that they were given."""
    old = secrets.token_urlsafe(32)
    played(behind, old)
    assert given(me(behind, f"cardtable={old}")) == []
    saved(behind, f"cardtable={old}")
    assert keepers(behind) == [hashed(old)]
    with connect(behind.ws, additional_headers={"Cookie": f"cardtable={old}"}, proxy=None):
        pass


def test_they_get_the_cookie_with_the_prefix(behind: Served) -> None:
    old = secrets.token_urlsafe(32)
    played(behind, old)
    ((name, token, more),) = given(me(behind, f"cardtable={old}", **HTTPS))
    assert (name, token) == (PREFIXED, old)
    assert "Max-Age=34560000" in more
    assert given(me(behind, f"cardtable={old}; {PREFIXED}={old}", **HTTPS)) == []
    assert given(me(behind, f"{PREFIXED}={old}", **HTTPS)) == []


def test_people_of_the_time_before_https_stay_who_they_are(behind: Served) -> None:
    """The server has got https: a token that it gave before, over http."""
    token = behind.token()
    saved(behind, f"cardtable={token}")
    behind.store.run(lambda c: c.execute(sa.update(SAVED).values(at=1)))
    ((name, again, _),) = given(me(behind, f"cardtable={token}", **HTTPS))
    assert (name, again) == (PREFIXED, token)


def test_after_the_life_of_a_cookie_none_without_the_prefix_is_taken(
    behind: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = secrets.token_urlsafe(32)
    played(behind, old)
    me(behind, **HTTPS)
    later = now() + 1000 * identities.LIFE + 60_000
    monkeypatch.setattr(identities, "now", lambda: later)
    ((_, token, _),) = given(me(behind, f"cardtable={old}", **HTTPS))
    assert token != old


def test_the_time_of_https_is_noted_once(tmp_path: Path) -> None:
    times: list[Any] = []
    for _ in range(2):
        with served(tmp_path / "t.db", proxies=PROXIES) as server:
            me(server, **HTTPS)
            times.append(server.store.secret("https", lambda: "none"))
    assert times[0] == times[1]
    assert int(times[0]) > 0


# Wrong tokens


def test_wrong_tokens_are_counted_and_slowed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody else at the address loses their identity: they are known without a look into the database, and somebody
    who is not is asked to come back later, and given no other identity.
    """
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(10, 86_400.0)) as server:
        right, old = server.token(), secrets.token_urlsafe(32)
        played(server, old)
        caplog.set_level("INFO", logs.EVENTS.name)
        told = [me(server, f"cardtable={secrets.token_urlsafe(32)}") for _ in range(40)]
        assert [answer.status_code for answer in told] == [200] * 10 + [429] * 30
        assert [len(given(answer)) for answer in told] == [1] * 10 + [0] * 30
        assert told[-1].json()["error"]["code"] == "http/rate"
        assert int(told[-1].headers["retry-after"]) > 0
        assert server.refused("token") == 40
        warned = [line.getMessage() for line in caplog.records if line.name == "cardtable.server"]
        assert warned == ["too many tokens that this server did not give, from 127.0.0.1"] * 30
        assert [vars(line)["fields"]["why"] for line in caplog.records if line.name == logs.EVENTS.name] == [
            "token"
        ] * 40
        assert me(server, f"cardtable={right}").status_code == 200
        answer = me(server, f"cardtable={old}")
        assert (answer.status_code, given(answer)) == (429, [])
        page = me(server, f"cardtable={old}", path="/")
        assert (page.status_code, given(page)) == (200, [])
        assert me(server, f"cardtable={old}", path="/static/main.js").status_code == 200


def test_wrong_tokens_of_the_operator_are_counted_and_slowed(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(10, 86_400.0)) as server:
        url = f"{server.url}/api/admin/restrictions"
        wrong = [httpx.get(url, headers={"Authorization": f"Bearer {k}"}).status_code for k in range(40)]
        assert wrong == [401] * 10 + [429] * 30
        assert server.refused("operator") == 40
        assert httpx.get(url, headers={"Authorization": f"Bearer {OPERATOR}"}).status_code == 200


def test_wrong_links_are_counted(server: Served) -> None:
    before = server.refused("link")
    assert httpx.post(f"{server.url}/api/link", json={"token": "x"}).status_code == 404
    assert server.refused("link") == before + 1


async def test_a_program_with_a_token_that_the_server_has_not_given_gets_another(server: Served) -> None:
    """Also if it opens a table before it asks anything else."""
    async with Client(server.url) as ann:
        made = await ann.make("busca", sit=False, bots=["", ""])
    stranger = Client(server.url, secrets.token_urlsafe(32))
    before = stranger.token
    async with stranger.table(made["id"]) as table:
        assert table.seat is None
    assert stranger.token != before


def test_a_program_over_https_sends_and_keeps_the_cookie_with_the_prefix() -> None:
    client = Client("https://example.org/cards")
    client._remember([f"{PREFIXED}.cards=abc; Path=/; Secure", "other=x"])
    assert client.token == "abc"
    client._remember([f"{PREFIXED}.cards=; Path=/; Max-Age=0; Secure", f"{PREFIXED}=x"])
    assert client.token == "abc"
    assert f"{PREFIXED}.cards=abc" in client.headers["Cookie"].split("; ")
