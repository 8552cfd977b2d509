"""People's own data in the browser, in Chromium: a file with all of it, and deleting it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser as chrome
import pytest
from served import Served, served

pytestmark = chrome.needed
NAME = "<b onclick=hit()>Ann</b>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("people") / "tables.db") as running:
        yield running


def cookie(page: Any) -> str:
    """The cookie of a browser; "" if it has none."""
    return next((one["value"] for one in page.context.cookies() if one["name"] == "cardtable"), "")


def test_the_data_is_a_file(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"], name=NAME)
    page.goto(f"{server.url}/settings")
    page.get_by_role("link", name="You", exact=True).click()
    page.get_by_role("heading", name="You", exact=True).wait_for()
    with page.expect_download() as loading:
        page.get_by_role("link", name="Download your data").click()
    assert loading.value.suggested_filename.endswith(".json")
    told = json.loads(Path(loading.value.path()).read_text("utf-8"))
    assert [one["name"] for one in told["tables"][0]["done"] if one["kind"] == "sat"] == [NAME]


def test_deleting_asks_first(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    before = cookie(page)
    page.goto(f"{server.url}/you")
    page.get_by_role("button", name="Delete your data …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("You leave 1 table where a match has not ended").wait_for()
    dialog.get_by_role("button", name="Keep it").click()
    dialog.wait_for(state="hidden")
    assert page.request.get(f"{server.url}/api/me").json()["tables"]
    assert cookie(page) == before


def test_deleting(ann: chrome.Watched, server: Served, browser: Any) -> None:
    """The cookie goes, and so does everything else; the next visit is somebody else's."""
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    before = cookie(page)
    page.goto(f"{server.url}/you")
    page.get_by_role("button", name="Delete your data …").click()
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("heading", name="Your data is deleted").wait_for()
    assert page.get_by_text("Nothing about you is left on this server.").is_visible()
    assert cookie(page) == ""
    assert json.loads(page.evaluate("localStorage.cardtable"))["name"] == ""
    page.get_by_role("link", name="To the first page").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    assert cookie(page) not in ("", before)
    assert page.get_by_text("Your tables").count() == 0


def test_if_it_fails_the_page_says_so(ann: chrome.Watched, server: Served) -> None:
    page = ann.page
    page.goto(f"{server.url}/you")
    before = cookie(page)
    page.route("**/api/me/data", lambda route: route.abort())
    page.get_by_role("button", name="Delete your data …").click()
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("alert").get_by_text("The server does not answer").wait_for()
    assert page.get_by_role("button", name="Delete everything").is_enabled()
    assert cookie(page) == before
    ann.complaints.clear()  # of the request that was cut
