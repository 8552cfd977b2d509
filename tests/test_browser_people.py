"""People's own data in the browser, in Chromium: a file with all of it, and deleting it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import browser as chrome
from served import Served

pytestmark = chrome.needed
NAME = "<b onclick=hit()>Ann</b>"


def cookie(page: Any) -> str:
    """The cookie of a browser; "" if it has none."""
    return next((one["value"] for one in page.context.cookies() if one["name"] == "cardtable"), "")


def test_the_data_is_a_file_and_is_deleted_when_asked_twice(ann: chrome.Watched, server: Served) -> None:
    """The page says so if deleting fails. If it does not, the cookie goes, and so does everything else; the next visit
    is somebody else's.
    """
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"], name=NAME)
    page.goto(f"{server.url}/settings")
    page.get_by_role("link", name="Your devices and your data").click()
    page.get_by_role("heading", name="You", exact=True).wait_for()
    with page.expect_download() as loading:
        page.get_by_role("link", name="Download your data").click()
    assert loading.value.suggested_filename.endswith(".json")
    told = json.loads(Path(loading.value.path()).read_text("utf-8"))
    assert [one["name"] for one in told["tables"][0]["done"] if one["kind"] == "sat"] == [NAME]

    before = cookie(page)
    page.get_by_role("button", name="Delete your data …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("You leave 1 table where a match has not ended").wait_for()
    dialog.get_by_role("button", name="Keep it").click()
    dialog.wait_for(state="hidden")
    assert page.request.get(f"{server.url}/api/me").json()["tables"]
    assert cookie(page) == before

    page.route("**/api/me/data", lambda route: route.abort())
    page.get_by_role("button", name="Delete your data …").click()
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("alert").get_by_text("The server does not answer").wait_for()
    assert page.get_by_role("button", name="Delete everything").is_enabled()
    assert cookie(page) == before
    ann.complaints.clear()  # of the request that was cut
    page.unroute("**/api/me/data")

    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("heading", name="Your data is deleted").wait_for()
    chrome.expect(page.get_by_text("Nothing about you is left on this server.")).to_be_visible()
    assert cookie(page) == ""
    assert json.loads(page.evaluate("localStorage.cardtable"))["name"] == ""
    page.get_by_role("link", name="To the first page").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    assert cookie(page) not in ("", before)
    assert page.get_by_text("Your tables").count() == 0


def link(page: Any, server: Served) -> str:
    """A link for another device, as a person makes it on their page."""
    page.goto(f"{server.url}/you")
    page.get_by_role("button", name="Make a link").click()
    made = page.get_by_label("Link for another device").input_value()
    assert (
        page.get_by_role("img", name="The link for another device as a QR code").evaluate("el => el.naturalWidth") > 0
    )
    return str(made)


def test_another_device_becomes_the_same_person(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """It asks first, tells whose identity it is, and keeps the secret out of addresses and history."""
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"], name=NAME)
    table = page.url
    made = link(page, server)
    page.goto(made)
    page.get_by_text("This browser is linked already").wait_for()
    phone = chrome.visitor(browser, server.url, 390, 844, has_touch=True)
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url + str(request.headers)))
    phone.deal("busca", bots=["", "simple", "simple"], seats=3)
    before = cookie(phone.page)
    phone.page.goto(made)
    phone.page.get_by_text("This browser now has 1 table and 0 finished games of its own.").wait_for()
    phone.page.get_by_role("link", name="No, leave it as it is").click()
    phone.page.get_by_role("heading", name="What shall we play?").wait_for()
    assert cookie(phone.page) == before, "nothing happens without consent"
    phone.page.goto(made)
    whose = phone.page.get_by_text(f"This link makes this browser another device of {NAME}")
    chrome.expect(whose).to_contain_text("1 table and 0 finished games")
    assert phone.page.url == f"{server.url}/link"
    assert cookie(phone.page) == before
    phone.page.get_by_role("button", name="Yes, this is me").click()
    phone.page.wait_for_url(f"{server.url}/you")
    assert cookie(phone.page) not in (before, cookie(page))
    phone.page.goto(table)
    phone.page.wait_for_selector(".live")
    assert json.loads(phone.page.evaluate("localStorage.cardtable"))["name"] == NAME
    secret = made.rpartition("#")[2]
    assert not [line for line in asked if secret in line]
    phone.page.goto(made)
    phone.page.get_by_role("alert").get_by_text("too old, was used already").wait_for()
    phone.page.context.close()


def test_a_link_on_another_site_takes_nobodys_identity_away(ann: chrome.Watched, server: Served) -> None:
    """A browser does not send the cookie with such a visit, so it must not get another one either."""
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    before = cookie(page)
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    page.route(f"{elsewhere}/mail*", lambda route: route.fulfill(
        body=f"<a href='{server.url}/{unquote(route.request.url.partition('?')[2])}'>go</a>", content_type="text/html",
    ))  # fmt: skip
    for path, asked in (("", "/api/me"), ("link%23none", "/api/link")):
        page.goto(f"{elsewhere}/mail?{path}")
        with page.expect_response(server.url + asked) as answer:
            page.get_by_role("link", name="go").click()
        answer.value.finished()
        page.get_by_role("link", name="Statistics").wait_for()
        assert cookie(page) == before, path
    ann.complaints.clear()  # of the link that does not exist
