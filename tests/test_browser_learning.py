"""What a player is asked, moves that are refused with a reason, and first hands, in a real Chromium."""

from __future__ import annotations

from typing import Any

import browser as chrome
from served import Served
from test_browser_table import bots

from cardtable import catalog
from cardtable.lesson import lesson

pytestmark = chrome.needed
NEW = '{"speed": "instant", "name": "Ann", "coached": false}'


def test_the_game_asks_in_its_own_words_and_says_why(browser: Any, server: Served) -> None:
    ann = chrome.visitor(browser, server.url)
    ann.deal("thirty-one", **bots(3), number="thirty-one 1")
    page = ann.page
    page.wait_for_selector(".live.turn")
    asked = page.locator(".message .prompt")
    assert "or a card of the stock" in asked.inner_text()
    knock = page.locator(".offers button", has_text="Knock")
    assert "one more turn" in knock.inner_text()
    asked.get_by_role("button", name="Why?").click()
    page.wait_for_selector("dialog .lit")
    assert "TO-09" in page.locator("dialog .lit").inner_text()
    assert ann.complaints == []
    page.context.close()


def test_bids_that_the_dealer_may_not_make_are_shown_with_the_reason(browser: Any, server: Served) -> None:
    ann = chrome.visitor(browser, server.url)
    page = ann.page
    ann.deal("oh-hell", **bots(3), number="oh-hell 2")  # the person deals
    page.wait_for_selector(".live.turn .barred")
    barred = page.locator(".barred")
    allowed = page.locator(".offers.numbers [data-offer]")
    numbers = [int(text) for text in [*barred.locator("button").all_inner_texts(), *allowed.all_inner_texts()]]
    assert numbers == list(range(len(numbers))), "every bid is there, in order"
    last = barred.locator("button").last
    last.hover()
    reason = barred.locator("[role=tooltip]").last
    reason.wait_for(state="visible")
    assert "must come to more than" in reason.inner_text()
    assert last.get_attribute("aria-disabled") == "true"
    last.click(force=True)  # for Playwright it is not enabled
    page.wait_for_selector(".message.bad")
    assert ann.complaints == []
    page.context.close()


#: make the next move of a first hand, whoever's it is; whether there is none
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


def test_a_first_hand_can_be_played_to_its_end(ann: chrome.Watched) -> None:
    """Those of all games are in `test_browser_languages`."""
    page = ann.page
    for game, preset in (("scopa", "scopa"), ("michigan", "boodle")):
        told = lesson(catalog.find(game), preset)
        assert told
        stepped_through(page, ann.url, game, preset)
        assert f"{len(told.own)} of {len(told.own)} moves" in page.locator("h1").inner_text()
        page.get_by_role("button", name="Once more").wait_for()
        assert page.get_by_role("link", name="Set up a table").count()


def test_other_moves_are_answered(browser: Any, server: Served) -> None:
    """A card that may not be played has its reason; one that may, but is not this hand's, is said to be so."""
    ann = chrome.visitor(browser, server.url)
    page = ann.page
    page.goto(f"{server.url}/learn/scopa?rules=scopa")
    page.wait_for_selector(".learn .try")
    page.locator(".hand [data-card='7S']").click(position=chrome.CORNER)
    assert "allowed, too" in page.locator(".answer").inner_text()
    page.locator(".hand [data-card=JD]").click(position=chrome.CORNER)
    page.wait_for_selector("text=1 of 4 moves")
    page.context.close()


def test_a_first_hand_is_offered_to_who_is_new(browser: Any, server: Served) -> None:
    """At the first table of a game, and from its rules; it leads back to the table, and is not offered again."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.add_init_script(f"localStorage.getItem('cardtable') ?? localStorage.setItem('cardtable', {NEW!r})")
    ann = chrome.Watched(context.new_page(), server.url)
    ann.deal("scopa", **bots(2), number="scopa 1")
    page = ann.page
    page.locator(".coach a", has_text="Play a first hand").click()
    page.wait_for_selector(".learn .try")
    page.get_by_role("link", name="Skip").click()
    page.wait_for_selector(".live")
    ann.deal("scopa", **bots(2), number="scopa 2")
    page.wait_for_selector(".live.turn")
    assert not page.locator(".coach a").count(), "it is not new any more"
    page.goto(f"{server.url}/rules/scopa")
    page.locator("a", has_text="Play a first hand").click()
    page.wait_for_selector(".learn .try")
    assert ann.complaints == []
    context.close()
