"""Several people look after a server: what each of them may do, what they did, and what others report to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from cardtable.client import Client, ServerError
from cardtable.server.clock import now
from cardtable.server.rooms import retention
from cardtable.server.store.faults import StoreError
from cardtable.server.store.schema import ACTS, REPORTS
from tests.browser.pages.test_browser_injection import Visitor
from tests.support import browser as chrome
from tests.support.server import operating
from tests.support.server.operating import WHY, ask, asked, call, done, listed, told
from tests.support.server.served import Served, served
from tests.support.waiting import eventually

running, token_file = operating.running, operating.token_file


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "tables.db") as one:
        yield one


def moderator(server: Served, name: str) -> dict[str, str]:
    """Somebody is a moderator: the header with their token."""
    return {"Authorization": f"Bearer {done(ask(server, 'POST', 'moderators', {'name': name}))['token']}"}


def acts(server: Served) -> list[tuple[str, str]]:
    """Who did what, the first first."""
    return [(one["who"], one["what"]) for one in reversed(done(ask(server, "GET", "acts"))["acts"])]


def test_moderators_do_what_they_may_and_it_is_kept_who_did_it(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cardtable.operator")
    mia = moderator(server, "Mia")
    ban = {"kind": "ban", "network": "192.0.2.0/24", "seconds": 60, "reason": WHY}
    made = done(ask(server, "POST", "restrictions", ban, **mia))
    done(ask(server, "POST", "restrictions", ban))
    done(ask(server, "DELETE", f"restrictions/{made['id']}", **mia))
    done(ask(server, "POST", "notice", {"text": "Hello"}, **mia))
    for method, path, body in (
        ("POST", "moderators", {"name": "Max"}),
        ("DELETE", "moderators/Mia", None),
        ("POST", "clock", None),
        ("POST", "drain", {"seconds": 9}),
        ("DELETE", "drain", None),
        ("DELETE", "people/12345678", None),
    ):
        assert ask(server, method, path, body, **mia).status_code == 403, path
    found = acts(server)
    assert [who for who, _ in found] == ["operator", "Mia", "operator", "Mia", "Mia"]
    assert found[0][1] == "Mia is a moderator"
    assert found[1][1].startswith("ban 1 of 192.0.2.0/24, until ")
    assert found[4][1] == "notice to everybody: Hello"
    assert "notice to everybody: Hello, by Mia" in caplog.text
    done(ask(server, "DELETE", "moderators/Mia"))
    assert ask(server, "GET", "tables", **mia).status_code == 401
    assert ask(server, "DELETE", "moderators/Mia").status_code == 404


def test_a_token_can_be_replaced_and_is_kept_as_a_hash(server: Served, tmp_path: Path, token_file: Path) -> None:
    old, new = moderator(server, "Mia"), moderator(server, "Mia")
    assert ask(server, "GET", "tables", **old).status_code == 401
    assert done(ask(server, "GET", "tables", **new)) == {"tables": []}
    secret = new["Authorization"].removeprefix("Bearer ")
    server.stop()
    files = b"".join(path.read_bytes() for path in tmp_path.glob("tables.db*"))
    assert b"Mia" in files
    assert secret.encode() not in files
    with served(tmp_path / "tables.db") as again:
        assert done(ask(again, "GET", "moderators", **new)) == {"moderators": ["Mia"]}
        assert "Mia" in told(again, token_file, "moderators")


@pytest.mark.parametrize("name", ["operator", " ", "\u200b"])
def test_names_that_no_moderator_has(name: str, server: Served) -> None:
    assert ask(server, "POST", "moderators", {"name": name}).status_code == 400


def test_the_commands_for_moderators(server: Served, token_file: Path) -> None:
    assert "There are no moderators" in told(server, token_file, "moderators")
    out = told(server, token_file, "moderators", "--add", "Mia")
    token = out.splitlines()[-1]
    assert done(ask(server, "GET", "tables", Authorization=f"Bearer {token}")) == {"tables": []}
    assert "Mia is no longer a moderator" in told(server, token_file, "moderators", "--remove", "Mia")
    assert "Mia is a moderator" in told(server, token_file, "acts")
    code, out = call(server, token_file, "moderators", "--add", "a", "--remove", "b")
    assert (code, "not both" in out) == (2, True)


def test_an_act_that_is_not_kept_is_done_all_the_same(
    server: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    work = server.store.run

    def fail(what: Any) -> Any:
        with server.store.engine.begin() as connection:
            before = connection.execute(sa.select(sa.func.count()).select_from(ACTS)).scalar()
        result = work(what)
        with server.store.engine.begin() as connection:
            if connection.execute(sa.select(sa.func.count()).select_from(ACTS)).scalar() != before:
                raise StoreError("no")
        return result

    monkeypatch.setattr(server.store, "run", fail)
    assert done(ask(server, "POST", "chat", {"on": False}))["chat"] is False
    assert "what operator did is not kept" in caplog.text


# Reports


async def at_table(server: Served, ann: Client, ben: Client) -> Any:
    """A table at which Ann and Ben sit; its id."""
    made = await ann.make("fan-tan", name="Ann", seats=3, bots=["", "", ""], watched=False)
    async with ben.table(made["id"]) as table:
        await table.sit("Ben the rude")
        await table.command("say", text="something rude")
        await table.until(lambda: bool(table.table["chat"]))
        return made["id"], table.table["chat"][0]["at"]


async def test_people_report_names_and_lines(server: Served, token_file: Path) -> None:
    """The text is the server's, not what somebody says that it was; each person's report counts once."""
    async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as eve:
        id, at = await at_table(server, ann, ben)
        for body in ({"seat": 1}, {"seat": 1, "at": at}, {"seat": 1}):
            assert await ann.post(f"/api/tables/{id}/reports", body) == {"ok": True}
        for body in ({"seat": 0}, {"seat": 2}, {"seat": 1, "at": 5}, {"seat": 0, "at": at}):
            with pytest.raises(ServerError, match="nobody else has said that, or has that name"):
                await ann.post(f"/api/tables/{id}/reports", body)
        for who, place in ((eve, id), (ann, "none"), (ann, "no\tne")):
            with pytest.raises(ServerError):
                await who.post(f"/api/tables/{place}/reports", {"seat": 1})
        (line, name) = (await asked(server, "GET", "reports"))["reports"]
        person = listed(server, id)["seats"][1]["person"]
        assert (line["kind"], line["text"], line["about"], line["table"]) == ("line", "something rude", person, id)
        assert (name["kind"], name["text"]) == ("name", "Ben the rude")
        assert name["by"] == listed(server, id)["seats"][0]["person"]
        await eventually(lambda: server.app.hall.metrics.reports._value.get() == 2)
        out = await asyncio.to_thread(told, server, token_file, "reports")
        assert "something rude" in out
        await asyncio.to_thread(told, server, token_file, "settle", str(line["id"]))
        assert [one["id"] for one in (await asked(server, "GET", "reports"))["reports"]] == [name["id"]]
        assert "operator" in await asyncio.to_thread(told, server, token_file, "reports", "--all")
        assert ask(server, "POST", "reports/99/done").status_code == 404
        assert ("operator", f"report {line['id']} is dealt with") in acts(server)


async def test_a_table_that_is_not_open_can_be_reported(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        id, at = await at_table(server, ann, ben)
        server.settle(id)
        hall = server.app.hall
        server.loop.call_soon_threadsafe(lambda: hall.forget(hall.rooms[id]))
        await eventually(lambda: id not in hall.rooms)
        await ann.post(f"/api/tables/{id}/reports", {"seat": 1, "at": at})
        assert id not in hall.rooms
        assert len((await asked(server, "GET", "reports"))["reports"]) == 1


async def test_reports_go_with_the_people(server: Served) -> None:
    """With the data of either, and when they are dealt with and old."""

    def many() -> int:
        with server.store.engine.begin() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(REPORTS)).scalar() or 0)

    async with Client(server.url) as ann, Client(server.url) as ben:
        id, at = await at_table(server, ann, ben)
        await ann.post(f"/api/tables/{id}/reports", {"seat": 1, "at": at})
        await ben.post(f"/api/tables/{id}/reports", {"seat": 0})
        mine = httpx.get(f"{server.url}/api/me/data", headers={"Cookie": f"cardtable={ann.token}"}).json()["reports"]
        assert [one["text"] for one in mine] == ["something rude"]
        with server.store.engine.begin() as connection:
            long_ago = now() - retention.KEPT - 1000
            connection.execute(sa.update(REPORTS).where(REPORTS.c.kind == "name").values(at=long_ago))
        await asked(server, "POST", "reports/1/done")
        for left in (2, 1):
            deleted = asyncio.run_coroutine_threadsafe(retention.delete_old(server.app.hall), server.loop)
            await asyncio.wrap_future(deleted)
            assert many() == left
            await asked(server, "POST", "reports/2/done") if left == 2 else None
        person = listed(server, id)["seats"][1]["person"]
        await asked(server, "DELETE", f"people/{person}")
        assert many() == 0


@chrome.needed
def test_reports_in_the_browser(server: Served, browser: Any) -> None:
    """A line by the button next to it."""
    ann = Visitor(chrome.visitor(browser, server.url))
    page = ann.page
    made = ann.post("/api/tables", {"game": "fan-tan", "name": "Ann", "seats": 3, "bots": ["", "", "medium"]})

    async def talk() -> None:
        async with Client(server.url) as ben, ben.table(made["id"]) as table:
            await table.sit("Ben the rude")
            await table.command("say", text="something rude")

    ann.goes(made["path"])
    with ThreadPoolExecutor(1) as thread:  # this one has the browser's loop
        thread.submit(asyncio.run, talk()).result(300)
    page.get_by_text("something rude").first.wait_for()
    page.get_by_role("button", name="Report this line to the operator").first.click()
    page.get_by_text("The operator gets a report.").first.wait_for()
    (found,) = done(ask(server, "GET", "reports"))["reports"]
    assert (found["kind"], found["text"]) == ("line", "something rude")
    again = page.get_by_role("button", name="Report this line to the operator")
    again.wait_for(state="detached")
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_text("The operator gets a report.").first.wait_for()
    assert again.count() == 0, "although the log is drawn again"
    assert ann.complaints == []
    ann.leave()
