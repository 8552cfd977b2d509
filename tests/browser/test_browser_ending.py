"""The end of a deal on the drawn table: hands are laid open, scores are shown, and the winner has a moment. How numbers
count, and when each reason is shown, is tested in tests/client/ending.test.js.
"""

from __future__ import annotations

import re
from typing import Any

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
    it_says_who_has_won_and_play_goes_on(browser, server)
    on_a_phone_on_its_side_all_lines_are_seen_at_once(browser, server)


def the_hands_of_the_others_open_on_the_table(browser: Any, server: Served) -> None:
    t = Driven("thirty-one", "a", **bots(3), number="thirty-one 3")
    played(t, lambda t: (view := turn(t)) is not None and "knock" in view.legal)
    one = sit(browser, server, t, chosen={"speed": "fast"}, reduced_motion="no-preference")
    page = one.page
    page.evaluate(WATCH)
    page.locator("[data-offer]", has_text="Knock").click()
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


def it_says_who_has_won_and_play_goes_on(browser: Any, server: Served) -> None:
    """And how each score was made; the table and the whole sheet can be looked at."""
    t = between("cassino", 2, "cassino 1")
    one = sit(browser, server, t)
    page = one.page
    page.wait_for_selector(".ending")
    assert not page.locator("dialog[open]").count(), "the sheet is a second look"
    lines = page.locator(".ending li").all_inner_texts()
    assert len(lines) == 2
    assert t.table.match is not None
    [result] = t.table.match.results
    for line, score in zip(lines, result.scores, strict=True):
        text = " ".join(line.split())
        sum_of = re.search(r"(\d+) \+ (\d+) = (\d+)$", text)
        assert sum_of, text
        before, gained, after = map(int, sum_of.groups())
        assert before + gained == after == score
        counted = [int(n) for n in re.findall(r" (\d+)(?:,| \d+ \+)", text)]
        assert sum(counted) == gained, text
    winner = result.winner
    name = "You" if winner == 0 else t.table.names[1]
    assert page.locator(".ending li.won .who").all_inner_texts() == [name]
    assert page.locator(".seat.won").count() == 1
    assert page.locator(".own .seat.won").count() == page.locator(".ending.mine").count() == (winner == 0)
    said = page.locator("[aria-live=assertive]", has_text="deal 1").inner_text()
    assert said == f"{name} {'win' if winner == 0 else 'wins'} deal 1."
    page.get_by_role("button", name="Look at the table").click()
    page.wait_for_selector(".ending", state="detached")
    page.get_by_role("button", name="Scores").click()
    page.wait_for_selector(".ending")
    one.result()
    page.keyboard.press("Escape")
    page.locator(".actions").get_by_role("button", name="Next deal").click()
    page.wait_for_selector(".live.turn")
    assert not page.locator(".ending").count()


def on_a_phone_on_its_side_all_lines_are_seen_at_once(browser: Any, server: Served) -> None:
    for number in ("fan-tan 5", "michigan 6", "oh-hell 5"):
        one = sit(browser, server, between(number.split()[0], 4, number), 844, 390)
        ending, buttons = one.page.locator(".ending"), one.page.locator(".actions button:visible")
        ending.wait_for()
        assert ending.evaluate("(el) => el.scrollHeight <= el.clientHeight + 1")
        assert ending.locator("li").count() == 4
        boxes = buttons.evaluate_all("(all) => all.map((el) => Math.round(el.getBoundingClientRect().top))")
        assert len(set(boxes)) == 1, "one row"
