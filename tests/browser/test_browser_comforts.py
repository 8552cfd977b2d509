"""The browser client's comforts in a real Chromium: reasons before the click, the coach, clocks, who is gone, what
makes itself, what is read out.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from cardtable.server.thinking.bots import Advised, SearchPool
from cardtable.table import setup
from cardtable.views.view import View
from tests.support import browser as chrome
from tests.support.server.served import Served
from tests.support.waiting import until

pytestmark = [chrome.needed, pytest.mark.server(absence=60.0)]
#: whether an element can be seen
SEEN = "(which) => !!document.querySelector(which)?.getClientRects().length"


def chosen(one: chrome.Watched, **choices: Any) -> None:
    one.page.goto(one.url + "/about")
    one.chooses(**choices)


def stopped(page: Any) -> None:
    """Stop the page's time, which advances only under the test's control."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 2)  # in seconds, and ahead: it cannot go back


def pretty(card: str | None) -> str:
    return (card or "?")[:-1].replace("T", "10") + dict(zip("CDHS", "♣♦♥♠", strict=True))[(card or "?H")[-1]]


def alone(one: chrome.Watched, seats: int = 3, **setup: Any) -> None:
    """A deal of Fan Tan against bots, when it is one's turn."""
    one.deal("fan-tan", seats=seats, bots=["", *["medium"] * (seats - 1)], **setup)
    one.page.wait_for_selector(".live.turn")


def logged(one: chrome.Watched, does: Callable[[], None]) -> None:
    """Do something, and wait for its line in the log."""
    before = one.page.locator(".log li").count()
    does()
    one.page.wait_for_function("(before) => document.querySelectorAll('.log li').length > before", arg=before)


# Reasons


