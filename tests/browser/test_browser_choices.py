"""What a move is about is seen on the cards, in a real Chromium: the move pointed at, that of a click on a card,
those of a card in the air, and of one that was dropped where several are possible.
"""

from __future__ import annotations

from typing import Any

from cardtable import Match
from tests.browser.boxes import faults
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import bots, sit
from tests.support.server.served import Served

pytestmark = chrome.needed

#: the ace builds ten with the nine, with five and four, or five with the four; the nine takes the other one
BUILDS = {"game": "cassino", "seats": 2, "deal": 1, "dealer": 1, "turn": 0}
HANDS = {"hands": ["AD TC 5C 9C", "KD KH KS KC"], "board": "9S 5H 4D QH"}
#: the cards on the table that are lit, with what is said at them
LIT = """() => Object.fromEntries([...document.querySelectorAll('.spread [data-lit]')].map((el) =>
  [el.dataset.card, el.dataset.lit]))"""
#: what is said at the cards on the table, with the numbers of the moves in which they are
TAGS = """() => Object.fromEntries([...document.querySelectorAll('.spread .card:has(.tag)')].map((el) => {
  const tag = el.querySelector('.tag');
  return [el.dataset.card, [[...tag.querySelectorAll('kbd')].map((one) => one.textContent).join(' '),
    tag.querySelector(':scope > span')?.textContent ?? '']];
}))"""


def choosing(browser: Any, server: Served, **more: Any) -> Any:
    """The page of somebody whose ace can do several things."""
    record = Match.from_position(BUILDS | HANDS, seed="choices").record()
    one = sit(browser, server, Driven("cassino", "a", **bots(2), start=str(record)), **more)
    one.page.wait_for_selector(".live.turn")
    return one.page


def at(page: Any, card: str) -> tuple[float, float]:
    box = page.locator(f".live [data-card='{card}']").bounding_box()
    assert box
    return round(box["x"]) + 10, round(box["y"]) + 18


def lifted(page: Any, card: str, *onto: tuple[float, float]) -> None:
    """Drag a card, and hold it in the air."""
    page.mouse.move(*at(page, card))
    page.mouse.down()
    for place in onto:
        page.mouse.move(*place, steps=3)


TEN, FIVE, BOTH, TRAIL = (
    f"AD {does}" for does in ("builds 10 with 9S", "builds 5 with 4D", "builds 10 with 5H 4D", "trails")
)


def test_a_move_lights_exactly_its_cards(browser: Any, server: Served) -> None:
    """Its button, by pointer or keys, and the card whose click makes it; and one sees which click that is."""
    page = choosing(browser, server)
    page.locator(".hand [data-card='AD']").click(position=chrome.CORNER)
    assert faults(page, "choosing", ((390, 844), (320, 640), (844, 390), (1280, 800))) == []
    nth = {
        el.get_attribute("data-move"): el.locator("kbd").inner_text().strip()
        for el in page.locator("[data-offer]").all()
    }
    assert sorted(nth) == sorted((TEN, FIVE, BOTH, TRAIL))
    assert page.evaluate(TAGS) == {
        "9S": [nth[TEN], "build 10"],
        "5H": [nth[BOTH], "build 10"],
        "4D": [f"{nth[FIVE]} {nth[BOTH]}", ""],
    }, "a click on the four only begins a set"
    for move, lit in ((TEN, ["9S"]), (BOTH, ["5H", "4D"])):
        page.locator(f"[data-move='{move}']").hover()
        assert page.evaluate(LIT) == dict.fromkeys(lit, "build 10")
    page.locator(f"[data-move='{TRAIL}']").hover()
    assert page.evaluate(LIT) == {}
    assert page.locator(".live[data-pointing]").count(), "the others are calm: it takes none of them"
    page.mouse.move(*at(page, "5H"))
    assert page.evaluate(LIT) == {"5H": "build 10", "4D": "build 10"}
    page.mouse.move(*at(page, "QH"))
    assert page.evaluate(LIT) == {}
    assert not page.locator(".live[data-pointing]").count()
    page.keyboard.press("Tab")
    page.locator(f"[data-move='{FIVE}']").focus()
    assert page.evaluate(LIT) == {"4D": "build 5"}
    page.keyboard.press("Escape")
    page.wait_for_selector(".live:not([data-pointing]):not(:has(.tag, [data-lit]))")


def test_a_dropped_card_asks_where_it_lies(browser: Any, server: Served) -> None:
    """What it may go to is lit in the air; where several moves are possible it stays, and they are asked for there."""
    page = choosing(browser, server)
    lifted(page, "AD", (300, 560))
    assert sorted(page.evaluate(TAGS)) == ["4D", "5H", "9S"]
    assert page.locator(".live.dragging[data-anywhere]").count(), "it may also be laid alone"
    page.mouse.move(*at(page, "4D"), steps=3)
    there = at(page, "AD")
    page.mouse.up()
    menu = page.locator(".dropped")
    menu.wait_for()
    moves = [el.get_attribute("data-move") for el in menu.locator("[data-offer]").all()]
    assert sorted(moves) == sorted((FIVE, BOTH))
    assert not page.locator(".actions > .offers [data-offer]").count(), "they are offered once"
    assert at(page, "AD") == there
    assert page.evaluate("document.activeElement.dataset.move") == moves[0]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.move") == moves[1]
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")
    page.wait_for_selector(".hand:not(:has(.dragged, .chosen))")
    assert at(page, "AD") != there

    board = page.locator(".board").bounding_box()
    open = (board["x"] + board["width"] - 20, board["y"] + board["height"] - 20)
    lifted(page, "AD", (300, 560), open)
    page.mouse.up()
    chrome.expect(menu.locator("[data-offer]")).to_have_count(4)
    page.mouse.click(100, 480)
    menu.wait_for(state="detached")

    lifted(page, "AD", at(page, "9S"))  # where there is one
    page.mouse.up()
    page.wait_for_selector(".spread.pile [data-card='AD']")
