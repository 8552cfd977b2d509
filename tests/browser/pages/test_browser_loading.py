"""How much a page loads; files that do not come, connections that do not open, and pages that the browser translates:
in a real Chromium.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from cardtable.server import app
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed
FAILED = "A part of this page could not be loaded. Trying again automatically."

#: as a browser translates a page: each text node becomes elements, and what comes later is translated, too
TRANSLATED = """() => {
  const each = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement.closest("font, script, style, [translate=no], svg")) continue;
      const font = document.createElement("font");
      font.append(document.createElement("font"));
      font.firstChild.textContent = text.data;
      text.replaceWith(font);
    }
  };
  each(document.body);
  new MutationObserver((all) => all.forEach(({ target }) => each(target)))
    .observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def visitor(browser: Any, server: Served) -> Any:
    one = chrome.visitor(browser, server.url)
    yield one
    one.complaints.clear()


def table(one: chrome.Watched) -> str:
    """The address of a table against bots."""
    return one.table("fan-tan", seats=3, bots=["", "medium", "medium"], number="fan-tan 1")


def asked(page: Any, address: str) -> list[str]:
    """The paths of all that a page asks the server for until it rests."""
    paths = list[str]()
    network = page.context.new_cdp_session(page)
    network.on("Network.responseReceived", lambda event: answered(event["response"]))
    network.send("Network.enable")

    def answered(answer: dict[str, Any]) -> None:
        if not answer.get("fromDiskCache"):
            paths.append(urlsplit(answer["url"]).path)

    page.goto(address, wait_until="networkidle")
    network.detach()
    return paths


def test_the_first_page_loads_little(browser: Any, server: Served) -> None:
    """Only what it shows, each once; and on a later visit only what may have changed."""
    ann = chrome.visitor(browser, server.url)
    first = asked(ann.page, server.url)
    assert len(first) == len(set(first)) <= 26
    assert not [path for path in first if "/cards/" in path or "table" in path.removeprefix("/api/tables")]
    later = ann.page.context.new_page()
    assert sorted(asked(later, server.url)) == ["/", "/api/games", "/api/me", "/api/tables"]
    ann.page.mouse.move(200, 200)  # perhaps to deal cards
    ann.page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((e) => e.name.endsWith('/felt.js'))"
    )


@pytest.mark.parametrize(("width", "shown"), [(1280, True), (390, False)])
def test_pictures_of_court_cards_are_loaded_where_they_are_shown(
    browser: Any, server: Served, width: int, shown: bool
) -> None:
    """Not on a phone, whose cards have large indices instead."""
    one = chrome.visitor(browser, server.url, width)
    page, loaded = one.page, set[str]()
    page.on("request", lambda request: loaded.add(urlsplit(request.url).path))
    page.goto(table(one))
    page.wait_for_selector(".live.turn")
    held = page.evaluate("[...document.querySelectorAll('.hand .card')].map((el) => el.dataset.card)")
    courts = {f"/static/{app.site().digest}/cards/{card}.svg" for card in held if card[0] in "JQK"}
    assert courts
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert {path for path in loaded if "/cards/" in path} == (courts if shown else set())


def test_a_page_of_before_an_upgrade(visitor: chrome.Watched) -> None:
    """It asks for a file that the server does not have any more, and loads itself again."""
    page = visitor.page
    page.goto(visitor.url)
    play = page.get_by_role("button", name="Play now: Fan Tan", exact=True)
    play.wait_for()
    page.route(re.compile("/static/"), lambda one: one.fulfill(status=404))
    page.once("framenavigated", lambda _: page.unroute_all())
    play.click()
    page.wait_for_selector(".live")


@pytest.mark.parametrize("file", ["main.js", "vendor/preact.mjs", "pages/table.js", "hand/drag.js"])
def test_a_file_that_does_not_come(visitor: chrome.Watched, file: str) -> None:
    """The page says what is the matter, and is there in the end without a hand."""
    page = visitor.page
    said = list[str]()
    page.expose_function("said", lambda text: said.append(text))
    page.add_init_script(
        "new MutationObserver(() => { const p = document.querySelector('.unloaded p'); if (p) said(p.innerText); })"
        ".observe(document, { childList: true, subtree: true });"
    )
    page.route(re.compile(re.escape(f"/{file}")), lambda one: one.continue_() if said else one.abort())
    page.goto(table(visitor))
    page.wait_for_selector(".live")
    assert said[0] == FAILED
    assert not page.locator(".unloaded").count()


def test_a_style_that_fails_once(visitor: chrome.Watched) -> None:
    page = visitor.page
    asked = list[str]()

    def once(route: Any) -> None:
        asked.append(route.request.url)
        route.continue_() if len(asked) > 1 else route.abort()

    page.route(re.compile("/style/all.css"), once)
    page.goto(table(visitor))
    page.wait_for_selector(".live")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.live')).display === 'grid'")
    assert not page.locator(".unloaded").count()


def test_it_can_be_tried_again_by_hand(visitor: chrome.Watched) -> None:
    page = visitor.page
    page.clock.install()
    page.route(re.compile("/message.js"), lambda route: route.abort())
    page.goto(visitor.url)
    chrome.expect(page.get_by_role("alert")).to_have_text(FAILED)
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()


def test_it_is_said_when_a_file_hangs(visitor: chrome.Watched) -> None:
    page = visitor.page
    held = list[Any]()
    page.clock.install()
    page.route(re.compile("/message.js"), lambda route: held.append(route))
    page.goto(visitor.url, wait_until="commit")
    page.wait_for_function("() => document.body?.textContent.includes('Cardtable')")
    page.clock.run_for(9000)
    page.get_by_role("alert").get_by_text("This page is taking long to load.").wait_for()
    for one in held:
        one.continue_()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    assert not page.locator(".unloaded").count()


def test_a_proxy_that_lets_no_websockets_through(visitor: chrome.Watched) -> None:
    """The likely cause is shown, and the table opens automatically when they come through."""
    page = visitor.page
    opens = list[Any]()
    page.route_web_socket(re.compile("/ws/"), lambda line: line.connect_to_server() if opens else line.close())
    page.goto(table(visitor))
    page.locator(".offline", has_text="does not let WebSockets through").wait_for()
    opens.append(True)
    page.wait_for_selector(".live")
    page.wait_for_selector(".offline", state="detached")


def test_a_page_that_the_browser_translates(visitor: chrome.Watched) -> None:
    """Texts and numbers stay what the page says, and the page offers its own languages."""
    page = visitor.page
    page.goto(table(visitor))
    page.wait_for_selector(".live.turn")
    page.evaluate(TRANSLATED)
    for _ in range(3):
        page.wait_for_selector(".live.turn")
        page.mouse.click(*page.evaluate(chrome.AIM))
    page.wait_for_selector(".live.turn")
    assert page.locator("font").count()
    text = """['.others', '.log', '.message .now', '.actions']
      .map((one) => document.querySelector(one).innerText.replace(/\\s+/g, ' '))"""
    translated = page.evaluate(text)
    page.get_by_role("button", name="Deutsch").wait_for()
    page.reload()
    page.wait_for_selector(".live.turn")
    assert page.evaluate(text) == translated
