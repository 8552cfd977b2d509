"""What the drawn table says and asks, in a real Chromium: names, sizes, cards chosen together, chips put on cards, one
move after the other.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cardtable.table.projection import view_seen
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import bots as bots
from tests.support.server.prepared import played, sit, turn
from tests.support.server.served import Served

pytestmark = chrome.needed


# Names


def test_players_are_named(ann: chrome.Watched, browser: Any, server: Served) -> None:
    """Every seat of a table of twelve; and in the log one who is called like a card, for themselves and for others."""
    ann.deal("i-doubt-it", **bots(12), number="twelve")
    for _ in range(3):  # the sets of seats with two digits are accepted and listed
        ann.page.wait_for_selector(".live.turn")
        said = ann.page.evaluate(
            "[...document.querySelectorAll('.live, .live [aria-label]')].map((el) => `${el.textContent} "
            "${el.getAttribute('aria-label')}`).join(' ')"
        )
        assert not re.search(r"seat \d", said), re.findall(r".{20}seat \d.{20}", said)
        accept = ann.page.locator("[data-offer]", has_text="Accept")
        if not accept.count():
            break
        accept.click()
    t = played(Driven("fan-tan", "a", **bots(3), number="fan-tan 1"), lambda t: turn(t) is not None)
    t.step()
    one, other = sit(browser, server, t, name="KC"), chrome.visitor(browser, server.url)  # the other one watches
    other.page.goto(one.page.url)
    for page, lays in ((one.page, "You lay "), (other.page, "KC lays ")):
        page.wait_for_function(
            "(lays) => [...document.querySelectorAll('.log li')].some((el) => el.innerText.startsWith(lays))", arg=lays
        )


def sat(
    browser: Any, server: Served, size: tuple[int, int], game: str, coached: bool = True, **setup: Any
) -> chrome.Watched:
    """Somebody whose turn it is at a table of a game, in a window of a size."""
    one = chrome.visitor(
        browser, server.url, *size, chosen={"coached": coached, "drawer": False}, has_touch=size[0] < 600
    )
    one.deal(game, **setup)
    one.page.wait_for_selector(".live.turn, .ending")
    return one


# Cards that are chosen together

LAID = "() => [...document.querySelectorAll('.hand button.card')].map((el) => el.dataset.card)"
PRESSED = "() => [...document.querySelectorAll('.hand [aria-pressed=true]')].map((el) => el.dataset.card)"


def laying(browser: Any, server: Served, number: str, seats: int = 4, **setup: Any) -> tuple[chrome.Watched, list[str]]:
    """A table of I Doubt It at which it is one's turn to lay a set; the cards of the hand as they lie there."""

    def ready(t: Driven) -> bool:
        view = view_seen(t.table, 0)
        return turn(t) is not None and view is not None and any(zone.together for zone in view.zones)

    one = sit(browser, server, played(Driven("i-doubt-it", "a", **bots(seats), number=number, **setup), ready))
    one.page.wait_for_selector(".live.turn .hand button[aria-pressed]")
    return one, one.page.evaluate(LAID)


def test_cards_are_chosen_together(browser: Any, server: Served) -> None:
    """First by keys alone, and no card too many; then by clicks, in any order, and cards go back. Nothing is sent
    before the set is laid. Two cards of a kind are two cards.
    """
    one, hand = laying(browser, server, "lay 2")
    page = one.page
    page.evaluate(
        "() => { window.sent = []; const { send } = WebSocket.prototype; WebSocket.prototype.send = function (text) {"
        "if (text.includes('\"move\"')) window.sent.push(text); return send.call(this, text); }; }"
    )
    page.locator(".hand button.card").first.focus()
    for _ in range(4):
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    assert page.evaluate(PRESSED) == hand[:4]
    page.keyboard.press("Enter")
    page.wait_for_selector(".message.bad")
    assert "no more than 4 cards" in page.locator(".message").inner_text().lower()
    assert page.evaluate(PRESSED) == hand[:4]
    chrome.type_card(page, hand[0])  # a typed card is put back
    page.wait_for_function("() => document.querySelectorAll('.hand [aria-pressed=true]').length === 3")
    assert page.locator("[aria-live=assertive]").inner_text().endswith("3 chosen, at most 4")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.hand [aria-pressed=true]')")
    button = page.locator(".actions button", has_text="Choose 1 to 4 cards")
    assert button.is_disabled(), "the one button says what is asked"
    for card in (hand[6], hand[2], hand[9]):
        page.locator(f".hand [data-card='{card}']").click(position=chrome.CORNER)
    assert sorted(page.evaluate(PRESSED)) == sorted([hand[2], hand[6], hand[9]])
    page.locator(f".hand [data-card='{hand[6]}']").click(position=chrome.CORNER)
    assert sorted(page.evaluate(PRESSED)) == sorted([hand[2], hand[9]])
    assert page.evaluate("() => window.sent") == []
    lay = page.get_by_role("button", name=re.compile("^Lay 2 as "))
    assert lay.is_enabled()
    lay.click()
    page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length === n", arg=len(hand) - 2)
    [move] = page.evaluate("() => window.sent")
    assert move.count("done") == 1
    one, hand = laying(browser, server, "twice 4", 5, options={"decks": 2})
    twice = next(card for card in hand if hand.count(card) == 2)
    page = one.page
    both = page.locator(f".hand [data-card='{twice}']")
    both.first.click(position=chrome.CORNER)
    assert page.evaluate(PRESSED) == [twice]
    both.last.click(position=chrome.CORNER)
    assert page.evaluate(PRESSED) == [twice, twice]
    both.first.click(position=chrome.CORNER)
    assert page.evaluate(PRESSED) == [twice]


