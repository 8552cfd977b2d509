"""The end of a deal on the drawn table: hands are laid open, scores are shown, and the winner has a moment. How numbers
count, and when each reason is shown, is tested in tests/client/ending.test.js.
"""

from __future__ import annotations

import re
from typing import Any

from tests.browser.boxes import faults
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.prepared import bots, played, sit, turn
from tests.support.server.served import Served

pytestmark = chrome.needed

#: one beat follows the other without waiting; notes each, with the number of cards of others that lie open, and whether
#: the ending is shown
WATCH = """() => {
  cardtable.director.stage.later = (act) => setTimeout(act);
  window.seen = [];
  const note = () => {
    const beat = document.querySelector('.live')?.dataset.beat;
    const open = document.querySelectorAll('.others .shown .card').length;
    const ending = !!document.querySelector('.ending');
    const told = JSON.stringify([beat, open, ending]);
    if (JSON.stringify(window.seen.at(-1)) !== told) window.seen.push(JSON.parse(told));
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def between(game: str, seats: int, number: str) -> Driven:
    return played(Driven(game, "a", **bots(seats), number=number), lambda t: t.table.stage == "between")


def test_a_deal_ends_on_the_table(browser: Any, server: Served) -> None:
    the_hands_of_the_others_open_on_the_table(browser, server)
    what_is_left_on_the_table_goes_from_there(browser, server)
    it_says_who_has_won_and_play_goes_on(browser, server)
    on_a_phone_on_its_side_all_lines_are_seen_at_once(browser, server)


def the_hands_of_the_others_open_on_the_table(browser: Any, server: Served) -> None:
    t = Driven("thirty-one", "a", **bots(3), number="thirty-one 3")
    played(t, lambda t: (view := turn(t)) is not None and "knock" in view.legal)
    one = sit(browser, server, t, chosen={"speed": "fast"}, reduced_motion="no-preference")
    page = one.page
    page.evaluate(WATCH)
    page.locator(".rap button").click()
    page.wait_for_selector(".ending")
    beats = page.evaluate("() => window.seen")
    assert [open for beat, open, _ in beats if beat == "open"][-1] == 6, beats
    first = next(i for i, (beat, *_) in enumerate(beats) if beat == "open")
    assert all(not open and not ending for _, open, ending in beats[:first]), beats
    assert beats[-1][2]
    page.locator(".ending h2").click()
    page.wait_for_function(
        "() => !document.querySelector('.ending .sum .sr') && !document.querySelector('.ending ul').getAnimations("
        "{ subtree: true }).length"
    )


#: how large each card is on its way to a pile, as a share of its size on the table
GATHERED = """() => {
  window.scales = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    if (this.matches('.flight')) window.scales.push(...frames.filter((one) => one.offset < 0.7 && one.scale));
    return animate.call(this, frames, timing);
  };
}"""


def what_is_left_on_the_table_goes_from_there(browser: Any, server: Served) -> None:
    """Captured piles are turned up to be counted; a card that lay across one is no card of the table. Where the drawer
    is shut, the result lies over the middle, and the table stays where it is.
    """

    def last(t: Driven) -> bool:
        view = turn(t)
        return view is not None and len(view.hand) == 1 and view.state.drawn == view.state.stock_size

    t = played(Driven("scopa", "a", **bots(2), number="70"), last)
    one = sit(browser, server, t, chosen={"speed": "fast", "drawer": False}, reduced_motion="no-preference")
    one.page.wait_for_selector(".live.turn")
    place = one.page.locator(".board").bounding_box()
    assert one.page.locator(".others .won-pile [data-card]").count() == 1
    one.page.evaluate(GATHERED)
    one.move()
    one.page.wait_for_selector(".ending")
    scales = [round(frame["scale"], 1) for frame in one.page.evaluate("() => window.scales")]
    assert scales
    assert set(scales) == {1}
    assert one.page.locator(".board").bounding_box() == place
    assert faults(one.page, "the drawer is shut", ((1280, 800), (1920, 1080))) == []
    one.page.context.close()


def it_says_who_has_won_and_play_goes_on(browser: Any, server: Served) -> None:
    """And how each score was made; the table can be looked at."""
    t = between("cassino", 2, "cassino 1")
    one = sit(browser, server, t)
    page = one.page
    page.wait_for_selector(".ending")
    assert not page.locator("dialog[open]").count(), "the sheet is a second look"
    lines = page.locator(".ending > ul > li").all_inner_texts()
    assert len(lines) == 2
    assert t.table.match is not None
    [result] = t.table.match.results
    for line, score in zip(lines, result.scores, strict=True):
        text = " ".join(line.split())
        sum_of = re.search(r"(\d+) \+ (\d+) = (\d+)$", text)
        assert sum_of, text
        before, gained, after = map(int, sum_of.groups())
        assert before + gained == after == score
        counted = [int(n) for n in re.findall(r" \+(\d+)(?:,| \d+ \+)", text)]
        assert sum(counted) == gained, text
    winner = result.winner
    name = "You" if winner == 0 else t.table.names[1]
    assert page.locator(".ending > ul > .won .who").all_inner_texts() == [name]
    assert page.locator(".seat.won").count() == 1
    assert page.locator(".own .seat.won").count() == page.locator(".ending.mine").count() == (winner == 0)
    said = page.locator("[aria-live=assertive]", has_text="deal 1").inner_text()
    outcome = f"{name} {'win' if winner == 0 else 'wins'} deal 1."
    assert re.fullmatch(rf"{outcome} You: \d+\. {t.table.names[1]}: \d+\.", said), said
    chrome.expect(page.get_by_role("button", name="Look at the table"), "it covers nothing").to_have_count(0)
    page.get_by_text("What was paid and scored").click()
    page.locator(".ending .paid li").first.wait_for()
    page.get_by_role("button", name="Share this deal").click()
    assert "/deal/" in page.get_by_label("Link to these cards").input_value()
    assert page.locator("dialog input").count() == 1, "nothing else is shared"
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Log").click()
    page.wait_for_function(
        "() => { const el = document.querySelector('dialog .log'); const { scrollTop, clientHeight } = el ?? {};"
        "return clientHeight && scrollTop && scrollTop + clientHeight >= el.scrollHeight - 1; }"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Look at the table").click()
    page.wait_for_selector(".ending", state="detached")
    page.get_by_role("button", name="Result").click()
    page.wait_for_selector(".ending")
    page.locator(".actions").get_by_role("button", name="Next deal").click()
    page.wait_for_selector(".live.turn")
    assert not page.locator(".ending").count()


def on_a_phone_on_its_side_all_lines_are_seen_at_once(browser: Any, server: Served) -> None:
    for number in ("fan-tan 5", "michigan 6", "oh-hell 5"):
        one = sit(browser, server, between(number.split()[0], 4, number), 844, 390)
        ending, buttons = one.page.locator(".ending"), one.page.locator(".actions button:visible")
        ending.wait_for()
        assert one.page.evaluate("document.documentElement.dataset.suits") == "four", "as when it is held upright"
        assert ending.evaluate("(el) => el.scrollHeight - el.clientHeight") <= 1, number
        assert ending.locator("> ul > li").count() == 4
        boxes = buttons.evaluate_all("(all) => all.map((el) => Math.round(el.getBoundingClientRect().top))")
        assert len(set(boxes)) == 1, "one row"
