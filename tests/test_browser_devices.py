"""Signing out devices in the browser, in Chromium."""

from __future__ import annotations

from typing import Any

import browser as chrome
from served import Served

pytestmark = chrome.needed


def link(ann: chrome.Watched, other: chrome.Watched, server: Served) -> None:
    """Make another browser a device of Ann's."""
    ann.page.goto(f"{server.url}/you")
    ann.page.get_by_role("button", name="Make a link").click()
    made = ann.page.get_by_label("Link for another device").input_value()
    other.page.goto(made)
    other.page.get_by_role("button", name="Yes, this is me").click()
    other.page.wait_for_url(f"{server.url}/you")


def listed(page: Any) -> Any:
    """The entries of the list of devices."""
    return page.get_by_role("region", name="Your devices").get_by_role("listitem")


def test_the_first_device_is_signed_out_from_another(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """The table that is open there says why it closes; after that the browser is somebody new."""
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    table = ann.page.url
    phone = chrome.visitor(browser, server.url, 390, 844, has_touch=True)
    link(ann, phone, server)
    ann.page.goto(table)
    ann.page.wait_for_selector(".live")
    phone.page.reload()
    listed(phone.page).nth(1).wait_for()
    assert listed(phone.page).nth(0).inner_text().startswith("Your first device")
    assert listed(phone.page).nth(1).inner_text().strip() == "This device"
    phone.page.get_by_role("button", name="Sign out: Your first device").click()
    phone.page.get_by_role("status").get_by_text("1 device is signed out.").wait_for()
    listed(phone.page).nth(1).wait_for(state="detached")
    ann.page.get_by_text("signed out on another of your devices").wait_for()
    ann.page.goto(f"{server.url}/you")
    listed(ann.page).get_by_text("This device").wait_for()
    assert ann.page.request.get(f"{server.url}/api/me").json()["tables"] == []
    phone.page.goto(table)
    phone.page.wait_for_selector(".live")
    phone.page.context.close()


def test_all_others_are_signed_out_with_one_press(ann: chrome.Watched, server: Served, browser: Any) -> None:
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    phones = [chrome.visitor(browser, server.url) for _ in range(2)]
    for phone in phones:
        link(ann, phone, server)
    ann.page.goto(f"{server.url}/you")
    listed(ann.page).nth(2).wait_for()
    assert [text.partition(" ")[0] for text in listed(ann.page).all_inner_texts()] == ["This", "Linked", "Linked"]
    ann.page.get_by_role("button", name="Sign out all other devices").click()
    ann.page.get_by_role("status").get_by_text("2 devices are signed out.").wait_for()
    listed(ann.page).nth(1).wait_for(state="detached")  # the list comes after the message
    assert ann.page.get_by_role("button", name="Sign out").count() == 0
    for phone in phones:
        assert phone.page.request.get(f"{server.url}/api/me").json()["tables"] == []
        phone.page.context.close()
    assert ann.page.request.get(f"{server.url}/api/me").json()["tables"]


def test_if_it_fails_the_page_says_so(ann: chrome.Watched, server: Served, browser: Any) -> None:
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    phone = chrome.visitor(browser, server.url)
    link(ann, phone, server)
    ann.page.goto(f"{server.url}/you")
    listed(ann.page).nth(1).wait_for()
    ann.page.route("**/api/me/devices/*", lambda route: route.abort())
    ann.page.get_by_role("button", name="Sign out: Linked").click()
    ann.page.get_by_role("alert").get_by_text("The server does not answer").wait_for()
    chrome.expect(listed(ann.page)).to_have_count(2)
    assert phone.page.request.get(f"{server.url}/api/me").json()["tables"]
    ann.complaints.clear()  # of the request that was cut
    phone.page.context.close()
