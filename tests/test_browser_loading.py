"""Files that do not come, connections that do not open, and pages that the browser translates, in a real Chromium."""

from __future__ import annotations

import re
from typing import Any

import browser as chrome
import pytest
from served import Served

pytestmark = chrome.needed
FAILED = "A part of this page could not be loaded. It is tried again by itself."

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
    """A page that may complain."""
    page = chrome.visitor(browser, server.url).page
    yield page
    page.context.close()


def table(page: Any, server: Served) -> str:
    """The address of a table against bots."""
    body = {"game": "fan-tan", "seats": 3, "name": "Ann", "bots": ["", "simple", "simple"], "number": "fan-tan 1"}
    return server.url + str(page.request.post(server.url + "/api/tables", data=body).json()["path"])


@pytest.mark.parametrize("file", ["main.js", "vendor/preact.mjs", "table.js", "drag.js"])
def test_a_file_that_does_not_come(visitor: Any, server: Served, file: str) -> None:
    """The page says what is the matter, and is there in the end without a hand."""
    said = list[str]()
    visitor.expose_function("said", lambda text: said.append(text))
    visitor.add_init_script(
        "new MutationObserver(() => { const p = document.querySelector('.unloaded p'); if (p) said(p.innerText); })"
        ".observe(document, { childList: true, subtree: true });"
    )
    visitor.route(re.compile(re.escape(f"/static/{file}")), lambda one: one.continue_() if said else one.abort())
    visitor.goto(table(visitor, server))
    visitor.wait_for_selector(".live")
    assert said[0] == FAILED
    assert not visitor.locator(".unloaded").count()


def test_a_style_that_fails_once(visitor: Any, server: Served) -> None:
    asked = list[str]()

    def once(route: Any) -> None:
        asked.append(route.request.url)
        route.continue_() if len(asked) > 1 else route.abort()

    visitor.route(re.compile("/static/style/table.css"), once)
    visitor.goto(table(visitor, server))
    visitor.wait_for_selector(".live")
    visitor.wait_for_function("() => getComputedStyle(document.querySelector('.live')).display === 'grid'")
    assert not visitor.locator(".unloaded").count()


def test_it_can_be_tried_again_by_hand(visitor: Any, server: Served) -> None:
    visitor.clock.install()
    visitor.route(re.compile("/static/message.js"), lambda route: route.abort())
    visitor.goto(server.url)
    chrome.expect(visitor.get_by_role("alert")).to_have_text(FAILED)
    visitor.unroute_all()
    visitor.get_by_role("button", name="Try again").click()
    visitor.get_by_role("heading", name="What shall we play?").wait_for()


def test_it_is_said_when_a_file_hangs(visitor: Any, server: Served) -> None:
    held = list[Any]()
    visitor.clock.install()
    visitor.route(re.compile("/static/message.js"), lambda route: held.append(route))
    visitor.goto(server.url, wait_until="commit")
    visitor.wait_for_function("() => document.body?.textContent.includes('Cardtable')")
    visitor.clock.run_for(9000)
    visitor.get_by_role("alert").get_by_text("This page is taking long to load.").wait_for()
    for one in held:
        one.continue_()
    visitor.get_by_role("heading", name="What shall we play?").wait_for()
    assert not visitor.locator(".unloaded").count()


def test_a_proxy_that_lets_no_websockets_through(visitor: Any, server: Served) -> None:
    """It is said what may be the cause, and the table opens by itself when they come through."""
    opens = list[Any]()
    visitor.route_web_socket(re.compile("/ws/"), lambda line: line.connect_to_server() if opens else line.close())
    visitor.goto(table(visitor, server))
    visitor.locator(".offline", has_text="does not let WebSockets through").wait_for()
    opens.append(True)
    visitor.wait_for_selector(".live")
    visitor.wait_for_selector(".offline", state="detached")


def test_a_page_that_the_browser_translates(visitor: Any, server: Served) -> None:
    """Texts and numbers stay what the page says, and the page offers its own languages."""
    visitor.goto(table(visitor, server))
    visitor.wait_for_selector(".live.turn")
    visitor.evaluate(TRANSLATED)
    for _ in range(3):
        visitor.wait_for_selector(".live.turn")
        visitor.mouse.click(*visitor.evaluate(chrome.AIM))
    visitor.wait_for_selector(".live.turn")
    assert visitor.locator("font").count()
    text = """['.others', '.log', '.message .now', '.actions']
      .map((one) => document.querySelector(one).innerText.replace(/\\s+/g, ' '))"""
    translated = visitor.evaluate(text)
    visitor.get_by_role("button", name="Deutsch").wait_for()
    visitor.reload()
    visitor.wait_for_selector(".live.turn")
    assert visitor.evaluate(text) == translated