# One thing after the other

#: one beat follows the other without waiting. Notes every state of the table as it is drawn: how many cards lie there,
#: and the caption
WATCH = """() => {
  cardtable.director.stage.later = (act) => setTimeout(act);
  window.seen = [];
  const look = () => {
    const filled = document.querySelectorAll('.slot.filled').length;
    const caption = document.querySelector('.caption')?.textContent ?? '';
    const one = [filled, caption];
    if (window.seen.at(-1)?.join() !== one.join()) window.seen.push(one);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


def laid(frame: str) -> int:
    """How many cards are laid in a message of the server."""
    message = json.loads(frame)
    if message["type"] != "table":
        return 0
    return sum(event["kind"] == "lay" for one in message["happened"] for event in one.get("events", ()))


#: counts in `window.turns` how often one's own turn has ended, which may be for a moment only
TURNS = """() => {
  window.turns = 0;
  let was = true;
  const look = () => {
    const now = Boolean(document.querySelector('.live.turn'));
    if (was && !now) window.turns += 1;
    was = now;
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def test_what_happens_is_shown_one_by_one(browser: Any, server: Served) -> None:
    ann, ben = (chrome.visitor(browser, server.url, chosen={"speed": "normal"}) for _ in range(2))
    forced_moves_come_one_by_one_and_people_lay_their_own(ann)
    a_friend_sees_what_is_paid(ann, ben)


def forced_moves_come_one_by_one_and_people_lay_their_own(one: chrome.Watched) -> None:
    """Each message of the server is drawn separately; most have one move."""
    page = one.page
    most = [1]
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: most.append(laid(str(frame)))))
    one.deal("play-or-pay", **bots(4), number="pay 1")
    page.wait_for_selector(".live.turn")
    most[1:] = []
    page.evaluate(WATCH)
    page.evaluate(TURNS)
    held = page.locator(".hand button.card").count()
    for number in range(3):
        page.wait_for_selector(".live.turn")
        pass_, card = page.locator("[data-offer]", has_text="ass"), page.locator(".hand button.can")
        if card.count():
            card.first.click(position=chrome.CORNER)
            held -= 1
            page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length === n", arg=held)
        else:
            pass_.click()
        page.wait_for_function("(n) => window.turns > n", arg=number)
    page.wait_for_selector(".live.turn, .ending")
    assert page.locator(".hand button.card").count() == held, "no card of one's own was laid automatically"
    filled = [filled for filled, *_ in page.evaluate("() => window.seen")]
    assert filled[-1] > filled[0]
    assert max(after - before for before, after in zip(filled, filled[1:], strict=False)) <= max(most)


def a_friend_sees_what_is_paid(ann: chrome.Watched, ben: chrome.Watched) -> None:
    """The last person to sit down opens the match: the antes are shown.

    Without bots: moves that come before the antes are shown would cut these short.
    """
    ben.page.goto(ann.table("play-or-pay", seats=2, bots=["", ""]))
    ben.page.get_by_role("button", name="Sit here").wait_for()
    ben.page.evaluate(WATCH)
    ben.page.get_by_role("button", name="Sit here").click()
    ante = "Everybody pays 1 chip to the pot as ante"
    ben.page.wait_for_function("(ante) => window.seen.some(([, caption]) => caption.includes(ante))", arg=ante)


def test_a_table_that_is_higher_than_the_screen_scrolls(ann: chrome.Watched) -> None:
    """As at the end of a deal of twelve, where everybody's cards are shown, on a phone that is turned."""
    page = ann.page
    page.set_viewport_size({"width": 844, "height": 390})
    ann.deal("fan-tan", **chrome.alone("fan-tan"))
    page.evaluate("document.querySelector('.others').style.minHeight = '500px'")
    buttons = page.locator(".actions")
    assert buttons.bounding_box()["y"] > 390
    page.mouse.move(400, 200)
    page.mouse.wheel(0, 2000)
    page.wait_for_function("(el) => el.getBoundingClientRect().bottom <= innerHeight + 1", arg=buttons.element_handle())
