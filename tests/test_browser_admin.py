"""Whom the operator bans, mutes or kicks, and whose table is closed, is told in the browser, in Chromium."""

from __future__ import annotations

from typing import Any

import browser as chrome
import operating
import pytest
from operating import WHY, ask, done, listed, restrict
from served import Served

pytestmark = chrome.needed
running, server = operating.running, operating.server
MARKUP = "<img src=x onerror=hit()>"


@pytest.fixture
def table(ann: chrome.Watched) -> dict[str, Any]:
    """A table at which Ann plays in the browser."""
    page = ann.page
    ann.deal("fan-tan", seats=2, bots=["", "simple"])
    return {"id": page.url.rpartition("/")[2], "page": page}


def person(server: Served, table: dict[str, Any]) -> str:
    """Ann's id."""
    return str(listed(server, table["id"])["seats"][0]["person"])


def silent(ann: chrome.Watched) -> None:
    """Forget what Chromium says about answers with an error; nothing else was complained of."""
    assert [line for line in ann.complaints if "status of 403" not in line] == []
    ann.complaints.clear()


def test_a_ban_is_told_on_every_page(server: Served, ann: chrome.Watched, table: dict[str, Any]) -> None:
    """At the table at once, on other pages when they ask; a reason is text and nothing else."""
    page = table["page"]
    restrict(server, kind="ban", person=person(server, table), seconds=86_400, reason=MARKUP)
    sentence = f"The operator has banned you from this server for another 24 hours: {MARKUP}"
    page.get_by_text(sentence).wait_for()
    page.goto(server.url)
    page.get_by_role("heading", name="You are banned").wait_for()
    chrome.expect(page.get_by_text(sentence)).to_be_visible()
    assert page.locator("[onerror]").count() == 0
    page.get_by_role("link", name="Your data on this server").click()
    page.get_by_role("link", name="Download your data").wait_for()
    silent(ann)


def test_who_is_kicked_does_not_knock_again(server: Served, ann: chrome.Watched, table: dict[str, Any]) -> None:
    page = table["page"]
    body = {"person": person(server, table), "reason": WHY}
    done(ask(server, "POST", f"tables/{table['id']}/kick", body))
    page.get_by_text(f"The operator has removed you from this table for good: {WHY}").wait_for()
    page.reload()
    page.get_by_text(f"The operator has removed you from this table for good: {WHY}").wait_for()
    assert not [peer for peer in server.app.hall.sockets if not peer.ended]


def test_who_is_muted_is_told_at_once(server: Served, ann: chrome.Watched, table: dict[str, Any]) -> None:
    page = table["page"]
    restrict(server, kind="mute", person=person(server, table), seconds=3600)
    told = page.get_by_text("The operator does not let you use the chat for another 60 minutes").first
    told.wait_for()


def test_a_closed_table_says_why(server: Served, ann: chrome.Watched, table: dict[str, Any]) -> None:
    page = table["page"]
    done(ask(server, "POST", f"tables/{table['id']}/close", {"reason": WHY}))
    page.get_by_role("heading", name="This table is closed").wait_for()
    chrome.expect(page.get_by_text(f"The operator has closed it: {WHY}")).to_be_visible()
