"""Nothing that somebody has typed is run by another's browser: names, chat, records and addresses, in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import browser as chrome
import pytest
from served import Served

from cardtable import Match, bot
from cardtable.record import Record

pytestmark = [chrome.needed, pytest.mark.exhaustive, pytest.mark.server(review_iterations=50)]
NAMES = ("<svg onload=hit()>", "'\"><b onclick=hit()>x", "{{hit()}}${hit()}")  #: of 24 letters at most
LONG = "<img src=x onerror=hit()><script>hit()</script><a href=javascript:hit()>x</a>"
COUNT = "window.hits = 0; window.hit = () => { window.hits += 1; };"
RUNS = "[onload], [onerror], [onclick], [src='x'], [href^='javascript']"


@pytest.fixture
def ann(browser: Any, server: Served) -> Iterator[chrome.Watched]:
    """A person whose browser counts what is run."""
    one = chrome.visitor(browser, server.url)
    one.page.add_init_script(COUNT)
    yield one
    one.page.context.close()


def harmless(page: Any, *shown: str) -> None:
    """The page shows these texts as they are, and ran nothing."""
    for text in shown:
        page.get_by_text(text).first.wait_for(state="attached")
    assert page.evaluate("window.hits") == 0
    assert page.locator(RUNS).count() == 0


@pytest.mark.parametrize("name", NAMES)
def test_names_and_chat_at_a_table(ann: chrome.Watched, browser: Any, server: Served, name: str) -> None:
    """In the lobby, in the log, at the seats, in what is said, on the sheet of the deal, and on the first page."""
    page = ann.page
    body = {"game": "thirty-one", "seats": 2, "bots": ["", ""], "name": name, "listed": True}
    made = page.request.post(server.url + "/api/tables", data=body).json()
    page.goto(server.url + made["path"])
    harmless(page, name)
    ben = chrome.visitor(browser, server.url)
    ben.page.add_init_script(COUNT)
    ben.page.goto(server.url)
    harmless(ben.page, name)
    ben.page.goto(server.url + made["path"])
    harmless(ben.page, name)
    ben.page.get_by_label("Your name").fill(name[::-1])
    ben.page.get_by_role("button", name="Sit here").click()
    for one in (page, ben.page):
        one.wait_for_selector(".live")
        harmless(one, name, name[::-1])
    ben.page.get_by_placeholder("Say something").fill(LONG)
    ben.page.get_by_placeholder("Say something").press("Enter")
    for one in (page, ben.page):
        harmless(one, LONG)
    page.goto(server.url)
    harmless(page, "Thirty-One")
    ben.page.context.close()
    assert ann.complaints == []


def record(name: str) -> str:
    """A finished match whose players have such names."""
    m = Match("fan-tan", 3, seed=1, deals=1)
    players = [bot("simple", 1) for _ in range(m.seats)]
    while not m.over:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])))
    return str(Record({**m.record().keys, "players": [name] * m.seats}))


@pytest.mark.parametrize("name", [*NAMES, LONG[:24]])
def test_names_in_a_record(ann: chrome.Watched, server: Served, name: str) -> None:
    """In the replay, the review and the list of finished matches."""
    page = ann.page
    page.goto(server.url + "/finished")
    kept = page.evaluate(
        "async (text) => (await fetch('/api/records', {method: 'POST', body: text})).json()", record(name)
    )
    page.goto(f"{server.url}/replay/{kept['id']}?review")
    page.wait_for_selector(".review .sum b")
    harmless(page, name)
    page.get_by_role("button", name="To the end").click()
    harmless(page, name)
    for path in ("/finished", "/statistics"):
        page.goto(server.url + path)
        page.wait_for_selector("h1")
        harmless(page)
    assert ann.complaints == []


@pytest.mark.parametrize("path", ["/finished", "/verify"])
def test_a_record_that_cannot_be_read(ann: chrome.Watched, server: Served, path: str, tmp_path: Path) -> None:
    """The error repeats what is wrong with it."""
    page = ann.page
    for k, text in enumerate((f'game = "{LONG}"', f"{LONG} = 1", f'cardtable = 1\ngame = "fan-tan"\nrules = "{LONG}"')):
        file = tmp_path / f"{k}.toml"
        file.write_text(text, "utf-8")
        page.goto(server.url + path)
        page.locator("input[type=file]").set_input_files(file)
        page.locator(".problem").first.wait_for()
        harmless(page)


def test_addresses_and_what_is_searched_for(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    for path in (f"/t/{quote(LONG, '')}", f"/rules/{quote(LONG, '')}", f"/new?game={quote(LONG)}", f"/{quote(LONG)}",
            f"/rules/fan-tan?preset={quote(LONG)}", "/replay/1?" + quote(LONG)):  # fmt: skip
        page.goto(server.url + path)
        page.wait_for_load_state("networkidle")
        assert page.locator("body").inner_text().strip()
        harmless(page)
    for field in (page.get_by_role("searchbox"), page.get_by_label("A friend's code")):
        page.goto(server.url)
        field.fill(LONG[:60])
        field.press("Enter")
        page.locator(".problem").first.wait_for()
        harmless(page)
