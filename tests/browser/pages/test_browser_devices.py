"""A person with several devices, in Chromium: another one becomes theirs, and devices are signed out."""

from __future__ import annotations

import json
from typing import Any

from tests.browser.pages.test_browser_people import NAME, cookie
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed


def link(page: Any, server: Served) -> str:
    """A link for another device, as a person makes it on their page."""
    page.goto(f"{server.url}/you")
    page.get_by_role("button", name="Make a link").click()
    made = page.get_by_label("Link for another device").input_value()
    code = page.get_by_role("img", name="The link for another device as a QR code")
    assert code.evaluate("el => el.naturalWidth") > 0
    return str(made)


def consents(page: Any, server: Served) -> None:
    """Confirm that one is the person who made the open link."""
    page.get_by_role("button", name="Yes, this is me").click()
    page.wait_for_url(f"{server.url}/you")


def listed(page: Any) -> Any:
    return page.get_by_role("region", name="Your devices").get_by_role("listitem")


def test_devices_are_linked_and_signed_out(ann: chrome.Watched, server: Served, browser: Any) -> None:
    ann.deal("fan-tan", seats=2, bots=["", "medium"], name=NAME)
    table = ann.page.url
    phone = chrome.visitor(browser, server.url, 390, 844, has_touch=True)
    another_device_becomes_the_same_person(ann, phone, server)
    a_device_is_signed_out_from_another(ann, phone, server, table)
    all_others_are_signed_out([ann, chrome.visitor(browser, server.url)], phone, server)


def another_device_becomes_the_same_person(ann: chrome.Watched, phone: chrome.Watched, server: Served) -> None:
    """It asks first, shows the identity, and keeps the secret out of addresses and history."""
    table = ann.page.url
    made = link(ann.page, server)
    ann.page.goto(made)
    ann.page.get_by_text("This browser is linked already").wait_for()
    page, asked = phone.page, []
    page.on("request", lambda request: asked.append(request.url + str(request.headers)))
    phone.deal("busca", bots=["", "medium", "medium"], seats=3)
    before = cookie(page)
    page.goto(made)
    page.get_by_text("This browser already has 1 table and 0 finished games.").wait_for()
    page.get_by_role("link", name="No, leave it as it is").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    assert cookie(page) == before, "nothing happens without consent"
    page.goto(made)
    whose = page.get_by_text(f"This link makes this browser another device of {NAME}")
    chrome.expect(whose).to_contain_text("1 table and 0 finished games")
    assert page.url == f"{server.url}/link"
    assert cookie(page) == before
    consents(page, server)
    assert cookie(page) not in (before, cookie(ann.page))
    page.goto(table)
    page.wait_for_selector(".live")
    assert json.loads(page.evaluate("localStorage.cardtable"))["name"] == NAME
    secret = made.rpartition("#")[2]
    assert asked
    assert not [line for line in asked if secret in line]
    page.goto(made)
    page.get_by_role("alert").get_by_text("too old, was used already").wait_for()


def a_device_is_signed_out_from_another(ann: chrome.Watched, phone: chrome.Watched, server: Served, table: str) -> None:
    """The table that is open there says why it closes, and after that the browser is somebody new. The page says so if
    it fails.
    """
    ann.page.goto(table)
    ann.page.wait_for_selector(".live")
    phone.page.goto(f"{server.url}/you")
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


def all_others_are_signed_out(others: list[chrome.Watched], phone: chrome.Watched, server: Served) -> None:
    """With one press."""
    for other in others:
        other.page.goto(link(phone.page, server))
        consents(other.page, server)
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
    phone.complaints.clear()  # of the request that was cut, and of the link that was used
