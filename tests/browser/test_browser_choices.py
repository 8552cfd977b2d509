"""What a move is about is seen on the cards, in a real Chromium: the move pointed at, that of a click on a card,
those of a card in the air, and of one that was dropped where several are possible.
"""

from __future__ import annotations

from typing import Any

from cardtable import Match
from tests.browser.boxes import faults
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import bots, played, sit, turn
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

#: the card that is seen where it would lie, on which one; whether the index of that is open; and it stays in its edges
PHANTOM = """() => {
  const ghost = document.querySelector('.phantom');
  const card = ghost.closest('.card');
  const [a, b] = [ghost, card].map((el) => el.getBoundingClientRect());
  const corner = card.querySelector(':scope > .face > .corner').getBoundingClientRect();
  return { of: ghost.dataset.of, on: card.dataset.card, open: a.left >= corner.right,
    inside: a.left > b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom };
}"""
#: the places of all cards, the question and the buttons
BOXES = """() => [...document.querySelectorAll('.spread li, .hand li, .message, .actions')].map((el) => {
  const { left, top, width, height } = el.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join(' ');
})"""


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


def test_a_card_that_is_pointed_at_is_seen_where_it_would_lie(browser: Any, server: Served) -> None:
    """On the last card that it goes with, whose index stays open, or at its place in a row; nothing else moves."""
    page = choosing(browser, server)
    page.locator(".hand [data-card='AD']").click(position=chrome.CORNER)
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator(f"[data-move='{TRAIL}']").hover()
        assert faults(page, "chosen") == []
        before = page.evaluate(BOXES)
        for move, on in ((TEN, "9S"), (BOTH, "4D")):
            page.locator(f"[data-move='{move}']").hover()
            assert page.evaluate(PHANTOM) == {"of": "AD", "on": on, "open": True, "inside": True}
            assert faults(page, move) == []
            assert page.evaluate(BOXES) == before
    page.locator(f"[data-move='{TRAIL}']").hover()
    chrome.expect(page.locator(".phantom"), "it takes none of them").to_have_count(0)

    t = Driven("fan-tan", "a", **bots(3), number="fan-tan 3")
    page = sit(browser, server, played(t, lambda t: (view := turn(t)) is not None and len(view.legal) > 1)).page
    for card in page.locator(".hand .can").all():
        card.hover(position=chrome.CORNER)
        assert page.evaluate("document.querySelector('.phantom').closest('li').dataset.slot") == card.get_attribute(
            "data-card"
        )
    page.mouse.move(1, 1)
    chrome.expect(page.locator(".phantom")).to_have_count(0)


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
