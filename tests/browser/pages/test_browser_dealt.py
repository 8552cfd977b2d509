"""The deal of the day, and a deal by its number, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.review.winnable import Winnable
from cardtable.server.store import shared_deals
from cardtable.server.thinking.solving import WinnableDeals
from tests.support import browser as chrome

pytestmark = chrome.needed


def every_deal_can_be_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first number of a day, or number 12, as if the solver had won its deal: its own tests are in
    tests/review/test_winnable.py.
    """

    async def won(deals: WinnableDeals, *asked: Any) -> Winnable:
        return Winnable(asked[-1][0] if isinstance(asked[-1], list) else "12", 20_000, "medium")

    monkeypatch.setattr(WinnableDeals, "of_day", won)
    monkeypatch.setattr(WinnableDeals, "any", won)


def test_the_same_deal_is_played_by_several(ann: chrome.Watched, browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    the_deal_of_the_day(ann, monkeypatch)
    a_deal_by_its_number(ann, browser)


def the_deal_of_the_day(ann: chrome.Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scopa's with its results, one that is still being drawn, and one of Spider that can be won: on a day on which no
    other test plays, and which does not end meanwhile.
    """
    monkeypatch.setattr(shared_deals, "today", lambda: "2031-03-03")
    every_deal_can_be_won(monkeypatch)
    page = ann.page
    page.context.grant_permissions(["clipboard-write"])
    page.goto(ann.url)
    page.get_by_role("link", name="Deal of the day").click()
    page.get_by_label("Game").select_option("scopa")
    page.get_by_role("heading", name="Scopa", exact=True).wait_for()
    page.get_by_text("Nobody has played it yet.").wait_for()
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_selector(".live")
    assert "deal of the day" in page.locator(".bar h1").inner_text()
    page.goto(ann.url + "/daily/scopa")
    page.get_by_role("button", name="Go on", exact=True).click()
    page.wait_for_selector(".live")
    ann.give_up()
    page.wait_for_selector(".ending")
    ann.result()
    page.get_by_role("link", name="Results of the day").click()
    page.locator("tr.you").get_by_text("Ann (you)").wait_for()
    page.locator(".badge", has_text="gave up").wait_for()
    assert page.locator(".keepsake p").first.inner_text().startswith("gave up"), "what can be sent"
    page.get_by_role("button", name="Copy the text").click()
    page.get_by_role("button", name="Copied").wait_for()
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save as a picture").click()
    assert picture.value.suggested_filename == "cardtable.png"

    waiting: list[Any] = []
    page.route("**/api/daily/cassino", lambda route: waiting.append(route))
    page.goto(ann.url + "/daily/scopa")
    page.get_by_role("heading", name="Scopa", exact=True).wait_for()
    with page.expect_request("**/api/daily/cassino"):
        page.get_by_label("Game").select_option("cassino")
    page.get_by_text("One moment …").wait_for()
    while not waiting:  # it is handed over a moment after it was made
        page.title()
    assert page.get_by_role("heading", name="Scopa", exact=True).count() == 0
    assert page.get_by_label("Game").input_value() == "cassino"
    waiting[0].continue_()
    page.get_by_role("heading", name="Cassino").wait_for()
    assert page.get_by_text("One moment …").count() == 0

    page.get_by_label("Game").select_option("spider")
    page.get_by_text("A solver that sees all cards wins this deal. Difficulty: medium").wait_for()
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_selector(".live")


def a_deal_by_its_number(ann: chrome.Watched, browser: Any) -> None:
    ann.deal("cassino", seats=2, bots=["", "medium"], number="7/8")
    ann.page.get_by_role("button", name="Menu").click()
    link = ann.page.get_by_label("Link to these cards").input_value()
    ben = chrome.visitor(browser, ann.url)
    ben.page.goto(link)
    ben.page.get_by_text("Nobody has finished it yet.").wait_for()
    ann.page.keyboard.press("Escape")
    ann.give_up()
    ann.page.wait_for_selector(".ending")
    ben.page.goto(link)
    ben.page.get_by_role("heading", name="Cassino").wait_for()
    ben.page.get_by_role("row", name="Ann").wait_for()
    ben.page.get_by_role("button", name="Play these cards").click()
    ben.page.wait_for_selector(".live")
    own = "[...document.querySelectorAll('.hand [data-card]')].map((el) => el.dataset.card).sort().join()"
    assert ben.page.evaluate(own)
    assert "no. 7/8" in ben.page.locator(".bar h1").inner_text()
