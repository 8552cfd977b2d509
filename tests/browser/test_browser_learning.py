"""What a player is asked, moves that are refused with a reason, and first hands, in a real Chromium."""

from __future__ import annotations

from typing import Any

from cardtable.match.lesson import lesson
from cardtable.rules import catalog
from tests.browser.test_browser_table import bots
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed


#: make the next move of a first hand, in any seat; whether there is none
STEP = """() => {
  const buttons = [...document.querySelectorAll(".learn .buttons button")];
  buttons.find((el) => el.matches(".primary"))?.click();
  return buttons.some((el) => !el.matches(".primary"));
}"""


def stepped_through(page: Any, url: str, game: str, preset: str) -> None:
    """Play a first hand to its end by what the page shows, without the time that it leaves to read others' moves."""
    page.goto(f"{url}/learn/{game}?rules={preset}")
    page.wait_for_selector(".learn .says p")
    for _ in range(100):
        if page.evaluate(STEP):
            return
    raise AssertionError(f"{game} {preset}: the hand does not end")


def test_a_first_hand(browser: Any, server: Served) -> None:
    """It is offered at the first table of a game, and from its rules; it leads back to the table, and is not offered
    again. Other moves are answered, and it can be played to its end: those of all games are in
    `test_browser_languages`.
    """
    ann = chrome.visitor(browser, server.url, chosen={"coached": False})
    ann.deal("scopa", **bots(2), number="scopa 1")
    page = ann.page
    page.locator(".coach a", has_text="Play a first hand").click()
    page.wait_for_selector(".learn .try")
    page.get_by_role("link", name="Skip", exact=True).click()
    page.wait_for_selector(".live")
    ann.deal("scopa", **bots(2), number="scopa 2")
    page.wait_for_selector(".live.turn")
    assert not page.locator(".coach a").count(), "it is not new any more"
    page.goto(f"{server.url}/rules/scopa")
    page.locator("a", has_text="Play a first hand").click()
    page.wait_for_selector(".learn .try")
    other_moves_are_answered(page)
    for game, preset in (("scopa", "scopa"), ("michigan", "boodle")):
        hand = lesson(catalog.find(game), preset)
        assert hand
        stepped_through(page, ann.url, game, preset)
        assert f"{len(hand.own)} of {len(hand.own)} moves" in page.locator("h1").inner_text()
        page.get_by_role("button", name="Once more").wait_for()
        assert page.get_by_role("link", name="Set up a table").count()


def other_moves_are_answered(page: Any) -> None:
    """A card that may not be played has its reason; one that may, but is not this hand's, is said to be so."""
    page.locator(".hand [data-card='7S']").click(position=chrome.CORNER)
    assert "is allowed too" in page.locator(".answer").inner_text()
    page.locator(".hand [data-card=JD]").click(position=chrome.CORNER)
    page.wait_for_selector("text=1 of 4 moves")
