"""A player who is offline is told so at once, and sees that the card that was played waits."""

from __future__ import annotations

from typing import Any

from tests.support import browser as chrome
from tests.support.server.prepared import bots
from tests.support.server.served import Served

pytestmark = chrome.needed


def test_what_is_played_offline_waits_and_is_sent_later(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url)
    page = one.page
    one.deal("fan-tan", **bots(3), number="fan-tan 1")
    page.wait_for_selector(".live.turn")
    held = page.locator(".hand button.card").count()
    page.context.set_offline(True)
    page.wait_for_selector(".offline >> text=You are offline")
    one.move()
    page.wait_for_selector(".hand .card.sent")
    page.wait_for_selector(".message >> text=Waiting for the server")
    assert page.locator(".hand button.card").count() == held
    page.context.set_offline(False)
    page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length < n", arg=held)
    assert not page.locator(".card.sent").count()
    page.wait_for_selector(".offline", state="detached")
