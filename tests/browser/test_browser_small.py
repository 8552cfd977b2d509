"""A table that is higher than the screen, in a real Chromium."""

from __future__ import annotations

from tests.support import browser as chrome

pytestmark = chrome.needed


def test_a_table_that_is_higher_than_the_screen_scrolls(ann: chrome.Watched) -> None:
    """As at the end of a deal of twelve, where everybody's cards are shown, on a phone that is turned."""
    page = ann.page
    page.set_viewport_size({"width": 844, "height": 390})
    ann.deal("fan-tan", **chrome.alone("fan-tan"))
    page.evaluate("document.querySelector('.others').style.minHeight = '500px'")
    buttons = page.locator(".actions")
    assert buttons.bounding_box()["y"] > 390
    page.mouse.move(400, 200)
    page.mouse.wheel(0, 2000)
    page.wait_for_function("(el) => el.getBoundingClientRect().bottom <= innerHeight + 1", arg=buttons.element_handle())
