"""The review in the browser: decisions listed, the worst marked, a click to the table as it lay; what was known, or all
hands.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from cardtable import Match, bot
from cardtable.match.match import Record
from cardtable.precompile import warm
from cardtable.review.review import review
from cardtable.review.where_lost import Loss
from cardtable.rules import catalog
from cardtable.server.thinking.solving import Losses
from tests.support import browser as chrome
from tests.support.server.served import Served

ITERATIONS = 1000
pytestmark = [chrome.needed, pytest.mark.server(review_iterations=ITERATIONS)]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """No test waits for the compiler."""
    warm(catalog.find("fan-tan"), open_cards=True)


@pytest.fixture(scope="module")
def m() -> Match:
    """Two deals in which Ann plays any card, and the others good ones."""
    m = Match("fan-tan", 4, seed=12, deals=2)
    players = [bot("random" if seat == 0 else "medium", 1) for seat in range(4)]
    while not m.over:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])))
    return m


def opened(one: chrome.Watched, m: Match, query: str = "") -> None:
    """The replay of a match that a person brings along."""
    record = str(Record({**m.record().keys, "players": ["Ann", "Ben", "Cleo", "Dan"]}))
    made = one.page.request.post(f"{one.url}/api/records", data=record).json()
    one.page.goto(f"{one.url}/replay/{made['id']}{query}")
    one.page.wait_for_selector(".replay .feltbox")


def judged(page: Any) -> None:
    page.wait_for_function(
        "() => document.querySelector('.review .sum b') || document.querySelector('.review "
        ".sum')?.innerText.includes('nothing to decide')"
    )


def test_a_deal_is_reviewed_by_mouse_and_by_keys(browser: Any, server: Served, m: Match) -> None:
    one = chrome.visitor(browser, server.url, 1280, 800)
    page = one.page
    opened(one, m)
    page.get_by_role("button", name="Review", exact=True).click()
    judged(page)
    with_all_cards = review(m, 0, ITERATIONS, deal=1, open_cards=True).decisions
    ours = [replace(each, seen=None) for each in with_all_cards]
    lines = page.locator(".decision")
    assert [line.locator(".number").inner_text().split()[-1] for line in lines.all()] == [
        str(decision.number) for decision in ours
    ]
    worst = [decision for decision in ours if decision.worst]
    assert 0 < page.locator(".decision.worst").count() == len(worst) <= 3
    first = max(worst, key=lambda one: one.sure)
    here = page.locator(".decision[aria-current=step] .number")
    chrome.expect(here, "it opens at the worst decision").to_have_text(re.compile(rf"\b{first.number}$"))
    chrome.expect(page.locator(".others .shown"), "only what Ann knew").to_have_count(0)
    assert page.locator(".sat .own .name").inner_text() == "You", "the table as she sat at it"
    chips = [page.locator(f".sat .seat[data-seat='{seat}'] .facts").inner_text() for seat in range(4)]
    assert all(re.match(r"\d+", text) for text in chips), "hers, too"
    marks = [(mark, page.locator(f'.hand [data-card="{move}"][data-mark="{mark}"]')) for mark, move in marked(first)]
    assert [(mark, one.get_attribute("data-said")) for mark, one in marks] == [(mark, mark) for mark, _ in marks]
    verdict = " ".join(page.locator(".moved").inner_text().split())
    assert verdict.startswith("Your move: ")
    assert f"{first.loss:.1f} ± {first.error:.1f} chips given away".replace(".0", "") in verdict.replace(".0", "")
    place = f"?review=1&deal=1&move={first.number}"
    assert page.url.endswith(place), "a link leads here"

    page.locator(".decision").first.click()
    chrome.expect(here).to_have_text(re.compile(rf"\b{ours[0].number}$"))
    assert page.get_by_role("button", name="Previous decision").is_disabled()
    page.keyboard.press("ArrowRight")
    chrome.expect(here, "by the keys").to_have_text(re.compile(rf"\b{ours[1].number}$"))
    page.locator(".course g").nth(2).click(position={"x": 1, "y": 1}, force=True)
    chrome.expect(here, "by the graph").to_have_text(re.compile(rf"\b{ours[2].number}$"))
    for number in (ours[1].number, ours[0].number, first.number):
        page.go_back()
        chrome.expect(here, "Back").to_have_text(re.compile(rf"\b{number}$"))
    assert page.url.endswith(place)
    page.reload()
    judged(page)
    chrome.expect(here, "the address names the place").to_have_text(re.compile(rf"\b{first.number}$"))

    on_a_phone(page)
    chrome.expect(here).to_have_text(re.compile(rf"\b{first.number}$"))
    assert page.locator(".open-cards").count() == 0, "only what Ann knew"
    page.get_by_text("All hands").click()
    page.wait_for_function("() => document.querySelectorAll('.others .shown').length === 3")
    with_sight = next(each for each in with_all_cards if each.number == first.number).seen
    assert with_sight is not None
    text = page.locator(".open-cards").inner_text()  # the hidden cards are shown now, so it gives nothing away
    assert text.startswith("With all cards known, including the hidden ones, ")
    assert text.endswith("was the best move." if with_sight.loss == 0 else "does not affect the grade.")
    chrome.expect(here, "the same place in the deal").to_have_text(re.compile(rf"\b{first.number}$"))

    page.get_by_label("Whose decisions:").select_option("1")
    page.wait_for_function("() => document.querySelector('.presets label').innerText === 'Only what Ben knew'")
    judged(page)
    page.get_by_role("button", name="Close the review").click()
    assert page.locator(".review").count() == 0
    page.get_by_label("One move on").click()
    slider = page.get_by_role("slider", name="Move")
    for place in (slider.input_value(), "0", slider.get_attribute("max")):
        slider.fill(place)
        page.get_by_role("button", name="Review", exact=True).click()
        judged(page)
        assert slider.input_value() == place, "where she looked at a move"
        page.get_by_role("button", name="Close the review").click()


def on_a_phone(page: Any) -> None:
    """Who chooses a decision in the list sees what it was worth, and the hand. All is as before after that."""
    page.set_viewport_size({"width": 320, "height": 640})
    page.locator(".decision").last.click()
    page.wait_for_function(
        """() => {
          const at = (which) => document.querySelector(which).getBoundingClientRect();
          return at(".moved").top >= 0 && at(".sat .hand").bottom <= innerHeight;
        }"""
    )
    page.go_back()
    page.set_viewport_size({"width": 1280, "height": 800})


def marked(decision: Any) -> list[tuple[str, str]]:
    """The marks on the hand: fan-tan's moves are cards."""
    return [(mark, move) for mark, move in (("played", decision.move), ("better", decision.best)) if move != "pass"]


