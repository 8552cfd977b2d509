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


def test_devices_are_signed_out(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """The first one from another: the table that is open there says why it closes, and after that the browser is
    somebody new. Then all others with one press. The page says so if it fails.
    """
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

    phone.page.route("**/api/me/devices/*", lambda route: route.abort())
    phone.page.get_by_role("button", name="Sign out: Your first device").click()
    phone.page.get_by_role("alert").get_by_text("The server does not answer").wait_for()
    chrome.expect(listed(phone.page)).to_have_count(2)
    assert ann.page.request.get(f"{server.url}/api/me").json()["tables"]
    phone.page.unroute("**/api/me/devices/*")

    phone.page.get_by_role("button", name="Sign out: Your first device").click()
    phone.page.get_by_role("status").get_by_text("1 device is signed out.").wait_for()
    listed(phone.page).nth(1).wait_for(state="detached")
    ann.page.get_by_text("signed out on another of your devices").wait_for()
    ann.page.goto(f"{server.url}/you")
    listed(ann.page).get_by_text("This device").wait_for()
    assert ann.page.request.get(f"{server.url}/api/me").json()["tables"] == []
    phone.page.goto(table)
    phone.page.wait_for_selector(".live")

    others = [ann, chrome.visitor(browser, server.url)]
    for other in others:
        link(phone, other, server)
    phone.page.goto(f"{server.url}/you")
    listed(phone.page).nth(2).wait_for()
    assert [text.partition(" ")[0] for text in listed(phone.page).all_inner_texts()] == ["This", "Linked", "Linked"]
    phone.page.get_by_role("button", name="Sign out all other devices").click()
    phone.page.get_by_role("status").get_by_text("2 devices are signed out.").wait_for()
    listed(phone.page).nth(1).wait_for(state="detached")  # the list comes after the message
    assert phone.page.get_by_role("button", name="Sign out").count() == 0
    for other in others:
        assert other.page.request.get(f"{server.url}/api/me").json()["tables"] == []
    assert phone.page.request.get(f"{server.url}/api/me").json()["tables"]
    others[1].page.context.close()
    phone.page.context.close()
