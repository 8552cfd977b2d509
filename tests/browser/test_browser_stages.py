"""The table in a real Chromium: the others round it, the drawer, and the stages of games with a special one."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Record
from cardtable.base.message import Message, as_data
from cardtable.rules.game import Outlook
from cardtable.rules.solver import SOLVED, Solution
from cardtable.server.rooms import questions, wire
from cardtable.server.thinking.solving import Solutions
from tests.browser.boxes import faults
from tests.browser.pages.test_browser_dealt import every_deal_can_be_won
from tests.browser.test_browser_table import bots, sat
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import played, sit, turn
from tests.support.server.served import Served
from tests.support.waiting import until

pytestmark = chrome.needed


def test_the_places_of_a_table(browser: Any, server: Served) -> None:
    """The others sit round it; log and chat are a drawer; a ladder in a low window can be read."""
    one = chrome.visitor(browser, server.url, 1440, 900, chosen={"drawer": False})
    one.deal("fan-tan", number="fan-tan 1", **bots(6))
    one.page.wait_for_selector(".live.turn")
    the_others_sit_in_the_order_of_play(one.page)
    log_and_chat_are_a_drawer_that_is_remembered(one.page)
    one.deal("fan-tan", number="fan-tan 1", **bots(4))
    one.page.wait_for_selector(".live.turn")
    one.page.set_viewport_size({"width": 960, "height": 600})
    assert faults(one.page) == []
    strips = one.page.evaluate(
        "() => [...document.querySelectorAll('.slot.filled')].map((el) => [el.clientWidth, el.clientHeight])"
    )
    assert strips
    assert all(width >= 36 and height >= 20 for width, height in strips), strips


def the_others_sit_in_the_order_of_play(page: Any) -> None:
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('.others .seat')].map((el) => { const { left, top, width, height } = "
        "el.getBoundingClientRect(); return [Number(el.dataset.seat), left + width / 2, top + height / 2]; })"
    )
    assert [seat for seat, _, _ in boxes] == [1, 2, 3, 4, 5]
    first, *far, last = boxes
    assert first[1] < 300
    assert last[1] > 1140
    assert all(first[1] < x < last[1] and y < min(first[2], last[2]) for _, x, y in far)
    assert [x for _, x, _ in far] == sorted(x for _, x, _ in far)
    faces = page.evaluate("() => [...document.querySelectorAll('.portrait')].map((el) => el.outerHTML)")
    assert len(faces) == 6
    assert len(set(faces)) == 6


def log_and_chat_are_a_drawer_that_is_remembered(page: Any) -> None:
    board = page.locator(".board")
    wide = board.bounding_box()
    assert page.locator(".side").count() == 0
    page.locator(".bar .talk").click()
    page.wait_for_selector(".side .log li")
    drawn = board.bounding_box()
    assert wide is not None
    assert drawn is not None
    assert drawn["width"] < wide["width"] - 200
    page.reload()
    page.wait_for_selector(".side .log li")
    page.locator(".bar .talk").click()
    page.wait_for_selector(".side", state="detached")


def test_an_auction(browser: Any, server: Served) -> None:
    """Bids that the dealer may not make are shown with the reason; the trick only shows who is going to lead, and
    nobody is to follow before a card is led.
    """
    one = sat(browser, server, (1440, 900), "oh-hell", number="oh-hell 2", **bots(3))  # the person deals
    bids_that_may_not_be_made_have_their_reason(one.page)
    one.deal("oh-hell", number="oh-hell 5", **bots(4))
    trick = one.page.locator(".trick")
    one.page.wait_for_selector(".offers.numbers")
    assert trick.locator(".place").all_inner_texts().count("leads") == 1
    assert not trick.locator(".next").count()
    one.page.locator(".offers.numbers button", has_text="1").first.click()
    one.page.wait_for_selector(".live.turn .hand .can")
    assert trick.locator(".next").all_inner_texts() == ["to follow"]


def bids_that_may_not_be_made_have_their_reason(page: Any) -> None:
    page.wait_for_selector(".live.turn .barred")
    barred = page.locator(".barred")
    allowed = page.locator(".offers.numbers [data-offer]")
    numbers = [int(text) for text in [*barred.locator("button").all_inner_texts(), *allowed.all_inner_texts()]]
    assert numbers == list(range(len(numbers))), "every bid is there, in order"
    last = barred.locator("button").last
    last.hover()
    reason = barred.locator("[role=tooltip]").last
    reason.wait_for(state="visible")
    assert "must add up to more than" in reason.inner_text()
    assert last.get_attribute("aria-disabled") == "true"
    last.click(force=True)  # for Playwright it is not enabled
    page.wait_for_selector(".message.bad")


def test_aids_to_the_memory(browser: Any, server: Served) -> None:
    """The card that is due is marked in its row for everybody; aids are optional where the host allows them."""

    def played(allowed: bool, moves: int) -> tuple[chrome.Watched, int]:
        """A person who wants aids, after a number of moves or as soon as one is shown; and the number of moves."""
        one = chrome.visitor(browser, server.url, 1440, 900, chosen={"aids": True})
        one.deal("play-or-pay", number="play-or-pay 4", aids=allowed, **bots(4))
        for made in range(moves + 1):
            one.page.wait_for_selector(".live.turn, dialog.sheet")
            if one.page.locator(".fact.aid").count() or one.over or made == moves:
                break
            before = one.page.evaluate("() => document.querySelector('.play').innerText")
            one.move()
            one.page.wait_for_function("(before) => document.querySelector('.play').innerText !== before", arg=before)
        return one, made

    one = sat(browser, server, (1440, 900), "pirate", number="pirate 4", **bots(2))
    due = "() => [...document.querySelectorAll('.slot.due')].map((el) => [el.className, el.textContent.trim()])"
    marked = one.page.evaluate(due)
    assert sum("mine" in name for name, _ in marked) == sum("theirs" in name for name, _ in marked) == 4
    assert {text for _, text in marked} == {"A", "K"}
    one, made = played(True, 12)
    assert one.page.locator(".fact.aid").count() > 0
    one.page.evaluate("localStorage.cardtable = JSON.stringify({...JSON.parse(localStorage.cardtable), aids: false})")
    one.page.reload()
    one.page.wait_for_selector(".live.turn")
    assert one.page.locator(".fact.aid").count() == 0, "who does not want them has none"
    one, later = played(False, made)
    assert (one.page.locator(".fact.aid").count(), later) == (0, made), "the host does not allow them"


#: the chips on each money card
STAKES = "() => [...document.querySelectorAll('.stake b')].map((el) => Number(el.textContent))"


def test_chips_are_put_on_the_money_cards(browser: Any, server: Served) -> None:
    """They are moved by a tap, dragged, or by keys, and put down."""
    one = chrome.visitor(browser, server.url, 1440, 900)
    one.deal("michigan", preset="boodle", number="boodle 1", **bots(4))
    page = one.page
    page.wait_for_selector(".live.turn .stake")
    assert not page.locator("[data-more]").count(), "no list of thirty-five moves"
    assert page.evaluate(STAKES) == [1, 1, 1, 1]
    a_chip_is_moved_by_a_tap_or_dragged(page)
    page.reload()
    page.wait_for_selector(".live.turn .stake")
    assert page.evaluate(STAKES) == [1, 1, 1, 1]
    page.get_by_role("button", name="One chip back from the queen of spades").click()
    assert page.evaluate(STAKES) == [1, 1, 0, 1]
    assert page.locator(".actions button", has_text="1 chip left").is_disabled()
    assert "1 chip left to put down" in page.locator(".message").inner_text()
    page.get_by_role("button", name="One more chip on the ace of hearts").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(STAKES) == [2, 1, 0, 1]
    page.get_by_role("button", name="Put down 4 chips").click()
    page.wait_for_selector(".hand button.card")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.log li')].filter((el) => /^You put 2 chips on "
        "A/.test(el.innerText)).length === 1"
    )


def a_chip_is_moved_by_a_tap_or_dragged(page: Any) -> None:
    """With one tap when all are down; or from one card to another."""
    for expected in ([2, 0, 1, 1], [3, 0, 0, 1]):
        page.get_by_role("button", name="One more chip on the ace of hearts").click()
        assert page.evaluate(STAKES) == expected
    page.reload()
    page.wait_for_selector(".live.turn .stake")
    assert page.evaluate(STAKES) == [1, 1, 1, 1]
    stakes = page.locator(".stake .on")

    def drag(start: int, to: tuple[float, float]) -> None:
        box = stakes.nth(start).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(*to, steps=4)

    def middle(stake: int) -> tuple[float, float]:
        box = stakes.nth(stake).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    drag(1, middle(3))
    chrome.expect(page.locator(".flying-chip.carried")).to_have_count(1)
    chrome.expect(page.locator(".stake.goal")).to_have_count(1)
    page.mouse.up()
    assert page.evaluate(STAKES) == [1, 0, 1, 2]
    assert page.locator(".flying-chip.carried, .stake.goal").count() == 0
    drag(3, middle(0))
    page.mouse.up()
    assert page.evaluate(STAKES) == [2, 0, 1, 1], "one chip at a time, and no click follows"
    drag(1, middle(2))
    page.mouse.up()
    assert page.evaluate(STAKES) == [2, 0, 1, 1], "there was none to take"
    drag(0, (20, 500))
    page.mouse.up()
    assert page.evaluate(STAKES) == [2, 0, 1, 1], "next to the cards it goes back"
    drag(0, middle(1))
    page.mouse.move(*middle(0))
    page.mouse.up()
    assert page.evaluate(STAKES) == [2, 0, 1, 1], "where it was, it is no tap"
    drag(0, middle(1))
    page.mouse.move(*middle(0))
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".flying-chip.carried").count() == 0
    assert page.evaluate(STAKES) == [2, 0, 1, 1]


@pytest.mark.server(why_rate=(1, 86_400.0), fresh=True)
def test_a_question_that_is_refused_as_too_many(browser: Any, server: Served) -> None:
    """The player reads that it was refused; the page does not think for ever."""
    one = sat(browser, server, (1440, 900), "spider", number="spider 3", **bots(1))
    one.page.get_by_role("button", name="Any useful move left?").click()
    one.page.get_by_text("turns up a card.").wait_for()
    one.page.get_by_role("button", name="Still winnable?").click()
    one.page.get_by_text("This question: you ask too often").wait_for()
    assert one.page.get_by_text("Thinking …").count() == 0


def foreseen(room: Any, outlook: Outlook) -> str:
    return wire.text(wire.Foreseen(room.table.numbers[0], outlook.useful, as_data(outlook.message), ()))


def test_a_patience(browser: Any, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows whether any useful move is left, begins again, and shows whether it can still be won. There is no
    chat.
    """
    one = sat(browser, server, (1440, 900), "spider", number="spider 3", **bots(1))
    page = one.page
    assert page.locator(".chat").count() == 0
    page.get_by_role("button", name="Any useful move left?").click()
    page.get_by_text("turns up a card.").wait_for()
    assert page.locator(".aim, .advised").count(), "the first move is pointed at"
    none = Outlook(False, Message("No: there is none; stock can be dealt."))
    with monkeypatch.context() as patch:
        patch.setattr(questions, "outlook", lambda room, peer: peer.send(foreseen(room, none)))
        page.get_by_role("button", name="Any useful move left?").click()
        page.get_by_text("No: there is none; stock can be dealt. Take moves back, or begin a new deal.").wait_for()

    cards = "() => [...document.querySelectorAll('.column [data-card]')].map((el) => el.dataset.card).join()"
    before = page.evaluate(cards)
    shown = before

    def moved() -> bool:
        """A click at the same place at once is ignored, as the second of a double click."""
        one.move()
        return bool(page.evaluate(cards) != shown)

    for _ in range(2):
        until(moved)
        shown = page.evaluate(cards)
    page.get_by_role("button", name="New deal").click()
    page.get_by_role("button", name="Restart").click()
    page.wait_for_function(f"(before) => ({cards})() === before", arg=before)
    page.get_by_role("button", name="New deal").click()
    chrome.expect(page.locator(".variants button")).to_have_count(3)
    page.locator(".variants button").nth(2).click()
    page.wait_for_function("() => /One-Suit/.test(document.querySelector('.bar h1')?.textContent)")
    page.wait_for_selector(".live.turn")
    it_can_be_won_and_says_whether_it_still_can(page, monkeypatch)