@pytest.mark.exhaustive
def test_a_decision_is_tried_again(browser: Any, server: Served, m: Match) -> None:
    """From the worst decision of the review to a table where it lies before her again, and again; any other move can be
    played on from too. The review is for everybody.
    """
    one = chrome.visitor(browser, server.url, 1280, 800, bypass_csp=True)
    page = one.page
    opened(one, m, "?review")
    judged(page)
    page.locator(".decision.worst").first.click()
    it_is_for_everybody(page)
    page.get_by_role("button", name="Try again from here").click()
    page.wait_for_selector(".live.turn")
    cards = page.locator(".hand button.card").count()
    worst = next(decision for decision in review(m, 0, ITERATIONS, deal=1).decisions if decision.worst)
    chrome.expect(
        page.locator(f'.hand .can[data-card="{worst.move}"]'), "what she played is in her hand again"
    ).to_have_count(1)
    log = page.locator(".log li").all_inner_texts()
    assert log.index("The match begins") < log.index("The match continues from here")
    assert any("lays" in line for line in log), "the deal so far is told"
    one.move()
    page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length < n", arg=cards)
    page.get_by_role("button", name="Menu").click()
    page.wait_for_selector("text=It does not count in your statistics")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really give up?").click()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length === n", arg=cards)

    opened(one, m)
    page.get_by_role("button", name="One move on").click()
    who = page.locator(".seat.acts .name").inner_text()
    page.get_by_role("button", name=f"Continue from here as {who}").click()
    page.wait_for_selector(".live.turn")
    chrome.expect(page.locator(".log li", has_text="lays")).to_have_count(1)


