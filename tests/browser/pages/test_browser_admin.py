"""In Chromium: people who are banned, muted or kicked, and those at a closed table, see the reason."""

from __future__ import annotations

from typing import Any

from cardtable.table.setup import clean
from tests.browser.pages.test_browser_injection import Visitor
from tests.support import browser as chrome
from tests.support import hostile
from tests.support.server import operating
from tests.support.server.operating import ask, done, listed, restrict
from tests.support.server.served import Served

pytestmark = chrome.needed
running, server = operating.running, operating.server


def test_what_the_operator_does_is_told(server: Served, browser: Any) -> None:
    """At the table at once, and on other pages when they ask; a reason is text and nothing else."""
    ann = Visitor(chrome.visitor(browser, server.url))
    page, reason = ann.page, clean(hostile.ALL, 200)

    def table() -> tuple[Any, str]:
        """A new table at which Ann plays, and who she is."""
        made = ann.post("/api/tables", {"game": "fan-tan", "name": "Ann", "seats": 2, "bots": ["", "medium"]})
        ann.goes(made["path"])
        page.wait_for_selector(".live")
        return made, str(listed(server, made["id"])["seats"][0]["person"])

    made, who = table()
    restrict(server, kind="mute", person=who, seconds=3600, reason=hostile.ALL)
    page.get_by_text("The operator does not let you use the chat for another 60 minutes").first.wait_for()
    ann.sees(reason)

    done(ask(server, "POST", f"tables/{made['id']}/kick", {"person": who, "reason": hostile.ALL}))
    kicked = page.get_by_text("The operator has removed you from this table for good: ")
    kicked.wait_for()
    ann.sees(reason)
    ann.goes(made["path"])
    kicked.wait_for()
    ann.sees(reason)
    assert not [peer for peer in server.app.hall.sockets if not peer.ended], "who is kicked does not knock again"

    made, who = table()
    done(ask(server, "POST", f"tables/{made['id']}/close", {"reason": hostile.ALL}))
    for _ in range(2):
        page.get_by_role("heading", name="This table is closed").wait_for()
        chrome.expect(page.get_by_text("The operator has closed it: ")).to_be_visible()
        ann.sees(reason)
        ann.goes(made["path"])

    made, who = table()
    restrict(server, kind="ban", person=who, seconds=86_400, reason=hostile.ALL)
    banned = page.get_by_text("The operator has banned you from this server for another 24 hours: ")
    banned.wait_for()
    ann.sees(reason)
    ann.goes("/")
    page.get_by_role("heading", name="You are banned").wait_for()
    chrome.expect(banned).to_be_visible()
    ann.sees(reason)
    page.get_by_role("link", name="Your data on this server").click()
    page.get_by_role("link", name="Download your data").wait_for()
    assert [line for line in ann.complaints if "status of 403" not in line] == []
    ann.leave()


#: whether what stands first on a page begins below the banner, and a table ends with the screen
BELOW = """() => {
    const first = document.querySelector(".top, .live"), table = document.querySelector(".live");
    const banner = document.querySelector(".site").getBoundingClientRect();
    return [first.getBoundingClientRect().top >= banner.bottom,
        !table || table.getBoundingClientRect().bottom <= innerHeight + 1];
}"""


def test_what_the_operator_tells_everybody_is_above_every_page(server: Served, browser: Any) -> None:
    """At a table at once, on other pages when they are loaded; it can be put away, until it is another."""
    ann = Visitor(chrome.visitor(browser, server.url))
    page, banner = ann.page, ann.page.get_by_label("From the operator")
    made = ann.post("/api/tables", {"game": "fan-tan", "name": "Ann", "seats": 2, "bots": ["", "medium"]})
    ann.goes(made["path"])
    page.wait_for_selector(".live")
    done(ask(server, "POST", "notice", {"text": hostile.ALL}))
    try:
        banner.wait_for()
        ann.sees(clean(hostile.ALL, 300))
        banner.get_by_role("button", name="Close").click()
        banner.wait_for(state="detached")
        done(ask(server, "POST", "chat", {"on": False}))
        page.get_by_text("The chat is switched off.").wait_for()
        done(ask(server, "POST", "notice", {"text": "Back at noon"}))
        for place in ("/", made["path"]):
            ann.goes(place)
            banner.wait_for()
            chrome.expect(banner).to_contain_text("Back at noon")
            page.locator(":is(.top .home, .live .bar)").first.wait_for()
            assert page.evaluate(BELOW) == [True, True], "it covers nothing, and a table fits below it"
    finally:
        done(ask(server, "POST", "chat", {"on": True}))
        done(ask(server, "POST", "notice", {"text": ""}))
    ann.goes("/settings")
    page.get_by_role("heading", name="Settings").wait_for()
    chrome.expect(banner).to_have_count(0)
    ann.leave()
