"""What a player is asked, moves that are refused with a reason, and first hands, in a real Chromium."""

from __future__ import annotations

from typing import Any

from cardtable.match.lesson import lesson
from cardtable.rules import catalog
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed


#: make the next move of a first hand, in any seat; whether there is none
STEP = """() => {
  const buttons = [...document.querySelectorAll(".learn .buttons button")];
  if (buttons.some((el) => !el.matches(".primary"))) return true;
  buttons.find((el) => el.matches(".primary"))?.click();
  return false;
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
    """It is offered with the rules of a game. Other moves are answered, what is turned up is shown, it can be played to
    its end, and its hand is played on at a real table: those of all games are in `test_browser_languages`.
    """
    ann = chrome.visitor(browser, server.url)
    page = ann.page
    page.goto(f"{server.url}/rules/scopa")
    page.locator("a", has_text="Play a first hand").click()
    page.wait_for_selector(".learn .try")
    other_moves_are_answered(page)
    the_liar_is_unmasked(page, ann.url)
    for game, preset in (("scopa", "scopa"), ("michigan", "boodle")):
        hand = lesson(catalog.find(game), preset)
        assert hand
        stepped_through(page, ann.url, game, preset)
        assert f"{len(hand.read)} of {len(hand.read)}" in page.locator("h1").inner_text()
        page.get_by_role("button", name="Once more").wait_for()
        assert page.get_by_role("link", name="Set up a table").count()
    page.get_by_role("button", name="Play this hand on").click()
    page.wait_for_selector(".live.turn")
    assert page.locator(".money").count() == 4, "it is the table of the lesson"
    assert page.locator(".hand .card").count() == 10, "with its hand"


def the_liar_is_unmasked(page: Any, url: str) -> None:
    """After a doubt the lesson waits: the card is shown next to the claim, and who lied is said."""
    page.goto(f"{url}/learn/i-doubt-it?rules=doubt")
    page.wait_for_selector(".learn .says p")
    for _ in range(100):
        if page.locator(".learn .did > [data-card='9D'], .learn .did > .card").count():
            break
        page.evaluate(STEP)
    said = page.locator(".learn .says").inner_text()
    assert "lied" in said
    assert page.get_by_role("button", name="Next", exact=True).count(), "it waits"


def other_moves_are_answered(page: Any) -> None:
    """A card that may not be played has its reason; one that may, but is not this hand's, is said to be so."""
    page.locator(".hand [data-card='7S']").click(position=chrome.CORNER)
    assert "That is allowed, too" in page.locator(".answer").inner_text()
    page.locator(".hand [data-card=JD]").click(position=chrome.CORNER)
    page.wait_for_selector("text=1 of 5")