def it_can_be_won_and_says_whether_it_still_can(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the solver would say, whose own tests are in tests/review/test_winnable.py."""

    async def solved(solutions: Solutions, caller: str, key: Any, played: tuple[str, ...], text: str) -> Solution:
        match = Record.parse(text).resumed()
        return Solution(SOLVED, tuple(match.legal(0)[:1]), 1, 0.0)

    monkeypatch.setattr(Solutions, "ask", solved)
    every_deal_can_be_won(monkeypatch)
    page.get_by_role("button", name="Still winnable?").click()
    page.get_by_text("Yes, it can still be won: ").wait_for()
    assert page.locator(".aim, .advised").count(), "the next move is pointed at"
    before = page.url
    page.get_by_role("button", name="New deal").click()
    page.get_by_role("button", name="A deal that can be won").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector(".live.turn")
    assert "winnable deal" in page.locator(".bar h1").inner_text()
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("The table chose these cards because a solver that sees all cards wins with them.").wait_for()


def to_knock(one: chrome.Watched) -> Any:
    """The place to knock on, once the player may do so."""
    page = one.page
    place = page.locator(".rap button")
    while not place.count():
        one.move()
        page.wait_for_function("() => document.querySelector('.live.turn, .ending')")
        assert not one.over
    return place


def test_a_player_knocks_on_the_table(browser: Any, server: Served) -> None:
    """By touch, where a knock that cannot be taken back is asked for twice; and by keys. The place to knock on tells
    what follows, and there is no button besides it.
    """
    one = sat(browser, server, (390, 844), "thirty-one", number="thirty-one 3", undo="never", **bots(3))
    place = to_knock(one)
    place.tap()
    assert place.get_attribute("aria-label") == "Really knock?"
    assert not one.page.locator(KNOCKED).count()
    place.tap(position={"x": 5, "y": 5})  # at the same place and at once it would be the second tap of a double one
    one.page.wait_for_selector(KNOCKED)

    one.page.set_viewport_size({"width": 1280, "height": 800})
    one.deal("thirty-one", number="thirty-one 3", **bots(3))
    one.page.wait_for_selector(".live.turn")
    place = to_knock(one)
    assert place.get_attribute("aria-label") == "Knock"
    assert "one more turn" in place.get_attribute("title")
    assert not one.page.locator("[data-offer]").count()
    one.page.locator(".heap .takes").first.focus()
    for _ in range(4):
        if place.evaluate("(el) => el === document.activeElement"):
            break
        one.page.keyboard.press("ArrowRight")
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector(KNOCKED)
    assert not place.count()

    one.deal("thirty-one", number="thirty-one 1", **bots(3))
    one.page.wait_for_selector(".live.turn")
    the_game_asks_in_its_own_words_and_says_why(one.page)
    to_knock(one).click()  # what can be taken back is not asked about
    one.page.wait_for_selector(KNOCKED)


KNOCKED = ".own .fact:has-text('has knocked')"


def the_game_asks_in_its_own_words_and_says_why(page: Any) -> None:
    asked = page.locator(".message .prompt")
    assert "or a card of the stock" in asked.inner_text()
    asked.get_by_role("button", name="Why?").click()
    page.wait_for_selector("dialog .lit")
    assert "TO-09" in page.locator("dialog .lit").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_a_hand_keeps_its_size_between_doubting_and_laying(browser: Any, server: Served) -> None:
    """Where only a pile lies in the middle, what is claimed of its cards has its room from the beginning."""
    t = Driven("i-doubt-it", "a", **bots(4), number="i-doubt-it 3")
    played(t, lambda t: (view := turn(t)) is not None and "accept" in view.legal)
    page = sit(browser, server, t, 320, 640).page
    accept = page.get_by_role("button", name="Accept")
    sizes = set()
    for _ in range(2):
        accept.wait_for()
        sizes.add(page.locator(".hand .card").first.evaluate("(el) => el.offsetWidth"))
        version = page.locator(".message").inner_text()
        accept.press("Enter")  # two clicks at one place may be a double click, of which the second is ignored
        page.wait_for_function(
            "(before) => document.querySelector('.live.turn .message')?.innerText.includes('Your turn')"
            " && document.querySelector('.message').innerText !== before",
            arg=version,
        )
    page.get_by_role("button", name="Choose 1 to 4 cards").wait_for()
    sizes.add(page.locator(".hand .card").first.evaluate("(el) => el.offsetWidth"))
    assert len(sizes) == 1, sizes
