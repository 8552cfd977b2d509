"""Several devices of one person: a link is valid for some minutes and once, and nobody gets in by guessing."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import sqlalchemy as sa

from cardtable.client import Client, ServerError
from cardtable.server import clock
from cardtable.server.people.devices import Devices
from cardtable.server.store.schema import DEVICES, LINKS
from cardtable.server.store.store import Store
from tests.support.server import operating
from tests.support.server.served import Served, served
from tests.support.waiting import eventually, run

running, server = operating.running, operating.server


def secret(link: str) -> str:
    """What is behind the # of a link."""
    return link.rpartition("#")[2]


def post(server: Served, path: str, body: Any, token: str = "", **headers: str) -> httpx.Response:
    cookies = {"cardtable": token} if token else {}
    return httpx.post(f"{server.url}{path}", json=body, cookies=cookies, headers=headers)


def test_two_devices_are_one_person(each: Served) -> None:
    """They have the same seat, also at the same time, and after a restart of the server."""

    async def look() -> tuple[str, str]:
        async with Client(each.url) as desk, Client(each.url) as phone:
            made = await desk.make("fan-tan", name="Ann", seats=2, bots=["", "medium"])
            async with desk.table(made["id"]) as at_desk:
                await at_desk.until(lambda: at_desk.seat == 0)
                old = phone.token
                link = await desk.link()
                assert re.fullmatch(rf"{each.url}/link#[\w-]{{43}}", link)
                await phone.take(link)
                assert phone.token not in (old, desk.token)
                assert [one["id"] for one in (await phone.get("/api/me"))["tables"]] == [made["id"]]
                async with phone.table(made["id"]) as on_phone:
                    assert on_phone.seat == 0
                    await on_phone.until(lambda: bool(on_phone.legal))
                    await on_phone.move(on_phone.legal[0])
                    await at_desk.until(lambda: at_desk.version >= on_phone.version)
            assert (await Client(each.url, old).get("/api/me"))["tables"] == []
            return desk.token, phone.token

    tokens = run(look())
    url = each.store.engine.url.render_as_string(hide_password=False)
    with served(Path("unused"), database=url) as again:
        for token in tokens:
            told = httpx.get(f"{again.url}/api/me", cookies={"cardtable": token})
            assert len(told.json()["tables"]) == 1


async def test_a_device_links_another(server: Served) -> None:
    """The third device is the same person, too; one that is linked again leaves nothing behind."""
    async with Client(server.url) as a, Client(server.url) as b, Client(server.url) as c, Client(server.url) as d:
        await a.make("busca", name="Ann")
        await b.take(await a.link())
        await c.take(await b.link())
        assert len((await c.get("/api/me"))["tables"]) == 1
        count = sa.select(sa.func.count()).select_from(DEVICES)
        before = server.store.run(lambda x: x.execute(count).scalar())
        await c.take(await d.link())
        assert (await c.get("/api/me"))["tables"] == []
        assert server.store.run(lambda x: x.execute(count).scalar()) == before


async def test_a_link_works_once(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as eve:
        link = await ann.link()
        await ben.take(link)
        with pytest.raises(ServerError) as error:
            await eve.take(link)
        assert error.value.code == "link/unknown"
        again = post(server, "/api/link/take", {"token": secret(link)}, eve.token)
        assert (again.status_code, "set-cookie" in again.headers) == (404, False)
        assert post(server, "/api/link", {"token": secret(link)}).status_code == 404


async def test_of_two_at_the_same_time_one_gets_in(each: Served) -> None:
    async with Client(each.url) as ann:
        for _ in range(5):
            token = secret(await ann.link())
            asking = [asyncio.to_thread(post, each, "/api/link/take", {"token": token}) for _ in range(4)]
            answers = await asyncio.gather(*asking)
            assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404]


async def test_a_new_link_ends_the_one_before(server: Served) -> None:
    async with Client(server.url) as ann:
        first, second = await ann.link(), await ann.link()
        assert post(server, "/api/link", {"token": secret(first)}).status_code == 404
        assert post(server, "/api/link", {"token": secret(second)}).status_code == 200


