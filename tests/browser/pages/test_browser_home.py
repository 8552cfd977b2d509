"""The first page in Chromium: what is on a phone's first screen, the shelf of games, one click to cards."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.rules.catalog import games
from cardtable.rules.game import FAMILIES, Game
from tests.support import browser as chrome
from tests.support.server.served import Served

PHONE = (390, 844)


@pytest.fixture
def phone(browser: Any, server: Served) -> chrome.Watched:
    """Somebody with a phone and two open tables, on the first page."""
    ann = chrome.visitor(browser, server.url, *PHONE)
    ann.page.goto(ann.url)
    for name in ("boodle", "fan-tan"):
        seats = games()["fan-tan"].best[0]
        ann.table(name, seats=seats, bots=["", *["easy"] * (seats - 1)])
    ann.page.goto(ann.url)
    ann.page.locator("li.game").first.wait_for()
    ann.page.locator(".opened li").first.wait_for()
    return ann


def quick() -> list[Game]:
    """All games, the easy and quick ones first."""
    return sorted(games().values(), key=lambda game: (game.effort, game.minutes))


@chrome.needed
def test_the_first_page_on_a_phone(phone: chrome.Watched) -> None:
    """All of it is on one screen: go on, play now and the beginning of the shelf, which is scrolled sideways. Open
    tables have their own names, and every game is in a family. Cards are one click away.
    """
    page = phone.page
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(size) == list(PHONE)
    shown = [page.locator(which).first.bounding_box() for which in (".opened li", ".playnow button", "li.game")]
    ends = [box["y"] + box["height"] for box in shown]
    assert ends == sorted(ends)
    assert ends[-1] <= PHONE[1]
    assert page.evaluate(
        "(({scrollWidth, clientWidth}) => scrollWidth > 2 * clientWidth)(document.querySelector('.games'))"
    )

    chrome.expect(page.locator("li.game")).to_have_count(len(games()))
    assert page.locator("li.game .scene .card").count() >= 3 * len(games())
    titles: list[str] = []
    for name, title in FAMILIES.items():
        page.get_by_role("button", name=title, exact=True).click()
        own = [game.title for game in quick() if game.family == name]
        assert page.locator("li.game h2").all_text_contents() == own
        titles += own
    assert sorted(titles) == sorted(game.title for game in games().values())

    opened = page.locator(".opened li").all_text_contents()
    assert sorted(text.split()[0] for text in opened) == ["Boodle", "Fan"]
    page.get_by_role("link", name="Boodle").click()
    page.get_by_role("heading", name="Boodle").first.wait_for()
    page.goto(phone.url)
    one_click_leads_to_cards(phone)
    two_clicks_lead_to_a_link_for_a_friend(phone)
    a_game_is_found_by_any_name(phone)
    every_open_table_is_seen_whole(phone)


def one_click_leads_to_cards(phone: chrome.Watched) -> None:
    """The game played last is offered first; a newcomer gets the easiest Spider. Levels go from easy to hard, or to
    expert where that is better: flat Monte Carlo, once called medium, is not offered, and people who used it get bots
    of the default level.
    """
    page = phone.page
    page.get_by_label("with 1 bot").select_option("medium")
    page.get_by_role("button", name="Play now: Scopa").click()
    page.wait_for_selector(".live")
    assert page.locator(".others .badge.bot").get_attribute("title").lower().startswith("medium")
    page.goto(phone.url)
    assert page.locator(".playnow h2").inner_text() == "Scopa"
    page.get_by_role("button", name="Deal again").click()
    page.wait_for_selector(".live")

    page.goto(phone.url)
    page.get_by_role("button", name="Play now: Spider").click()
    page.get_by_role("heading", name="One-Suit Spider").wait_for()

    page.evaluate("localStorage.setItem('cardtable', JSON.stringify({against: 'flat', last: 'scopa'}))")
    page.goto(f"{phone.url}/")
    against = page.get_by_label("with 1 bot")
    against.wait_for()
    levels = ["easy", "medium", "hard", "random"]
    assert against.locator("option").all_text_contents() == levels
    assert against.input_value() == "medium"
    page.goto(f"{phone.url}/new?game=scopa")
    seat = page.get_by_label("Player 2")
    seat.wait_for()
    assert seat.locator("option").all_text_contents() == ["a friend (by link)", *(f"bot, {word}" for word in levels)]
    assert seat.input_value() == "medium"
    page.goto(f"{phone.url}/new?game=cassino")
    seat.locator("option", has_text="bot, expert").wait_for(state="attached")
    page.get_by_role("radio", name="Classic Cassino").click()
    seat.locator("option", has_text="bot, expert").wait_for(state="detached")


def two_clicks_lead_to_a_link_for_a_friend(phone: chrome.Watched) -> None:
    """In any game; the other players stay bots."""
    page = phone.page
    page.goto(phone.url)
    page.get_by_role("link", name="Set up: Fan Tan").click()
    page.get_by_role("button", name="Play with a friend").click()
    assert page.get_by_label("Invite link").input_value() == page.url
    places = page.locator(".places li").all_inner_texts()
    assert [text.startswith("free seat") for text in places] == [False, True, *[False] * (len(places) - 2)]
    assert len(places) == games()["fan-tan"].best[0]


def every_open_table_is_seen_whole(phone: chrome.Watched) -> None:
    """In a wide window, next to what to play now."""
    page = phone.page
    for game in ("busca", "cassino", "oh-hell", "scopa"):
        phone.table(game, fill="medium")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(phone.url)
    rows = page.locator(".opened li")
    rows.last.wait_for()
    boxes = [row.bounding_box() for row in (*rows.all(), page.locator(".playnow"))]
    ends = [box["y"] + box["height"] for box in boxes if box]
    assert len(ends) == 7
    assert ends[-2] <= ends[-1] + 1
    assert page.locator(".opened .tables").evaluate("(el) => el.scrollHeight - el.clientHeight") == 0


def a_game_is_found_by_any_name(phone: chrome.Watched) -> None:
    page = phone.page
    page.goto(phone.url)
    page.get_by_role("searchbox").fill("pope")
    page.get_by_role("link", name="Set up: Pope Joan").wait_for()
    assert page.locator("li.game h2").all_inner_texts() == ["Pope Joan"]
    page.get_by_role("searchbox").fill("boodle")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**/new?game=boodle")
    assert page.get_by_role("radio", name="Boodle").is_checked()
    assert page.get_by_role("combobox", name="Game").input_value() == "boodle"
    held: list[Any] = []
    page.route("**/api/tables", lambda route: held.append(route))
    page.get_by_role("button", name="Deal", exact=True).click()
    page.get_by_text("The game is being prepared …").wait_for()
    assert page.get_by_role("button", name="Deal", exact=True).is_disabled()
    held[0].continue_()
    page.get_by_role("heading", name="Boodle").wait_for()
    page.unroute("**/api/tables")
    page.goto(phone.url + "/new?game=newmarket")
    page.get_by_role("radio", name="Michigan", exact=True).wait_for()
    assert page.get_by_role("combobox", name="Game").input_value() == "newmarket"
    page.get_by_text("Jackpot Michigan", exact=True).last.click()
    assert page.get_by_role("combobox", name="Game").input_value() == "jackpot-michigan"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_every_game_has_its_facts(game: Game) -> None:
    assert 0 < game.minutes <= 30
    assert game.effort in (1, 2, 3)
    assert game.starts in ("", *game.presets)
    assert 0 < len(game.pitch) <= 60
    assert game.family in FAMILIES
