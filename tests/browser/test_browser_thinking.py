"""When the page makes a player's only legal move: on request, and at a time that does not reveal that there was no
choice. How the time is drawn is tested in tests/client/thinking.test.js.
"""

from __future__ import annotations

from typing import Any

from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import bots, played, sit, turn
from tests.support.server.served import Served

pytestmark = chrome.needed
QUICK = 1100  # milliseconds

#: no time passes, and the timers of only moves stand still: at the latest for a player of whom nothing is known, for
#: one who always moves at once, and where nobody sees it
STOPPED = """
  Math.random = () => 0.999;
  performance.now = () => 5;
  window.only = [];
  const timer = setTimeout;
  window.setTimeout = (does, ms, ...more) =>
    [4497, 1430, 1100].includes(Math.round(ms)) ? window.only.push({ ms, does }) && 0 : timer(does, ms, ...more);
"""
LATEST = "() => window.only.at(-1)?.ms ?? 0"


#: how many moves are offered, once all has begun that follows from what is shown; and what LATEST tells then
OFFERED = f"""async () => {{
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  return [document.querySelectorAll('.live.turn :is(.hand .can, [data-offer])').length, ({LATEST})()];
}}"""


def test_an_only_move_makes_itself_for_who_wants_it(browser: Any, server: Served) -> None:
    """Somebody who moves at once makes an only move after 1.1 s, and up to 30% later where others see it. It is off
    unless a player turns it on.
    """
    t = played(Driven("fan-tan", "a", **bots(4), number="fan-tan 0"), lambda t: turn(t) is not None)
    one = sit(browser, server, t, script=STOPPED)
    page = one.page

    def only() -> float:
        """Play until there is an only move; the milliseconds until it would be made."""
        while True:
            page.wait_for_selector(".live.turn")
            moves, wait = page.evaluate(OFFERED)
            if wait:
                return float(wait)
            if moves == 1:
                page.wait_for_function(LATEST)
            else:
                one.move()
            assert not one.over

    def becomes(expected: float) -> None:
        """Wait until an only move would be made after a number of milliseconds."""
        page.wait_for_function("(ms) => Math.abs((window.only.at(-1)?.ms ?? 0) - ms) < 1", arg=expected)

    def makes() -> None:
        cards = page.locator(".hand button.card").count()
        page.evaluate("() => { const { does } = window.only.at(-1); window.only = []; does(); }")
        page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length < n", arg=cards)

    while page.evaluate(OFFERED)[0] != 1:
        one.move()
        page.wait_for_selector(".live.turn")
        assert not one.over
    assert page.evaluate(OFFERED) == [1, 0], "it is off unless a player turns it on"
    page.get_by_label("Settings").click()
    page.locator("dialog").get_by_label("Play it automatically").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert only() == QUICK
    guests = [chrome.visitor(browser, one.url) for _ in range(2)]
    for guest in guests:
        guest.page.goto(page.url)
        guest.page.wait_for_selector(".live")
    page.wait_for_function(f"() => ({LATEST})() > 1101")
    while only() > 1431:  # fewer than three decisions
        makes()
    becomes(QUICK * (1 + 0.3 * 0.999))
    for guest in guests:
        guest.page.context.close()
    becomes(QUICK)
    makes()
    page.wait_for_selector(".live.turn")
    while (offered := page.evaluate(OFFERED))[0] == 1:
        makes()
        page.wait_for_selector(".live.turn")
    assert offered[1] == 0, "where there is a choice it waits"
