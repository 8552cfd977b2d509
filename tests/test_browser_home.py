"""The first page in Chromium: what is on a phone's first screen, the shelf of games, one click to cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import browser as chrome
import pytest
from served import Served

from cardtable.catalog import games
from cardtable.game import FAMILIES

pytestmark = chrome.needed
PHONE = (390, 844)


@pytest.fixture
def phone(browser: Any, server: Served) -> Iterator[chrome.Watched]:
    """Somebody with a phone and two open tables, on the first page."""
    ann = chrome.visitor(browser, server.url, *PHONE)
    ann.page.goto(ann.url)
    for name in ("boodle", "fan-tan"):
        seats = games()["fan-tan"].best[0]
        body = {"game": name, "seats": seats, "bots": ["", *["easy"] * (seats - 1)], "name": "Ann"}
        assert ann.page.request.post(ann.url + "/api/tables", data=body).ok
    ann.page.goto(ann.url)
    ann.page.locator("li.game").first.wait_for()
    ann.page.locator(".opened li").first.wait_for()
    yield ann
    assert ann.complaints == []
    ann.page.context.close()


def test_a_phone_shows_all_of_it_on_one_screen(phone: chrome.Watched) -> None:
    """Go on, play now and the beginning of the shelf, which is scrolled sideways, without scrolling the page."""
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert phone.page.evaluate(size) == list(PHONE)
    shown = [phone.page.locator(which).first.bounding_box() for which in (".opened li", ".playnow button", "li.game")]
    ends = [box["y"] + box["height"] for box in shown]
    assert ends == sorted(ends)
    assert ends[-1] <= PHONE[1]
    assert phone.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth > 2 * clientWidth)(document.querySelector"
                               "('.games'))")  # fmt: skip


def test_open_tables_have_their_own_names(phone: chrome.Watched) -> None:
    told = phone.page.locator(".opened li").all_text_contents()
    assert sorted(text.split()[0] for text in told) == ["Boodle", "Fan"]
    phone.page.get_by_role("link", name="Boodle").click()
    phone.page.get_by_role("heading", name="Boodle").first.wait_for()


def test_every_game_has_its_facts_and_a_family(phone: chrome.Watched) -> None:
    chrome.expect(phone.page.locator("li.game")).to_have_count(len(games()))
    assert phone.page.locator("li.game .scene .card").count() >= 3 * len(games())
    shown: list[str] = []
    for name, title in FAMILIES.items():
        phone.page.get_by_role("button", name=title, exact=True).click()
        own = [game.title for game in games().values() if game.family == name]
        assert phone.page.locator("li.game h2").all_text_contents() == own
        shown += own
    assert sorted(shown) == sorted(game.title for game in games().values())
    for game in games().values():
        assert 0 < game.minutes <= 30
        assert game.effort in (1, 2, 3)
        assert game.starts in ("", *game.presets)


def test_the_game_played_last_is_offered_first(phone: chrome.Watched) -> None:
    page = phone.page
    page.get_by_label("with 1 bot").select_option("medium")
    page.get_by_role("button", name="Play now: Scopa").click()
    page.wait_for_selector(".live")
    assert page.locator(".others .badge.bot").get_attribute("title").lower().startswith("medium")
    page.goto(phone.url)
    assert page.locator(".playnow h2").inner_text() == "Scopa"
    page.get_by_role("button", name="Deal again").click()
    page.wait_for_selector(".live")


def test_a_newcomer_gets_the_easiest_spider(phone: chrome.Watched) -> None:
    phone.page.get_by_role("button", name="Play now: Spider").click()
    phone.page.get_by_role("heading", name="One-Suit Spider").wait_for()


def test_the_levels_are_offered_from_easy_to_expert(phone: chrome.Watched) -> None:
    """Flat Monte Carlo, which was called medium once, is no level to choose: whoever had it has medium bots."""
    page = phone.page
    page.evaluate("localStorage.setItem('cardtable', JSON.stringify({against: 'flat', last: 'scopa'}))")
    page.goto(f"{phone.url}/")
    against = page.get_by_label("with 1 bot")
    against.wait_for()
    assert against.locator("option").all_text_contents() == ["easy", "medium", "hard", "expert", "random"]
    assert against.input_value() == "simple"
    page.goto(f"{phone.url}/new?game=scopa")
    seat = page.get_by_label("Player 2")
    seat.wait_for()
    words = ["a friend (by link)", *(f"bot, {word}" for word in ("easy", "medium", "hard", "expert", "random"))]
    assert seat.locator("option").all_text_contents() == words
    assert seat.input_value() == "simple"
