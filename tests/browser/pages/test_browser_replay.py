"""The replay in a real Chromium: a step forward shows the move beat by beat, any other step only what it leads to."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match, Record, bot
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed

MOVING: dict[str, Any] = {"reduced_motion": "no-preference", "chosen": {"speed": "normal"}}
#: the beats of what the replay is showing, by the director's own queue; the beat that the page shows
BEATS = "() => (cardtable.director.scene?.beats ?? []).map((beat) => beat.kind)"
SHOWN = "() => document.querySelector('.feltbox').dataset.beat"
CARDS = "() => [...document.querySelectorAll('.trick [data-card]')].map((el) => el.dataset.card)"


@pytest.fixture(scope="module")
def record() -> str:
    """A match of Oh Hell by three who play what is good."""
    m = Match("oh-hell", 3, seed=1, dealer=0)
    player = bot("medium", 1)
    while not m.over:
        m.play(player.choose(m.view(m.actors[0])))
    return str(Record({**m.record().keys, "players": ["Ann", "Ben", "Cleo"]}))


def replayed(one: chrome.Watched, record: str) -> Any:
    """The page of the replay of a record, with the clock of its beats stopped."""
    page = one.page
    made = page.request.post(f"{one.url}/api/records", data=record).json()
    page.goto(f"{one.url}/replay/{made['id']}")
    page.wait_for_selector(".replay .feltbox")
    page.evaluate("() => { cardtable.director.stage.later = () => 0; }")
    return page


def at(page: Any, step: int) -> None:
    page.wait_for_function(
        "(step) => document.querySelector('.controls output').value.startsWith(`${step} /`)", arg=step
    )


def to_the_last_card_of_a_trick(page: Any) -> int:
    """Step on by keys until the next move takes a trick; how many steps that took."""
    for step in range(1, 40):
        page.keyboard.press("ArrowRight")
        at(page, step)
        if "trick" in page.evaluate(BEATS):
            return step
    raise AssertionError("nobody takes a trick")


def test_a_step_forward_shows_its_beats(browser: Any, server: Served, record: str) -> None:
    """A step back and a jump show none, and neither does a step at instant speed or with reduced motion."""
    one = chrome.visitor(browser, server.url, **MOVING)
    page = replayed(one, record)
    steps_forward_have_beats(page)
    steps_back_and_jumps_have_none(page)
    page.emulate_media(reduced_motion="reduce")
    no_step_has_beats(replayed(one, record))
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("localStorage.cardtable = JSON.stringify({...JSON.parse(localStorage.cardtable), speed: 'instant'})")
    no_step_has_beats(replayed(one, record))


def steps_forward_have_beats(page: Any) -> None:
    assert page.evaluate(BEATS) == [], "the deal begins without"
    page.get_by_role("button", name="One move on").click()
    at(page, 1)
    assert page.evaluate(BEATS) == ["call"]
    assert page.evaluate(SHOWN) == "call"
    page.get_by_role("button", name="To the start").click()
    to_the_last_card_of_a_trick(page)
    assert page.evaluate(BEATS)[:3] == ["play", "trick", "trick"]
    assert page.evaluate(SHOWN) == "play"
    assert len(page.evaluate(CARDS)) == 3, "the whole trick is seen"
    chrome.expect(page.locator(".events .now")).to_have_count(1)
    page.locator(".feltbox .board").click()
    page.wait_for_function(f"() => ({SHOWN})() === '' && !({CARDS})().length")
    assert page.evaluate(BEATS) == []


def steps_back_and_jumps_have_none(page: Any) -> None:
    page.get_by_role("button", name="To the start").click()
    step = to_the_last_card_of_a_trick(page)
    page.keyboard.press("ArrowLeft")
    at(page, step - 1)
    assert page.evaluate(BEATS) == []
    assert page.evaluate(SHOWN) == ""
    page.wait_for_function(f"() => ({CARDS})().length === 2")
    page.keyboard.press("ArrowRight")
    at(page, step)
    assert page.evaluate(SHOWN) == "play"
    page.keyboard.press("ArrowRight")
    at(page, step + 1)
    assert page.evaluate(BEATS) == ["play"], "the next step does not wait for the beats of the one before"
    assert len(page.evaluate(CARDS)) == 1
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function(f"() => ({SHOWN})() === ''")
    assert page.evaluate(BEATS) == []
    page.get_by_role("button", name="To the start").click()
    at(page, 0)
    page.locator(".controls input[type=range]").fill("1")
    at(page, 1)
    assert page.evaluate(BEATS) == [], "the slider jumps, if only by one"


def no_step_has_beats(page: Any) -> None:
    page.evaluate("() => { window.beats = 0; cardtable.director.stage.later = () => (window.beats += 1); }")
    for step in range(1, 8):
        page.keyboard.press("ArrowRight")
        at(page, step)
        assert page.evaluate(SHOWN) == ""
    assert page.evaluate("() => window.beats") == 0


#: what of the table lies outside the felt, or of the names under something else, and how high the middle is
PLACED = """() => {
  const felt = document.querySelector('.feltbox').getBoundingClientRect();
  const out = [...document.querySelectorAll('.sat .seat, .sat .card')].filter((el) => {
    const { left, top, right, bottom } = el.getBoundingClientRect();
    return left < felt.left - 1 || right > felt.right + 1 || top < felt.top - 1 || bottom > felt.bottom + 1;
  });
  const covered = [...document.querySelectorAll('.sat .seat .name')].filter((el) => {
    el.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = el.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return el.scrollWidth > el.clientWidth + 1 || !el.contains(there);
  });
  const board = document.querySelector('.sat .board').getBoundingClientRect();
  return [...out, ...covered].map((el) => el.outerHTML.slice(0, 120)).concat(board.height < 170 ? ['middle'] : [])
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : []);
}"""


@pytest.mark.parametrize(("game", "seats"), [("spider", 1), ("pirate", 2), ("i-doubt-it", 12), ("fan-tan", 12)])
def test_the_table_of_a_replay_has_its_place(browser: Any, server: Served, game: str, seats: int) -> None:
    m = Match(game, seats, seed=3)
    player = bot("medium", 1)
    for _ in range(40):
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    page = replayed(chrome.visitor(browser, server.url), str(Record(m.record().keys)))
    page.get_by_role("button", name="To the end").click()
    found = {}
    for width, height in ((1280, 800), (320, 640), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[width] = page.evaluate(PLACED)
    page.context.close()
    assert found == {1280: [], 320: [], 390: [], 844: []}