def test_a_turn_with_all_comforts(ann: chrome.Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that cannot be played shows why; a hint; the rules of the turn; settings; a look back."""
    page, asked = ann.page, []
    page.on(
        "websocket",
        lambda line: line.on("framesent", lambda frame: asked.append(str(frame)) if '"why"' in str(frame) else None),
    )
    page.set_viewport_size({"width": 1280, "height": 800})
    page.clock.install()
    with page.expect_websocket() as opening:
        alone(ann, number="fan-tan 1", preset="stops", options={"ante": 2})
    stopped(page)
    it_tells_why_to_who_rests_on_it(page)
    assert len(asked) == 1, "the reasons of a turn are asked for once"
    page.clock.resume()
    it_tells_why_to_who_has_it_in_focus(page)
    a_hint_takes_the_place_of_a_refusal(page, monkeypatch)
    the_rules_of_this_turn_are_beside_the_log(page)
    settings_work_at_once(page, opening.value)
    one_may_look_back(ann)


def it_tells_why_to_who_rests_on_it(page: Any) -> None:
    page.locator(".hand button.card:not(.can)").first.hover(position=chrome.CORNER)
    page.clock.run_for(250)
    assert not page.locator(".tip").count(), "only who rests on a card wants to know"
    page.clock.run_for(250)
    tip = page.wait_for_selector(".tip").inner_text()
    assert "FT-" in tip
    assert not page.locator(".message.bad").count(), "nothing was tried"
    page.mouse.move(5, 300)
    page.wait_for_selector(".tip", state="detached")
    page.locator(".hand button.card.can").first.hover(position=chrome.CORNER)
    page.clock.run_for(600)
    assert not page.locator(".tip").count(), "a card that can be played needs no reason"
    for card in page.locator(".hand button.card:not(.can)").all():
        card.hover(position=chrome.CORNER)
    page.clock.run_for(900)
    page.mouse.move(5, 300)
    page.wait_for_selector(".tip", state="detached")


def it_tells_why_to_who_has_it_in_focus(page: Any) -> None:
    page.keyboard.press("ArrowRight")
    for _ in range(13):
        if page.evaluate("document.activeElement.matches('.hand .card:not(.can)')"):
            break
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(".tip")
    described = "document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent"
    reason = page.evaluate(described)
    assert reason
    assert reason.split()[-1] in page.locator(".tip").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector(".message.bad")
    assert reason.split()[-1] in page.locator(".message.bad").inner_text(), "the same reason as when it is refused"


def a_hint_takes_the_place_of_a_refusal(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = threading.Event()
    work = SearchPool.hint

    async def slowly(pool: SearchPool, view: View, seed: str, asker: str) -> Advised:
        await asyncio.to_thread(thought.wait)
        return await work(pool, view, seed, asker)

    monkeypatch.setattr(SearchPool, "hint", slowly)
    page.keyboard.press("h")
    try:
        page.wait_for_selector(".message .advice >> text=Thinking")
        assert not page.locator(".message.bad").count()
    finally:
        thought.set()
    page.wait_for_selector(".message .advice >> text=Lay ")
    chrome.expect(page.locator(".hand .advised")).to_have_count(1)


def the_rules_of_this_turn_are_beside_the_log(page: Any) -> None:
    """They open the book, which has the house rules of the table."""
    page.wait_for_selector(".strip-rules li")
    page.wait_for_selector("[id^=why-]", state="attached")
    rule = page.evaluate("document.querySelector('.strip-rules .rule').textContent")
    assert "fit" in page.locator(".strip-rules li").first.inner_text()
    page.locator(".strip-rules .rule").first.click()
    page.wait_for_selector("dialog .lit")
    assert rule in page.locator("dialog .lit").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("r")
    page.wait_for_selector("dialog .house >> text=What matters now")
    assert "Everybody puts 2 chips into the pot." in page.locator("dialog .book ol").first.inner_text()
    cells = page.locator("dialog .book td:first-child")
    # the ante here, and that of other rules
    assert [cells.get_by_text(rule, exact=True).count() for rule in ("FT-17", "FT-16")] == [1, 0]
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def settings_work_at_once(page: Any, line: Any) -> None:
    """A key turns sounds on and off, suits never differ by colour alone, and the speed is the pace of one's bots."""
    for sound in (True, False):
        page.keyboard.press("v")
        page.wait_for_function("(sound) => JSON.parse(localStorage.getItem('cardtable')).sound === sound", arg=sound)
    letter = ".hand .card .full .letter"
    assert not page.evaluate(SEEN, letter)
    page.get_by_label("Settings").click()
    page.wait_for_selector("dialog[open] .settings")

    def chooses(label: str, within: str = "") -> None:
        where = page.locator("dialog fieldset", has_text=within) if within else page.locator("dialog")
        where.locator("label").get_by_text(label, exact=True).click()
        chrome.expect(where.get_by_label(label, exact=True)).to_be_checked()

    chooses("Colour-blind")
    page.wait_for_function(SEEN, arg=letter)  # never by colour alone
    chooses("Two colours")
    chooses("No", "Letters of the suits")
    assert not page.evaluate(SEEN, letter)
    with line.expect_event("framesent", lambda frame: '"pace"' in str(frame)) as sent:
        chooses("Fast")
    assert '"fast"' in str(sent.value)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def one_may_look_back(one: chrome.Watched) -> None:
    """At the table as it was before, without legal moves; the table continues meanwhile."""
    page = one.page
    hand = page.locator(".own .hand button.card").count()
    one.move()
    page.wait_for_function("(before) => document.querySelectorAll('.own .hand button.card').length < before", arg=hand)
    page.wait_for_selector(".live.turn")
    laid = page.locator(".live .board:not(dialog *) .slot.filled").count()
    page.get_by_role("button", name="look back").click()
    page.wait_for_selector("dialog.past .slot")
    steps = 0
    while page.get_by_label("One step back").is_enabled():
        page.get_by_label("One step back").click()
        steps += 1
    assert steps >= 1
    assert page.locator("dialog.past .slot.filled").count() < laid
    assert page.locator("dialog.past .can").count() == 0, "what is past cannot be played"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.locator(".slot.filled").count() == laid
    assert page.evaluate("!!document.querySelector('.live.turn')"), "nothing was taken back"


# Clocks, and who is gone


DAY = 86_400  # seconds
#: keeps what the ring shows when it first shows digits: the next message from the server sets a clock right that was
#: put forward
SHORTENED = """() => new MutationObserver(() => {
  const ring = document.querySelector('.mine .avatar.short');
  if (ring) window.shortened ??= [ring.querySelector('b').innerText, ring.style.getPropertyValue('--part')];
}).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true})"""
#: notes the tones that are made
TONES = (
    "const made = AudioContext.prototype.createOscillator; window.tones = []; "
    "AudioContext.prototype.createOscillator = function () {"
    "const tone = made.call(this); setTimeout(() => window.tones.push(tone.frequency.value), 0); return tone; };"
)
#: keeps all that a seat has said: the next message from the server sets a clock right that was put forward
TOLD = """(seat) => {
  window.told = [];
  const seen = () => window.told.push(document.querySelector(`[data-seat="${seat}"]`)?.innerText ?? "");
  new MutationObserver(seen).observe(document.body, {subtree: true, childList: true, characterData: true});
  seen();
}"""


@pytest.mark.exhaustive
def test_time_and_who_is_gone(
    ann: chrome.Watched, browser: Any, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the page's clock alone: the server's leaves a day for a move, so that it never ends."""
    monkeypatch.setitem(setup.CLOCKS, "brisk", DAY)
    chosen(ann, sound=True)
    page = ann.page
    page.add_init_script(TONES)
    page.clock.install()
    table, ben = ann.table("fan-tan", seats=3, bots=["", "", "medium"], clock="brisk"), chrome.visitor(browser, ann.url)
    page.goto(table)
    ben.page.goto(table)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit here").click()

    def is_anns_turn() -> bool:
        """Ben may have been dealt the first turn, and the rules may pass for Ann."""
        if ben.page.locator(".live.turn").count():
            ben.move()
        return bool(page.locator(".live.turn").count())

    until(is_anns_turn)
    a_clock_is_a_ring_with_digits_at_the_end_and_more_time(page)
    page.clock.resume()
    page.evaluate(TOLD, 1)
    ben.page.context.close()
    the_seat_of_who_is_gone_counts_down_and_asks(page, server, table.rpartition("/")[2])


def a_clock_is_a_ring_with_digits_at_the_end_and_more_time(page: Any) -> None:
    page.mouse.click(5, 300)  # a page that nobody touched may not sound
    ring = page.locator(".mine .avatar.runs")
    part = "parseFloat(document.querySelector('.mine .avatar.runs').style.getPropertyValue('--part'))"
    stopped(page)
    page.clock.run_for(100)
    before = page.evaluate(part)
    assert before > 0.9
    chrome.expect(ring.locator(".portrait")).to_have_count(1)
    assert ring.locator("b").count() == 0, "the digits wait until they matter"
    page.evaluate(SHORTENED)
    page.clock.fast_forward(int((before * DAY - 9.5) * 1000))
    page.clock.run_for(500)
    page.wait_for_function("() => window.shortened")
    digits, less = page.evaluate("window.shortened")
    assert 8 <= int(digits) <= 10
    assert float(less) < before
    page.clock.run_for(1500)
    page.wait_for_function("() => window.tones.includes(1200)")
    assert page.evaluate("window.tones.filter((one) => one === 1200).length") == 1, "one tick, not a metronome"
    page.get_by_role("button", name="More time").click()
    page.get_by_role("button", name="More time").wait_for(state="detached")  # once a turn
    page.wait_for_selector(".mine .avatar.runs:not(.short)")
    chrome.expect(page.locator(".avatar:not(.runs)")).to_have_count(2)


def the_seat_of_who_is_gone_counts_down_and_asks(page: Any, server: Served, table: str) -> None:
    """A minute passes on the page, and then for the server, without anybody waiting for it."""
    page.wait_for_function("() => window.told.some((one) => /away (1:00|0:[345])/.test(one))")
    page.clock.fast_forward(30_000)
    page.wait_for_function("() => window.told.some((one) => /away 0:[0-2]/.test(one))")
    room = server.app.hall.rooms[table]
    (away,) = room._absences
    server.loop.call_soon_threadsafe(room.post, lambda: room._gone(away))
    page.wait_for_function("() => window.told.some((one) => /gone 0:/.test(one))")
    asked = page.get_by_role("group", name="The seat of Ben")
    asked.get_by_role("button", name="Wait").click()
    page.wait_for_selector(".ask button[aria-pressed=true]")
    chrome.expect(asked.get_by_text("If you end the match, it counts as a resignation by Ben.")).to_be_visible()
    asked.get_by_role("button", name="End the match").click()
    asked.get_by_text("unless Ben comes back").wait_for()
    assert re.search(r"The match ends in (1:\d\d|2:00)", asked.inner_text())
    asked.get_by_role("button", name="Let a bot play").click()
    page.wait_for_function("() => /a bot stands in/.test(document.querySelector('[data-seat=\"1\"]').innerText)")
    chrome.expect(asked).to_have_count(0)


# What is read out


def test_a_screen_reader_is_told_as_much_as_the_player_likes(ann: chrome.Watched) -> None:
    """And the cards of a new deal."""
    ann.deal("spider", number="spider 0")
    dealt = ann.page.locator(".voice p")
    dealt.last.wait_for(state="attached")
    assert [one for one in dealt.all_inner_texts() if one.startswith("Column 3: ")] == ["Column 3: ace of hearts"]
    for tell, moves in (("all", True), ("turns", False)):
        chosen(ann, tell=tell)
        alone(ann, seats=4, number="fan-tan 0")
        page = ann.page
        for _ in range(4):
            page.wait_for_selector(".live.turn, .ending")
            logged(ann, ann.move)
        said = page.locator(".voice p").all_inner_texts()
        assert any(" lays " in one for one in said) == moves
        assert len(said) == len(set(said)) or moves
        assert all("♠" not in one and "FT-" not in one for one in said)
        lives = page.evaluate(
            "[...document.querySelectorAll('[aria-live=polite], [role=log], [role=status]')].filter((el) => "
            "el.textContent.trim()).length"
        )
        assert lives <= 1, "one voice for what happens"
        assert page.evaluate("[...document.querySelectorAll('[aria-live=assertive]')].length") == 1
        page.wait_for_selector(".live.turn")
        assert "Your turn" in page.locator("[aria-live=assertive]").inner_text()


# The coach, and the rules of this turn


def hints(server: Served, path: str) -> int:
    """How often the host of a table has asked for a hint."""
    return server.app.hall.rooms[path.rsplit("/", 1)[1]].table.places[0].hints


def test_the_coach_of_a_newcomer(browser: Any, server: Served) -> None:
    """It says less from turn to turn, and disappears automatically, or on request."""
    new = chrome.visitor(browser, server.url, 1280, 800)
    new.page.clock.install()
    it_tells_what_a_hint_says(new, server)
    it_waits_after_two_turns_until_it_is_asked(new, server)
    it_tells_nothing_where_help_is_counted(new, server)
    with_all_that_a_table_has_nothing_is_below_the_fold(new)
    it_goes_after_the_first_turns(new)


def it_tells_what_a_hint_says(new: chrome.Watched, server: Served) -> None:
    """And it does not return after the player has closed it."""
    chosen(new, coached=False)
    alone(new, number="fan-tan 1")
    page = new.page
    coach = page.locator(".message .advice")
    page.wait_for_selector(".hand .advised")
    card = page.locator(".hand .advised").get_attribute("data-card")
    said = page.evaluate("(card) => document.querySelector('.advice').innerText.includes(card)", pretty(card))
    assert said, coach.inner_text()
    assert coach.inner_text().startswith("Lay ")
    assert ": " in coach.inner_text(), "it gives a reason"
    assert hints(server, page.url) == 0, "nobody has asked for it"
    coach.get_by_role("button", name="Close the coach").click()
    assert not coach.count()
    page.reload()
    page.wait_for_selector(".live.turn")
    assert not coach.count(), "it is remembered"


def it_waits_after_two_turns_until_it_is_asked(new: chrome.Watched, server: Served) -> None:
    chosen(new, coached=False, turns={"fan-tan denexa": 2})
    alone(new, number="fan-tan 1")
    new.page.clock.run_for(3000)
    assert not new.page.locator(".advice").count(), "the game's own question is enough"
    assert hints(server, new.page.url) == 0
    new.page.get_by_role("button", name="Hint", exact=True).click()
    new.page.wait_for_selector(".hand .advised")
    assert hints(server, new.page.url) == 1


def it_tells_nothing_where_help_is_counted(new: chrome.Watched, server: Served) -> None:
    """A deal of the day has a ladder that marks attempts with help."""
    chosen(new, coached=False, turns={})
    page = new.page
    made = page.request.post(new.url + "/api/daily/fan-tan", data={"name": "Ann"}).json()
    page.goto(new.url + made["path"])
    page.wait_for_selector(".live.turn")
    page.clock.run_for(3000)
    assert page.locator(".advice").inner_text().startswith("Choose a card"), "it says where moves are made"
    assert hints(server, page.url) == 0


def with_all_that_a_table_has_nothing_is_below_the_fold(new: chrome.Watched) -> None:
    chosen(new, coached=False, turns={}, letters=True, suits="blind")
    page = new.page
    alone(new, 6, clock="relaxed", number="fan-tan 1")
    page.wait_for_selector(".advice")
    page.clock.resume()
    for width, height in ((320, 640), (390, 844), (844, 390), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        for which in (".hand", ".actions", ".advice"):
            box = page.locator(which).bounding_box()
            assert box
            assert box["x"] >= 0, (which, width)
            assert box["x"] + box["width"] <= width, (which, width)
            assert box["y"] + box["height"] <= height, (which, width)
        strips = page.evaluate(
            "[...document.querySelectorAll('.fan')].flatMap((row) => [...row.children].slice(1).map((el, i) => "
            "el.getBoundingClientRect().left - row.children[i].getBoundingClientRect().left)).filter((w) => w > 0)"
        )
        assert min(strips) >= 24, f"a finger finds each card, {width}"


def it_goes_after_the_first_turns(new: chrome.Watched) -> None:
    """On a phone it leaves the hand in the window."""
    new.page.set_viewport_size({"width": 390, "height": 844})
    chosen(new, coached=False, turns={"fan-tan denexa": 3})
    alone(new, number="fan-tan 1")
    assert not new.page.locator(".advice").count()
    box = new.page.locator(".hand").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844
    turns = "JSON.parse(localStorage.getItem('cardtable')).turns['fan-tan denexa']"
    for taken in (4, 5):
        new.page.wait_for_selector(".live.turn")
        new.move()
        new.page.wait_for_function(f"(taken) => {turns} >= taken", arg=taken)
    assert new.page.evaluate(turns) == 5
    alone(new, number="fan-tan 2")
    new.page.wait_for_selector(".live.turn")
    new.page.clock.run_for(3000)
    assert not new.page.locator(".advice").count(), "who has taken a few turns knows the game"


# Windows


def test_back_closes_a_window_before_it_leaves_the_table(ann: chrome.Watched) -> None:
    page = ann.page
    page.goto(ann.url)
    before = page.url
    page.set_viewport_size({"width": 390, "height": 844})
    alone(ann, number="fan-tan 1")
    table = page.url
    for name in ("Rules", "Log", "Menu"):
        page.get_by_role("button", name=name, exact=True).click()
        page.locator("dialog").wait_for()
        page.go_back()
        page.locator("dialog").wait_for(state="detached")
        assert page.url == table
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Read the rules").click()  # one window after another
    page.locator("dialog.wide").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    page.wait_for_function("() => !history.state")
    page.go_back()
    page.wait_for_url(before)


def test_cards_have_the_faces_of_the_country_or_those_that_are_chosen(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url)
    page = one.page
    one.deal("scopa", preset="escoba", seats=2, bots=["", "medium"])
    page.wait_for_selector("[data-faces=spanish] .live .hand .card")
    names = "() => [...document.querySelectorAll('.hand .card')].map((el) => el.textContent + el.ariaLabel)"
    spanish = page.evaluate(names)
    assert all(re.search("coins|cups|swords|batons", name) for name in spanish), spanish
    page.get_by_label("Settings").click()
    page.get_by_role("radio", name="French", exact=True).check()
    page.wait_for_selector("[data-faces=french]")
    french = page.evaluate(names)
    assert all(re.search("spades|hearts|diamonds|clubs", name) for name in french), french
    page.get_by_role("radio", name="Italian", exact=True).check()
    page.wait_for_selector("[data-faces=italian]")
    assert len(page.evaluate(names)) == len(french), "the window and the table stay"
    page.wait_for_selector("dialog .settings")
    page.goto(server.url + "/")
    page.wait_for_selector(".scene .card")
    assert page.evaluate("document.documentElement.dataset.faces") == "italian"
