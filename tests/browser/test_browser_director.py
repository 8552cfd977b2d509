"""The director of the drawn table, in a page: the log, the table and the player's hands follow its beats. Its clock is
turned by hand, so that nothing depends on time; its queue alone is tested in tests/client/director.test.js.
"""

from __future__ import annotations

from typing import Any

from tests.support import browser as chrome
from tests.support.server.prepared import bots
from tests.support.server.served import Served

pytestmark = chrome.needed

#: nothing waits any more, and the next beat comes when `beat` is called
BY_HAND = """() => {
  const { director } = cardtable;
  director.skip();
  Object.assign(director.stage, { later: (act) => (window.next = act, 1), cancel: () => (window.next = null) });
  window.beat = () => { const act = window.next; window.next = null; act(); };
}"""
#: what two bots did has arrived: in two messages or, where the server had no time for them one by one, in one, or in
#: that of the player's own move
TOLD = (
    "() => [cardtable.director.scene?.beats.slice(cardtable.director.at + 1) ?? [],"
    " ...cardtable.director.queue.map((scene) => scene.beats)].flat().length > 1"
)
SEEN = "() => [document.querySelectorAll('.log li').length, document.querySelectorAll('.slot.filled').length]"
#: notes the cards of the hand that begin to move while the deal is shown
DEALT = """window.dealt = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...all) {
    if (this.matches('.live[data-beat=deal] .hand button.card')) window.dealt.push(this.dataset.card);
    return animate.apply(this, all);
  };"""


def test_the_table_is_shown_beat_by_beat(browser: Any, server: Served) -> None:
    """Without motion, and then with it."""
    one = chrome.visitor(browser, server.url, chosen={"speed": "normal"})
    what_is_told_waits_until_it_is_shown(one)
    a_trick_waits_on_the_table_until_it_is_gathered(one)
    whoever_arrives_sees_the_cards_dealt(one)


def by_hand(one: chrome.Watched, game: str) -> None:
    """A turn at a table of a game, whose beats come on command."""
    one.deal(game, **bots(3), number=f"{game} 1")
    one.page.wait_for_selector(".live.turn")
    one.page.evaluate(BY_HAND)


def what_is_told_waits_until_it_is_shown(one: chrome.Watched) -> None:
    """The log and the table show the same moment. A key shows the rest; so does a click, which plays no card then, in
    a position that the player has not seen.
    """
    by_hand(one, "fan-tan")
    page = one.page
    hand = page.locator(".hand button.card")

    def move() -> tuple[int, int]:
        """Play a card; what is seen after it."""
        held = hand.count()
        page.locator(".hand .can").first.click(position=chrome.CORNER)
        page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length < n", arg=held)
        before: list[int] = page.evaluate(SEEN)
        page.wait_for_function(TOLD)
        assert page.evaluate(SEEN) == before, "two bots have moved, and neither the log nor the table shows it"
        assert page.locator(".live").get_attribute("data-beat") == "play"
        return before[0], before[1]

    def shown(before: tuple[int, int]) -> None:
        page.wait_for_selector(".live.turn")
        log, filled = page.evaluate(SEEN)
        assert log > before[0]
        assert filled > before[1]
        assert page.evaluate("() => cardtable.director.queue.length") == 0

    before = move()
    page.keyboard.press("Escape")
    shown(before)
    before, held = move(), hand.count()
    hand.first.click(position=chrome.CORNER)
    shown(before)
    assert hand.count() == held
    assert not page.locator(".message.bad").count()


def a_trick_waits_on_the_table_until_it_is_gathered(one: chrome.Watched) -> None:
    by_hand(one, "oh-hell")
    page = one.page
    trick = page.locator(".trick .card")
    while page.locator(".live").get_attribute("data-beat") != "trick":
        page.wait_for_function("() => window.next || document.querySelector('.live.turn')")
        if page.evaluate("() => Boolean(window.next)"):
            page.evaluate("() => window.beat()")
        else:
            one.move()
    assert trick.count() == 3, "all its cards are seen"
    page.evaluate("() => window.beat()")
    assert page.locator(".live").get_attribute("data-beat") == "trick"
    assert trick.count() == 0, "they go to its winner"


def whoever_arrives_sees_the_cards_dealt(one: chrome.Watched) -> None:
    one.page.emulate_media(reduced_motion="no-preference")
    one.page.add_init_script(DEALT)
    one.deal("oh-hell", **bots(3), number="oh-hell 1")
    one.page.wait_for_function("() => window.dealt.length > 3")
