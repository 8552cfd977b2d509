"""Friends at a table, in Chromium: the lobby, spectators, names, reactions, what is asked once more."""

from __future__ import annotations

import re
from typing import Any

from tests.support import browser as chrome

pytestmark = chrome.needed
NAME = "<b>Ben</b>"
RULES = "Thirty-One, everybody has: a banknote"


def test_friends_from_the_setup_page_to_another_match(ann: chrome.Watched, browser: Any) -> None:
    ben, cleo = (chrome.visitor(browser, ann.url) for _ in range(2))
    the_host_sets_the_table_up(ann)
    they_meet_and_the_host_begins(ann, ben)
    names_and_reactions_are_seen_at_the_running_table(ann, ben)
    a_dot_shows_what_is_unread(ann, ben)
    somebody_looks_on(ann, cleo)
    a_knock_is_asked_about_once_more(ann, ben)
    both_go_on_to_the_second_deal(ann, ben)
    another_match_begins_with_one_click(ann, ben)


def the_host_sets_the_table_up(ann: chrome.Watched) -> None:
    page = ann.page
    page.goto(ann.url + "/new?game=thirty-one&seats=3")
    page.get_by_label("One fewer").click()
    page.get_by_label("Player 2").select_option("")
    page.get_by_text("Standard rules: change").click()
    page.get_by_label("Everybody has").select_option("banknote")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_selector(".lobby")


def they_meet_and_the_host_begins(ann: chrome.Watched, ben: chrome.Watched) -> None:
    """Both read the house rules."""
    ben.page.goto(ann.page.url)
    for one in (ann, ben):
        one.page.get_by_text(RULES).wait_for()
    ben.page.get_by_text("You are watching. Take a free seat to play.").wait_for()
    ben.page.get_by_label("Your name").fill(NAME)
    ben.page.get_by_role("button", name="Sit here").click()
    ben.page.get_by_text("You are watching").wait_for(state="detached")
    ann.page.get_by_text(f"Not ready yet: {NAME}").wait_for()
    ann.page.get_by_text("not ready yet", exact=True).wait_for()
    ben.page.get_by_role("button", name="React with 👏").click()
    ann.page.locator(".bubble").get_by_role("img", name="👏").wait_for()
    start = ann.page.get_by_role("button", name="Start", exact=True)
    start.click()
    ann.page.get_by_role("button", name=f"Start although {NAME} is not ready?").wait_for()
    ben.page.get_by_role("button", name="I am ready").click()
    ann.page.locator(".isready").wait_for()
    start.click()
    for one in (ann, ben):  # the host has begun
        one.page.wait_for_selector(".live")
    assert NAME in ann.page.locator(".others").inner_text()


def names_and_reactions_are_seen_at_the_running_table(ann: chrome.Watched, ben: chrome.Watched) -> None:
    ben.page.get_by_role("button", name="Menu").click()
    ben.page.get_by_label("Your name at this table").fill("Benno")
    ben.page.get_by_role("button", name="Change the name").click()
    ann.page.locator(".others .name").get_by_text("Benno", exact=True).wait_for()
    ann.page.locator(".log").get_by_text(f"{NAME} is now called Benno").wait_for()
    ben.page.keyboard.press("Escape")
    ann.page.locator(".side").get_by_role("button", name="React with 👍").click()
    ben.page.locator(".others .bubble").get_by_role("img", name="👍").wait_for()


def a_dot_shows_what_is_unread(ann: chrome.Watched, ben: chrome.Watched) -> None:
    ben.page.set_viewport_size({"width": 390, "height": 844})
    dot = ben.page.locator(".bar .dot")
    assert dot.count() == 0
    ann.page.get_by_placeholder("Type a message").fill("Hello!")
    ann.page.get_by_placeholder("Type a message").press("Enter")
    dot.wait_for()
    ben.page.get_by_role("button", name="Chat").click()
    ben.page.locator("dialog .chat li", has_text="Hello!").wait_for()
    dot.wait_for(state="detached")
    ben.page.keyboard.press("Escape")
    ben.page.set_viewport_size({"width": 1280, "height": 720})


def somebody_looks_on(ann: chrome.Watched, cleo: chrome.Watched) -> None:
    """What is drawn by the font alone is as bright as the texts around it."""
    cleo.page.goto(ann.page.url)
    cleo.page.get_by_text("You are watching.", exact=True).wait_for()
    colour = "(which) => getComputedStyle(document.querySelector(which)).color"
    assert ann.page.evaluate(colour, ".side .reactions button") == ann.page.evaluate(colour, ".live")
    assert cleo.page.evaluate(colour, ".looking-on") == cleo.page.evaluate(colour, ".live")
    assert cleo.page.get_by_role("button", name="React with 👍").count() == 0


def a_knock_is_asked_about_once_more(ann: chrome.Watched, ben: chrome.Watched) -> None:
    ann.page.wait_for_selector(".live .seat.acts")
    actor, other = (ann, ben) if ann.page.locator(".live.turn").count() else (ben, ann)
    actor.page.wait_for_selector(".live.turn")
    knock = actor.page.locator(".rap button")
    knock.click()
    chrome.expect(knock).to_have_attribute("aria-label", re.compile("^Really knock"))
    actor.page.keyboard.press("Escape")
    chrome.expect(knock).not_to_have_attribute("aria-label", re.compile("^Really"))
    for x in (5, 30):  # at the same place and at once it would be the second click of a double click
        knock.click(position={"x": x, "y": 10})
    actor.page.wait_for_selector(".live:not(.turn)")
    other.play_deal()
    actor.page.wait_for_selector(".ending")


def both_go_on_to_the_second_deal(ann: chrome.Watched, ben: chrome.Watched) -> None:
    ann.result()
    ann.page.locator(".actions").get_by_role("button", name="Next deal").click()
    ann.page.get_by_text("Waiting for Ben").wait_for()
    ben.page.locator(".actions").get_by_role("button", name="Next deal").click()
    for one in (ann, ben):
        one.page.wait_for_selector("text=deal 2")


def another_match_begins_with_one_click(ann: chrome.Watched, ben: chrome.Watched) -> None:
    ben.give_up()
    for one in (ann, ben):
        one.page.get_by_role("button", name="Play again").click()
    ann.page.locator(".live").get_by_text("deal 1", exact=True).wait_for()
