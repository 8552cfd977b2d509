"""People's own data in the browser, in Chromium: a file with all of it, and deleting it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed
NAME = "<b onclick=hit()>Ann</b>"


def cookie(page: Any) -> str:
    """The cookie of a browser; "" if it has none."""
    return next((one["value"] for one in page.context.cookies() if one["name"] == "cardtable"), "")


def test_a_persons_data_is_theirs_until_they_delete_it(ann: chrome.Watched, server: Served) -> None:
    """No link takes it away; it is a file; and it is deleted when they have said so twice."""
    ann.deal("fan-tan", seats=2, bots=["", "medium"], name=NAME)
    a_link_on_another_site_takes_nobodys_identity_away(ann, server)
    the_data_is_a_file(ann.page, server)
    it_is_deleted_when_asked_twice(ann, server)


def a_link_on_another_site_takes_nobodys_identity_away(ann: chrome.Watched, server: Served) -> None:
    """A browser does not send the cookie with such a visit, so it must not get another one either."""
    page = ann.page
    before = cookie(page)
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    page.route(
        f"{elsewhere}/mail*",
        lambda route: route.fulfill(
            body=f"<a href='{server.url}/{unquote(route.request.url.partition('?')[2])}'>go</a>",
            content_type="text/html",
        ),
    )
    for path, asked in (("", "/api/me"), ("link%23none", "/api/link")):
        page.goto(f"{elsewhere}/mail?{path}")
        with page.expect_response(server.url + asked) as answer:
            page.get_by_role("link", name="go").click()
        answer.value.finished()
        page.get_by_role("link", name="Statistics").wait_for()
        assert cookie(page) == before, path
    ann.complaints.clear()  # of the link that does not exist


def the_data_is_a_file(page: Any, server: Served) -> None:
    page.goto(f"{server.url}/settings")
    page.get_by_role("link", name="Your devices and your data").click()
    page.get_by_role("heading", name="You", exact=True).wait_for()
    with page.expect_download() as loading:
        page.get_by_role("link", name="Download your data").click()
    assert loading.value.suggested_filename.endswith(".json")
    data = json.loads(Path(loading.value.path()).read_text("utf-8"))
    assert [one["name"] for one in data["tables"][0]["done"] if one["kind"] == "sat"] == [NAME]


def it_is_deleted_when_asked_twice(ann: chrome.Watched, server: Served) -> None:
    """The page says so if deleting fails. If it does not, the cookie goes, and so does everything else; the next visit
    is somebody else's.
    """
    page = ann.page
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
    page.get_by_role("link", name="Home").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    assert cookie(page) not in ("", before)
    assert page.get_by_text("Your tables").count() == 0
