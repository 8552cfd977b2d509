"""Friends at a table, in Chromium: the lobby, spectators, names, reactions."""

from __future__ import annotations

from typing import Any

import browser as chrome

pytestmark = chrome.needed


def test_friends_meet_and_the_host_begins(ann: chrome.Watched, browser: Any) -> None:
    body = {"game": "fan-tan", "preset": "british", "options": {"ante": 2}, "seats": 2, "begins": "host", "name": "Ann"}
    made = ann.page.request.post(ann.url + "/api/tables", data=body).json()
    ben = chrome.visitor(browser, ann.url)
    for one in (ann, ben):
        one.page.goto(ann.url + made["path"])
        one.page.get_by_text("Fan Tan as the British play it, ante 2").wait_for()
    ben.page.get_by_text("You are watching. Take a free seat to play.").wait_for()
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit here").click()
    ben.page.get_by_text("You are watching").wait_for(state="detached")
    ann.page.get_by_text("not ready yet", exact=True).wait_for()
    ben.page.get_by_role("button", name="React with 👏").click()
    ann.page.locator(".bubble").get_by_text("👏").wait_for()
    ben.page.get_by_role("button", name="I am ready").click()
    ann.page.locator(".isready").wait_for()
    ann.page.get_by_role("button", name="Start", exact=True).click()
    ben.page.wait_for_selector(".live")
    # at the running table
    ben.page.get_by_role("button", name="Menu").click()
    ben.page.get_by_label("Your name at this table").fill("Benno")
    ben.page.get_by_role("button", name="Change the name").click()
    ann.page.locator(".others .name").get_by_text("Benno", exact=True).wait_for()
    ann.page.locator(".log").get_by_text("Ben is now called Benno").wait_for()
    ben.page.keyboard.press("Escape")
    ann.page.locator(".side").get_by_role("button", name="React with 👍").click()
    ben.page.locator(".others .bubble").get_by_text("👍").wait_for()
    cleo = chrome.visitor(browser, ann.url)
    cleo.page.goto(ann.url + made["path"])
    cleo.page.get_by_text("You are watching.", exact=True).wait_for()
    # what is drawn by the font alone is as bright as the texts around it
    colour = "(which) => getComputedStyle(document.querySelector(which)).color"
    assert ann.page.evaluate(colour, ".side .reactions button") == ann.page.evaluate(colour, ".live")
    assert cleo.page.evaluate(colour, ".looking-on") == cleo.page.evaluate(colour, ".live")
    assert cleo.page.get_by_role("button", name="React with 👍").count() == 0
    # another match with one click
    ben.page.get_by_role("button", name="Menu").click()
    ben.page.get_by_role("button", name="Give up").click()
    ben.page.get_by_role("button", name="Really give up?").click()
    for one in (ann, ben):
        one.page.get_by_role("button", name="Play again").click()
    ann.page.locator(".live").get_by_text("deal 1", exact=True).wait_for()
    for one in (ben, cleo):
        assert one.complaints == []
        one.page.context.close()