async def test_a_link_is_valid_for_a_while(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made_at, passed = clock.now(), 0.0
    monkeypatch.setattr("cardtable.server.people.devices.now", lambda: made_at + int(1000 * passed))

    async with Client(server.url) as ann:
        made = post(server, "/api/me/link", {"name": "Ann"}, ann.token).json()
        assert made["seconds"] == server.settings.link_valid
        passed = made["seconds"] - 0.001
        assert post(server, "/api/link", {"token": secret(made["link"])}).status_code == 200
        passed = made["seconds"]
        for path in ("/api/link", "/api/link/take"):
            assert post(server, path, {"token": secret(made["link"])}).status_code == 404


async def test_before_anything_changes_the_device_is_told_whose_identity_it_is(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        made = post(server, "/api/me/link", {"name": "Ann <b>"}, ann.token).json()
        assert made["qr"].startswith("<svg")
        told = post(server, "/api/link", {"token": secret(made["link"])}, ben.token).json()
        assert told == {
            "same": False,
            "gives": {"name": "Ann <b>", "tables": 0, "matches": 0},
            "has": {"name": "", "tables": 0, "matches": 0},
        }
        for one, name in ((ann, "Annabel"), (ben, "Ben")):
            table = await one.make("busca", name=name)
            await asyncio.to_thread(server.settle, table["id"])
        told = post(server, "/api/link", {"token": secret(made["link"])}, ben.token).json()
        assert (told["gives"]["name"], told["has"]) == ("Annabel", {"name": "Ben", "tables": 1, "matches": 0})
        assert post(server, "/api/link", {"token": secret(made["link"])}, ann.token).json()["same"]
        assert (await ben.get("/api/me"))["tables"]


async def test_the_database_has_neither_tokens_nor_links(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        await ben.take(await ann.link())
        link = await ann.link()
        rows = server.store.run(lambda c: [*c.execute(sa.select(DEVICES)).all(), *c.execute(sa.select(LINKS)).all()])
        assert len(rows) >= 2
        for text in (ann.token, ben.token, secret(link)):
            assert text not in str(rows)


async def test_a_page_of_another_site_can_do_nothing(server: Served) -> None:
    """It can neither make a link of somebody's nor log somebody in as another person."""
    async with Client(server.url) as ann, Client(server.url) as eve:
        token = secret(await eve.link())
        for path, body in (("/api/me/link", {}), ("/api/link/take", {"token": token})):
            told = post(server, path, body, ann.token, Origin="https://evil.example")
            assert (told.status_code, told.json()["error"]["code"]) == (403, "request/origin")
            assert "set-cookie" not in told.headers
        for path in ("/api/link/take", "/api/me/link"):
            assert httpx.get(server.url + path, cookies={"cardtable": ann.token}).status_code == 405


def test_guesses_are_limited(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", loopback_is_free=False, guess_rate=(5, 600.0)) as small:
        codes = [post(small, "/api/link", {"token": "x" * 43}).status_code for _ in range(8)]
        assert codes == [404] * 5 + [429] * 3

        async def look() -> None:
            async with Client(small.url) as ann:
                token = secret(await ann.link())
                assert post(small, "/api/link/take", {"token": token}).status_code == 429

        run(look())


@pytest.mark.parametrize("body", [{}, {"token": ""}, {"token": "x" * 65}, {"token": 5}, {"token": "x", "more": 1}, []])
def test_what_is_no_link(server: Served, body: Any) -> None:
    told = post(server, "/api/link/take", body)
    assert (told.status_code, told.json()["error"]["code"]) == (400, "message/syntax")


async def test_nothing_of_a_link_is_in_an_address(server: Served) -> None:
    """The page gets no secret in its path or query, so it is in no log and no Referer."""
    async with Client(server.url) as ann:
        parts = urlsplit(await ann.link())
        assert (parts.path, parts.query) == ("/link", "")
        assert len(parts.fragment) == 43
        page = httpx.get(f"{server.url}/link")
        assert page.headers["referrer-policy"] == "no-referrer"


async def test_deleting_the_data_ends_every_device(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as phone:
        await ann.make("busca", name="Ann")
        await phone.take(await ann.link())
        link = await ann.link()
        told = httpx.get(f"{server.url}/api/me/data", cookies={"cardtable": phone.token}).json()
        assert len([one for one in told["devices"] if one["linked"]]) == 1
        deleted = httpx.delete(f"{server.url}/api/me/data", cookies={"cardtable": phone.token})
        assert deleted.json()["tables"] == 1
        await phone.make("busca", name="Somebody new")
        assert (await ann.get("/api/me"))["tables"] == []
        assert post(server, "/api/link", {"token": secret(link)}).status_code == 404


async def test_another_process_knows_a_new_device_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardtable.server.rooms.upkeep.REFRESH_EVERY", 0.05)

    with served(tmp_path / "t.db") as one, served(tmp_path / "t.db") as other:
        async with Client(one.url) as ann, Client(one.url) as phone:
            await ann.make("busca", name="Ann")
            await phone.take(await ann.link())

            async def tables() -> Any:
                return (await Client(other.url, phone.token).get("/api/me"))["tables"]

            await eventually(tables)


async def test_nothing_is_read_again_unless_it_has_changed(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 't.db'}")

    try:
        devices = Devices(store)
        await devices.load()
        secret = await devices.new_link("ann", "", 60, "ann")
        assert secret
        assert await devices.take(secret, "", "ben's token")
        other = Devices(store)
        await other.load()
        known = other._owners
        assert list(known.values()) == ["ann"]
        await other.load()
        assert other._owners is known
        await devices.forget("ann")
        await other.load()
        assert other._owners == {}
    finally:
        store.close()