def it_is_for_everybody(page: Any) -> None:
    """Axe finds nothing in any look, in a wide window and on a phone; the window is wide after that."""
    page.wait_for_selector(".moved .grade")
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        assert chrome.violations_in_every_look(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_long_deal_is_fetched_in_portions(browser: Any, server: Served) -> None:
    """The first portions at first, and another when the slider rests there; every move can be reached."""
    m, player = Match("i-doubt-it", 6, seed=2), bot("random", 1)
    while not m.over and len(m.moves) < 400:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    one = chrome.visitor(browser, server.url, 1280, 800)
    page = one.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/frames?" in request.url else None)
    opened(one, m)
    slider, place = page.get_by_role("slider", name="Move"), page.locator(".controls output")
    page.wait_for_function("() => document.querySelector('.feltbox').getAttribute('aria-busy') === 'false'")
    last = int(slider.get_attribute("max"))
    assert last > 250
    with page.expect_response(lambda answer: "first=200" in answer.url):
        for at in (80, 120, 160, 210):  # dragged past two portions
            slider.fill(str(at))
    page.wait_for_function("() => document.querySelector('.feltbox').getAttribute('aria-busy') === 'false'")
    assert slider.input_value() == "210"
    moved = page.locator(".moved").inner_text()
    page.get_by_role("button", name="One move on").click()
    page.wait_for_function("text => document.querySelector('.moved').innerText !== text", arg=moved)
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function("() => document.querySelector('.feltbox').getAttribute('aria-busy') === 'false'")
    assert slider.input_value() == str(last)
    assert len(set(place.inner_text().split(" / "))) == 1
    assert not [url for url in asked if "first=150" in url], "the slider did not rest there"
    assert all("count=50" in url for url in asked)


def test_the_last_deal_is_reviewed_before_the_next_one(browser: Any, server: Served) -> None:
    """And the match when it is over."""
    one = chrome.visitor(browser, server.url)
    one.deal("fan-tan", **chrome.near_the_end("fan-tan", 3, own=10))
    one.page.wait_for_selector(".live.turn")
    assert one.page.locator(".actions").get_by_role("button", name="Review").count() == 0
    one.play_deal()
    one.page.locator(".actions").get_by_role("button", name="Review").click()
    window = one.page.get_by_role("dialog", name="Review")
    window.get_by_text("Average loss").wait_for()
    window.get_by_text("Judged by what you knew").wait_for()
    if decisions := window.locator(".decision").count():
        window.locator(".moved b, .moved .grade").first.wait_for()
        for _ in range(decisions):
            one.page.keyboard.press("ArrowRight")
        chrome.expect(window.locator(".decision").last).to_have_attribute("aria-current", "step")
        chrome.expect(window.locator(".sat .hand .card"), "the table then").not_to_have_count(0)
    one.page.keyboard.press("Escape")
    one.page.locator(".actions").get_by_role("button", name="Next deal").click()
    one.page.wait_for_selector("text=deal 2")
    one.page.wait_for_selector(".live.turn")
    one.give_up()
    one.result()
    one.page.locator(".actions").get_by_role("button", name="Review").click()
    one.page.wait_for_selector(".review")
    judged(one.page)
    assert one.page.get_by_label("Whose decisions:").input_value() == "0"


def test_the_last_deal_is_tried_again_before_the_next_one(browser: Any, server: Served) -> None:
    """At another table, which Back leaves for the same place of the review; a page that was not there shows it all."""
    one = chrome.visitor(browser, server.url)
    one.deal("fan-tan", **chrome.near_the_end("fan-tan", 3, own=10))
    one.page.wait_for_selector(".live.turn")
    one.play_deal()
    page, window = one.page, one.page.get_by_role("dialog", name="Review")
    table = page.url
    page.reload()
    page.locator(".actions").get_by_role("button", name="Review").click()
    window.get_by_text("Average loss").wait_for()
    decisions = window.locator(".decision")
    here = window.locator(".decision[aria-current=step]")
    for k in range(decisions.count()):
        decisions.nth(k).click()
        chrome.expect(decisions.nth(k)).to_have_attribute("aria-current", "step")
        chrome.expect(window.locator(".feltbox[aria-busy=false] .hand [data-mark]")).not_to_have_count(0)
    decisions.first.click()
    move = window.locator(".hand :is([data-mark=well], [data-mark*=played])").get_attribute("data-card")
    place, number = page.url, here.locator(".number").inner_text()
    assert place.startswith(f"{table}?review=1&deal=1&move=")
    window.get_by_role("button", name="Try again from here").click()
    page.wait_for_selector(".live.turn")
    assert not page.url.startswith(table)
    chrome.expect(page.locator(f'.hand .can[data-card="{move}"]'), "it is in the hand again").to_have_count(1)
    page.go_back()
    chrome.expect(here.locator(".number"), "the same place").to_have_text(number)
    assert page.url == place
    page.keyboard.press("Escape")
    page.wait_for_url(table)
    page.locator(".actions").get_by_role("button", name="Next deal").click()
    page.wait_for_selector("text=deal 2")
    page.goto(place)
    page.wait_for_selector(".live")
    page.wait_for_url(table)


def test_it_is_told_where_a_patience_was_lost(browser: Any, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the solver finds it, whose own tests are in tests/review/test_lost.py."""
    m = Match("spider", rules="one-suit", seed=3)
    for _ in range(3):
        m.play(m.legal(0)[0])
    loss = Loss(positions=4, won=4, open=5, best=m.legal(0)[0])
    m.resign(0)

    async def lost(losses: Losses, *asked: Any) -> Loss:
        return loss

    monkeypatch.setattr(Losses, "ask", lost)
    one = chrome.visitor(browser, server.url)
    page = one.page
    made = page.request.post(f"{one.url}/api/records", data=str(m.record())).json()
    page.goto(f"{one.url}/replay/{made['id']}?review")
    page.get_by_text("From the last position the game could still be won, with").wait_for()
    page.get_by_role("button", name="Look at the table").click()
    page.get_by_text("3 / 3").wait_for()
